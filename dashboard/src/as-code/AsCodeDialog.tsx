import { type ReactNode, useMemo, useState } from "react";
import { CopyButton } from "../components/CopyButton.tsx";
import { PlainDialog } from "../components/PlainDialog.tsx";
import { Segments } from "../components/Segments.tsx";
import { usePlace } from "../shell/use-place.ts";
import { asCli } from "./code-as-cli.ts";
import { asCurl } from "./code-as-curl.ts";
import { asSdk } from "./code-as-sdk.ts";
import { type Callers, recipeOf } from "./code-recipes.ts";
import type { AnyCall, ShownCall } from "./shown-call.ts";
import { asCodeText } from "./as-code-text.ts";

const CALLERS: Record<Callers, ReactNode> = {
  key: (
    <>
      {asCodeText.keyHint} <code>{asCodeText.keyVariable}</code>
    </>
  ),
  session: (
    <>
      {asCodeText.sessionHint} <code>{asCodeText.sessionVariable}</code>
    </>
  ),
  browser: asCodeText.browserHint,
};

interface AsCodeDialogProps {
  calls: readonly ShownCall[];
  onClose(): void;
}

/** A call as curl command, SDK call and CLI command. */
export function AsCodeDialog({ calls, onClose }: AsCodeDialogProps) {
  const [at, setAt] = useState("0");
  const call = calls[Number(at)] as AnyCall;
  const { callers } = recipeOf(call.operation);
  return (
    <PlainDialog
      isOpen
      onClose={onClose}
      title={asCodeText.title}
      description={CALLERS[callers]}
      size="large"
    >
      <div className="grid gap-5">
        {calls.length > 1 && (
          <div>
            <Segments
              label={asCodeText.operation}
              value={at}
              choices={calls.map(({ operation }, index) => ({
                value: String(index),
                label: wordsOf(operation),
              }))}
              onChange={setAt}
            />
          </div>
        )}
        {callers === "browser" ? (
          <p className="text-sm">
            {asCodeText.reference} <code className="font-mono">{call.operation}</code>
          </p>
        ) : (
          <Samples call={call} />
        )}
      </div>
    </PlainDialog>
  );
}

/** listMembers: List members. */
function wordsOf(operation: string): string {
  const words = operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0]!.toUpperCase() + words.slice(1);
}

function Samples({ call }: { call: AnyCall }) {
  const inside = usePlace();
  const code = useMemo(() => {
    const place = { origin: location.origin, inside };
    return {
      curl: asCurl(call, place, newKey()),
      sdk: asSdk(call, place),
      cli: asCli(call, place),
    };
  }, [call, inside]);
  return (
    <>
      <Code title={asCodeText.curl} text={code.curl} />
      <Code title={asCodeText.sdk} text={code.sdk} />
      <Code
        title={asCodeText.cli}
        text={code.cli.text}
        note={code.cli.hasOwnCommand ? undefined : asCodeText.noCommand}
      />
    </>
  );
}

function Code({ title, text, note }: { title: string; text: string; note?: string | undefined }) {
  return (
    <section aria-label={title} className="grid min-w-0 gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium">{title}</h3>
        <CopyButton text={text} label={asCodeText.copy(title)} />
      </div>
      {note && <p className="text-xs text-ink-2">{note}</p>}
      <pre
        tabIndex={0}
        aria-label={asCodeText.asText(title)}
        className="overflow-x-auto rounded-md border border-line bg-canvas p-3 font-mono text-xs"
      >
        {text}
      </pre>
    </section>
  );
}

/** New for each dialog: running a copied command twice takes effect once. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
