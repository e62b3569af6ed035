import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { raceForNumbers } from "./testing/order-race.ts";
import { bearer, startService } from "../../../testing/service.ts";

const ROUNDS = 200;
const NUMBERS = 50;
const ORGANISATIONS = 100;

test(
  "sells each of 50 numbers to one of 100 organisations in 200 rounds, and reports it as not available to the others",
  { timeout: 7_200_000 },
  async () => {
    await using service = await startService({ worker: true, settings: { DATABASE_CONNECTIONS: "20" } });
    const tokens: string[] = [];
    for (let made = 0; made < ORGANISATIONS; made++)
      tokens.push((await service.person({ [await service.organisation()]: "owner" })).token);
    const start = performance.now();
    for (let round = 0; round < ROUNDS; round++) {
      const report = await raceForNumbers(service, tokens, NUMBERS);
      expect(report.winners).toEqual(Array.from({ length: NUMBERS }, () => 1));
      expect(report.losses).toEqual(new Set(["failed number_not_available The number is not available."]));
      expect(report.strays).toEqual([]);
    }
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`${ROUNDS} rounds of ${ORGANISATIONS} orders for ${NUMBERS} numbers in ${seconds} s`);
  },
);

test("500 requests at once with one key, for 50 keys: one order each", async () => {
  await using service = await startService({ settings: { DATABASE_CONNECTIONS: "20" } });
  const { token } = await service.person({ [await service.organisation()]: "owner" });
  for (let round = 0; round < 50; round++) {
    const request = {
      headers: { ...bearer(token), "idempotency-key": newId() },
      body: { criteria: { country: "GB" }, quantity: 1 },
    };
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => service.send("POST", "/v1/numbers/orders", request)),
    );
    const placed = answers.filter(({ status }) => status === 202);
    expect(new Set(placed.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => ![202, 409, 503].includes(status))).toEqual([]);
  }
  expect(await service.database.admin("select from orders")).toHaveLength(50);
});
