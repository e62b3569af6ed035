import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { useTitle } from "../shell/use-title.ts";
import { localPath } from "./local-path.ts";
import { SignInForm } from "./SignInForm.tsx";
import { LINK_CLASS, SignInLayout } from "./SignInLayout.tsx";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  useTitle("Sign in");
  const { next } = route.useSearch();
  const router = useRouter();
  const queries = useQueryClient();
  const goOn = (): void => {
    queries.clear(); // whoever was here before saw other things
    router.history.push(localPath(next));
  };
  return (
    <SignInLayout
      title="Sign in"
      lead="Numbers, where their calls go, and whether they really go there."
      below="No account? You are invited into an organisation by mail."
    >
      <SignInForm
        onSignedIn={goOn}
        aside={
          <Link to="/reset-password" className={`${LINK_CLASS} text-xs`}>
            Forgotten?
          </Link>
        }
      />
    </SignInLayout>
  );
}
