import { Button } from "../components/Button.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { Dialog } from "../components/Dialog.tsx";

/** Shown once: the service keeps only what it needs to recognise them. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Your recovery codes"
      description="Each works once when the app is out of reach. They are not shown again: keep them where you keep important things."
    >
      <div className="grid gap-4">
        <div className="flex items-start gap-2 rounded-lg border border-line bg-canvas p-3">
          <ul className="grid grow gap-1 font-mono text-sm sm:grid-cols-2">
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <CopyButton text={codes.join("\n")} label="Copy all codes" />
        </div>
        <Button look="primary" onClick={onClose}>
          I have kept them
        </Button>
      </div>
    </Dialog>
  );
}
