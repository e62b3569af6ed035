import { expect, inject, test } from "vitest";
import { silenceCarrier } from "./testing/carrier-outage.ts";
import { expectNobodyHarmed } from "./testing/outage-checks.ts";
import { copyDatabase } from "../../../testing/test-database.ts";

test(
  "pauses a carrier that is silent for 12 seconds: reads continue, and every order ends, bought once",
  { timeout: 300_000 },
  async () => {
    await using database = await copyDatabase(inject("clusterUrl"));
    const report = await silenceCarrier(database, {
      sliceMs: 4_000,
      healthySlices: 1,
      silentSlices: 3,
      readsPerSecond: 50,
    });

    console.log(JSON.stringify(report));

    expectNobodyHarmed(report);
    expect(report.orders).toBeGreaterThan(40);
  },
);
