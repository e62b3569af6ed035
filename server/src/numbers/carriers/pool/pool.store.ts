import type { Tx } from "../../../platform/db/database.ts";

export interface StockRow {
  e164: string;
  country: string | null;
  type: string;
  capabilities: string[];
}

/** The stock of one side. Live numbers have one owner; each test environment has the fictional ones to itself. */
export interface StockSide {
  environment: string;
  /** Null in the live environment. */
  testSideOf: string | null;
}

/** $1 environment, $2 whose test environment. */
const NOT_HELD = `not exists (select from holdings h where h.number_id = n.id and h.environment = n.environment and h.e164 = n.e164
  and h.status <> 'released' and ($2::uuid is null or h.organisation_id = $2))`;

export interface StockFilter {
  country: string | null;
  type: string | null;
  contains: string | null;
  prefix: string | null;
  after: string | null;
}

/** Reads only free numbers of the live stock, through an index on country and type. */
export async function listFreeNumbers(
  tx: Tx,
  { environment, testSideOf }: StockSide,
  filter: StockFilter,
  { limit, now }: { limit: number; now: Date },
): Promise<StockRow[]> {
  const values: unknown[] = [environment, testSideOf, now, limit];
  const where = (condition: string, value: string | null): string =>
    value === null ? "" : ` and ${condition.replace("?", `$${values.push(value)}`)}`;
  return tx.query<StockRow>(
    `select n.e164, n.country, n.type, n.capabilities from numbers n
     where n.environment = $1 and n.is_free${where("n.country = ?", filter.country)}${where("n.type = ?", filter.type)}
       ${where("n.e164 > ?", filter.after)}${where("n.e164 like '%' || ? || '%'", filter.contains)}
       ${where("n.e164 like '+' || ? || '%'", filter.prefix)}
       and ($2::uuid is null or ${NOT_HELD})
       and not exists (select from stock_reservations r where r.number_id = n.id and r.test_side_of is not distinct from $2
         and r.reserved_until > $3)
     order by n.e164 limit $4`,
    values,
  );
}

/**
 * Reserves free numbers and returns those it got. It locks in order of the numbers, so that concurrent reservations
 * cannot deadlock.
 */
export async function insertStockReservations(
  tx: Tx,
  { environment, testSideOf }: StockSide,
  wanted: { reference: string; e164s: readonly string[]; until: Date },
  now: Date,
): Promise<string[]> {
  const taken = await tx.query<{ e164: string }>(
    `with taken as (
       insert into stock_reservations (number_id, test_side_of, reference, reserved_until)
       select n.id, $2, $3, $4 from numbers n where n.environment = $1 and n.is_stock and n.e164 = any($5::text[]) and ${NOT_HELD} order by n.e164
       on conflict (number_id, test_side_of) do update set reference = excluded.reference, reserved_until = excluded.reserved_until
         where stock_reservations.reserved_until <= $6
       returning number_id)
     select n.e164 from taken join numbers n on n.id = taken.number_id`,
    [environment, testSideOf, wanted.reference, wanted.until, wanted.e164s, now],
  );
  return taken.map(({ e164 }) => e164);
}

export async function deleteStockReservations(tx: Tx, reference: string): Promise<void> {
  await tx.query("delete from stock_reservations where reference = $1", [reference]);
}
