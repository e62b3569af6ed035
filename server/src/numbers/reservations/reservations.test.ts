import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../app.ts";
import { newId } from "../../platform/ids.ts";
import { startServer } from "../../start.ts";
import { NO_INVENTORY, onlyInventory } from "../../../testing/scripted-carrier.ts";
import { send, type Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { stockNumbers } from "../../../testing/stock.ts";
import { statusAt } from "./reservations.rules.ts";

const PATH = "/v1/numbers/reservations";
const MINUTE_MS = 60_000;
const NOT_CONNECTED = {
  status: 501,
  body: { code: "carrier_inventory_not_connected", retryable: false },
};
const NOT_FOUND = { status: 404, body: { code: "reservation_not_found" } };

describe("while no inventory is connected", () => {
  let service: Service;
  let organisation: string;
  let owner: Person;
  beforeAll(async () => {
    service = await startService();
    organisation = await service.organisation();
    owner = await service.person({ [organisation]: "owner" });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each([
    ["a good body", { body: { numbers: ["+442079460000"] } }],
    ["no body", {}],
    ["an unknown field", { body: { surprise: 1 } }],
    ["a body that is not JSON", { body: "{not json", headers: { "content-type": "application/json" } }],
    ["another media type", { body: "<numbers/>", headers: { "content-type": "text/xml" } }],
    ["a body that is too large", { body: { filler: "x".repeat(300_000) } }],
    ["an unknown parameter", { path: `${PATH}?surprise=1`, body: { numbers: ["+442079460000"] } }],
    ["a malformed Idempotency-Key", { headers: { "idempotency-key": '"' } }],
  ])("reports that callers can reserve, with %s", async (_, request: Partial<Record<string, unknown>>) => {
    for (const role of ["owner", "admin", "developer"] as const) {
      const person = await service.person({ [organisation]: role });
      const answer = await service.send("POST", (request["path"] as string | undefined) ?? PATH, {
        headers: { ...bearer(person.token), ...(request["headers"] as object | undefined) },
        body: request["body"],
      });
      expect(answer).toMatchObject(NOT_CONNECTED);
      expect(answer.headers["retry-after"]).toBeUndefined();
    }
  });

  test("reports a missing permission instead", async () => {
    const member = await service.person({ [organisation]: "member" });
    const key = await service.key(owner, organisation, ["full"]);
    const post = (token: string | undefined): Promise<Sent> =>
      service.send("POST", PATH, { ...(token && { headers: bearer(token) }), body: "{not json" });

    expect(await post(undefined)).toMatchObject({ status: 401 });
    expect(await post(key.secret)).toMatchObject({ status: 403, body: { code: "caller_kind_not_allowed" } });
    expect(await post(member.token)).toMatchObject({ status: 403, body: { code: "role_not_allowed" } });
  });

  test("the list is empty", async () => {
    const answer = await service.send("GET", PATH, { headers: bearer(owner.token) });
    expect(answer).toMatchObject({ status: 200, body: { data: [], next_cursor: null } });
  });

  test("a reservation that does not exist is not found, to read and to delete", async () => {
    for (const method of ["GET", "DELETE"]) {
      for (const id of [newId(), "not-a-uuid"]) {
        const answer = await service.send(method, `${PATH}/${id}`, { headers: bearer(owner.token) });
        expect(answer).toMatchObject(NOT_FOUND);
      }
    }
  });
});

describe("with the operator's stock connected", () => {
  let service: Service;
  let organisation: string;
  let owner: Person;
  let stocked = 0;
  beforeAll(async () => {
    service = await startService({ settings: { INVENTORY: "pool", DATABASE_CONNECTIONS: "20" } });
    organisation = await service.organisation();
    owner = await service.person({ [organisation]: "owner" });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function stock(count: number): Promise<string[]> {
    const e164s = Array.from({ length: count }, () => `+44207${9_000_000 + ++stocked}`);
    await stockNumbers(
      service.database,
      "live",
      e164s.map((e164) => ({ e164 })),
    );
    return e164s;
  }
  const reserve = (
    numbers: unknown,
    { token } = owner,
    headers: Record<string, string> = {},
  ): Promise<Sent> =>
    service.send("POST", PATH, { headers: { ...bearer(token), ...headers }, body: { numbers } });
  const read = (id: string, { token } = owner): Promise<Sent> =>
    service.send("GET", `${PATH}/${id}`, { headers: bearer(token) });
  const cancel = (id: string, { token } = owner): Promise<Sent> =>
    service.send("DELETE", `${PATH}/${id}`, { headers: bearer(token) });
  const tracesOf = (id: string) =>
    service.database.admin(
      `select e.type, a.outcome, e.environment, e.data -> 'numbers' as numbers from events e
       join audit_entries a on a.action = e.type and a.subject = e.subject where e.subject = $1 order by e.sequence`,
      [id],
    );

  test("reserves numbers for thirty minutes, and returns the reservation at Location", async () => {
    const numbers = await stock(2);

    const made = await reserve(numbers);
    const { body } = made;

    expect(made.status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      status: "active",
      numbers,
      expires_at: expect.any(String),
      created_at: expect.any(String),
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(30 * MINUTE_MS);
    expect(made.headers.location).toBe(`http://127.0.0.1:8080${PATH}/${body.id}`);
    expect(await read(body.id)).toMatchObject({ status: 200, body });
    expect(await tracesOf(body.id)).toEqual([
      { type: "reservation.created", outcome: "done", environment: "live", numbers },
    ]);
  });

  test("are listed newest first, page by page, with the status each has by now", async () => {
    const person = await service.person({ [await service.organisation()]: "developer" });
    const ids: string[] = [];
    for (let made = 0; made < 3; made++) ids.unshift((await reserve(await stock(1), person)).body.id);
    await cancel(ids[0]!, person);
    const list = (query: string): Promise<Sent> =>
      service.send("GET", `${PATH}${query}`, { headers: bearer(person.token) });

    const first = (await list("?limit=2")).body;
    const second = (await list(`?limit=2&cursor=${first.next_cursor}`)).body;
    const shown = [...first.data, ...second.data].map(({ id, status }) => [id, status]);
    expect(shown).toEqual([
      [ids[0], "cancelled"],
      [ids[1], "active"],
      [ids[2], "active"],
    ]);
    expect(second.next_cursor).toBeNull();
    expect(await list("")).toMatchObject({ status: 200, body: { data: { length: 3 } } });
    const key = await service.key(owner, organisation, ["full"]);
    expect(await service.send("GET", PATH, { headers: bearer(key.secret) })).toMatchObject({
      status: 403,
      body: { code: "caller_kind_not_allowed" },
    });
  });

  test("an Idempotency-Key has no effect: the second request finds the numbers taken", async () => {
    const numbers = await stock(1);
    const key = { "idempotency-key": newId() };

    expect((await reserve(numbers, owner, key)).status).toBe(201);
    expect(await reserve(numbers, owner, key)).toMatchObject({
      status: 409,
      body: { code: "number_not_available" },
    });
    expect((await reserve(await stock(1), owner, { "idempotency-key": '"' })).status).toBe(201);
  });

  test("rejects reserved, held and unknown numbers with one error, and reserves nothing", async () => {
    const [free, taken] = await stock(2);
    await reserve([taken]);

    const answers = await Promise.all([reserve([free, taken]), reserve([free, "+442071111111"])]);

    for (const { status, body } of answers) {
      expect([status, body.code, body.errors]).toEqual([409, "number_not_available", undefined]);
    }
    expect(answers[0].body.detail).toBe(answers[1].body.detail);
    expect((await reserve([free])).status).toBe(201);
  });

  test("makes the numbers of a cancelled reservation available at once, and ignores a second cancel", async () => {
    const numbers = await stock(2);
    const { id } = (await reserve(numbers)).body;

    expect([(await cancel(id)).status, (await cancel(id)).status]).toEqual([204, 204]);

    expect((await read(id)).body.status).toBe("cancelled");
    expect((await reserve(numbers)).status).toBe(201);
    expect((await tracesOf(id)).map(({ type }: { type?: string }) => type)).toEqual([
      "reservation.created",
      "reservation.cancelled",
    ]);
  });

  test("of eight who cancel at once, all are done and one has done it", async () => {
    const { id } = (await reserve(await stock(1))).body;

    const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(id)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await tracesOf(id)).toHaveLength(2);
  });

  test("of fifty people of two organisations who want the same numbers, exactly one gets them", async () => {
    const rival = await service.person({ [await service.organisation()]: "developer" });
    const numbers = await stock(3);

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        reserve(at % 2 ? numbers : numbers.toReversed(), at % 3 ? owner : rival),
      ),
    );

    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
  });

  test("of fifty who want one number each out of five, each number goes to one", async () => {
    const numbers = await stock(5);

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => reserve([numbers[at % numbers.length]])),
    );

    const won = answers
      .filter(({ status }) => status === 201)
      .flatMap(({ body }) => body.numbers as string[]);
    expect(won.toSorted()).toEqual(numbers);
  });

  test("returns 404 for reservations of another organisation or environment", async () => {
    const stranger = await service.person({ [await service.organisation()]: "owner" });
    const { id } = (await reserve(await stock(1))).body;
    const onTestSide = { ...bearer(owner.token), "x-service-environment": "test" };

    for (const method of ["GET", "DELETE"]) {
      expect(await service.send(method, `${PATH}/${id}`, { headers: bearer(stranger.token) })).toMatchObject(
        NOT_FOUND,
      );
      expect(await service.send(method, `${PATH}/${id}`, { headers: onTestSide })).toMatchObject(NOT_FOUND);
    }
    expect((await read(id)).body.status).toBe("active");
  });

  test("reserves only fictional numbers in the test environment", async () => {
    const fictional = "+12015550150";
    const [real] = await stock(1);
    const side = { "x-service-environment": "test" };

    expect((await reserve([real], owner, side)).body.code).toBe("number_not_available");
    expect((await reserve([fictional])).body.code).toBe("number_not_available");
    expect((await reserve([fictional], owner, side)).status).toBe(201);
  });

  test.each([[[]], [["+44"]], [["442079460000"]], [["+442079460000", "+442079460000"]], ["+442079460000"]])(
    "%j is not a list of numbers",
    async (numbers) => {
      expect(await reserve(numbers)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    },
  );

  test("a hundred numbers can be reserved together, and no more", async () => {
    const numbers = await stock(101);

    expect((await reserve(numbers)).status).toBe(400);
    expect((await reserve(numbers.slice(0, 100))).status).toBe(201);
  });

  test("cancels the reservation even if the inventory cannot", async () => {
    const numbers = await stock(1);
    const { id } = (await reserve(numbers)).body;
    const inventory = {
      ...service.app.inventory.of("live", [])!,
      unreserve: () => Promise.reject(new Error("out of reach")),
    };
    await using other = await replica({ inventory: onlyInventory(inventory) });

    const answer = await send(other.url, "DELETE", `${PATH}/${id}`, { headers: bearer(owner.token) });

    expect(answer.status).toBe(204);
    expect((await read(id)).body.status).toBe("cancelled");
  });

  test("a stored reservation can be read and cancelled after the inventory was disconnected", async () => {
    const { id } = (await reserve(await stock(1))).body;
    await using other = await replica({ inventory: NO_INVENTORY });
    const headers = bearer(owner.token);

    expect(await send(other.url, "POST", PATH, { headers })).toMatchObject(NOT_CONNECTED);
    expect((await send(other.url, "GET", `${PATH}/${id}`, { headers })).body.status).toBe("active");
    expect((await send(other.url, "DELETE", `${PATH}/${id}`, { headers })).status).toBe(204);

    expect((await read(id)).body.status).toBe("cancelled");
    expect(await tracesOf(id)).toHaveLength(2);
  });

  test("an organisation puts a thousand numbers aside in half an hour, and others do not notice", async () => {
    const greedy = await service.person({ [await service.organisation()]: "owner" });
    const all = await stock(1_001);
    for (let at = 0; at < 1_000; at += 100)
      expect((await reserve(all.slice(at, at + 100), greedy)).status).toBe(201);

    const answer = await reserve(all.slice(1_000), greedy);

    expect(answer).toMatchObject({ status: 429, body: { code: "rate_limited", policy: "reserved_numbers" } });
    expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(1_800);
    const side = { "x-service-environment": "test" };
    expect((await reserve(["+12015550177"], greedy, side)).status).toBe(201);
    expect((await reserve(all.slice(1_000))).status).toBe(201);
  });

  // The last test, because it moves the shared clock by 30 minutes.
  test("shows an expired reservation as expired, frees its numbers, and rejects a cancel", async () => {
    const numbers = await stock(1);
    const { id } = (await reserve(numbers)).body;
    service.clock.advance(30 * MINUTE_MS - 10_000);
    expect((await read(id)).body.status).toBe("active");
    expect((await reserve(numbers)).status).toBe(409);

    service.clock.advance(10_000);

    expect((await read(id)).body.status).toBe("expired");
    const next = await reserve(numbers);
    expect(next.status).toBe(201);
    expect((await cancel(id)).status).toBe(204);
    expect((await read(id)).body.status).toBe("expired");
    // Cancelling an expired reservation does not affect the next one.
    expect((await reserve(numbers)).status).toBe(409);
    expect((await read(next.body.id)).body.status).toBe("active");
  });

  async function replica(overrides: Partial<App>): Promise<AsyncDisposable & { url: string }> {
    const other = await startServer(service.app.config, "api", { clock: service.clock, ...overrides });
    return { url: other.url!, [Symbol.asyncDispose]: () => other.stop() };
  }
});

test.each([
  ["active", -1, "active"],
  ["active", 0, "expired"],
  ["active", 1, "expired"],
  ["ordered", 1, "ordered"],
  ["cancelled", 1, "cancelled"],
] as const)("stored as %s and looked at %i ms after its end, a reservation is %s", (status, after, shown) => {
  const expires_at = new Date(1_000_000);

  expect(statusAt({ status, expires_at }, new Date(1_000_000 + after))).toBe(shown);
});
