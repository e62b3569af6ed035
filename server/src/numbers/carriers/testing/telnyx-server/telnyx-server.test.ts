import Telnyx, { type ClientOptions } from "telnyx";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTelnyxServer, type TelnyxServer } from "./telnyx-server.ts";

const MINUTE_MS = 60_000;
const NUMBER = "+12015550100";
const OTHER = "+12025550199";

let time: number;
let server: TelnyxServer;
let client: Telnyx;
beforeEach(async () => {
  time = Date.parse("2026-11-15T09:00:00.000Z");
  server = await startTelnyxServer({ now: () => new Date(time), pendingReads: 1 });
  client = open();
});
afterEach(() => server[Symbol.asyncDispose]());

/** The company's own client as it comes, but for the address. */
function open(options: ClientOptions = {}): Telnyx {
  return new Telnyx({ apiKey: server.apiKey, baseURL: `${server.url}/v2`, maxRetries: 0, ...options });
}

async function all<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

describe("the official client drives it", () => {
  test("finds, reserves, buys, lists and releases a number", async () => {
    server.stock([{ e164: NUMBER }, { e164: OTHER, type: "toll_free" }]);

    const { data: found, meta } = await client.availablePhoneNumbers.list({
      filter: {
        country_code: "US",
        phone_number_type: "local",
        features: ["voice", "sms"],
        phone_number: { starts_with: "201" },
        limit: 10,
        reservable: true,
        exclude_held_numbers: true,
      },
    });
    expect(found).toMatchObject([
      { phone_number: NUMBER, reservable: true, record_type: "available_phone_number" },
    ]);
    expect(meta).toEqual({ total_results: 1, best_effort_results: 0 });

    const { data: reservation } = await client.numberReservations.create({
      customer_reference: "aside",
      phone_numbers: [{ phone_number: NUMBER }],
    });
    expect(reservation).toMatchObject({ status: "success", phone_numbers: [{ status: "success" }] });

    const { data: order } = await client.numberOrders.create({
      customer_reference: "ours",
      phone_numbers: [{ phone_number: NUMBER }],
    });
    expect(order).toMatchObject({ status: "pending", customer_reference: "ours", phone_numbers_count: 1 });
    const first = await client.numberOrders.retrieve(order!.id!);
    expect(first.data).toMatchObject({ status: "pending", phone_numbers: [{ status: "pending" }] });
    const second = await client.numberOrders.retrieve(order!.id!);
    expect(second.data).toMatchObject({ status: "success", phone_numbers: [{ status: "success" }] });
    const [listed] = await all(client.numberOrders.list({ filter: { customer_reference: "ours" } }));
    expect(listed!.phone_numbers).toEqual([{ id: expect.any(String), phone_number: NUMBER }]);

    const [owned] = await all(client.phoneNumbers.list({ filter: { phone_number: "2015550100" } }));
    expect(owned).toMatchObject({ phone_number: NUMBER, status: "active", customer_reference: "ours" });
    expect((await client.phoneNumbers.retrieve(owned!.id)).data).toEqual(owned);
    expect((await client.phoneNumbers.delete(owned!.id)).data).toMatchObject({ status: "deleted" });
    await expect(client.phoneNumbers.delete(owned!.id)).rejects.toThrow(Telnyx.NotFoundError);
  });

  test("a reservation lasts 30 minutes, and 30 more once it is extended", async () => {
    server.stock([{ e164: NUMBER }]);
    const free = async () =>
      (
        await client.availablePhoneNumbers.list({
          filter: { country_code: "US", exclude_held_numbers: true },
        })
      ).data!.length;
    const reserve = async () => {
      const body = { phone_numbers: [{ phone_number: NUMBER }, { phone_number: OTHER }] };
      return (await client.numberReservations.create(body)).data!;
    };
    const made = await reserve();
    expect(made).toMatchObject({
      status: "partial_success",
      phone_numbers: [{ status: "success" }, { status: "failure" }],
    });
    expect(await reserve()).toMatchObject({ status: "failure" });

    time += 30 * MINUTE_MS - 1;
    expect(await free()).toBe(0);
    await client.numberReservations.actions.extend(made.id!);
    time += 30 * MINUTE_MS;
    expect(await free()).toBe(0);
    time += 1;
    expect(await free()).toBe(1);
    expect((await client.numberReservations.retrieve(made.id!)).data).toMatchObject({ id: made.id });
  });

  test("lists come page by page", async () => {
    const e164s = Array.from({ length: 45 }, (_, at) => `+120155510${10 + at}`);
    server.stock(e164s.map((e164) => ({ e164 })));
    await client.availablePhoneNumbers.list({ filter: { country_code: "US" } });
    for (const phone_number of e164s) await client.numberOrders.create({ phone_numbers: [{ phone_number }] });
    await client.numberReservations.create({ phone_numbers: [{ phone_number: NUMBER }] });

    const owned = await all(client.phoneNumbers.list({ sort: "phone_number", "page[size]": 20 }));
    expect(owned.map(({ phone_number }) => phone_number)).toEqual(e164s);
    expect(await all(client.numberOrders.list())).toHaveLength(45);
    expect(await all(client.numberReservations.list({ filter: { customer_reference: "nobody" } }))).toEqual(
      [],
    );
    expect(server.requests.filter((one) => one === "GET /phone_numbers")).toHaveLength(3);
  });

  test("rejects with the client's own errors", async () => {
    const wanted = { phone_numbers: [{ phone_number: NUMBER }] };

    await expect(open({ apiKey: "KEYwrong" }).numberOrders.list()).rejects.toThrow(
      Telnyx.AuthenticationError,
    );
    await expect(client.numberOrders.create(wanted)).rejects.toMatchObject({
      status: 422,
      error: { errors: [{ code: "85000", source: { pointer: "/phone_numbers" } }] },
    });
    await expect(client.numberOrders.create({})).rejects.toThrow(Telnyx.UnprocessableEntityError);
    await expect(client.numberOrders.retrieve("none")).rejects.toThrow(Telnyx.NotFoundError);
    await expect(client.availablePhoneNumbers.list()).rejects.toMatchObject({
      error: { errors: [{ code: "10004", source: { parameter: "filter[country_code]" } }] },
    });
  });

  test("a search that is long ago does not count", async () => {
    server.stock([{ e164: NUMBER }]);
    await client.availablePhoneNumbers.list({ filter: { country_code: "US" } });
    time += 31 * MINUTE_MS;

    await expect(
      client.numberOrders.create({ phone_numbers: [{ phone_number: NUMBER }] }),
    ).rejects.toMatchObject({
      error: { errors: [{ code: "85000" }] },
    });
  });
});

describe("rejects undocumented requests", () => {
  const send = async (
    method: string,
    path: string,
    { body, type = "application/json" }: { body?: string; type?: string } = {},
  ) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${server.apiKey}`,
        ...(body !== undefined && { "content-type": type }),
      },
      ...(body !== undefined && { body }),
    });
    const { errors } = (await response.json()) as {
      errors: { code: string; title: string; detail: string }[];
    };
    expect(errors).toEqual([
      expect.objectContaining({ title: expect.any(String), detail: expect.any(String) }),
    ]);
    return `${response.status} ${errors[0]!.code}`;
  };
  const order = (body: unknown, type?: string) =>
    send("POST", "/v2/number_orders", {
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...(type && { type }),
    });

  test.each([
    "/v2/available_phone_numbers?filter[country_code]=US&filter[city]=Chicago",
    "/v2/available_phone_numbers?filter[country_code]=us",
    "/v2/available_phone_numbers?filter[country_code]=US&filter[limit]=0",
    "/v2/available_phone_numbers?filter[country_code]=US&filter[features]=telepathy",
    "/v2/available_phone_numbers?filter[country_code]=US&filter[phone_number_type]=pager",
    "/v2/available_phone_numbers?filter[country_code]=US&filter[reservable]=yes",
    "/v2/number_orders?customer_reference=x",
    "/v2/number_orders?filter[created_at][gt]=yesterday",
    "/v2/number_reservations?page[size]=251",
    "/v2/phone_numbers?page[number]=0",
    "/v2/phone_numbers?filter[phone_number]=12",
    "/v2/phone_numbers?sort=colour",
    "/v2/phone_numbers?page[size]=1&page[size]=2",
  ])("GET %s", async (path) => expect(await send("GET", path)).toBe("400 10015"));

  test("addresses and methods", async () => {
    expect(await send("GET", "/number_orders")).toBe("404 10005");
    expect(await send("PUT", "/v2/number_orders")).toBe("404 10005");
    expect(await send("DELETE", "/v2/number_reservations/12ade33a-21c0-473b-b055-b3c836e1c292")).toBe(
      "404 10005",
    );
    expect(await send("DELETE", "/v2/phone_numbers/1?force=true")).toBe("400 10015");
  });

  test("bodies", async () => {
    const number = { phone_number: NUMBER };
    expect(await order({ phone_numbers: [number] }, "text/plain")).toBe("415 10014");
    expect(await order("{")).toBe("400 10023");
    expect(await order([])).toBe("422 10015");
    expect(await order({ phone_numbers: [] })).toBe("422 10004");
    expect(await order({ phone_numbers: [number], quantity: 1 })).toBe("422 10015");
    expect(await order({ phone_numbers: [{ ...number, note: "x" }] })).toBe("422 10015");
    expect(await order({ phone_numbers: [number, number] })).toBe("422 10015");
    expect(await order({ phone_numbers: [number], customer_reference: 7 })).toBe("422 10015");
    expect(await order({ phone_numbers: [{ phone_number: "2015550100" }] })).toBe("422 10016");
  });

  test("finds nothing for a number with a plus or a pattern with a wildcard", async () => {
    server.stock([{ e164: NUMBER }]);
    expect(await all(client.phoneNumbers.list({ filter: { phone_number: NUMBER } }))).toEqual([]);
    const filter = { country_code: "US", phone_number: { contains: "201*" } };
    expect((await client.availablePhoneNumbers.list({ filter })).data).toEqual([]);
  });
});
