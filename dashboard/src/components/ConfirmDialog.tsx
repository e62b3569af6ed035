import type { ReactNode } from "react";
import type { CodeOf } from "../as-code/AsCode.tsx";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { FailureNotice } from "./FailureNotice.tsx";

interface ConfirmDialogProps {
  title: string;
  /** Label of the button. */
  action: string;
  isPending: boolean;
  error: unknown;
  onConfirm(): void;
  onClose(): void;
  asCode?: CodeOf;
  /** Consequences of the action. */
  children: ReactNode;
}

/** Before something that cannot be restored: what will happen, and one more press. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, isPending, error, onConfirm, onClose, asCode, children } = props;
  return (
    <Dialog isOpen onClose={onClose} title={title} asCode={asCode}>
      <div className="grid gap-5">
        <div className="grid gap-2 text-sm">{children}</div>
        {error != null && <FailureNotice error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" isPending={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
