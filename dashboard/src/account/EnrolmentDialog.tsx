import { useMutation, useQuery } from "@tanstack/react-query";
import { CopyButton } from "../components/CopyButton.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { QrCode } from "../components/QrCode.tsx";
import { client } from "../session/client.ts";
import { CodeForm } from "../session/CodeForm.tsx";
import { withSession } from "../session/session.ts";

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
      title="Set up an authenticator app"
      description="Scan the picture with the app, then type the code it shows."
    >
      {enrolment.error && <FailureNotice error={enrolment.error} />}
      {enrolment.data && (
        <div className="grid gap-4">
          <div className="grid justify-items-center gap-2">
            <QrCode text={enrolment.data.otpauth_uri} label="QR code for the authenticator app" />
            <p className="flex items-center gap-1 text-xs text-muted">
              <span>
                or type <code className="font-mono break-all text-ink">{enrolment.data.secret}</code>
              </span>
              <CopyButton text={enrolment.data.secret} label="Copy secret" />
            </p>
          </div>
          <CodeForm
            action="Turn it on"
            hint="Six digits, as the app shows them now."
            isPending={confirm.isPending}
            error={confirm.error}
            onCode={(code) => confirm.mutate(code)}
          />
        </div>
      )}
    </Dialog>
  );
}
