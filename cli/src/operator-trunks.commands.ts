import type { SetTrunk, TrunkList, TrunkRevisionPage } from "@dialplane/sdk/operator";
import type { Trunk as FileTrunk } from "../../switch-agent/src/kamailio/switch-settings.ts";
import { CliFailure, usageFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";
import type { Context } from "./cli-context.ts";
import { EXIT } from "./exit-codes.ts";
import { momentOf } from "./moments.ts";
import { readFile } from "./read-file.ts";
import { linesOf } from "./routing-difference.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";
import { CHANGE_OPTIONS, changeTrunks, findGroup, GROUP_OPTION } from "./trunk-changes.ts";
import { trunkDifferences } from "./trunk-difference.ts";
import { type NewTrunks, readSettings, trunksOfFile } from "./trunk-import.ts";
import { toneOfSync } from "./tones.ts";

type Trunk = TrunkList["trunks"][number];
type TrunkState = Trunk["states"][number];
type TrunkRevision = TrunkRevisionPage["data"][number];

const gatewayText = ({ gateway }: Pick<FileTrunk, "gateway"> | Trunk): string | null =>
  gateway ? `${gateway.host}:${gateway.port}` : null;

const FILE_COLUMNS: readonly Column<FileTrunk>[] = [
  { title: "name", of: ({ name }) => name },
  { title: "direction", of: ({ direction }) => direction },
  { title: "transport", of: ({ transport }) => transport },
  { title: "sources", of: ({ sources }) => sources.join(";"), isFlexible: true },
  { title: "gateway", of: gatewayText },
  { title: "max calls", of: ({ max_calls }) => max_calls || null, isNumeric: true },
];

const TRUNK_COLUMNS: readonly Column<Trunk>[] = [
  { title: "name", of: ({ name }) => name },
  { title: "status", of: ({ status }) => status, tone: ({ status }) => toneOfSync(status) },
  { title: "direction", of: ({ direction }) => direction },
  { title: "transport", of: ({ transport }) => transport },
  { title: "sources", of: ({ sources }) => sources.join(";"), isFlexible: true },
  { title: "gateway", of: gatewayText },
  { title: "max calls", of: ({ max_calls }) => max_calls || null, isNumeric: true },
  { title: "differ on", of: (trunk) => differingOn(trunk).join(";"), isFlexible: true },
];

const STATE_COLUMNS: readonly Column<TrunkState>[] = [
  { title: "switch", of: ({ name }) => name, isFlexible: true },
  { title: "status", of: ({ status }) => status, tone: ({ status }) => toneOfSync(status) },
  { title: "reported", of: ({ observed_at: at }) => at, show: ({ observed_at: at }) => momentOf(at) },
  { title: "error", of: ({ error }) => error, isFlexible: true },
  { title: "found", of: ({ found }) => found && JSON.stringify(found), isHidden: true },
  { title: "expected", of: ({ expected }) => expected && JSON.stringify(expected), isHidden: true },
];

const REVISION_COLUMNS: readonly Column<TrunkRevision>[] = [
  { title: "revision", of: ({ revision }) => revision, isNumeric: true },
  { title: "changed", of: ({ created_at: at }) => at, show: ({ created_at: at }) => momentOf(at) },
  { title: "by", of: ({ actor }) => actor.name, isFlexible: true },
  { title: "trunks", of: ({ trunks }) => trunks.map(({ name }) => name).join(";"), isFlexible: true },
  { title: "opened", of: ({ opened_networks: opened }) => opened.join(";"), isFlexible: true },
  { title: "restored from", heading: "restored", of: ({ restored_from: from }) => from, isNumeric: true },
];

export const OPERATOR_TRUNKS_COMMANDS = [
  command({
    name: "operator trunks list",
    summary: "List the trunks of a switch group",
    options: GROUP_OPTION,
    examples: ["dialplane operator trunks list --group default"],
    async run({ context, options }) {
      const { id, name } = await findGroup(context, options.group);
      const list = await context.operator().trunks.get(id);
      if (!list.is_managed)
        context.terminal.say(`The switches of ${name} use the trunks in their switch.json.`);
      await showList(context, list);
    },
  }),
  command({
    name: "operator trunks get",
    summary: "Show a trunk and its state on each switch",
    args: ["trunk"],
    options: GROUP_OPTION,
    details: "The JSON output, edited, is a file for `operator trunks set`. Passwords are never shown.",
    async run({ context, args: [name], options }) {
      const { id } = await findGroup(context, options.group);
      await showTrunk(context, trunkIn(await context.operator().trunks.get(id), name!));
    },
  }),
  command({
    name: "operator trunks set",
    summary: "Add a trunk, or replace its settings",
    args: ["trunk"],
    options: {
      file: { type: "string", value: "trunk.json", summary: "settings of the trunk" },
      ...CHANGE_OPTIONS,
    },
    details:
      "The settings are those of docs/trunks.md. Omitted ones get their defaults, except for the password, which is kept.\n\nShows the changes and prompts for confirmation. Networks that the change opens are named separately: confirm them when prompted, or name each with --open. Then it waits until every switch has applied the change, and exits with 8 after --timeout.",
    examples: ["dialplane operator trunks set acme --file acme.json --open 198.51.100.0/24"],
    async run({ context, args: [name], options }) {
      if (options.file === undefined) throw usageFailure("--file is required.");
      const trunk = readTrunk(options.file, name!);
      const group = await findGroup(context, options.group);
      const { trunks } = context.operator();
      const before = await trunks.get(group.id);
      const after = { ...before, trunks: [...others(before, name!), { name: name!, ...trunk }] };
      const isChanged = await confirmChange(
        context,
        before,
        after,
        `Change the trunk ${name} of ${group.name}?`,
      );
      const list = isChanged
        ? await changeTrunks(context, group, options, (confirmed_networks) =>
            trunks.set(group.id, name!, { revision: before.revision, trunk, confirmed_networks }),
          )
        : before;
      await showTrunk(context, trunkIn(list, name!));
    },
  }),
  command({
    name: "operator trunks delete",
    summary: "Delete a trunk",
    args: ["trunk"],
    options: GROUP_OPTION,
    details: "Switches reject its new calls within seconds. Active calls continue.",
    async run({ context, args: [name], options }) {
      const group = await findGroup(context, options.group);
      const { trunks } = context.operator();
      const { revision } = await trunks.get(group.id);
      await context.confirm(`Delete the trunk ${name} of ${group.name}? Its calls are then rejected.`, name);
      await showList(context, await trunks.delete(group.id, name!, { revision }));
    },
  }),
  command({
    name: "operator trunks import",
    summary: "Move the trunks of a switch settings file to the service",
    args: ["switch.json"],
    options: {
      "password-dir": {
        type: "string",
        value: "directory",
        summary: "directory of the password files (default: their paths in the file)",
      },
      ...CHANGE_OPTIONS,
    },
    details:
      "Replaces all trunks of the group and its forwarding with `trunks` and `forward` of the file, including the passwords. All switches of the group then use them.\n\nShows the changes and prompts for confirmation. Networks that the change opens are named separately: confirm them when prompted, or name each with --open.",
    examples: ["dialplane operator trunks import /etc/dialplane/switch.json --group default"],
    async run({ context, args: [file], options }) {
      const wanted = trunksOfFile(readSettings(file!), options["password-dir"]);
      const group = await findGroup(context, options.group);
      const { trunks } = context.operator();
      const before = await trunks.get(group.id);
      await confirmChange(
        context,
        before,
        wanted,
        `Replace the trunks of ${group.name} with those of ${file}?`,
      );
      const list = await changeTrunks(context, group, options, (confirmed_networks) =>
        trunks.replace(group.id, { revision: before.revision, ...wanted, confirmed_networks }),
      );
      context.terminal.say("You can now remove `trunks` and `forward` from switch.json.");
      await showList(context, list);
    },
  }),
  command({
    name: "operator trunks revisions",
    summary: "List trunk revisions, newest first",
    options: { ...GROUP_OPTION, ...LIST_OPTIONS },
    async run({ context, options: { group: given, ...options } }) {
      const { id } = await findGroup(context, given);
      const revisions = await several(context, options, (query) =>
        context.operator().trunks.revisions(id, query),
      );
      await context.output.list(revisions, REVISION_COLUMNS);
    },
  }),
  command({
    name: "operator trunks restore",
    summary: "Restore an earlier revision of the trunks",
    args: ["revision"],
    options: CHANGE_OPTIONS,
    details: "Restores all trunks, forwarding and the passwords. The restored list is a new revision.",
    examples: ["dialplane operator trunks restore 3 --group default"],
    async run({ context, args: [given], options }) {
      if (!/^[1-9]\d{0,8}$/.test(given!)) throw usageFailure(`“${given}” is not a revision.`);
      const group = await findGroup(context, options.group);
      const { trunks } = context.operator();
      const { revision } = await trunks.get(group.id);
      await context.confirm(`Restore revision ${given} of the trunks of ${group.name} (now ${revision})?`);
      const list = await changeTrunks(context, group, options, (confirmed_networks) =>
        trunks.restore(group.id, { to: Number(given), revision, confirmed_networks }),
      );
      await showList(context, list);
    },
  }),
  command({
    name: "operator trunks check",
    summary: "Check a switch settings file and list its trunks",
    examples: ["dialplane operator trunks check /etc/dialplane/switch.json"],
    args: ["switch.json"],
    details:
      "Checks a local file without a request to the service. The trunks of the file apply until the trunks of the group are in the service.",
    async run({ context, args: [file] }) {
      await context.output.list(readSettings(file!).trunks, FILE_COLUMNS);
    },
  }),
];

type NewTrunk = NewTrunks["trunks"][number];

/** Leaves out members that only responses have, so that edited output is valid input. */
function readTrunk(file: string, name: string): SetTrunk["trunk"] {
  const { name: given, status: _, states: _states, ...trunk } = readObject(file);
  if (given !== undefined && given !== name)
    throw usageFailure(`${file} has the settings of another trunk than ${name}.`);
  const { gateway } = trunk;
  if (typeof gateway !== "object" || gateway === null) return trunk as unknown as SetTrunk["trunk"];
  const { password_set_at: _at, ...settings } = gateway as Record<string, unknown>;
  return { ...trunk, gateway: settings } as unknown as SetTrunk["trunk"];
}

function readObject(file: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(readFile(file));
    if (typeof read === "object" && read !== null && !Array.isArray(read))
      return read as Record<string, unknown>;
  } catch (error) {
    // The message of the parser would repeat a part of a password.
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw usageFailure(`${file} must be a JSON object with the settings of a trunk.`);
}

function others({ trunks }: TrunkList, name: string): NewTrunk[] {
  return trunks.filter((trunk) => trunk.name !== name) as NewTrunk[];
}

/** False if there is nothing to change. */
async function confirmChange(
  { terminal, confirm }: Context,
  before: TrunkList,
  after: Parameters<typeof trunkDifferences>[1] | TrunkList,
  question: string,
): Promise<boolean> {
  const differences = trunkDifferences(before, after as NewTrunks);
  if (differences.length === 0) {
    terminal.say("These trunks are already set.");
    return false;
  }
  terminal.say(linesOf(differences, terminal).join("\n"));
  await confirm(question);
  return true;
}

function trunkIn({ trunks }: TrunkList, name: string): Trunk {
  const trunk = trunks.find((one) => one.name === name);
  if (trunk) return trunk;
  throw new CliFailure(`The group has no trunk ${name}.`, { exitCode: EXIT.notFound });
}

function differingOn({ states }: Trunk): string[] {
  return states.flatMap(({ name, status }) => (status === "applied" ? [] : [name]));
}

async function showList({ output }: Context, list: TrunkList): Promise<void> {
  if (output.format === "json") return output.record(list, []);
  await output.list(list.trunks, TRUNK_COLUMNS);
}

async function showTrunk({ output, terminal }: Context, trunk: Trunk): Promise<void> {
  if (output.format === "csv") return output.list(trunk.states, STATE_COLUMNS);
  const { gateway } = trunk;
  await output.record(trunk, [
    ["Trunk", trunk.name],
    ["Status", trunk.status],
    ["Direction", trunk.direction],
    ["Sources", trunk.sources.join(", ")],
    ["Transport", trunk.transport],
    ["Gateway", gatewayText(trunk)],
    ["User name", gateway?.username ?? null],
    ["Password", gateway?.password_set_at ? `set ${momentOf(gateway.password_set_at)}` : null],
    ["Country code", trunk.number_format.country_code || null],
    ["Trusts identity", trunk.trusts_identity ? "yes" : "no"],
    ["Maximum calls", trunk.max_calls || "no limit"],
    ["Switches", trunk.switches.join(", ") || "all"],
  ]);
  if (output.format === "json" || trunk.states.length === 0) return;
  await terminal.write("\n");
  await output.list(trunk.states, STATE_COLUMNS);
}
