import { Link } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import { Button, buttonClass } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { useSignOut } from "../session/use-sign-out.ts";
import { useTitle } from "./use-title.ts";

export function NoOrganisationPage() {
  useTitle("No organisation");
  const signOut = useSignOut();
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={Building2}
        isPage
        title="You belong to no organisation yet"
        action={
          <>
            <Button onClick={() => signOut.mutate()}>Sign out</Button>
            <Link to="/operator/organisations" className={buttonClass("quiet")}>
              I run this installation
            </Link>
          </>
        }
      >
        Ask an owner or admin to invite you. The invitation comes by mail and brings you here.
      </EmptyState>
    </main>
  );
}
