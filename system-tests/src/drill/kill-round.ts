import { setTimeout as sleep } from "node:timers/promises";
import { type CallCount, SETTLED_MS } from "./call-load.ts";
import type { EdgeName } from "./edge.ts";
import { collectEvidence, type Evidence } from "./drill-evidence.ts";
import type { Installation } from "./installation.ts";
import type { Victim } from "./kills.ts";
import type { LoadFigures } from "./route-load.ts";

/** A supervisor restarts a part sooner. This long an absence shows what depends on it. */
const DOWN_MS = 5_000;

/** One kill, from the last moment before it until everything runs again. */
export interface KillResult extends Evidence {
  kind: string;
  name: string;
  figures: LoadFigures;
  /** Seconds from the first failed attempt of a write to the last. */
  refusedSeconds: number;
  /** Seconds from the start of the killed part until all parts were healthy. */
  recoverySeconds: number;
  calls: Record<EdgeName, CallCount>;
  /** Failed calls at a switch that was not killed. */
  strayCalls: number;
}

/** Kills a part under load, brings it back, and compares what was acknowledged. Without a victim it only waits. */
export async function runKill(
  installation: Installation,
  kind: string,
  victim: Victim | undefined,
): Promise<KillResult> {
  const { routes, edges } = installation;
  const before = countCalls(installation);
  routes.resetFigures();
  await victim?.kill();
  await sleep(DOWN_MS);
  await routes.nextAcknowledged();
  const began = performance.now();
  await victim?.start();
  await waitUntilWhole(installation);
  const recoverySeconds = (performance.now() - began) / 1000;
  await installation.database.waitForArchive();
  const evidence = await collectEvidence(installation);
  await sleep(SETTLED_MS);
  const figures = routes.resetFigures();
  const after = countCalls(installation);
  const calls = Object.fromEntries(
    edges.map(({ name }) => [name, difference(after[name], before[name])]),
  ) as Record<EdgeName, CallCount>;
  const strays = edges.filter(({ name }) => name !== victim?.edge).map(({ name }) => calls[name].failed);
  return {
    kind,
    name: victim?.name ?? "nothing",
    figures,
    refusedSeconds: ((figures.lastFailure ?? 0) - (figures.firstFailure ?? 0)) / 1000,
    recoverySeconds,
    calls,
    strayCalls: strays.reduce((sum, failed) => sum + failed, 0),
    ...evidence,
  };
}

async function waitUntilWhole({ database, service, edges }: Installation): Promise<void> {
  await database.waitUntilWhole();
  for (const node of database.nodes) await database.waitForEtcd(node);
  await service.waitUntilWhole();
  for (const { agent } of edges) agent.assertRunning();
}

function countCalls({ edges, calls }: Installation): Record<EdgeName, CallCount> {
  return Object.fromEntries(edges.map(({ name }) => [name, calls.count(name)])) as Record<
    EdgeName,
    CallCount
  >;
}

function difference(after: CallCount, before: CallCount): CallCount {
  return { successful: after.successful - before.successful, failed: after.failed - before.failed };
}

export function isFault(result: KillResult): boolean {
  const { lost, repeated, convergedAfter, strayCalls, figures } = result;
  const { staleReads, wrongResponses } = figures;
  const faults = [lost, repeated, strayCalls, staleReads, wrongResponses];
  return convergedAfter === undefined || faults.some((count) => count > 0);
}
