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
import { sessionText } from "./session-text.ts";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  useTitle(sessionText.signIn);
  const { next } = route.useSearch();
  const router = useRouter();
  const [isAtCompany, setAtCompany] = useState(false);
  const queries = useQueryClient();
  const proceed = (signedIn: SignedIn): void => {
    queries.clear(); // another user may have been signed in before
    router.history.push(afterSignIn(signedIn, localPath(next)));
  };
  return (
    <SignInLayout title={sessionText.signIn} lead={sessionText.signInAbout} below={sessionText.signInHint}>
      {isAtCompany ? (
        <CompanyForm next={next} onBack={() => setAtCompany(false)} />
      ) : (
        <div className="grid gap-3">
          <SignInForm
            onSignedIn={proceed}
            aside={
              <Link to="/reset-password" className={`${LINK_CLASS} text-xs`}>
                {sessionText.forgotPassword}
              </Link>
            }
          />
          <Button icon={<Building2 aria-hidden className="size-4" />} onClick={() => setAtCompany(true)}>
            {sessionText.singleSignOn}
          </Button>
        </div>
      )}
    </SignInLayout>
  );
}
