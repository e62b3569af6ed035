import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type DidwwServer, startDidwwServer } from "./didww-server.ts";

const MINUTE_MS = 60_000;
const NUMBER = "+12015550100";
const MEDIA_TYPE = "application/vnd.api+json";

let time: number;
let server: DidwwServer;
beforeEach(async () => {
  time = Date.parse("2026-11-15T09:00:00.000Z");
  server = await startDidwwServer({ now: () => new Date(time), pendingReads: 1 });
});
afterEach(() => server[Symbol.asyncDispose]());

interface Sent {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

async function send(
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Sent> {
  const response = await fetch(`${server.url}/v3${path}`, {
    method,
    headers: {
      accept: MEDIA_TYPE,
      "api-key": server.apiKey,
      "x-didww-api-version": "2026-04-16",
      ...(body !== undefined && { "content-type": MEDIA_TYPE }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

const get = (path: string) => send("GET", path);

function orderOf(attributes: object, more: object = {}) {
  const item = { type: "did_order_items", attributes };
  return {
    data: { type: "orders", attributes: { allow_back_ordering: false, items: [item], ...more } },
  };
}

async function offered(): Promise<{ did: string; sku: string }> {
  server.stock([{ e164: NUMBER }]);
  const { body } = await get(
    "/available_dids?filter[number_contains]=5550100&include=did_group.stock_keeping_units",
  );
  const skus = body.included.filter(({ type }: { type: string }) => type === "stock_keeping_units");
  return { did: body.data[0].id, sku: skus[0].id };
}

describe("the documented course", () => {
  test("finds, reserves, buys, routes and cancels a number", async () => {
    const { did, sku } = await offered();
    const reserved = await send("POST", "/did_reservations", {
      body: {
        data: {
          type: "did_reservations",
          attributes: { description: "ours" },
          relationships: { available_did: { data: { type: "available_dids", id: did } } },
        },
      },
    });
    expect(reserved).toMatchObject({
      status: 201,
      body: { data: { attributes: { description: "ours", expires_at: "2026-11-15T09:10:00.000Z" } } },
    });
    expect((await get("/available_dids?filter[number_contains]=5550100")).body.data).toEqual([]);

    const hold = reserved.body.data.id;
    const ordered = await send("POST", "/orders", {
      body: orderOf({ sku_id: sku, did_reservation_id: hold }, { external_reference_id: "ours" }),
    });
    expect(ordered).toMatchObject({
      status: 201,
      body: { data: { attributes: { status: "pending", external_reference_id: "ours" } } },
    });
    const path = `/orders/${ordered.body.data.id}`;
    expect((await get(path)).body.data.attributes.status).toBe("pending");
    expect((await get(path)).body.data.attributes.status).toBe("completed");
    expect((await get("/orders?filter[external_reference_id]=ours")).body.meta.total_records).toBe(1);

    const [bought] = (await get("/dids?filter[number]=12015550100")).body.data;
    const trunk = server.trunk("fra-1");
    const change = (data: object) =>
      send("PATCH", `/dids/${bought.id}`, { body: { data: { type: "dids", id: bought.id, ...data } } });
    const to = { voice_in_trunk: { data: { type: "voice_in_trunks", id: trunk } } };
    expect((await change({ relationships: to })).body.data.relationships.voice_in_trunk.data).toBeUndefined();
    const read = await get(`/dids/${bought.id}?include=voice_in_trunk`);
    expect(read.body.data.relationships.voice_in_trunk.data).toEqual({ type: "voice_in_trunks", id: trunk });

    expect((await change({ attributes: { terminated: true } })).body.data.attributes.terminated).toBe(true);
    expect((await get("/dids?filter[terminated]=false")).body.data).toEqual([]);
    expect((await get("/did_history?filter[action]=canceled")).body.meta.total_records).toBe(1);
  });

  test("a reservation lasts ten minutes", async () => {
    server.stock([{ e164: NUMBER }]);
    server.hold(NUMBER, null);
    time += 10 * MINUTE_MS - 1;
    expect((await get("/did_reservations")).body.data).toHaveLength(1);
    time += 1;
    expect((await get("/did_reservations")).body.data).toEqual([]);
    expect((await get("/available_dids?filter[number_contains]=5550100")).body.data).toHaveLength(1);
  });

  test("sparse fields leave out everything else", async () => {
    const { did, sku } = await offered();
    await send("POST", "/orders", { body: orderOf({ sku_id: sku, available_did_id: did }) });
    await get("/orders");
    const { body } = await get("/dids?fields[dids]=number,order&include=order&sort=number&page[size]=1");
    expect(body.data[0].attributes).toEqual({ number: "12015550100" });
    expect(Object.keys(body.data[0].relationships)).toEqual(["order"]);
    expect(body.links).toEqual({ first: expect.any(String), last: expect.any(String) });
  });

  test("sells a number once, and an order whole or not at all", async () => {
    const { did, sku } = await offered();
    const attributes = { sku_id: sku, available_did_id: did };
    const body = orderOf(attributes);
    body.data.attributes.items.push({
      type: "did_order_items",
      attributes: { sku_id: sku, available_did_id: randomUUID() },
    });
    expect(await send("POST", "/orders", { body })).toMatchObject({
      status: 422,
      body: { errors: [{ code: "100", source: { pointer: "/data/attributes/items/1/available_did_id" } }] },
    });
    expect((await send("POST", "/orders", { body: orderOf(attributes) })).status).toBe(201);
    expect((await send("POST", "/orders", { body: orderOf(attributes) })).status).toBe(422);
  });

  test("rejects an order without money", async () => {
    const { did, sku } = await offered();
    server.setBalance(0);
    const body = orderOf({ sku_id: sku, available_did_id: did });
    expect(await send("POST", "/orders", { body })).toMatchObject({
      status: 400,
      body: { errors: [{ code: "400", title: "Insufficient balance" }] },
    });
  });
});

describe("rejects undocumented requests", () => {
  const codeOf = ({ status, body }: Sent) => `${status} ${body.errors[0].code}`;

  test.each([
    ["/available_dids?filter[number_contains]=12", "400 107"],
    ["/available_dids?filter[number_contains]=%2B44123", "400 107"],
    ["/available_dids?filter[colour]=red", "400 102"],
    ["/available_dids?filter[did_group.features]=telepathy", "400 107"],
    ["/available_dids?filter[did_group.needs_registration]=no", "400 107"],
    ["/available_dids?page[size]=10", "400 105"],
    ["/available_dids?sort=number", "400 105"],
    ["/available_dids?include=did_group.colour", "400 112"],
    ["/countries?page[size]=10", "400 105"],
    ["/dids?filter[order.external_reference_id]=ours", "400 102"],
    ["/dids?page[size]=1001", "400 105"],
    ["/dids?page[number]=0", "400 105"],
    ["/dids?sort=colour", "400 105"],
    ["/dids?include=voice_out_trunk", "400 112"],
    ["/dids?page[size]=1&page[size]=2", "400 105"],
    ["/dids?limit=1", "400 105"],
    ["/did_history?filter[created_at_gteq]=yesterday", "400 107"],
    ["/orders?include=dids", "400 112"],
    ["/orders/1?sort=amount", "400 105"],
    ["/orders/1", "404 404"],
    ["/trunks", "404 404"],
  ])("GET %s: %s", async (path, code) => {
    server.stock([{ e164: NUMBER }]);
    expect(codeOf(await get(path))).toBe(code);
  });

  test("headers", async () => {
    expect(codeOf(await send("GET", "/dids", { headers: { "api-key": "wrong" } }))).toBe("401 401");
    expect(codeOf(await send("GET", "/dids", { headers: { accept: "application/json" } }))).toBe("406 406");
    const json = { "content-type": "application/json" };
    expect(codeOf(await send("POST", "/orders", { body: {}, headers: json }))).toBe("415 415");
    const old = { "x-didww-api-version": "2022-05-10" };
    expect(codeOf(await send("GET", "/dids", { headers: old }))).toBe("400 105");
  });

  test("methods", async () => {
    for (const [method, path] of [
      ["DELETE", `/dids/${randomUUID()}`],
      ["POST", "/dids"],
      ["PUT", "/orders"],
      ["POST", "/available_dids"],
    ] as const)
      expect(codeOf(await send(method, path, method === "DELETE" ? {} : { body: {} }))).toBe("404 404");
  });

  test("bodies of orders", async () => {
    const { did, sku } = await offered();
    const available = { sku_id: sku, available_did_id: did };
    const order = async (body: unknown) => codeOf(await send("POST", "/orders", { body }));

    expect(await order("{")).toBe("400 105");
    expect(await order({ data: { type: "order" } })).toBe("400 101");
    expect(await order({ data: { type: "orders", attributes: { items: [] } } })).toBe("400 106");
    expect(await order(orderOf(available, { reference: "ours" }))).toBe("400 105");
    expect(await order(orderOf({ ...available, qty: 1 }))).toBe("400 105");
    expect(await order(orderOf({ sku_id: sku }))).toBe("400 105");
    expect(await order(orderOf({ available_did_id: did }))).toBe("422 100");
    expect(await order(orderOf({ ...available, sku_id: randomUUID() }))).toBe("422 100");
    expect(await order(orderOf(available, { external_reference_id: "x".repeat(101) }))).toBe("422 100");
    expect(await order(orderOf(available, { allow_back_ordering: true }))).toBe("422 100");
    expect(server.owned).toEqual([]);
  });

  test("bodies of changes", async () => {
    const { did, sku } = await offered();
    await send("POST", "/orders", { body: orderOf({ sku_id: sku, available_did_id: did }) });
    await get("/orders");
    const { id } = server.owned[0]!;
    const change = async (data: object) =>
      codeOf(await send("PATCH", `/dids/${id}`, { body: { data: { type: "dids", id, ...data } } }));

    expect(await change({ id: randomUUID() })).toBe("400 110");
    expect(await change({ attributes: { number: "12015550101" } })).toBe("400 105");
    expect(await change({ relationships: { order: { data: null } } })).toBe("400 105");
    const trunk = { data: { type: "voice_in_trunks", id: "0" } };
    expect(await change({ relationships: { voice_in_trunk: trunk } })).toBe("422 100");
  });
});
