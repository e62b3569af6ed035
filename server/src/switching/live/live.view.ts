import type { Role } from "../../platform/http/access.ts";
import type { LiveNumber, LiveNumbers } from "./live.schema.ts";
import type { LiveRow } from "./live.store.ts";

interface Viewer {
  ids: readonly string[];
  role: Role | null;
  at: Date;
}

/** In the order in which they were requested. `rows` are the viewer's own. */
export function liveNumbersOf(rows: readonly LiveRow[], { ids, role, at }: Viewer): LiveNumbers {
  const found = new Map(rows.map((row) => [row.number_id, row]));
  return {
    as_of: at.toISOString(),
    data: ids.flatMap((id) => {
      const row = found.get(id);
      return row ? [liveNumberOf(row, role)] : [];
    }),
    missing: ids.filter((id) => !found.has(id)),
  };
}

/** A plain member sees nothing of routing. */
function liveNumberOf(row: LiveRow, role: Role | null): LiveNumber {
  return {
    number_id: row.number_id,
    active_calls: row.active_calls,
    calls_last_minute: row.calls_last_minute,
    last_call_at: row.last_call_at?.toISOString() ?? null,
    applied_mode: role === "member" ? null : (row.applied_mode as LiveNumber["applied_mode"]),
    switch_online: row.switch_online,
    observed_at: row.observed_at?.toISOString() ?? null,
  };
}
