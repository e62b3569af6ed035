import type { SignedIn } from "@dialplane/sdk";
import { useMutation } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../components/Button.tsx";
import { client } from "./client.ts";
import { CodeForm } from "./CodeForm.tsx";
import { HAS_PASSKEYS, provePasskey } from "./passkey.ts";
import { PasswordForm } from "./PasswordForm.tsx";
import { sessionText } from "./session-text.ts";

interface SignInFormProps {
  /** Fixed address of a user whose session has ended. */
  email?: string | undefined;
  onSignedIn(signedIn: SignedIn): void;
  aside?: ReactNode;
}

/** Sign-in by password and code or by passkey, for the page and the dialog. */
export function SignInForm({ email, onSignedIn, aside }: SignInFormProps) {
  const [challenge, setChallenge] = useState<string>();
  const withCode = useMutation({
    mutationFn: async (code: string) => client.sessions.signInWithCode({ challenge: challenge!, code }),
    meta: { isShownInPlace: true },
    onSuccess: onSignedIn,
  });
  const withPasskey = useMutation({
    mutationFn: async () => {
      const credential = await provePasskey(await client.call("askForPasskey", {}));
      return client.call("signInWithPasskey", { body: { credential } });
    },
    onSuccess: onSignedIn,
  });
  if (challenge)
    return (
      <div className="grid gap-4">
        <CodeForm
          action={sessionText.signIn}
          isPending={withCode.isPending}
          error={withCode.error}
          onCode={(code) => withCode.mutate(code)}
        />
        <Button look="quiet" onClick={() => setChallenge(undefined)}>
          {sessionText.startOver}
        </Button>
      </div>
    );
  return (
    <div className="grid gap-3">
      <PasswordForm {...{ email, onSignedIn, aside }} onChallenge={setChallenge} />
      {HAS_PASSKEYS && (
        <Button
          icon={<KeyRound aria-hidden className="size-4" />}
          isPending={withPasskey.isPending}
          onClick={() => withPasskey.mutate()}
        >
          {sessionText.usePasskey}
        </Button>
      )}
    </div>
  );
}
