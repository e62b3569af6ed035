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

const PURPOSE = "reset-password";

/** Without a mailed link it asks for one, with it for the new password. */
export function ResetPasswordPage() {
  const [token, forget] = useMailedToken(PURPOSE);
  return token ? <NewPassword token={token} onForget={forget} /> : <AskForLink />;
}

function AskForLink() {
  useTitle("Reset your password");
  const form = useForm({ defaultValues: { email: "" } });
  const ask = useMutation({
    mutationFn: (body: { email: string }) => client.me.requestPasswordReset(body),
    meta: { isShownInPlace: true },
  });
  if (ask.isSuccess)
    return (
      <SignInLayout
        title="Look into your mail"
        lead={`If ${ask.variables.email} has an account, a link to set a new password is on its way. It works once, for an hour.`}
      >
        <Link to="/sign-in" className={buttonClass("plain")}>
          Back to sign-in
        </Link>
      </SignInLayout>
    );
  return (
    <SignInLayout
      title="Reset your password"
      lead="We mail you a link to set a new one."
      below={
        <Link to="/sign-in" className={LINK_CLASS}>
          Back to sign-in
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
          label="E-mail address"
          type="email"
          autoComplete="username"
          autoFocus
          error={form.formState.errors.email?.message}
          {...form.register("email", { required: "Enter your e-mail address." })}
        />
        <Button type="submit" look="primary" isPending={ask.isPending}>
          Send the link
        </Button>
      </form>
    </SignInLayout>
  );
}

function NewPassword({ token, onForget }: { token: string; onForget(): void }) {
  useTitle("Set a new password");
  const form = useForm({ defaultValues: { password: "" } });
  const navigate = useNavigate();
  const complete = useMutation({
    mutationFn: ({ password }: { password: string }) =>
      client.me.completePasswordReset({ token, new_password: password }),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone("Your password is set", "Every session you had has ended. Sign in with the new one.");
      await navigate({ to: "/sign-in" });
      onForget();
    },
  });
  return (
    <SignInLayout
      title="Set a new password"
      lead="It signs you out everywhere else."
      below={
        <button type="button" className={LINK_CLASS} onClick={onForget}>
          Ask for another link
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
          {...form.register("password", { required: "Choose a password." })}
        />
        <Button type="submit" look="primary" isPending={complete.isPending}>
          Set password
        </Button>
      </form>
    </SignInLayout>
  );
}
