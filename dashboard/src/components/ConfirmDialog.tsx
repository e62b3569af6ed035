import type { ReactNode } from "react";
import type { CodeOf } from "../as-code/AsCode.tsx";
import { FormDialog } from "./FormDialog.tsx";

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

/** Asks for confirmation of an irreversible action and shows its consequences. */
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
