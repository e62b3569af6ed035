import { Button } from "../components/Button.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { accountText } from "./account-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** Shown once: the service stores only MACs. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={accountText.recoveryCodes}
      description={accountText.recoveryCodesHint}
    >
      <div className="grid gap-4">
        <div className="flex items-start gap-2 rounded-lg border border-line bg-canvas p-3">
          <ul className="grid grow gap-1 font-mono text-sm sm:grid-cols-2">
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <CopyButton text={codes.join("\n")} label={accountText.copyCodes} />
        </div>
        <Button look="primary" onClick={onClose}>
          {sharedText.done}
        </Button>
      </div>
    </Dialog>
  );
}
