import type { Tx } from "../../platform/db/database.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import type { CallStanding } from "./calls.standings.schema.ts";

/** The row of the switch first: two reports of one switch take turns, and each is whole. */
export async function setStanding(
  tx: Tx,
  who: SwitchCaller,
  { settled_through, open, max_call_seconds, clock_offset_ms, is_disk_full = false }: CallStanding,
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into call_standings (switch_id, settled_through, max_call_seconds, clock_offset_ms, is_disk_full, reported_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (switch_id) do update set settled_through = excluded.settled_through, max_call_seconds = excluded.max_call_seconds,
       clock_offset_ms = excluded.clock_offset_ms, is_disk_full = excluded.is_disk_full, reported_at = excluded.reported_at`,
    [who.switchId, settled_through, max_call_seconds, clock_offset_ms, is_disk_full, at],
  );
  const ids = open.map(({ number_id: id }) => id);
  await tx.query("delete from open_calls where switch_id = $1 and holding_id <> all ($2::uuid[])", [
    who.switchId,
    ids,
  ]);
  if (open.length === 0) return;
  await tx.query(
    `insert into open_calls as o (switch_id, holding_id, organisation_id, environment, oldest_began_at)
     select $1, h.holding_id, h.organisation_id, h.environment, min(n.began_at)
     from unnest($2::uuid[], $3::timestamptz[]) as n (number_id, began_at)
     join holders_of_calls($2::uuid[]) h on h.holding_id = n.number_id
     group by h.holding_id, h.organisation_id, h.environment
     on conflict (switch_id, holding_id) do update set oldest_began_at = excluded.oldest_began_at
     where o.oldest_began_at <> excluded.oldest_began_at`,
    [who.switchId, ids, open.map(({ oldest_began_at: began }) => began)],
  );
}
