import { text } from "node:stream/consumers";
import type { Carrier, ChangeCarrier, CreateCarrier } from "@dialplane/sdk/operator";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import { type Context, isId } from "./cli-context.ts";
import { CliFailure, usageFailure } from "./cli-failure.ts";
import { EXIT } from "./exit-codes.ts";
import { momentOf } from "./moments.ts";
import { readFile } from "./read-file.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";

const COLUMNS: readonly Column<Carrier>[] = [
  { title: "name", of: ({ name }) => name, isFlexible: true },
  { title: "kind", of: ({ kind }) => kind },
  { title: "state", of: ({ state }) => state },
  { title: "preference", of: ({ preference }) => preference, isNumeric: true },
  { title: "countries", of: ({ countries }) => countries.join(";"), isFlexible: true },
  { title: "types", of: ({ number_types }) => number_types.join(";"), isFlexible: true },
  {
    title: "inventory",
    of: ({ inventory }) => inventory,
    show: ({ inventory }) => (inventory ? "yes" : "no"),
  },
  { title: "url", of: ({ url }) => url, isHidden: true },
  { title: "id", of: ({ id }) => id, isHidden: true },
];

const SETTINGS = {
  credentials: {
    type: "string",
    value: "file",
    summary: 'JSON file: {"api_key": "…"} or {"secret": "…"}, - to read stdin',
  },
  url: { type: "string", value: "url", summary: "URL of the carrier's API" },
  countries: { type: "string", value: "DE,AT", summary: "countries it is used for, or all" },
  types: { type: "string", value: "local,mobile", summary: "number types it is used for, or all" },
  preference: { type: "string", value: "number", summary: "lowest value first (default: 100)" },
  inventory: {
    type: "string",
    value: ["on", "off"],
    summary: "whether clients search and reserve its numbers",
  },
} as const satisfies OptionTable;

export const OPERATOR_CARRIERS_COMMANDS = [
  command({
    name: "operator carriers list",
    summary: "List carriers",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const carriers = await several(context, options, (query) => context.operator().carriers.list(query));
      await context.output.list(
        carriers.toSorted((one, other) => one.preference - other.preference),
        COLUMNS,
      );
    },
  }),
  command({
    name: "operator carriers get",
    summary: "Show a carrier",
    args: ["carrier"],
    details: "Names the carrier by its name or its ID. Credentials are never shown.",
    async run({ context, args: [given] }) {
      await showCarrier(context, await findCarrier(context, given!));
    },
  }),
  command({
    name: "operator carriers trunks",
    summary: "List the trunks of a carrier",
    args: ["carrier"],
    details: "Queries the carrier. Use the IDs with `operator carriers update --deliveries`.",
    async run({ context, args: [given] }) {
      const { id } = await findCarrier(context, given!);
      const { data } = await context.operator().carriers.trunks(id);
      await context.output.list(data, [
        { title: "id", of: (trunk) => trunk.id },
        { title: "name", of: ({ name }) => name, isFlexible: true },
      ]);
    },
  }),
  command({
    name: "operator carriers create",
    summary: "Connect a carrier",
    args: ["name"],
    options: { kind: { type: "string", value: "kind", summary: "telnyx, didww, http or pool" }, ...SETTINGS },
    details:
      "New live orders go to the first open carrier that serves their country and type. After the first carrier, the settings ORDERING and INVENTORY have no effect on new orders.",
    examples: ["dialplane operator carriers create eu --kind telnyx --credentials eu.json"],
    async run({ context, args: [name], options: { kind, ...settings } }) {
      if (kind === undefined) throw usageFailure("--kind is required: telnyx, didww, http or pool.");
      const { url, ...wanted } = await readSettings(settings);
      const body = { name: name!, kind: kind as CreateCarrier["kind"], ...(url !== undefined && { url }) };
      await showCarrier(context, await context.operator().carriers.create({ ...body, ...wanted }));
    },
  }),
  command({
    name: "operator carriers update",
    summary: "Update a carrier",
    args: ["carrier"],
    options: {
      deliveries: {
        type: "string",
        value: "group=trunk,…",
        summary: "trunk for each switch group, by ID or name of the group, or none",
      },
      "repairs-delivery": {
        type: "string",
        value: ["on", "off"],
        summary: "whether reconciliation repairs numbers that the carrier delivers elsewhere",
      },
      state: { type: "string", value: ["open", "draining", "closed"], summary: "new state" },
      ...SETTINGS,
    },
    details:
      "A draining carrier takes no new orders. A closed one is never called, so it can have no numbers and no unfinished orders.",
    examples: ["dialplane operator carriers update telnyx-eu --state draining"],
    async run({ context, args: [given], options: { state, deliveries, ...options } }) {
      const { "repairs-delivery": repairs, ...settings } = options;
      const change: ChangeCarrier = {
        ...(await readSettings(settings)),
        ...(deliveries !== undefined && { deliveries: await readDeliveries(context, deliveries) }),
        ...(repairs !== undefined && { repairs_delivery: isOn("repairs-delivery", repairs) }),
        ...(state !== undefined && { state: state as NonNullable<ChangeCarrier["state"]> }),
      };
      if (Object.keys(change).length === 0) throw usageFailure("Name at least one option to change.");
      const { id, name } = await findCarrier(context, given!);
      if (state === "closed") await context.confirm(`Close ${name}? It is then never called.`);
      await showCarrier(context, await context.operator().carriers.change(id, change));
    },
  }),
];

type Settings = Omit<CreateCarrier, "name" | "kind">;

/** Credentials never come from the command line, which other users of the machine can read. */
async function readSettings({
  credentials,
  url,
  countries,
  types,
  preference,
  inventory,
}: Values<typeof SETTINGS>): Promise<Settings> {
  if (preference !== undefined && !/^\d{1,7}$/.test(preference))
    throw usageFailure(`--preference must be a whole number, not “${preference}”.`);
  return {
    ...(credentials !== undefined && { credentials: await readCredentials(credentials) }),
    ...(url !== undefined && { url }),
    ...(countries !== undefined && { countries: listOf(countries) }),
    ...(types !== undefined && { number_types: listOf(types) as NonNullable<CreateCarrier["number_types"]> }),
    ...(preference !== undefined && { preference: Number(preference) }),
    ...(inventory !== undefined && { inventory: isOn("inventory", inventory) }),
  };
}

async function readCredentials(file: string): Promise<Record<string, string>> {
  const written = file === "-" ? await text(process.stdin) : readFile(file);
  try {
    const read: unknown = JSON.parse(written);
    if (typeof read === "object" && read !== null && !Array.isArray(read))
      return read as Record<string, string>;
  } catch {
    // The message of the parser would repeat a part of the credentials.
  }
  throw usageFailure('The credentials must be a JSON object such as {"api_key": "…"}.');
}

function isOn(option: string, given: string): boolean {
  if (given === "on" || given === "off") return given === "on";
  throw usageFailure(`--${option} must be on or off, not “${given}”.`);
}

async function readDeliveries(context: Context, given: string): Promise<Carrier["deliveries"]> {
  if (given === "none") return [];
  const groups = new Map<string, string>();
  for await (const { id, name } of context.operator().switchGroups.list()) groups.set(name, id);
  return given.split(",").map((pair) => {
    const at = pair.lastIndexOf("=");
    const [group, trunk] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    const id = isId(group) ? group : groups.get(group);
    if (at === -1 || trunk === "") throw usageFailure(`--deliveries needs group=trunk, not “${pair}”.`);
    if (id === undefined)
      throw new CliFailure(`No switch group has the name ${group}.`, { exitCode: EXIT.notFound });
    return { switch_group_id: id, trunk };
  });
}

function listOf(given: string): string[] {
  return given === "all" ? [] : given.split(",").map((one) => one.trim());
}

async function findCarrier(context: Context, given: string): Promise<Carrier> {
  const { carriers } = context.operator();
  if (isId(given)) return carriers.get(given);
  for await (const carrier of carriers.list()) if (carrier.name === given) return carrier;
  throw new CliFailure(`No carrier has the name ${given}.`, { exitCode: EXIT.notFound });
}

async function showCarrier({ output }: Context, carrier: Carrier): Promise<void> {
  const { credentials } = carrier;
  const shown = credentials && `set ${momentOf(credentials.set_at)}`;
  await output.record(carrier, [
    ["Name", carrier.name],
    ["Kind", carrier.kind],
    ["State", carrier.state],
    ["Countries", carrier.countries.join(", ") || "all"],
    ["Types", carrier.number_types.join(", ") || "all"],
    ["Preference", carrier.preference],
    ["Inventory", carrier.inventory ? "yes" : "no"],
    ["URL", carrier.url],
    ["Trunks", carrier.deliveries.map(({ trunk }) => trunk).join(", ")],
    ["Repairs delivery", carrier.repairs_delivery ? "yes" : "no"],
    ["Credentials", credentials?.ends_with ? `${shown}, ends with ${credentials.ends_with}` : shown],
    ["ID", carrier.id],
  ]);
}
