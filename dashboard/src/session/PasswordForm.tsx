import type { SignedIn } from "@dialplane/sdk";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextField } from "../components/TextField.tsx";
import { client } from "./client.ts";
import { sessionText } from "./session-text.ts";
import { sharedText } from "../components/shared-text.ts";

interface PasswordFormProps {
  /** Fixed address of a user whose session has ended. */
  email?: string | undefined;
  onSignedIn(signedIn: SignedIn): void;
  /** Called if the password was correct and a code is required. */
  onChallenge(challenge: string): void;
  aside?: ReactNode;
}

const CODE_WANTED = 202;

/** Email address and password, for the page and the dialog. */
export function PasswordForm({ email, onSignedIn, onChallenge, aside }: PasswordFormProps) {
  const form = useForm({ defaultValues: { email: email ?? "", password: "" } });
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => client.sessions.signIn(body).withResponse(),
    meta: { isShownInPlace: true },
    onSuccess: ({ status, data }) => {
      if (status === CODE_WANTED) onChallenge((data as unknown as { challenge: string }).challenge);
      else onSignedIn(data);
    },
    onError: () => {
      form.resetField("password");
      form.setFocus("password");
    },
  });
  const { errors } = form.formState;
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => void form.handleSubmit((values) => signIn.mutate(values))(event)}
    >
      {signIn.error && <FailureNotice error={signIn.error} />}
      <TextField
        label={sharedText.emailAddress}
        type="email"
        autoComplete="username"
        autoFocus={!email}
        readOnly={email !== undefined}
        error={errors.email?.message}
        {...form.register("email", { required: sharedText.emailRequired })}
      />
      <TextField
        label={sessionText.password}
        type="password"
        autoComplete="current-password"
        autoFocus={email !== undefined}
        aside={aside}
        error={errors.password?.message}
        {...form.register("password", { required: sessionText.passwordRequired })}
      />
      <Button type="submit" look="primary" isPending={signIn.isPending}>
        {sessionText.signIn}
      </Button>
    </form>
  );
}
