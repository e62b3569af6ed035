import { ApiError, type SignInPolicy } from "@dialplane/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { CheckField } from "../components/CheckField.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Page } from "../components/Page.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import { LINK_CLASS } from "../session/SignInLayout.tsx";
import { useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { signInPolicyQuery } from "./sign-in-policy-query.ts";

/** How members have to sign in: changed by owners, read by admins. */
export function SignInPolicyPage() {
  useTitle("Sign-in policy");
  const place = useOpenPlace();
  const policy = useQuery(signInPolicyQuery(place));
  return (
    <Page
      title="Sign-in policy"
      says="How members have to sign in to use this organisation. API keys are not affected."
      asCode={() => [
        { operation: "getSignInPolicy" },
        { operation: "changeSignInPolicy", body: policy.data ?? {} },
      ]}
    >
      {policy.error && <FailureNotice error={policy.error} />}
      {policy.data && <PolicyForm key={JSON.stringify(policy.data)} policy={policy.data} />}
    </Page>
  );
}

const HOURS = [1, 4, 8, 12, 24, 72, 168];

function PolicyForm({ policy }: { policy: SignInPolicy }) {
  const place = useOpenPlace();
  const isReader = place.role !== "owner";
  const form = useForm({
    defaultValues: {
      factor: policy.require_second_factor,
      singleSignOn: policy.require_single_sign_on,
      hours: String(policy.max_session_age_hours ?? ""),
    },
  });
  const save = useSaving();
  return (
    <form
      className="grid max-w-2xl gap-5"
      noValidate
      onSubmit={(event) =>
        void form.handleSubmit(({ factor, singleSignOn, hours }) =>
          save.mutate({
            require_second_factor: factor,
            require_single_sign_on: singleSignOn,
            max_session_age_hours: hours === "" ? null : Number(hours),
          }),
        )(event)
      }
    >
      <fieldset disabled={isReader} className="grid gap-5">
        <CheckField
          label="Require a second factor"
          hint="Members without an authenticator app or a passkey have to add one before they can continue."
          {...form.register("factor")}
        />
        <CheckField
          label="Require single sign-on"
          hint="Members have to sign in through your identity provider. Owners can use two factors of their own if the provider fails: the audit log records it, and the other owners get an email."
          {...form.register("singleSignOn")}
        />
        <SelectField
          label="Maximum session age"
          hint="Members sign in again after this time."
          className="max-w-xs"
          {...form.register("hours")}
        >
          <AgeOptions current={policy.max_session_age_hours} />
        </SelectField>
      </fieldset>
      {save.error && <FailureNotice error={save.error} action={<NextStep error={save.error} />} />}
      {isReader ? (
        <p className="text-sm text-muted">Owners can change this.</p>
      ) : (
        <Button type="submit" look="primary" className="justify-self-start" isPending={save.isPending}>
          Save policy
        </Button>
      )}
    </form>
  );
}

/** The usual spans, and the one that is set. */
function AgeOptions({ current }: { current: number | null }) {
  const choices = [...new Set([...HOURS, current ?? 1])].toSorted((a, b) => a - b);
  return (
    <>
      <option value="">30 days, the limit of the service</option>
      {choices.map((hours) => (
        <option key={hours} value={hours}>
          {spanOf(hours)}
        </option>
      ))}
    </>
  );
}

function useSaving() {
  const place = useOpenPlace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wanted: SignInPolicy) => withSession(() => place.client.signInPolicy.change(wanted)),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone("Sign-in policy saved", "Sessions that do not meet it are rejected from now on.");
      await queries.invalidateQueries(signInPolicyQuery(place));
    },
  });
}

function NextStep({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.code !== "sign_in_policy_not_met") return null;
  return (
    <Link to="/second-factor" search={{ next: location.pathname }} className={LINK_CLASS}>
      Add or confirm a second factor
    </Link>
  );
}

function spanOf(hours: number): string {
  if (hours < 24 || hours % 24 !== 0) return hours === 1 ? "1 hour" : `${hours} hours`;
  return hours === 24 ? "1 day" : `${hours / 24} days`;
}
