import type { AuditEntry, Connection } from "@dialplane/sdk";
import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { AuditDays } from "./AuditDays.tsx";
import { AuditDetails } from "./AuditDetails.tsx";
import { AuditFilters } from "./AuditFilters.tsx";
import type { AuditSearch } from "./audit-search.ts";
import { NoEntries } from "./NoEntries.tsx";

interface AuditLogProps {
  list: Parameters<typeof MoreRows>[0]["list"] & {
    data: { pages: { data: AuditEntry[] }[] } | undefined;
    hasNextPage: boolean;
  };
  search: AuditSearch;
  onChange(search: AuditSearch): void;
  connections: readonly Connection[];
  /** Link to the same page with this search. */
  linkTo(search: AuditSearch): LinkProps;
  /** Link to the resource of the open entry. */
  resourceOf?(entry: AuditEntry): ReactNode;
}

/** Filters, entries by day, and the details of one entry. */
export function AuditLog({ list, search, onChange, connections, linkTo, resourceOf }: AuditLogProps) {
  const { entry: openId, ...filters } = search;
  const entries = rowsOf(list.data);
  const opened = entries.find(({ id }) => id === openId);
  return (
    <>
      <AuditFilters search={filters} onChange={onChange} />
      {list.data && entries.length === 0 && !list.hasNextPage && (
        <NoEntries search={filters} onChange={onChange} />
      )}
      <div className={opened ? "grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]" : ""}>
        {entries.length > 0 && (
          <AuditDays
            {...{ entries, connections, openId }}
            linkOf={(entry) => linkTo({ ...filters, entry })}
          />
        )}
        {opened && (
          <AuditDetails entry={opened} connections={connections} onClose={() => onChange(filters)}>
            {resourceOf?.(opened)}
          </AuditDetails>
        )}
      </div>
      <MoreRows list={list} />
    </>
  );
}
