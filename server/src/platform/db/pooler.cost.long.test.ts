import { expect, inject, test } from "vitest";
import { startPooler } from "../../../testing/pooler.ts";
import { startService } from "../../../testing/service.ts";
import { seedNumbers } from "../../seed.ts";
import { loginOf as loginTo } from "./door-login.ts";
import { connect, type Database } from "./database.ts";
import type { StatementMode } from "./statement-name.ts";

const CLIENTS = 16;
const ROUNDS = 10;
const ROUND_MS = 1_000;

/** Does the same work over each kind of connection in turn, and prints the throughput as a ratio to the first kind. */
test("cost of the pooler and of statements without names", async () => {
  await using service = await startService();
  await using pooler = await startPooler(inject("clusterUrl"), { poolSize: 8 });
  const organisationId = await service.organisation();
  await seedNumbers(service.app, organisationId, "live", 100);
  const scope = { organisationId, environment: "live" as const };
  const open = (url: string, statements: StatementMode, count: number): Database =>
    connect({
      loginOf: (door) => loginTo(url, `dialplane_${door}`, [""]),
      statements,
      connections: { organisation: count, caller: 1, switch: 1, system: 1 },
      onError() {},
    });
  const { url } = service.database;
  const ways = [
    { name: "direct, named", db: open(url, "named", 8) },
    { name: "direct, unnamed", db: open(url, "unnamed", 8) },
    { name: `PgBouncer, ${pooler.statements}`, db: open(pooler.urlOf(url), pooler.statements, CLIENTS) },
  ];
  const text = "select id, e164, label from holdings where organisation_id = $1 order by id limit 20";
  const works: [string, (db: Database) => Promise<unknown>][] = [
    ["reads", (db) => db.forOrganisation.read(scope, text, [organisationId])],
    ["transactions", (db) => db.forOrganisation(scope, (tx) => tx.query(text, [organisationId]))],
  ];
  for (const [name, work] of works) {
    const counts = ways.map(() => [] as number[]);
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, { db }] of ways.entries()) counts[at]!.push(await countFor(() => work(db)));
    const ratios = counts.map((own) => median(own.map((count, round) => count / counts[0]![round]!)));
    for (const [at, way] of ways.entries())
      console.log(
        `${name.padEnd(13)} ${way.name.padEnd(20)} ${ratios[at]!.toFixed(2)} × (${median(counts[at]!) / (ROUND_MS / 1_000)} per second)`,
      );
    expect(Math.min(...ratios)).toBeGreaterThan(0);
  }
  await Promise.all(ways.map(({ db }) => db.close()));
});

async function countFor(work: () => Promise<unknown>): Promise<number> {
  const until = performance.now() + ROUND_MS;
  let done = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < until) {
        await work();
        done++;
      }
    }),
  );
  return done;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
