import { type ReactNode, useMemo, useState } from "react";
import { CopyButton } from "../components/CopyButton.tsx";
import { PlainDialog } from "../components/PlainDialog.tsx";
import { Segments } from "../components/Segments.tsx";
import { useOpenPlace } from "../shell/use-place.ts";
import { asCli } from "./code-as-cli.ts";
import { asCurl } from "./code-as-curl.ts";
import { asSdk } from "./code-as-sdk.ts";
import { type Callers, RECIPES } from "./code-recipes.ts";
import type { AnyCall, ShownCall } from "./shown-call.ts";

const CALLERS: Record<Callers, ReactNode> = {
  key: (
    <>
      <code>$DIALPLANE_API_KEY</code> is a key of this side, made under API keys.
    </>
  ),
  session: (
    <>
      API keys may not do this. <code>$DIALPLANE_TOKEN</code> is the session of a tool somebody signed in
      with, <code>svc_cli_…</code>.
    </>
  ),
  browser:
    "This is done here only, by people who have just shown who they are: no key and no tool may do it.",
};

interface AsCodeDialogProps {
  calls: readonly ShownCall[];
  onClose(): void;
}

/** A call in three tongues, each to be copied whole. */
export function AsCodeDialog({ calls, onClose }: AsCodeDialogProps) {
  const [at, setAt] = useState("0");
  const call = calls[Number(at)] as AnyCall;
  const { callers } = RECIPES[call.operation];
  return (
    <PlainDialog isOpen onClose={onClose} title="As code" description={CALLERS[callers]} size="large">
      <div className="grid gap-5">
        {calls.length > 1 && (
          <div>
            <Segments
              label="What it does"
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
            The operation is <code className="font-mono">{call.operation}</code>; the contract under /docs
            describes it.
          </p>
        ) : (
          <Tongues call={call} />
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

function Tongues({ call }: { call: AnyCall }) {
  const { organisation, environment } = useOpenPlace();
  const code = useMemo(() => {
    const place = { origin: location.origin, organisation, environment };
    return {
      curl: asCurl(call, place, newKey()),
      sdk: asSdk(call, place),
      cli: asCli(call, place),
    };
  }, [call, organisation, environment]);
  return (
    <>
      <Code title="curl" text={code.curl} />
      <Code title="SDK" text={code.sdk} />
      <Code
        title="CLI"
        text={code.cli.text}
        note={
          code.cli.hasOwnCommand
            ? undefined
            : "No command of its own does just this; the one for any request does."
        }
      />
    </>
  );
}

function Code({ title, text, note }: { title: string; text: string; note?: string | undefined }) {
  return (
    <section aria-label={title} className="grid min-w-0 gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-sm font-medium">{title}</h3>
        <CopyButton text={text} label={`Copy ${title}`} />
      </div>
      {note && <p className="text-xs text-muted">{note}</p>}
      <pre
        tabIndex={0}
        aria-label={`${title}, as text`}
        className="overflow-x-auto rounded-md border border-line bg-canvas p-3 font-mono text-xs"
      >
        {text}
      </pre>
    </section>
  );
}

/** Another one each time it is opened: what is copied once and run twice is done once. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
