import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemAuthor } from "../../events/audit/audit.ts";
import { addHoldings, stockNumbers as loadStock } from "../numbers/numbers.ts";
import { newId } from "../../platform/ids.ts";
import { raceForNumbers } from "./testing/order-race.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { stockNumbers } from "../../../testing/stock.ts";

/** The real carriers of an installation and a worker: orders are only placed and read. */
let service: Service;
let home: string;
let owner: Person;
beforeAll(async () => {
  service = await startService({
    worker: true,
    settings: { INVENTORY: "pool", DATABASE_CONNECTIONS: "20" },
  });
  home = await service.organisation();
  owner = await service.person({ [home]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

const headersOf = (environment: string, { token } = owner): Record<string, string> => ({
  ...bearer(token),
  "x-service-environment": environment,
});
const post = (path: string, body: unknown, environment: string, by = owner): Promise<Sent> =>
  service.send("POST", path, {
    headers: { ...headersOf(environment, by), "idempotency-key": newId() },
    body,
  });

async function ended(body: unknown, environment = "live", by = owner): Promise<Sent["body"]> {
  const placed = await post("/v1/numbers/orders", body, environment, by);
  expect(placed.status).toBe(202);
  return until(async () => {
    const path = `/v1/numbers/orders/${placed.body.id}`;
    const order = (await service.send("GET", path, { headers: headersOf(environment, by) })).body;
    return order.finished_at !== null && order;
  }, 30_000);
}

describe("from the operator's pool", () => {
  test("numbers are had by number, by kind and from a reservation, each once", async () => {
    const numbers = Array.from({ length: 6 }, (_, at) => ({ e164: `+44114496000${at}` }));
    await stockNumbers(service.database, "live", numbers);
    const reserved = await post(
      "/v1/numbers/reservations",
      { numbers: [numbers[0]!.e164, numbers[1]!.e164] },
      "live",
    );

    expect(await ended({ numbers: [numbers[2]!.e164] })).toMatchObject({ status: "completed" });
    expect(await ended({ reservation_id: reserved.body.id })).toMatchObject({ status: "completed" });
    const criteria = { country: "GB", type: "local", prefix: "44114" };
    expect(await ended({ criteria, quantity: 3 })).toMatchObject({ status: "completed" });
    expect(await ended({ criteria, quantity: 1 })).toMatchObject({ status: "failed" });
  });

  test("what an organisation has reserved is for sale to itself, by number too, and to no other", async () => {
    const stranger = await service.person({ [await service.organisation()]: "owner" });
    const numbers = ["+441144961000", "+441144961001"];
    await stockNumbers(
      service.database,
      "live",
      numbers.map((e164) => ({ e164 })),
    );
    expect((await post("/v1/numbers/reservations", { numbers }, "live")).status).toBe(201);

    expect(await ended({ numbers }, "live", stranger)).toMatchObject({ status: "failed" });
    expect(await ended({ numbers })).toMatchObject({ status: "completed" });
  });

  test("what came from another carrier and went back there is not had from it, until it is stocked", async () => {
    const e164 = "+441144960999";
    const [held] = await service.app.db.forSystem("stock", (tx) =>
      addHoldings(tx, systemAuthor("test"), service.clock.now(), {
        organisationId: home,
        environment: "live",
        source: "order",
        carrier: "company",
        numbers: [{ e164, country: "GB", type: "local", tags: [] }],
      }),
    );
    await service.database.admin(
      "update holdings set status = 'released', released_at = now() where id = $1",
      [held!.id],
    );
    const found = async (): Promise<unknown[]> => {
      const path = "/v1/numbers/inventory?country=GB&contains=960999";
      return (await service.send("GET", path, { headers: headersOf("live") })).body.data;
    };

    expect(await found()).toEqual([]);
    expect((await post("/v1/numbers/reservations", { numbers: [e164] }, "live")).status).toBe(409);
    expect(await ended({ numbers: [e164] })).toMatchObject({
      status: "failed",
      items: [{ error: { code: "number_not_available" } }],
    });

    const table = `number\n${e164}\n`;
    await loadStock(service.app, systemAuthor("test"), { table, isDryRun: false, onProgress: () => {} });
    expect(await found()).toHaveLength(1);
    expect(await ended({ numbers: [e164] })).toMatchObject({ status: "completed" });
  });

  test("returns the finished order with Prefer: wait, at a replay too", async () => {
    await stockNumbers(service.database, "live", [{ e164: "+441144960777" }]);
    const headers = { ...headersOf("live"), "idempotency-key": newId(), prefer: "wait=20" };
    const wish = (): Promise<Sent> =>
      service.send("POST", "/v1/numbers/orders", { headers, body: { numbers: ["+441144960777"] } });

    const first = await wish();
    expect(first).toMatchObject({ status: 202, body: { status: "completed" } });
    expect(first.headers["preference-applied"]).toBe("wait=20");
    expect(first.headers.location).toMatch(new RegExp(`/v1/jobs/${first.body.job_id}$`));
    const again = await wish();
    expect(again.body).toEqual(first.body);
    expect(again.headers["idempotency-replayed"]).toBe("true");
  });

  test("RL-02 of ten organisations that want the same numbers at once, each number goes to one", async () => {
    const tokens = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { token } = await service.person({ [await service.organisation()]: "owner" });
        return token;
      }),
    );
    const report = await raceForNumbers(service, tokens, 20);

    expect(report.winners).toEqual(Array.from({ length: 20 }, () => 1));
    expect(report.losses).toEqual(new Set(["failed number_not_available The number is not available."]));
    expect(report.strays).toEqual([]);
  });
});

describe("in the test environment", () => {
  test.each([
    ["00", "succeeded"],
    ["11", "succeeded"],
    ["12", "failed"],
    ["13", "failed"],
    ["15", "succeeded"],
    ["16", "succeeded"],
    ["17", "succeeded"],
    ["18", "succeeded"],
  ])("a number that ends in %s ends as documented: %s", async (ending, status) => {
    const order = await ended({ numbers: [`+121255501${ending}`] }, "test");

    expect(order.items).toMatchObject([{ status }]);
  });

  test("returns the numbers of an all-or-nothing order, and sells fictional numbers only", async () => {
    const order = await ended({ numbers: ["+12135550150", "+12135550112"], all_or_nothing: true }, "test");
    expect(order.items).toMatchObject([
      { status: "failed", error: { code: "order_incomplete" } },
      { status: "failed", error: { code: "number_not_available" } },
    ]);
    expect((await ended({ numbers: ["+12135550150"] }, "test")).status).toBe("completed");
    expect((await ended({ numbers: ["+442079460999"] }, "test")).items).toMatchObject([
      { error: { code: "number_not_available" } },
    ]);
    const some = await ended({ criteria: { country: "US", prefix: "1214" }, quantity: 2 }, "test");
    expect(some.status).toBe("completed");
  });
});
