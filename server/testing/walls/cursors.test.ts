import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { OPERATIONS } from "../../src/operations.ts";
import type { Operation } from "../../src/platform/http/operation.ts";
import type { Environment } from "../../src/platform/db/database.ts";
import { pageOf } from "../../src/platform/http/page.ts";
import { newId } from "../../src/platform/ids.ts";
import { seedNumbers } from "../../src/seed.ts";
import type { Sent } from "../send.ts";
import { bearer, type Service } from "../service.ts";
import { withoutNames } from "./foreign-ids.ts";
import {
  carrierOf,
  connectionOf,
  freeNumber,
  identityProviderOf,
  orderOf,
  reconciliationOf,
  reservationOf,
  webhookEndpointOf,
} from "./made-things.ts";
import { type Holder, holderOf, type Neighbours, openNeighbours, type Tenant } from "./neighbours.ts";
import { FIXTURES, prepareRequest } from "./request-fixtures.ts";
import { addressOf, documentOf } from "./order-requests.ts";
import { restoreOf } from "./restore-requests.ts";
import { savedStateOf } from "./switch-requests.ts";
import { viewOf } from "./view-requests.ts";

let neighbours: Neighbours;
let service: Service;

beforeAll(async () => {
  neighbours = await openNeighbours();
  service = neighbours.service;
  // A second of everything, so that every list has a second page.
  for (const { organisationId, owner } of [neighbours.home, neighbours.other]) {
    await service.person({ [organisationId]: "member" });
    for (const environment of ["live", "test"] as const) {
      await service.key(owner, organisationId, ["numbers"], environment);
      const holder = { organisationId, environment, person: owner };
      await connectionOf(neighbours, holder);
      await seedNumbers(service.app, organisationId, environment, 1);
      await freeNumber(neighbours, holder);
      await orderOf(neighbours, holder);
      await addressOf(neighbours, holder);
      await addressOf(neighbours, holder);
      await documentOf(neighbours, holder);
      await documentOf(neighbours, holder);
      await reservationOf(neighbours, holder);
      await reservationOf(neighbours, holder);
      await webhookEndpointOf(neighbours, holder);
      await identityProviderOf(neighbours, holder);
      await reconciliationOf(neighbours);
      await carrierOf(neighbours);
      await viewOf(neighbours, holder);
    }
    await service.database.admin("update users set is_operator = true where id = $1", [owner.userId]);
    await service.database.admin(SECOND_BULK_CHANGES, [organisationId]);
  }
});
afterAll(() => neighbours[Symbol.asyncDispose]());

const LISTS = OPERATIONS.filter((operation) => "cursor" in propertiesOf(operation));

function propertiesOf({ query }: Operation<App>): object {
  const { properties = {} }: { properties?: object } = query ?? {};
  return properties;
}

async function list(
  operation: Operation<App>,
  tenant: Tenant,
  query: string,
  environment: Environment = "live",
): Promise<Sent> {
  const path = await pathOf(operation, tenant, environment);
  const headers = { ...bearer(tenant.owner.token), "x-service-environment": environment };
  return service.send("GET", `${path}?${query}`, { headers });
}

const paths = new Map<string, Promise<string>>();

/** A list within something is that of one thing for each organisation and side, with two entries. */
function pathOf(operation: Operation<App>, tenant: Tenant, environment: Environment): Promise<string> {
  const { id, path } = operation;
  const holder = holderOf(tenant, environment);
  const make = async (): Promise<string> => {
    const { params } = await prepareRequest(neighbours, operation, FIXTURES[id]!, holder);
    await SECOND_ENTRIES[id]?.(params["id"]!, holder);
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!);
  };
  const name = [id, tenant.organisationId, environment].join();
  const known = paths.get(name) ?? make();
  paths.set(name, known);
  return known;
}

const SECOND_ENTRIES: Record<string, (id: string, of: Holder) => Promise<unknown>> = {
  listEpochs: async () => {
    await service.database.admin(EPOCHS);
    await service.database.admin(inOneMillisecond("feed_epochs", "began_at", "epoch"));
  },
  listRestores: () => Promise.all([restoreOf({ service }), restoreOf({ service })]),
  listRestoreFindings: (id) =>
    service.database.admin(
      `insert into restore_findings (id, restore_id, kind, item_kind, item_id, generation_there, switches)
       select gen_random_uuid(), $1, 'only_on_switch', 'route', gen_random_uuid(), 1, '{fra-1}' from generate_series(1, 2)`,
      [id],
    ),
  listSavedStates: async () => {
    await Promise.all([savedStateOf({ service }), savedStateOf({ service })]);
    await service.database.admin(inOneMillisecond("saved_states", "saved_at", "id"));
  },
  listCalls: (id, { organisationId, environment }) =>
    service.database.admin(CALLS, [organisationId, environment, id]),
  listWebhookDeliveries: (id, { organisationId, environment }) =>
    service.database.admin(DELIVERIES, [organisationId, environment, id]),
  listProbes: (id) =>
    service.database.admin(
      `insert into probes (id, organisation_id, environment, holding_id, e164, group_id, via, token, status, created_at,
         ends_by, ended_at, links, summary)
       select gen_random_uuid(), r.organisation_id, r.environment, r.holding_id, r.e164, r.group_id, 'switch',
         'token-of-a-second-entry', 'failed', now(), now() + interval '1 minute', now(), '[]', 'Second.'
       from routings r, generate_series(1, 2) where r.holding_id = $1`,
      [id],
    ),
  listSwitchExceptions: (id) => service.database.admin(EXCEPTIONS, [id]),
  listTrunkRevisions: (id) =>
    service.database.admin(
      `insert into trunk_revisions (switch_group_id, revision, document, opened_networks, created_at)
       select $1, n, '{"trunks": [], "forwarding": null}', '{}', now() from generate_series(8, 9) n`,
      [id],
    ),
  listFindings: (id) => service.database.admin(FINDINGS, [id]),
  listRoutingRevisions: (id) =>
    service.database.admin(
      `insert into routing_revisions select (r).* from (
         select jsonb_populate_record(r, '{"generation":2}') as r from routing_revisions r where holding_id = $1) twice`,
      [id],
    ),
  listBulkChangeItems: async (id, { organisationId, environment }) => {
    const [number] = await seedNumbers(service.app, organisationId, environment, 1);
    await service.database.admin(
      `insert into bulk_change_items (organisation_id, environment, bulk_change_id, number_id, e164, shard, from_mode, from_generation, from_tags, from_release_lock)
       values ($1, $2, $3, $4, $5, 0, 'unrouted', 1, '{}', false)`,
      [organisationId, environment, id, number!.id, number!.e164],
    );
  },
};

/** Two, where the fixture makes none. */
const DELIVERIES = `insert into webhook_deliveries (organisation_id, environment, endpoint_id, id, sequence, event_id, event_type, status, created_at)
  select $1, $2, $3, gen_random_uuid(), n, gen_random_uuid(), 'number.added', 'delivered', now() from generate_series(1, 2) n`;
const CALLS = `insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, ending, result, received_at)
  select gen_random_uuid(), gen_random_uuid(), now(), $1, $2, $3, 'refused', 'busy', now() from generate_series(1, 2)`;
/** Cursors carry milliseconds, and rows microseconds: here they have another order than the IDs. */
function inOneMillisecond(table: string, time: string, id: string): string {
  return `update ${table} t set ${time} = '2026-01-01T00:00:00.123Z'::timestamptz + place * interval '10 microseconds'
    from (select ${id} as id, row_number() over (order by ${id} desc) as place from ${table}) places
    where t.${id} = places.id`;
}

const EPOCHS = `insert into feed_epochs (epoch, began_at, cause, resolved_at) values (gen_random_uuid(), now(), 'operator', now())`;
const EXCEPTIONS = `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
  select $1, holding_id, shard, 'route', organisation_id, environment, version, 'failed', '', now(), now() from routings limit 2`;
const FINDINGS = `insert into reconciliation_findings (id, reconciliation_id, kind, e164)
  select gen_random_uuid(), $1, 'not_here', '+44207946000' || n from generate_series(1, 2) n`;

const SECOND_BULK_CHANGES = `insert into bulk_changes select (b).* from (
  select jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid())) as b from bulk_changes b where organisation_id = $1) twice`;

async function cursorOf(operation: Operation<App>, tenant: Tenant): Promise<string> {
  const { body } = await list(operation, tenant, "limit=1");
  expect(body.next_cursor).toEqual(expect.any(String));
  return body.next_cursor;
}

function expectRefused({ status, body }: Sent): void {
  expect([status, body.code]).toEqual([400, "invalid_cursor"]);
  expect(body.errors).toMatchObject([{ parameter: "cursor", code: "malformed" }]);
}

describe("AZ-11 a cursor is good for one list of one organisation and side", () => {
  test("there are lists to try it with", () => {
    expect(LISTS.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["listMembers", "listInvitations", "listApiKeys", "listAudit"]),
    );
  });

  test.each(LISTS)("$id: continues after the page before, as does its link", async (operation) => {
    const { home } = neighbours;
    const whole = (await list(operation, home, "limit=1000")).body.data;
    const first = await list(operation, home, "limit=1");
    const second = await list(operation, home, `limit=1&cursor=${first.body.next_cursor}`);
    const next = /^<http[^>]*?(\/[^>]*)>; rel="next"$/
      .exec(String(first.headers["link"]))?.[1]
      ?.replace(/^\/\/[^/]+/, "");
    const linked = await service.send("GET", next!, { headers: bearer(home.owner.token) });

    expect([...first.body.data, ...second.body.data]).toEqual(whole.slice(0, 2));
    expect(linked.body.data).toEqual(second.body.data);
  });

  test.each(LISTS.filter(({ access }) => access.callers === "organisation"))(
    "$id: is rejected in another organisation and in the other environment",
    async (operation) => {
      const { home, other } = neighbours;
      const cursor = await cursorOf(operation, home);

      expectRefused(await list(operation, other, `limit=1&cursor=${cursor}`));
      expectRefused(await list(operation, home, `limit=1&cursor=${cursor}`, "test"));
      expect((await list(operation, home, `limit=1&cursor=${cursor}`)).status).toBe(200);
    },
  );

  test.each(LISTS)("$id: is rejected in every other list", async (operation) => {
    const cursor = await cursorOf(operation, neighbours.home);
    for (const another of LISTS.filter((one) => one !== operation))
      expectRefused(await list(another, neighbours.home, `cursor=${cursor}`));
  });

  test.each(LISTS)("$id: is rejected if changed by a bit, truncated or invented", async (operation) => {
    const cursor = await cursorOf(operation, neighbours.home);
    const bytes = Buffer.from(cursor, "base64url");
    const changed = [0, 15, 16, bytes.length - 1].map((at) => {
      const copy = Buffer.from(bytes);
      copy[at]! ^= 1;
      return copy.toString("base64url");
    });
    const madeUp = [
      Buffer.alloc(16),
      Buffer.alloc(48),
      bytes.subarray(16),
      bytes.subarray(0, 16),
      bytes.subarray(0, -1),
    ].map((one) => one.toString("base64url"));
    for (const one of [...changed, ...madeUp, "x", "%00", "null", "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"]) {
      expectRefused(await list(operation, neighbours.home, `limit=1&cursor=${one}`));
    }
  });

  test("continues after an event of the own environment, and rejects foreign and unknown ones equally", async () => {
    const { home, other } = neighbours;
    const eventOf = async (tenant: Tenant, where: string) => {
      const sql = `select id from events where organisation_id = $1 and ${where} limit 1`;
      return (await service.database.admin<{ id: string }>(sql, [tenant.organisationId]))[0]!.id;
    };
    const after = (id: string) =>
      service.send("GET", `/v1/events?after=${id}`, { headers: bearer(home.owner.token) });
    const own = await after(await eventOf(home, "environment = 'live'"));
    const unknown = await after(newId());
    const foreign = await after(await eventOf(other, "environment = 'live'"));
    const otherSide = await after(await eventOf(home, "environment = 'test'"));

    expect(own.status).toBe(200);
    expect([unknown.status, unknown.body.code]).toEqual([400, "invalid_cursor"]);
    expect(withoutNames(foreign)).toBe(withoutNames(unknown));
    expect(withoutNames(otherSide)).toBe(withoutNames(unknown));
  });

  test("is rejected with other filters", async () => {
    const seen: (string | undefined)[] = [];
    const list = (filters: Record<string, unknown>, query: { limit?: number; cursor?: string }) =>
      pageOf(service.app, { path: "/v1/things", of: "installation", filters }, query, {
        rows: async ({ after }) => (seen.push(after), ["a", "b"]),
        item: (row) => row,
        position: (row) => row,
      });
    const { body } = await list({ status: "active", tag: undefined }, { limit: 1 });
    const { next_cursor: cursor } = body as { next_cursor: string };

    await list({ status: "active" }, { cursor });
    expect(seen).toEqual([undefined, "a"]);
    for (const filters of [{}, { status: "ended" }, { status: "active", tag: "x" }, { tag: "active" }]) {
      await expect(list(filters, { cursor })).rejects.toThrow("This cursor does not belong to this list.");
    }
  });
});
