import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { callRecord, momentOf } from "../../../testing/call-record.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";
import { keepPartitions } from "./calls.records.ts";

const DAY_MS = 86_400_000;

let service: Service;
let operator: Person;
let own: TestSwitch;
let organisations: string[];
let numbers: { id: string; e164: string }[];
let records: Record<"first" | "second" | "unmatched" | "rejected" | "old", ReturnType<typeof callRecord>>;
beforeAll(async () => {
  service = await startService();
  operator = await service.person({});
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  organisations = [await service.organisation(), await service.organisation()];
  numbers = [];
  for (const id of organisations) numbers.push(...(await seedNumbers(service.app, id, "live", 1)));
  own = await makeSwitch(service);
  const at = Date.now() - 60_000;
  const [one, other] = numbers.map(({ id }) => id);
  const caller = "+442079460000";
  records = {
    first: callRecord({
      number_id: one!,
      caller,
      started_at: momentOf(at),
      asserted_caller: "+442079469999",
    }),
    // Nothing is routed yet, so no call can have a target.
    second: callRecord({ number_id: other!, caller, generation: 1, started_at: momentOf(at - 1_000) }),
    unmatched: callRecord({ called: "+4930999", caller: "+33100000001", started_at: momentOf(at - 2_000) }),
    rejected: callRecord({
      number_id: one!,
      started_at: momentOf(at - 3_000),
      ending: "refused",
      answered_at: null,
      code: 503,
      why: "draining",
    }),
    old: callRecord({ number_id: other!, started_at: momentOf(at - 120 * DAY_MS) }),
  };
  for (const [name, record] of Object.entries(records)) record.sip_call_id = `${name}@sip.example.com`;
  const { body } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(own.credential),
    body: { records: Object.values(records) },
  });
  expect(body.acknowledged).toHaveLength(5);
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, token = operator.token): Promise<Sent> =>
  service.send("GET", `/operator/v1/calls${path}`, { headers: bearer(token) });
const found = async (query: string): Promise<string[]> => {
  const { body } = await get(query);
  const ids = (body.data as { id: string }[]).map(({ id }) => id);
  return ids.map((id) => Object.entries(records).find(([, record]) => record.id === id)![0]);
};

test("lists calls of all organisations, and those that matched no number", async () => {
  expect(await found("")).toEqual(["first", "second", "unmatched", "rejected", "old"]);
  const { body } = await get("?limit=3");
  expect(body.data).toMatchObject([
    { organisation_id: organisations[0], e164: numbers[0]!.e164, environment: "live" },
    { organisation_id: organisations[1], number_id: numbers[1]!.id },
    { organisation_id: null, number_id: null, e164: null, called: "+4930999" },
  ]);
  expect(await found(`?limit=3&cursor=${body.next_cursor}`)).toEqual(["rejected", "old"]);
  expect(await found("?environment=test")).toEqual([]);
});

test.each([
  [() => "caller=%2B442079460000", ["first", "second"]],
  [() => `caller=%2B442079460000&organisation_id=${organisations[1]}`, ["second"]],
  [() => `called=${encodeURIComponent(numbers[1]!.e164)}`, ["second", "old"]],
  [() => "called=%2B4930999", ["unmatched"]],
  [() => `called=%2B4930999&organisation_id=${organisations[1]}`, []],
  [() => "called=%2B4930999&sip_call_id=none@sip.example.com", []],
  [() => "called=%2B4930999&sip_call_id=first@sip.example.com", []],
  [() => "sip_call_id=second@sip.example.com", ["second"]],
  [() => "sip_call_id=old@sip.example.com", []],
  [() => "q=unmatched@sip.example.com&unmatched=true", ["unmatched"]],
  [() => "q=%2B33100", ["unmatched"]],
  [() => `number_id=${numbers[0]!.id}`, ["first", "rejected"]],
  [() => `organisation_id=${organisations[0]}&unmatched=true`, []],
  [() => "unmatched=true", ["unmatched"]],
  [() => "result=not_served", ["rejected"]],
  [() => `switch=${encodeURIComponent("switch none")}`, []],
  [() => "misrouted=true", ["second"]],
])("finds calls by filter %#", async (query, expected) => {
  expect(await found(`?${query()}`)).toEqual(expected);
});

test("shows the asserted caller in one call only, and none after the retention period", async () => {
  expect((await get("?caller=%2B442079460000")).text).not.toContain("+442079469999");
  expect((await get(`/${records.first.id}`)).body).toMatchObject({
    organisation_id: organisations[0],
    asserted_caller: "+442079469999",
    misrouted: null,
  });
  expect((await get(`/${records.unmatched.id}`)).body).toMatchObject({
    organisation_id: null,
    destination: null,
  });
  expect((await get(`/${records.old.id}`)).body).toMatchObject({
    caller: null,
    called: null,
    sip_call_id: null,
  });
  expect(await get(`/${"0".repeat(32)}`)).toMatchObject({ status: 404, body: { code: "call_not_found" } });
});

test("rejects users without operator access", async () => {
  const owner = await service.person({ [organisations[0]!]: "owner" });
  for (const path of ["", `/${records.first.id}`])
    expect((await get(path, owner.token)).body).toMatchObject({ code: "operator_only" });
});

test("forgets Call-IDs with their calls", async () => {
  const days = (): Promise<{ day: string }[]> =>
    service.database.admin("select distinct day::text from call_ids order by 1");
  expect(await days()).not.toEqual([]);
  service.clock.advance((service.app.config.callPartiesDays + 2) * DAY_MS);
  await keepPartitions(service.app);
  expect(await days()).toEqual([]);
});
