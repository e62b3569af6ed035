import type { OperatorOverview, OperatorProblem } from "@dialplane/sdk/operator";
import { command } from "./cli-command.ts";
import { momentOf } from "./moments.ts";
import type { Column } from "./table.ts";

const COLUMNS: readonly Column<OperatorProblem>[] = [
  { title: "since", of: ({ since }) => since, show: ({ since }) => momentOf(since) },
  { title: "problem", of: ({ kind }) => kind, tone: () => "bad" },
  { title: "subject", of: ({ subject }) => subject.label ?? subject.id, isFlexible: true },
  { title: "count", of: ({ count }) => count, isNumeric: true },
  { title: "type", of: ({ subject }) => subject.type, isHidden: true },
  { title: "id", of: ({ subject }) => subject.id, isHidden: true },
  { title: "cause", of: ({ error }) => error, isFlexible: true },
];

export const OPERATOR_OVERVIEW_COMMANDS = [
  command({
    name: "operator overview",
    summary: "Show open problems of the installation",
    examples: ["dialplane operator overview", "dialplane operator overview --json --jq .problems"],
    async run({ context: { operator, output, terminal } }) {
      const overview = await operator().overview.get();
      const { problems, switches, active_calls: active } = overview;
      if (output.format === "json") return output.record(overview, []);
      if (output.format === "csv") return output.list(problems, COLUMNS);
      await output.record(overview, [
        ["Verdict", verdictOf(overview)],
        ["Switches", `${switches.reporting} of ${switches.total} report`],
        ["Lag", switches.lag],
        ["Exceptions", switches.exceptions],
        ["Active calls", active],
      ]);
      if (problems.length === 0) return;
      await terminal.write("\n");
      await output.list(problems, COLUMNS);
    },
  }),
];

function verdictOf({ problems_total: total }: OperatorOverview): string {
  if (total === 0) return "No open problems";
  return `${total} open ${total === 1 ? "problem" : "problems"}`;
}
