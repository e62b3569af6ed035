import { CopyButton } from "./CopyButton.tsx";

/** Request ID, for support. */
export function RequestId({ id }: { id: string }) {
  return (
    <p className="flex items-center gap-1 text-xs text-muted">
      <span className="truncate">
        Request <code className="font-mono">{id}</code>
      </span>
      <CopyButton text={id} label="Copy request id" />
    </p>
  );
}
