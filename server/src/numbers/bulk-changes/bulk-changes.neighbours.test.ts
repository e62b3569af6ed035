import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Service, startService, until } from "../../../testing/service.ts";
import { advanceBulkChange } from "./bulk-changes.apply.ts";
import { applyBulkChangeJob } from "./bulk-changes.jobs.ts";

const PATH = "/v1/numbers/bulk";

interface Tenant {
  organisation: string;
  numbers: string[];
  send(method: string, path: string, body?: object): Promise<Sent>;
  plan(change: object): Promise<string>;
}

async function tenantOf(service: Service, count: number): Promise<Tenant> {
  const organisation = await service.organisation();
  const { token } = await service.person({ [organisation]: "owner" });
  const numbers = (await seedNumbers(service.app, organisation, "live", count)).map(({ id }) => id);
  const send: Tenant["send"] = (method, path, body) =>
    service.send(method, path, {
      headers: { ...bearer(token), "idempotency-key": randomUUID() },
      ...(body && { body }),
    });
  return {
    organisation,
    numbers,
    send,
    async plan(change) {
      const { body } = await send("POST", PATH, { select: { filter: {} }, change });
      expect((await send("POST", `${PATH}/${body.id}/apply`)).status).toBe(202);
      return body.id;
    },
  };
}

const TO_BULK = { routing: { mode: "sip_uri", sip_uri: "sip:bulk@pbx.example.com" } };

/** Puts all numbers into one shard: the worst case for tenants that share it. */
async function shareOneShard({ database }: Service): Promise<void> {
  await database.admin(
    "update routings set shard = (select min(id) from feed_shards s where s.group_id = routings.group_id)",
  );
  await database.admin(
    "update bulk_change_items i set shard = r.shard from routings r where r.holding_id = i.number_id",
  );
}

test("sets in bulk exactly what single requests set: row, revision, event, audit entry and feed item", async () => {
  await using service = await startService({
    settings: { EGRESS_ALLOW: "127.0.0.0/8", FORWARD_PREFIXES: "+49" },
  });
  const { app, database } = service;
  const tenant = await tenantOf(service, 4);
  const { body: connection } = await tenant.send("POST", "/v1/connections", {
    name: "Office",
    targets: [{ host: "pbx.example.com" }],
  });
  const fallback = { mode: "connection", connection_id: connection.id };
  const routings: object[] = [
    { mode: "sip_uri", sip_uri: "sip:one@pbx.example.com" },
    { mode: "connection", connection_id: connection.id },
    { mode: "forward", forward_to: "+493099999999" },
    { mode: "webhook", webhook_url: "https://127.0.0.1/calls", fallback },
    { mode: "unrouted" },
  ];
  const [single, ...many] = tenant.numbers.toSorted();
  for (const routing of routings) {
    const set = await tenant.send("PUT", `/v1/numbers/${single}/routing`, { ...routing, reason: "why" });
    expect(set.body.code).toBeUndefined();
    const { body } = await tenant.send("POST", PATH, {
      select: { ids: many },
      change: { routing },
      reason: "why",
    });
    await tenant.send("POST", `${PATH}/${body.id}/apply`);
    expect(await advanceBulkChange(app, body.id, 60_000)).toBe("done");

    const rows = await database.admin<{ id: string }>(
      `select r.holding_id as id, to_jsonb(r) - '{holding_id,e164,shard,version,set_at}'::text[] as routing,
         (select to_jsonb(v) - '{holding_id,set_at}'::text[] from routing_revisions v
           where v.holding_id = r.holding_id and v.generation = r.generation) as revision,
         (select jsonb_agg(to_jsonb(e) - '{id,sequence,subject,created_at}'::text[]) from events e
           where e.subject = r.holding_id::text and (e.data ->> 'generation')::int = r.generation) as events,
         (select jsonb_agg(to_jsonb(a) - '{id,subject,at,request_id,address,committed_in}'::text[]) from audit_entries a
           where a.subject = r.holding_id::text and (a.detail ->> 'generation')::int = r.generation) as audit,
         (select i.value - 'e164' || jsonb_build_object('kind', i.kind, 'generation', i.generation, 'own', i.value ->> 'e164' = r.e164)
           from feed_items i where i.shard = r.shard and i.version = r.version and i.item_id = r.holding_id) as item,
         (select d.destination from routing_destinations d where d.holding_id = r.holding_id) as destination
       from routings r where r.organisation_id = $1 and r.environment = 'live' order by r.holding_id`,
      [tenant.organisation],
    );
    const expected = { ...rows.find(({ id }) => id === single)!, id: undefined };
    expect(rows).toHaveLength(4);
    for (const row of rows) expect({ ...row, id: undefined }).toEqual(expected);
  }
  const heads = await database.admin(
    `select s.id from feed_shards s join feed_items i on i.shard = s.id and i.version = s.head where i.token <> s.token
     union all select s.id from feed_shards s where s.head <> (select coalesce(max(version), 0) from feed_items where shard = s.id)`,
  );
  expect(heads).toEqual([]);
  const sequences = await database.admin<{ missing: number }>(
    `select (h.head - count(e.*))::int as missing from event_heads h join events e using (organisation_id)
     where h.organisation_id = $1 group by h.head`,
    [tenant.organisation],
  );
  expect(sequences).toEqual([{ missing: 0 }]);
});

test("a lock that another request holds too long makes chunks smaller, is not an unreachable database, and the bulk change ends", async () => {
  await using service = await startService();
  const tenant = await tenantOf(service, 60);
  const id = await tenant.plan(TO_BULK);
  await shareOneShard(service);
  const held = service.database.admin(
    "with held as materialized (select from feed_shards for update) select pg_sleep(4) from (select from held limit 1) once",
  );
  await until(async () => {
    const sleeping = "select 1 from pg_stat_activity where wait_event = 'PgSleep'";
    return (await service.database.admin(sleeping)).length > 0;
  });

  const [put, result] = await Promise.all([
    tenant.send("PUT", `/v1/numbers/${tenant.numbers[0]}/routing`, { mode: "unrouted" }),
    advanceBulkChange(service.app, id, 60_000),
  ]);
  await held;

  expect(put.status === 200 || put.body.code === "busy").toBe(true);
  expect(result).toBe("done");
  const { body } = await tenant.send("GET", `${PATH}/${id}`);
  expect(body.status).toBe("finished");
});

test("applies one bulk change of an organisation at a time, in the order of their start, and then the next", async () => {
  await using service = await startService();
  const tenant = await tenantOf(service, 3);
  const first = await tenant.plan(TO_BULK);
  service.clock.advance(1_000);
  const second = await tenant.plan({ tags: { add: ["moved"] } });
  const statusOf = async (id: string): Promise<string> =>
    (await tenant.send("GET", `${PATH}/${id}`)).body.status;
  const queuedIds = async (): Promise<string[]> =>
    (
      await service.database.admin<{ id: string }>(
        "select data ->> 'id' as id from pgboss.job where name = 'bulk-changes.apply' order by created_on, id",
      )
    ).map(({ id }) => id);

  await applyBulkChangeJob.run(service.app, { id: second });
  expect(await statusOf(second)).toBe("applying");
  expect(await queuedIds()).toHaveLength(2);

  await applyBulkChangeJob.run(service.app, { id: first });
  expect(await statusOf(first)).toBe("finished");
  expect((await queuedIds()).filter((id) => id === second)).toHaveLength(2);

  await applyBulkChangeJob.run(service.app, { id: second });
  expect(await statusOf(second)).toBe("finished");
});
