import { until } from "../sip/until.ts";
import type { Installation } from "./installation.ts";
import { countOf } from "./route-load.ts";

const CONVERGENCE_MS = 180_000;

export interface Evidence {
  /** Acknowledged writes that the database does not have. */
  lost: number;
  /** Writes that the database has more than once. */
  repeated: number;
  /** Seconds until both switches had every write that was acknowledged before; undefined if they never did. */
  convergedAfter: number | undefined;
}

/** Compares what was acknowledged until now with the history in the database, and with the memory of both switches. */
export async function collectEvidence(installation: Installation): Promise<Evidence> {
  const acknowledged = new Map(
    installation.routes.numbers.map(({ e164, acknowledged: count }) => [e164, count]),
  );
  const began = performance.now();
  const hasConverged = await until(
    "both switches to have what was acknowledged",
    () => haveAll(installation, acknowledged),
    CONVERGENCE_MS,
  ).catch(() => false);
  const convergedAfter = hasConverged ? (performance.now() - began) / 1000 : undefined;
  return { ...(await compareHistory(installation, acknowledged)), convergedAfter };
}

async function haveAll({ edges }: Installation, acknowledged: Map<string, number>): Promise<boolean> {
  for (const edge of edges)
    for (const [e164, count] of acknowledged)
      if (countOf(await edge.routeOf(e164).catch(() => undefined)) < count) return false;
  return true;
}

/** Every write has a revision. A number's writes are counted from 1, so a missing count is a lost write. */
async function compareHistory(
  { database }: Installation,
  acknowledged: Map<string, number>,
): Promise<Pick<Evidence, "lost" | "repeated">> {
  const rows = await database.query<{ e164: string; desired: string; counts: number[] }>(
    `select r.e164, r.sip_uri as desired,
       array_agg((regexp_match(v.desired->>'sip_uri', 'sip:w(\\d+)@'))[1]::int) as counts
     from routings r join routing_revisions v using (holding_id)
     where v.desired->>'sip_uri' is not null group by 1, 2`,
  );
  const found = new Map(rows.map((row) => [row.e164, row]));
  let [lost, repeated] = [0, 0];
  for (const [e164, count] of acknowledged) {
    const { desired, counts = [] } = found.get(e164) ?? {};
    const kept = new Set(counts);
    repeated += counts.length - kept.size;
    for (let write = 1; write <= count; write += 1) if (!kept.has(write)) lost += 1;
    // An older route in force loses the newer one, whatever the history says.
    if (kept.has(count) && countOf(desired) < count) lost += 1;
  }
  return { lost, repeated };
}
