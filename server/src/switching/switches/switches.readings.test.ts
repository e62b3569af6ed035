import { randomUUID } from "node:crypto";
import type { Report, ReportedException } from "@dialplane/switch-agent";
import { beforeEach, afterEach, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { exceptionOf, sendReport, shardReport } from "../../../testing/switch-reports.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { createSwitch } from "./switches.ts";

/** The routing record of a number whose two switches, a and b, have reported different values. */
let service: Service;
let owner: Person;
let number: { id: string; e164: string };
let a: { id: string; credential: string };
let b: { id: string; credential: string };

beforeEach(async () => {
  service = await startService();
  const organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
  [number] = (await seedNumbers(service.app, organisation, "live", 1)) as [typeof number];
  await until(() => service.app.feed.epoch());
  a = await newSwitch("a");
  b = await newSwitch("b");
  await set(sip(1));
  await reportAll(a, new Date("2026-01-01T00:00:01Z"));
  await reportAll(b, new Date("2026-01-01T00:00:02Z"));
});
afterEach(() => service[Symbol.asyncDispose]());

async function newSwitch(name: string): Promise<{ id: string; credential: string }> {
  const { row, credential } = await createSwitch(service.app, systemAuthor("test"), { name });
  return { id: row.id, credential };
}

const sip = (user: number) => ({ mode: "sip_uri", sip_uri: `sip:${user}@8.8.8.8` });

async function set(body: object): Promise<Pick<Sent, "body">> {
  const sent = await service.send("PUT", `/v1/numbers/${number.id}/routing`, {
    headers: { ...bearer(owner.token), "idempotency-key": randomUUID() },
    body,
  });
  expect(sent.status, sent.text).toBe(200);
  return { body: withoutChain(sent.body) };
}

/** The last link of the chain says the same as the record. */
function withoutChain({ chain, ...rest }: Sent["body"]): Sent["body"] {
  const { desired, applied, status, last_error: error } = rest;
  expect(chain).toEqual([
    expect.objectContaining({ link: "carrier", status: "unsupported", reason: "no_carrier" }),
    {
      link: "switch",
      desired: { generation: desired.generation },
      applied: applied && { generation: applied.generation },
      status,
      reason: null,
      error,
      observed_at: applied?.observed_at ?? null,
    },
  ]);
  return rest;
}

async function record(): Promise<Sent["body"]> {
  const path = `/v1/numbers/${number.id}/routing`;
  return withoutChain((await service.send("GET", path, { headers: bearer(owner.token) })).body);
}

async function report(
  { credential }: typeof a,
  shards: Report["shards"],
  rest: Partial<Report> = {},
): Promise<void> {
  const { status, text } = await sendReport(service, credential, { shards, ...rest });
  expect(status, text).toBe(204);
}

/** A switch says that it holds everything there is. */
async function reportAll(by: typeof a, at: Date, rest: Partial<Report> = {}): Promise<void> {
  const heads = await service.database.admin<{ id: number; head: string }>(
    "select s.id, s.head from feed_shards s join switch_groups g on g.id = s.group_id where g.name = 'default'",
  );
  await report(
    by,
    heads.map(({ id, head }) => shardReport(id, Number(head), [], at)),
    rest,
  );
}

interface PublishedVersion {
  shard: number;
  version: number;
  confirmed_at: Date | null;
}

/** Last published version of an item. */
async function publishedVersion(itemId = number.id): Promise<PublishedVersion> {
  const [row] = await service.database.admin<{ shard: number; version: string; confirmed_at: Date | null }>(
    "select shard, version, confirmed_at from feed_items where item_id = $1 order by version desc limit 1",
    [itemId],
  );
  return { ...row!, version: Number(row!.version) };
}

/** A switch says that it holds the number's shard, but for these. */
async function reportShard(by: typeof a, at: Date, exceptions: ReportedException[] = []): Promise<void> {
  const { shard, version } = await publishedVersion();
  await report(by, [shardReport(shard, version, exceptions, at)]);
}

const reading = (user: number, generation: number, at: Date) => ({
  ...sip(user),
  generation,
  observed_at: at.toISOString(),
});
const heldBy = (name: string, applied: ReturnType<typeof reading> | null, error: string | null = null) => ({
  switch: name,
  applied,
  observed_at: applied?.observed_at ?? null,
  error,
  expected: expect.objectContaining({ mode: "sip_uri" }),
  // timeline.test.ts has their values.
  applied_at: expect.toSatisfy((at) => at === null || !Number.isNaN(Date.parse(at))),
  took_ms: expect.toSatisfy((ms) => ms === null || ms >= 0),
});

const T1 = new Date("2026-01-01T00:00:01Z");
const T2 = new Date("2026-01-01T00:00:02Z");
const T3 = new Date("2026-01-01T00:00:03Z");
const T4 = new Date("2026-01-01T00:00:04Z");

describe("the routing record", () => {
  test("is in sync since every switch has read it back, and shows what each answered and when", async () => {
    const { confirmed_at: confirmedAt } = await publishedVersion();

    expect(await record()).toEqual({
      number_id: number.id,
      desired: {
        ...sip(1),
        generation: 2,
        set_at: expect.any(String),
        set_by: { kind: "session", id: owner.userId, name: expect.any(String) },
        reason: null,
      },
      applied: reading(1, 2, T1),
      status: "in_sync",
      since: confirmedAt!.toISOString(),
      effective_reason: null,
      switches: [heldBy("a", reading(1, 2, T1)), heldBy("b", reading(1, 2, T2))],
      last_error: null,
      flapping: false,
      drift: null,
    });
  });

  test("is pending since it was set while one switch holds what was before, and applied is what that one holds", async () => {
    const { body } = await set(sip(2));
    await reportShard(a, T3);

    expect(await record()).toEqual({
      ...body,
      applied: reading(1, 2, T2),
      status: "pending",
      since: body.desired.set_at,
      switches: [heldBy("a", reading(2, 3, T3)), heldBy("b", reading(1, 2, T2))],
      last_error: null,
    });
  });

  test("is failed with the error after a switch rejected it, and pending without it after the next change", async () => {
    const { body } = await set(sip(2));
    await reportShard(a, T3);
    const applied = {
      generation: 2,
      value: { e164: number.e164, ...sip(1) },
    } as ReportedException["applied"];
    const failure = exceptionOf(number.id, (await publishedVersion()).version, {
      applied,
      observed_at: T4.toISOString(),
    });
    await reportShard(b, T4, [failure]);

    expect(await record()).toEqual({
      ...body,
      applied: reading(1, 2, T4),
      status: "failed",
      since: T4.toISOString(),
      switches: [heldBy("a", reading(2, 3, T3)), heldBy("b", reading(1, 2, T4), "500 refused")],
      last_error: "500 refused",
    });

    const corrected = (await set(sip(3))).body;
    expect(corrected).toEqual({
      ...body,
      desired: { ...body.desired, ...sip(3), generation: 4, set_at: corrected.desired.set_at },
      applied: reading(1, 2, T4),
      status: "pending",
      since: corrected.desired.set_at,
      switches: [heldBy("a", reading(2, 3, T3)), heldBy("b", reading(1, 2, T4))],
      last_error: null,
    });
    const listed = async (sync: string): Promise<number> =>
      (await service.send("GET", `/v1/numbers?sync=${sync}`, { headers: bearer(owner.token) })).body.data
        .length;
    expect([await listed("failed"), await listed("pending")]).toEqual([0, 1]);
  });

  test("is drifted since a switch was found holding something else, which is what is applied", async () => {
    const before = await record();
    const applied = {
      generation: 2,
      value: { e164: number.e164, ...sip(9) },
    } as ReportedException["applied"];
    const drift = exceptionOf(number.id, (await publishedVersion()).version, {
      state: "drifted",
      applied,
      error: "held something else",
      observed_at: T4.toISOString(),
    });
    await reportShard(a, T3, [drift]);

    expect(await record()).toEqual({
      ...before,
      applied: reading(9, 2, T4),
      status: "drifted",
      since: T4.toISOString(),
      switches: [heldBy("a", reading(9, 2, T4), "held something else"), heldBy("b", reading(1, 2, T2))],
      last_error: "held something else",
      drift: {
        switch: "a",
        found: { ...sip(9), generation: 2 },
        expected: { ...sip(1), generation: 2 },
        is_various: false,
        count: 1,
        first_at: T4.toISOString(),
        last_at: T4.toISOString(),
      },
    });
  });

  test("is unknown since the last report of a silent switch, and still shows the last applied value", async () => {
    const before = await record();
    await service.database.admin("update switches set last_seen_at = $2 where id = $1", [b.id, T3]);

    expect(await record()).toEqual({ ...before, status: "unknown", since: T3.toISOString() });
  });

  test("is unknown if a registered switch has never reported within its limit", async () => {
    const c = await newSwitch("c");
    const joining = await record();
    expect(joining).toMatchObject({ status: "pending", applied: null });
    await service.database.admin("update switches set created_at = $2 where id = $1", [c.id, T3]);

    expect(await record()).toEqual({ ...joining, status: "unknown", since: T3.toISOString() });
  });

  test("is pending, with nothing applied, while a switch that lost its memory reads back", async () => {
    const before = await record();
    await report(b, [], { boot: "boot 2", is_complete: false });

    expect(await record()).toMatchObject({
      applied: null,
      status: "pending",
      switches: [heldBy("a", reading(1, 2, T1)), heldBy("b", null)],
    });
    await reportAll(b, T2, { boot: "boot 2" });
    expect(await record()).toEqual(before);
  });

  test("shows a newer time for every number of a shard that was compared again, and nothing else", async () => {
    const before = await record();
    await reportShard(a, T3);
    await reportShard(b, T4);

    expect(await record()).toEqual({
      ...before,
      applied: reading(1, 2, T3),
      switches: [heldBy("a", reading(1, 2, T3)), heldBy("b", reading(1, 2, T4))],
    });
  });
});

describe("a number that uses a connection", () => {
  let connectionId: string;
  const targets = (host: string) => ({ targets: [{ host }] });
  const change = (host: string): Promise<Sent> =>
    service.send("PATCH", `/v1/connections/${connectionId}`, {
      headers: bearer(owner.token),
      body: targets(host),
    });

  beforeEach(async () => {
    const made = await service.send("POST", "/v1/connections", {
      headers: bearer(owner.token),
      body: { name: "PBX", ...targets("8.8.8.8") },
    });
    connectionId = made.body.id;
    await set({ mode: "connection", connection_id: connectionId });
    await reportAll(a, T1);
    await reportAll(b, T2);
  });

  test("is pending since its connection was changed, and in sync since that was read back", async () => {
    const before = await record();
    expect(before).toMatchObject({ status: "in_sync", applied: { mode: "connection", generation: 3 } });

    const changed = await change("8.8.4.4");
    expect(changed.status, changed.text).toBe(200);
    expect(await record()).toEqual({ ...before, status: "pending", since: changed.body.updated_at });

    await reportAll(a, T1);
    await reportAll(b, T2);
    const { confirmed_at: confirmedAt } = await publishedVersion(connectionId);
    expect(await record()).toEqual({ ...before, since: confirmedAt!.toISOString() });
  });

  test("is failed after a switch rejected its connection, until the connection changes", async () => {
    await change("8.8.4.4");
    await reportAll(a, T1);
    const { shard, version } = await publishedVersion(connectionId);
    const refused = exceptionOf(connectionId, version, { kind: "connection", observed_at: T4.toISOString() });
    await report(b, [shardReport(shard, version, [refused], T3)]);
    const before = await record();
    expect(before).toMatchObject({ status: "failed", since: T4.toISOString(), last_error: "500 refused" });
    expect(before.switches.map(({ error }: { error: string | null }) => error)).toEqual([
      null,
      "500 refused",
    ]);

    const corrected = await change("1.1.1.1");

    expect(await record()).toMatchObject({
      status: "pending",
      since: corrected.body.updated_at,
      last_error: null,
    });
  });
});

test("sends an unchanged routing to the switches once, not every time", async () => {
  await set(sip(2));
  const items = async (): Promise<number> =>
    (await service.database.admin("select from feed_items where item_id = $1", [number.id])).length;
  const waiting = await items();
  for (let at = 0; at < 3; at++) await set(sip(2));
  expect(await items()).toBe(waiting);

  const { version } = await publishedVersion();
  for (const by of [a, b]) await reportShard(by, T3, [exceptionOf(number.id, version)]);
  for (let at = 0; at < 3; at++) await set(sip(2));

  expect((await publishedVersion()).version).toBe(version + 1);
});
