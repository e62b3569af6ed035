import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate, useNavigate } from "@tanstack/react-router";
import { PhoneIncoming, SearchX } from "lucide-react";
import { useCallback, useMemo } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { Freshness } from "../components/Freshness.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { SaveButton } from "../components/SaveButton.tsx";
import { sharedText } from "../components/shared-text.ts";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { SavedViews } from "../views/SavedViews.tsx";
import { CallFigures } from "./CallFigures.tsx";
import { CallsFilters } from "./CallsFilters.tsx";
import {
  callsFilterOf,
  type CallsSearch,
  MIN_SEARCH,
  prefixOf,
  readCallsSearch,
  startOf,
  type CallsFilter,
} from "./calls-search.ts";
import { callsText } from "./calls-text.ts";
import { CallsTabs } from "./CallsTabs.tsx";
import { CallTable } from "./CallTable.tsx";
import { useNumberLabels } from "./number-labels.ts";
import { PAGE_SIZE, useFoundCalls } from "./use-found-calls.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/calls");

/** Log of ended calls of all numbers, newest first. */
export function CallsPage() {
  useTitle(callsText.title);
  const place = useOpenPlace();
  const { organisation, environment } = place;
  if (place.role === "member")
    return (
      <Navigate
        to="/o/$organisation/$environment/calls/active"
        params={{ organisation, environment }}
        replace
      />
    );
  return <Log place={place} />;
}

function Log({ place }: { place: OpenPlace }) {
  const { organisation, environment } = place;
  const search = route.useSearch();
  const navigate = useNavigate();
  const show = useCallback(
    (wanted: CallsSearch, isTyping: boolean) =>
      void navigate({
        to: "/o/$organisation/$environment/calls",
        params: { organisation, environment },
        search: wanted,
        replace: isTyping,
      }),
    [navigate, organisation, environment],
  );
  // The same start for all pages of a list: a cursor is valid for one filter only.
  const from = useMemo(() => startOf(search.time, Date.now()), [search.time]);
  const filter = callsFilterOf(search, from);
  const { list, calls, isSkipping } = useFoundCalls(place, filter);
  // After the rows, which only need the names.
  const connections = useQuery({ ...connectionsQuery(place), enabled: list.data !== undefined }).data ?? [];
  const labels = useNumberLabels(place, calls);
  const isEmpty = list.data !== undefined && calls.length === 0 && !isSkipping;
  return (
    <>
      <LogBar {...{ place, list, filter }} />
      <CallsTabs place={place} />
      <SavedViews
        {...{ place, search }}
        page="calls"
        isReady={list.data !== undefined}
        onOpen={(raw) => show(readCallsSearch(raw), false)}
      />
      <div className="min-h-0 grow overflow-y-auto">
        <CallsFilters {...{ place, search, connections }} onChange={show} />
        <CallFigures place={place} filter={filter} />
        {isEmpty && <NoCalls search={search} hasMore={list.hasNextPage} onClear={() => show({}, false)} />}
        {calls.length > 0 && (
          <div className={list.isPlaceholderData ? "opacity-60" : ""}>
            <CallTable {...{ place, calls, connections, labels }} />
          </div>
        )}
        {isSkipping && calls.length === 0 && <RowSkeletons count={4} />}
        <div className="grid px-4 py-4 empty:hidden md:px-6">
          <MoreRows list={list} label={calls.length > 0 ? callsText.showOlder : callsText.searchOlder} />
        </div>
      </div>
    </>
  );
}

interface LogBarProps {
  place: OpenPlace;
  list: ReturnType<typeof useFoundCalls>["list"];
  filter: CallsFilter;
}

function LogBar({ place, list, filter }: LogBarProps) {
  return (
    <PageBar title={callsText.title} freshness={<Freshness query={list} />}>
      <AsCode
        call={() => [
          { operation: "searchCalls", query: { ...filter, limit: PAGE_SIZE } },
          { operation: "exportFoundCalls", query: filter },
        ]}
      />
      <SaveButton
        label={sharedText.saveCsv}
        fileName={callsText.fileName("")}
        content={() => place.client.calls.exportFound(filter)}
      />
    </PageBar>
  );
}

interface NoCallsProps {
  search: CallsSearch;
  /** Whether older calls have not been searched yet. */
  hasMore: boolean;
  onClear(): void;
}

/** Says how the search was understood. */
function NoCalls({ search, hasMore, onClear }: NoCallsProps) {
  if (Object.keys(search).length === 0)
    return (
      <EmptyState icon={PhoneIncoming} title={callsText.none}>
        {callsText.noneHint}
      </EmptyState>
    );
  const { q, ...others } = search;
  const isSearched = q !== undefined && q.length >= MIN_SEARCH;
  return (
    <EmptyState
      icon={SearchX}
      title={callsText.noMatch(isSearched ? q : undefined)}
      action={<Button onClick={onClear}>{sharedText.clearFilters}</Button>}
    >
      {[
        ...(hasMore ? [callsText.searchedSome] : []),
        ...(isSearched ? understoodAs(q) : []),
        ...(Object.keys(others).length > 0 ? [callsText.withFilters(Object.keys(others).length)] : []),
      ].join(" ")}
    </EmptyState>
  );
}

function understoodAs(q: string): string[] {
  const prefix = prefixOf(q);
  if (!prefix) return [callsText.searchedCallId, callsText.deletedCallers];
  const searched = callsText.searchedStart(prefix);
  return prefix.startsWith("+0") ? [searched, callsText.addCountryCode] : [searched];
}
