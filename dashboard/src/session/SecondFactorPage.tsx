import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { localPath } from "./local-path.ts";
import { LINK_CLASS, SignInLayout } from "./SignInLayout.tsx";
import { useTitle } from "../shell/use-title.ts";
import { SecondFactorStep } from "./SecondFactorStep.tsx";
import { sessionText } from "./session-text.ts";

const route = getRouteApi("/signed-in/second-factor");

/** Shown after sign-in to users who need a second factor. */
export function SecondFactorPage() {
  useTitle(sessionText.secondFactor);
  const { next } = route.useSearch();
  const router = useRouter();
  return (
    <SignInLayout
      title={sessionText.yourSecondFactor}
      lead={sessionText.secondFactorHint}
      below={
        <Link to={localPath(next)} className={LINK_CLASS}>
          {sessionText.notNow}
        </Link>
      }
    >
      <SecondFactorStep onDone={() => router.history.replace(localPath(next))} />
    </SignInLayout>
  );
}
