import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { sharedText } from "./shared-text.ts";

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  text: string;
  label: string;
  tabIndex?: number;
  autoFocus?: boolean;
}

export function CopyButton({ text, label, tabIndex, autoFocus }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      autoFocus={autoFocus}
      onClick={copy}
      aria-label={isCopied ? sharedText.copied : label}
      title={isCopied ? sharedText.copied : label}
      className="inline-grid size-6 shrink-0 place-items-center rounded text-ink-2 hover:bg-hover hover:text-ink"
    >
      {isCopied ? (
        <Check aria-hidden className="size-3.5 text-good" />
      ) : (
        <Copy aria-hidden className="size-3.5" />
      )}
    </button>
  );
}
