import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import { MODEL_SEED } from "../../../testing/model-seed.ts";
import { randomFrom } from "../../../testing/random.ts";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { examine } from "../../doctor.ts";
import { seedNumbers } from "../../seed.ts";
import type { Overview } from "./overview.schema.ts";
import { addCounts, applyBulkChange } from "./testing/worker-steps.ts";

/** Counts of the overview compared with a full count, after random histories. */
const STEPS = 100;
const NUMBERS = 40;

let service: Service;
let organisationId: string;
let token: string;
let switches: LiveSwitch[];
let connectionIds: string[];
const ids: string[] = [];
const random = randomFrom(MODEL_SEED);
const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  ({ token } = await service.person({ [organisationId]: "owner" }));
  switches = [await LiveSwitch.add(service), await LiveSwitch.add(service)];
  await service.database.admin("update switches set features = '{failover}'");
  connectionIds = [];
  for (const name of ["Head office", "Branch"]) {
    const body = { name, targets: [{ host: "8.8.8.8" }, { host: "8.8.4.4" }] };
    connectionIds.push((await send("POST", "/v1/connections", body)).body.id as string);
  }
  await add(NUMBERS);
});
afterAll(() => service[Symbol.asyncDispose]());

async function send(method: string, path: string, body?: object) {
  const headers = { ...bearer(token), "idempotency-key": randomUUID() };
  return service.send(method, path, { headers, body });
}

async function add(count: number): Promise<void> {
  ids.push(...(await seedNumbers(service.app, organisationId, "live", count)).map(({ id }) => id));
}

function anyRoute(): object {
  return oneOf([
    { mode: "unrouted" },
    { mode: "sip_uri", sip_uri: `sip:${Math.floor(random() * 1e6)}@8.8.8.8` },
    { mode: "connection", connection_id: oneOf(connectionIds) },
    {
      mode: "sip_uri",
      sip_uri: "sip:first@8.8.8.8",
      fallback: {
        mode: "connection",
        connection_id: connectionIds[0],
        ...oneOf([{}, { fallback: { mode: "connection", connection_id: connectionIds[1] } }]),
      },
    },
    {
      mode: "connection",
      connection_id: oneOf(connectionIds),
      fallback: { mode: "sip_uri", sip_uri: "sip:second@8.8.8.8" },
    },
    {
      mode: "webhook",
      webhook_url: "https://8.8.8.8/route",
      fallback: oneOf([{ mode: "unrouted" }, { mode: "connection", connection_id: oneOf(connectionIds) }]),
    },
  ]);
}

/** An exception to the current version, or to an older one. */
async function except(kind: "route" | "connection", as?: { id: string; state: string }): Promise<void> {
  const from =
    kind === "route"
      ? ["routings", "holding_id", as?.id ?? oneOf(ids)]
      : ["connection_placements", "connection_id", oneOf(connectionIds)];
  await service.database.admin(
    `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
     select $1, ${from[1]}, shard, $3, organisation_id, environment, version - $5, $4, 'Planted', now(), now()
     from ${from[0]} where ${from[1]} = $2
     on conflict (switch_id, item_id) do update set state = excluded.state, version = excluded.version`,
    [
      oneOf(switches).own.id,
      from[2],
      kind,
      as?.state ?? oneOf(["failed", "drifted", "pending"]),
      as ? 0 : oneOf([0, 0, 1]),
    ],
  );
}

async function setStatus(): Promise<void> {
  const status = oneOf(["active", "suspended", "releasing", "quarantined", "released"]);
  await service.database.admin(
    "update holdings set status = $2, released_at = case $2 when 'released' then now() end, restore_until = null where id = $1",
    [oneOf(ids), status],
  );
}

/** Health of all targets of a connection, or of one, on one switch. */
async function setHealth(state = oneOf(["up", "down", "down", "unknown"])): Promise<void> {
  const hosts = oneOf([["8.8.8.8"], ["8.8.8.8", "8.8.4.4"]]);
  const { id } = oneOf(switches).own;
  await service.database.admin(
    `insert into target_health (switch_id, connection_id, host, port, transport, organisation_id, environment, state, last_known, addresses, since)
     select $1, $2, t.host, t.port, t.transport, t.organisation_id, t.environment, $3, nullif($3, 'unknown'), '[]', now()
     from connection_targets t where t.connection_id = $2
     on conflict (switch_id, connection_id, host, port, transport) do update
       set state = excluded.state, last_known = coalesce(excluded.last_known, target_health.last_known)
       where target_health.host = any ($4)`,
    [id, oneOf(connectionIds), state, hosts],
  );
  await service.database.admin(
    "update switches set targets_read_at = now() + interval '1 hour' where id = $1",
    [id],
  );
}

async function bulk(): Promise<void> {
  const plan = await send("POST", "/v1/numbers/bulk", {
    select: { ids: ids.slice(0, 10) },
    change: { routing: anyRoute() },
  });
  expect(plan.status, plan.text).toBe(201);
  const { id } = plan.body as { id: string };
  await send("POST", `/v1/numbers/bulk/${id}/apply`);
  await applyBulkChange(service.app, id);
}

const admin =
  (sql: string): (() => Promise<unknown>) =>
  () =>
    service.database.admin(sql);
/** First, so that every state occurs. */
const FIRST: Record<string, () => Promise<unknown>> = {
  "some numbers use connections": () =>
    Promise.all(
      connectionIds.map((id, place) =>
        send("PUT", `/v1/numbers/${ids[place]}/routing`, { mode: "connection", connection_id: id }),
      ),
    ),
  "all confirmed": () => switches[0]!.confirmAll(),
  "targets down": () => setHealth("down"),
  "a number fails": () => except("route", { id: ids[2]!, state: "failed" }),
  "a number drifts": () => except("route", { id: ids[3]!, state: "drifted" }),
};
const STEP: Record<string, () => Promise<unknown>> = {
  "routing set": () => send("PUT", `/v1/numbers/${oneOf(ids)}/routing`, anyRoute()),
  "another routing set": () => send("PUT", `/v1/numbers/${oneOf(ids)}/routing`, anyRoute()),
  "many routings set at once": () =>
    Promise.all(ids.slice(0, 8).map((id) => send("PUT", `/v1/numbers/${id}/routing`, anyRoute()))),
  "bulk change": bulk,
  "numbers added": () => add(2),
  "status changed": setStatus,
  "number released": () => send("POST", `/v1/numbers/${oneOf(ids)}/release`),
  "connection changed": () =>
    send("PATCH", `/v1/connections/${oneOf(connectionIds)}`, {
      ring_seconds: 5 + Math.floor(random() * 100),
    }),
  "everything confirmed": () => switches[0]!.confirmAll(),
  "everything confirmed again": () => switches[0]!.confirmAll(),
  "number deviates": () => except("route"),
  "connection deviates": () => except("connection"),
  "exceptions end": admin("delete from applied_exceptions"),
  "switch silent": admin(
    "update switches set last_seen_at = now() - interval '1 hour' where name = (select min(name) from switches)",
  ),
  "switch back": admin("update switches set last_seen_at = now() + interval '1 hour'"),
  "targets change": () => setHealth(),
  "counts added": () => addCounts(service.app),
};

/** By the view that single numbers are shown with. */
async function fullCount(): Promise<Overview["numbers"]> {
  const rows = await service.database.admin<{ state: string; numbers: number; unrouted: number }>(
    `select case when s.status = 'in_sync' and r.mode = 'connection' and r.fallback_mode is null and exists (
         select from switches w where w.group_id = r.group_id and w.targets_read_at > now()
           and (select bool_and(coalesce(t.last_known = 'down', false)) from target_health t
             where t.switch_id = w.id and t.connection_id = r.connection_id))
         then 'unreachable' else s.status end as state,
       count(*)::int as numbers, (count(*) filter (where r.mode = 'unrouted'))::int as unrouted
     from routing_states s join routings r on r.holding_id = s.holding_id join holdings h on h.id = s.holding_id
     where h.is_held and r.environment = 'live' and r.organisation_id = $1 group by 1`,
    [organisationId],
  );
  const of = (state: string): number => rows.find((row) => row.state === state)?.numbers ?? 0;
  const total = (by: "numbers" | "unrouted"): number => rows.reduce((sum, row) => sum + row[by], 0);
  return {
    total: total("numbers"),
    in_sync: of("in_sync"),
    pending: of("pending"),
    failed: of("failed"),
    drifted: of("drifted"),
    unknown: of("unknown"),
    unreachable: of("unreachable"),
    unrouted: total("unrouted"),
    is_complete: true,
  };
}

test(`counts equal a full count after each of ${STEPS} random steps (MODEL_SEED=${MODEL_SEED})`, async () => {
  const steps = Object.entries(STEP);
  const first = [...Object.entries(FIRST), ...steps];
  const seen = new Set<string>();
  for (let at = 0; at < STEPS; at++) {
    const [name, step] = first[at] ?? oneOf(steps);
    await step();
    const { status, text, body } = await send("GET", "/v1/overview");
    expect(status, text).toBe(200);
    const expected = await fullCount();
    expect([at, name, body.numbers]).toEqual([at, name, expected]);
    for (const [state, count] of Object.entries(expected)) if (count) seen.add(state);
  }
  expect([...seen].toSorted()).toEqual([
    "drifted",
    "failed",
    "in_sync",
    "is_complete",
    "pending",
    "total",
    "unknown",
    "unreachable",
    "unrouted",
  ]);
  await addCounts(service.app);
  const rows = await service.database.admin<{ is_total: boolean }>("select is_total from number_counts");
  expect(rows.every((row) => row.is_total)).toBe(true);
  const counts = (await examine(service.app.db)).filter(({ invariant }) => invariant === "counts");
  expect(counts.length).toBeGreaterThan(0);
  expect(counts.flatMap((one) => one.rows)).toEqual([]);
}, 120_000);
