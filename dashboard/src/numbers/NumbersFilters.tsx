import { useCallback } from "react";
import { Button } from "../components/Button.tsx";
import { FilterSelect } from "../components/FilterSelect.tsx";
import { SearchField } from "../components/SearchField.tsx";
import { isFiltered, MODES, type NumbersSearch, STATUSES, SYNCS } from "./numbers-search.ts";
import { wordFor } from "./words.ts";

interface NumbersFiltersProps {
  search: NumbersSearch;
  /** Whether this person may see routing, and so filter by it. */
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
    <div role="search" aria-label="Filter numbers" className="flex flex-wrap items-center gap-2">
      <SearchField label="Digits or label" value={search.q ?? ""} onChange={searchFor} />
      {seesRouting && (
        <>
          <FilterSelect
            label="Applied"
            value={search.sync}
            options={optionsOf(SYNCS)}
            onChange={choose("sync")}
          />
          <FilterSelect
            label="Routing"
            value={search.mode}
            options={optionsOf(MODES)}
            onChange={choose("mode")}
          />
        </>
      )}
      <FilterSelect
        label="State"
        value={search.status}
        options={optionsOf(STATUSES)}
        onChange={choose("status")}
      />
      {search.tag && (
        <Button size="small" onClick={() => onChange(without(search, "tag"))}>
          Tag: {search.tag} ✕
        </Button>
      )}
      {isFiltered(search) && (
        <Button look="quiet" size="small" onClick={() => onChange(search.sort ? { sort: search.sort } : {})}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

function without(search: NumbersSearch, name: keyof NumbersSearch): NumbersSearch {
  const { [name]: _, ...rest } = search;
  return rest;
}
