import { useMutation, useQuery } from "@tanstack/react-query";
import { CopyButton } from "../components/CopyButton.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { QrCode } from "../components/QrCode.tsx";
import { client } from "../session/client.ts";
import { CodeForm } from "../session/CodeForm.tsx";
import { withSession } from "../session/session.ts";
import { accountText } from "./account-text.ts";
import { sharedText } from "../components/shared-text.ts";

interface EnrolmentDialogProps {
  onClose(): void;
  onEnrolled(recoveryCodes: string[]): void;
}

/** The app becomes active only after a correct code, so that a failed scan cannot lock the user out. */
export function EnrolmentDialog({ onClose, onEnrolled }: EnrolmentDialogProps) {
  const enrolment = useQuery({
    queryKey: ["authenticator-enrolment"],
    queryFn: () => withSession(() => client.call("enrolAuthenticator", {})),
    staleTime: Infinity,
    gcTime: 0,
  });
  const confirm = useMutation({
    mutationFn: (code: string) => withSession(() => client.call("confirmAuthenticator", { body: { code } })),
    meta: { isShownInPlace: true },
    onSuccess: ({ recovery_codes }) => onEnrolled(recovery_codes),
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={sharedText.authenticatorSetUp}
      description={accountText.enrolHint}
    >
      {enrolment.error && <FailureNotice error={enrolment.error} />}
      {enrolment.data && (
        <div className="grid gap-4">
          <div className="grid justify-items-center gap-2">
            <QrCode text={enrolment.data.otpauth_uri} label={accountText.qrCode} />
            <p className="flex items-center gap-1 text-xs text-ink-2">
              <span>
                {accountText.orEnter}{" "}
                <code className="font-mono break-all text-ink">{enrolment.data.secret}</code>
              </span>
              <CopyButton text={enrolment.data.secret} label={accountText.copySecret} />
            </p>
          </div>
          <CodeForm
            action={accountText.turnOn}
            hint={accountText.codeHint}
            isPending={confirm.isPending}
            error={confirm.error}
            onCode={(code) => confirm.mutate(code)}
          />
        </div>
      )}
    </Dialog>
  );
}
