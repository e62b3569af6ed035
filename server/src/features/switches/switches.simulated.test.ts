import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { startProcess } from "../../testing/server-process.ts";
import { type Service, startService, until } from "../../testing/service.ts";

/** A route of the test side, as a change of routing publishes it. */
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

test("the worker's simulated switch reads back what the test side is told", async () => {
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
