import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../sip/until.ts";
import { SETTLED_MS } from "./call-load.ts";
import { backUp, restoreCluster } from "./database-restore.ts";
import { collectEvidence } from "./drill-evidence.ts";
import type { Installation } from "./installation.ts";
import { countOf } from "./route-load.ts";

const [BEFORE_MS, AFTER_MS, AT_END_MS] = [10_000, 10_000, 5_000];
const COMPARED_MS = 300_000;

type Say = (text: string) => void;

/**
 * Restores the database to a point in time while calls continue, and adopts what the switches know since then. Throws if
 * the last acknowledged write of a number is missing afterwards, or if a call failed.
 */
export async function drillRestore(installation: Installation, say: Say): Promise<void> {
  const { database, service, routes, edges, calls } = installation;
  const node = await database.primary();
  await timed(say, "full backup", () => backUp(node));
  await sleep(BEFORE_MS);
  const [{ now } = { now: "" }] = await database.query<{ now: string }>("select now()");
  const point = new Date(now);
  const atPoint = sumOf(installation);
  await sleep(AFTER_MS);
  await routes.pause();
  await collectEvidence(installation);
  say(`${sumOf(installation) - atPoint} writes were acknowledged after ${point.toISOString()}`);
  for (const part of [...service.apis, ...service.workers]) await part.stop();

  await timed(say, "point-in-time restore of three nodes", () => restoreCluster(database, node, point));
  say(
    `${sumOf(installation) - (await sumInForce(installation))} writes are missing in the restored database`,
  );
  await service.migrate();
  await service.server("restore", "begin", "--to", point.toISOString());
  for (const part of [...service.apis, ...service.workers]) part.start();
  await service.waitUntilWhole();
  const difference = await timed(say, "comparison with both switches", () => compared(installation));
  say(`${difference.match(/^.*newer_on_switch .*$/gm)?.length ?? 0} routes are newer on the switches`);
  say((await service.server("restore", "adopt", "--all")).trim());
  await timed(say, "finish", () => service.server("restore", "finish"));

  const missing = sumOf(installation) - (await sumInForce(installation));
  say(`${missing} of the last acknowledged writes are missing after the restore`);
  if (missing !== 0) throw new Error("The restore has lost routes");
  routes.resume();
  await routes.nextAcknowledged();
  await sleep(AT_END_MS);
  const { convergedAfter } = await collectEvidence(installation);
  if (convergedAfter === undefined) throw new Error("The switches do not have the acknowledged routes");
  await database.waitForArchive();
  await sleep(SETTLED_MS);
  for (const { name } of edges) {
    const { successful, failed } = calls.count(name);
    say(`${name}: ${successful} calls, ${failed} failed`);
    if (failed > 0) throw new Error(`${failed} calls failed at ${name}`);
  }
}

async function timed<Result>(say: Say, what: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await work();
  say(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return result;
}

/** The output of `restore diff` that covers both switches. */
function compared({ service, edges }: Installation): Promise<string> {
  return until(
    "the state of both switches",
    async () => {
      const found = await service.server("restore", "diff");
      return edges.every(({ name }) => found.includes(`switch ${name}: compared`)) && found;
    },
    COMPARED_MS,
  );
}

const sumOf = ({ routes }: Installation): number =>
  routes.numbers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);

/** The same sum over the routes in force. */
async function sumInForce({ database }: Installation): Promise<number> {
  const rows = await database.query<{ sip_uri: string }>(
    "select sip_uri from routings where sip_uri is not null",
  );
  return rows.reduce((sum, { sip_uri }) => sum + countOf(sip_uri), 0);
}
