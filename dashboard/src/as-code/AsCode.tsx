import { CodeXml } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "../components/Button.tsx";
import type { ShownCall } from "./shown-call.ts";
import { whenReachable } from "../session/when-reachable.ts";
import { asCodeText } from "./as-code-text.ts";

/** Loaded on demand, because it includes all recipes. */
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

/** Shows the requests of this part of the page as curl, SDK and CLI code. */
export function AsCode({ call, of }: AsCodeProps) {
  const [shown, setShown] = useState<readonly ShownCall[]>();
  return (
    <>
      <Button
        look="quiet"
        size="small"
        className="text-ink-2"
        icon={<CodeXml aria-hidden className="size-3.5" />}
        aria-label={of ? asCodeText.showCodeOf(of) : undefined}
        onClick={() => setShown([call()].flat())}
      >
        {asCodeText.showCode}
      </Button>
      <Suspense>{shown && <AsCodeDialog calls={shown} onClose={() => setShown(undefined)} />}</Suspense>
    </>
  );
}
