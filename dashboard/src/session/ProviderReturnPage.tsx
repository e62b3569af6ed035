import type { SignedIn } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { buttonClass } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { useTitle } from "../shell/use-title.ts";
import { client } from "./client.ts";
import { CodeForm } from "./CodeForm.tsx";
import { takeContinuation } from "./continuation.ts";
import { afterSignIn } from "./local-path.ts";
import { SignInLayout } from "./SignInLayout.tsx";
import { sessionText } from "./session-text.ts";

const route = getRouteApi("/sign-in/provider");
const CODE_WANTED = 202;

/**
 * Target of the identity provider's redirect: finishes the sign-in once, and prompts for a code if the user
 * has an app.
 */
export function ProviderReturnPage() {
  useTitle(sessionText.signIn);
  const { state, code, iss } = route.useSearch();
  const router = useRouter();
  const queries = useQueryClient();
  const [challenge, setChallenge] = useState<string>();
  const proceed = (signedIn: SignedIn): void => {
    queries.clear(); // another user may have been signed in before
    router.history.replace(afterSignIn(signedIn, takeContinuation()));
  };
  const finish = useMutation({
    mutationFn: () =>
      client.sessions.signInWithProvider({ state: state!, code: code!, ...(iss && { iss }) }).withResponse(),
    meta: { isShownInPlace: true },
    onSuccess: ({ status, data }) => {
      if (status === CODE_WANTED) setChallenge((data as unknown as { challenge: string }).challenge);
      else proceed(data);
    },
  });
  const isComplete = state !== undefined && code !== undefined;
  const { mutate } = finish;
  const isBegun = useRef(false); // the code works once
  useEffect(() => {
    if (!isComplete || isBegun.current) return;
    isBegun.current = true;
    mutate();
  }, [isComplete, mutate]);
  if (challenge) return <CodeStep challenge={challenge} onSignedIn={proceed} />;
  if (isComplete && !finish.error)
    return (
      <SignInLayout title={sessionText.signingIn}>
        <p role="status" className="text-sm text-ink-2">
          {sessionText.signingInHint}
        </p>
      </SignInLayout>
    );
  return (
    <SignInLayout title={sessionText.notSignedIn}>
      {finish.error ? (
        <FailureNotice error={finish.error} />
      ) : (
        <p className="text-sm">{sessionText.notSignedInHint}</p>
      )}
      <Link to="/sign-in" className={buttonClass("primary")}>
        {sessionText.startOver}
      </Link>
    </SignInLayout>
  );
}

function CodeStep({ challenge, onSignedIn }: { challenge: string; onSignedIn(signedIn: SignedIn): void }) {
  const signIn = useMutation({
    mutationFn: (code: string) => client.sessions.signInWithCode({ challenge, code }),
    meta: { isShownInPlace: true },
    onSuccess: onSignedIn,
  });
  return (
    <SignInLayout title={sessionText.signIn}>
      <CodeForm
        action={sessionText.signIn}
        isPending={signIn.isPending}
        error={signIn.error}
        onCode={(code) => signIn.mutate(code)}
      />
    </SignInLayout>
  );
}
