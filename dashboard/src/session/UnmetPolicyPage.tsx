import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Building2 } from "lucide-react";
import { Button, buttonClass } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { client } from "./client.ts";
import { continueTo } from "./continuation.ts";
import { meQuery } from "./session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { sessionText } from "./session-text.ts";

/** The organisation's sign-in requirement, and the next step. */
export function UnmetPolicyPage({ place }: { place: OpenPlace }) {
  switch (place.unmet) {
    case "second_factor":
      return (
        <Explained title={sessionText.needsSecondFactor(place.name)} says={sessionText.needsSecondFactorHint}>
          <Link to="/second-factor" search={{ next: location.pathname }} className={buttonClass("primary")}>
            {sessionText.continue}
          </Link>
        </Explained>
      );
    case "single_sign_on":
      return (
        <Explained title={sessionText.needsSingleSignOn(place.name)} says={sessionText.needsSingleSignOnHint}>
          <ThroughProvider place={place} />
        </Explained>
      );
    default:
      return (
        <Explained title={sessionText.needsSignIn(place.name)} says={sessionText.needsSignInHint}>
          <Link to="/sign-in" search={{ next: location.pathname }} className={buttonClass("primary")}>
            {sessionText.signInAgain}
          </Link>
        </Explained>
      );
  }
}

function Explained({ title, says, children }: { title: string; says: string; children: ReactNode }) {
  useTitle(title);
  return (
    <div className="min-h-0 grow overflow-y-auto">
      <div className="mx-auto grid max-w-sm gap-5 px-4 py-16">
        <div className="grid gap-1">
          <h1 className="text-lg font-semibold tracking-tight break-words">{title}</h1>
          <p className="text-sm text-ink-2">{says}</p>
        </div>
        {children}
        <p className="text-xs text-ink-2">{sessionText.otherOrganisations}</p>
      </div>
    </div>
  );
}

function ThroughProvider({ place }: { place: OpenPlace }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const email = me.caller.email ?? "";
  const begin = useMutation({
    mutationFn: () => client.sessions.beginWithProvider({ email }),
    meta: { isShownInPlace: true },
    onSuccess: ({ redirect_to }) => {
      if (!redirect_to) return;
      continueTo(location.pathname);
      location.assign(redirect_to);
    },
  });
  return (
    <div className="grid gap-3">
      {begin.error && <FailureNotice error={begin.error} />}
      {begin.data?.redirect_to === null && (
        <p role="alert" className="rounded-lg border border-bad/40 bg-bad-soft p-3 text-sm">
          {sessionText.domainNotVerified(email, place.name)}
        </p>
      )}
      <Button
        look="primary"
        icon={<Building2 aria-hidden className="size-4" />}
        isPending={begin.isPending || begin.data?.redirect_to != null}
        onClick={() => begin.mutate()}
      >
        {sessionText.singleSignOn}
      </Button>
      {place.role === "owner" && (
        <>
          <Link to="/second-factor" search={{ next: location.pathname }} className={buttonClass("plain")}>
            {sessionText.useSecondFactor}
          </Link>
          <p className="text-xs text-ink-2">{sessionText.useSecondFactorHint}</p>
        </>
      )}
    </div>
  );
}
