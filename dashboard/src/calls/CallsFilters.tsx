import type { Connection } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { Button } from "../components/Button.tsx";
import { FilterSelect } from "../components/FilterSelect.tsx";
import { SearchField } from "../components/SearchField.tsx";
import { sharedText } from "../components/shared-text.ts";
import { overviewQuery } from "../overview/overview-query.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { lengthOf } from "./call-lengths.ts";
import {
  type CallsSearch,
  chosenResult,
  filtersOf,
  MIN_SEARCH,
  MISROUTED,
  RESULTS,
  WINDOWS,
} from "./calls-search.ts";
import { callsText } from "./calls-text.ts";
import { NumberFilter } from "./NumberFilter.tsx";
import { SIP_CODES, sipCode } from "./sip-codes.ts";

interface CallsFiltersProps {
  place: OpenPlace;
  search: CallsSearch;
  connections: readonly Connection[];
  /** Typing replaces the address, a choice adds one to the history. */
  onChange(search: CallsSearch, isTyping: boolean): void;
}

interface Option<Value extends string = string> {
  value: Value;
  label: string;
}

const LENGTHS = [10, 60, 300, 1_800].map(String);
const { filters } = callsText;
const CODES = SIP_CODES.map((one) => ({ value: String(one), label: sipCode(one) }));

export function CallsFilters({ place, search, connections, onChange }: CallsFiltersProps) {
  const searchFor = useCallback(
    (q: string) => onChange(filtersOf({ ...search, q: q.trim() }), true),
    [search, onChange],
  );
  const isShort = search.q !== undefined && search.q.length < MIN_SEARCH;
  return (
    <div className="grid gap-1 border-b border-line px-4 py-2.5 md:px-6">
      <div role="search" aria-label={filters.name} className="flex flex-wrap items-center gap-2">
        <SearchField label={callsText.search} value={search.q ?? ""} onChange={searchFor} />
        <div className="flex items-center gap-2 max-md:-mx-4 max-md:w-screen max-md:overflow-x-auto max-md:px-4 max-md:py-0.5 md:contents">
          <Choices {...{ place, search, connections, onChange }} />
        </div>
      </div>
      <p role="status" className="text-xs text-ink-2 empty:hidden">
        {isShort ? callsText.shortSearch(MIN_SEARCH) : null}
      </p>
    </div>
  );
}

function Choices({ place, search, connections, onChange }: CallsFiltersProps) {
  const { data: overview } = useQuery(overviewQuery(place));
  const set = (changed: { [Name in keyof CallsSearch]?: CallsSearch[Name] | undefined }): void =>
    onChange(filtersOf({ ...search, ...changed }), false);
  const { time, result, misrouted, number, connection, code, seconds } = search;
  const switches = overview?.switches.map(({ name }) => ({ value: name, label: name })) ?? [];
  const destinations = connections.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <FilterSelect
        label={filters.time}
        value={time}
        options={WINDOWS.map((value) => ({ value, label: filters.windows[value] }))}
        onChange={(chosen) => set({ time: chosen })}
      />
      <FilterSelect
        label={filters.result}
        value={misrouted ? MISROUTED.value : result}
        options={[...RESULTS.map((value) => ({ value, label: callsText.results[value] })), MISROUTED]}
        onChange={(chosen) => set(chosenResult(chosen))}
      />
      <NumberFilter place={place} value={number} onChange={(chosen) => set({ number: chosen })} />
      <FilterSelect
        label={filters.destination}
        value={connection}
        options={withChosen(destinations, connection, () => callsText.aConnection)}
        onChange={(chosen) => set({ connection: chosen })}
      />
      <FilterSelect
        label={filters.code}
        value={code}
        options={withChosen(CODES, code, (one) => sipCode(Number(one)))}
        onChange={(chosen) => set({ code: chosen })}
      />
      <FilterSelect
        label={filters.switch}
        value={search.switch}
        options={withChosen(switches, search.switch, String)}
        onChange={(chosen) => set({ switch: chosen })}
      />
      <FilterSelect
        label={filters.seconds}
        value={seconds}
        options={withChosen(LENGTHS.map(lengthOption), seconds, (one) => lengthOption(one).label)}
        onChange={(chosen) => set({ seconds: chosen })}
      />
      {Object.keys(search).length > 0 && (
        <Button look="quiet" size="small" onClick={() => onChange({}, false)}>
          {sharedText.clearFilters}
        </Button>
      )}
    </>
  );
}

const lengthOption = (value: string): Option => ({
  value,
  label: filters.atLeast(lengthOf(Number(value))),
});

/** Adds the value of the address, such as the name of a switch that was removed. */
function withChosen(
  options: readonly Option[],
  value: string | undefined,
  labelOf: (value: string) => string,
): readonly Option[] {
  if (!value || options.some((one) => one.value === value)) return options;
  return [...options, { value, label: labelOf(value) }];
}
