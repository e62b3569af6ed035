import type { App } from "./app.ts";
import { systemAuthor } from "./events/audit/audit.ts";
import {
  changeSwitch,
  createSwitch,
  findSwitchesByName,
  listSwitches,
  shownState,
} from "./switching/switches/switches.ts";
import { ApiError } from "./platform/api-error.ts";

export const SWITCHES_USAGE = `  create-switch <name> [group]           register a switch and print the credential of its agent, once
  switches                               list the switches: state, how far behind, what is not as it should be
  retire-switch <name>                   stop waiting for a switch that has been taken off its trunks`;

const AUTHOR = systemAuthor("operator command");

/** The exit code; undefined when the command is none of these. */
export async function runSwitchesCommand(
  app: App,
  [command, name, group]: string[],
): Promise<number | undefined> {
  try {
    if (command === "switches") return await show(app);
    if (command === "create-switch" && name) return await create(app, name, group);
    if (command === "retire-switch" && name) return await retire(app, name);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function create(app: App, name: string, group: string | undefined): Promise<number> {
  const wanted = group === undefined ? { name } : { name, groupName: group };
  const { row, credential } = await createSwitch(app, AUTHOR, wanted);
  console.log(
    `Switch ${row.name} of the group ${row.group_name} exists. Its agent's credential, shown once:`,
  );
  console.log(credential);
  return 0;
}

async function retire(app: App, name: string): Promise<number> {
  const [id, ...others] = await findSwitchesByName(app, name);
  if (id === undefined || others.length > 0) {
    console.error(id === undefined ? `No switch ${name}.` : `Several groups have a switch ${name}.`);
    return 1;
  }
  await changeSwitch(app, AUTHOR, id, { state: "retired" });
  console.log(`Switch ${name} is retired; changes no longer wait for it.`);
  return 0;
}

async function show(app: App): Promise<number> {
  const rows = await listSwitches(app, { after: undefined, limit: 10_000 });
  const table = [
    ["NAME", "GROUP", "STATE", "BEHIND", "EXCEPTIONS", "LAST SEEN", "AGENT"],
    ...rows.map((row) => [
      row.name,
      row.group_name,
      shownState(row, app.clock.now()),
      row.lag,
      row.exceptions,
      row.last_seen_at?.toISOString() ?? "never",
      row.agent_version ?? "-",
    ]),
  ];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  for (const line of table)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    );
  return 0;
}
