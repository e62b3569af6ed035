import { Lock, LockOpen, Route, Tag, X } from "lucide-react";
import { useState } from "react";
import { type BulkKind, PlanDialog } from "../bulk-changes/PlanDialog.tsx";
import { bulkChangesText } from "../bulk-changes/bulk-changes-text.ts";
import { Button } from "../components/Button.tsx";
import { sharedText } from "../components/shared-text.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import type { NumbersSearch } from "./numbers-search.ts";
import { bulkSelectionOf, type NumbersSelection } from "./numbers-selection.ts";
import { numbersText } from "./numbers-text.ts";

/** Limit of the service. Larger selections use a filter. */
const MOST_TICKED = 1_000;

interface SelectionBarProps {
  place: OpenPlace;
  search: NumbersSearch;
  selection: NumbersSelection;
  /** Numbers that match the filters. Undefined if it is not known. */
  total: string | undefined;
  onSelect(selection: NumbersSelection): void;
  onClear(): void;
}

/** Actions for the selected numbers. Each action creates a plan for review and changes nothing yet. */
export function SelectionBar({ place, search, selection, total, onSelect, onClear }: SelectionBarProps) {
  const [planned, setPlanned] = useState<BulkKind>();
  const mayLock = place.role === "owner" || place.role === "admin";
  const isTooMany = selection.kind === "ticked" && selection.ids.size > MOST_TICKED;
  const act = (kind: BulkKind, label: string, icon: typeof Lock) => {
    const Icon = icon;
    return (
      <Button
        size="small"
        icon={<Icon aria-hidden className="size-3.5" />}
        disabled={isTooMany}
        onClick={() => setPlanned(kind)}
      >
        {label}
      </Button>
    );
  };
  return (
    <section
      aria-label={numbersText.selection}
      className="flex flex-wrap items-center gap-2 border-t border-accent/40 bg-accent-soft px-4 py-2"
    >
      <p role="status" className="text-sm font-medium">
        {selection.kind === "matching" ? numbersText.allSelected : numbersText.selected(selection.ids.size)}
      </p>
      {selection.kind === "ticked" && (
        <Button look="quiet" size="small" onClick={() => onSelect({ kind: "matching" })}>
          {numbersText.selectMatching}
        </Button>
      )}
      {isTooMany && <p className="text-xs text-ink-2">{numbersText.tooMany(MOST_TICKED)}</p>}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {act("routing", numbersText.setRouting, Route)}
        {act("tags", numbersText.changeTags, Tag)}
        {mayLock && act("lock", numbersText.lock, Lock)}
        {mayLock && act("unlock", numbersText.unlock, LockOpen)}
        <Button look="quiet" size="icon" aria-label={numbersText.clearSelection} onClick={onClear}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      {planned && (
        <PlanDialog
          place={place}
          kind={planned}
          select={bulkSelectionOf(selection, search)}
          count={
            selection.kind === "ticked"
              ? sharedText.countNumbers(selection.ids.size)
              : (total ?? bulkChangesText.allMatching)
          }
          onClose={() => setPlanned(undefined)}
        />
      )}
    </section>
  );
}
