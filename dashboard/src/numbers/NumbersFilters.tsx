import { X } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { Button } from "../components/Button.tsx";
import { FilterSelect } from "../components/FilterSelect.tsx";
import { SearchField } from "../components/SearchField.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { HEALTHS, isFiltered, MODES, type NumbersSearch, STATUSES, SYNCS } from "./numbers-search.ts";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { connectionsQuery } from "./routing-queries.ts";
import { numbersText } from "./numbers-text.ts";

interface NumbersFiltersProps {
  place: OpenPlace;
  search: NumbersSearch;
  /** Whether the user can see routing and filter by it. */
  seesRouting: boolean;
  onChange(search: NumbersSearch): void;
}

const optionsOf = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: wordFor(value) }));

export function NumbersFilters({ place, search, seesRouting, onChange }: NumbersFiltersProps) {
  const searchFor = useCallback(
    (q: string) => onChange(q.trim() ? { ...search, q: q.trim() } : without(search, "q")),
    [search, onChange],
  );
  const choose: Choose =
    (name) =>
    (value): void =>
      onChange(value === undefined ? without(search, name) : { ...search, [name]: value });
  return (
    <div
      role="search"
      aria-label={numbersText.filter}
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2"
    >
      <SearchField label={sharedText.searchDigits} value={search.q ?? ""} onChange={searchFor} />
      {seesRouting && <RoutingFilters {...{ place, search, choose }} />}
      <FilterSelect
        label={numbersText.status}
        value={search.status}
        options={optionsOf(STATUSES)}
        onChange={choose("status")}
      />
      {search.destination && (
        <SetFilter onRemove={() => onChange(without(search, "destination"))}>
          {numbersText.destinationFilter(search.destination)}
        </SetFilter>
      )}
      {search.tag && (
        <SetFilter onRemove={() => onChange(without(search, "tag"))}>
          {numbersText.tagFilter(search.tag)}
        </SetFilter>
      )}
      {isFiltered(search) && (
        <Button look="quiet" size="small" onClick={() => onChange(search.sort ? { sort: search.sort } : {})}>
          {sharedText.clearFilters}
        </Button>
      )}
    </div>
  );
}

type Choose = <Name extends "sync" | "health" | "mode" | "status" | "connection">(
  name: Name,
) => (value: NumbersSearch[Name]) => void;

interface RoutingFiltersProps extends Pick<NumbersFiltersProps, "place" | "search"> {
  choose: Choose;
}

function RoutingFilters({ place, search, choose }: RoutingFiltersProps) {
  return (
    <>
      <FilterSelect
        label={numbersText.applied}
        value={search.sync}
        options={optionsOf(SYNCS)}
        onChange={choose("sync")}
      />
      <FilterSelect
        label={numbersText.healthFilter}
        value={search.health}
        options={HEALTHS.map((value) => ({ value, label: numbersText.health[value] }))}
        onChange={choose("health")}
      />
      <FilterSelect
        label={numbersText.routing}
        value={search.mode}
        options={optionsOf(MODES)}
        onChange={choose("mode")}
      />
      <ConnectionFilter place={place} value={search.connection} onChange={choose("connection")} />
    </>
  );
}

/** A filter that other parts of the page set. A click removes it. */
function SetFilter({ onRemove, children }: { onRemove(): void; children: string }) {
  return (
    <Button size="small" icon={<X aria-hidden className="size-3.5" />} onClick={onRemove}>
      {children}
    </Button>
  );
}

interface ConnectionFilterProps {
  place: OpenPlace;
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** Fetches the connections on the first use: the list itself does not need their names. */
function ConnectionFilter({ place, value, onChange }: ConnectionFilterProps) {
  const [isUsed, setUsed] = useState(value !== undefined);
  const connections = useQuery({ ...connectionsQuery(place), enabled: isUsed });
  return (
    <span onPointerEnter={() => setUsed(true)} onFocus={() => setUsed(true)}>
      <FilterSelect
        label={numbersText.connectionFilter}
        value={value}
        options={(connections.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={onChange}
      />
    </span>
  );
}

function without(search: NumbersSearch, name: keyof NumbersSearch): NumbersSearch {
  const { [name]: _, ...rest } = search;
  return rest;
}
