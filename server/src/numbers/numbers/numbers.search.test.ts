import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import type { NumberRecord } from "./numbers.schema.ts";

let service: Service;
let organisationId: string;
let owner: Person;
let member: Person;
let numbers: { id: string; e164: string }[];
let connectionId: string;

beforeAll(async () => {
  service = await startService({ settings: { FORWARD_PREFIXES: "+49" } });
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  member = await service.person({ [organisationId]: "member" });
  numbers = await seedNumbers(service.app, organisationId, "live", [
    "+493010000001",
    "+493010000002",
    "+493010000003",
    "+498930100001",
  ]);
  const made = await send("POST", "/v1/connections", {
    name: "Head office",
    targets: [{ host: "edge.northwind.example" }],
  });
  connectionId = made.body.id as string;
  await route(0, { mode: "sip_uri", sip_uri: "sip:Sales@PBX.northwind.example" });
  await route(1, { mode: "connection", connection_id: connectionId });
  await route(2, { mode: "forward", forward_to: "+493099999999" });
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (method: string, path: string, body?: unknown, token = owner.token) =>
  service.send(method, path, {
    headers: { ...bearer(token), "idempotency-key": randomUUID() },
    ...(body !== undefined && { body }),
  });

async function route(at: number, body: object): Promise<void> {
  const { status, text } = await send("PUT", `/v1/numbers/${numbers[at]!.id}/routing`, body);
  expect([status, text]).toEqual([200, text]);
}

async function found(query: string, person = owner): Promise<string[]> {
  const sent = await service.send("GET", `/v1/numbers?${query}`, { headers: bearer(person.token) });
  expect([sent.status, sent.text]).toEqual([200, sent.text]);
  return (sent.body.data as NumberRecord[]).map(({ e164 }) => e164);
}

const search = (text: string, person = owner) => found(`q=${encodeURIComponent(text)}`, person);

describe("destinations", () => {
  test.each([
    ["northwind.example", ["+493010000001", "+493010000002"]],
    ["SALES@", ["+493010000001"]],
    ["edge.north", ["+493010000002"]],
    ["030 99999", ["+493010000003"]],
    ["+4930 9999", ["+493010000003"]],
    ["zeppelin", []],
  ])("`destination` finds %s", async (text, expected) => {
    expect(await found(`destination=${encodeURIComponent(text)}`)).toEqual(expected);
  });

  test("`q` finds destinations and names of connections too", async () => {
    expect(await search("pbx.northwind")).toEqual(["+493010000001"]);
    expect(await search("head off")).toEqual(["+493010000002"]);
  });

  test("a new destination is found at once, and the old one no longer", async () => {
    await route(3, { mode: "sip_uri", sip_uri: "sip:old@harbour.example" });
    expect(await found("destination=harbour")).toEqual(["+498930100001"]);
    await route(3, { mode: "unrouted" });
    expect(await found("destination=harbour")).toEqual([]);
  });

  test("a member's search finds no destination, and the filters are forbidden", async () => {
    expect(await search("northwind", member)).toEqual([]);
    expect(await search("head office", member)).toEqual([]);
    for (const query of ["destination=northwind", `connection_id=${connectionId}`]) {
      const sent = await send("GET", `/v1/numbers?${query}`, undefined, member.token);
      expect([sent.status, sent.body.code]).toEqual([403, "role_not_allowed"]);
    }
  });
});

describe("numbers as people write them", () => {
  test("without a country, the digits behind the zero are searched anywhere", async () => {
    expect(await search("030 10000")).toContain("+493010000001");
    expect(await search("030 100001")).toEqual(["+498930100001"]);
  });

  test("the default country says what a number without a country code means", async () => {
    expect((await send("PATCH", "/v1/organisation", { default_country: "DE" })).status).toBe(200);
    expect(await search("030 100001")).toEqual([]);
    for (const written of ["030 1000", "(030) 1000", "0049 30 1000", "+49 (0)30 1000", "+49301000"])
      expect([written, await search(written)]).toEqual([
        written,
        ["+493010000001", "+493010000002", "+493010000003"],
      ]);
    expect(await search("011 49 30 10000001")).toEqual(["+493010000001"]);
    expect(await found(`destination=${encodeURIComponent("030 99999")}`)).toEqual(["+493010000003"]);
  });

  test("the country has to be one with phone numbers, and only owners and admins set it", async () => {
    const unknown = await send("PATCH", "/v1/organisation", { default_country: "ZZ" });
    expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([400, "#/default_country"]);
    expect((await send("PATCH", "/v1/organisation", { default_country: "DE" }, member.token)).status).toBe(
      403,
    );
    expect((await send("GET", "/v1/organisation", undefined, member.token)).body).toMatchObject({
      id: organisationId,
      default_country: "DE",
    });
    expect(
      (await send("PATCH", "/v1/organisation", { default_country: null })).body.default_country,
    ).toBeNull();
  });
});

describe("metadata", () => {
  test("is merged key by key, filters the list, and selects numbers of a bulk change", async () => {
    const path = `/v1/numbers/${numbers[0]!.id}`;
    await send("PATCH", path, { metadata: { site: "berlin", floor: "2" } });
    const changed = await send("PATCH", path, { metadata: { floor: null, owner: "Ada" } });
    expect(changed.body.metadata).toEqual({ owner: "Ada", site: "berlin" });
    expect(await found("metadata[site]=berlin")).toEqual(["+493010000001"]);
    expect(await found("metadata%5Bsite%5D=berlin&metadata%5Bowner%5D=Bob")).toEqual([]);
    const plan = await send("POST", "/v1/numbers/bulk", {
      select: { filter: { metadata: { site: "berlin" }, destination: "northwind" } },
      change: { tags: { add: ["moved"] } },
    });
    expect([plan.status, plan.body.progress.total]).toEqual([201, 1]);
  });

  test("has at most 20 pairs of texts", async () => {
    const path = `/v1/numbers/${numbers[1]!.id}`;
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key${at}`, "x"]));
    expect((await send("PATCH", path, { metadata: many })).status).toBe(200);
    const tooMany = await send("PATCH", path, { metadata: { one_more: "x" } });
    expect([tooMany.status, tooMany.body.errors[0].pointer]).toEqual([400, "#/metadata"]);
    for (const metadata of [{ "a b": "x" }, { a: "" }, { a: 1 }, { a: "x".repeat(501) }])
      expect((await send("PATCH", path, { metadata })).status).toBe(400);
  });

  test("is kept on orders and connections; on a connection it makes no new generation", async () => {
    const made = await send("POST", "/v1/connections", {
      name: "Branch",
      targets: [{ host: "edge.northwind.example" }],
      metadata: { site: "hamburg" },
    });
    const path = `/v1/connections/${made.body.id as string}`;
    const changed = await send("PATCH", path, { metadata: { rack: "4" } });
    expect(changed.body).toMatchObject({ metadata: { rack: "4", site: "hamburg" }, generation: 1 });
    const order = await send("POST", "/v1/numbers/orders", {
      criteria: { country: "DE" },
      quantity: 1,
      metadata: { cost_centre: "4100" },
    });
    expect([order.status, order.body.metadata]).toEqual([202, { cost_centre: "4100" }]);
  });

  test("a key that writes numbers sets label, tags and metadata, and no release lock", async () => {
    const { secret } = await service.key(owner, organisationId, ["numbers_write"]);
    const path = `/v1/numbers/${numbers[2]!.id}`;
    const changed = await send("PATCH", path, { label: "Line", tags: ["a"], metadata: { a: "b" } }, secret);
    expect([changed.status, changed.body.metadata]).toEqual([200, { a: "b" }]);
    expect((await send("PATCH", path, { release_lock: true }, secret)).status).toBe(403);
  });
});

test("the first page counts all results, and a link repeats every filter", async () => {
  const query = `limit=1&e164=%2B493010000001&e164=%2B493010000002&sort=e164`;
  const first = await send("GET", `/v1/numbers?${query}`);
  expect(first.body).toMatchObject({ total: 2, total_is_minimum: false });
  const link = first.headers.link as string;
  const next = await send(
    "GET",
    new URL(link.slice(1, link.indexOf(">"))).href.replace(/^https?:\/\/[^/]+/, ""),
  );
  expect([next.status, next.body.data.length, next.body.total]).toEqual([200, 1, undefined]);
});
