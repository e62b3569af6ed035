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
import { signInPolicyText } from "./sign-in-policy-text.ts";

/** Sign-in policy. Owners change it, admins read it. */
export function SignInPolicyPage() {
  useTitle(signInPolicyText.title);
  const place = useOpenPlace();
  const policy = useQuery(signInPolicyQuery(place));
  return (
    <Page
      title={signInPolicyText.title}
      says={signInPolicyText.about}
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
          label={signInPolicyText.secondFactor}
          hint={signInPolicyText.secondFactorHint}
          {...form.register("factor")}
        />
        <CheckField
          label={signInPolicyText.singleSignOn}
          hint={signInPolicyText.singleSignOnHint}
          {...form.register("singleSignOn")}
        />
        <SelectField
          label={signInPolicyText.maximumAge}
          hint={signInPolicyText.maximumAgeHint}
          className="max-w-xs"
          {...form.register("hours")}
        >
          <AgeOptions current={policy.max_session_age_hours} />
        </SelectField>
      </fieldset>
      {save.error && <FailureNotice error={save.error} action={<NextStep error={save.error} />} />}
      {isReader ? (
        <p className="text-sm text-ink-2">{signInPolicyText.ownersOnly}</p>
      ) : (
        <Button type="submit" look="primary" className="justify-self-start" isPending={save.isPending}>
          {signInPolicyText.save}
        </Button>
      )}
    </form>
  );
}

/** Common durations and the current one. */
function AgeOptions({ current }: { current: number | null }) {
  const choices = [...new Set([...HOURS, current ?? 1])].toSorted((a, b) => a - b);
  return (
    <>
      <option value="">{signInPolicyText.noMaximumAge}</option>
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
      tellDone(signInPolicyText.saved, signInPolicyText.savedDetail);
      await queries.invalidateQueries(signInPolicyQuery(place));
    },
  });
}

function NextStep({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.code !== "sign_in_policy_not_met") return null;
  return (
    <Link to="/second-factor" search={{ next: location.pathname }} className={LINK_CLASS}>
      {signInPolicyText.nextStep}
    </Link>
  );
}

function spanOf(hours: number): string {
  if (hours < 24 || hours % 24 !== 0) return signInPolicyText.hours(hours);
  return signInPolicyText.days(hours / 24);
}
