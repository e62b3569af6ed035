import { httpControlPlane, simulatedSwitch, startAgent } from "@dialplane/switch-agent";
import { expect, test } from "vitest";
import { freePort, startPrivateCluster, startStandby } from "../../platform/db/private-cluster.ts";
import { seedOrganisation } from "../../seed.ts";
import { migrateDatabase, type RunningServer, startServer } from "../../start.ts";
import { openFeedStream, publish, untilReady } from "../../../testing/feed-stream.ts";
import { until } from "../../../testing/service.ts";
import { openSuperuser } from "../../../testing/superuser.ts";
import { testConfig } from "../../../testing/test-config.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { createSwitch } from "../switches/switches.ts";

test("after a standby that lost the last commits was promoted, every agent starts over and keeps nothing of what was lost", async () => {
  const primary = await startPrivateCluster();
  await migrateDatabase(testConfig(primary.url));
  await using standby = await startStandby(primary);
  const port = String(await freePort());
  const serve = (url: string): Promise<RunningServer> => startServer(testConfig(url, { PORT: port }), "api");
  const before = await serve(primary.url);
  const organisationId = await seedOrganisation(before.app, "Alpha");
  const { row, credential } = await createSwitch(before.app, systemAuthor("test"), { name: "one" });
  const driver = simulatedSwitch();
  const held = (id: string): number | undefined => driver.held({ kind: "route", id })?.generation;
  const agent = startAgent({
    control: httpControlPlane({ url: before.url!, credential }),
    driver,
    storePath: ":memory:",
    log: { info() {}, warn() {}, error() {} },
    timing: { heartbeatMs: 200, reconnectMinMs: 20, reconnectMaxMs: 100, retryMinMs: 50 },
  });
  await using old = await openSuperuser(primary.url);
  await using promoted = await openSuperuser(standby.url);

  const kept = await publish(old, { organisationId, shard: 0 });
  await before.app.feed.waitUntilConfirmed([{ shard: 0, version: 1 }], AbortSignal.timeout(10_000));
  const [{ lsn } = { lsn: "" }] = await old.admin<{ lsn: string }>("select pg_current_wal_lsn() as lsn");
  await until(async () => {
    const [replayed] = await promoted.admin<{ is_there: boolean }>(
      "select pg_last_wal_replay_lsn() >= $1 as is_there",
      [lsn],
    );
    return replayed!.is_there;
  });
  await promoted.admin("alter system set primary_conninfo = ''");
  await promoted.admin("select pg_reload_conf()");
  await until(async () => (await promoted.admin("select from pg_stat_wal_receiver")).length === 0);
  const lost = await publish(old, { organisationId, shard: 0 });
  await publish(old, { organisationId, shard: 0, id: kept.id, generation: 2 });
  await before.app.feed.waitUntilConfirmed([{ shard: 0, version: 3 }], AbortSignal.timeout(10_000));
  expect([held(kept.id), held(lost.id)]).toEqual([2, 1]);
  await using reader = await openFeedStream(before.url!, credential);
  await untilReady(reader);
  const position = reader.position();
  await before.stop();
  await primary[Symbol.asyncDispose]();

  await promoted.admin("select pg_promote()");
  const after = await serve(standby.url);
  // The same version as what was lost, and something else.
  const next = await publish(promoted, { organisationId, shard: 0 });
  await until(() => held(next.id) === 1 && held(lost.id) === undefined && held(kept.id) === 1);

  await after.app.feed.waitUntilConfirmed([{ shard: 0, version: next.version }], AbortSignal.timeout(10_000));
  await using resumed = await openFeedStream(after.url!, credential, position);
  await untilReady(resumed);
  expect(next.version).toBe(lost.version);
  expect(resumed.messages.filter(({ type }) => type === "snapshot")).toHaveLength(
    Object.keys(position.versions).length,
  );
  const watermarks = await promoted.admin<{ version: string; epoch: string }>(
    "select version, epoch from applied_watermarks where switch_id = $1 and shard = 0",
    [row.id],
  );
  expect(watermarks).toEqual([{ version: "2", epoch: after.app.feed.epoch() }]);
  await resumed[Symbol.asyncDispose]();
  await agent.stop();
  await after.stop();
});
