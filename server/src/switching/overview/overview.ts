import type { App } from "../../app.ts";
import type { Actor } from "../../platform/http/access.ts";
import { callsAt, windowsAt } from "./overview.calls.rules.ts";
import { deleteBucketsBefore, findBuckets } from "./overview.calls.store.ts";
import { findNumbers, type NumbersRow, type SwitchRow } from "./overview.numbers.store.ts";
import { countFailedCalls, listProblems, type ProblemRow } from "./overview.problems.store.ts";
import { countNumbers, foldProblems, numbersOf, type ProblemGroup } from "./overview.rules.ts";
import type { Overview, OverviewProblem, ProblemKind } from "./overview.schema.ts";

type Needs = Pick<App, "db" | "clock">;

const DAY_MS = 86_400_000;
/** Four weeks and today, and a few days more for clocks and late records. */
const KEPT_MS = 36 * DAY_MS;

/** State of an organisation at a glance. Its cost does not depend on the count of its numbers. */
export async function getOverview(app: Needs, actor: Actor): Promise<Overview> {
  const at = app.clock.now();
  const row = await findNumbers(app.db, actor);
  const groups = [
    ...groupRows(await listProblems(app.db, actor, at), row),
    unreachableConnections(row),
    silentSwitches(row),
  ];
  const problems = await withFailedCalls(app, actor, foldProblems(groups));
  const reporting = row.switches.filter((one) => !one.is_silent);
  const active = reporting.reduce((total, one) => total + one.active_calls, 0);
  return {
    as_of: at.toISOString(),
    numbers: countNumbers(row),
    problems: problems.map((problem) => readableBy(actor, problem)),
    switches: row.switches.map(shownSwitch),
    calls: callsAt(
      at.getTime(),
      await findBuckets(app.db, actor, windowsAt(at.getTime())),
      reporting.length > 0 || row.switches.length === 0 ? active : null,
    ),
  };
}

/** Deletes what is too old for a comparison. */
export async function sweepCallBuckets({ db, clock }: Needs): Promise<void> {
  await deleteBucketsBefore(db, new Date(clock.now().getTime() - KEPT_MS));
}

const BLANK = {
  found: null,
  expected: null,
  error: null,
  times_found: null,
  count: 1,
  calls_failed: null,
  calls_misrouted: null,
} as const;

function groupRows(rows: readonly ProblemRow[], { counts }: NumbersRow): ProblemGroup[] {
  return [...Map.groupBy(rows, ({ kind }) => kind).values()].map((group) => ({
    total: group[0]!.total,
    listed: group.map((row): OverviewProblem => {
      const { subject_type: type, subject_id: id, label } = row;
      const ofConnection = type === "connection" ? numbersOf(counts, { connectionId: id }) : 0;
      return {
        ...BLANK,
        kind: row.kind,
        since: row.since,
        subject: { type, id, label },
        switch: row.switch,
        found: row.found,
        expected: row.expected,
        error: row.error,
        times_found: row.times_found,
        numbers_affected: type === "number" ? 1 : ofConnection,
      };
    }),
  }));
}

function unreachableConnections({ lost, counts }: NumbersRow): ProblemGroup {
  const listed = [...Map.groupBy(lost, (one) => one.connection_id)].map(([id, rows]): OverviewProblem => ({
    ...BLANK,
    kind: "connection_unreachable",
    since: rows[0]!.since,
    subject: { type: "connection", id, label: rows[0]!.name },
    switch: rows.length === 1 ? rows[0]!.switch : null,
    error: rows[0]!.error,
    numbers_affected: numbersOf(counts, {
      connectionId: id,
      groupIds: new Set(rows.map(({ group_id }) => group_id)),
      uses: ["connection"],
    }),
  }));
  return { total: listed.length, listed };
}

function silentSwitches({ switches, counts }: NumbersRow): ProblemGroup {
  const listed = switches
    .filter(({ is_silent }) => is_silent)
    .map((one): OverviewProblem => ({
      ...BLANK,
      kind: "switch_silent",
      since: one.last_seen_at,
      subject: { type: "switch", id: null, label: one.name },
      switch: one.name,
      numbers_affected: numbersOf(counts, { groupIds: new Set([one.group_id]) }),
    }));
  return { total: listed.length, listed };
}

async function withFailedCalls(
  app: Needs,
  actor: Actor,
  problems: readonly OverviewProblem[],
): Promise<OverviewProblem[]> {
  const dayAgo = new Date(app.clock.now().getTime() - DAY_MS).toISOString();
  const asked = problems.flatMap((problem) => {
    const { subject, since } = problem;
    if (subject?.type !== "number" && subject?.type !== "connection") return [];
    const { type, id } = subject;
    return [{ problem, type, id: id!, since: since < dayAgo ? dayAgo : since }];
  });
  if (asked.length === 0) return [...problems];
  const counts = await countFailedCalls(app.db, actor, asked);
  const failed = new Map(asked.map(({ problem }, place) => [problem, counts[place]!]));
  return problems.map((problem) => ({ ...problem, calls_failed: failed.get(problem) ?? null }));
}

/** Resources that a plain member or an API key cannot read elsewhere are not shown here either. */
function readableBy({ role }: Actor, problem: OverviewProblem): OverviewProblem {
  const isKey = role === null;
  const isMember = role === "member";
  const hidesLabel: Partial<Record<ProblemKind, boolean>> = {
    connection_failing: isMember,
    connection_drifting: isMember,
    connection_unreachable: isMember,
    webhook_endpoint_disabled: isMember || isKey,
    order_failed: isKey,
  };
  const { subject, kind } = problem;
  return {
    ...problem,
    ...(hidesLabel[kind] && { error: null, subject: subject && { ...subject, label: null } }),
    ...(isMember && kind !== "order_failed" && { found: null, expected: null, error: null }),
  };
}

function shownSwitch(one: SwitchRow): Overview["switches"][number] {
  return {
    name: one.name,
    state: one.is_silent ? "silent" : one.is_joining ? "joining" : one.is_draining ? "draining" : "reporting",
    observed_at: one.last_seen_at,
    active_calls: one.is_silent ? null : one.active_calls,
  };
}
