import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BareLoop, BareLoopOutcome } from "./bare-loop.ts";
import { WARM_UP_SHARE, type WorkedOff } from "./order-leg.ts";
import { psql } from "./psql.ts";

const LOOP = fileURLToPath(new URL("./bare-loop.ts", import.meta.url));

/** On a new table each time, for one that was worked off is slower. */
export async function runBareLoopLeg(
  loop: Omit<BareLoop, "warmUpJobs">,
  jobs: number,
  signal: AbortSignal,
): Promise<WorkedOff> {
  await psql(loop.databaseUrl, fillStatements(jobs), signal);
  const child = fork(LOOP, { execArgv: [], signal });
  const gone = once(child, "exit");
  child.send({ ...loop, warmUpJobs: Math.ceil(jobs * WARM_UP_SHARE) } satisfies BareLoop);
  const outcome = await Promise.race([
    once(child, "message").then(([message]) => message as BareLoopOutcome),
    gone.then((): BareLoopOutcome => ({ error: "the loop ended early" })),
  ]);
  if ("error" in outcome) throw new Error(`the bare loop: ${outcome.error}`);
  await gone;
  const unsound = `select count(*) from bare_jobs where status <> 'done' or steps <> ${loop.transactions.writing}`;
  if ((await psql(loop.databaseUrl, [unsound])).trim() !== "0")
    throw new Error("the bare loop did not do every job just once");
  return outcome.workedOff;
}

function fillStatements(jobs: number): string[] {
  return [
    "drop table if exists bare_jobs",
    `create table bare_jobs (
       id bigint primary key, status text not null default 'queued', steps integer not null default 0, data jsonb not null)`,
    "create index bare_jobs_queued on bare_jobs (id) where status = 'queued'",
    `insert into bare_jobs (id, data)
     select n, jsonb_build_object('id', gen_random_uuid()) from generate_series(1, ${jobs}) n`,
    "vacuum analyze bare_jobs",
    "checkpoint",
  ];
}
