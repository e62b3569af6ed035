import type { ReactNode } from "react";
import type { CodeOf } from "../as-code/AsCode.tsx";
import { FormDialog } from "./FormDialog.tsx";

interface ConfirmDialogProps {
  title: string;
  /** Label of the button. */
  action: string;
  mutation: { isPending: boolean; error: unknown };
  onConfirm(): void;
  onClose(): void;
  asCode?: CodeOf;
  /** Consequences of the action. */
  children: ReactNode;
}

/** Asks for confirmation of an irreversible action and shows its consequences. */
export function ConfirmDialog({ onConfirm, children, ...form }: ConfirmDialogProps) {
  return (
    <FormDialog
      {...form}
      look="danger"
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm();
      }}
    >
      <div className="grid gap-2 text-sm">{children}</div>
    </FormDialog>
  );
}
