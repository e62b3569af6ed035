import type { PhoneNumber } from "@dialplane/sdk";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type KeyboardEvent, type ReactNode, use, useEffect, useMemo, useRef, useState } from "react";
import {
  COLUMNS,
  NARROW_COLUMNS,
  NUMBER_COLUMN,
  RIGHT_COLUMNS,
  WIDE_COLUMNS,
  type NumbersColumn,
  RowTabIndex,
} from "./numbers-columns.tsx";
import { density } from "../components/density.ts";
import { useMedia } from "../components/use-media.ts";
import type { NumbersSearch } from "./numbers-search.ts";
import { isSelected, NOTHING_SELECTED, type NumbersSelection, toggled } from "./numbers-selection.ts";
import { numbersText } from "./numbers-text.ts";
import { sharedText } from "../components/shared-text.ts";

const ROW_PX = { comfortable: 40, compact: 32 };
/** On narrow screens a second line has label and destination. */
const NARROW_ROW_PX = 60;
const NARROW = "(width < 48rem)";
/** Wide enough for all columns. */
const WIDE = "(width >= 80rem)";
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
  const isWide = useMedia(WIDE);
  const shown = COLUMNS.filter(({ id }) => !hidden.includes(id) && (isWide || !WIDE_COLUMNS.includes(id)));
  const columns = [NUMBER_COLUMN, ...shown];
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= numbers.length - AHEAD) onNeedMore();
  }, [hasMore, last, numbers.length, onNeedMore]);
  const widths = columns.map(({ width }) => width);
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
      <HeaderRow {...props} columns={columns} template={template} />
      <div role="rowgroup" className="relative md:min-w-190" style={{ height }} onKeyDown={moveBetweenRows}>
        {items.map(({ index, start }) => (
          <RowTabIndex key={numbers[index]!.id} value={index === stop ? 0 : -1}>
            <NumberRow
              {...props}
              {...{ columns, template, index, start }}
              number={numbers[index]!}
              onVisit={() => visit(index)}
            />
          </RowTabIndex>
        ))}
      </div>
      {end}
    </div>
  );
}

function useRowPx(): number {
  const wide = ROW_PX[density.use()];
  return useMedia(NARROW) ? NARROW_ROW_PX : wide;
}

function useRowsInSight(count: number, search: NumbersSearch) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowPx = useRowPx();
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  useEffect(() => virtual.measure(), [virtual, rowPx]);
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
  columns: readonly NumbersColumn[];
  number: PhoneNumber;
  template: string;
  index: number;
  /** Offset from the top, in pixels. */
  start: number;
  onVisit(): void;
};

function NumberRow(props: NumberRowProps) {
  const { columns, number, template, index, start, numbers, selection, onSelect, onVisit } = props;
  const isOn = selection !== undefined && isSelected(selection, number.id);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      onFocus={onVisit}
      data-selected={isOn ? "" : undefined}
      className={`${rowClass(!!selection)} group absolute inset-x-0 h-15 hover:bg-hover md:h-10 md:in-data-[density=compact]:h-8 data-selected:bg-accent-soft`}
      style={{ transform: `translateY(${start}px)`, ["--columns" as string]: template }}
    >
      {selection && (
        <div role="cell">
          <Tick
            label={numbersText.select(number.e164)}
            isOn={isOn}
            onToggle={() => onSelect(toggled(selection, number.id, numbers))}
          />
        </div>
      )}
      {columns.map(({ id, cell }) => (
        <div key={id} role="cell" className={cellClass(id)}>
          {cell(number)}
        </div>
      ))}
    </div>
  );
}

function rowClass(isSelectable: boolean): string {
  const narrow = isSelectable ? "grid-cols-[auto_1fr_auto]" : "grid-cols-[1fr_auto]";
  return `grid items-center gap-x-4 border-b border-line px-4 md:grid-cols-(--columns) md:px-6 ${narrow}`;
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
  columns: readonly NumbersColumn[];
  template: string;
};

function HeaderRow({ columns, template, numbers, search, onSort, selection, onSelect }: HeaderRowProps) {
  const { sort } = search;
  const count = useMemo(
    () => (selection ? numbers.filter(({ id }) => isSelected(selection, id)).length : 0),
    [numbers, selection],
  );
  const isAll = count === numbers.length;
  const ticksAll = (): NumbersSelection => ({ kind: "ticked", ids: new Set(numbers.map(({ id }) => id)) });
  return (
    <div role="rowgroup" className="sticky top-0 z-10 bg-surface md:min-w-190">
      <div
        role="row"
        aria-rowindex={1}
        className={`${rowClass(!!selection)} h-9 text-xs font-medium text-ink-2`}
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
        {columns.map(({ id, header }) => {
          const field = SORTABLE[id];
          return (
            <div
              key={id}
              role="columnheader"
              aria-sort={field ? ariaSort(field, sort) : undefined}
              className={cellClass(id)}
            >
              {field ? (
                <SortButton field={field} sort={sort} onSort={onSort}>
                  {header}
                </SortButton>
              ) : (
                header
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
  const side = RIGHT_COLUMNS.includes(id) ? "justify-end" : "";
  return `flex min-w-0 items-center ${side} ${NARROW_COLUMNS.includes(id) ? "" : "max-md:hidden"}`;
}
