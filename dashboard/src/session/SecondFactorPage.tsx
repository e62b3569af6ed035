import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { localPath } from "./local-path.ts";
import { LINK_CLASS, SignInLayout } from "./SignInLayout.tsx";
import { useTitle } from "../shell/use-title.ts";
import { SecondFactorStep } from "./SecondFactorStep.tsx";

const route = getRouteApi("/signed-in/second-factor");

/** Comes after signing in, for operators and for members of organisations that require a second factor. */
export function SecondFactorPage() {
  useTitle("Second factor");
  const { next } = route.useSearch();
  const router = useRouter();
  return (
    <SignInLayout
      title="Your second factor"
      lead="An authenticator app or a passkey protects your account if your password is stolen. Operators need one, and so do members of organisations that require it."
      below={
        <Link to={localPath(next)} className={LINK_CLASS}>
          Not now
        </Link>
      }
    >
      <SecondFactorStep onDone={() => router.history.replace(localPath(next))} />
    </SignInLayout>
  );
}
