import { setTimeout as sleep } from "node:timers/promises";
import type { CountedCall, CountedCalls } from "./counted-calls.ts";
import { findMiscounted } from "./miscounted.ts";

const VICTIMS = ["switch", "agent", "server"] as const;
/** UDP workers of the switch. Each may be killed between the response to a BYE and its row. */
const WORKERS = 2;

export interface KillRun {
  calls: number;
  perSecond: number;
  everyMs: number;
}

export interface KillOutcome {
  /** Calls that the callee answered, from the caller's view. */
  answered: number;
  kills: Record<(typeof VICTIMS)[number], number>;
  /** Call-IDs with more than one record, also of earlier calls. */
  twice: string[];
  /** Answered calls with another recorded result, or without a holder. */
  wrong: CountedCall[];
  /** Answered for the caller, and not by the callee. */
  oneSided: string[];
  /** How many answered calls have a record without an end. */
  unknown: number;
  /** Maximum of unknown ends for this number of kills. */
  mostUnknown: number;
  /** Faults in the HTTP API's data. */
  miscounted: string[];
  told: string;
}

/**
 * Places calls while switch, agent and server are killed at random. Then compares the views of caller and
 * callee with the records.
 */
export async function callThroughKills(
  scene: CountedCalls,
  { calls, perSecond, everyMs }: KillRun,
): Promise<KillOutcome> {
  const earlier = new Set(scene.caller.calls.keys());
  const kills = { switch: 0, agent: 0, server: 0 };
  const placing = scene.place(calls, perSecond);
  const isPlaced = placing.then(() => true);
  for (let at = 0; !(await Promise.race([isPlaced, sleep(everyMs, false)])); at += 1) {
    // Each once, then any.
    const victim = VICTIMS[at < VICTIMS.length ? at : Math.floor(Math.random() * VICTIMS.length)]!;
    await scene.restart(victim);
    kills[victim] += 1;
  }
  await placing;
  await scene.settled();

  const all = await scene.records();
  const records = all.filter(({ callId }) => !earlier.has(callId));
  const answered = scene.caller.answered().filter((callId) => !earlier.has(callId));
  const isAnswered = new Set(answered);
  const byCallee = new Set(scene.callee.answered());
  const callIds = all.map(({ callId }) => callId);
  const mostUnknown = WORKERS * kills.switch;
  const count = (ending: string): number => records.filter((record) => record.ending === ending).length;
  return {
    answered: answered.length,
    kills,
    twice: callIds.toSorted().filter((callId, at, sorted) => callId === sorted[at - 1]),
    wrong: records.filter(
      ({ callId, result, isOfHolder }) => isAnswered.has(callId) && (result !== "answered" || !isOfHolder),
    ),
    oneSided: answered.filter((callId) => !byCallee.has(callId)),
    unknown: count("unknown"),
    mostUnknown,
    miscounted: await findMiscounted(scene, all, {
      callIds: isAnswered,
      // The same number of calls may lack their start for the same reason.
      mostUntimed: 2 * mostUnknown,
    }),
    told: `${calls} calls, ${answered.length} answered, killed ${JSON.stringify(kills)}: ${records.length} records, ${count("hung_up")} hung up, ${count("unknown")} unknown, ${count("refused")} refused`,
  };
}
