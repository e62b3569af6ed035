import type { Reconciliation } from "@dialplane/sdk/operator";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { OPERATOR_AUDIT_COMMANDS } from "./audit.commands.ts";
import { OPERATOR_CALLS_COMMANDS } from "./operator-calls.commands.ts";
import { OPERATOR_CARRIERS_COMMANDS } from "./operator-carriers.commands.ts";
import { OPERATOR_FORWARDING_COMMANDS } from "./operator-forwarding.commands.ts";
import { OPERATOR_NUMBERS_COMMANDS } from "./operator-numbers.commands.ts";
import { OPERATOR_ORGANISATIONS_COMMANDS } from "./operator-organisations.commands.ts";
import { OPERATOR_POOL_COMMANDS } from "./operator-pool.commands.ts";
import { OPERATOR_PROBES_COMMANDS } from "./operator-probes.commands.ts";
import { OPERATOR_OVERVIEW_COMMANDS } from "./operator-overview.commands.ts";
import { OPERATOR_SWITCHES_COMMANDS } from "./operator-switches.commands.ts";
import { OPERATOR_TRUNKS_COMMANDS } from "./operator-trunks.commands.ts";
import { OPERATOR_NOTIFICATION_COMMANDS } from "./operator-notifications.commands.ts";
import { OPERATOR_USERS_COMMANDS } from "./operator-users.commands.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";

const REPAIRED: Record<string, string> = {
  not_here: "returned to the carrier",
  not_at_carrier: "suspended",
  delivered_elsewhere: "delivered to its trunk",
};

const RECONCILIATION_COLUMNS: readonly Column<Reconciliation>[] = [
  { title: "id", of: ({ id }) => id },
  { title: "carrier", of: ({ carrier }) => carrier, isFlexible: true },
  { title: "status", of: ({ status }) => status },
  { title: "held", of: ({ held }) => held, isNumeric: true },
  { title: "owned", of: ({ owned }) => owned, isNumeric: true },
  { title: "differ", of: ({ open_findings }) => open_findings, isNumeric: true },
];

export const OPERATOR_COMMANDS = [
  ...OPERATOR_ORGANISATIONS_COMMANDS,
  ...OPERATOR_FORWARDING_COMMANDS,
  ...OPERATOR_PROBES_COMMANDS,
  ...OPERATOR_NUMBERS_COMMANDS,
  ...OPERATOR_CALLS_COMMANDS,
  ...OPERATOR_AUDIT_COMMANDS,
  ...OPERATOR_OVERVIEW_COMMANDS,
  ...OPERATOR_SWITCHES_COMMANDS,
  ...OPERATOR_CARRIERS_COMMANDS,
  command({
    name: "operator reconcile",
    summary: "Compare numbers with a carrier",
    examples: ["dialplane operator reconcile telnyx"],
    args: ["carrier?"],
    details:
      "Compares with the pool if you name no carrier. Changes nothing. Exits with 5 if there are mismatches.",
    async run({ context, args: [carrier] }) {
      const report = await context.operator().reconciliations.make({ carrier: carrier ?? "pool" });
      await context.output.record(report, [
        ["Reconciliation", report.id],
        ["Carrier", report.carrier],
        ["Status", report.status],
        ["Held here", report.held],
        ["There", report.owned],
        ["Differ", report.open_findings],
        ["Error", report.error],
      ]);
      if (report.open_findings > 0)
        context.terminal.say(`Show mismatches: dialplane operator findings ${report.id}`);
      return report.status === "failed"
        ? EXIT.unavailable
        : report.open_findings > 0
          ? EXIT.conflict
          : EXIT.ok;
    },
  }),
  command({
    name: "operator reconciliations",
    summary: "List reconciliations, newest first",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const reports = await several(context, options, (query) =>
        context.operator().reconciliations.list(query),
      );
      await context.output.list(reports, RECONCILIATION_COLUMNS);
    },
  }),
  command({
    name: "operator findings",
    summary: "List the mismatches of a reconciliation",
    args: ["reconciliation"],
    options: LIST_OPTIONS,
    async run({ context, args: [id], options }) {
      const findings = await several(context, options, (query) =>
        context.operator().reconciliations.findings(id!, query),
      );
      await context.output.list(findings, [
        { title: "id", of: (finding) => finding.id },
        { title: "kind", of: ({ kind }) => kind },
        { title: "number", of: ({ e164 }) => e164 },
        { title: "found trunk", of: ({ found_trunk }) => found_trunk, isHidden: true },
        { title: "expected trunk", of: ({ expected_trunk }) => expected_trunk, isHidden: true },
        {
          title: "repaired",
          of: ({ repaired_at }) => repaired_at,
          show: ({ repaired_at }) => (repaired_at ? "yes" : "no"),
        },
      ]);
    },
  }),
  command({
    name: "operator repair",
    summary: "Repair a mismatch",
    args: ["finding"],
    details:
      "Suspends a number that the carrier no longer has, returns a number that no organisation holds to the carrier, or delivers a number to its trunk.",
    async run({ context, args: [id] }) {
      await context.confirm("Repair this mismatch?");
      const { kind, e164 } = await context.operator().reconciliations.repair(id!);
      context.terminal.say(`${e164} ${REPAIRED[kind] ?? "repaired"}.`);
    },
  }),
  ...OPERATOR_POOL_COMMANDS,
  ...OPERATOR_TRUNKS_COMMANDS,
  ...OPERATOR_USERS_COMMANDS,
  ...OPERATOR_NOTIFICATION_COMMANDS,
];
