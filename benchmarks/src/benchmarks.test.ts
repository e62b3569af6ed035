import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Ratio, ratiosOf } from "./bench-report.ts";
import { type Cost, LEG_NAMES, rotated } from "./cost-of-a-request.ts";
import type { Leg } from "./leg.ts";

const PROGRAM = fileURLToPath(new URL("./benchmarks.ts", import.meta.url));

test("every leg of a short run is measured, and both ratios come out", { timeout: 120_000 }, async () => {
  const run = ["--rounds", "1", "--seconds", "0.5", "--people", "200", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...run]);
  const { rounds, ratios } = JSON.parse(stdout) as Cost & { ratios: Ratio[] };

  expect(rounds).toHaveLength(1);
  for (const name of LEG_NAMES) {
    const leg = rounds[0]![name];
    expect(leg.operations, name).toBeGreaterThan(0);
    expect(
      [leg.perSecond, leg.p50Ms, leg.p99Ms].every((figure) => figure > 0),
      name,
    ).toBe(true);
  }
  expect(ratios.map(({ what }) => what)).toEqual(["session ÷ pgbench", "key ÷ bare route"]);
  for (const ratio of ratios)
    expect(Number.isFinite(ratio.median) && ratio.median > 0, ratio.what).toBe(true);
});

test("a ratio is made within a round, and the median of the ratios is told", () => {
  const leg = (perSecond: number): Leg => ({
    operations: 1,
    perSecond,
    p50Ms: 1,
    p99Ms: 1,
    cpu: { server: 1, postgres: 1, client: 1 },
  });
  const rounds = [20, 50, 30].map((session) => ({
    session: leg(session),
    pgbench: leg(100),
    key: leg(1),
    bare: leg(2),
  }));

  expect(ratiosOf(rounds)[0]).toMatchObject({
    perRound: [0.2, 0.5, 0.3],
    median: 0.3,
    least: 0.2,
    most: 0.5,
  });
});

test("every leg comes first once in as many rounds as there are legs", () => {
  expect([0, 1, 2, 3, 4].map((round) => rotated(LEG_NAMES, round)[0])).toEqual([...LEG_NAMES, "session"]);
});
