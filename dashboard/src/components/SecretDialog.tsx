import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Secret } from "./Secret.tsx";
import { sharedText } from "./shared-text.ts";

interface SecretDialogProps {
  title: string;
  secret: string;
  /** Name of the secret. */
  label: string;
  onClose(): void;
  children?: ReactNode;
}

/** Shows a secret, once. */
export function SecretDialog({ title, secret, label, onClose, children }: SecretDialogProps) {
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <div className="grid gap-4">
        {children}
        <Secret text={secret} label={label} />
        <Button look="primary" className="justify-self-end" onClick={onClose}>
          {sharedText.done}
        </Button>
      </div>
    </Dialog>
  );
}
