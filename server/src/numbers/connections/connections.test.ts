import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Environment } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { changeRouting, type Destination } from "../routing/routing.ts";

const PATH = "/v1/connections";
const TARGETS = [{ host: "pbx.example.com" }];
const UNKNOWN = { state: "unknown", switches: [] };

let service: Service;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  service = await startService({ settings: { DATABASE_CONNECTIONS: "20" } });
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

let names = 0;
const newName = (): string => `Trunk ${++names}`;

function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Sent> {
  return service.send(method, `${PATH}${path}`, { headers: { ...bearer(owner.token), ...headers }, body });
}
const create = (body: object = {}, headers?: Record<string, string>): Promise<Sent> =>
  call("POST", "", { name: newName(), targets: TARGETS, ...body }, headers);
const change = (id: string, body: object, headers?: Record<string, string>): Promise<Sent> =>
  call("PATCH", `/${id}`, body, headers);
const read = (id: string): Promise<Sent> => call("GET", `/${id}`);
const remove = (id: string): Promise<Sent> => call("DELETE", `/${id}`);

async function newNumber(of = organisation, environment: Environment = "live"): Promise<string> {
  const [number] = await seedNumbers(service.app, of, environment, 1);
  return number!.id;
}

/** As PUT routing does it, without the HTTP around it. */
function route(numberId: string, desired: Destination): Promise<unknown> {
  const actor: Actor = {
    caller: {
      kind: "session",
      id: newId(),
      userId: owner.userId,
      name: owner.name,
      email: owner.email,
      isOperator: false,
      transport: "bearer",
      reauthenticatedAt: service.clock.now(),
      expiresAt: service.clock.now(),
      memberships: [],
    },
    organisationId: organisation,
    environment: "live",
    role: "owner",
    origin: { requestId: "test", address: "127.0.0.1", userAgent: "test", allowances: [] },
  };
  return service.app.db.forOrganisation(actor, (tx) =>
    changeRouting(tx, service.app, actor, { numberId, desired, ifMatch: undefined }),
  );
}
const routeTo = (numberId: string, connectionId: string): Promise<unknown> =>
  route(numberId, { mode: "connection", connection_id: connectionId });

/** Published versions of a connection, in order. */
const told = (id: string) =>
  service.database.admin<{ shard: number; version: string; generation: string; value: unknown }>(
    "select shard, version, generation, value from feed_items where item_id = $1 order by version",
    [id],
  );
const placementsOf = (id: string) =>
  service.database.admin<{ shard: number; version: string }>(
    "select shard, version from connection_placements where connection_id = $1",
    [id],
  );
const tracesOf = (id: string) =>
  service.database.admin(
    `select e.type, e.environment, e.data, a.actor_id from events e
     join audit_entries a on a.action = e.type and a.subject = e.subject and a.at = e.created_at
     where e.subject = $1 order by e.sequence`,
    [id],
  );

describe("making one", () => {
  test("fills in defaults and returns the connection at Location", async () => {
    const made = await create({
      name: "Head office",
      targets: [
        { host: "PBX.example.com" },
        { host: "sip.example.net", transport: "tls", priority: 2, weight: 30 },
        { host: "2600::5060", port: 5070, transport: "tcp" },
      ],
      ring_seconds: 20,
    });
    const { body } = made;
    expect(made.status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: "Head office",
      targets: [
        { host: "pbx.example.com", port: 5060, transport: "udp", priority: 1, weight: 1, health: UNKNOWN },
        { host: "sip.example.net", port: 5061, transport: "tls", priority: 2, weight: 30, health: UNKNOWN },
        { host: "2600::5060", port: 5070, transport: "tcp", priority: 1, weight: 1, health: UNKNOWN },
      ],
      max_calls: null,
      ring_seconds: 20,
      sources: [],
      metadata: {},
      generation: 1,
      in_use_by: 0,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(made.headers.location).toBe(`http://127.0.0.1:8080${PATH}/${body.id}`);
    const again = await read(body.id);
    expect(again).toMatchObject({ status: 200, headers: { etag: '"1"' } });
    expect(again.body).toEqual(body);
    expect(await tracesOf(body.id)).toEqual([
      {
        type: "connection.created",
        environment: "live",
        data: { name: "Head office", generation: 1 },
        actor_id: owner.userId,
      },
    ]);
    expect(await told(body.id)).toEqual([]);
  });
  test("creates once and responds twice with one key", async () => {
    const body = { name: newName(), targets: TARGETS };
    const key = { "idempotency-key": newId() };

    const [first, again] = [await create(body, key), await create(body, key)];

    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect(await tracesOf(first.body.id)).toHaveLength(1);
  });

  test("of eight who make one of the same name at once, one does", async () => {
    const name = newName();

    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name })));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
      code: "connection_name_taken",
      errors: [{ pointer: "#/name" }],
    });
  });

  test("a name is taken on one side of one organisation only", async () => {
    const name = newName();
    const elsewhere = await service.person({ [await service.organisation()]: "owner" });
    await create({ name });

    expect((await create({ name }, { "x-service-environment": "test" })).status).toBe(201);
    expect((await create({ name }, bearer(elsewhere.token))).status).toBe(201);
  });

  test.each([
    ["no target", { targets: [] }],
    ["21 targets", { targets: Array.from({ length: 21 }, () => TARGETS[0]) }],
    ["an unknown transport", { targets: [{ host: "pbx.example.com", transport: "sctp" }] }],
    ["port 0", { targets: [{ host: "pbx.example.com", port: 0 }] }],
    ["priority 101", { targets: [{ host: "pbx.example.com", priority: 101 }] }],
    ["weight 0", { targets: [{ host: "pbx.example.com", weight: 0 }] }],
    ["a blank name", { name: " " }],
    ["a name of 101 letters", { name: "x".repeat(101) }],
    ["no calls at all", { max_calls: 0 }],
    ["four seconds of ringing", { ring_seconds: 4 }],
    ["a field of its own", { generation: 7 }],
  ])("rejects %s as malformed", async (_, body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  test("targets must be public, and every one that is not is named", async () => {
    const inside = [
      { host: "10.0.0.1" },
      ...TARGETS,
      { host: "localhost" },
      { host: "pbx.example.com:5060" },
    ];
    const refused = {
      status: 422,
      body: {
        code: "destination_not_allowed",
        errors: [0, 2, 3].map((at) => ({ pointer: `#/targets/${at}/host`, code: "not_allowed" })),
      },
    };
    const { id } = (await create()).body;

    expect(await create({ targets: inside })).toMatchObject(refused);
    expect(await change(id, { targets: inside })).toMatchObject(refused);
    expect((await read(id)).body.generation).toBe(1);
  });
});

describe("reading them", () => {
  test("the list holds what the organisation has on this side, page by page", async () => {
    const headers = bearer((await service.person({ [await service.organisation()]: "developer" })).token);
    const made = [];
    for (let at = 0; at < 3; at++) made.push((await create({}, headers)).body);
    await create({}, { ...headers, "x-service-environment": "test" });

    const first = await call("GET", "?limit=2", undefined, headers);
    const rest = await call("GET", `?limit=2&cursor=${first.body.next_cursor}`, undefined, headers);

    expect([...first.body.data, ...rest.body.data]).toEqual(made);
    expect(first.body.data).toHaveLength(2);
    expect(rest.body.next_cursor).toBeNull();
  });

  test("counts the numbers that use it as destination and as fallback", async () => {
    const { id } = (await create()).body;
    const [one, other] = [await newNumber(), await newNumber()];
    await routeTo(one, id);
    await route(other, {
      mode: "webhook",
      webhook_url: "https://hooks.example.com/calls",
      fallback: { mode: "connection", connection_id: id },
    });

    expect((await read(id)).body.in_use_by).toBe(2);
    await route(one, { mode: "unrouted" });
    expect((await read(id)).body.in_use_by).toBe(1);
  });
});

describe("changing one", () => {
  test("it gets the next generation, and what is left out stays", async () => {
    const made = (await create({ max_calls: 30, ring_seconds: 20 })).body;
    const targets = [{ host: "new.example.com", port: 5080, transport: "tcp", priority: 2, weight: 3 }];

    const changed = await change(made.id, { targets, max_calls: null });

    expect(changed).toMatchObject({ status: 200, headers: { etag: '"2"' } });
    expect(changed.body).toEqual({
      ...made,
      targets: targets.map((target) => ({ ...target, health: UNKNOWN })),
      max_calls: null,
      generation: 2,
      updated_at: changed.body.updated_at,
    });
    expect((await read(made.id)).body).toEqual(changed.body);
    expect((await tracesOf(made.id)).at(-1)).toMatchObject({
      type: "connection.changed",
      data: { name: made.name, generation: 2 },
    });
  });

  test("keeps generation, events and feed if nothing changes", async () => {
    const { body } = await create({ max_calls: 30 });
    await routeTo(await newNumber(), body.id);
    const { name, max_calls, targets } = body;
    const host = (targets[0].host as string).toUpperCase();

    for (const nothing of [{}, { name }, { name, max_calls, targets: [{ host }], ring_seconds: null }]) {
      const answer = await change(body.id, nothing);
      expect(answer).toMatchObject({ status: 200, headers: { etag: '"1"' } });
      expect(answer.body).toEqual({ ...body, in_use_by: 1 });
    }

    expect(await tracesOf(body.id)).toHaveLength(1);
    expect(await told(body.id)).toHaveLength(1);
  });

  test("accepts the current ETag in If-Match, and returns the current generation otherwise", async () => {
    const { id } = (await create()).body;
    const renamed = await change(id, { name: newName() }, { "if-match": '"1"' });

    const late = await change(id, { name: newName() }, { "if-match": '"1", "7"' });

    expect(renamed.status).toBe(200);
    expect(late).toMatchObject({ status: 412, body: { code: "generation_mismatch", generation: 2 } });
    expect((await change(id, { name: newName() }, { "if-match": '"7", "2"' })).status).toBe(200);
    expect((await change(id, { name: newName() }, { "if-match": "*" })).body.generation).toBe(4);
    expect((await change(newId(), { name: "x" }, { "if-match": '"1"' })).status).toBe(404);
  });

  test("rejects the name of another connection", async () => {
    const [one, other] = [(await create()).body, (await create()).body];

    expect(await change(one.id, { name: other.name })).toMatchObject({
      status: 409,
      body: { code: "connection_name_taken" },
    });
    expect((await read(one.id)).body).toEqual(one);
  });

  test("of ten changes at once none is lost: ten generations, ten events, versions in their order", async () => {
    const { id } = (await create()).body;
    await routeTo(await newNumber(), id);

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => change(id, { max_calls: 100 + at })),
    );

    const generations = answers.map(({ body }) => body.generation as number);
    expect(generations.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(await tracesOf(id)).toHaveLength(11);
    expect((await told(id)).map(({ generation }) => Number(generation))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });
});

describe("sent to the switches", () => {
  test("nothing until a number uses it, then every generation; the numbers' own routing is not touched", async () => {
    const { id } = (await create({ max_calls: 30 })).body;
    await change(id, { ring_seconds: 20 });
    expect(await told(id)).toEqual([]);

    const number = await newNumber();
    await routeTo(number, id);
    const routingOf = () => service.database.admin("select * from routings where holding_id = $1", [number]);
    const before = { routing: await routingOf(), items: await told(number) };
    await change(id, { targets: [{ host: "new.example.com", transport: "tls" }], max_calls: null });

    const target = { priority: 1, weight: 1 };
    const old = { ...target, host: "pbx.example.com", port: 5060, transport: "udp" };
    const items = await told(id);
    expect(items).toMatchObject([
      { generation: "2", value: { max_calls: 30, ring_seconds: 20, targets: [old] } },
      {
        generation: "3",
        value: {
          ring_seconds: 20,
          targets: [{ ...target, host: "new.example.com", port: 5061, transport: "tls" }],
        },
      },
    ]);
    expect(await placementsOf(id)).toEqual([{ shard: items[1]!.shard, version: items[1]!.version }]);
    expect({ routing: await routingOf(), items: await told(number) }).toEqual(before);
  });

  test("that it is gone, once it is deleted", async () => {
    const { id } = (await create()).body;
    const number = await newNumber();
    await routeTo(number, id);
    await route(number, { mode: "unrouted" });

    expect((await remove(id)).status).toBe(204);

    expect(await told(id)).toMatchObject([{ generation: "1" }, { generation: "2", value: null }]);
    expect(await placementsOf(id)).toEqual([]);
  });
});

describe("deleting one", () => {
  test("it is gone, its name is free, and the event says so", async () => {
    const { id, name } = (await create()).body;

    expect((await remove(id)).status).toBe(204);

    expect((await read(id)).body.code).toBe("connection_not_found");
    expect((await remove(id)).status).toBe(404);
    expect((await tracesOf(id)).at(-1)).toMatchObject({
      type: "connection.deleted",
      data: { name, generation: 1 },
    });
    expect((await create({ name })).status).toBe(201);
  });

  test.each<[string, (id: string) => Destination]>([
    ["destination", (id) => ({ mode: "connection", connection_id: id })],
    [
      "fallback",
      (id) => ({
        mode: "webhook",
        webhook_url: "https://hooks.example.com/calls",
        fallback: { mode: "connection", connection_id: id },
      }),
    ],
  ])("not while it is the %s of a number", async (_, desired) => {
    const { id } = (await create()).body;
    const number = await newNumber();
    await route(number, desired(id));

    expect(await remove(id)).toMatchObject({ status: 409, body: { code: "connection_in_use" } });
    expect((await tracesOf(id)).map(({ type }: { type?: string }) => type)).toEqual(["connection.created"]);
    await route(number, { mode: "unrouted" });
    expect((await remove(id)).status).toBe(204);
  });

  /** Changes of an organisation queue for its event head. Holding that lock puts them into a known order. */
  async function inThisOrder(...starts: (() => Promise<unknown>)[]): Promise<unknown[]> {
    const started: Promise<unknown>[] = [];
    await service.app.db.forSystem("operator", async (tx) => {
      await tx.query("select from event_heads where organisation_id = $1 for update", [organisation]);
      for (const start of starts) {
        started.push(start());
        await until(async () => (await waiting()).length === started.length);
      }
    });
    return Promise.all(started);
  }
  const waiting = () =>
    service.database.admin(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );

  const toIt: Move = (number, id) => ({ number, desired: { mode: "connection", connection_id: id } });
  const awayFromIt: Move = (number) => ({ number, desired: { mode: "unrouted" } });
  type Move = (number: string, id: string) => { number: string; desired: Destination };

  test.each<[string, { before: boolean; known: boolean; move: Move; first: unknown[]; second: unknown[] }]>([
    [
      "a number turns to it that no switch knows",
      { before: false, known: false, move: toIt, first: ["set", 409], second: ["connection_unknown", 204] },
    ],
    [
      "a number turns to it that the switches know",
      { before: false, known: true, move: toIt, first: ["set", 409], second: ["connection_unknown", 204] },
    ],
    [
      "its last number turns away",
      { before: true, known: true, move: awayFromIt, first: ["set", 204], second: ["set", 409] },
    ],
  ])(
    "at the moment when %s, the first of the two counts",
    async (_, { before, known, move, ...expected }) => {
      for (const isFirst of [true, false]) {
        const { id } = (await create()).body;
        const number = await newNumber();
        if (known) await routeTo(number, id);
        if (known && !before) await route(number, { mode: "unrouted" });
        const { desired } = move(number, id);
        const turn = () => route(number, desired).catch((error: { code: string }) => error.code);
        const leave = async () => (await remove(id)).status;

        const outcomes = isFirst ? await inThisOrder(turn, leave) : await inThisOrder(leave, turn);

        expect(isFirst ? outcomes : outcomes.toReversed()).toEqual(
          isFirst ? expected.first : expected.second,
        );
      }
    },
  );
});

describe("who may", () => {
  const OPERATIONS = [
    ["GET", ""],
    ["GET", "/:id"],
    ["POST", ""],
    ["PATCH", "/:id"],
    ["DELETE", "/:id"],
  ] as const;

  test("allows owners, admins and developers to read and write, and keys with numbers to read", async () => {
    const outcomeOf = async (token: string): Promise<number[]> => {
      const { id } = (await create()).body;
      const statuses = [];
      for (const [method, path] of OPERATIONS) {
        const body = method === "POST" ? { name: newName(), targets: TARGETS } : undefined;
        const sent = method === "PATCH" ? { name: newName() } : body;
        statuses.push((await call(method, path.replace(":id", id), sent, bearer(token))).status);
      }
      return statuses;
    };
    const person = async (role: "admin" | "developer" | "member"): Promise<string> =>
      (await service.person({ [organisation]: role })).token;
    const key = async (scope: "numbers" | "numbers_write" | "full"): Promise<string> =>
      (await service.key(owner, organisation, [scope])).secret;

    expect(await outcomeOf(await person("admin"))).toEqual([200, 200, 201, 200, 204]);
    expect(await outcomeOf(await person("developer"))).toEqual([200, 200, 201, 200, 204]);
    expect(await outcomeOf(await person("member"))).toEqual([403, 403, 403, 403, 403]);
    expect(await outcomeOf(await key("numbers"))).toEqual([200, 200, 403, 403, 403]);
    expect(await outcomeOf(await key("full"))).toEqual([200, 200, 403, 403, 403]);
    expect(await outcomeOf(await key("numbers_write"))).toEqual([403, 403, 403, 403, 403]);
  });

  test("returns 404 for connections of another organisation or environment", async () => {
    const { body } = await create();
    const stranger = await service.person({ [await service.organisation()]: "owner" });
    const attempts = [bearer(stranger.token), { ...bearer(owner.token), "x-service-environment": "test" }];

    for (const headers of attempts) {
      for (const [method, sent] of [["GET"], ["PATCH", { name: "Mine" }], ["DELETE"]] as const) {
        const answers = await Promise.all(
          [body.id, newId(), "not-a-uuid"].map((id) => call(method, `/${id}`, sent, headers)),
        );
        const seen = answers.map(({ status, body: { code, detail } }) => `${status} ${code} ${detail}`);
        expect(seen[0]).toMatch(/^404 connection_not_found /);
        expect(new Set(seen).size).toBe(1);
      }
    }
    expect((await read(body.id)).body).toEqual(body);
  });
});
