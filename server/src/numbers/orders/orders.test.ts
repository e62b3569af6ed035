import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { type OrderDesk, openOrderDesk } from "../../../testing/order-desk.ts";
import { onlyCarrier } from "../../../testing/scripted-carrier.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";

const PATH = "/v1/numbers/orders";

let desk: OrderDesk;
let service: Service;
let home: string;
let owner: Person;
beforeAll(async () => {
  desk = await openOrderDesk();
  ({ service, organisation: home, owner } = desk);
});
afterAll(() => desk[Symbol.asyncDispose]());

const stock = (count: number): string[] => desk.stock(count);
const post: OrderDesk["post"] = (...request) => desk.post(...request);
const read: OrderDesk["read"] = (...request) => desk.read(...request);

describe("placing an order", () => {
  test("answers 202 with the order, and with the job that carries it out", async () => {
    const numbers = stock(2);
    const answer = await post({ numbers, external_ref: "PO-1", label: " Desk ", tags: ["a", "a "] });

    expect(answer.status).toBe(202);
    expect(answer.headers.location).toBe(`http://127.0.0.1:8080/v1/jobs/${answer.body.job_id}`);
    expect(answer.body).toMatchObject({
      status: "pending",
      quantity: 2,
      criteria: null,
      reservation_id: null,
      all_or_nothing: false,
      routing: null,
      label: "Desk",
      tags: ["a"],
      external_ref: "PO-1",
      created_by: { kind: "session", id: owner.userId, name: owner.name },
      finished_at: null,
      items: numbers.map((e164) => ({ e164, status: "pending", number_id: null, error: null })),
    });
    expect(await read(answer.body.id)).toEqual(answer.body);
    expect(await desk.job(answer.body)).toMatchObject({
      type: "number_order",
      status: "queued",
      progress: { total: 2, succeeded: 0, failed: 0 },
      subject: { order_id: answer.body.id },
    });
    expect(desk.carrier.calls.filter(({ call }) => call === "order")).toEqual([]);
  });

  test("is for owners and admins, and not for keys", async () => {
    const body = { numbers: stock(1) };
    for (const [role, status] of [
      ["owner", 202],
      ["admin", 202],
      ["developer", 403],
      ["member", 403],
    ] as const)
      expect((await post(body, await service.person({ [home]: role }))).status).toBe(status);
    const key = await service.key(owner, home, ["full"]);
    expect(await post(body, { ...owner, token: key.secret })).toMatchObject({
      status: 403,
      body: { code: "caller_kind_not_allowed" },
    });
  });

  test.each([
    {},
    { numbers: [] },
    { numbers: ["+44"] },
    { numbers: ["+442079460000", "+442079460000"] },
    { numbers: Array.from({ length: 101 }, (_, at) => `+4420790${10_000 + at}`) },
    { numbers: ["+442079460000"], quantity: 1 },
    { reservation_id: newId(), quantity: 1 },
    { criteria: { country: "GB" } },
    { criteria: { country: "GB" }, quantity: 0 },
    { criteria: { country: "GB" }, quantity: 101 },
    { criteria: { country: "gb" }, quantity: 1 },
    { criteria: { country: "GB", prefix: "+44" }, quantity: 1 },
    { quantity: 3 },
    { numbers: ["+442079460000"], routing: { mode: "sip_uri" } },
    { numbers: ["+442079460000"], surprise: 1 },
  ])("%j is not an order", async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  const BY_NUMBERS = { numbers: ["+442079460000"] };
  const BY_CRITERIA = { criteria: { country: "GB" }, quantity: 1 };
  const BY_RESERVATION = { reservation_id: newId() };
  test.each([
    { ...BY_NUMBERS, ...BY_RESERVATION },
    { ...BY_NUMBERS, ...BY_CRITERIA },
    { ...BY_NUMBERS, criteria: BY_CRITERIA.criteria },
    { ...BY_RESERVATION, ...BY_CRITERIA },
    { ...BY_RESERVATION, criteria: BY_CRITERIA.criteria },
    { ...BY_NUMBERS, ...BY_RESERVATION, ...BY_CRITERIA },
    { ...BY_NUMBERS, ...BY_RESERVATION, criteria: BY_CRITERIA.criteria },
  ])("rejects %j, because an order uses exactly one selection", async (body) => {
    const answer = await post(body);

    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(answer.body.detail).toMatch(/exactly one/);
  });

  test("rejects an impossible routing before it buys", async () => {
    const order = (routing: object): Promise<Sent> => post({ numbers: ["+442079460000"], routing });

    expect(await order({ mode: "sip_uri", sip_uri: "sip:a@10.0.0.1" })).toMatchObject({
      status: 422,
      body: { code: "destination_not_allowed" },
    });
    expect(await order({ mode: "connection", connection_id: newId() })).toMatchObject({
      status: 422,
      body: { code: "connection_unknown", errors: [{ pointer: "#/routing/connection_id" }] },
    });
  });

  test("returns 404 for orders of another organisation or environment", async () => {
    const { body } = await post({ numbers: stock(1) });
    const stranger = await service.person({ [await service.organisation()]: "owner" });
    const get = (headers: Record<string, string>) => service.send("GET", `${PATH}/${body.id}`, { headers });

    for (const headers of [
      bearer(stranger.token),
      { ...bearer(owner.token), "x-service-environment": "test" },
    ])
      expect(await get(headers)).toMatchObject({ status: 404, body: { code: "order_not_found" } });
  });

  test("a plain member reads orders and lists them, and sees nothing of routing", async () => {
    const routing = { mode: "sip_uri", sip_uri: "sip:a@pbx.example.com" };
    const { body } = await post({ numbers: stock(1), routing });
    const member = await service.person({ [home]: "member" });
    const list = async ({ token }: Person) =>
      (await service.send("GET", `${PATH}?limit=1`, { headers: bearer(token) })).body.data[0];

    expect(body.routing).toEqual(routing);
    expect((await read(body.id, member)).routing).toBeNull();
    expect(await list(member)).toMatchObject({ id: body.id, routing: null });
    expect(await list(owner)).toMatchObject({ id: body.id, routing });
    const key = await service.key(owner, home, ["full"]);
    for (const path of [PATH, `${PATH}/${body.id}`])
      expect((await service.send("GET", path, { headers: bearer(key.secret) })).status).toBe(403);
  });
});

describe("a key", () => {
  test("is required, and rejected if malformed", async () => {
    const body = { numbers: stock(1) };
    expect(await service.send("POST", PATH, { headers: bearer(owner.token), body })).toMatchObject({
      status: 400,
      body: { code: "idempotency_key_missing" },
    });
    expect(await post(body, owner, { "idempotency-key": '"' })).toMatchObject({
      status: 400,
      body: { code: "idempotency_key_invalid" },
    });
  });

  test("returns the first response, byte by byte, and rejects another request", async () => {
    const key = { "idempotency-key": newId() };
    const body = { numbers: stock(1) };
    const first = await post(body, owner, key);
    await desk.advance(first.body);
    const second = await post(body, owner, key);

    expect(second).toMatchObject({ status: 202, text: first.text });
    expect(second.headers["idempotency-replayed"]).toBe("true");
    expect(second.headers.location).toBe(first.headers.location);
    expect(await post({ numbers: stock(1) }, owner, key)).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
  });

  test("sent by fifty at once places one order", async () => {
    const key = { "idempotency-key": newId() };
    const body = { numbers: stock(1) };
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(body, owner, key)));

    const placed = answers.filter(({ status }) => status === 202);
    expect(new Set(placed.map(({ body: order }) => order.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status !== 202 && status !== 409)).toEqual([]);
    const rows = await service.database.admin("select from orders where idempotency_key = $1", [
      key["idempotency-key"],
    ]);
    expect(rows).toHaveLength(1);
  });

  test("never buys twice: an old key is rejected with the order's ID", async () => {
    const key = { "idempotency-key": newId() };
    const body = { numbers: stock(1) };
    const first = await post(body, owner, key);
    await service.database.admin("update idempotency_keys set expires_at = now() - interval '1 day'", []);

    for (const again of [body, { numbers: stock(1) }])
      expect(await post(again, owner, key)).toMatchObject({
        status: 422,
        body: { code: "idempotency_key_reused", order_id: first.body.id },
      });
    await service.database.admin("delete from idempotency_keys", []);
    expect((await post(body, owner, key)).body.order_id).toBe(first.body.id);
    const onTestSide = { ...key, "x-service-environment": "test" };
    expect((await post(body, owner, onTestSide)).status).toBe(202);
  });
});

test("never changes finished orders", async () => {
  const order = await desk.ordered({ numbers: stock(1) });
  const { admin } = service.database;

  await expect(admin("update orders set status = 'failed' where id = $1", [order.id])).rejects.toThrow(
    "stays",
  );
  await expect(
    admin("update order_items set step = 'submitted', number_id = null where order_id = $1", [order.id]),
  ).rejects.toThrow("stays");
});

test("one number is bought by one order at a time, and on each test side by one", async () => {
  const [one] = stock(1) as [string];
  const insert = async (organisationId: string, environment: string): Promise<void> => {
    const id = newId();
    await service.database.admin(
      `insert into orders (organisation_id, environment, id, job_id, carrier, idempotency_key, quantity, all_or_nothing, tags, created_by_kind, created_at)
       values ($1, $2, $3, $3, 'scripted', $3::uuid::text, 1, false, '{}', 'session', now())`,
      [organisationId, environment, id],
    );
    await service.database.admin(
      `insert into order_items (organisation_id, environment, order_id, position, e164, step, reference)
       values ($1, $2, $3, 1, $4, 'submitted', $3)`,
      [organisationId, environment, id, one],
    );
  };
  const other = await service.organisation();
  for (const [organisation, environment] of [
    [home, "live"],
    [home, "test"],
    [other, "test"],
  ] as const)
    await insert(organisation, environment);

  await expect(insert(other, "live")).rejects.toThrow("order_items_one_purchase_live");
  await expect(insert(home, "test")).rejects.toThrow("order_items_one_purchase_test");
});

describe("limits", () => {
  test("an organisation places five orders a second and orders a thousand numbers a day, exactly; replays cost nothing", async () => {
    await using limited = await startService({
      settings: { LIMIT_ORDERS_PER_SECOND: "5", LIMIT_ORDERED_NUMBERS_PER_DAY: "1000" },
      overrides: { carriers: onlyCarrier(desk.carrier) },
    });
    const organisation = await limited.organisation();
    const { token } = await limited.person({ [organisation]: "owner" });
    const send = (count: number, key = newId()): Promise<Sent> =>
      limited.send("POST", PATH, {
        headers: { ...bearer(token), "idempotency-key": key },
        body: { criteria: { country: "GB" }, quantity: count },
      });
    const key = newId();
    expect(await send(100, key)).toMatchObject({
      status: 202,
      headers: {
        "ratelimit-policy": expect.stringContaining('"orders";q=5;w=1, "ordered_numbers";q=1000;w=86400'),
        ratelimit: expect.stringContaining('"orders";r=4;t=1, "ordered_numbers";r=900;t=86400'),
      },
    });
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(1)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(4);
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      headers: { "retry-after": "1" },
      body: { code: "rate_limited", policy: "orders" },
    });
    expect((await send(100, key)).headers["idempotency-replayed"]).toBe("true");

    for (let placed = 0; placed < 8; placed++) {
      limited.clock.advance(1_000);
      expect((await send(100)).status).toBe(202);
    }
    limited.clock.advance(1_000);
    expect(await send(97)).toMatchObject({ status: 429, body: { policy: "ordered_numbers" } });
    expect((await send(96)).status).toBe(202);
    expect((await send(1)).status).toBe(429);
    // The test environment has a separate quota.
    limited.clock.advance(1_000);
    const tested = await limited.send("POST", PATH, {
      headers: { ...bearer(token), "x-service-environment": "test", "idempotency-key": newId() },
      body: { criteria: { country: "GB" }, quantity: 100 },
    });
    expect(tested.status, tested.text).toBe(202);
    limited.clock.advance(86_400_000);
    await limited.database.admin("update sessions set last_seen_at = $1", [limited.clock.now()]);
    expect((await send(100)).status).toBe(202);
  });
});
