/** Rows that a page of a filtered list scans at most, which bounds its cost. */
export const SCAN_BOUND = 4_000;

/** A row of a scan: whether the filters match it, and its place in the scan. */
export interface Scanned {
  is_match: boolean;
  place: number;
}

/**
 * Filters the first rows of an index scan. `scan` is a query in the order of the list, without a limit. The row at the
 * bound is returned in any case: the next page continues after it. Returns one match more than `limit`, if there is one.
 */
export function boundedScan(scan: string, matches: readonly string[], limit: number): string {
  const isMatch = matches.join(" and ") || "true";
  return `select r.*, (${isMatch}) as is_match
    from (select r.*, row_number() over ()::integer as place from (${scan} limit ${SCAN_BOUND}) r) r
    where (${isMatch}) or r.place = ${SCAN_BOUND} limit ${limit + 1}`;
}

/** Matches of a page, and the row after which the next page starts. Undefined on the last page. */
export function pageOfScan<Row extends Scanned>(
  rows: readonly Row[],
  limit: number,
): { matches: Row[]; last: Row | undefined } {
  const matches = rows.filter((row) => row.is_match);
  const isMore = matches.length > limit;
  return {
    matches: matches.slice(0, limit),
    last: isMore ? matches[limit - 1] : rows.find(({ place }) => place === SCAN_BOUND),
  };
}

/** Stores values for a statement and returns their placeholders. */
export function binder(...values: unknown[]): {
  values: unknown[];
  bind: (value: unknown, type: string) => string;
} {
  return { values, bind: (value, type) => `$${values.push(value)}::${type}` };
}

/** An index scan in the order of `id`, of all rows or of those with one value. */
export interface ScanKey {
  conditions: string[];
  order(way: "" | " desc"): string;
  /** Compares the position of a row. */
  compare(sign: string, id: string): string;
}

/**
 * The value is a range and part of the order, which only the index of its column has. So a generic plan, which does not
 * know the value, cannot pick an index that reads discarded rows.
 */
export function scanKey(id: string, of?: { column: string; value: string }): ScanKey {
  if (!of)
    return {
      conditions: [],
      order: (way) => `${id}${way}`,
      compare: (sign, position) => `${id} ${sign} ${position}`,
    };
  const { column, value } = of;
  return {
    conditions: [`${column} between ${value} and ${value}`],
    order: (way) => `${column}${way}, ${id}${way}`,
    compare: (sign, position) => `(${column}, ${id}) ${sign} (${value}, ${position})`,
  };
}
