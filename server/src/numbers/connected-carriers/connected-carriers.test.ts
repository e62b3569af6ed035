import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemAuthor } from "../../events/audit/audit.ts";
import { startServer } from "../../start.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import { captureLog } from "../../../testing/captured-log.ts";
import { until } from "../../../testing/service.ts";
import { stockNumbers } from "../../../testing/stock.ts";
import { testConfig } from "../../../testing/test-config.ts";
import { type CarrierDesk, openCarrierDesk } from "../../../testing/carrier-desk.ts";
import { addCellKey, countCarriers, retireCellKey } from "./testing/cell-keys.ts";
import { reconcileAll } from "./testing/reconciled-carriers.ts";

const PATH = "/operator/v1/carriers";
const AUTHOR = systemAuthor("test");

describe("two carriers", () => {
  let desk: CarrierDesk;
  let usId: string;
  let gbId: string;
  beforeAll(async () => {
    desk = await openCarrierDesk();
    usId = (await desk.connect("telnyx-us", desk.us, { countries: ["US"], preference: 10 })).id;
    gbId = (await desk.connect("telnyx-gb", desk.gb, { countries: ["GB"], preference: 20 })).id;
  });
  afterAll(() => desk[Symbol.asyncDispose]());
  const carrierOf = async (orderId: string): Promise<string> => {
    const [order] = await desk.service.database.admin<{ carrier: string }>(
      "select carrier from orders where id = $1",
      [orderId],
    );
    return order!.carrier;
  };

  test.each([
    ["us", "US", "telnyx-us"],
    ["gb", "GB", "telnyx-gb"],
  ] as const)("sell numbers of their country: %s", async (where, country, name) => {
    const [e164] = desk.stock(where, 2);
    const byNumber = await desk.ended({ numbers: [e164] });
    const byCriteria = await desk.ended({ criteria: { country }, quantity: 1 });

    for (const order of [byNumber, byCriteria]) {
      expect(order).toMatchObject({ status: "completed" });
      expect(await carrierOf(order.id)).toBe(name);
    }
    const holdings = await desk.service.database.admin("select carrier from holdings where e164 = $1", [
      e164,
    ]);
    expect(holdings).toEqual([{ carrier: name }]);
    expect(desk[where].owned.filter(({ status }) => status === "active")).toHaveLength(2);
  });

  test("are searched by country, and a reservation is ordered from its carrier", async () => {
    const [us, gb] = [desk.stock("us", 1)[0]!, desk.stock("gb", 1)[0]!];
    const search = async (query: string) => (await desk.call("GET", `/v1/numbers/inventory?${query}`)).body;
    expect((await search("country=US")).data).toMatchObject([{ e164: us }]);
    expect((await search("country=GB")).data).toMatchObject([{ e164: gb }]);
    expect(await search("country=FR")).toMatchObject({ data: [], carrier: { connected: true } });
    expect(await search("type=local")).toMatchObject({
      errors: [{ parameter: "country", code: "required" }],
    });

    const { body: reserved } = await desk.call("POST", "/v1/numbers/reservations", { numbers: [gb] });
    const order = await desk.ended({ reservation_id: reserved.id });
    expect(await carrierOf(order.id)).toBe("telnyx-gb");
    expect(order.status).toBe("completed");
    const mixed = await desk.call("POST", "/v1/numbers/reservations", { numbers: [us, gb] });
    expect(mixed).toMatchObject({ status: 409, body: { code: "number_not_available" } });
  });

  test("reject an order of both countries, and one of a third", async () => {
    const both = [...desk.stock("us", 1), ...desk.stock("gb", 1)];
    expect(await desk.order({ numbers: both })).toMatchObject({ status: 409, body: { code: "no_carrier" } });
    const criteria = { criteria: { country: "FR" }, quantity: 1 };
    expect(await desk.order(criteria)).toMatchObject({ status: 409, body: { code: "no_carrier" } });
  });

  test("fail separately: orders at one continue while the other is silent", async () => {
    desk.us.outage(() => "hang_before");
    const waiting = await desk.order({ numbers: desk.stock("us", 1) });
    for (let nth = 0; nth < 5; nth++)
      expect(await desk.ended({ numbers: desk.stock("gb", 1) })).toMatchObject({ status: "completed" });
    await until(async () => {
      const metrics = await desk.service.app.metrics.registry.metrics();
      return metrics.includes('carrier_away{carrier="telnyx-us"} 1');
    }, 30_000);
    expect(await desk.ended({ numbers: desk.stock("gb", 1) })).toMatchObject({ status: "completed" });
    expect(await desk.service.app.metrics.registry.metrics()).toContain(
      'carrier_away{carrier="telnyx-gb"} 0',
    );
    expect((await desk.call("GET", `/v1/numbers/orders/${waiting.body.id}`)).body.finished_at).toBeNull();

    desk.us.outage(undefined);
    await until(async () => {
      desk.service.clock.advance(61_000);
      return (await desk.call("GET", `/v1/numbers/orders/${waiting.body.id}`)).body.status === "completed";
    }, 60_000);
  }, 120_000);

  test("are reconciled every night, unless they are closed", async () => {
    await reconcileAll(desk.service.app);
    const rows = await desk.service.database.admin(
      "select carrier, status, held = owned as is_equal from reconciliations order by carrier",
    );
    expect(rows).toEqual([
      { carrier: "telnyx-gb", status: "finished", is_equal: true },
      { carrier: "telnyx-us", status: "finished", is_equal: true },
    ]);
  });

  test("take no orders while they drain, and still accept returns", async () => {
    const [number] = (await desk.ended({ numbers: desk.stock("gb", 1) })).items;
    expect((await desk.call("PATCH", `${PATH}/${gbId}`, { state: "draining" })).status).toBe(200);

    expect(await desk.order({ numbers: desk.stock("gb", 1) })).toMatchObject({
      body: { code: "no_carrier" },
    });
    const released = await desk.call("POST", `/v1/numbers/${number.number_id}/release`);
    expect(released.status).toBe(202);
    await until(async () => {
      desk.service.clock.advance(1_000);
      return desk.gb.owned.some(({ e164, status }) => e164 === number.e164 && status === "deleted");
    });
  });

  test("cannot be closed while they have numbers, and are never called once they are closed", async () => {
    const refused = await desk.call("PATCH", `${PATH}/${usId}`, { state: "closed" });
    expect(refused).toMatchObject({ status: 409, body: { code: "carrier_in_use" } });
    expect(refused.body.detail).toMatch(/^telnyx-us still has \d+ numbers\. /);

    const holding =
      "update holdings set status = 'released', released_at = now() where carrier = 'telnyx-us'";
    await desk.service.database.admin(holding);
    expect((await desk.call("PATCH", `${PATH}/${usId}`, { state: "closed" })).body.state).toBe("closed");
    const before = desk.us.requests.length;
    expect(await desk.order({ numbers: desk.stock("us", 1) })).toMatchObject({
      body: { code: "no_carrier" },
    });
    const reconciled = await desk.call("POST", "/operator/v1/reconciliations", { carrier: "telnyx-us" });
    expect(reconciled).toMatchObject({ status: 404, body: { code: "carrier_not_found" } });
    expect(desk.us.requests.length).toBe(before);
  });
});

describe("a carrier", () => {
  let desk: CarrierDesk;
  const log = captureLog();
  beforeAll(async () => {
    desk = await openCarrierDesk({ INVENTORY: "pool", LOG_LEVEL: "trace" }, { log: log.log });
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  test("replaces the settings, and another process follows a change within seconds", async () => {
    const e164 = "+442079460001";
    await stockNumbers(desk.service.database, "live", [{ e164 }]);
    const config = testConfig(desk.service.database.url, { INVENTORY: "pool" });
    await using other = await startServerThere(config);
    expect(other.app.carriers.live()).toEqual(["pool"]);

    const { id } = await desk.connect("telnyx-us", desk.us, { countries: ["US"] });
    expect(desk.service.app.carriers.live()).toEqual(["telnyx-us"]);
    expect(await desk.order({ numbers: [e164] })).toMatchObject({ body: { code: "no_carrier" } });
    await until(() => other.app.carriers.live()[0] === "telnyx-us", 5_000);
    expect(desk.service.app.carriers.named("pool")?.name).toBe("pool");

    await desk.call("PATCH", `${PATH}/${id}`, { preference: 5, countries: ["US", "CA"] });
    await until(() => other.app.carriers.openFor("live", [{ country: "CA" }]).length === 1, 5_000);
    await desk.call("POST", PATH, { name: "pool", kind: "pool" });
    expect(await desk.ended({ numbers: [e164] })).toMatchObject({ status: "completed" });
  });

  test("shows its credentials nowhere", async () => {
    const created = await desk.connect("telnyx-gb", desk.gb, { countries: ["GB"] });
    expect(created.credentials).toEqual({
      set_at: expect.any(String),
      ends_with: desk.gb.apiKey.slice(-4),
    });
    const key = "KEY0198C5F27C1E7A339D3F0000";
    const changed = await desk.call("PATCH", `${PATH}/${created.id}`, { credentials: { api_key: key } });
    const bad = await desk.call("PATCH", `${PATH}/${created.id}`, { credentials: { token: key } });
    expect(bad).toMatchObject({ status: 400, body: { errors: [{ pointer: "#/credentials" }] } });
    const moved = await desk.call("PATCH", `${PATH}/${created.id}`, { url: "http://127.0.0.1:9" });
    expect(moved).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "#/credentials", code: "required" }] },
    });
    const audit = await desk.call("GET", "/operator/v1/audit?limit=1000");
    expect(audit.text).toContain('"carrier.created"');
    expect(audit.text).toContain('"has_new_credentials":true');

    const shown = [JSON.stringify(created), changed.text, bad.text, audit.text, log.text()].join("\n");
    const dump = dumpOf(desk.service.database.url);
    for (const secret of [desk.gb.apiKey, key]) {
      expect(shown).not.toContain(secret);
      expect(isReadableIn(dump, secret)).toBe(false);
    }
  });

  test("has its credentials sealed again by a new root key, which lets the old one be retired", async () => {
    const { app } = desk.service;
    const { id } = await desk.connect("telnyx-fr", desk.gb, { countries: ["FR"] });
    const rootOf = async (): Promise<number> => {
      const sql = "select root_id from carriers where id = $1";
      return (await desk.service.database.admin<{ root_id: number }>(sql, [id]))[0]!.root_id;
    };
    const before = await rootOf();
    const cell = await addCellKey(app, AUTHOR);
    await until(() => app.secrets.current("carrier-credentials").rootId === cell);
    expect(await countCarriers(app, before)).toBeGreaterThan(0);

    await retireCellKey(app, AUTHOR, before);
    expect(await rootOf()).toBe(cell);
    await until(() => !app.secrets.all("carrier-credentials").some(({ rootId }) => rootId === before));
    await using other = await startServerThere(testConfig(desk.service.database.url));
    const carrier = other.app.carriers.named("telnyx-fr")!;
    expect(await carrier.ordering.list(undefined)).toEqual({ numbers: [], next: undefined });
  });

  test.each([
    [{ name: "pool-2", kind: "pool" }, "#/name"],
    [{ name: "sandbox", kind: "telnyx", credentials: { api_key: "k" } }, "#/name"],
    [{ name: "x", kind: "telnyx" }, "#/credentials"],
    [{ name: "x", kind: "pool", url: "https://example.com" }, "#/url"],
    [{ name: "x", kind: "telnyx", credentials: { api_key: "k" }, url: "http://a:b@example.com" }, "#/url"],
  ])("is rejected as %j", async (body, pointer) => {
    expect(await desk.call("POST", PATH, body)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
  });

  test("is rejected in production without https", async () => {
    const app = desk.service.app;
    const { createCarrier } = await import("./connected-carriers.ts");
    const production = { ...app, config: { ...app.config, mode: "production" as const } };
    const wanted = {
      name: "x",
      kind: "telnyx",
      credentials: { api_key: "k" },
      url: "http://example.com",
    } as const;
    await expect(createCarrier(production, AUTHOR, wanted)).rejects.toThrow("must be https");
  });
});

async function startServerThere(config: Parameters<typeof startServer>[0]) {
  const server = await startServer(config, "api");
  return { app: server.app, [Symbol.asyncDispose]: () => server.stop() };
}
