import { expect, test } from "vitest";
import { dayOf } from "../allowance.ts";
import { SimulatedForwarding } from "./simulated-forwarding.ts";

const ORGANISATION = "01a1f03b-65e5-7076-b8a0-dbe8079d8e42";
const AT = Date.UTC(2026, 10, 18, 12);
const limits = { callsAtOnce: null, calls: null, seconds: null };

async function limited(some: Partial<typeof limits> | Record<string, number>): Promise<SimulatedForwarding> {
  const forwarding = new SimulatedForwarding();
  const allowance = { organisationId: ORGANISATION, version: 1, caller: "pass", identity: "keep" as const };
  await forwarding.setAllowances([{ ...allowance, ...limits, ...some }]);
  return forwarding;
}

test("rejects the first call above each limit, and none of another organisation", async () => {
  const atOnce = await limited({ callsAtOnce: 1 });
  expect(atOnce.begin(ORGANISATION, AT)).toBeUndefined();
  expect(atOnce.begin(ORGANISATION, AT)).toBe("organisation_full");
  expect(atOnce.begin("another", AT)).toBeUndefined();
  atOnce.end(ORGANISATION, AT, 5);
  expect(atOnce.begin(ORGANISATION, AT)).toBeUndefined();

  const perDay = await limited({ calls: 2 });
  for (const rejection of [undefined, undefined, "organisation_calls"])
    expect(perDay.begin(ORGANISATION, AT)).toBe(rejection);

  const seconds = await limited({ seconds: 60 });
  expect(seconds.begin(ORGANISATION, AT)).toBeUndefined();
  seconds.end(ORGANISATION, AT, 60);
  expect(seconds.begin(ORGANISATION, AT)).toBe("organisation_minutes");
});

test("starts every day from zero, with the calls that are still in progress", async () => {
  const forwarding = await limited({ callsAtOnce: 2, calls: 1 });
  forwarding.begin(ORGANISATION, AT);
  const tomorrow = AT + 86_400_000;
  expect(await forwarding.readUsed(dayOf(tomorrow), [ORGANISATION])).toMatchObject([
    { calls: 0, seconds: 0, callsNow: 1 },
  ]);
  expect(forwarding.begin(ORGANISATION, tomorrow)).toBeUndefined();
});

test("keeps the higher of its count and the count in the records", async () => {
  const forwarding = await limited({ calls: 5 });
  const use = { organisationId: ORGANISATION, day: dayOf(AT), calls: 4, seconds: 9 };
  await forwarding.raiseUsed([use]);
  await forwarding.raiseUsed([{ ...use, calls: 2, seconds: 12 }]);
  expect(await forwarding.readUsed(use.day, [ORGANISATION])).toMatchObject([{ calls: 4, seconds: 12 }]);
});
