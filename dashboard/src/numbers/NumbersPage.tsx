import type { Overview } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { FileUp, Hash, SearchX } from "lucide-react";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import type { ShownCall } from "../as-code/shown-call.ts";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button, buttonClass } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { SaveButton } from "../components/SaveButton.tsx";
import { overviewQuery } from "../overview/overview-query.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { PLAIN_SEARCH, queryStringOf } from "../shell/plain-search.ts";
import { useTitle } from "../shell/use-title.ts";
import { type BuiltInView, ViewTabs } from "../views/ViewTabs.tsx";
import { ColumnChooser } from "./ColumnChooser.tsx";
import { HIDDEN_COLUMNS, ROUTING_COLUMNS } from "./numbers-columns.tsx";
import { filterOf, isFiltered, type NumbersSearch, queryOf, readNumbersSearch } from "./numbers-search.ts";
import { NOTHING_SELECTED, type NumbersSelection } from "./numbers-selection.ts";
import { NumbersFilters } from "./NumbersFilters.tsx";
import { NumbersTable } from "./NumbersTable.tsx";
import { RowSkeletons } from "./RowSkeletons.tsx";
import { useNumbers } from "./use-numbers.ts";
import { whenReachable } from "../session/when-reachable.ts";
import { numbersText } from "./numbers-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** Loaded on demand, when numbers are selected. */
const SelectionBar = lazy(
  whenReachable(() => import("./SelectionBar.tsx").then((module) => ({ default: module.SelectionBar }))),
);

const route = getRouteApi("/signed-in/o/$organisation/$environment/numbers");

export function NumbersPage() {
  useTitle(sharedText.numbers);
  const place = useOpenPlace();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { organisation, environment, role } = place;
  const show = useCallback(
    (wanted: NumbersSearch) =>
      void navigate({
        to: "/o/$organisation/$environment/numbers",
        params: { organisation, environment },
        search: wanted,
        replace: true,
      }),
    [navigate, organisation, environment],
  );
  const seesRouting = role !== "member";
  const list = useNumbers(place, search);
  // A selection belongs to its filters, so that users do not change numbers they no longer see.
  const among = JSON.stringify(search);
  const [ticked, setTicked] = useState({ among, selection: NOTHING_SELECTED });
  const selection = ticked.among === among ? ticked.selection : NOTHING_SELECTED;
  const select = (wanted: NumbersSelection): void => setTicked({ among, selection: wanted });
  const clear = (): void => select(NOTHING_SELECTED);
  const isAnySelected = selection.kind === "matching" || selection.ids.size > 0;
  return (
    <>
      <PageHeader place={place} search={search} isReady={list.data !== undefined} onShow={show} />
      <Rows
        place={place}
        list={list}
        search={search}
        hidden={seesRouting ? hiddenOf(search) : [...hiddenOf(search), ...ROUTING_COLUMNS]}
        onShow={show}
        selection={seesRouting ? selection : undefined}
        onSelect={select}
      />
      <Suspense>
        {isAnySelected && (
          <SelectionBar
            {...{ place, search, selection }}
            total={totalOf(list.data)}
            onSelect={select}
            onClear={clear}
          />
        )}
      </Suspense>
    </>
  );
}

/** Numbers that match the filters, in words. */
function totalOf(fetched: ReturnType<typeof useNumbers>["data"]): string | undefined {
  const first = fetched?.pages[0];
  return first?.total == null || first.total_is_minimum ? undefined : sharedText.countNumbers(first.total);
}

function hiddenOf({ hidden }: NumbersSearch): readonly string[] {
  return hidden === undefined ? HIDDEN_COLUMNS : hidden.split(",").filter(Boolean);
}

interface PageHeaderProps {
  place: OpenPlace;
  search: NumbersSearch;
  isReady: boolean;
  onShow(search: NumbersSearch): void;
}

function PageHeader({ place, search, isReady, onShow }: PageHeaderProps) {
  const { organisation, environment, role } = place;
  const mayOrder = role === "owner" || role === "admin";
  const seesRouting = role !== "member";
  const counts = useQuery(overviewQuery(place)).data?.numbers;
  return (
    <>
      <PageBar title={sharedText.numbers} count={counts?.total.toLocaleString()}>
        <AsCode call={() => callsOf(search, seesRouting)} />
        {seesRouting && (
          <Link
            to="/o/$organisation/$environment/import"
            params={{ organisation, environment }}
            className={`${buttonClass("plain", "small")} max-md:hidden`}
          >
            <FileUp aria-hidden className="size-3.5" />
            {numbersText.import}
          </Link>
        )}
        {seesRouting && (
          <span className="max-md:hidden">
            <SaveButton
              label={sharedText.saveCsv}
              fileName={numbersText.csvFile}
              content={() => place.client.numbers.export({ ...filterOf(search), sort: search.sort })}
            />
          </span>
        )}
        {mayOrder && (
          <Link
            to="/o/$organisation/$environment/order"
            params={{ organisation, environment }}
            className={buttonClass("primary", "small")}
          >
            {sharedText.orderNumbers}
          </Link>
        )}
      </PageBar>
      <ViewTabs
        place={place}
        page="numbers"
        builtIn={viewsOf(counts, seesRouting)}
        current={queryStringOf(search)}
        isReady={isReady}
        onOpen={(query) => onShow(readNumbersSearch(PLAIN_SEARCH.parseSearch(query)))}
      />
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2 md:px-6">
        <NumbersFilters place={place} search={search} seesRouting={seesRouting} onChange={onShow} />
        <ColumnChooser
          hidden={hiddenOf(search)}
          onChange={(hidden) => onShow({ ...search, hidden: hidden.join(",") })}
          seesRouting={seesRouting}
        />
      </div>
    </>
  );
}

const TROUBLES = ["failed", "drifted", "unknown", "pending"] as const;

/** All numbers, and those that need attention. */
function viewsOf(counts: Overview["numbers"] | undefined, seesRouting: boolean): BuiltInView[] {
  const all = { name: numbersText.viewNames.all, query: "", count: counts?.total };
  if (!counts || !seesRouting) return [all];
  const troubles = TROUBLES.filter((sync) => counts[sync] > 0).map((sync) => ({
    name: numbersText.viewNames[sync],
    query: `sync=${sync}`,
    count: counts[sync],
  }));
  const unreachable = { name: numbersText.viewNames.unreachable, query: "health=down", count: undefined };
  const unrouted = { name: numbersText.viewNames.unrouted, query: "mode=unrouted", count: counts.unrouted };
  return [
    all,
    ...troubles,
    ...(counts.unreachable > 0 ? [unreachable] : []),
    ...(counts.unrouted > 0 ? [unrouted] : []),
  ];
}

function callsOf(search: NumbersSearch, seesRouting: boolean): ShownCall[] {
  const list: ShownCall = { operation: "listNumbers", query: queryOf(search) };
  return seesRouting ? [list, { operation: "exportNumbers", query: filterOf(search) }] : [list];
}

interface RowsProps {
  place: OpenPlace;
  list: ReturnType<typeof useNumbers>;
  search: NumbersSearch;
  hidden: readonly string[];
  onShow(search: NumbersSearch): void;
  selection: NumbersSelection | undefined;
  onSelect(selection: NumbersSelection): void;
}

function Rows({ place, list, search, hidden, onShow, selection, onSelect }: RowsProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const numbers = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const needMore = useCallback(() => {
    if (!isFetchingNextPage && !error) void fetchNextPage();
  }, [isFetchingNextPage, error, fetchNextPage]);
  if (list.isPending) return <RowSkeletons count={12} />;
  const again = (
    <Button size="small" onClick={() => void (data ? fetchNextPage() : list.refetch())}>
      {sharedText.retry}
    </Button>
  );
  if (!data)
    return (
      <div className="p-4">
        <FailureNotice error={error} action={again} />
      </div>
    );
  if (numbers.length === 0) return <NoNumbers place={place} search={search} onShow={onShow} />;
  return (
    <div className={`flex min-h-0 grow flex-col ${list.isPlaceholderData ? "opacity-60" : ""}`}>
      <p role="status" className="sr-only">
        {numbersText.shown(numbers.length, hasNextPage)}
      </p>
      <NumbersTable
        numbers={numbers}
        hidden={hidden}
        selection={selection}
        onSelect={onSelect}
        search={search}
        onSort={(sort) => onShow({ ...search, sort })}
        hasMore={hasNextPage}
        onNeedMore={needMore}
        end={
          error ? (
            <div className="p-4">
              <FailureNotice error={error} action={again} />
            </div>
          ) : isFetchingNextPage ? (
            <RowSkeletons count={3} />
          ) : null
        }
      />
    </div>
  );
}

function NoNumbers({ place, search, onShow }: Pick<RowsProps, "place" | "search" | "onShow">) {
  if (isFiltered(search))
    return (
      <EmptyState
        icon={SearchX}
        title={numbersText.noMatch}
        action={<Button onClick={() => onShow({})}>{sharedText.clearFilters}</Button>}
      >
        {numbersText.noMatchHint(place.name)}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={Hash}
      title={numbersText.none(place.environment)}
      action={
        <>
          <Link
            to="/o/$organisation/$environment/order"
            params={{ organisation: place.organisation, environment: place.environment }}
            className={buttonClass("primary")}
          >
            {sharedText.orderNumbers}
          </Link>
          {place.environment === "live" && (
            <Link
              to="/o/$organisation/$environment/numbers"
              params={{ organisation: place.organisation, environment: "test" }}
              className={buttonClass("plain")}
            >
              {numbersText.tryTest}
            </Link>
          )}
        </>
      }
    >
      {numbersText.noneHint}
    </EmptyState>
  );
}
