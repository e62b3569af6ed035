import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";
import { dayOf } from "./forwarding.rules.ts";
import type { ForwardingAllowances, ForwardingReport } from "./forwarding.schema.ts";

let service: Service;
let operator: Person;
let organisationId: string;
let switches: TestSwitch[] = [];
beforeAll(async () => {
  service = await startService();
  operator = await service.person({});
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
});
beforeEach(async () => {
  await service.database.admin("update switches set state = 'retired' where id = any ($1)", [
    switches.map(({ id }) => id),
  ]);
  switches = [await makeSwitch(service), await makeSwitch(service)].toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  );
  await setFeatures(["failover", "forwarding"]);
  organisationId = await service.organisation();
});
afterAll(() => service[Symbol.asyncDispose]());

const setFeatures = (features: string[]): Promise<unknown> =>
  service.database.admin("update switches set features = $1", [features]);
const path = (id = organisationId): string => `/operator/v1/organisations/${id}/forwarding`;
const get = (): Promise<Sent> => service.send("GET", path(), { headers: bearer(operator.token) });
const set = (body: object, id = organisationId): Promise<Sent> =>
  service.send("PUT", path(id), { headers: browser(operator.cookie), body });

type Use = Partial<Record<"calls" | "seconds" | "calls_at_once" | "day", number>>;
async function sync(of: TestSwitch, held: number, ...used: Use[]): Promise<ForwardingAllowances> {
  const use: ForwardingReport["use"] = used.map((rest) => ({
    organisation_id: organisationId,
    day: dayOf(new Date()),
    calls: 0,
    seconds: 0,
    calls_at_once: 0,
    ...rest,
  }));
  const { status, body } = await service.send("PUT", "/switch/v1/forwarding", {
    headers: bearer(of.credential),
    body: { held_version: held, use },
  });
  expect(status).toBe(200);
  const { allowances, ...rest } = body as ForwardingAllowances;
  return { ...rest, allowances: allowances.filter((one) => one.organisation_id === organisationId) };
}
/** Confirms everything that it receives, and returns what it then holds. */
async function settle(of: TestSwitch, ...used: Use[]): Promise<ForwardingAllowances["allowances"][number]> {
  let held = (await sync(of, 0, ...used)).version;
  for (let next = await sync(of, held); next.version > held; next = await sync(of, held)) held = next.version;
  const [allowance] = (await sync(of, 0)).allowances;
  await sync(of, held);
  return allowance!;
}

const DEFAULTS = {
  calls_at_once: null,
  calls_per_day: null,
  minutes_per_day: null,
  caller: "pass",
  caller_number: null,
  identity: "keep",
};

describe("the operator", () => {
  test("sets limits, which replace all earlier ones, and finds both in the audit log", async () => {
    expect((await get()).body).toMatchObject({ ...DEFAULTS, updated_at: null });
    const first = await set({ calls_at_once: 5, minutes_per_day: 0 });
    expect(first).toMatchObject({ status: 200, body: { calls_at_once: 5, minutes_per_day: 0 } });
    const second = await set({ caller: "fixed", caller_number: "+493010000001" });
    expect(second.body).toMatchObject({
      ...DEFAULTS,
      caller: "fixed",
      caller_number: "+493010000001",
      identity: "drop",
    });
    expect((await get()).body).toEqual(second.body);
    const owner = await service.person({ [organisationId]: "owner" });
    const audit = await service.send("GET", "/v1/audit?action=organisation.forwarding_changed", {
      headers: bearer(owner.token),
    });
    expect(audit.body.data).toMatchObject([
      { before: { calls_at_once: 5 }, after: { caller: "fixed" }, actor: { kind: "operator" } },
      { before: DEFAULTS, after: { calls_at_once: 5, minutes_per_day: 0 } },
    ]);
  });

  test("changes nothing by repeating a request", async () => {
    const { body } = await set({ calls_per_day: 7 });
    expect((await set({ calls_per_day: 7 })).body).toEqual(body);
    const [{ generation } = {}] = await service.database.admin<{ generation: string }>(
      "select generation from forwarding_policies where organisation_id = $1",
      [organisationId],
    );
    expect(generation).toBe("1");
  });

  test.each([
    [{ caller: "fixed" }, "#/caller_number"],
    [{ caller: "called", caller_number: "+493010000001" }, "#/caller_number"],
    [{ caller: "called", identity: "keep" }, "#/identity"],
    [{ calls_at_once: -1 }, "#/calls_at_once"],
    [{ caller: "fixed", caller_number: "030 1000" }, "#/caller_number"],
  ])("cannot set %j", async (body, pointer) => {
    expect(await set(body)).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ pointer }] },
    });
  });

  test("cannot set limits that a switch would ignore", async () => {
    await setFeatures(["failover"]);
    expect(await set({ calls_at_once: 5 })).toMatchObject({
      status: 409,
      body: { code: "switches_outdated" },
    });
    expect((await set({})).status).toBe(200);
  });

  test("gets 404 for an organisation that does not exist", async () => {
    expect((await set({}, newId())).body.code).toBe("organisation_not_found");
    expect((await service.send("GET", path(newId()), { headers: bearer(operator.token) })).body.code).toBe(
      "organisation_not_found",
    );
  });
});

describe("switches", () => {
  test("divide a limit, and the operator sees when each has applied its part", async () => {
    await set({ calls_at_once: 5, calls_per_day: 100, minutes_per_day: 10, caller: "called" });
    const [one, other] = switches as [TestSwitch, TestSwitch];
    const first = await sync(one, 0);
    expect(first).toMatchObject({
      is_complete: true,
      allowances: [{ calls_at_once: 3, calls: 50, seconds: 300, caller: "called", identity: "drop" }],
    });
    expect((await get()).body.switches).toMatchObject([{ status: "pending" }, { status: "pending" }]);
    expect(await sync(one, first.version)).toMatchObject({ is_complete: false, allowances: [] });
    expect(await settle(other)).toMatchObject({ calls_at_once: 2, calls: 50, seconds: 300 });
    const { body } = await get();
    expect(body.switches).toHaveLength(2);
    for (const shown of body.switches) expect(shown.status).toBe("applied");
  });

  test("without contact keep their part, and the others never get it", async () => {
    await set({ minutes_per_day: 10 });
    const [busy, silent] = switches as [TestSwitch, TestSwitch];
    expect((await settle(busy)).seconds).toBe(300);
    expect((await settle(silent)).seconds).toBe(300);
    for (const seconds of [100, 200, 300]) expect((await settle(busy, { seconds })).seconds).toBe(300);
    // Back, it returns what it has not used.
    expect((await settle(silent)).seconds).toBe(75);
    expect((await settle(busy)).seconds).toBe(525);
    expect((await get()).body.used).toEqual({ calls_at_once: 0, calls: 0, seconds: 300 });
  });

  test("keep the sum within the limit, whatever is confirmed late", async () => {
    await set({ calls_per_day: 100 });
    const [one, other] = switches as [TestSwitch, TestSwitch];
    await settle(one);
    await settle(other);
    const held = (await sync(one, 0)).version;
    // It gets a smaller part, but does not confirm it.
    await sync(other, (await sync(other, 0)).version, { calls: 50 });
    const lower = await sync(one, held);
    expect(lower.allowances).toMatchObject([{ calls: 12 }]);
    expect((await settle(other)).calls).toBe(50);
    await sync(one, lower.version);
    expect((await settle(other)).calls).toBe(88);
  });

  test("start a new day with nothing used", async () => {
    await set({ minutes_per_day: 10 });
    const [one] = switches as [TestSwitch];
    const yesterday = dayOf(new Date()) - 1;
    await settle(one, { seconds: 250, day: yesterday });
    expect((await get()).body.used.seconds).toBe(0);
  });

  test("get everything again if they hold versions that the database does not have", async () => {
    await set({ calls_at_once: 2 });
    const [one] = switches as [TestSwitch];
    await settle(one);
    expect(await sync(one, 999)).toMatchObject({ is_complete: true, allowances: [{ calls_at_once: 1 }] });
  });

  test("divide among those that are not retired", async () => {
    await set({ calls_per_day: 100 });
    const [one, other] = switches as [TestSwitch, TestSwitch];
    await settle(one);
    await settle(other);
    await service.database.admin("update switches set state = 'retired' where id = $1", [other.id]);
    expect((await settle(one, { calls: 10 })).calls).toBe(100);
  });
});
