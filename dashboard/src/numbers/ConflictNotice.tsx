import { GitMerge } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { numbersText } from "./numbers-text.ts";

/** Another user has saved since. */
export function ConflictNotice({ onLookAgain }: { onLookAgain(): void }) {
  return (
    <div role="alert" className="flex gap-2.5 rounded-lg border border-warn/40 bg-warn-soft p-3 text-sm">
      <GitMerge aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <div className="grid gap-2">
        <p>
          <span className="font-medium">{numbersText.conflict}</span> {numbersText.conflictHint}
        </p>
        <div>
          <Button size="small" autoFocus onClick={onLookAgain}>
            {numbersText.compare}
          </Button>
        </div>
      </div>
    </div>
  );
}
