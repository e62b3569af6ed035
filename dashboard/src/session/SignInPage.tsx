import type { SignedIn } from "@dialplane/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { useTitle } from "../shell/use-title.ts";
import { CompanyForm } from "./CompanyForm.tsx";
import { afterSignIn, localPath } from "./local-path.ts";
import { SignInForm } from "./SignInForm.tsx";
import { LINK_CLASS, SignInLayout } from "./SignInLayout.tsx";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  useTitle("Sign in");
  const { next } = route.useSearch();
  const router = useRouter();
  const [isAtCompany, setAtCompany] = useState(false);
  const queries = useQueryClient();
  const goOn = (signedIn: SignedIn): void => {
    queries.clear(); // another user may have been signed in before
    router.history.push(afterSignIn(signedIn, localPath(next)));
  };
  return (
    <SignInLayout
      title="Sign in"
      lead="Numbers, where their calls go, and whether they really go there."
      below="No account? You are invited into an organisation by mail."
    >
      {isAtCompany ? (
        <CompanyForm next={next} onBack={() => setAtCompany(false)} />
      ) : (
        <div className="grid gap-3">
          <SignInForm
            onSignedIn={goOn}
            aside={
              <Link to="/reset-password" className={`${LINK_CLASS} text-xs`}>
                Forgotten?
              </Link>
            }
          />
          <Button icon={<Building2 aria-hidden className="size-4" />} onClick={() => setAtCompany(true)}>
            Sign in with your company
          </Button>
        </div>
      )}
    </SignInLayout>
  );
}
