import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import { callRecord, momentOf } from "../../../testing/call-record.ts";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";

let service: Service;
let organisationId: string;
let owner: Person;
let numbers: string[];
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  numbers = (await seedNumbers(service.app, organisationId, "live", 4)).map(({ id }) => id);
});
afterAll(() => service[Symbol.asyncDispose]());

const look = (query: string, person = owner, headers = {}): Promise<Sent> =>
  service.send("GET", `/v1/numbers/live?${query}`, { headers: { ...bearer(person.token), ...headers } });

describe("ids", () => {
  test("accepts IDs separated by commas or repeated, in any spelling, and returns each once in order", async () => {
    const [a, b, c] = numbers as [string, string, string];
    const stranger = newId();
    const { status, body } = await look(`ids=${c},${a.toUpperCase()}&ids=${stranger}&ids=${a},${b},${c}`);
    expect(status).toBe(200);
    expect(body.data.map((one: { number_id: string }) => one.number_id)).toEqual([c, a, b]);
    expect(body.missing).toEqual([stranger]);
  });

  test("are 1 to 200, counted as sent", async () => {
    const [a] = numbers as [string];
    const many = (count: number): string => Array.from({ length: count }, () => a).join(",");
    expect((await look(`ids=${many(200)}`)).body.data).toHaveLength(1);
    for (const query of [`ids=${many(201)}`, `ids=${many(100)}&ids=${many(101)}`, "ids=", ""])
      expect(await look(query)).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ parameter: "ids" }] },
      });
  });

  test.each(["42", "not-a-uuid", "%20", "{a},", ",{a}", "{a},,{a}"])(
    "rejects invalid ones: %s",
    async (text) => {
      expect(await look(`ids=${text.replaceAll("{a}", numbers[0]!)}`)).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ parameter: "ids" }] },
      });
    },
  );

  test("of another organisation, of the other environment and unknown ones are all missing", async () => {
    const elsewhere = await service.organisation("Other Ltd");
    const [foreign] = await seedNumbers(service.app, elsewhere, "live", 1);
    const [own] = await seedNumbers(service.app, organisationId, "test", 1);
    const asked = [foreign!.id, own!.id, newId()];
    expect((await look(`ids=${asked.join()}`)).body).toMatchObject({ data: [], missing: asked });
    const onTest = await look(`ids=${own!.id}`, owner, { "x-service-environment": "test" });
    expect(onTest.body).toMatchObject({ data: [{ number_id: own!.id }], missing: [] });
  });
});

test("a key cannot look, whatever its scope", async () => {
  const key = await service.key(owner, organisationId, ["full"]);
  expect(
    await service.send("GET", `/v1/numbers/live?ids=${numbers[0]!}`, { headers: bearer(key.secret) }),
  ).toMatchObject({ status: 403, body: { code: "caller_kind_not_allowed" } });
});

test("what is shown is what all switches that are not retired say together, and how long ago the most silent one did", async () => {
  const [a, b] = numbers as [string, string];
  const [one, two] = [await LiveSwitch.add(service), await LiveSwitch.add(service)];
  const shown = async (): Promise<unknown[]> => (await look(`ids=${a},${b}`)).body.data;
  expect(await shown()).toMatchObject([{ active_calls: 0, last_call_at: null, observed_at: null }, {}]);

  await one.tell({ [a]: 2 });
  expect(await shown()).toMatchObject([{ active_calls: 2, calls_last_minute: 2, observed_at: null }, {}]);
  await two.tell({ [a]: 1, [b]: 5 });
  const observedAt = async (): Promise<string> =>
    (
      await service.database.admin<{ at: Date }>("select min(observed_at) as at from live_reports")
    )[0]!.at.toISOString();
  expect(await shown()).toMatchObject([
    { active_calls: 3, calls_last_minute: 3, switch_online: true, observed_at: await observedAt() },
    { active_calls: 5, calls_last_minute: 5 },
  ]);

  await service.database.admin("update switches set last_seen_at = now() - interval '1 hour' where id = $1", [
    two.own.id,
  ]);
  await service.database.admin(
    "update live_reports set observed_at = observed_at - interval '61 seconds' where switch_id = $1",
    [two.own.id],
  );
  expect(await shown()).toMatchObject([
    { active_calls: 3, calls_last_minute: 2, switch_online: false, observed_at: await observedAt() },
    { active_calls: 5, calls_last_minute: 0 },
  ]);

  await service.database.admin("update switches set state = 'retired' where id = $1", [two.own.id]);
  await one.tell({ [a]: 0 });
  expect(await shown()).toMatchObject([
    { active_calls: 0, calls_last_minute: 0, switch_online: true },
    { active_calls: 0 },
  ]);
});

test("the last call is the newest there was, up or over; of a number given up, none that came later", async () => {
  const { id } = (await seedNumbers(service.app, organisationId, "live", 1))[0]!;
  const reporter = await LiveSwitch.add(service);
  const past = momentOf(Date.now() - 3 * 3_600_000, 0);
  const { status } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(reporter.own.credential),
    body: {
      records: [
        callRecord({ number_id: id, started_at: past, answered_at: null, ended_at: past, ending: "refused" }),
      ],
    },
  });
  expect(status).toBe(200);
  const lastAt = async (): Promise<string> => (await look(`ids=${id}`)).body.data[0].last_call_at;
  expect(await lastAt()).toBe(new Date(past).toISOString());
  await reporter.tell({ [id]: 1 });
  expect(Date.now() - Date.parse(await lastAt())).toBeLessThan(60_000);

  await service.database.admin(
    "update holdings set status = 'released', released_at = now() - interval '1 hour' where id = $1",
    [id],
  );
  expect((await look(`ids=${id}`)).body.data).toMatchObject([
    { active_calls: 1, calls_last_minute: 0, last_call_at: new Date(past).toISOString() },
  ]);
});

test("shows a new holder no calls of the former one", async () => {
  const before = (await seedNumbers(service.app, organisationId, "live", ["+493099990001"]))[0]!.id;
  const reporter = await LiveSwitch.add(service);
  await reporter.tell({ [before]: 7 });
  await service.database.admin("update holdings set status = 'released', released_at = now() where id = $1", [
    before,
  ]);
  const heir = await service.organisation("Heir Ltd");
  const person = await service.person({ [heir]: "owner" });
  const after = (await seedNumbers(service.app, heir, "live", ["+493099990001"]))[0]!.id;

  expect((await look(`ids=${before},${after}`, person)).body).toMatchObject({
    data: [{ number_id: after, active_calls: 0, calls_last_minute: 0, last_call_at: null }],
    missing: [before],
  });
  expect((await look(`ids=${before},${after}`)).body).toMatchObject({
    data: [{ number_id: before, active_calls: 7 }],
    missing: [after],
  });
});

test("shows the mode that the switch holds, also after a rejection, and none to a plain member", async () => {
  await using working = await startService({ worker: true });
  const organisation = await working.organisation();
  const [boss, plain] = [
    await working.person({ [organisation]: "developer" }),
    await working.person({ [organisation]: "member" }),
  ];
  const test = { "x-service-environment": "test" };
  const find = async (digits: string): Promise<string> =>
    (await working.send("GET", `/v1/numbers?q=${digits}`, { headers: { ...bearer(boss.token), ...test } }))
      .body.data[0].id;
  const [fine, refusing] = [await find("2025550100"), await find("2025550102")];
  for (const id of [fine, refusing])
    await working.send("PUT", `/v1/numbers/${id}/routing`, {
      headers: { ...bearer(boss.token), ...test, "idempotency-key": newId() },
      body: { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" },
    });
  const modes = async ({ token }: Person): Promise<unknown[]> =>
    (
      await working.send("GET", `/v1/numbers/live?ids=${fine},${refusing}`, {
        headers: { ...bearer(token), ...test },
      })
    ).body.data.map((one: { applied_mode: string }) => one.applied_mode);
  await until(async () => (await modes(boss)).join() === "sip_uri,unrouted");
  expect(await modes(plain)).toEqual([null, null]);
});
