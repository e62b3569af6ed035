import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import { systemAuthor } from "../audit/audit.ts";
import { type Change, recordChanges } from "../events/events.ts";
import { queueMail } from "../mails/mails.ts";
import { detectProblems, MOST_SEEN } from "./notifications.detect.store.ts";
import {
  beginProblems,
  claimDueRules,
  deleteProblemsEndedBefore,
  type DueRules,
  endProblems,
  observeProblems,
  type ProblemRow,
  setNextSweep,
} from "./notifications.problems.store.ts";
import { linkTo, type NotificationKind, type Rule, SETTLED_MS, SWEEP_MS } from "./notifications.rules.ts";
import { listRecipients } from "./notifications.store.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "jobs">;

/** Rules of one sweep. The next one continues with the others. */
const MOST_RULES = 500;
const KEPT_MS = 30 * 86_400_000;

/** Looks for problems that began or ended, one transaction for each organisation and environment with rules. */
export async function sweepProblems(app: Needs): Promise<void> {
  for (let done = 0; done < MOST_RULES; done++)
    if (!(await app.db.forSystem("notifications", (tx) => sweepNext(tx, app)))) return;
}

export async function sweepEndedProblems({ db, clock }: Needs): Promise<void> {
  await deleteProblemsEndedBefore(db, new Date(clock.now().getTime() - KEPT_MS));
}

/** The lock on the rules keeps other workers out. A killed worker leaves nothing behind, and nothing is sent twice. */
async function sweepNext(tx: Tx, app: Needs): Promise<boolean> {
  const at = app.clock.now();
  const due = await claimDueRules(tx, at);
  if (!due) return false;
  const kinds = Object.keys(due.rules) as NotificationKind[];
  const seen = [];
  const crowded = new Set<string>();
  for (const kind of kinds) {
    const found = await detectProblems(tx, due, kind, at);
    // Those beyond the limit may still be there.
    if (found.length >= MOST_SEEN) crowded.add(kind);
    seen.push(...found.map((problem) => ({ ...problem, id: newId() })));
  }
  await observeProblems(tx, due, seen, at);
  const settled = new Date(at.getTime() - SETTLED_MS);
  const changes: Change[] = [];
  for (const kind of kinds) {
    const began = newId();
    const begun = await beginProblems(tx, due, { kind, lastedSince: settled, batch: began, at });
    changes.push(...(await notify(tx, app, due, { transition: "began", batch: began, problems: begun })));
    if (crowded.has(kind)) continue;
    const ending = newId();
    const ended = await endProblems(tx, due, { kind, goneSince: settled, batch: ending, at });
    changes.push(...(await notify(tx, app, due, { transition: "ended", batch: ending, problems: ended })));
  }
  await setNextSweep(tx, due, new Date(at.getTime() + SWEEP_MS));
  if (changes.length > 0) await recordChanges(tx, systemAuthor("notifications"), at, changes);
  return true;
}

/** Problems of one kind that began, or ended, in this sweep. */
interface Batch {
  transition: "began" | "ended";
  batch: string;
  problems: readonly ProblemRow[];
}

/** Queues one mail for each recipient about all these problems. Returns the events, if the rule wants them. */
async function notify(
  tx: Tx,
  app: Needs,
  due: DueRules,
  { transition, batch, problems }: Batch,
): Promise<Change[]> {
  if (problems.length === 0) return [];
  const { webhook, user_ids: ids } = due.rules[problems[0]!.kind] as Rule;
  for (const { email } of await listRecipients(tx, due, ids))
    await queueMail(tx, app, { kind: `problem_${transition}`, recipient: email, reference: batch });
  if (!webhook || due.organisation_id === null) return [];
  return problems.map((problem) => changeOf(app, transition, problem));
}

function changeOf({ config }: Needs, transition: "began" | "ended", problem: ProblemRow): Change {
  return {
    type: `problem.${transition}`,
    organisationId: problem.organisation_id!,
    environment: problem.environment!,
    subject: problem.id,
    data: {
      kind: problem.kind,
      subject_id: problem.subject,
      label: problem.label,
      error: problem.error,
      since: problem.since.toISOString(),
      ...(problem.ended_at && { ended_at: problem.ended_at.toISOString() }),
      url: linkTo(config.baseUrl, problem),
    },
  };
}
