import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";

let service: Service;
let organisation: string;
let owner: Person;
let key: string;

beforeAll(async () => {
  service = await startService({ settings: { FORWARD_PREFIXES: "+49" } });
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
  key = (await service.key(owner, organisation, ["numbers", "numbers_write"])).secret;
});
afterAll(() => service[Symbol.asyncDispose]());

type Json = Record<string, unknown>;

const newNumber = async (): Promise<{ id: string; e164: string }> =>
  (await seedNumbers(service.app, organisation, "live", 1))[0]!;

const put = (id: string, body: unknown, token = owner.token): Promise<Sent> =>
  service.send("PUT", `/v1/numbers/${id}/routing`, {
    headers: { ...bearer(token), "idempotency-key": randomUUID() },
    body,
  });
const post = (path: string, body: unknown, token = owner.token): Promise<Sent> =>
  service.send("POST", path, { headers: { ...bearer(token), "idempotency-key": randomUUID() }, body });
const get = (path: string): Promise<Sent> => service.send("GET", path, { headers: bearer(owner.token) });

async function newConnection(name: string = randomUUID()): Promise<string> {
  const { body } = await post("/v1/connections", { name, targets: [{ host: "pbx.example.com" }] });
  return body.id as string;
}

const uri = (user: string, more: Json = {}): Json => ({
  mode: "sip_uri",
  sip_uri: `sip:${user}@pbx.example.com`,
  ...more,
});
const forward = (to: string, more: Json = {}): Json => ({ mode: "forward", forward_to: to, ...more });
const webhook = (path: string, more: Json = {}): Json => ({
  mode: "webhook",
  webhook_url: `https://hooks.example.com/${path}`,
  ...more,
});

describe("a routing with failover", () => {
  test("keeps three steps, with defaults filled in and causes in one order", async () => {
    const { id } = await newNumber();
    const connection_id = await newConnection();

    const { status, body } = await put(id, {
      mode: "connection",
      connection_id: connection_id.toUpperCase(),
      fallback: uri("desk", {
        on: ["busy", "unreachable", "no_answer"],
        ring_seconds: 20,
        fallback: forward("+493012345678"),
      }),
    });

    const stored = {
      mode: "connection",
      connection_id,
      ring_seconds: 30,
      fallback: uri("desk", {
        on: ["unreachable", "no_answer", "busy"],
        ring_seconds: 20,
        fallback: forward("+493012345678", { on: ["unreachable", "no_answer"] }),
      }),
    };
    expect([status, body.desired]).toEqual([200, expect.objectContaining(stored)]);
    const { body: number } = await get(`/v1/numbers/${id}`);
    expect(number.routing.destination).toMatchObject({ mode: "connection", steps: 3 });
    const [item] = await service.database.admin<{ value: Json }>(
      "select value from feed_items where item_id = $1 order by version desc limit 1",
      [id],
    );
    const { e164, ...value } = item!.value;
    expect([typeof e164, value]).toEqual(["string", stored]);
    // Sent again with its defaults, it is the same routing.
    expect((await put(id, stored)).body.desired.generation).toBe(body.desired.generation);
  });

  test("keeps what a webhook leaves undecided apart from failures of what it names", async () => {
    const { id } = await newNumber();

    const plain = await put(id, webhook("a", { fallback: uri("desk") }));
    expect(plain.body.desired).toMatchObject(webhook("a", { fallback: uri("desk") }));
    expect(plain.body.desired.fallback).not.toHaveProperty("on");

    const twice = await put(id, webhook("a", { fallback: webhook("b", { on: ["busy"] }) }));
    expect(twice.body.desired.fallback).toEqual(webhook("b", { on: ["busy"] }));
    expect((await put(id, webhook("a"))).body.desired.fallback).toEqual({ mode: "unrouted" });
  });

  test("is compared, rolled back and shown in the history step by step", async () => {
    const { id } = await newNumber();
    await put(id, uri("a", { fallback: uri("b", { on: ["busy"] }) }));
    await put(id, uri("a", { fallback: uri("b", { on: ["busy", "refused"], fallback: uri("c") }) }));

    const { body } = await get(`/v1/numbers/${id}/routing/diff?from=2&to=3`);
    expect(body.changes).toEqual([
      { field: "fallback.on", from: "busy", to: "busy, refused" },
      { field: "fallback.ring_seconds", from: null, to: "30" },
      { field: "fallback.fallback.on", from: null, to: "unreachable, no_answer" },
      { field: "fallback.fallback.mode", from: null, to: "sip_uri" },
      { field: "fallback.fallback.sip_uri", from: null, to: "sip:c@pbx.example.com" },
    ]);
    const back = await post(`/v1/numbers/${id}/routing/rollback`, { generation: 2 });
    expect(back.body.desired).toMatchObject(uri("a", { fallback: uri("b", { on: ["busy"] }) }));
  });

  test("is found by the destination and the connection of each step", async () => {
    const { id } = await newNumber();
    const [second, third] = [await newConnection(), await newConnection()];
    await put(id, {
      ...uri("found-first"),
      fallback: {
        mode: "connection",
        connection_id: second,
        fallback: { mode: "connection", connection_id: third },
      },
    });

    const found = async (query: string): Promise<string[]> =>
      (await get(`/v1/numbers?${query}`)).body.data.map(({ id: one }: { id: string }) => one);
    for (const query of [`connection_id=${second}`, `connection_id=${third}`, "destination=found-first"])
      expect([query, await found(query)]).toEqual([query, [id]]);
    expect((await get(`/v1/connections/${third}`)).body.in_use_by).toBe(1);
    const removed = await service.send("DELETE", `/v1/connections/${third}`, {
      headers: bearer(owner.token),
    });
    expect(removed).toMatchObject({ status: 409, body: { code: "connection_in_use" } });

    await put(id, forward("+493011112222", { fallback: uri("found-last") }));
    expect(await found("destination=found-last")).toEqual([id]);
    expect(await found("destination=found-first")).toEqual([]);
  });

  test("is set by a bulk change and by an order", async () => {
    const { id } = await newNumber();
    const routing = uri("bulk", { fallback: uri("other") });
    const plan = await post("/v1/numbers/bulk", { select: { ids: [id] }, change: { routing } });
    expect(plan.body.change.routing).toMatchObject({ ring_seconds: 30, fallback: { on: expect.any(Array) } });

    const order = await post("/v1/numbers/orders", {
      criteria: { country: "DE" },
      quantity: 1,
      routing: uri("a", { fallback: uri("a") }),
    });
    expect(order).toMatchObject({ status: 422, body: { code: "destination_not_allowed" } });
  });
});

describe("what is rejected", () => {
  test.each<[string, () => Json, string]>([
    [
      "more than 120 seconds before the last step",
      () => uri("a", { ring_seconds: 100, fallback: uri("b", { ring_seconds: 30, fallback: uri("c") }) }),
      "ring for 130 seconds",
    ],
    [
      "a destination twice",
      () => uri("a", { fallback: uri("b", { fallback: uri("a") }) }),
      "Step 3 repeats step 1",
    ],
    ["an unrouted fallback", () => uri("a", { fallback: { mode: "unrouted" } }), "cannot be unrouted"],
    [
      "a private address in the third step",
      () => uri("a", { fallback: uri("b", { fallback: { mode: "sip_uri", sip_uri: "sip:c@10.0.0.1" } }) }),
      "Fallback 2: 10.0.0.1 is not a public address",
    ],
    [
      "a number outside the allowed prefixes in the second step",
      () => uri("a", { fallback: forward("+442079460000") }),
      "Fallback 1:",
    ],
  ])("%s", async (_, routing, detail) => {
    const { id } = await newNumber();
    const { status, body } = await put(id, routing());
    expect([status, body.code, body.detail]).toEqual([
      422,
      "destination_not_allowed",
      expect.stringContaining(detail),
    ]);
  });

  test("a fourth step, a ring time outside 5 to 120, and an unknown cause", async () => {
    const { id } = await newNumber();
    const four = uri("a", { fallback: uri("b", { fallback: uri("c", { fallback: uri("d") }) }) });
    for (const [routing, pointer] of [
      [four, "#/fallback/fallback/fallback"],
      [uri("a", { ring_seconds: 4 }), "#/ring_seconds"],
      [uri("a", { fallback: uri("b", { on: ["bored"] }) }), "#/fallback/on/0"],
      [uri("a", { fallback: uri("b", { on: [] }) }), "#/fallback/on"],
      [{ mode: "unrouted", fallback: uri("b") }, "#/fallback"],
    ] as const)
      expect(await put(id, routing)).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [expect.objectContaining({ pointer })] },
      });
  });

  test("an unknown connection in any step, by its place", async () => {
    const { id } = await newNumber();
    const unknown = { mode: "connection", connection_id: randomUUID() };
    const routing = uri("a", { fallback: uri("b", { fallback: unknown }) });
    expect(await put(id, routing)).toMatchObject({ status: 422, body: { code: "connection_unknown" } });
    expect(await post("/v1/numbers/bulk", { select: { ids: [id] }, change: { routing } })).toMatchObject({
      status: 422,
      body: {
        code: "connection_unknown",
        errors: [{ pointer: "#/change/routing/fallback/fallback/connection_id" }],
      },
    });
  });

  test("a loop that needs a failure", async () => {
    const [one, two, three] = [await newNumber(), await newNumber(), await newNumber()];
    const to = ({ e164 }: { e164: string }, more: Json = {}) => forward(e164, more);
    await put(one.id, uri("a", { fallback: uri("b", { fallback: to(two) }) }));
    await put(two.id, forward("+493012345678", { fallback: to(three) }));

    const closing = uri("c", { fallback: to(one) });
    expect(await put(three.id, closing)).toMatchObject({ status: 422, body: { code: "forward_loop" } });
    expect((await put(three.id, uri("c", { fallback: forward("+493012345679") }))).status).toBe(200);
  });

  test.each([
    ["forward in the second step", uri("a", { fallback: forward("+493012345678") })],
    ["forward in the third step", uri("a", { fallback: uri("b", { fallback: forward("+493012345678") }) })],
    ["webhook in the second step", uri("a", { fallback: webhook("b") })],
    ["webhook in the third step", uri("a", { fallback: uri("b", { fallback: webhook("c") }) })],
  ])("for a key: %s, by PUT, bulk change and rollback", async (_, routing) => {
    const { id } = await newNumber();
    const denied = { status: 403, body: { code: "mode_not_allowed" } };
    expect(await put(id, routing, key)).toMatchObject(denied);
    expect(await post("/v1/numbers/bulk", { select: { ids: [id] }, change: { routing } }, key)).toMatchObject(
      denied,
    );

    expect((await put(id, routing)).status).toBe(200);
    expect((await put(id, uri("later"), key)).status).toBe(200);
    expect(await post(`/v1/numbers/${id}/routing/rollback`, { generation: 2 }, key)).toMatchObject(denied);
  });
});

describe("while a switch does not support failover", () => {
  test("only routings without failover are accepted, by PUT and bulk change", async () => {
    await using other = await startService();
    const own = await other.organisation();
    const { token } = await other.person({ [own]: "owner" });
    const [number] = await seedNumbers(other.app, own, "live", 1);
    const old = await makeSwitch(other);
    const set = (body: unknown): Promise<Sent> =>
      other.send("PUT", `/v1/numbers/${number!.id}/routing`, {
        headers: { ...bearer(token), "idempotency-key": randomUUID() },
        body,
      });
    const withSteps = uri("a", { fallback: uri("b") });

    expect(await set(withSteps)).toMatchObject({ status: 409, body: { code: "switches_outdated" } });
    expect((await set(uri("a"))).status).toBe(200);
    expect((await set(webhook("a", { fallback: uri("b") }))).status).toBe(200);

    const report = async (more: Json): Promise<Sent> =>
      other.send("POST", "/switch/v1/reports", {
        headers: bearer(old.credential),
        body: {
          epoch: other.app.feed.epoch(),
          boot: "1",
          agent_version: "1.0.0",
          is_complete: false,
          shards: [],
          ...more,
        },
      });
    expect((await report({ features: ["failover", "of_a_later_release"] })).status).toBeLessThan(300);
    expect((await set(withSteps)).status).toBe(200);
    // A downgraded agent no longer reports it. Setting the same routing again is still accepted.
    expect((await report({})).status).toBeLessThan(300);
    expect((await set(withSteps)).status).toBe(200);
    expect(await set(uri("a", { fallback: uri("c") }))).toMatchObject({
      status: 409,
      body: { code: "switches_outdated" },
    });
  });
});
