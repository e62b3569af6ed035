import type { Report, ReportedException } from "@dialplane/switch-agent";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { type SeededNumber, seedNumbers } from "../../seed.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { createSwitch } from "../../switching/switches/switches.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import type { Sent } from "../../../testing/send.ts";
import { exceptionOf, sendReport, shardReport } from "../../../testing/switch-reports.ts";
import { advanceReleaseJob, suspendHeld, sweepDrift } from "./testing/number-life.ts";
import type { TimelineEntry } from "./timeline.schema.ts";

/** The life of numbers on one switch, through the API and the reports of its agent. */
const OPERATOR = { ...systemAuthor("test"), actor_kind: "operator", actor_name: "Grace Hopper" };
const uri = (user: string) => `sip:${user}@8.8.8.8`;
const sip = (user: string) => ({ mode: "sip_uri", sip_uri: uri(user) }) as const;

let service: Service;
let organisationId: string;
let owner: Person;
let credential: string;

beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  await until(() => service.app.feed.epoch());
  ({ credential } = await createSwitch(service.app, systemAuthor("test"), { name: "edge-1" }));
  await reportAll();
});
afterAll(() => service[Symbol.asyncDispose]());

async function newNumber(): Promise<SeededNumber> {
  const [number] = await seedNumbers(service.app, organisationId, "live", 1);
  return number!;
}

async function set({ id }: { id: string }, user: string, reason?: string): Promise<void> {
  const headers = { ...bearer(owner.token), "idempotency-key": newId() };
  const body = { ...sip(user), ...(reason && { reason }) };
  const { status, text } = await service.send("PUT", `/v1/numbers/${id}/routing`, { headers, body });
  expect(status, text).toBe(200);
}

const get = (path: string, token = owner.token): Promise<Sent> =>
  service.send("GET", path, { headers: bearer(token) });

async function timeline({ id }: { id: string }, query = ""): Promise<TimelineEntry[]> {
  const { status, text, body } = await get(`/v1/numbers/${id}/timeline${query}`);
  expect(status, text).toBe(200);
  return body.data;
}

/** The switch reports what it has read back, a moment later. */
async function report(
  { id }: { id: string },
  exception?: Partial<ReportedException>,
  boot = "boot 1",
): Promise<void> {
  service.clock.advance(40);
  const [row] = await service.database.admin<{ shard: number; head: string; version: string }>(
    "select s.id as shard, s.head, r.version from routings r join feed_shards s on s.id = r.shard where holding_id = $1",
    [id],
  );
  const at = service.clock.now();
  const exceptions = exception
    ? [exceptionOf(id, Number(row!.version), { observed_at: at.toISOString(), ...exception })]
    : [];
  const shards = [shardReport(row!.shard, Number(row!.head), exceptions, at)];
  const { status, text } = await sendReport(service, credential, { shards, boot });
  expect(status, text).toBe(204);
}

async function reportAll(by = credential, rest: Partial<Report> = {}): Promise<void> {
  const heads = await service.database.admin<{ id: number; head: string }>(
    "select s.id, s.head from feed_shards s join switch_groups g on g.id = s.group_id where g.name = 'default'",
  );
  const shards = heads.map(({ id, head }) => shardReport(id, Number(head), [], service.clock.now()));
  expect((await sendReport(service, by, { shards, ...rest })).status).toBe(204);
}

test("shows changes with author and difference, and when the switch confirmed each", async () => {
  const number = await newNumber();
  await report(number);
  await set(number, "old");
  await report(number);
  service.clock.advance(60_000);
  await set(number, "new", "Moved");
  const pending = (await get(`/v1/numbers/${number.id}/routing`)).body;
  await report(number);

  const actor = { kind: "session", id: owner.userId, name: expect.any(String) };
  const entries = await timeline(number);
  expect(entries).toMatchObject([
    { kind: "applied", switch: "edge-1", revision: 3, found: { ...sip("new"), generation: 3 }, actor: null },
    {
      kind: "set",
      revision: 3,
      actor,
      reason: "Moved",
      changes: [{ field: "sip_uri", from: uri("old"), to: uri("new") }],
    },
    { kind: "applied", revision: 2 },
    {
      kind: "set",
      revision: 2,
      changes: [
        { field: "mode", from: "unrouted", to: "sip_uri" },
        { field: "sip_uri", from: null, to: uri("old") },
      ],
    },
    { kind: "applied", revision: 1, found: { mode: "unrouted" } },
    { kind: "state", state: "added" },
    { kind: "set", revision: 1, changes: [{ field: "mode", from: null, to: "unrouted" }] },
  ]);
  const [applied, changed] = entries;
  expect(applied!.took_ms).toBe(Date.parse(applied!.at) - Date.parse(changed!.at));
  expect(applied!.took_ms).toBeGreaterThanOrEqual(40);

  const expected = { ...sip("new"), generation: 3 };
  expect(pending.switches).toMatchObject([{ expected, applied_at: null, took_ms: null }]);
  const byNumber = (await get(`/v1/numbers/${number.e164}/routing`)).body;
  expect(byNumber.switches).toMatchObject([
    { switch: "edge-1", expected, applied_at: applied!.at, took_ms: applied!.took_ms },
  ]);
  expect((await get(`/v1/numbers/${number.e164}/timeline`)).body.data).toEqual(entries);
});

test("keeps a failure after its end, and records the route that the switch then confirmed", async () => {
  const number = await newNumber();
  await set(number, "a");
  await report(number, { state: "failed", error: "478 Unresolvable destination" });
  const failed = { kind: "failed", switch: "edge-1", revision: 2, until: null };
  expect(await timeline(number, "?kind=failed")).toMatchObject([
    { ...failed, error: "478 Unresolvable destination", expected: { ...sip("a"), generation: 2 } },
  ]);
  await report(number, { state: "failed", error: "500 Out of memory" });
  // A restart of the switch neither ends the failure nor begins another.
  await report(number, { state: "failed", error: "500 Out of memory" }, "boot 2");
  expect(await timeline(number, "?kind=failed")).toMatchObject([{ ...failed, error: "500 Out of memory" }]);
  expect(await timeline(number, "?kind=applied")).toEqual([]);

  await report(number, undefined, "boot 2");
  const [applied, ended] = await timeline(number);
  expect(applied).toMatchObject({ kind: "applied", revision: 2 });
  expect(ended).toMatchObject({ ...failed, until: applied!.at });
  const { switches } = (await get(`/v1/numbers/${number.id}/routing`)).body;
  expect(switches).toMatchObject([{ applied_at: applied!.at, took_ms: applied!.took_ms }]);
});

test("skips a revision that was replaced before the switch read it back", async () => {
  const number = await newNumber();
  await set(number, "a");
  await set(number, "b");
  await report(number);
  await report(number);
  expect((await timeline(number, "?kind=applied")).map(({ revision }) => revision)).toEqual([3]);
});

test("counts findings of one drift, with both values, its repair and the time it was wrong", async () => {
  const number = await newNumber();
  await set(number, "a");
  await report(number);
  const value = { ...sip("hacked"), e164: number.e164 };
  const drift = { state: "drifted" as const, error: "Held another.", applied: { generation: 2, value } };
  await report(number, drift);
  expect(await timeline(number, "?kind=drifted")).toMatchObject([{ count: 1, until: null }]);
  service.clock.advance(2_000);
  await report(number);
  service.clock.advance(30_000);
  await report(number, drift);
  await report(number);

  const [entry, ...others] = await timeline(number, "?kind=drifted");
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    switch: "edge-1",
    count: 2,
    found: { ...sip("hacked"), generation: 2 },
    expected: { ...sip("a"), generation: 2 },
    error: "Held another.",
  });
  expect(entry!.wrong_ms).toBeGreaterThanOrEqual(2_080);
  expect(entry!.wrong_ms).toBeLessThan(30_000);
  expect(Date.parse(entry!.until!) - Date.parse(entry!.at)).toBeGreaterThanOrEqual(32_000);
  expect(await timeline(number, "?kind=applied")).toHaveLength(1);

  service.clock.advance(3 * 3_600_000);
  await sweepDrift(service.app);
  expect(await timeline(number, "?kind=drifted")).toEqual([entry]);
});

test("shows suspension, release and restore with author, and what the switch then did", async () => {
  const number = await newNumber();
  await set(number, "a");
  await report(number);
  await suspendHeld(service.app, OPERATOR, number.id, { isSuspended: true, reason: "Overdue" });
  await report(number);
  const { switches } = (await get(`/v1/numbers/${number.id}/routing`)).body;
  expect(switches).toMatchObject([{ expected: { mode: "unrouted", generation: 2 } }]);
  await suspendHeld(service.app, OPERATOR, number.id, { isSuspended: false });
  await report(number);
  const act = async (verb: string): Promise<void> => {
    const headers = { ...bearer(owner.token), "idempotency-key": newId() };
    const { body } = await service.send("POST", `/v1/numbers/${number.id}/${verb}`, { headers });
    await report(number);
    service.clock.advance(61_000);
    await advanceReleaseJob.run(service.app, { id: body.job_id });
    await report(number);
  };
  await act("release");
  await act("restore");

  const states = await timeline(number, "?kind=state");
  expect(states.map(({ state }) => state)).toEqual([
    "restored",
    "restoring",
    "quarantined",
    "releasing",
    "resumed",
    "suspended",
    "added",
  ]);
  expect(states.at(-2)).toMatchObject({
    reason: "Overdue",
    actor: { kind: "operator", name: "Grace Hopper" },
  });
  const modes = (await timeline(number, "?kind=applied")).map(({ found }) => found?.mode);
  expect(modes).toEqual(["sip_uri", "unrouted", "unrouted", "sip_uri", "unrouted", "sip_uri"]);
});

test("records each reading once, however the switch restarts, and none of before a switch was added", async () => {
  const number = await newNumber();
  const readings = async () =>
    (await timeline(number, "?kind=applied")).map((one) => `${one.switch} ${one.revision}`);
  await set(number, "a");
  await reportAll();
  expect(await readings()).toEqual(["edge-1 2"]);
  await set(number, "b");
  await reportAll(credential, { boot: "boot 3", is_complete: false });
  await reportAll(credential, { boot: "boot 3" });
  expect(await readings()).toEqual(["edge-1 3", "edge-1 2"]);

  service.clock.advance(1_000);
  const other = await createSwitch(service.app, systemAuthor("test"), { name: "edge-2" });
  await reportAll(other.credential);
  expect(await readings()).toEqual(["edge-1 3", "edge-1 2"]);
  await set(number, "c");
  await reportAll(other.credential);
  const { switches } = (await get(`/v1/numbers/${number.id}/routing`)).body;
  expect(switches).toMatchObject([{ applied_at: null }, { switch: "edge-2", took_ms: expect.any(Number) }]);
  await reportAll(credential, { boot: "boot 3" });
  expect((await readings()).slice(0, 2).toSorted()).toEqual(["edge-1 4", "edge-2 4"]);
});

describe("access", () => {
  test("rejects members, accepts keys that read numbers, and hides other organisations' numbers", async () => {
    const number = await newNumber();
    const path = `/v1/numbers/${number.id}/timeline`;
    const member = await service.person({ [organisationId]: "member" });
    expect((await get(path, member.token)).status).toBe(403);
    const writer = await service.key(owner, organisationId, ["numbers_write"]);
    expect((await get(path, writer.secret)).status).toBe(403);
    const reader = await service.key(owner, organisationId, ["numbers"]);
    expect((await get(path, reader.secret)).status).toBe(200);
    const stranger = await service.person({ [await service.organisation()]: "owner" });
    for (const one of [path, `${path}?kind=failed`, `/v1/numbers/${newId()}/timeline?kind=failed`]) {
      const { status, body } = await get(one, stranger.token);
      expect([status, body.code]).toEqual([404, "number_not_found"]);
    }
    expect(await timeline(number, "?kind=failed")).toEqual([]);
  });
});
