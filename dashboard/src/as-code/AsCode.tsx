import { CodeXml } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "../components/Button.tsx";
import type { ShownCall } from "./shown-call.ts";
import { whenReachable } from "../session/when-reachable.ts";

/** Wanted by few, and then with every operation's recipe. */
const AsCodeDialog = lazy(
  whenReachable(() => import("./AsCodeDialog.tsx").then((module) => ({ default: module.AsCodeDialog }))),
);

export type CodeOf = () => ShownCall | readonly ShownCall[];

interface AsCodeProps {
  /**
   * Called on click, so that it uses the form's current values. Returns several calls if one section makes
   * several.
   */
  call: CodeOf;
  /** Distinguishes several buttons on one page. */
  of?: string;
}

/** The same from a program: what this part of the page asks of the service, as curl, SDK and CLI. */
export function AsCode({ call, of }: AsCodeProps) {
  const [shown, setShown] = useState<readonly ShownCall[]>();
  return (
    <>
      <Button
        look="quiet"
        size="small"
        className="text-muted"
        icon={<CodeXml aria-hidden className="size-3.5" />}
        aria-label={of ? `${of} as code` : undefined}
        onClick={() => setShown([call()].flat())}
      >
        As code
      </Button>
      <Suspense>{shown && <AsCodeDialog calls={shown} onClose={() => setShown(undefined)} />}</Suspense>
    </>
  );
}
