import type { PhoneNumber } from "@dialplane/sdk";
import { type ReactTable, type Row, useTable } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type KeyboardEvent, type ReactNode, use, useEffect, useMemo, useRef, useState } from "react";
import { columns, features, NARROW_COLUMNS, RowTabIndex, WIDTHS } from "./numbers-columns.tsx";
import type { NumbersSearch } from "./numbers-search.ts";
import { isSelected, NOTHING_SELECTED, type NumbersSelection, toggled } from "./numbers-selection.ts";
import { numbersText } from "./numbers-text.ts";
import { sharedText } from "../components/shared-text.ts";

const ROW_PX = 44;
/** Rows before the end at which the next page is requested. */
const AHEAD = 60;

interface NumbersTableProps {
  numbers: PhoneNumber[];
  /** Columns that are not shown. */
  hidden: readonly string[];
  search: NumbersSearch;
  onSort(sort: NonNullable<NumbersSearch["sort"]>): void;
  hasMore: boolean;
  onNeedMore(): void;
  /** `undefined` if the user cannot change numbers. */
  selection?: NumbersSelection | undefined;
  onSelect(selection: NumbersSelection): void;
  /** Loading state or error below the last row. */
  end: ReactNode;
}

/** Virtual list: renders only the visible rows. */
export function NumbersTable(props: NumbersTableProps) {
  const { numbers, hidden, search, hasMore, onNeedMore, end, selection } = props;
  const { scroller, items, height, stop, visit } = useRowsInSight(numbers.length, search);
  const table = useTable({
    features,
    columns,
    // Visible rows only: rebuilding 100,000 rows per fetched page is slow.
    data: items.map(({ index }) => numbers[index]!),
    getRowId: ({ id }) => id,
    state: { columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])) },
  });
  const { rows } = table.getRowModel();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= numbers.length - AHEAD) onNeedMore();
  }, [hasMore, last, numbers.length, onNeedMore]);
  const widths = table
    .getAllLeafColumns()
    .filter((column) => column.getIsVisible())
    .map(({ id }) => WIDTHS[id]);
  const template = [...(selection ? ["1.5rem"] : []), ...widths].join(" ");
  return (
    <div
      ref={scroller}
      role="table"
      aria-label={sharedText.numbers}
      aria-rowcount={hasMore ? -1 : numbers.length + 1}
      tabIndex={0}
      className="min-h-0 grow scroll-pt-9 overflow-auto -outline-offset-2"
    >
      <HeaderRow {...props} table={table} template={template} />
      <div role="rowgroup" className="relative md:min-w-256" style={{ height }} onKeyDown={moveBetweenRows}>
        {items.map(({ index, start }, at) => (
          <RowTabIndex key={rows[at]!.id} value={index === stop ? 0 : -1}>
            <NumberRow
              {...props}
              {...{ table, template, index, start }}
              row={rows[at]!}
              onVisit={() => visit(index)}
            />
          </RowTabIndex>
        ))}
      </div>
      {end}
    </div>
  );
}

function useRowsInSight(count: number, search: NumbersSearch) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  useEffect(() => {
    scroller.current?.scrollTo(0, 0); // another list is read from its beginning
  }, [search]);
  const items = virtual.getVirtualItems();
  const [visited, visit] = useState(0);
  /** Row that Tab enters: the last focused one, or the first visible one. */
  const stop = items.some(({ index }) => index === visited) ? visited : virtual.range?.startIndex;
  return { scroller, items, height: virtual.getTotalSize(), stop, visit };
}

/** Tab enters one row and leaves the list. Arrow keys move between rows. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (event.target as Element).closest("[role=row]");
  if (!step || !row) return;
  event.preventDefault();
  const other = event.currentTarget.querySelector(
    `[aria-rowindex="${Number(row.getAttribute("aria-rowindex")) + step}"]`,
  );
  if (!other) return;
  const controls = controlsOf(other);
  (controls[controlsOf(row).indexOf(event.target as HTMLElement)] ?? controls.at(-1))?.focus();
}

function controlsOf(row: Element): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>("input, a, button")];
}

type NumberRowProps = Pick<NumbersTableProps, "numbers" | "selection" | "onSelect"> & {
  table: ReactTable<typeof features, PhoneNumber>;
  row: Row<typeof features, PhoneNumber>;
  template: string;
  index: number;
  /** Offset from the top, in pixels. */
  start: number;
  onVisit(): void;
};

function NumberRow(props: NumberRowProps) {
  const { table, row, template, index, start, numbers, selection, onSelect, onVisit } = props;
  const isOn = selection !== undefined && isSelected(selection, row.id);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      onFocus={onVisit}
      data-selected={isOn ? "" : undefined}
      className={`${rowClass(!!selection)} group absolute inset-x-0 h-11 hover:bg-hover data-selected:bg-accent-soft`}
      style={{ transform: `translateY(${start}px)`, ["--columns" as string]: template }}
    >
      {selection && (
        <div role="cell">
          <Tick
            label={numbersText.select(row.original.e164)}
            isOn={isOn}
            onToggle={() => onSelect(toggled(selection, row.id, numbers))}
          />
        </div>
      )}
      {row.getVisibleCells().map((cell) => (
        <div key={cell.id} role="cell" className={cellClass(cell.column.id)}>
          <table.FlexRender cell={cell} />
        </div>
      ))}
    </div>
  );
}

function rowClass(isSelectable: boolean): string {
  const narrow = isSelectable ? "grid-cols-[auto_1fr_auto]" : "grid-cols-[1fr_auto]";
  return `grid items-center gap-x-4 border-b border-line px-4 md:grid-cols-(--columns) ${narrow}`;
}

function Tick({
  label,
  isOn,
  isPartly = false,
  onToggle,
}: {
  label: string;
  isOn: boolean;
  isPartly?: boolean;
  onToggle(): void;
}) {
  return (
    <label className="-m-1.5 grid size-7 cursor-pointer place-items-center">
      <input
        type="checkbox"
        tabIndex={use(RowTabIndex)}
        aria-label={label}
        checked={isOn}
        ref={(box) => {
          if (box) box.indeterminate = isPartly;
        }}
        onChange={onToggle}
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  );
}

type HeaderRowProps = Pick<NumbersTableProps, "numbers" | "search" | "onSort" | "selection" | "onSelect"> & {
  table: ReactTable<typeof features, PhoneNumber>;
  template: string;
};

function HeaderRow({ table, template, numbers, search, onSort, selection, onSelect }: HeaderRowProps) {
  const { sort } = search;
  const count = useMemo(
    () => (selection ? numbers.filter(({ id }) => isSelected(selection, id)).length : 0),
    [numbers, selection],
  );
  const isAll = count === numbers.length;
  const ticksAll = (): NumbersSelection => ({ kind: "ticked", ids: new Set(numbers.map(({ id }) => id)) });
  return (
    <div role="rowgroup" className="sticky top-0 z-10 bg-surface md:min-w-256">
      <div
        role="row"
        aria-rowindex={1}
        className={`${rowClass(!!selection)} h-9 text-xs font-medium text-muted`}
        style={{ ["--columns" as string]: template }}
      >
        {selection && (
          <div role="columnheader">
            <Tick
              label={numbersText.selectShown}
              isOn={isAll}
              isPartly={count > 0 && !isAll}
              onToggle={() => onSelect(isAll ? NOTHING_SELECTED : ticksAll())}
            />
          </div>
        )}
        {table.getHeaderGroups()[0]!.headers.map((header) => {
          const field = SORTABLE[header.column.id];
          return (
            <div
              key={header.id}
              role="columnheader"
              aria-sort={field ? ariaSort(field, sort) : undefined}
              className={cellClass(header.column.id)}
            >
              {field ? (
                <SortButton field={field} sort={sort} onSort={onSort}>
                  <table.FlexRender header={header} />
                </SortButton>
              ) : (
                <table.FlexRender header={header} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

type SortField = "e164" | "acquired_at";
const SORTABLE: Record<string, SortField> = { number: "e164", acquired: "acquired_at" };
/** Default order of the service. */
const USUAL_SORT = "acquired_at";

function SortButton({
  field,
  sort = USUAL_SORT,
  onSort,
  children,
}: Pick<HeaderRowProps, "onSort"> & { field: SortField; sort: NumbersSearch["sort"]; children: ReactNode }) {
  const next = sort === field ? (`-${field}` as const) : field;
  return (
    <button
      type="button"
      onClick={() => onSort(next)}
      className="inline-flex h-7 items-center gap-1 rounded hover:text-ink"
    >
      {children}
      {sort === field && <ArrowUp aria-hidden className="size-3.5" />}
      {sort === `-${field}` && <ArrowDown aria-hidden className="size-3.5" />}
    </button>
  );
}

function ariaSort(field: SortField, sort = USUAL_SORT): "ascending" | "descending" | "none" {
  return sort === field ? "ascending" : sort === `-${field}` ? "descending" : "none";
}

function cellClass(id: string): string {
  return `flex min-w-0 items-center ${NARROW_COLUMNS.includes(id) ? "" : "max-md:hidden"}`;
}
