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

const route = getRouteApi("/signed-in/authorise");

/** A tool on this machine asks to act as the person; nothing happens before they say so. */
export function AuthorisePage() {
  useTitle("Let a tool in");
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
        <EmptyState isPage icon={TerminalSquare} title="The tool was not let in">
          You can close this tab.
        </EmptyState>
      </main>
    );
  return (
    <SignInLayout
      title={`Let “${asked.client_name}” in?`}
      lead={`It will act as ${me.caller.email ?? me.caller.name}, with all you may do except creating keys and changing how you sign in. It stays signed in for up to 30 days; you can end its session under Security.`}
      below="Only go on if you have just started this tool yourself, on this machine."
    >
      {allow.error && <FailureNotice error={allow.error} />}
      <div className="grid grid-cols-2 gap-2">
        <Button onClick={() => setDenied(true)}>Keep it out</Button>
        <Button look="primary" isPending={allow.isPending} onClick={() => allow.mutate()}>
          Let it in
        </Button>
      </div>
    </SignInLayout>
  );
}
