import { CopyButton } from "./CopyButton.tsx";
import { sharedText } from "./shared-text.ts";

/** Request ID, for support. */
export function RequestId({ id }: { id: string }) {
  return (
    <p className="flex items-center gap-1 text-xs text-ink-2">
      <span className="truncate">
        {sharedText.request} <code className="font-mono">{id}</code>
      </span>
      <CopyButton text={id} label={sharedText.copyRequestId} />
    </p>
  );
}
