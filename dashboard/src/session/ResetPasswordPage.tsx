import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { Button, buttonClass } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { useTitle } from "../shell/use-title.ts";
import { client } from "./client.ts";
import { NewPasswordField } from "./NewPasswordField.tsx";
import { LINK_CLASS, SignInLayout } from "./SignInLayout.tsx";
import { useMailedToken } from "./use-mailed-token.ts";
import { sessionText } from "./session-text.ts";
import { sharedText } from "../components/shared-text.ts";

const PURPOSE = "reset-password";

/** Requests a link by email, or sets the new password with its token. */
export function ResetPasswordPage() {
  const [token, forget] = useMailedToken(PURPOSE);
  return token ? <NewPassword token={token} onForget={forget} /> : <AskForLink />;
}

function AskForLink() {
  useTitle(sessionText.resetTitle);
  const form = useForm({ defaultValues: { email: "" } });
  const ask = useMutation({
    mutationFn: (body: { email: string }) => client.me.requestPasswordReset(body),
    meta: { isShownInPlace: true },
  });
  if (ask.isSuccess)
    return (
      <SignInLayout title={sessionText.checkEmail} lead={sessionText.checkEmailHint(ask.variables.email)}>
        <Link to="/sign-in" className={buttonClass("plain")}>
          {sessionText.backToSignIn}
        </Link>
      </SignInLayout>
    );
  return (
    <SignInLayout
      title={sessionText.resetTitle}
      lead={sessionText.resetHint}
      below={
        <Link to="/sign-in" className={LINK_CLASS}>
          {sessionText.backToSignIn}
        </Link>
      }
    >
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => void form.handleSubmit((values) => ask.mutate(values))(event)}
      >
        {ask.error && <FailureNotice error={ask.error} />}
        <TextField
          label={sharedText.emailAddress}
          type="email"
          autoComplete="username"
          autoFocus
          error={form.formState.errors.email?.message}
          {...form.register("email", { required: sharedText.emailRequired })}
        />
        <Button type="submit" look="primary" isPending={ask.isPending}>
          {sessionText.sendLink}
        </Button>
      </form>
    </SignInLayout>
  );
}

function NewPassword({ token, onForget }: { token: string; onForget(): void }) {
  useTitle(sessionText.newPasswordTitle);
  const form = useForm({ defaultValues: { password: "" } });
  const navigate = useNavigate();
  const complete = useMutation({
    mutationFn: ({ password }: { password: string }) =>
      client.me.completePasswordReset({ token, new_password: password }),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(sessionText.passwordSet, sessionText.passwordSetDetail);
      await navigate({ to: "/sign-in" });
      onForget();
    },
  });
  return (
    <SignInLayout
      title={sessionText.newPasswordTitle}
      lead={sessionText.newPasswordHint}
      below={
        <button type="button" className={LINK_CLASS} onClick={onForget}>
          {sessionText.anotherLink}
        </button>
      }
    >
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => void form.handleSubmit((values) => complete.mutate(values))(event)}
      >
        {complete.error && <FailureNotice error={complete.error} />}
        <NewPasswordField
          error={form.formState.errors.password?.message}
          {...form.register("password", { required: sessionText.newPasswordRequired })}
        />
        <Button type="submit" look="primary" isPending={complete.isPending}>
          {sessionText.setPassword}
        </Button>
      </form>
    </SignInLayout>
  );
}
