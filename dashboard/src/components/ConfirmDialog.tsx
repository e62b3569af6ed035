import type { ReactNode } from "react";
import type { CodeOf } from "../as-code/AsCode.tsx";
import { FormDialog } from "./FormDialog.tsx";

interface ConfirmDialogProps {
  title: string;
  /** What it does to it, on the button. */
  action: string;
  isPending: boolean;
  error: unknown;
  onConfirm(): void;
  onClose(): void;
  asCode?: CodeOf;
  /** What will happen. */
  children: ReactNode;
}

/** Before something that cannot be restored: what will happen, and one more press. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, isPending, error, onConfirm, onClose, asCode, children } = props;
  return (
    <FormDialog
      title={title}
      asCode={asCode}
      action={action}
      look="danger"
      isPending={isPending}
      error={error}
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm();
      }}
      onClose={onClose}
    >
      <div className="grid gap-2 text-sm">{children}</div>
    </FormDialog>
  );
}
