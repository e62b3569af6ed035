import { expect, test } from "vitest";
import type { Tx } from "../../platform/db/database.ts";
import { seedNumbers } from "../../seed.ts";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import { startService } from "../../../testing/service.ts";
import { visitsOf } from "../../../testing/visits.ts";
import { keyOf, LiveCache } from "./live.cache.ts";
import { type AskedNumber, listWatched } from "./live.store.ts";

const WATCHED = 10_000;
const CHANGED = 100;
/** Numbers with calls. */
const BUSY = 1_000;
const ROUNDS = 9;

interface Cost {
  /** Rows and index entries that the database reads. */
  visits: number;
  /** Values that the database returns. */
  values: number;
  /** Processor time of this thread. */
  cpuMs: number;
}

async function costOf(tx: Tx, work: (tx: Tx) => Promise<unknown>): Promise<Cost> {
  let [values, cpuMs] = [0, 0];
  const query: Tx["query"] = async <Row>(text: string, given?: unknown[]) => {
    const rows = await tx.query<Row>(text, given);
    values += rows.length * Object.keys(rows[0] ?? {}).length;
    return rows;
  };
  const visits = await visitsOf(
    (text) => tx.query(text),
    async () => {
      const began = process.threadCpuUsage();
      await work({ ...tx, query });
      const { user, system } = process.threadCpuUsage(began);
      cpuMs = (user + system) / 1000;
    },
  );
  return { visits, values, cpuMs };
}

/** Each cost of looks as a share of that of readings. Other programs only add to a cost, so the smallest counts. */
function sharesOf(looks: readonly Cost[], readings: readonly Cost[]): Cost {
  const least = (costs: readonly Cost[], of: keyof Cost): number =>
    Math.min(...costs.map((cost) => cost[of]));
  const share = (of: keyof Cost): number => least(looks, of) / least(readings, of);
  return { visits: share("visits"), values: share("values"), cpuMs: share("cpuMs") };
}

test("a look at 10,000 numbers of which 100 changed costs at most 5 % of reading all, and finds the same", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const seeded = await seedNumbers(service.app, organisationId, "live", WATCHED);
  const reporter = await LiveSwitch.add(service);
  await reporter.confirmAll();
  const asked = new Map(
    seeded.map(({ id }): [string, AskedNumber] => [
      keyOf(organisationId, "live", id),
      { organisationId, environment: "live", id },
    ]),
  );
  const cache = new LiveCache();
  const look = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    service.app.db.forSystem("live", work);
  await reporter.tell(Object.fromEntries(seeded.slice(-BUSY).map(({ id }) => [id, 1])));
  // With statistics of all tables from the beginning, plans stay the same.
  await service.database.admin("vacuum (analyze)");
  expect((await look((tx) => cache.refresh(tx, asked))).size).toBe(WATCHED);

  const looks: Cost[] = [];
  const readings: Cost[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const changing = seeded.slice(round * CHANGED, (round + 1) * CHANGED).map(({ id }) => id);
    await reporter.tell(Object.fromEntries(changing.map((id) => [id, round])));
    let changed = new Set<string>();
    looks.push(
      await look((tx) => costOf(tx, async (counted) => void (changed = await cache.refresh(counted, asked)))),
    );
    expect(changed.size).toBe(CHANGED);
    let rows: Awaited<ReturnType<typeof listWatched>> = [];
    readings.push(
      await look((tx) =>
        costOf(tx, async (counted) => void (rows = await listWatched(counted, [...asked.values()]))),
      ),
    );
    expect(rows.map((row) => cache.get(keyOf(organisationId, "live", row.number_id)))).toEqual(rows);
  }
  const shares = sharesOf(looks, readings);
  console.log(`a look as a share of reading all: ${JSON.stringify(shares)}`);
  expect(shares.visits).toBeLessThanOrEqual(0.05);
  expect(shares.values).toBeLessThanOrEqual(0.05);
}, 120_000);
