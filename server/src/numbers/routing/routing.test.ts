import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";

let service: Service;
let organisation: string;
let owner: Person;
let member: Person;
let writeKey: string;
let readKey: string;

beforeAll(async () => {
  service = await startService({
    settings: { EGRESS_ALLOW: "127.0.0.0/8", FORWARD_PREFIXES: "+49,-491876" },
  });
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
  member = await service.person({ [organisation]: "member" });
  writeKey = (await service.key(owner, organisation, ["numbers_write"])).secret;
  readKey = (await service.key(owner, organisation, ["numbers"])).secret;
});
afterAll(() => service[Symbol.asyncDispose]());

async function newNumber(): Promise<{ id: string; e164: string }> {
  const [number] = await seedNumbers(service.app, organisation, "live", 1);
  return number!;
}

interface Put {
  token?: string;
  key?: string;
  headers?: Record<string, string>;
}

function put(
  id: string,
  body: unknown,
  { token = owner.token, key = randomUUID(), headers }: Put = {},
): Promise<Sent> {
  return service.send("PUT", `/v1/numbers/${id}/routing`, {
    headers: { ...bearer(token), "idempotency-key": key, ...headers },
    body,
  });
}

const get = (id: string, token = owner.token): Promise<Sent> =>
  service.send("GET", `/v1/numbers/${id}/routing`, { headers: bearer(token) });

const sip = (user: string): object => ({ mode: "sip_uri", sip_uri: `sip:${user}@pbx.example.com` });

async function newConnection(of = organisation): Promise<string> {
  const id = randomUUID();
  await service.database.admin(
    "insert into connections (id, organisation_id, environment, name, created_at, updated_at) values ($1, $2, 'live', $3, now(), now())",
    [id, of, id],
  );
  await service.database.admin(
    `insert into connection_targets (organisation_id, environment, connection_id, position, host, port, transport, priority, weight)
     values ($1, 'live', $2, 0, 'pbx.example.com', 5060, 'udp', 1, 1)`,
    [of, id],
  );
  return id;
}

describe("reading", () => {
  test("a new number is unrouted at generation 1, and nothing is applied before a switch has said so", async () => {
    const { id } = await newNumber();

    const { status, body, headers } = await get(id);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      number_id: id,
      desired: { mode: "unrouted", generation: 1, set_by: { kind: "system" }, reason: null },
      applied: null,
      status: "pending",
      effective_reason: null,
      switches: [],
      last_error: null,
    });
    expect(headers.etag).toBe('"1"');
  });

  test("a key with the scope numbers reads it; numbers_write alone does not, nor does a plain member", async () => {
    const { id } = await newNumber();

    expect(await get(id, readKey)).toMatchObject({ status: 200 });
    expect(await get(id, writeKey)).toMatchObject({ status: 403, body: { code: "scope_missing" } });
    expect(await get(id, member.token)).toMatchObject({ status: 403, body: { code: "role_not_allowed" } });
  });
});

describe("setting", () => {
  test("each change raises the generation by one and leaves a revision, an event and an audit entry", async () => {
    const { id } = await newNumber();

    const first = await put(id, { ...sip("one"), reason: "Opening day" });
    const second = await put(id, { mode: "unrouted" }, { token: writeKey });

    expect(first.body.desired).toMatchObject({
      ...sip("one"),
      generation: 2,
      reason: "Opening day",
      set_by: { kind: "session", id: owner.userId, name: owner.name },
    });
    expect(second).toMatchObject({ status: 200, headers: { etag: '"3"' } });
    expect(second.body.desired).toMatchObject({
      mode: "unrouted",
      generation: 3,
      set_by: { kind: "api_key" },
    });
    const { body: revisions } = await service.send("GET", `/v1/numbers/${id}/routing/revisions`, {
      headers: bearer(readKey),
    });
    expect(revisions.data.map((one: { generation: number }) => one.generation)).toEqual([3, 2, 1]);
    for (const table of ["events", "audit_entries"]) {
      const [row] = await service.database.admin<{ count: number }>(
        `select count(*)::int as count from ${table} where subject = $1 and ${table === "events" ? "type" : "action"} = 'routing.changed'`,
        [id],
      );
      expect(row!.count).toBe(2);
    }
  });

  test("setting what is desired already changes nothing and keeps the generation", async () => {
    const { id } = await newNumber();
    await put(id, sip("same"));

    const again = await put(id, { ...sip("same"), reason: "Once more" });

    expect(again.body.desired).toMatchObject({ generation: 2, reason: null });
  });

  test("sends an unchanged route to the switches again, but not while it is pending", async () => {
    const { id } = await newNumber();
    await put(id, sip("same"));
    const told = () =>
      service.database.admin<{ version: number; generation: number }>(
        "select version::int, generation::int from feed_items where item_id = $1 order by version",
        [id],
      );
    const before = await told();

    await put(id, sip("same"));
    expect(await told()).toEqual(before);

    await service.database.admin(
      "update feed_confirmations set version = r.version from routings r where r.holding_id = $1 and feed_confirmations.shard = r.shard",
      [id],
    );
    await put(id, sip("same"));
    await put(id, sip("same"));
    const after = await told();
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)!.generation).toBe(2);
    expect(after.at(-1)!.version).toBeGreaterThan(before.at(-1)!.version);
  });

  test.each([
    ["no mode", {}, "#/mode", "required"],
    ["an unknown mode", { mode: "teleport" }, "#/mode", "not_allowed"],
    ["a missing field", { mode: "sip_uri" }, "#/sip_uri", "required"],
    ["a field of another mode", { mode: "unrouted", sip_uri: "sip:a@example.com" }, "#/sip_uri", "unknown"],
    ["an unknown field", { mode: "unrouted", colour: "red" }, "#/colour", "unknown"],
    ["a number that is not E.164", { mode: "forward", forward_to: "030 1234" }, "#/forward_to", "malformed"],
    [
      "a fallback that is no fallback",
      {
        mode: "webhook",
        webhook_url: "https://hooks.example.com/x",
        fallback: { mode: "voicemail" },
      },
      "#/fallback/mode",
      "not_allowed",
    ],
  ])("%s is a 400 that points at it", async (_, body, pointer, code) => {
    const { id } = await newNumber();

    const refused = await put(id, body);

    expect(refused).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ pointer, code }] },
    });
  });

  test("without an Idempotency-Key nothing happens", async () => {
    const { id } = await newNumber();

    const refused = await service.send("PUT", `/v1/numbers/${id}/routing`, {
      headers: bearer(owner.token),
      body: sip("x"),
    });

    expect(refused).toMatchObject({ status: 400, body: { code: "idempotency_key_missing" } });
    expect((await get(id)).body.desired.generation).toBe(1);
  });

  test("a key cannot set forward or webhook, whatever else its body holds", async () => {
    const { id } = await newNumber();

    for (const body of [{ mode: "forward" }, { mode: "webhook", nonsense: true }]) {
      expect(await put(id, body, { token: writeKey })).toMatchObject({
        status: 403,
        body: { code: "mode_not_allowed" },
      });
    }
    expect(await put(id, { mode: "forward", forward_to: "+493099999999" })).toMatchObject({ status: 200 });
  });

  test("returns the same error for an unknown connection and one of another organisation", async () => {
    const { id } = await newNumber();
    const foreign = await newConnection(await service.organisation("Elsewhere"));
    const name = (connectionId: string): Promise<Sent> =>
      put(id, { mode: "connection", connection_id: connectionId });

    const [unknown, theirs] = [await name(randomUUID()), await name(foreign)];

    expect(unknown).toMatchObject({ status: 422, body: { code: "connection_unknown" } });
    const { request_id: _, instance: __, ...problem } = unknown.body;
    expect(theirs).toMatchObject({ status: 422, body: problem });
  });

  test("sends a connection to the switches before the first route that uses it, once per group", async () => {
    const [one, two, connection] = [await newNumber(), await newNumber(), await newConnection()];

    expect(await put(one.id, { mode: "connection", connection_id: connection.toUpperCase() })).toMatchObject({
      status: 200,
      body: { desired: { mode: "connection", connection_id: connection } },
    });
    expect(await put(two.id, { mode: "connection", connection_id: connection })).toMatchObject({
      status: 200,
    });

    const items = await service.database.admin<{ value: { targets: unknown[] } }>(
      "select value from feed_items where item_id = $1",
      [connection],
    );
    expect(items).toHaveLength(1);
    expect(items[0]!.value.targets).toHaveLength(1);
  });

  test.each([
    ["a private address", { mode: "sip_uri", sip_uri: "sip:x@10.0.0.1" }],
    ["a broken SIP URI", { mode: "sip_uri", sip_uri: "sip:x@" }],
    ["header fields in a SIP URI", { mode: "sip_uri", sip_uri: "sip:x@example.com?Route=evil" }],
    ["a forward to a prefix nobody has opened", { mode: "forward", forward_to: "+442079460000" }],
    ["a forward to a prefix that is closed", { mode: "forward", forward_to: "+4918761234567" }],
    ["a webhook inside the network", { mode: "webhook", webhook_url: "https://169.254.169.254/latest" }],
    ["a webhook without TLS", { mode: "webhook", webhook_url: "http://hooks.example.com/x" }],
    [
      "a webhook whose fallback goes inside",
      {
        mode: "webhook",
        webhook_url: "https://127.0.0.1/x",
        fallback: { mode: "sip_uri", sip_uri: "sip:x@192.168.0.1" },
      },
    ],
  ])("SS-01 rejects %s, and the number stays unchanged", async (_, body) => {
    const { id } = await newNumber();

    expect(await put(id, body)).toMatchObject({ status: 422, body: { code: "destination_not_allowed" } });
    expect((await get(id)).body.desired.generation).toBe(1);
  });

  test("a webhook without a fallback falls back to unrouted", async () => {
    const { id } = await newNumber();

    const set = await put(id, { mode: "webhook", webhook_url: "https://127.0.0.1/calls" });

    expect(set.body.desired).toMatchObject({ mode: "webhook", fallback: { mode: "unrouted" } });
  });

  test("forwards may not come back to where they began, not even when two are set at once", async () => {
    const [a, b, c] = [await newNumber(), await newNumber(), await newNumber()];
    const forward = (from: { id: string }, to: { e164: string }): Promise<Sent> =>
      put(from.id, { mode: "forward", forward_to: to.e164 });

    expect(await forward(a, a)).toMatchObject({ status: 422, body: { code: "forward_loop" } });
    expect(await forward(a, b)).toMatchObject({ status: 200 });
    expect(await forward(b, c)).toMatchObject({ status: 200 });
    expect(await forward(c, a)).toMatchObject({ status: 422, body: { code: "forward_loop" } });
    for (let round = 0; round < 10; round++) {
      const [left, right] = [await newNumber(), await newNumber()];
      const answers = await Promise.all([forward(left, right), forward(right, left)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    }
  });

  test("a number to forward to is written in the one way it is kept in, so that what is checked is what is called", async () => {
    const [{ id }, target] = [await newNumber(), await newNumber()];
    const trunk = target.e164.replace("+49", "+490");

    const refused = await put(id, { mode: "forward", forward_to: trunk });

    expect(refused).toMatchObject({ status: 422, body: { code: "destination_not_allowed" } });
    expect(refused.body.detail).toBe(`Write the number as ${target.e164}.`);
    expect((await put(id, { mode: "forward", forward_to: target.e164 })).status).toBe(200);
  });

  test("rejects a number that is not active, and shows the effective route of its calls", async () => {
    const { id } = await newNumber();
    await service.database.admin("update holdings set status = 'suspended' where id = $1", [id]);

    expect(await put(id, sip("x"))).toMatchObject({ status: 409, body: { code: "number_not_active" } });
    expect((await get(id)).body.effective_reason).toBe("number_suspended");
  });
});

describe("conditions", () => {
  test("If-Match lets a change through only at the generation it names", async () => {
    const { id } = await newNumber();

    const stale = await put(id, sip("a"), { headers: { "if-match": '"7"' } });
    const fresh = await put(id, sip("a"), { headers: { "if-match": '"1"' } });
    const any = await put(id, sip("b"), { headers: { "if-match": "*" } });
    const listed = await put(id, sip("c"), { headers: { "if-match": '"1", "3"' } });
    const weak = await put(id, sip("d"), { headers: { "if-match": 'W/"4"' } });

    expect(stale).toMatchObject({ status: 412, body: { code: "generation_mismatch", generation: 1 } });
    expect([fresh.status, any.status, listed.status]).toEqual([200, 200, 200]);
    expect(weak.status).toBe(412);
  });

  test("20 writers who read, decide and write with If-Match lose no update", async () => {
    const { id } = await newNumber();
    const writer = async (name: number): Promise<void> => {
      for (let tries = 0; tries < 400; tries++) {
        const seen = await get(id);
        const list = String(seen.body.desired.sip_uri ?? "sip:x@example.com").replace(/^sip:|@.*$/g, "");
        const written = await put(
          id,
          { mode: "sip_uri", sip_uri: `sip:${list}.${name}@example.com` },
          { headers: { "if-match": seen.headers.etag as string } },
        );
        if (written.status === 200) return;
        expect(written.status).toBe(412);
      }
      throw new Error("never got through");
    };

    await Promise.all(Array.from({ length: 20 }, (_, name) => writer(name)));

    const { body } = await get(id);
    expect(body.desired.generation).toBe(21);
    const names = body.desired.sip_uri
      .replace(/^sip:|@.*$/g, "")
      .split(".")
      .slice(1)
      .map(Number);
    expect(names.toSorted((a: number, b: number) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, name) => name),
    );
  });
});

describe("once per key", () => {
  test("the same request again gets the same bytes and changes nothing", async () => {
    const { id } = await newNumber();
    const key = randomUUID();

    const first = await put(id, sip("a"), { key });
    await put(id, sip("b"));
    const again = await put(id, sip("a"), { key });

    expect(again).toMatchObject({ status: 200, text: first.text });
    expect(again.headers).toMatchObject({ "idempotency-replayed": "true", etag: '"2"' });
    expect((await get(id)).body.desired.generation).toBe(3);
  });

  test("rejects another request with the key, and stores deterministic errors", async () => {
    const { id } = await newNumber();
    const [used, refusedKey] = [randomUUID(), randomUUID()];
    await put(id, sip("a"), { key: used });
    const unknown = { mode: "connection", connection_id: randomUUID() };
    const refused = await put(id, unknown, { key: refusedKey });

    expect(await put(id, sip("b"), { key: used })).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
    const again = await put(id, unknown, { key: refusedKey });
    expect(again).toMatchObject({ status: 422, text: refused.text });
    expect(again.headers["idempotency-replayed"]).toBe("true");
  });

  test("50 at once with one key make one change", async () => {
    const { id } = await newNumber();
    const key = randomUUID();

    const answers = await Promise.all(Array.from({ length: 50 }, () => put(id, sip("race"), { key })));

    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await get(id)).body.desired.generation).toBe(2);
  });
});

describe("history", () => {
  test("rolls back to an earlier revision as a new change", async () => {
    const { id } = await newNumber();
    await put(id, sip("first"));
    await put(id, { mode: "unrouted" });

    const back = await service.send("POST", `/v1/numbers/${id}/routing/rollback`, {
      headers: bearer(writeKey),
      body: { generation: 2 },
    });

    expect(back).toMatchObject({ status: 200, headers: { etag: '"4"' } });
    expect(back.body.desired).toMatchObject({
      ...sip("first"),
      generation: 4,
      reason: "Rolled back to generation 2",
    });
  });

  test("rejects a rollback by a key to a mode it cannot set, and to an unknown revision", async () => {
    const { id } = await newNumber();
    await put(id, { mode: "forward", forward_to: "+493099999999" });
    await put(id, { mode: "unrouted" });
    const rollBack = (token: string, generation: number): Promise<Sent> =>
      service.send("POST", `/v1/numbers/${id}/routing/rollback`, {
        headers: bearer(token),
        body: { generation },
      });

    expect(await rollBack(writeKey, 2)).toMatchObject({ status: 403, body: { code: "mode_not_allowed" } });
    expect(await rollBack(owner.token, 9)).toMatchObject({
      status: 404,
      body: { code: "revision_not_found" },
    });
    expect(await rollBack(owner.token, 2)).toMatchObject({ status: 200 });
  });

  test("two revisions compare field by field", async () => {
    const { id } = await newNumber();
    await put(id, sip("first"));
    await put(id, { mode: "webhook", webhook_url: "https://127.0.0.1/x" });

    const { body } = await service.send("GET", `/v1/numbers/${id}/routing/diff?from=2&to=3`, {
      headers: bearer(readKey),
    });

    expect(body.changes).toEqual([
      { field: "mode", from: "sip_uri", to: "webhook" },
      { field: "sip_uri", from: "sip:first@pbx.example.com", to: null },
      { field: "webhook_url", from: null, to: "https://127.0.0.1/x" },
      { field: "fallback.mode", from: null, to: "unrouted" },
    ]);
  });
});
