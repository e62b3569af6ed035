import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MODEL_SEED } from "../../../../testing/model-seed.ts";
import { randomFrom } from "../../../../testing/random.ts";
import { LiveSwitch } from "../../../../testing/live-switch.ts";
import { bearer, type Person, type Service, startService } from "../../../../testing/service.ts";
import { seedNumbers } from "../../../seed.ts";
import type { Actor } from "../../../platform/http/access.ts";
import { listNumbers } from "../numbers.ts";
import type { NumberListFilters, NumberRecord } from "../numbers.schema.ts";
import { expectedOf, type ModelNumber } from "./number-filter-rules.ts";

interface World {
  service: Service;
  organisationId: string;
  owner: Person;
  connections: { id: string; name: string; host: string }[];
  numbers: ModelNumber[];
}

/** Searches at once. */
const LANES = 4;
/** Pages that a search follows at most. More pages repeat what these show. */
const MOST_PAGES = 4;

type Pick = <Item>(items: readonly Item[]) => Item;
type Random = () => number;

const TAGS = ["berlin", "vip", "old"];
const SITES = ["berlin", "hamburg"];
const HOSTS = ["pbx.northwind.example", "edge.southwind.example"];
const QUERIES = [
  "desk",
  "DESK 1",
  "northwind",
  "pbx.north",
  "Head office",
  "030 1000",
  "(030) 1000",
  "0049 30 1000",
  "+49 (0)30 1000",
  "011 49 30",
  "+1555",
  "30",
  "de",
  "hook.example",
  "+49301000",
  "nothing has this",
];
const DESTINATIONS = [
  "northwind",
  "PBX",
  "sip:",
  "hook.example/calls",
  "+15550100",
  "555 0100",
  "edge.",
  "zeppelin",
];

/** Random combinations of filters give the same numbers, in the same order, as a plain look at all of them. */
export function describeNumberFilters({ numbers, searches }: { numbers: number; searches: number }): void {
  const random = randomFrom(MODEL_SEED);
  const pick: Pick = (items) => items[Math.floor(random() * items.length)]!;

  describe(`filters of numbers, MODEL_SEED=${MODEL_SEED}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld(pick, random, numbers);
    }, 600_000);
    afterAll(() => world.service[Symbol.asyncDispose]());

    test(`${searches} random combinations find what a model finds`, async () => {
      let left = searches;
      const lane = async (): Promise<void> => {
        while (left-- > 0) await compare(world, pick, random);
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    }, 3_600_000);

    test("combinations over HTTP find the same", async () => {
      for (let done = 0; done < 20; done++) {
        const filters = randomFilters(world, pick, random);
        const expected = expectedOf(world.numbers, filters);
        expect({ filters, found: await foundOverHttp(world, filters) }).toEqual({ filters, found: expected });
      }
    });
  });
}

async function compare(world: World, pick: Pick, random: Random): Promise<void> {
  const filters = randomFilters(world, pick, random);
  const expected = expectedOf(world.numbers, filters);
  const limit = Math.max(pick([3, 20, 1_000]), Math.ceil(expected.length / MOST_PAGES));
  const { ids, total } = await found(world, filters, limit);
  expect({ filters, ids }).toEqual({ filters, ids: expected });
  expect({ filters, total }).toEqual({ filters, total: { count: expected.length, isMinimum: false } });
}

async function openWorld(pick: Pick, random: Random, count: number): Promise<World> {
  const service = await startService();
  const organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  const headers = bearer(owner.token);
  await service.send("PATCH", "/v1/organisation", { headers, body: { default_country: "DE" } });
  const connections = [];
  for (const [name, host] of [
    ["Head office", "pbx.northwind.example"],
    ["Branch", "edge.southwind.example"],
  ] as const) {
    const body = { name, targets: [{ host }] };
    const { body: made } = await service.send("POST", "/v1/connections", { headers, body });
    connections.push({ id: made.id as string, name, host });
  }
  // Another organisation with the same names, which no search may find.
  const foreign = await service.organisation();
  await seedNumbers(service.app, foreign, "live", 20);
  const half = Math.floor(count / 2);
  const made = [
    ...(await seedNumbers(service.app, organisationId, "live", half)),
    ...(await seedNumbers(
      service.app,
      organisationId,
      "live",
      Array.from({ length: count - half }, (_, at) => `+1555${String(1_000_000 + at)}`),
    )),
  ];
  const world = { service, organisationId, owner, connections };
  const numbers: ModelNumber[] = [];
  for (const number of made) numbers.push(await arrange(world, number, pick, random));
  // The state of a number that is in sync costs the least to show, and no filter of this test looks at it.
  await (await LiveSwitch.add(service)).confirmAll();
  await service.database.admin("analyze");
  return { ...world, numbers };
}

/** Gives a number a label, tags, metadata, a destination and a last call. */
async function arrange(
  { service, organisationId, owner, connections }: Omit<World, "numbers">,
  { id, e164 }: { id: string; e164: string },
  pick: Pick,
  random: Random,
): Promise<ModelNumber> {
  const label = random() < 0.6 ? `${pick(["Desk", "Line", "Fax desk"])} ${Math.floor(random() * 20)}` : null;
  const tags = TAGS.filter(() => random() < 0.3);
  const metadata = {
    ...(random() < 0.5 && { site: pick(SITES) }),
    ...(random() < 0.3 && { floor: pick(["1", "2"]) }),
  };
  const target = pick([
    { body: { mode: "unrouted" }, destinations: [] },
    { body: { mode: "sip_uri", sip_uri: `sip:${e164.slice(1)}@${HOSTS[0]}` } },
    { body: { mode: "sip_uri", sip_uri: `sip:Reception@${pick(HOSTS)}` } },
    { body: { mode: "connection", connection_id: connections[0]!.id }, connection: connections[0]! },
    { body: { mode: "connection", connection_id: connections[1]!.id }, connection: connections[1]! },
  ] as const);
  const headers = { ...bearer(owner.token), "x-organisation": organisationId };
  const change = { ...(label !== null && { label }), tags, metadata };
  const patched = await service.send("PATCH", `/v1/numbers/${id}`, { headers, body: change });
  const put = await service.send("PUT", `/v1/numbers/${id}/routing`, {
    headers: { ...headers, "idempotency-key": randomUUID() },
    body: target.body,
  });
  expect([patched.status, put.status, put.text]).toEqual([200, 200, put.text]);
  const lastCallAt = random() < 0.5 ? new Date(Date.now() - Math.floor(random() * 100) * 86_400_000) : null;
  const [country, type] = [pick(["DE", "FR"]), pick(["local", "mobile"])];
  const status = pick(["active", "active", "active", "suspended", "quarantined"]);
  await service.database.admin(
    "update holdings set country = $2, type = $3, status = $4, restore_until = null where id = $1",
    [id, country, type, status],
  );
  if (lastCallAt)
    await service.database.admin(
      `insert into last_calls (organisation_id, environment, holding_id, started_at) values ($1, 'live', $2, $3)`,
      [organisationId, id, lastCallAt],
    );
  const connection = "connection" in target ? target.connection : null;
  const destinations = "sip_uri" in target.body ? [target.body.sip_uri] : connection ? [connection.host] : [];
  return {
    id,
    e164,
    country,
    type,
    status,
    label,
    tags,
    metadata,
    mode: target.body.mode,
    destinations,
    connectionId: connection?.id ?? null,
    connectionName: connection?.name ?? null,
    lastCallAt,
  };
}

function randomFilters({ connections, numbers }: World, pick: Pick, random: Random): NumberListFilters {
  const some = <Value extends object>(share: number, value: () => Value): Value | object =>
    random() < share ? value() : {};
  return {
    ...some(0.4, () => ({ q: pick(QUERIES) })),
    ...some(0.15, () => ({ country: pick(["DE", "FR", "US"]) })),
    ...some(0.15, () => ({ type: pick(["local", "mobile", "other"]) })),
    ...some(0.15, () => ({ status: pick(["active", "suspended", "quarantined", "released"] as const) })),
    ...some(0.2, () => ({ tag: pick([...TAGS, "none"]) })),
    ...some(0.15, () => ({ mode: pick(["unrouted", "sip_uri", "connection", "forward"] as const) })),
    ...some(0.1, () => ({ e164: [pick(numbers).e164, pick(numbers).e164].filter(unique) })),
    ...some(0.2, () => ({ connection_id: [pick(connections).id, randomUUID()] })),
    ...some(0.3, () => ({ destination: pick(DESTINATIONS) })),
    ...some(0.15, () => ({
      last_call_before: new Date(Date.now() - Math.floor(random() * 100) * 86_400_000).toISOString(),
    })),
    ...some(0.25, () => ({
      metadata: {
        ...(random() < 0.8 && { site: pick([...SITES, "none"]) }),
        ...(random() < 0.4 && { floor: "1" }),
      },
    })),
    sort: pick(["acquired_at", "-acquired_at", "e164", "-e164"] as const),
  };
}

function unique(one: string, at: number, all: readonly string[]): boolean {
  return all.indexOf(one) === at;
}

/** Follows the pages, and keeps the total of the first. */
async function found({ service, organisationId, owner }: World, filters: NumberListFilters, limit: number) {
  const actor = { organisationId, environment: "live", role: "owner", caller: owner } as unknown as Actor;
  const ids: string[] = [];
  let total: { count: number; isMinimum: boolean } | undefined;
  for (let after: string | undefined; ;) {
    const page = await listNumbers(service.app, actor, filters, {
      after,
      limit,
      isCounted: after === undefined,
    });
    total ??= page.total;
    ids.push(...(JSON.parse(page.data) as NumberRecord[]).map(({ id }) => id));
    if (page.last === null) return { ids, total };
    after = page.last;
  }
}

/** Follows the links, as clients do that build no address themselves. */
async function foundOverHttp({ service, owner }: World, filters: NumberListFilters): Promise<string[]> {
  const query = new URLSearchParams([["limit", "20"]]);
  for (const [name, value] of Object.entries(filters)) {
    if (Array.isArray(value)) for (const one of value) query.append(name, one);
    else if (typeof value === "object")
      for (const [key, one] of Object.entries(value)) query.append(`${name}[${key}]`, String(one));
    else query.append(name, String(value));
  }
  const ids: string[] = [];
  for (let path: string | undefined = `/v1/numbers?${query.toString()}`; path !== undefined;) {
    const sent = await service.send("GET", path, { headers: bearer(owner.token) });
    expect([sent.status, sent.text]).toEqual([200, sent.text]);
    ids.push(...(sent.body.data as NumberRecord[]).map(({ id }) => id));
    const link = sent.headers.link as string | undefined;
    path = link && new URL(link.slice(1, link.indexOf(">"))).href.replace(/^https?:\/\/[^/]+/, "");
  }
  return ids;
}
