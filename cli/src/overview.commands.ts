import type { Overview, OverviewProblem } from "@dialplane/sdk";
import type { Context } from "./cli-context.ts";
import { command } from "./cli-command.ts";
import { momentOf } from "./moments.ts";
import type { Column } from "./table.ts";

type Figure = Overview["calls"]["active"];

/** States of numbers other than in sync, as people read them. */
const STATES = {
  failed: "failed",
  drifted: "drifted",
  unreachable: "unreachable",
  unknown: "unknown",
  pending: "pending",
} as const;

const COLUMNS: readonly Column<OverviewProblem>[] = [
  { title: "since", of: ({ since }) => since, show: ({ since }) => momentOf(since) },
  { title: "problem", of: ({ kind }) => kind, tone: () => "bad" },
  { title: "subject", of: subjectOf, isFlexible: true },
  { title: "switch", of: (problem) => problem.switch, isFlexible: true },
  { title: "numbers", of: ({ numbers_affected }) => numbers_affected, isNumeric: true },
  { title: "calls failed", heading: "failed", of: ({ calls_failed }) => calls_failed, isNumeric: true },
  { title: "count", of: ({ count }) => count, isHidden: true },
  { title: "cause", of: ({ error }) => error, isFlexible: true },
];

export const OVERVIEW_COMMANDS = [
  command({
    name: "overview",
    group: "Numbers",
    summary: "Show open problems, switches and calls",
    details:
      "Says whether all numbers go where they should, as the switches have read them back. The usual range of calls is that of the same weekday and time in the last four weeks.",
    examples: ["dialplane overview", "dialplane overview --json --jq .problems"],
    async run({ context }) {
      const client = await context.client();
      await show(context, await client.overview.get());
    },
  }),
];

async function show({ output, terminal }: Context, overview: Overview): Promise<void> {
  if (output.format === "json") return output.record(overview, []);
  if (output.format === "csv") return output.list(overview.problems, COLUMNS);
  const { numbers, switches, calls, problems } = overview;
  await output.record(overview, [
    ["Verdict", verdictOf(overview)],
    ["Numbers", countsOf(numbers)],
    ["Switches", switches.map(({ name, state }) => `${name} ${state}`).join(", ") || "none"],
    ["Active calls", figureOf(calls.active)],
    ["Last 10 minutes", figureOf(calls.last_10_minutes)],
    ["Calls today", figureOf(calls.today)],
    ["Answered", figureOf(calls.answered, true)],
  ]);
  if (problems.length === 0) return;
  await terminal.write("\n");
  await output.list(problems, COLUMNS);
}

function verdictOf({ numbers, problems }: Pick<Overview, "numbers" | "problems">): string {
  const { total, in_sync: good, pending } = numbers;
  if (problems.length > 0) {
    const count = problems.reduce((sum, one) => sum + one.count, 0);
    const bad = total - good - pending;
    return `${count} ${count === 1 ? "problem" : "problems"}, ${bad} of ${total} numbers affected`;
  }
  if (good === total) return `All ${total} numbers go where they should`;
  return `${good} of ${total} numbers go where they should`;
}

function countsOf(numbers: Overview["numbers"]): string {
  const others = Object.entries(STATES).flatMap(([state, word]) => {
    const count = numbers[state as keyof typeof STATES];
    return count > 0 ? [`${count} ${word}`] : [];
  });
  return [`${numbers.in_sync} in sync`, ...others, `${numbers.unrouted} unrouted`].join(", ");
}

function subjectOf({ subject, count }: OverviewProblem): string | null {
  return subject ? (subject.label ?? subject.id) : `${count} in all`;
}

function figureOf({ value, usual }: Figure, isShare = false): string {
  const text = (one: number): string => (isShare ? `${Math.round(one * 100)} %` : String(one));
  const range = usual ? ` (usual ${text(usual.low)} to ${text(usual.high)})` : "";
  return `${value === null ? "–" : text(value)}${range}`;
}
