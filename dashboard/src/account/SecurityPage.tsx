import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { SignOutButton } from "../session/SignOutButton.tsx";
import { useTitle } from "../shell/use-title.ts";
import { AuthenticatorSettings } from "./AuthenticatorSettings.tsx";
import { PasskeySettings } from "./PasskeySettings.tsx";
import { SessionSettings } from "./SessionSettings.tsx";
import { accountText } from "./account-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** Sign-in methods and sessions of the user. */
export function SecurityPage() {
  useTitle(accountText.title);
  return (
    <main className="mx-auto grid max-w-2xl gap-8 px-4 py-8">
      <div className="grid gap-4">
        <div className="flex items-center justify-between">
          <Link to="/" className="inline-flex items-center gap-1 rounded text-sm text-ink-2 hover:text-ink">
            <ChevronLeft aria-hidden className="size-4" />
            {sharedText.back}
          </Link>
          <SignOutButton />
        </div>
        <h1 className="text-xl font-semibold tracking-tight">{accountText.title}</h1>
      </div>
      <Section title={accountText.passkeys} says={accountText.passkeysHint}>
        <PasskeySettings />
      </Section>
      <Section title={accountText.authenticator} says={accountText.authenticatorHint}>
        <AuthenticatorSettings />
      </Section>
      <Section title={accountText.sessions} says={accountText.sessionsHint}>
        <SessionSettings />
      </Section>
    </main>
  );
}

function Section({ title, says, children }: { title: string; says: string; children: ReactNode }) {
  return (
    <section className="grid gap-3" aria-label={title}>
      <div>
        <h2 className="text-base font-semibold">{title}</h2>
        <p className="text-sm text-ink-2">{says}</p>
      </div>
      {children}
    </section>
  );
}
