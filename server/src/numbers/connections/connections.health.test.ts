import type { ConnectionHealth, TargetHealth } from "@dialplane/switch-agent";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { sendReport } from "../../../testing/switch-reports.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { changeSwitch, createSwitch } from "../../switching/switches/switches.ts";

const HOSTS = ["one.example.com", "two.example.com"];

let service: Service;
let organisation: string;
let owner: Person;
let a: Made;
let b: Made;
type Made = { id: string; credential: string };

beforeAll(async () => {
  service = await startService();
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
  await until(() => service.app.feed.epoch());
  [a, b] = [await newSwitch("a"), await newSwitch("b")];
});
afterAll(() => service[Symbol.asyncDispose]());

async function newSwitch(name: string): Promise<Made> {
  const { row, credential } = await createSwitch(service.app, systemAuthor("test"), { name });
  return { id: row.id, credential };
}

async function ask(method: string, path: string, body?: object, by = owner): Promise<Sent> {
  const headers = { ...bearer(by.token), ...(method === "PUT" && { "idempotency-key": randomUUID() }) };
  return service.send(method, path, { headers, body });
}

/** A connection with two targets that a number of the organisation uses, so that switches know it. */
async function newConnection(by = owner, of = organisation): Promise<{ id: string; numberId: string }> {
  const targets = HOSTS.map((host) => ({ host }));
  const { id } = (await ask("POST", "/v1/connections", { name: randomUUID(), targets }, by)).body;
  const [number] = await seedNumbers(service.app, of, "live", 1);
  const routing = { mode: "connection", connection_id: id };
  expect((await ask("PUT", `/v1/numbers/${number!.id}/routing`, routing, by)).status).toBe(200);
  return { id, numberId: number!.id };
}

const target = (host: string, state: TargetHealth["state"]): TargetHealth => ({
  host,
  port: 5060,
  transport: "udp",
  state,
  addresses: [{ address: "203.0.113.9:5060", state }],
});
const both = (id: string, ...states: [TargetHealth["state"], TargetHealth["state"]]): ConnectionHealth => ({
  id,
  targets: states.map((state, at) => target(HOSTS[at]!, state)),
});

async function report({ credential }: Made, ...connections: ConnectionHealth[]): Promise<void> {
  const { status, text } = await sendReport(service, credential, { health: { connections } });
  expect(status, text).toBe(204);
}

interface Shown {
  state: string;
  switches: { switch: string; state: string; addresses: object[]; since: string; checked_at: string }[];
}
async function healthOf(id: string, by = owner): Promise<Shown[]> {
  const { body } = await ask("GET", `/v1/connections/${id}`, undefined, by);
  return (body.targets as { health: Shown }[]).map(({ health }) => health);
}
/** `state of all: state of each switch`, by target. */
const shown = async (id: string, by = owner): Promise<string[]> =>
  (await healthOf(id, by)).map(
    ({ state, switches }) => `${state}: ${switches.map((one) => `${one.switch} ${one.state}`).join(", ")}`,
  );
const rowsOf = (id: string): Promise<object[]> =>
  service.database.admin("select switch_id, host, state from target_health where connection_id = $1", [id]);
const eventsOf = async (id: string): Promise<string[]> => {
  const rows = await service.database.admin<{ type: string; data: { switch: string } }>(
    "select type, data from events where subject = $1 and type like '%reachable' order by sequence",
    [id],
  );
  return rows.map(({ type, data }) => `${type} ${data.switch}`);
};

test("a target is unknown until every switch that knows it has said how it is; then the worst counts", async () => {
  const { id } = await newConnection();
  expect(await shown(id)).toEqual(HOSTS.map(() => "unknown: a unknown, b unknown"));

  await report(a, both(id, "up", "down"));
  expect(await shown(id)).toEqual(["unknown: a up, b unknown", "down: a down, b unknown"]);
  await report(b, both(id, "up", "up"));
  expect(await shown(id)).toEqual(["up: a up, b up", "down: a down, b up"]);
  const [first] = await healthOf(id);
  expect(first!.switches[0]).toEqual({
    switch: "a",
    state: "up",
    addresses: [{ address: "203.0.113.9:5060", state: "up" }],
    since: expect.stringMatching(/Z$/),
    checked_at: expect.stringMatching(/Z$/),
  });
  const listed = (await ask("GET", "/v1/connections")).body.data as { id: string; targets: object[] }[];
  expect(listed.find((one) => one.id === id)!.targets).toMatchObject([{ health: { state: "up" } }, {}]);
});

test("targets may be sent back as they were read", async () => {
  const { id } = await newConnection();
  await report(a, both(id, "up", "down"));
  const { targets, generation } = (await ask("GET", `/v1/connections/${id}`)).body;
  const sent = await ask("PATCH", `/v1/connections/${id}`, { targets });
  expect([sent.status, sent.body.generation]).toEqual([200, generation]);
});

test("one that no number uses is on no switch, and unknown", async () => {
  const targets = [{ host: HOSTS[0] }];
  const { body } = await ask("POST", "/v1/connections", { name: randomUUID(), targets });
  expect(body.targets).toMatchObject([{ health: { state: "unknown", switches: [] } }]);
  expect(await healthOf(body.id)).toEqual([{ state: "unknown", switches: [] }]);
});

test("replaces an earlier reading and keeps the time of the last state change", async () => {
  const { id } = await newConnection();
  await report(a, both(id, "up", "up"));
  const [before] = await healthOf(id);
  service.clock.advance(60_000);
  await report(a, { id, targets: [target(HOSTS[0]!, "up")] });
  const [same, missing] = await healthOf(id);
  expect(same!.switches[0]!.since).toBe(before!.switches[0]!.since);
  expect(missing!.switches[0]).toMatchObject({ state: "unknown", addresses: [], since: null });
  await report(a, both(id, "down", "down"));
  const [changed] = await healthOf(id);
  expect(changed!.switches[0]!.since > before!.switches[0]!.since).toBe(true);
  await report(a, { id, targets: [] });
  expect(await rowsOf(id)).toEqual([]);
});

test("what was read long ago is unknown, however often the switch shows signs of life without it", async () => {
  const { id } = await newConnection();
  await report(a, both(id, "up", "up"));
  await report(b, both(id, "up", "up"));
  expect(await shown(id)).toEqual(HOSTS.map(() => "up: a up, b up"));
  const age = () =>
    service.database.admin(
      "update switches set targets_read_at = now() - interval '31 seconds' where id = $1",
      [a.id],
    );
  // A report is recorded with a short delay.
  await until(async () => {
    await age();
    await sendReport(service, a.credential, {});
    return (await shown(id))[0] === "unknown: a unknown, b up";
  });
  expect((await healthOf(id))[0]!.switches[0]).toMatchObject({ addresses: [], since: null });

  // Nothing changed since, says the agent: that is enough.
  await report(a);
  await until(async () => (await shown(id))[0] === "up: a up, b up");
});

test("another organisation's connections are out of reach, for readers and for switches", async () => {
  const elsewhere = await service.organisation();
  const stranger = await service.person({ [elsewhere]: "owner" });
  const [mine, theirs] = [await newConnection(), await newConnection(stranger, elsewhere)];
  await report(a, both(mine.id, "up", "up"), both(theirs.id, "down", "down"));

  expect((await ask("GET", `/v1/connections/${mine.id}`, undefined, stranger)).status).toBe(404);
  expect((await shown(theirs.id, stranger))[0]).toBe("down: a down, b unknown");
  expect((await shown(mine.id))[0]).toBe("unknown: a up, b unknown");

  await report(b, both(randomUUID(), "up", "up"), both(mine.numberId, "up", "up"));
  expect(await rowsOf(mine.numberId)).toEqual([]);
});

test("with the connection its readings go, and a late one brings none back", async () => {
  const { id, numberId } = await newConnection();
  await report(a, both(id, "up", "up"));
  expect(await rowsOf(id)).toHaveLength(2);
  await ask("PUT", `/v1/numbers/${numberId}/routing`, { mode: "unrouted" });
  expect((await ask("DELETE", `/v1/connections/${id}`)).status).toBe(204);
  expect(await rowsOf(id)).toEqual([]);
  await report(a, both(id, "down", "down"));
  expect(await rowsOf(id)).toEqual([]);
});

test("a connection that loses its last target on a switch makes an event, and one when it has one again", async () => {
  const { id } = await newConnection();
  await report(a, both(id, "unknown", "unknown"));
  await report(a, both(id, "down", "unknown"));
  expect(await eventsOf(id)).toEqual([]);
  await report(a, both(id, "down", "down"));
  await report(a, both(id, "down", "down"));
  // A restarted switch probes again, which creates no event.
  await report(a, both(id, "unknown", "unknown"));
  await report(a, both(id, "down", "down"));
  expect(await eventsOf(id)).toEqual(["connection.unreachable a"]);
  await report(a, both(id, "down", "up"));
  await report(a, both(id, "up", "up"));
  await report(b, both(id, "down", "down"));
  expect(await eventsOf(id)).toEqual([
    "connection.unreachable a",
    "connection.reachable a",
    "connection.unreachable b",
  ]);
});

test("a switch that is retired no longer has a say", async () => {
  const { id } = await newConnection();
  const c = await newSwitch("c");
  await report(c, both(id, "down", "down"));
  expect((await shown(id))[0]).toMatch(/^down: .*c down$/);
  await changeSwitch(service.app, systemAuthor("test"), c.id, { state: "retired" });
  expect((await shown(id))[0]).toBe("unknown: a unknown, b unknown");
  expect(await rowsOf(id)).toEqual([]);
});
