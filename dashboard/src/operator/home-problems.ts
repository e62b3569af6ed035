import type { OperatorOverview } from "@dialplane/sdk/operator";
import { wordFor } from "../components/shared-text.ts";
import { operatorText } from "./operator-text.ts";
import { trunksText } from "./trunks-text.ts";

const text = operatorText.homePage;

type Problem = OperatorOverview["problems"][number];

/** A problem in words, with the page where it is solved. */
export interface ShownProblem {
  key: string;
  tone: "bad" | "warn";
  /** The problem as a sentence without full stop. */
  title: string;
  hint: string;
  since: string | null;
  action: ProblemAction | undefined;
}

type ProblemAction =
  | { organisation: string }
  | { reconciliation: string }
  | { switch: string; shows: "switch" | "exceptions" };

type Words = Pick<ShownProblem, "title" | "hint"> & Partial<Pick<ShownProblem, "tone" | "action">>;

export function shownProblem(problem: Problem): ShownProblem {
  const { kind, since, subject } = problem;
  const words = WORDS[kind] ?? unknownKind;
  return {
    key: `${kind} ${subject.id}`,
    tone: "bad",
    since,
    action: undefined,
    ...words(problem, subject.label ?? subject.id.slice(0, 8)),
  };
}

const WORDS: Record<string, (problem: Problem, name: string) => Words> = {
  rollback: () => ({ title: text.rollback, hint: text.rollbackHint }),
  rollback_held: () => ({ title: text.rollback, hint: text.rollbackHeld }),
  restore_open: () => ({ title: text.restore, hint: text.restoreHint }),
  switch_silent: ({ count, subject: { id } }, name) => ({
    title: text.silent(name),
    hint: text.silentHint(count),
    action: { switch: id, shows: "switch" },
  }),
  switch_clock_wrong: ({ subject }, name) => alarm("clock_wrong", subject.id, name),
  switch_disk_full: ({ subject }, name) => alarm("disk_full", subject.id, name),
  switch_exceptions: ({ count, subject: { id } }, name) => ({
    tone: "warn",
    title: text.exceptions(name, count),
    hint: text.exceptionsHint,
    action: { switch: id, shows: "exceptions" },
  }),
  switch_trunks: ({ count, error, subject: { id } }, name) => ({
    title: trunksText.problem(name, count),
    hint: error ?? trunksText.problemHint,
    action: { switch: id, shows: "switch" },
  }),
  reconciliation_failed: ({ error, subject: { id } }, carrier) => ({
    title: text.reconciliationFailed(carrier),
    hint: error ?? text.mismatchesHint,
    action: { reconciliation: id },
  }),
  carrier_mismatch: ({ count, subject: { id } }, carrier) => ({
    tone: "warn",
    title: text.mismatches(carrier, count),
    hint: text.mismatchesHint,
    action: { reconciliation: id },
  }),
  organisation_pending: ({ since, subject: { id } }, name) => ({
    tone: "warn",
    title: since ? text.suspending(name) : text.resuming(name),
    hint: text.pendingHint,
    action: { organisation: id },
  }),
};

function alarm(kind: "clock_wrong" | "disk_full", id: string, name: string): Words {
  const { title, hint } = text.alarms[kind]!;
  return { title: text.alarm(name, title), hint, action: { switch: id, shows: "switch" } };
}

/** A newer service can have kinds that this page does not know. */
function unknownKind({ kind, error }: Problem, name: string): Words {
  return { title: `${wordFor(kind)}: ${name}`, hint: error ?? "" };
}
