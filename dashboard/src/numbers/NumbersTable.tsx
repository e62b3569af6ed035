import type { PhoneNumber } from "../../../sdk/src/index.ts";
import { type ReactTable, useTable } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { columns, features, NARROW_COLUMNS, WIDTHS } from "./numbers-columns.tsx";
import type { NumbersSearch } from "./numbers-search.ts";

const ROW_PX = 44;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 60;

interface NumbersTableProps {
  numbers: PhoneNumber[];
  /** Columns that are not shown. */
  hidden: readonly string[];
  sort: NumbersSearch["sort"];
  onSort(sort: NonNullable<NumbersSearch["sort"]>): void;
  hasMore: boolean;
  onNeedMore(): void;
  /** Below the last row: what is being fetched, or why it could not be. */
  end: ReactNode;
}

/** However many numbers there are, only the rows in sight are in the page. */
export function NumbersTable({ numbers, hidden, sort, onSort, hasMore, onNeedMore, end }: NumbersTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const table = useTable({
    features,
    columns,
    data: numbers,
    getRowId: ({ id }) => id,
    state: { columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])) },
  });
  const { rows } = table.getRowModel();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (at) => rows[at]!.id,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - AHEAD) onNeedMore();
  }, [hasMore, last, rows.length, onNeedMore]);
  const template = table
    .getAllLeafColumns()
    .filter((column) => column.getIsVisible())
    .map(({ id }) => WIDTHS[id])
    .join(" ");
  return (
    <div
      ref={scroller}
      role="table"
      aria-label="Numbers"
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      tabIndex={0}
      className="min-h-0 grow overflow-auto -outline-offset-2"
    >
      <HeaderRow table={table} template={template} sort={sort} onSort={onSort} />
      <div role="rowgroup" className="relative md:min-w-256" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <div
            key={rows[index]!.id}
            role="row"
            aria-rowindex={index + 2}
            className="group absolute inset-x-0 grid h-11 grid-cols-[1fr_auto] items-center gap-x-4 border-b border-line px-4 hover:bg-hover md:grid-cols-(--columns)"
            style={{ transform: `translateY(${start}px)`, ["--columns" as string]: template }}
          >
            {rows[index]!.getVisibleCells().map((cell) => (
              <div key={cell.id} role="cell" className={cellClass(cell.column.id)}>
                <table.FlexRender cell={cell} />
              </div>
            ))}
          </div>
        ))}
      </div>
      {end}
    </div>
  );
}

interface HeaderRowProps {
  table: ReactTable<typeof features, PhoneNumber>;
  template: string;
  sort: NumbersSearch["sort"];
  onSort: NumbersTableProps["onSort"];
}

function HeaderRow({ table, template, sort, onSort }: HeaderRowProps) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 bg-surface md:min-w-256">
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-9 grid-cols-[1fr_auto] items-center gap-x-4 border-b border-line px-4 text-xs font-medium text-muted md:grid-cols-(--columns)"
        style={{ ["--columns" as string]: template }}
      >
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
/** The service's own order, where the address names none. */
const USUAL_SORT = "acquired_at";

function SortButton({
  field,
  sort = USUAL_SORT,
  onSort,
  children,
}: Pick<HeaderRowProps, "sort" | "onSort"> & { field: SortField; children: ReactNode }) {
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
