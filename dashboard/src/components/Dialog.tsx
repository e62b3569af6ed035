import { AsCode, type CodeOf } from "../as-code/AsCode.tsx";
import { PlainDialog, type PlainDialogProps } from "./PlainDialog.tsx";

interface DialogProps extends Omit<PlainDialogProps, "below"> {
  /** The dialog's API call, as a code sample. */
  asCode?: CodeOf | undefined;
}

/** Dialog of an action, with its code sample. */
export function Dialog({ asCode, ...rest }: DialogProps) {
  return <PlainDialog {...rest} below={asCode && <AsCode call={asCode} />} />;
}
