import { availableParallelism } from "node:os";
import type { Rates } from "./installation.ts";
import { isFault, type KillResult } from "./kill-round.ts";

const COLUMNS = [
  "killed",
  "times",
  "failed attempts",
  "failing for s",
  "worst write s",
  "failed reads",
  "lost",
  "repeated",
  "stale reads",
  "wrong errors",
  "whole after s",
  "switches equal after s",
  "failed calls edge-1",
  "failed calls edge-2",
  "at other switches",
];

/** One line for each kind of kill. Times are the worst of all rounds, counts their sum. */
export function tableOf(results: readonly KillResult[], rates: Rates): string {
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  const load = `${rates.writes} writes, ${rates.reads} reads and ${rates.calls} calls per second`;
  const lines = kinds.map((kind) =>
    lineOf(
      kind,
      results.filter((result) => result.kind === kind),
    ),
  );
  const table = markdown([COLUMNS, COLUMNS.map(() => "---"), ...lines]);
  return `${load} on ${availableParallelism()} processor cores\n\n${table}`;
}

export function progressOf(result: KillResult): string {
  const { figures, calls } = result;
  const reasons = Object.entries(figures.reasons).map(([reason, count]) => `${count} × ${reason}`);
  return [
    `${isFault(result) ? "FAULT" : "ok"} ${result.name}: ${figures.acknowledged} writes, ${figures.reads} reads`,
    `${figures.failedWrites} failed attempts in ${seconds(result.refusedSeconds)} s (${reasons.join(", ")})`,
    `worst write ${seconds(figures.worstWriteMs / 1000)} s, ${figures.skipped} not begun, lost ${result.lost}`,
    `whole after ${seconds(result.recoverySeconds)} s, switches equal after ${seconds(result.convergedAfter)} s`,
    `calls ${JSON.stringify(calls)}`,
  ].join("; ");
}

function lineOf(kind: string, results: KillResult[]): string[] {
  const sum = (of: (result: KillResult) => number): string =>
    String(results.reduce((total, result) => total + of(result), 0));
  const worst = (of: (result: KillResult) => number | undefined): string => {
    const all = results.map(of);
    return all.includes(undefined) ? "never" : seconds(Math.max(...(all as number[])));
  };
  return [
    kind,
    String(results.length),
    sum(({ figures }) => figures.failedWrites),
    worst(({ refusedSeconds }) => refusedSeconds),
    worst(({ figures }) => figures.worstWriteMs / 1000),
    sum(({ figures }) => figures.failedReads),
    sum(({ lost }) => lost),
    sum(({ repeated }) => repeated),
    sum(({ figures }) => figures.staleReads),
    sum(({ figures }) => figures.wrongResponses),
    worst(({ recoverySeconds }) => recoverySeconds),
    worst(({ convergedAfter }) => convergedAfter),
    sum(({ calls }) => calls["edge-1"].failed),
    sum(({ calls }) => calls["edge-2"].failed),
    sum(({ strayCalls }) => strayCalls),
  ];
}

const seconds = (value: number | undefined): string => (value === undefined ? "never" : value.toFixed(1));

function markdown(rows: string[][]): string {
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
