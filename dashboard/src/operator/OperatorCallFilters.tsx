import type { Switch } from "@dialplane/sdk/operator";
import { useCallback } from "react";
import { chosenResult, MIN_SEARCH, MISROUTED, WINDOWS } from "../calls/calls-search.ts";
import { callsText } from "../calls/calls-text.ts";
import { Button } from "../components/Button.tsx";
import { FilterSelect } from "../components/FilterSelect.tsx";
import { SearchField } from "../components/SearchField.tsx";
import { sharedText } from "../components/shared-text.ts";
import { ALL_RESULTS, type OperatorCallsSearch, withoutEmpty } from "./operator-calls-search.ts";
import { operatorCallsText } from "./operator-calls-text.ts";

interface OperatorCallFiltersProps {
  search: OperatorCallsSearch;
  /** Names by ID. */
  organisations: ReadonlyMap<string, string>;
  switches: readonly Switch[];
  /** Typing replaces the address, a choice adds one to the history. */
  onChange(search: OperatorCallsSearch, isTyping: boolean): void;
}

const { filters } = callsText;
const RESULT_WORDS = { ...callsText.results, ...operatorCallsText.results };

export function OperatorCallFilters({ search, organisations, switches, onChange }: OperatorCallFiltersProps) {
  const searchFor = useCallback(
    (q: string) => onChange(withoutEmpty({ ...search, q: q.trim() }), true),
    [search, onChange],
  );
  const { q } = search;
  return (
    <div className="grid gap-1">
      <div role="search" aria-label={filters.name} className="flex flex-wrap items-center gap-2">
        <SearchField label={callsText.search} value={q ?? ""} onChange={searchFor} />
        <Choices {...{ search, organisations, switches, onChange }} />
      </div>
      <p role="status" className="text-xs text-ink-2 empty:hidden">
        {q !== undefined && q.length < MIN_SEARCH ? callsText.shortSearch(MIN_SEARCH) : null}
      </p>
    </div>
  );
}

function Choices({ search, organisations, switches, onChange }: OperatorCallFiltersProps) {
  const set = (changed: {
    [Name in keyof OperatorCallsSearch]?: OperatorCallsSearch[Name] | undefined;
  }): void => onChange(withoutEmpty({ ...search, ...changed }), false);
  const { organisation } = search;
  const names = [...organisations].map(([value, label]) => ({ value, label }));
  if (organisation && !organisations.has(organisation))
    names.push({ value: organisation, label: organisation.slice(0, 8) });
  const switchNames = new Set([
    ...switches.map(({ name }) => name),
    ...(search.switch ? [search.switch] : []),
  ]);
  return (
    <>
      <FilterSelect
        label={filters.time}
        value={search.time}
        options={WINDOWS.map((value) => ({ value, label: filters.windows[value] }))}
        onChange={(time) => set({ time })}
      />
      <FilterSelect
        label={filters.result}
        value={search.misrouted ? MISROUTED.value : search.result}
        options={[...ALL_RESULTS.map((value) => ({ value, label: RESULT_WORDS[value] })), MISROUTED]}
        onChange={(chosen) => set(chosenResult(chosen))}
      />
      <FilterSelect
        label={operatorCallsText.organisation}
        value={organisation}
        options={names}
        onChange={(chosen) => set({ organisation: chosen })}
      />
      <FilterSelect
        label={filters.switch}
        value={search.switch}
        options={[...switchNames].map((value) => ({ value, label: value }))}
        onChange={(chosen) => set({ switch: chosen })}
      />
      <FilterSelect
        label={operatorCallsText.unmatched}
        value={search.unmatched}
        options={[{ value: "true" as const, label: operatorCallsText.onlyUnmatched }]}
        onChange={(unmatched) => set({ unmatched })}
      />
      {Object.keys(search).length > 0 && (
        <Button look="quiet" size="small" onClick={() => onChange({}, false)}>
          {sharedText.clearFilters}
        </Button>
      )}
    </>
  );
}
