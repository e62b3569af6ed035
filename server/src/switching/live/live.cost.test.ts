import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Tx } from "../../platform/db/database.ts";
import { seedNumbers } from "../../seed.ts";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import { startService } from "../../../testing/service.ts";
import { keyOf, LiveCache } from "./live.cache.ts";
import { type AskedNumber, listWatched } from "./live.store.ts";

const WATCHED = 10_000;
const CHANGED = 100;
const ROUNDS = 5;

/** Processor time of the work, in this process and in PostgreSQL's, in milliseconds. */
async function cpuOf(tx: Tx, work: () => Promise<unknown>): Promise<number> {
  const [backend] = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
  const backendMs = async (): Promise<number> =>
    Number((await readFile(`/proc/${backend!.pid}/schedstat`, "utf8")).split(" ")[0]) / 1e6;
  const [beganMs, began] = [await backendMs(), process.cpuUsage()];
  await work();
  const own = process.cpuUsage(began);
  return (await backendMs()) - beganMs + (own.user + own.system) / 1000;
}

test("a look at 10,000 numbers of which 100 changed costs at most 5 % of reading all, and finds the same", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const seeded = await seedNumbers(service.app, organisationId, "live", WATCHED);
  const reporter = await LiveSwitch.add(service);
  await reporter.confirmAll();
  await service.database.admin("vacuum (analyze)");
  const asked = new Map(
    seeded.map(({ id }): [string, AskedNumber] => [
      keyOf(organisationId, "live", id),
      { organisationId, environment: "live", id },
    ]),
  );
  const cache = new LiveCache();
  const look = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    service.app.db.forSystem("live", work);
  await reporter.tell({ [seeded[0]!.id]: 1 });
  expect((await look((tx) => cache.refresh(tx, asked))).size).toBe(WATCHED);

  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const changing = seeded.slice(round * CHANGED, (round + 1) * CHANGED).map(({ id }) => id);
    await reporter.tell(Object.fromEntries(changing.map((id) => [id, round])));
    let changed = new Set<string>();
    const cpuMs = await look((tx) => cpuOf(tx, async () => void (changed = await cache.refresh(tx, asked))));
    expect(changed.size).toBe(CHANGED);
    const [allMs, rows] = await look(async (tx) => {
      let all: Awaited<ReturnType<typeof listWatched>> = [];
      const ms = await cpuOf(tx, async () => void (all = await listWatched(tx, [...asked.values()])));
      return [ms, all] as const;
    });
    expect(rows.map((row) => cache.get(keyOf(organisationId, "live", row.number_id)))).toEqual(rows);
    ratios.push(cpuMs / allMs);
    console.log(`look ${cpuMs.toFixed(1)} ms, all ${allMs.toFixed(1)} ms: ${(cpuMs / allMs).toFixed(3)}`);
  }
  expect(ratios.toSorted((one, other) => one - other)[ROUNDS >> 1]).toBeLessThanOrEqual(0.05);
}, 120_000);
