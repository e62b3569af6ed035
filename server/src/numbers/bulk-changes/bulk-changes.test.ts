import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { sweepBulkChangesJob } from "./bulk-changes.jobs.ts";

let service: Service;
let organisation: string;
let owner: Person;
let developer: Person;
let writeKey: string;
beforeAll(async () => {
  service = await startService({ worker: true, settings: { FORWARD_PREFIXES: "+49" } });
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
  developer = await service.person({ [organisation]: "developer" });
  writeKey = (await service.key(owner, organisation, ["numbers_write"])).secret;
});
afterAll(() => service[Symbol.asyncDispose]());

const PATH = "/v1/numbers/bulk";
const sip = (user: string): object => ({ mode: "sip_uri", sip_uri: `sip:${user}@pbx.example.com` });

async function newNumbers(count: number): Promise<string[]> {
  return (await seedNumbers(service.app, organisation, "live", count)).map(({ id }) => id).toSorted();
}

function plan(
  ids: string[],
  change: object,
  token = owner.token,
  headers: Record<string, string> = {},
): Promise<Sent> {
  return post(PATH, { select: { ids }, change, reason: "The move" }, token, headers);
}

function post(
  path: string,
  body: unknown,
  token = owner.token,
  headers: Record<string, string> = {},
): Promise<Sent> {
  return service.send("POST", path, { headers: { ...bearer(token), ...headers }, body });
}

const get = (path: string, token = owner.token): Promise<Sent> =>
  service.send("GET", path, { headers: bearer(token) });

const apply = (id: string, token = owner.token): Promise<Sent> => post(`${PATH}/${id}/apply`, {}, token);

function put(id: string, body: object): Promise<Sent> {
  return service.send("PUT", `/v1/numbers/${id}/routing`, {
    headers: { ...bearer(owner.token), "idempotency-key": randomUUID() },
    body,
  });
}

const routingOf = async (id: string): Promise<Sent["body"]> =>
  (await get(`/v1/numbers/${id}/routing`)).body.desired;

async function finished(id: string): Promise<Sent["body"]> {
  return until(async () => {
    const { body } = await get(`${PATH}/${id}`);
    return body.status === "finished" && body;
  });
}

async function outcomes(id: string): Promise<Record<string, string>> {
  const { body } = await get(`${PATH}/${id}/items?limit=1000`);
  return Object.fromEntries(
    body.data.map((item: { number_id: string; outcome: string }) => [item.number_id, item.outcome]),
  );
}

describe("a plan", () => {
  test("shows what would be changed, and changes nothing", async () => {
    const [one, two] = await newNumbers(2);
    await put(two!, sip("before"));
    const lost = randomUUID();

    const planned = await plan([one!, two!, two!.toUpperCase(), lost], { routing: sip("after") });

    const { id } = planned.body;
    expect(planned).toMatchObject({
      status: 201,
      headers: { location: `http://127.0.0.1:8080${PATH}/${id}` },
      body: {
        status: "planned",
        change: { routing: sip("after") },
        reason: "The move",
        progress: { total: 2, set: 0, unchanged: 0, stale: 0, failed: 0 },
        missing: [lost],
        created_by: { kind: "session", id: owner.userId, name: owner.name },
        started_at: null,
        finished_at: null,
      },
    });
    expect(Date.parse(planned.body.expires_at) - Date.parse(planned.body.created_at)).toBe(86_400_000);
    expect((await get(`${PATH}/${id}`)).body).toEqual(planned.body);
    expect((await get(PATH)).body.data).toContainEqual(planned.body);
    const { body: items } = await get(`${PATH}/${id}/items`);
    expect(items.data).toMatchObject([
      { number_id: one, from: { mode: "unrouted", generation: 1 }, outcome: "planned", error: null },
      {
        number_id: two,
        from: { mode: "sip_uri", generation: 2, desired: { mode: "sip_uri" } },
        outcome: "planned",
        error: null,
      },
    ]);
    expect(await routingOf(one!)).toMatchObject({ mode: "unrouted", generation: 1 });
  });

  test("takes what the filters of the list match, page after page", async () => {
    const ids = await newNumbers(3);
    await Promise.all(
      ids.map((id) =>
        service.send("PATCH", `/v1/numbers/${id}`, {
          headers: bearer(owner.token),
          body: { tags: ["filtered"] },
        }),
      ),
    );
    await put(ids[1]!, sip("x"));
    const body = {
      select: { filter: { tag: "filtered", mode: "unrouted" } },
      change: { release_lock: true },
    };

    const { body: planned } = await post(PATH, body);
    const first = await get(`${PATH}/${planned.id}/items?limit=1&outcome=planned`);
    const second = await get(
      `${PATH}/${planned.id}/items?limit=1&outcome=planned&cursor=${first.body.next_cursor}`,
    );

    expect(planned.progress.total).toBe(2);
    expect([...first.body.data, ...second.body.data].map((item) => item.number_id)).toEqual([ids[0], ids[2]]);
    expect(second.body.next_cursor).toBeNull();
  });

  test("rejects a destination that is not allowed and an unknown connection", async () => {
    const ids = await newNumbers(1);

    expect(await plan(ids, { routing: { mode: "sip_uri", sip_uri: "sip:a@10.0.0.1" } })).toMatchObject({
      status: 422,
      body: { code: "destination_not_allowed" },
    });
    const connection = { mode: "connection", connection_id: randomUUID() };
    expect(await plan(ids, { routing: connection })).toMatchObject({
      status: 422,
      body: { code: "connection_unknown", errors: [{ pointer: "#/change/routing/connection_id" }] },
    });
    const webhook = { mode: "webhook", webhook_url: "https://hooks.example.com", fallback: connection };
    expect(await plan(ids, { routing: webhook })).toMatchObject({
      body: { code: "connection_unknown", errors: [{ pointer: "#/change/routing/fallback/connection_id" }] },
    });
  });

  test.each([
    { select: {}, change: { release_lock: true } },
    { select: { ids: [] }, change: { release_lock: true } },
    { select: { ids: [randomUUID()], filter: {} }, change: { release_lock: true } },
    { select: { filter: { sort: "e164" } }, change: { release_lock: true } },
    { select: { filter: {} }, change: {} },
    { select: { filter: {} }, change: { tags: {} } },
    { select: { filter: {} }, change: { release_lock: true, tags: { add: ["a"] } } },
    { select: { filter: {} }, change: { routing: { mode: "sip_uri", forward_to: "+4930123456" } } },
    { select: { filter: {} }, change: null },
  ])("%j is not a plan", async (body) => {
    expect(await post(PATH, body)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  test("is created once if sent twice with one key", async () => {
    const ids = await newNumbers(1);
    const key = { "idempotency-key": randomUUID() };

    const [first, second] = [
      await plan(ids, { release_lock: true }, owner.token, key),
      await plan(ids, { release_lock: true }, owner.token, key),
    ];

    expect(second.body.id).toBe(first.body.id);
    expect(second.headers["idempotency-replayed"]).toBe("true");
  });
});

describe("applying", () => {
  test("sets exactly the planned numbers as the planner, with an event and an audit entry for each step", async () => {
    const [one, two, other] = await newNumbers(3);
    await put(two!, sip("new"));
    const { body: planned } = await plan([one!, two!], { routing: sip("new") });

    const started = await apply(planned.id, developer.token);
    const done = await finished(planned.id);

    expect(started).toMatchObject({
      status: 202,
      headers: { location: `http://127.0.0.1:8080${PATH}/${planned.id}` },
      body: { id: planned.id, status: "applying" },
    });
    expect(done.progress).toEqual({ total: 2, set: 1, unchanged: 1, stale: 0, failed: 0 });
    expect(await outcomes(planned.id)).toEqual({ [one!]: "set", [two!]: "unchanged" });
    expect(await routingOf(one!)).toMatchObject({
      ...sip("new"),
      generation: 2,
      reason: "The move",
      set_by: { kind: "session", id: owner.userId, name: owner.name },
    });
    expect(await routingOf(two!)).toMatchObject({ generation: 2 });
    expect(await routingOf(other!)).toMatchObject({ generation: 1 });
    expect(await traces(planned.id, "events", "type")).toEqual([
      { what: "bulk_change.planned", detail: { change: "routing", total: 2 } },
      { what: "bulk_change.started", detail: { total: 2 } },
      { what: "bulk_change.finished", detail: { total: 2, set: 1, unchanged: 1, stale: 0, failed: 0 } },
    ]);
    expect(await traces(planned.id, "audit_entries", "action")).toEqual(
      await traces(planned.id, "events", "type"),
    );
    expect(await traces(one!, "events", "type")).toContainEqual({
      what: "routing.changed",
      detail: { mode: "sip_uri", generation: 2 },
    });
  });

  test("a number changed after the plan is stale and keeps what it was given", async () => {
    const [one, two] = await newNumbers(2);
    const { body: planned } = await plan([one!, two!], { routing: sip("bulk") });
    await put(one!, sip("by-hand"));

    await apply(planned.id);
    const done = await finished(planned.id);

    expect(done.progress).toMatchObject({ set: 1, stale: 1 });
    expect(await outcomes(planned.id)).toEqual({ [one!]: "stale", [two!]: "set" });
    expect(await routingOf(one!)).toMatchObject({ ...sip("by-hand"), generation: 2 });
    const { body: stale } = await get(`${PATH}/${planned.id}/items?outcome=stale`);
    expect(stale.data.map((item: { number_id: string }) => item.number_id)).toEqual([one]);
  });

  test("what cannot be set fails with a reason, and the others are set", async () => {
    const numbers = await seedNumbers(service.app, organisation, "live", 3);
    const [suspended, target, fine] = numbers.map(({ id }) => id);
    const { body: planned } = await plan([suspended!, target!, fine!], {
      routing: { mode: "forward", forward_to: numbers[1]!.e164 },
    });
    await service.database.admin("update holdings set status = 'suspended' where id = $1", [suspended]);

    await apply(planned.id);
    await finished(planned.id);

    const { body } = await get(`${PATH}/${planned.id}/items`);
    const error = (id: string | undefined): unknown =>
      body.data.find((item: { number_id: string }) => item.number_id === id).error;
    expect(await outcomes(planned.id)).toEqual({
      [suspended!]: "failed",
      [target!]: "failed",
      [fine!]: "set",
    });
    expect(error(suspended)).toEqual({
      code: "number_not_active",
      detail: expect.stringMatching(/not active\./),
    });
    expect(error(target)).toMatchObject({ code: "forward_loop" });
    expect(error(fine)).toBeNull();
  });

  test("sends an unknown connection to the switches once for all numbers", async () => {
    const ids = await newNumbers(5);
    const connection = await newConnection();
    const { body: planned } = await plan(ids, { routing: { mode: "connection", connection_id: connection } });

    await apply(planned.id);
    const done = await finished(planned.id);

    expect(done.progress).toMatchObject({ total: 5, set: 5 });
    const told = "select version from feed_items where item_id = $1";
    expect(await service.database.admin(told, [connection])).toHaveLength(1);
  });

  test("a connection deleted after the plan fails every number, and changes none", async () => {
    const [id] = await newNumbers(1);
    const connection = await newConnection();
    const { body: planned } = await plan([id!], {
      routing: { mode: "connection", connection_id: connection },
    });
    await service.send("DELETE", `/v1/connections/${connection}`, { headers: bearer(owner.token) });

    await apply(planned.id);
    await finished(planned.id);

    expect((await get(`${PATH}/${planned.id}/items`)).body.data).toMatchObject([
      { outcome: "failed", error: { code: "connection_unknown" } },
    ]);
    expect(await routingOf(id!)).toMatchObject({ mode: "unrouted", generation: 1 });
  });

  test("rejects a second start, and a start after a day", async () => {
    await using own = await startService();
    const org = await own.organisation();
    const { token } = await own.person({ [org]: "owner" });
    const [number] = await seedNumbers(own.app, org, "live", 1);
    const send = (path: string, body: object): Promise<Sent> =>
      own.send("POST", path, { headers: bearer(token), body });
    const newPlan = async (): Promise<string> =>
      (await send(PATH, { select: { ids: [number!.id] }, change: { release_lock: true } })).body.id;
    const [first, late] = [await newPlan(), await newPlan()];

    const answers = await Promise.all([1, 2, 3, 4].map(() => send(`${PATH}/${first}/apply`, {})));
    own.clock.advance(86_400_000);
    await own.database.admin("update sessions set last_seen_at = $1", [own.clock.now()]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409]);
    expect(await send(`${PATH}/${late}/apply`, {})).toMatchObject({
      status: 409,
      body: { code: "bulk_change_not_planned", detail: expect.stringContaining("expired") },
    });
    const status = async (): Promise<Sent> => own.send("GET", `${PATH}/${late}`, { headers: bearer(token) });
    expect((await status()).body.status).toBe("expired");
    await sweepBulkChangesJob.run(own.app);
    expect((await status()).status).toBe(200);
    own.clock.advance(86_400_001);
    await own.database.admin("update sessions set last_seen_at = $1", [own.clock.now()]);
    await sweepBulkChangesJob.run(own.app);
    expect(await status()).toMatchObject({ status: 404, body: { code: "bulk_change_not_found" } });
    expect(
      await own.database.admin("select 1 from bulk_change_items where bulk_change_id = $1", [late]),
    ).toEqual([]);
    expect((await own.send("GET", `${PATH}/${first}`, { headers: bearer(token) })).status).toBe(200);
  });

  test("adds and removes tags and sets locks, each with its event; concurrently retagged numbers are stale", async () => {
    const [one, two, full] = await newNumbers(3);
    const tag = (id: string, tags: string[]): Promise<Sent> =>
      service.send("PATCH", `/v1/numbers/${id}`, { headers: bearer(owner.token), body: { tags } });
    await tag(one!, ["old", "kept"]);
    await tag(
      full!,
      Array.from({ length: 20 }, (_, at) => `tag ${at}`),
    );
    const { body: tags } = await plan([one!, two!, full!], { tags: { add: ["new"], remove: ["old"] } });
    await tag(two!, ["by hand"]);
    const { body: lock } = await plan([one!], { release_lock: true });

    await apply(tags.id);
    await finished(tags.id);
    await apply(lock.id);
    await finished(lock.id);

    expect(await outcomes(tags.id)).toEqual({ [one!]: "set", [two!]: "stale", [full!]: "failed" });
    expect((await get(`/v1/numbers/${one}`)).body).toMatchObject({
      tags: ["kept", "new"],
      release_lock: true,
    });
    expect((await get(`/v1/numbers/${two}`)).body).toMatchObject({ tags: ["by hand"], release_lock: false });
    expect((await traces(one!, "events", "type")).slice(-2)).toEqual([
      { what: "number.changed", detail: { tags: ["kept", "new"] } },
      { what: "number.changed", detail: { release_lock: true } },
    ]);
  });
});

describe("who may", () => {
  test.each([
    [{ routing: { mode: "forward" } }, "mode_not_allowed"],
    [{ routing: { mode: "webhook", nonsense: 1 } }, "mode_not_allowed"],
    [{ tags: { add: ["a"] } }, "caller_kind_not_allowed"],
    [{ release_lock: true }, "caller_kind_not_allowed"],
  ])("a key cannot plan %j, whatever else is wrong with the request: %s", async (change, code) => {
    expect(await post(PATH, { change, unknown: true }, writeKey)).toMatchObject({
      status: 403,
      body: { code },
    });
  });

  test("a key plans and applies routing; it starts nothing that it could not have planned", async () => {
    const ids = await newNumbers(1);
    const { body: own } = await plan(ids, { routing: sip("key") }, writeKey);
    const { body: forward } = await plan(ids, { routing: { mode: "forward", forward_to: "+4930123456" } });
    const { body: tags } = await plan(ids, { tags: { add: ["a"] } });

    expect((await apply(own.id, writeKey)).status).toBe(202);
    expect(await apply(forward.id, writeKey)).toMatchObject({ body: { code: "mode_not_allowed" } });
    expect(await apply(tags.id, writeKey)).toMatchObject({ body: { code: "caller_kind_not_allowed" } });
    await finished(own.id);
    expect(await routingOf(ids[0]!)).toMatchObject({ ...sip("key"), set_by: { kind: "api_key" } });
    expect((await get(`${PATH}/${own.id}`, writeKey)).body.created_by.kind).toBe("api_key");
  });

  test("shows a write-only key the progress of its plan, but not the numbers of a filter", async () => {
    const [id] = await newNumbers(1);
    const tag = randomUUID();
    await service.database.admin("update holdings set tags = array[$2] where id = $1", [id, tag]);
    const planned = await post(
      PATH,
      { select: { filter: { tag } }, change: { routing: sip("key") } },
      writeKey,
    );
    const { body } = await get(`${PATH}/${planned.body.id}`, writeKey);

    expect(body.progress.total).toBe(1);
    expect(planned.text + JSON.stringify(body)).not.toContain(id);
    for (const path of [PATH, `${PATH}/${planned.body.id}/items`])
      expect(await get(path, writeKey)).toMatchObject({ status: 403, body: { code: "scope_missing" } });
  });

  test("a key that only reads, and a plain member, plan nothing", async () => {
    const readKey = (await service.key(owner, organisation, ["numbers"])).secret;
    const member = await service.person({ [organisation]: "member" });
    const ids = await newNumbers(1);

    expect(await plan(ids, { routing: sip("a") }, readKey)).toMatchObject({
      body: { code: "scope_missing" },
    });
    expect(await plan(ids, { routing: sip("a") }, member.token)).toMatchObject({
      body: { code: "role_not_allowed" },
    });
    expect((await get(PATH, readKey)).status).toBe(200);
    expect((await get(PATH, member.token)).body.code).toBe("role_not_allowed");
  });

  test("a developer tags, but neither sets the release lock nor starts such a plan", async () => {
    const ids = await newNumbers(1);
    const { body: locking } = await plan(ids, { release_lock: true });

    expect((await plan(ids, { tags: { add: ["a"] } }, developer.token)).status).toBe(201);
    expect(await plan(ids, { release_lock: true }, developer.token)).toMatchObject({
      status: 403,
      body: { code: "role_not_allowed" },
    });
    expect(await apply(locking.id, developer.token)).toMatchObject({ body: { code: "role_not_allowed" } });
  });

  test("numbers and plans of another organisation are as if they were not there", async () => {
    const elsewhere = await service.organisation();
    const stranger = await service.person({ [elsewhere]: "owner" });
    const ids = await newNumbers(1);
    const { body: planned } = await plan(ids, { routing: sip("mine") });

    expect((await plan(ids, { routing: sip("theirs") }, stranger.token)).body).toMatchObject({
      missing: ids,
      progress: { total: 0 },
    });
    for (const answer of [
      await get(`${PATH}/${planned.id}`, stranger.token),
      await get(`${PATH}/${planned.id}/items`, stranger.token),
      await apply(planned.id, stranger.token),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: "bulk_change_not_found" } });
  });
});

async function newConnection(): Promise<string> {
  const wanted = { name: randomUUID(), targets: [{ host: "pbx.example.com" }] };
  return (await post("/v1/connections", wanted)).body.id;
}

async function traces(
  subject: string,
  table: "events" | "audit_entries",
  name: "type" | "action",
): Promise<{ what: string; detail: object }[]> {
  const [data, order] = table === "events" ? ["data", "sequence"] : ["detail", "id"];
  return service.database.admin(
    `select ${name} as what, ${data} as detail from ${table} where subject = $1 order by ${order}`,
    [subject],
  );
}
