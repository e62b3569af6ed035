import { CopyButton } from "./CopyButton.tsx";
import { sharedText } from "./shared-text.ts";

/** A secret that is shown only once. */
export function Secret({ text, label }: { text: string; label: string }) {
  return (
    <div className="grid gap-2">
      <p className="text-sm font-medium text-warn">{sharedText.shownOnce}</p>
      <p className="flex items-center gap-2 rounded-md border border-line-strong bg-canvas px-3 py-2">
        <code className="min-w-0 grow font-mono text-sm break-all">{text}</code>
        <CopyButton text={text} label={sharedText.copy(label)} autoFocus />
      </p>
    </div>
  );
}
