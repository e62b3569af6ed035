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
import { sessionText } from "./session-text.ts";
import { sharedText } from "../components/shared-text.ts";

const PURPOSE = "change-email";

/** Requires a click, because mail clients open links automatically. */
export function ChangeEmailPage() {
  useTitle(sessionText.newEmail);
  const [token, forget] = useMailedToken(PURPOSE);
  const confirm = useMutation({
    mutationFn: () => client.me.completeEmailChange({ token: token! }),
    meta: { isShownInPlace: true },
    onSuccess: forget,
  });
  if (confirm.isSuccess)
    return (
      <SignInLayout title={sessionText.emailChanged} lead={sessionText.emailChangedHint}>
        <Link to="/" className={buttonClass("primary")}>
          {sessionText.continue}
        </Link>
      </SignInLayout>
    );
  if (!token)
    return (
      <main className="grid min-h-dvh place-items-center">
        <EmptyState isPage icon={MailX} title={sessionText.noConfirmation}>
          {sessionText.openLinkAgain}
        </EmptyState>
      </main>
    );
  return (
    <SignInLayout title={sessionText.confirmEmail} lead={sessionText.confirmEmailHint}>
      {confirm.error && <FailureNotice error={confirm.error} />}
      <Button look="primary" autoFocus isPending={confirm.isPending} onClick={() => confirm.mutate()}>
        {sharedText.confirm}
      </Button>
    </SignInLayout>
  );
}
