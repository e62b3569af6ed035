import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MailX } from "lucide-react";
import { Button, buttonClass } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { useTitle } from "../shell/use-title.ts";
import { client } from "./client.ts";
import { useMailedToken } from "./use-mailed-token.ts";
import { SignInLayout } from "./SignInLayout.tsx";

const PURPOSE = "change-email";

/** Asks before it does it: mail programs open links on their own. */
export function ChangeEmailPage() {
  useTitle("New e-mail address");
  const [token, forget] = useMailedToken(PURPOSE);
  const confirm = useMutation({
    mutationFn: () => client.me.completeEmailChange({ token: token! }),
    meta: { isShownInPlace: true },
    onSuccess: forget,
  });
  if (confirm.isSuccess)
    return (
      <SignInLayout title="Your address is changed" lead="From now on you sign in with the new one.">
        <Link to="/" className={buttonClass("primary")}>
          Go on
        </Link>
      </SignInLayout>
    );
  if (!token)
    return (
      <main className="grid min-h-dvh place-items-center">
        <EmptyState isPage icon={MailX} title="This address has no confirmation in it">
          Open the link in the mail once more, whole.
        </EmptyState>
      </main>
    );
  return (
    <SignInLayout title="Confirm your new address" lead="You will sign in with it from now on.">
      {confirm.error && <FailureNotice error={confirm.error} />}
      <Button look="primary" autoFocus isPending={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm
      </Button>
    </SignInLayout>
  );
}
