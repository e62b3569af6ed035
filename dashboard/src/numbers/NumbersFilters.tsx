import { useCallback } from "react";
import { Button } from "../components/Button.tsx";
import { FilterSelect } from "../components/FilterSelect.tsx";
import { SearchField } from "../components/SearchField.tsx";
import { isFiltered, MODES, type NumbersSearch, STATUSES, SYNCS } from "./numbers-search.ts";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";

interface NumbersFiltersProps {
  search: NumbersSearch;
  /** Whether the user can see routing and filter by it. */
  seesRouting: boolean;
  onChange(search: NumbersSearch): void;
}

const optionsOf = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: wordFor(value) }));

export function NumbersFilters({ search, seesRouting, onChange }: NumbersFiltersProps) {
  const searchFor = useCallback(
    (q: string) => onChange(q.trim() ? { ...search, q: q.trim() } : without(search, "q")),
    [search, onChange],
  );
  const choose =
    <Name extends "sync" | "mode" | "status">(name: Name) =>
    (value: NumbersSearch[Name]): void =>
      onChange(value === undefined ? without(search, name) : { ...search, [name]: value });
  return (
    <div role="search" aria-label={numbersText.filter} className="flex flex-wrap items-center gap-2">
      <SearchField label={sharedText.searchDigits} value={search.q ?? ""} onChange={searchFor} />
      {seesRouting && (
        <>
          <FilterSelect
            label={numbersText.applied}
            value={search.sync}
            options={optionsOf(SYNCS)}
            onChange={choose("sync")}
          />
          <FilterSelect
            label={numbersText.routing}
            value={search.mode}
            options={optionsOf(MODES)}
            onChange={choose("mode")}
          />
        </>
      )}
      <FilterSelect
        label={numbersText.status}
        value={search.status}
        options={optionsOf(STATUSES)}
        onChange={choose("status")}
      />
      {search.tag && (
        <Button size="small" onClick={() => onChange(without(search, "tag"))}>
          {numbersText.tagFilter(search.tag)}
        </Button>
      )}
      {isFiltered(search) && (
        <Button look="quiet" size="small" onClick={() => onChange(search.sort ? { sort: search.sort } : {})}>
          {numbersText.clearFilters}
        </Button>
      )}
    </div>
  );
}

function without(search: NumbersSearch, name: keyof NumbersSearch): NumbersSearch {
  const { [name]: _, ...rest } = search;
  return rest;
}
