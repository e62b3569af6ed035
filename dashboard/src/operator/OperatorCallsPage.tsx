import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { PhoneIncoming, SearchX } from "lucide-react";
import { useCallback, useMemo } from "react";
import { MIN_SEARCH, startOf } from "../calls/calls-search.ts";
import { callsText } from "../calls/calls-text.ts";
import { useListedCalls } from "../calls/use-found-calls.ts";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { Freshness } from "../components/Freshness.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { sharedText } from "../components/shared-text.ts";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { operator } from "../session/client.ts";
import { OperatorCallFilters } from "./OperatorCallFilters.tsx";
import { OperatorCallTable } from "./OperatorCallTable.tsx";
import { operatorCallsQuery, type OperatorCallsSearch } from "./operator-calls-search.ts";
import { operatorCallsText } from "./operator-calls-text.ts";
import { OperatorPage } from "./OperatorPage.tsx";
import { organisationsList } from "./organisations-list.ts";
import { switchesList } from "./switches-list.ts";

const route = getRouteApi("/signed-in/operator/calls");

/** Ended calls of all organisations, newest first. */
export function OperatorCallsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const show = useCallback(
    (wanted: OperatorCallsSearch, isTyping: boolean) =>
      void navigate({ to: "/operator/calls", search: wanted, replace: isTyping }),
    [navigate],
  );
  // The same start for all pages of a list: a cursor is valid for one filter only.
  const from = useMemo(() => startOf(search.time, Date.now()), [search.time]);
  const filter = operatorCallsQuery(search, from);
  const { list, calls, isSkipping } = useListedCalls({
    queryKey: ["operator", "calls", filter],
    load: (page, signal) => operator.calls.search({ ...filter, ...page }, { signal }),
    stopsAfterError: true,
  });
  // After the rows, which only need the names.
  const isOpen = list.data !== undefined;
  const organisations = rowsOf(useInfiniteQuery({ ...organisationsList, enabled: isOpen }).data);
  const switches = rowsOf(useInfiniteQuery({ ...switchesList, enabled: isOpen }).data);
  const names = useMemo(() => new Map(organisations.map(({ id, name }) => [id, name])), [organisations]);
  return (
    <OperatorPage
      title={operatorCallsText.title}
      says={operatorCallsText.about}
      error={list.error}
      freshness={<Freshness query={list} />}
    >
      <OperatorCallFilters {...{ search, organisations: names, switches }} onChange={show} />
      {isOpen && calls.length === 0 && !isSkipping && (
        <NoCalls search={search} hasMore={list.hasNextPage} onClear={() => show({}, false)} />
      )}
      {calls.length > 0 && (
        <div className={list.isPlaceholderData ? "opacity-60" : ""}>
          <OperatorCallTable calls={calls} organisations={names} />
        </div>
      )}
      {(isSkipping || !isOpen) && calls.length === 0 && !list.error && <RowSkeletons count={6} />}
      <MoreRows list={list} label={calls.length > 0 ? callsText.showOlder : callsText.searchOlder} />
    </OperatorPage>
  );
}

interface NoCallsProps {
  search: OperatorCallsSearch;
  /** Whether older calls have not been searched yet. */
  hasMore: boolean;
  onClear(): void;
}

function NoCalls({ search, hasMore, onClear }: NoCallsProps) {
  if (Object.keys(search).length === 0)
    return (
      <EmptyState icon={PhoneIncoming} title={callsText.none}>
        {callsText.noneHint}
      </EmptyState>
    );
  const { q } = search;
  return (
    <EmptyState
      icon={SearchX}
      title={callsText.noMatch(q !== undefined && q.length >= MIN_SEARCH ? q : undefined)}
      action={<Button onClick={onClear}>{sharedText.clearFilters}</Button>}
    >
      {hasMore && callsText.searchedSome}
    </EmptyState>
  );
}
