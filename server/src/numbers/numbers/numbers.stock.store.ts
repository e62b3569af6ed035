import type { Environment, Tx } from "../../platform/db/database.ts";

/** Result of adding a number. A number of another organisation is only `not_available`. */
export type AddOutcome = "added" | "already_held" | "not_available";

export interface AddedHolding {
  /** ID of the organisation's holding, new or existing. */
  id: string | null;
  e164: string;
  outcome: AddOutcome;
}

export interface HoldingsToInsert {
  organisationId: string;
  environment: Environment;
  group: string | null;
  source: "order" | "import";
  orderId: string | null;
  carrier: string | null;
  author: Record<string, unknown>;
  rows: readonly Record<string, unknown>[];
  at: Date;
}

/** For the system's door: the stock belongs to no organisation. */
export async function insertHoldings(tx: Tx, given: HoldingsToInsert): Promise<AddedHolding[]> {
  return tx.query<AddedHolding>(
    `select holding_id as id, number as e164, outcome from add_holdings($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      given.organisationId,
      given.environment,
      given.group,
      given.source,
      given.orderId,
      given.carrier,
      given.author,
      JSON.stringify(given.rows),
      given.at,
    ],
  );
}

export async function findLiveGroup(tx: Tx, name: string): Promise<boolean> {
  const found = await tx.query("select from switch_groups where environment = 'live' and name = $1", [name]);
  return found.length === 1;
}

/** In which shard of the live environment each number lies or would lie. */
export async function listShards(
  tx: Tx,
  group: string | undefined,
  numbers: readonly string[],
): Promise<{ e164: string; shard: number }[]> {
  return tx.query<{ e164: string; shard: number }>(
    `select w.e164, coalesce(n.shard, place_among(g.shards, w.e164)) as shard
     from unnest($2::text[]) w(e164)
     cross join (
       select array_agg(s.id order by s.id) as shards from switch_groups g join feed_shards s on s.group_id = g.id
       where g.environment = 'live' and case when $1::text is null then g.is_default else g.name = $1 end
     ) g
     left join lateral (select shard from numbers where environment = 'live' and e164 = w.e164 limit 1) n on true`,
    [group ?? null, numbers],
  );
}

/** Adds numbers to the stock of the live environment and returns those that were new. */
export async function insertStock(
  tx: Tx,
  group: string | undefined,
  rows: readonly { id: string; e164: string; country: string | null; type: string }[],
  now: Date,
): Promise<string[]> {
  const inserted = await tx.query<{ e164: string }>(
    `insert into numbers (id, environment, e164, country, type, group_id, shard, created_at)
     select w.id, 'live', w.e164, w.country, w.type, g.id, place_among(g.shards, w.e164), $3
     from json_to_recordset($2) w(id uuid, e164 text, country text, type text)
     cross join (
       select s.group_id as id, array_agg(s.id order by s.id) as shards from switch_groups g join feed_shards s on s.group_id = g.id
       where g.environment = 'live' and case when $1::text is null then g.is_default else g.name = $1 end group by 1
     ) g
     order by w.e164
     on conflict (environment, e164) do update set is_stock = true, is_free = not exists (
         select from holdings h where h.number_id = numbers.id and h.environment = 'live' and h.status <> 'released')
       where not numbers.is_stock
     returning e164`,
    [group ?? null, JSON.stringify(rows), now],
  );
  return inserted.map(({ e164 }) => e164);
}
