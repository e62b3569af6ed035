import type { Epoch, Organisation, Reconciliation, Switch } from "@dialplane/sdk/operator";
import { operatorText } from "./operator-text.ts";

const text = operatorText.homePage;

export interface OperatorProblem {
  key: string;
  tone: "bad" | "warn";
  /** The problem as a sentence without full stop. */
  title: string;
  hint: string;
  since: string | null;
  action:
    | { to: "/operator/organisations" }
    | { reconciliation: string }
    | { switch: string; shows: "switch" | "exceptions" }
    | undefined;
}

interface Found {
  switches: readonly Switch[];
  epochs: readonly Epoch[];
  reconciliations: readonly Reconciliation[];
  organisations: readonly Organisation[];
}

/** Everything on the installation that needs an operator, worst first. */
export function operatorProblems({
  switches,
  epochs,
  reconciliations,
  organisations,
}: Found): OperatorProblem[] {
  const counted = switches.filter(({ state }) => state !== "retired");
  const problems = [
    ...epochs.filter(isUnresolved).map(ofEpoch),
    ...counted.filter(({ state }) => state === "unreachable").map(ofSilence),
    ...counted.flatMap(ofAlarms),
    ...counted.filter(({ state, exceptions }) => state !== "unreachable" && exceptions > 0).map(ofExceptions),
    ...latestOfEach(reconciliations).filter(needsRepair).map(ofReconciliation),
    ...organisations.filter(({ numbers_pending }) => numbers_pending).map(ofPending),
  ];
  return problems.toSorted((one, other) => Number(other.tone === "bad") - Number(one.tone === "bad"));
}

function isUnresolved({ cause, resolved_at }: Epoch): boolean {
  return cause === "rollback" && resolved_at === null;
}

function ofEpoch({ id, began_at, is_held }: Epoch): OperatorProblem {
  return {
    key: id,
    tone: "bad",
    title: text.rollback,
    hint: is_held ? text.rollbackHeld : text.rollbackHint,
    since: began_at,
    action: undefined,
  };
}

function ofSilence({ id, name, last_seen_at, lag }: Switch): OperatorProblem {
  return {
    key: `silent ${id}`,
    tone: "bad",
    title: text.silent(name),
    hint: text.silentHint(lag),
    since: last_seen_at,
    action: { switch: id, shows: "switch" },
  };
}

function ofAlarms({ id, name, alarms }: Switch): OperatorProblem[] {
  return alarms
    .filter((alarm) => alarm !== "unreachable_for_a_day")
    .map((alarm) => ({
      key: `${alarm} ${id}`,
      tone: "bad" as const,
      title: text.alarm(name, text.alarms[alarm]?.title ?? alarm.replaceAll("_", " ")),
      hint: text.alarms[alarm]?.hint ?? "",
      since: null,
      action: { switch: id, shows: "switch" as const },
    }));
}

function ofExceptions({ id, name, exceptions }: Switch): OperatorProblem {
  return {
    key: `exceptions ${id}`,
    tone: "warn",
    title: text.exceptions(name, exceptions),
    hint: text.exceptionsHint,
    since: null,
    action: { switch: id, shows: "exceptions" },
  };
}

/** Reconciliations are listed newest first. */
function latestOfEach(reconciliations: readonly Reconciliation[]): Reconciliation[] {
  const carriers = new Map<string, Reconciliation>();
  for (const one of reconciliations.toReversed()) carriers.set(one.carrier, one);
  return [...carriers.values()];
}

function needsRepair({ status, open_findings }: Reconciliation): boolean {
  return status === "failed" || open_findings > 0;
}

function ofReconciliation(one: Reconciliation): OperatorProblem {
  const hasFailed = one.status === "failed";
  return {
    key: one.id,
    tone: hasFailed ? "bad" : "warn",
    title: hasFailed
      ? text.reconciliationFailed(one.carrier)
      : text.mismatches(one.carrier, one.open_findings),
    hint: one.error ?? text.mismatchesHint,
    since: one.finished_at ?? one.started_at,
    action: { reconciliation: one.id },
  };
}

function ofPending({ id, name, suspended_at }: Organisation): OperatorProblem {
  return {
    key: id,
    tone: "warn",
    title: suspended_at ? text.suspending(name) : text.resuming(name),
    hint: text.pendingHint,
    since: suspended_at,
    action: { to: "/operator/organisations" },
  };
}
