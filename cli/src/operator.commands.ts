import type { Reconciliation, Switch } from "@dialplane/sdk/operator";
import { CliFailure } from "./cli-failure.ts";
import { type Context, isId } from "./cli-context.ts";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { momentOf } from "./moments.ts";
import { OPERATOR_AUDIT_COMMANDS } from "./audit.commands.ts";
import { OPERATOR_CALLS_COMMANDS } from "./operator-calls.commands.ts";
import { OPERATOR_FORWARDING_COMMANDS } from "./operator-forwarding.commands.ts";
import { OPERATOR_NUMBERS_COMMANDS } from "./operator-numbers.commands.ts";
import { OPERATOR_ORGANISATIONS_COMMANDS } from "./operator-organisations.commands.ts";
import { OPERATOR_POOL_COMMANDS } from "./operator-pool.commands.ts";
import { OPERATOR_TRUNKS_COMMANDS } from "./operator-trunks.commands.ts";
import { OPERATOR_NOTIFICATION_COMMANDS } from "./operator-notifications.commands.ts";
import { OPERATOR_USERS_COMMANDS } from "./operator-users.commands.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";

const SWITCH_COLUMNS: readonly Column<Switch>[] = [
  { title: "name", of: ({ name }) => name, isFlexible: true },
  { title: "group", of: ({ group }) => group.name, isFlexible: true },
  { title: "state", of: ({ state }) => state },
  { title: "synced", of: ({ is_synced }) => is_synced, show: ({ is_synced }) => (is_synced ? "yes" : "no") },
  { title: "lag", of: ({ lag }) => lag, isNumeric: true },
  { title: "exceptions", heading: "differ", of: ({ exceptions }) => exceptions, isNumeric: true },
  { title: "alarms", of: ({ alarms }) => alarms.join(";"), isFlexible: true },
  {
    title: "last seen",
    of: ({ last_seen_at }) => last_seen_at,
    show: ({ last_seen_at }) => momentOf(last_seen_at),
  },
  { title: "agent", of: ({ agent_version }) => agent_version, isHidden: true },
  { title: "id", of: ({ id }) => id, isHidden: true },
];

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
  ...OPERATOR_NUMBERS_COMMANDS,
  ...OPERATOR_CALLS_COMMANDS,
  ...OPERATOR_AUDIT_COMMANDS,
  command({
    name: "operator switches list",
    summary: "List switches with lag, exceptions and alarms",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const switches = await several(context, options, (query) => context.operator().switches.list(query));
      // By name: the service goes by when they were created.
      await context.output.list(
        switches.toSorted((one, other) => one.name.localeCompare(other.name)),
        SWITCH_COLUMNS,
      );
    },
  }),
  command({
    name: "operator switches create",
    summary: "Add a switch and print its agent credential",
    examples: ["dialplane operator switches create fra-1"],
    args: ["name"],
    options: {
      group: { type: "string", value: "id", summary: "switch group (default: the default group)" },
    },
    details: "The credential is shown only once.",
    async run({ context, args: [name], options: { group } }) {
      const made = await context
        .operator()
        .switches.create({ name: name!, ...(group ? { group_id: group } : {}) });
      await context.output.record(made, [
        ["Switch", made.name],
        ["Id", made.id],
        ["Group", made.group.name],
        ["Credential", made.credential],
      ]);
    },
  }),
  command({
    name: "operator switches rotate",
    summary: "Rotate the agent credential of a switch",
    args: ["switch"],
    details:
      "Prints the new credential once, and revokes the old one at once. Calls continue, but the switch gets no changes until its agent has the new credential.",
    async run({ context, args: [named] }) {
      const { id, name } = await findSwitch(context, named!);
      await context.confirm(`Revoke the credential of ${name} now and create a new one?`, name);
      const rotated = await context.operator().switches.rotate(id);
      await context.output.record(rotated, [
        ["Switch", rotated.name],
        ["Credential", rotated.credential],
      ]);
    },
  }),
  stateCommand(
    "activate",
    "active",
    "Activate a switch (accept calls)",
    "A retired switch counts as active once it has confirmed all routes.",
  ),
  stateCommand(
    "drain",
    "draining",
    "Drain a switch (reject new calls)",
    "Active calls continue, and the switch still gets changes.",
  ),
  stateCommand(
    "retire",
    "retired",
    "Retire a switch (stop waiting for it)",
    "Remove it from its trunks first: changes no longer wait for it.",
  ),
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
      "Suspends a number that the carrier no longer has, or returns a number that no organisation holds to the carrier.",
    async run({ context, args: [id] }) {
      await context.confirm("Repair this mismatch?");
      const { kind, e164 } = await context.operator().reconciliations.repair(id!);
      context.terminal.say(kind === "not_here" ? `${e164} returned to the carrier.` : `${e164} suspended.`);
    },
  }),
  ...OPERATOR_POOL_COMMANDS,
  ...OPERATOR_TRUNKS_COMMANDS,
  ...OPERATOR_USERS_COMMANDS,
  ...OPERATOR_NOTIFICATION_COMMANDS,
];

function stateCommand(
  verb: string,
  state: "active" | "draining" | "retired",
  summary: string,
  warning: string,
) {
  return command({
    name: `operator switches ${verb}`,
    summary,
    args: ["switch"],
    details: warning,
    async run({ context, args: [named] }) {
      const found = await findSwitch(context, named!);
      await context.confirm(
        `${summary.split(" ")[0]} ${found.name} (now ${found.state})? ${warning}`,
        found.name,
      );
      await context.output.list(
        [await context.operator().switches.change(found.id, { state })],
        SWITCH_COLUMNS,
      );
    },
  });
}

async function findSwitch(context: Context, named: string): Promise<Switch> {
  for await (const one of context.operator().switches.list({ limit: 100 }))
    if (isId(named) ? one.id === named : one.name === named) return one;
  throw new CliFailure(`No switch with the name or ID “${named}”.`, {
    exitCode: EXIT.notFound,
    next: "dialplane operator switches list",
  });
}
