import type { ReactNode } from "react";

export interface DataColumn<Row> {
  title: string;
  cell(row: Row): ReactNode;
  isRight?: boolean;
  /** The cell names the row. */
  isHeader?: boolean;
  /** Of header and cells. */
  className?: string | undefined;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** `stacked`: on narrow screens, a row is a grid of two columns, whose order the cells set. */
  layout?: "boxed" | "stacked";
}

const LAYOUTS = {
  boxed: {
    table: "w-full text-left",
    head: "text-xs text-ink-3",
    th: "px-4 py-2 font-medium whitespace-nowrap",
    body: "divide-y divide-line border-t border-line",
    row: "align-top",
    cell: "px-4 py-(--row-y)",
  },
  stacked: {
    table: "w-full border-b border-line text-sm",
    head: "border-b border-line text-left text-xs text-ink-2 max-lg:sr-only",
    th: "px-2 py-2 font-medium whitespace-nowrap first:pl-4 last:pr-4 lg:first:pl-6 lg:last:pr-6",
    body: "divide-y divide-line",
    row: "relative hover:bg-hover max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:px-4 max-lg:py-(--row-y)",
    cell: "lg:px-2 lg:py-(--row-y) lg:first:pl-6 lg:last:pr-6",
  },
};

const RIGHT = "text-right whitespace-nowrap tabular-nums";

/** Rows of one kind. The density of the user sets their height. */
export function DataTable<Row>({ label, columns, rows, keyOf, layout = "boxed" }: DataTableProps<Row>) {
  const look = LAYOUTS[layout];
  const classOf = ({ isRight, className = "" }: DataColumn<Row>, own: string): string =>
    `${own} ${isRight ? RIGHT : ""} ${className}`;
  const table = (
    <table className={look.table}>
      <caption className="sr-only">{label}</caption>
      <thead className={look.head}>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" className={classOf(column, look.th)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={look.body}>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={look.row}>
            {columns.map((column) =>
              column.isHeader ? (
                <th key={column.title} scope="row" className={`${classOf(column, look.cell)} font-medium`}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.title} className={classOf(column, look.cell)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (layout === "stacked") return table;
  return (
    <div
      className="overflow-x-auto rounded-lg border border-line"
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      {table}
    </div>
  );
}
