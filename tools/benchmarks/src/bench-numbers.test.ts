import { readConfig } from "@dialplane/server/config";
import { startPrivateCluster } from "@dialplane/server/private-cluster";
import { migrateDatabase } from "@dialplane/server/start";
import { expect, test } from "vitest";
import { checkInSync, populateNumbers } from "./bench-numbers.ts";
import { settingsOf } from "./bench-settings.ts";
import { psql } from "./psql.ts";

test("populates numbers in sync, and aborts if some are not", { timeout: 180_000 }, async () => {
  await using cluster = await startPrivateCluster({ settings: { fsync: "off" } });
  const config = readConfig(settingsOf(cluster.url));
  await migrateDatabase(config);
  const { count } = await populateNumbers(config, 1_000, new AbortController().signal);
  const states = await psql(cluster.url, [
    "select status, count(*) from routing_states where environment = 'live' group by status",
  ]);
  expect(states).toBe(`in_sync|${count}\n`);

  await psql(cluster.url, ["update feed_confirmations set version = 0"]);
  await expect(checkInSync(cluster.url)).rejects.toThrow(
    `All live numbers must be in sync before measuring, but ${count} pending.`,
  );
});
