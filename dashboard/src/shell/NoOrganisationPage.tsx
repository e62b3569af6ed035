import { Link } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import { Button, buttonClass } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { useSignOut } from "../session/use-sign-out.ts";
import { useTitle } from "./use-title.ts";
import { shellText } from "./shell-text.ts";
import { sharedText } from "../components/shared-text.ts";

export function NoOrganisationPage() {
  useTitle(shellText.noOrganisation);
  const signOut = useSignOut();
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={Building2}
        isPage
        title={shellText.noOrganisationTitle}
        action={
          <>
            <Button onClick={() => signOut.mutate()}>{sharedText.signOut}</Button>
            <Link to="/operator" className={buttonClass("quiet")}>
              {shellText.operatorPages}
            </Link>
          </>
        }
      >
        {shellText.noOrganisationHint}
      </EmptyState>
    </main>
  );
}
