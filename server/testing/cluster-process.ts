import { startPrivateCluster } from "../src/platform/db/private-cluster.ts";

/** A PostgreSQL for tests that start everything as programs: prints its address, and lives as long as its input is open. */
const cluster = await startPrivateCluster({ settings: { fsync: "off", full_page_writes: "off" } });
let isStopping = false;
const stop = (): void => {
  if (isStopping) return;
  isStopping = true;
  void cluster[Symbol.asyncDispose]().then(() => process.exit(0));
};
process.on("SIGTERM", stop);
process.stdin.on("end", stop).resume();
console.log(cluster.url);
