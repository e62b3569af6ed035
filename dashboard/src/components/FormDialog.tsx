import type { ReactNode, SyntheticEvent } from "react";
import type { CodeOf } from "../as-code/AsCode.tsx";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { FailureNotice } from "./FailureNotice.tsx";
import { Secret } from "./Secret.tsx";
import { sharedText } from "./shared-text.ts";

interface MadeSecret {
  title: string;
  secret: string;
  /** Name of the secret. */
  label: string;
  hint?: string;
}

interface FormDialogProps {
  title: string;
  description?: ReactNode;
  size?: "large";
  asCode?: CodeOf | undefined;
  /** Label of the button that submits the form. */
  action: string;
  /** Label of the button that closes the dialog (default: Cancel). */
  cancel?: string;
  look?: "primary" | "danger";
  /** Runs on submit. */
  mutation?: { isPending: boolean; error: unknown } | undefined;
  isDisabled?: boolean;
  /** In place of the error of the mutation, such as a conflict. */
  failure?: ReactNode;
  /** Result of the form, shown once in its place. */
  made?: MadeSecret | undefined;
  onSubmit(event: SyntheticEvent): unknown;
  onClose(): void;
  children?: ReactNode;
}

const IDLE = { isPending: false, error: null };

/** A form in a dialog, with its error, Cancel, and the button that submits it. */
export function FormDialog(props: FormDialogProps) {
  const {
    action,
    cancel = sharedText.cancel,
    look = "primary",
    mutation: { isPending, error } = IDLE,
    isDisabled = false,
    failure = error != null && <FailureNotice error={error} />,
    made,
    onSubmit,
    children,
    ...dialog
  } = props;
  const { onClose } = dialog;
  // The same dialog: another one would move the focus out of it.
  if (made)
    return (
      <Dialog isOpen onClose={onClose} title={made.title}>
        <div className="grid gap-4">
          {made.hint !== undefined && <p className="text-sm">{made.hint}</p>}
          <Secret text={made.secret} label={made.label} />
          <Button look="primary" className="justify-self-end" onClick={onClose}>
            {sharedText.done}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog isOpen {...dialog}>
      <form className="grid gap-5" noValidate onSubmit={(event) => void onSubmit(event)}>
        {children}
        {failure}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" look={look} isPending={isPending} disabled={isDisabled}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
