import type { RevisedRouting } from "@dialplane/sdk";
import type { Switch, SwitchExceptionPage } from "@dialplane/sdk/operator";
import { CliFailure } from "./cli-failure.ts";
import { type Context, isId } from "./cli-context.ts";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { momentOf } from "./moments.ts";
import { stepsText } from "./routing-step.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";

type SwitchException = SwitchExceptionPage["data"][number];

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

const EXCEPTION_COLUMNS: readonly Column<SwitchException>[] = [
  { title: "item", of: ({ label, id }) => label ?? id },
  { title: "state", of: ({ state }) => state },
  { title: "found", of: ({ found }) => valueText(found), isFlexible: true },
  { title: "expected", of: ({ expected }) => valueText(expected), isFlexible: true },
  { title: "times", of: ({ times_found }) => times_found, isNumeric: true },
  { title: "since", of: ({ since }) => since, show: ({ since }) => momentOf(since) },
  { title: "kind", of: ({ kind }) => kind, isHidden: true },
  { title: "organisation", of: ({ organisation }) => organisation.name, isHidden: true },
  { title: "environment", of: ({ environment }) => environment, isHidden: true },
  { title: "error", of: ({ error }) => error, isHidden: true },
  { title: "last at", of: ({ last_at }) => last_at, isHidden: true },
  { title: "id", of: ({ id }) => id, isHidden: true },
];

export const OPERATOR_SWITCHES_COMMANDS = [
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
    name: "operator switches show",
    summary: "Show a switch",
    args: ["switch"],
    async run({ context, args: [named] }) {
      const { id } = await findSwitch(context, named!);
      const one = await context.operator().switches.get(id);
      await context.output.record(one, [
        ["Switch", one.name],
        ["Id", one.id],
        ["Group", one.group.name],
        ["State", one.state],
        ["Synced", one.is_synced ? "yes" : "no"],
        ["Last report", momentOf(one.last_seen_at)],
        ["Lag", one.lag],
        ["Exceptions", one.exceptions],
        ["Alarms", one.alarms.join(", ") || null],
        ["Agent", one.agent_version],
        ["Boot", one.boot],
        ["Unreachable after", `${one.unreachable_after_seconds} s`],
        ["Created", momentOf(one.created_at)],
      ]);
    },
  }),
  command({
    name: "operator switches exceptions",
    summary: "List items of a switch without the expected value",
    args: ["switch"],
    options: LIST_OPTIONS,
    details: "Includes items that drifted and were repaired, until ten minutes have passed without drift.",
    async run({ context, args: [named], options }) {
      const { id } = await findSwitch(context, named!);
      const exceptions = await several(context, options, (query) =>
        context.operator().switches.exceptions(id, query),
      );
      await context.output.list(exceptions, EXCEPTION_COLUMNS);
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
];

/** A destination, or the targets of a connection. */
function valueText(value: SwitchException["found"]): string | null {
  if (!value) return null;
  const { targets } = value as { targets?: { host: string; port: number }[] };
  if (targets) return targets.map(({ host, port }) => `${host}:${port}`).join(";");
  const routing = value as unknown as RevisedRouting;
  return stepsText(routing) || routing.mode;
}

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
