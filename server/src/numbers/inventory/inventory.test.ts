import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { stockNumbers } from "../../../testing/stock.ts";

const PATH = "/v1/numbers/inventory";

async function peopleOf(service: Service): Promise<{ organisation: string; owner: Person }> {
  const organisation = await service.organisation();
  return { organisation, owner: await service.person({ [organisation]: "owner" }) };
}

describe("while no inventory is connected", () => {
  let service: Service;
  let organisation: string;
  let owner: Person;
  beforeAll(async () => {
    service = await startService();
    ({ organisation, owner } = await peopleOf(service));
    await stockNumbers(service.database, "live", [{ e164: "+442079460001" }]);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("the list is empty and says that nothing is connected, to every member and to a key that may read numbers", async () => {
    const member = await service.person({ [organisation]: "member" });
    const key = await service.key(owner, organisation, ["numbers"]);

    for (const token of [owner.token, member.token, key.secret]) {
      expect(await service.send("GET", PATH, { headers: bearer(token) })).toMatchObject({
        status: 200,
        text: '{"data":[],"next_cursor":null,"carrier":{"connected":false}}',
      });
    }
  });

  test("a search is answered the same way", async () => {
    const answer = await service.send("GET", `${PATH}?country=GB&type=local&contains=2079&limit=5`, {
      headers: bearer(owner.token),
    });

    expect(answer).toMatchObject({
      status: 200,
      body: { data: [], next_cursor: null, carrier: { connected: false } },
    });
  });

  test("rejects a write-only key", async () => {
    const key = await service.key(owner, organisation, ["numbers_write"]);

    expect(await service.send("GET", PATH, { headers: bearer(key.secret) })).toMatchObject({
      status: 403,
      body: { code: "scope_missing" },
    });
  });
});

describe("with the operator's stock connected", () => {
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await startService({ settings: { INVENTORY: "pool" } });
    ({ owner } = await peopleOf(service));
    await stockNumbers(service.database, "live", [
      { e164: "+442079460001" },
      { e164: "+442079460002" },
      { e164: "+447700900003", type: "mobile" },
      { e164: "+80012345678", country: null, type: "toll_free" },
    ]);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const search = (query = "", headers: Record<string, string> = {}): Promise<Sent> =>
    service.send("GET", `${PATH}${query}`, { headers: { ...bearer(owner.token), ...headers } });
  const found = async (query: string): Promise<string[]> =>
    (await search(query)).body.data.map(({ e164 }: { e164: string }) => e164);

  test("a caller that asks for nothing in particular sees what is free", async () => {
    const { status, body } = await search();

    expect(status).toBe(200);
    expect(body).toMatchObject({ next_cursor: null, carrier: { connected: true } });
    expect(body.data).toEqual([
      { e164: "+442079460001", country: "GB", type: "local", capabilities: ["voice"] },
      { e164: "+442079460002", country: "GB", type: "local", capabilities: ["voice"] },
      { e164: "+447700900003", country: "GB", type: "mobile", capabilities: ["voice"] },
      { e164: "+80012345678", country: null, type: "toll_free", capabilities: ["voice"] },
    ]);
  });

  test("country, type and digits narrow it", async () => {
    expect(await found("?country=GB&type=mobile")).toEqual(["+447700900003"]);
    expect(await found("?contains=79460002")).toEqual(["+442079460002"]);
    expect(await found("?country=FR")).toEqual([]);
  });

  test("pages follow each other without a gap, and a cursor belongs to its filters", async () => {
    const first = await search("?country=GB&limit=2");
    const { next_cursor: cursor } = first.body;
    const second = await search(`?country=GB&limit=2&cursor=${cursor}`);

    expect(first.headers.link).toBe(
      `<http://127.0.0.1:8080${PATH}?country=GB&limit=2&cursor=${cursor}>; rel="next"`,
    );
    expect([...first.body.data, ...second.body.data].map(({ e164 }) => e164)).toEqual([
      "+442079460001",
      "+442079460002",
      "+447700900003",
    ]);
    expect(second.body.next_cursor).toBeNull();
    expect(await search(`?country=FR&cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { code: "invalid_cursor" },
    });
  });

  test("shows only fictional numbers in the test environment", async () => {
    const { body } = await search("", { "x-service-environment": "test" });

    expect(body.data[0]).toMatchObject({ e164: "+12015550100", country: "US" });
    for (const { e164 } of body.data) expect(e164).toMatch(/^\+1\d{3}55501\d{2}$/);
  });

  test.each(["country=gb", "type=Local", "contains=%25", "contains=%2B44", "limit=0", "prefix=44"])(
    "rejects %s as an invalid search",
    async (query) => {
      expect(await search(`?${query}`)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    },
  );
});

test("returns 503 for searches and reservations if the carrier does not respond", async () => {
  await using service = await startService({
    settings: { INVENTORY: "telnyx", TELNYX_API_KEY: "KEY1", TELNYX_URL: "http://127.0.0.1:9" },
  });
  const { owner } = await peopleOf(service);
  const headers = bearer(owner.token);
  const body = { numbers: ["+442079460000"] };
  const away = { status: 503, body: { code: "unavailable" } };

  expect(await service.send("GET", `${PATH}?country=GB`, { headers })).toMatchObject(away);
  expect(await service.send("POST", "/v1/numbers/reservations", { headers, body })).toMatchObject(away);
  const onTestSide = { ...headers, "x-service-environment": "test" };
  expect((await service.send("GET", PATH, { headers: onTestSide })).status).toBe(200);
  // A search that this carrier does not know is the caller's to fix, whether it is there or not.
  expect(await service.send("GET", `${PATH}?type=local`, { headers })).toMatchObject({
    status: 400,
    body: { code: "invalid_request", errors: [{ parameter: "country", code: "required" }] },
  });
});
