import { X } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { FilterSelect } from "../components/FilterSelect.tsx";
import { SearchField } from "../components/SearchField.tsx";
import type { AuditSearch } from "./audit-search.ts";
import { auditText } from "./audit-text.ts";

export interface AuditFiltersProps {
  search: AuditSearch;
  onChange(search: AuditSearch): void;
}

/** Filters of the audit log. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const { filters } = auditText;
  const set = (changed: { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }): void => {
    const wanted = Object.entries({ ...search, ...changed }).filter(([, value]) => value !== undefined);
    onChange(Object.fromEntries(wanted));
  };
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <SearchField
        label={auditText.search}
        value={search.q ?? ""}
        onChange={(q) => set({ q: q || undefined })}
      />
      <FilterSelect
        label={filters.time}
        value={search.time}
        options={[
          { value: "day", label: filters.day },
          { value: "week", label: filters.week },
          { value: "month", label: filters.month },
        ]}
        onChange={(time) => set({ time })}
      />
      <FilterSelect
        label={filters.who}
        anyLabel={filters.people}
        value={search.who}
        options={[{ value: "all", label: filters.everything }]}
        onChange={(who) => set({ who })}
      />
      <FilterSelect
        label={filters.outcome}
        value={search.outcome}
        options={[
          { value: "done", label: filters.done },
          { value: "refused", label: filters.refused },
        ]}
        onChange={(outcome) => set({ outcome })}
      />
      {(["action", "subject", "actor"] as const).map((name) =>
        search[name] ? (
          <Button
            key={name}
            size="small"
            icon={<X aria-hidden className="size-3.5" />}
            onClick={() => set({ [name]: undefined })}
          >
            {search[name]}
          </Button>
        ) : null,
      )}
    </div>
  );
}
