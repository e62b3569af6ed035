import type { AuditEntry } from "@dialplane/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ScrollText, SearchX } from "lucide-react";
import { useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { Avatar } from "../components/Avatar.tsx";
import { Button } from "../components/Button.tsx";
import { clockOf, dayKeyOf, dayOf, exactly } from "../components/dates.ts";
import { EmptyState } from "../components/EmptyState.tsx";
import { Freshness } from "../components/Freshness.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { sharedText } from "../components/shared-text.ts";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { AuditDetails } from "./AuditDetails.tsx";
import { AuditFilters, type AuditFiltersProps } from "./AuditFilters.tsx";
import { AuditChange, AuditSentence } from "./AuditSentence.tsx";
import { auditQueryOf, type AuditSearch } from "./audit-search.ts";
import { auditText } from "./audit-text.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/audit");

/** Audit log in sentences, newest first, with the details of one entry. */
export function AuditPage() {
  useTitle(auditText.title);
  const place = useOpenPlace();
  const { organisation, environment, client } = place;
  const search = route.useSearch();
  const navigate = useNavigate();
  const show = (wanted: AuditSearch): void =>
    void navigate({
      to: "/o/$organisation/$environment/audit",
      params: { organisation, environment },
      search: wanted,
      replace: true,
    });
  const { entry: openId, ...filters } = search;
  // One time for all pages of the list: a cursor belongs to the filters of its first page.
  const [openedAt] = useState(Date.now);
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "audit", filters],
    queryFn: ({ signal, pageParam }) =>
      withSession(() =>
        client.audit.list({ ...auditQueryOf(filters, openedAt), cursor: pageParam }, { signal }),
      ),
    ...paging,
    placeholderData: (before) => before,
  });
  const entries = rowsOf(list.data);
  const opened = entries.find(({ id }) => id === openId);
  return (
    <>
      <PageBar title={auditText.title} freshness={<Freshness query={list} />}>
        <AsCode call={() => ({ operation: "listAudit", query: auditQueryOf(filters, openedAt) })} />
      </PageBar>
      <div className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto grid max-w-280 grid-cols-1 gap-4 px-4 py-6 md:px-8">
          <AuditFilters search={filters} onChange={show} />
          {list.data && entries.length === 0 && !list.hasNextPage && (
            <NoEntries search={filters} onChange={show} />
          )}
          <div className={opened ? "grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]" : ""}>
            {entries.length > 0 && <Days entries={entries} place={place} openId={openId} search={filters} />}
            {opened && <AuditDetails entry={opened} place={place} onClose={() => show(filters)} />}
          </div>
          <MoreRows list={list} />
        </div>
      </div>
    </>
  );
}

function NoEntries({ search, onChange }: AuditFiltersProps) {
  if (Object.keys(search).length === 0)
    return (
      <EmptyState icon={ScrollText} title={auditText.noEntries}>
        {auditText.noEntriesHint}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={SearchX}
      title={auditText.noMatch}
      action={<Button onClick={() => onChange({})}>{sharedText.clearFilters}</Button>}
    >
      {auditText.noMatchHint}
    </EmptyState>
  );
}

interface DaysProps {
  entries: readonly AuditEntry[];
  place: OpenPlace;
  openId: string | undefined;
  search: AuditSearch;
}

function Days({ entries, place, openId, search }: DaysProps) {
  const days = Object.entries(Object.groupBy(entries, ({ at }) => dayKeyOf(at)));
  return (
    <div className="grid min-w-0 content-start gap-6">
      {days.map(([day, ofDay = []]) => (
        <section key={day} aria-label={dayOf(ofDay[0]!.at)}>
          <h2 className="mb-1 text-xs font-name text-ink-3">{dayOf(ofDay[0]!.at)}</h2>
          <ul className="divide-y divide-line">
            {ofDay.map((entry) => (
              <Row key={entry.id} {...{ entry, place, search }} isOpen={entry.id === openId} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface RowProps {
  entry: AuditEntry;
  place: OpenPlace;
  search: AuditSearch;
  isOpen: boolean;
}

function Row({ entry, place, search, isOpen }: RowProps) {
  const { organisation, environment } = place;
  return (
    <li
      className={`relative grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5 rounded-md px-3 py-2 hover:bg-hover ${isOpen ? "bg-accent-soft" : ""}`}
    >
      <Avatar kind={entry.actor.kind} name={entry.actor.name} />
      <div className="min-w-0">
        <p>
          <Link
            to="/o/$organisation/$environment/audit"
            params={{ organisation, environment }}
            search={{ ...search, entry: entry.id }}
            replace
            aria-current={isOpen ? "true" : undefined}
            className="rounded after:absolute after:inset-0"
          >
            <AuditSentence entry={entry} place={place} />
          </Link>
        </p>
        <AuditChange entry={entry} place={place} />
      </div>
      <time dateTime={entry.at} title={exactly(entry.at)} className="text-xs text-ink-3 tabular-nums">
        {clockOf(entry.at)}
      </time>
    </li>
  );
}
