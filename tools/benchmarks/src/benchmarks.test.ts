import { expect, test } from "vitest";
import { type Ratio, ratiosOf } from "./bench-report.ts";
import { type Cost, LEG_NAMES, type Round, rotated } from "./cost-of-a-request.ts";
import type { Leg } from "./leg.ts";
import type { Throughput } from "./order-throughput.ts";
import { bench } from "./testing/bench.ts";
import { withPart } from "./results-document.ts";

test("every leg of a short run is measured, and every ratio comes out", { timeout: 180_000 }, async () => {
  const size = ["--rounds", "1", "--seconds", "0.2", "--people", "200", "--numbers", "2000"];
  const { rounds, ratios, statements } = await bench<Cost & { ratios: Ratio[] }>("requests", size);

  expect(rounds).toHaveLength(1);
  for (const name of LEG_NAMES) {
    const leg = rounds[0]![name];
    expect(leg.operations, name).toBeGreaterThan(0);
    expect(
      [leg.perSecond, leg.p50Ms, leg.p99Ms].every((figure) => figure > 0),
      name,
    ).toBe(true);
  }
  expect(ratios.map(({ what }) => what)).toEqual([
    "session ÷ pgbench",
    "key ÷ bare route",
    "list ÷ pgbench",
    "read routing ÷ pgbench",
    "set routing ÷ pgbench",
  ]);
  for (const ratio of ratios)
    expect(Number.isFinite(ratio.median) && ratio.median > 0, ratio.what).toBe(true);
  // Seen on the wire between API and PostgreSQL: had they not been found, pgbench would have had nothing to send.
  expect(statements.list[1]).toMatch(/^select .* holdings h where /s);
  expect(statements.read[1]).toMatch(/^select .*routing_record\(.* from routings/s);
  expect(statements.set[1]).toMatch(/^select \* from set_routing_once\(/);
});

test(
  "a backlog of orders is worked off without a pause, and in few transactions",
  { timeout: 180_000 },
  async () => {
    const { orders } = await bench<{ orders: Throughput & { ratios: Ratio[] } }>("orders", [
      "--rounds",
      "1",
      "--orders",
      "120",
    ]);

    const [round] = orders.rounds;
    // If the worker waits for the next poll of the queue after each batch, it is 5.
    expect(round!.orders.perSecond).toBeGreaterThan(10);
    expect(round!.orders.jobs).toBeGreaterThan(60);
    // Started, claimed, bought, recorded and held, each in its own transaction, and read once.
    expect(orders.bare.transactions).toEqual({ writing: 5, reading: 1 });
    expect(orders.anatomy.statements).toBeLessThan(30);
    // Eight batches of five; a batch that waits for its slowest is not refilled.
    expect(orders.bare.atOnce).toBeGreaterThan(10);
    expect(orders.bare.atOnce).toBeLessThanOrEqual(40);
    expect(orders.ratios.map(({ what }) => what)).toEqual([
      "orders ÷ bare loop",
      "orders ÷ loop with as many transactions",
    ]);
    const [besideBare, besideAlike] = orders.ratios.map((ratio) => ratio.median);
    expect(besideBare).toBeGreaterThan(0);
    expect(besideAlike).toBeGreaterThan(besideBare!);
  },
);

test("one part of the results is written without touching the others", () => {
  const [requests, old, usage] = [
    "# Cost of a request\n\nfigures\n",
    "# Orders\n\nold\n",
    "# Usage\n\nso much\n",
  ];
  const fresh = "# Orders\n\nnew\n";

  expect(withPart(requests, fresh)).toBe(`${requests}\n${fresh}`);
  expect(withPart(`${requests}\n${old}\n${usage}`, fresh)).toBe(`${requests}\n${fresh}\n${usage}`);
});

test("computes ratios within a round, and reports their median", () => {
  const leg = (perSecond: number): Leg => ({
    operations: 1,
    perSecond,
    p50Ms: 1,
    p99Ms: 1,
    mostMs: 1,
    cpu: { server: 1, postgres: 1, client: 1 },
  });
  const others = Object.fromEntries(LEG_NAMES.map((name) => [name, leg(1)])) as Round;
  const rounds = [20, 50, 30].map((session) => ({
    ...others,
    session: leg(session),
    session_sql: leg(100),
  }));

  expect(ratiosOf(rounds)[0]).toMatchObject({
    perRound: [0.2, 0.5, 0.3],
    median: 0.3,
    least: 0.2,
    most: 0.5,
  });
});

test("every leg comes first once in as many rounds as there are legs", () => {
  const firsts = [...LEG_NAMES, "once more"].map((_, round) => rotated(LEG_NAMES, round)[0]);
  expect(firsts).toEqual([...LEG_NAMES, "session"]);
});
