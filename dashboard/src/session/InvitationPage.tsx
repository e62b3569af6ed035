import type { Me } from "@dialplane/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { MailX } from "lucide-react";
import { useForm } from "react-hook-form";
import { Button, buttonClass } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { useTitle } from "../shell/use-title.ts";
import { client } from "./client.ts";
import { useMailedToken } from "./use-mailed-token.ts";
import { NewPasswordField } from "./NewPasswordField.tsx";
import { meQuery } from "./session.ts";
import { SignInLayout } from "./SignInLayout.tsx";
import { sessionText } from "./session-text.ts";

const PURPOSE = "invitation";

/** A signed-in user joins. Other users first choose between signing in and creating an account. */
export function InvitationPage() {
  useTitle(sessionText.invitation);
  const [token, forget] = useMailedToken(PURPOSE);
  const me = useQuery({ ...meQuery, retry: false });
  if (!token)
    return (
      <main className="grid min-h-dvh place-items-center">
        <EmptyState isPage icon={MailX} title={sessionText.noInvitation}>
          {sessionText.noInvitationHint}
        </EmptyState>
      </main>
    );
  if (me.isPending) return null;
  return me.data ? (
    <JoinAs me={me.data} token={token} onJoined={forget} />
  ) : (
    <NewHere token={token} onJoined={forget} />
  );
}

function JoinAs({ me, token, onJoined }: { me: Me; token: string; onJoined(): void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const join = useMutation({
    mutationFn: () => client.invitations.accept({ token }),
    meta: { isShownInPlace: true },
    onSuccess: async ({ organisation }) => {
      await queries.invalidateQueries(meQuery);
      tellDone(sessionText.joined(organisation.name));
      await navigate({
        to: "/o/$organisation/$environment/numbers",
        params: { organisation: organisation.id, environment: "live" },
      });
      onJoined();
    },
  });
  return (
    <SignInLayout
      title={sessionText.invited}
      lead={sessionText.signedInAs(me.caller.email ?? me.caller.name)}
    >
      {join.error && <FailureNotice error={join.error} />}
      <Button look="primary" autoFocus isPending={join.isPending} onClick={() => join.mutate()}>
        {sessionText.join}
      </Button>
    </SignInLayout>
  );
}

function NewHere({ token, onJoined }: { token: string; onJoined(): void }) {
  const form = useForm({ defaultValues: { name: "", password: "" } });
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: (account: { name: string; password: string }) =>
      client.invitations.accept({ token, account }),
    meta: { isShownInPlace: true },
    onSuccess: async ({ organisation }) => {
      tellDone(sessionText.joined(organisation.name), sessionText.joinedDetail);
      await navigate({ to: "/sign-in" });
      onJoined();
    },
  });
  const { errors } = form.formState;
  return (
    <SignInLayout title={sessionText.invited} lead={sessionText.createAccountHint}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => void form.handleSubmit((values) => accept.mutate(values))(event)}
      >
        {accept.error && <FailureNotice error={accept.error} />}
        <TextField
          label={sessionText.yourName}
          autoComplete="name"
          autoFocus
          error={errors.name?.message}
          {...form.register("name", { required: sessionText.yourNameRequired })}
        />
        <NewPasswordField
          error={errors.password?.message}
          {...form.register("password", { required: sessionText.newPasswordRequired })}
        />
        <Button type="submit" look="primary" isPending={accept.isPending}>
          {sessionText.createAccount}
        </Button>
      </form>
      <Link to="/sign-in" search={{ next: "/invitation" }} className={buttonClass("plain")}>
        {sessionText.haveAccount}
      </Link>
    </SignInLayout>
  );
}
