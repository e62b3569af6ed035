import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { TerminalSquare } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { useTitle } from "../shell/use-title.ts";
import { client } from "./client.ts";
import { meQuery, withSession } from "./session.ts";
import { SignInLayout } from "./SignInLayout.tsx";
import { sessionText } from "./session-text.ts";

const route = getRouteApi("/signed-in/authorise");

/** A local tool requests access. Requires a click. */
export function AuthorisePage() {
  useTitle(sessionText.authorise);
  const asked = route.useSearch();
  const { data: me } = useSuspenseQuery(meQuery);
  const [isDenied, setDenied] = useState(false);
  const allow = useMutation({
    mutationFn: () =>
      withSession(() =>
        client.call("authoriseTool", { body: { ...asked, code_challenge_method: "S256" as const } }),
      ),
    meta: { isShownInPlace: true },
    onSuccess: ({ redirect_to }) => location.assign(redirect_to),
  });
  if (isDenied)
    return (
      <main className="grid min-h-dvh place-items-center">
        <EmptyState isPage icon={TerminalSquare} title={sessionText.denied}>
          {sessionText.closeTab}
        </EmptyState>
      </main>
    );
  return (
    <SignInLayout
      title={sessionText.authoriseTitle(asked.client_name)}
      lead={sessionText.authoriseHint(me.caller.email ?? me.caller.name)}
      below={sessionText.authoriseWarning}
    >
      {allow.error && <FailureNotice error={allow.error} />}
      <div className="grid grid-cols-2 gap-2">
        <Button onClick={() => setDenied(true)}>{sessionText.deny}</Button>
        <Button look="primary" isPending={allow.isPending} onClick={() => allow.mutate()}>
          {sessionText.allow}
        </Button>
      </div>
    </SignInLayout>
  );
}
