import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { callRecord, momentOf } from "../../../testing/call-record.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { exceptionOf, sendReport, shardReport } from "../../../testing/switch-reports.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { createSwitch } from "../../switching/switches/switches.ts";
import type { NumberRecord } from "./numbers.schema.ts";

const OLD = "sip:old@pbx.example.com";
const NEW = "sip:new@pbx.example.com";
const HOURS = 3_600_000;

let service: Service;
let organisation: string;
let owner: Person;
let a: string;
let b: string;
beforeAll(async () => {
  service = await startService();
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
  await until(() => service.app.feed.epoch());
  [a, b] = [await newSwitch("a"), await newSwitch("b")];
});
afterAll(() => service[Symbol.asyncDispose]());

async function newSwitch(name: string): Promise<string> {
  return (await createSwitch(service.app, systemAuthor("test"), { name })).credential;
}

async function newNumber(): Promise<string> {
  return (await seedNumbers(service.app, organisation, "live", 1))[0]!.id;
}

async function route(id: string, body: object): Promise<void> {
  const headers = { ...bearer(owner.token), "idempotency-key": randomUUID() };
  const { status, text } = await service.send("PUT", `/v1/numbers/${id}/routing`, { headers, body });
  expect(status, text).toBe(200);
}

/** Everything read back, except for the given numbers. */
async function readBack(by: string, exceptions: Record<string, Parameters<typeof exceptionOf>[2]> = {}) {
  const heads = await service.database.admin<{ id: number; head: string }>(
    "select s.id, s.head from feed_shards s join switch_groups g on g.id = s.group_id where g.environment = 'live' and g.is_default",
  );
  const excepted = await service.database.admin<{ id: string; shard: number; version: string }>(
    "select holding_id as id, shard, version from routings where holding_id = any ($1)",
    [Object.keys(exceptions)],
  );
  const shards = heads.map(({ id, head }) =>
    shardReport(
      id,
      Number(head),
      excepted
        .filter(({ shard }) => shard === id)
        .map((one) => exceptionOf(one.id, Number(one.version), exceptions[one.id])),
    ),
  );
  const { status, text } = await sendReport(service, by, { shards });
  expect(status, text).toBe(204);
}

async function numberOf(id: string): Promise<NumberRecord> {
  return (await service.send("GET", `/v1/numbers/${id}`, { headers: bearer(owner.token) })).body;
}
const routingOf = async (id: string) => (await numberOf(id)).routing!;

async function listed(query: string): Promise<string[]> {
  const { status, body, text } = await service.send("GET", `/v1/numbers?${query}`, {
    headers: bearer(owner.token),
  });
  expect(status, text).toBe(200);
  return body.data.map(({ id }: NumberRecord) => id);
}

const held = (uri: string) => ({
  generation: 2,
  value: { e164: "+4930901820", mode: "sip_uri" as const, sip_uri: uri },
});

test("names the switches that are behind, and what they hold, until all have read back the change", async () => {
  const id = await newNumber();
  await route(id, { mode: "sip_uri", sip_uri: OLD });
  await Promise.all([readBack(a), readBack(b)]);
  expect(await routingOf(id)).toMatchObject({
    status: "in_sync",
    switches: 2,
    switches_behind: [],
    applied_destination: null,
  });

  await route(id, { mode: "sip_uri", sip_uri: NEW });
  expect(await routingOf(id)).toMatchObject({
    status: "pending",
    destination: { mode: "sip_uri", sip_uri: NEW, steps: 1 },
    applied_destination: { mode: "sip_uri", sip_uri: OLD, steps: 1 },
    switches_behind: [
      { switch: "a", state: "pending" },
      { switch: "b", state: "pending" },
    ],
  });

  await readBack(a);
  expect(await routingOf(id)).toMatchObject({
    status: "pending",
    applied_destination: { sip_uri: OLD },
    switches: 2,
    switches_behind: [{ switch: "b", state: "pending" }],
  });
  await readBack(b);
  expect(await routingOf(id)).toMatchObject({
    status: "in_sync",
    switches_behind: [],
    applied_destination: null,
  });
});

test("names the switch that failed or drifted, and null if switches hold different destinations", async () => {
  const id = await newNumber();
  await route(id, { mode: "sip_uri", sip_uri: NEW });
  const drifted = (uri: string) => ({ state: "drifted" as const, applied: held(uri), error: "Drifted." });
  await Promise.all([readBack(a), readBack(b, { [id]: drifted(OLD) })]);
  expect(await routingOf(id)).toMatchObject({
    status: "drifted",
    applied_destination: { sip_uri: OLD },
    switches_behind: [{ switch: "b", state: "drifted" }],
  });
  await readBack(a, { [id]: drifted("sip:other@pbx.example.com") });
  expect(await routingOf(id)).toMatchObject({ applied_destination: null, switches: 2 });
  await Promise.all([readBack(a), readBack(b, { [id]: { state: "failed", error: "500 refused" } })]);
  expect(await routingOf(id)).toMatchObject({
    status: "failed",
    switches_behind: [{ switch: "b", state: "failed" }],
  });
  await readBack(b);
});

test("shows no routing to members", async () => {
  const id = await newNumber();
  const member = await service.person({ [organisation]: "member" });
  const { body } = await service.send("GET", `/v1/numbers/${id}`, { headers: bearer(member.token) });
  expect(body).toMatchObject({ routing: null, calls_24h: 0 });
  const filtered = await service.send("GET", "/v1/numbers?health=down", { headers: bearer(member.token) });
  expect([filtered.status, filtered.body.code]).toEqual([403, "role_not_allowed"]);
});

test("counts the calls of the last 24 hours, by the full hour", async () => {
  const id = await newNumber();
  const hour = Math.floor(Date.now() / HOURS) * HOURS;
  const records = [hour, hour - 23 * HOURS, hour - 23 * HOURS - 1].map((at) =>
    callRecord({
      number_id: id,
      started_at: momentOf(at),
      answered_at: momentOf(at + 1),
      ended_at: momentOf(at + 2),
    }),
  );
  const { body } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(a),
    body: { records },
  });
  expect(body.acknowledged).toHaveLength(3);
  expect(await numberOf(id)).toMatchObject({ calls_24h: 2 });
});

test("shows and filters the health of connections, from the reports of all switches", async () => {
  const hosts = ["one.example.com", "two.example.com"];
  const created = await service.send("POST", "/v1/connections", {
    headers: bearer(owner.token),
    body: { name: "Head office", targets: hosts.map((host) => ({ host })) },
  });
  const id = await newNumber();
  const plain = await newNumber();
  await route(id, { mode: "connection", connection_id: created.body.id });
  type State = "up" | "down" | "unknown";
  const report = async (by: string, states: [State, State]): Promise<void> => {
    const targets = states.map((state, at) => ({
      host: hosts[at]!,
      port: 5060,
      transport: "udp" as const,
      state,
      addresses: [{ address: "203.0.113.9:5060", state }],
    }));
    const health = { connections: [{ id: created.body.id as string, targets }] };
    const { status, text } = await sendReport(service, by, { health });
    expect(status, text).toBe(204);
  };
  const expectHealth = async (expected: string): Promise<void> => {
    expect((await routingOf(id)).health).toBe(expected);
    for (const health of ["up", "partial", "down", "unknown"])
      expect(await listed(`health=${health}`)).toEqual(health === expected ? [id] : []);
  };
  expect((await routingOf(plain)).health).toBeNull();
  await expectHealth("unknown");
  await report(a, ["up", "up"]);
  await expectHealth("unknown");
  await report(b, ["up", "up"]);
  await expectHealth("up");
  await report(b, ["up", "down"]);
  await expectHealth("partial");
  await report(a, ["down", "up"]);
  await expectHealth("partial");
  await report(a, ["down", "down"]);
  await expectHealth("down");
  expect(await listed("health=down&mode=sip_uri")).toEqual([]);
  expect(await listed("health=down&mode=connection&sort=-e164")).toEqual([id]);
  await service.database.admin("update switches set targets_read_at = now() - interval '1 hour'");
  await expectHealth("unknown");
});
