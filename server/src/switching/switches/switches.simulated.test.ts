import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { startProcess } from "../../../testing/server-process.ts";
import { bearer, type Service, startService, until } from "../../../testing/service.ts";

/** A route of the test environment, as a change of routing publishes it. */
async function publishTestRoute(
  { database }: Pick<Service, "database">,
  organisationId: string,
): Promise<{ shard: number; version: number }> {
  const id = newId();
  const [row] = await database.admin<{ shard: number; version: string }>(
    `select shard, publish_item(shard, 'route', $1::uuid, $2, 'test', 1, $3, now()) as version
     from (select shard_of(id, $1::uuid::text) as shard from switch_groups where is_default and environment = 'test') s`,
    [id, organisationId, { e164: "+12025550100", mode: "unrouted" }],
  );
  return { shard: row!.shard, version: Number(row!.version) };
}

test("the worker's simulated switch reads back the routes of the test environment", async () => {
  await using service = await startService({ worker: true });
  const place = await publishTestRoute(service, await service.organisation());

  await service.app.feed.waitUntilConfirmed([place], AbortSignal.timeout(10_000));

  const [confirmed] = await service.database.admin<{ version: string }>(
    "select version from feed_confirmations where shard = $1",
    [place.shard],
  );
  expect(Number(confirmed!.version)).toBe(place.version);
});

test("of several workers one runs it, and another takes over when that one is killed", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const leaders = (): Promise<{ pid: number }[]> =>
    service.database.admin(
      `select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where l.locktype = 'advisory' and l.granted and a.datname = current_database() and a.application_name like 'dialplane_lead%'`,
    );
  const first = await startProcess({ databaseUrl: service.database.url, role: "worker" });
  const [leader] = await until(async () => {
    const found = await leaders();
    return found.length === 1 && found;
  });
  await using second = await startProcess({ databaseUrl: service.database.url, role: "worker" });
  await until(
    async () =>
      (
        await service.database.admin(
          "select 1 from pg_stat_activity where datname = current_database() and application_name like 'dialplane_lead%'",
        )
      ).length === 2,
  );
  expect(await leaders()).toEqual([leader]);

  await first.kill();

  await until(async () => {
    const [now] = await leaders();
    return now !== undefined && now.pid !== leader!.pid;
  });
  const place = await publishTestRoute(service, organisationId);
  await service.app.feed.waitUntilConfirmed([place], AbortSignal.timeout(10_000));
  const [confirmed] = await service.database.admin<{ version: string }>(
    "select version from feed_confirmations where shard = $1",
    [place.shard],
  );
  expect(Number(confirmed!.version)).toBe(place.version);
  expect(second.process.exitCode).toBeNull();
});

test("counts its active calls and records finished ones, as for any switch", async () => {
  await using service = await startService({
    worker: true,
    settings: { SIMULATED_CALLS_PER_HOUR: "72000" },
  });
  const organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  const headers = { ...bearer(owner.token), "x-service-environment": "test" };
  const listed = await service.send("GET", "/v1/numbers?q=2025550100", { headers });
  const { id } = listed.body.data[0];
  const set = await service.send("PUT", `/v1/numbers/${id}/routing`, {
    headers: { ...headers, "idempotency-key": newId() },
    body: { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" },
  });
  expect(set.status).toBe(200);

  const look = async () =>
    (await service.send("GET", `/v1/numbers/live?ids=${id}`, { headers })).body.data[0];
  await until(async () => (await look()).active_calls > 0);
  expect(await look()).toMatchObject({ applied_mode: "sip_uri", switch_online: true });
  const recorded =
    "select from call_records where holding_id = $1 and organisation_id = $2 and environment = 'test'";
  await until(async () => (await service.database.admin(recorded, [id, organisationId])).length > 0);
}, 150_000);
