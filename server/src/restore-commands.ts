import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import type { App } from "./app.ts";
import type { Config } from "./config.ts";
import { systemAuthor } from "./events/audit/audit.ts";
import { ApiError } from "./platform/api-error.ts";
import { openApp } from "./start.ts";
import {
  adoptFinding,
  beginRestore,
  compareRestore,
  dropFinding,
  type ExportedEntry,
  FINDING_KINDS,
  type FindingKind,
  finishRestore,
  getRestore,
  listRestoreFindings,
  listRestores,
  replayRevocations,
  type RestoreFindingRow,
  type RestoreView,
  suspendApiKeys,
} from "./switching/restores/restores.ts";

const AUTHOR = systemAuthor("server command");
const PAGE = 500;

export const RESTORE_USAGE = `  restore begin [--to <time>]            after a restore of the database, before the first API starts: hold switches,
                                         carriers, webhooks and deletions, and end all sign-ins
  restore status                         what is compared, what is open, and the next step
  restore diff [--json]                  compare with switches and carriers, and print every open finding
  restore adopt <id> | --all [--kind K]  take over what switches and carriers have [--organisation <id>]
  restore drop <id> | --all --kind K     keep what the database has
  restore revocations --from <file>      repeat revocations of an audit export [--organisation <id>]
  restore revoke --strict                without an audit export: suspend all API keys until an owner confirms them
  restore finish                         let switches load the database and all work continue [--without-unreachable]`;

interface Flags {
  to?: string;
  all?: boolean;
  kind?: string;
  organisation?: string;
  json?: boolean;
  from?: string;
  strict?: boolean;
  "without-unreachable"?: boolean;
}

/** Needs access to the server, and works while sign-in is down. */
export async function runRestoreCommand(config: Config, words: string[]): Promise<number> {
  const app = await openApp(config);
  try {
    const { positionals, values } = parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        to: { type: "string" },
        all: { type: "boolean" },
        kind: { type: "string" },
        organisation: { type: "string" },
        json: { type: "boolean" },
        from: { type: "string" },
        strict: { type: "boolean" },
        "without-unreachable": { type: "boolean" },
      },
    });
    const [verb = "", id] = positionals;
    const run = COMMANDS[verb];
    if (!run) throw new TypeError(`No command “restore ${verb}”.`);
    await run(app, values, id);
    return 0;
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
    console.error(error.message);
    if (error instanceof TypeError) console.error(RESTORE_USAGE);
    return error instanceof ApiError ? 1 : 2;
  } finally {
    await app.close();
  }
}

const COMMANDS: Record<string, (app: App, flags: Flags, id: string | undefined) => Promise<void>> = {
  begin: async (app, { to }) => printStatus(await beginRestore(app, AUTHOR, timeOf(to))),
  status: async (app) => printStatus(await openRestore(app)),
  diff: async (app, { json }) => {
    const restore = await compareRestore(app, AUTHOR, (await openRestore(app)).id);
    for await (const finding of openFindings(app, restore.id, undefined))
      console.log(json ? JSON.stringify(finding) : lineOf(finding));
    if (!json) printStatus(restore);
  },
  adopt: (app, flags, id) =>
    decide(app, flags, id, {
      done: "adopted",
      run: (one) => adoptFinding(app, AUTHOR, one, flags.organisation),
    }),
  drop: (app, flags, id) => {
    if (flags.all && !flags.kind) throw new TypeError("Name the kind of findings to drop with --kind.");
    return decide(app, flags, id, { done: "dropped", run: (one) => dropFinding(app, AUTHOR, one) });
  },
  revocations: replay,
  revoke: async (app, { strict }) => {
    if (!strict) throw new TypeError("Pass --strict: every API key then waits until an owner confirms it.");
    const count = await suspendApiKeys(app, AUTHOR, (await openRestore(app)).id);
    console.log(`${count} ${count === 1 ? "key waits" : "keys wait"} for an owner.`);
  },
  finish: async (app, flags) => {
    const { id } = await openRestore(app);
    await finishRestore(app, AUTHOR, id, { withoutUnreachable: flags["without-unreachable"] ?? false });
    console.log("The restore is finished. Switches load the state of the database, and work continues.");
  },
};

const ENTRIES_AT_ONCE = 500;

/** The file has one audit entry per line, as `dialplane audit export` writes it. */
async function replay(app: App, { from, organisation }: Flags): Promise<void> {
  if (from === undefined) throw new TypeError("Name the audit export with --from.");
  const { id } = await openRestore(app);
  let count = 0;
  let entries: ExportedEntry[] = [];
  const send = async (): Promise<void> => {
    const wanted = { entries, organisationId: organisation };
    for (const { action, subject, outcome } of await replayRevocations(app, AUTHOR, id, wanted)) {
      console.log(`${outcome}: ${action} ${subject}`);
      if (outcome === "replayed") count++;
    }
    entries = [];
  };
  for await (const line of createInterface({ input: createReadStream(from), crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    const entry = JSON.parse(line) as ExportedEntry;
    entries.push(entry);
    if (entries.length === ENTRIES_AT_ONCE) await send();
  }
  await send();
  console.log(`${count} ${count === 1 ? "revocation" : "revocations"} replayed.`);
}

interface Decision {
  done: string;
  run(id: string): Promise<RestoreFindingRow>;
}

async function decide(
  app: App,
  flags: Flags,
  id: string | undefined,
  { done, run }: Decision,
): Promise<void> {
  if (!flags.all) {
    if (id === undefined) throw new TypeError("Name a finding, or pass --all.");
    console.log(`${done}: ${lineOf(await run(id))}`);
    return;
  }
  const { id: restoreId } = await openRestore(app);
  const kind = kindOf(flags.kind);
  let count = 0;
  const failures: string[] = [];
  for await (const finding of openFindings(app, restoreId, kind)) {
    try {
      await run(finding.id);
      count++;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures.push(`${lineOf(finding)}\n  ${error.message}`);
    }
  }
  console.log(`${count} ${count === 1 ? "finding" : "findings"} ${done}.`);
  for (const failure of failures) console.error(failure);
  if (failures.length > 0)
    throw new ApiError("restore_unfinished", `${failures.length} could not be ${done}.`);
}

/** Decided ones leave the list, so each page begins after the last finding of the one before. */
async function* openFindings(
  app: App,
  restoreId: string,
  kind: FindingKind | undefined,
): AsyncGenerator<RestoreFindingRow> {
  let after: string | undefined;
  do {
    const page = { after, limit: PAGE };
    const rows = await listRestoreFindings(app, restoreId, { state: "open", kind }, page);
    yield* rows.slice(0, PAGE);
    const last = rows[PAGE - 1];
    after = rows.length > PAGE ? `${last!.item_kind} ${last!.id}` : undefined;
  } while (after !== undefined);
}

async function openRestore(app: App): Promise<RestoreView> {
  const [newest] = await listRestores(app, { after: undefined, limit: 1 });
  if (!newest || newest.ended_at)
    throw new ApiError(
      "restore_not_found",
      "No restore is open. Begin one with “restore begin --to <time>”.",
    );
  return getRestore(app, newest.id);
}

function timeOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new TypeError("--to must be a time such as 2026-11-19T14:00:00Z.");
  return at;
}

function kindOf(text: string | undefined): FindingKind | undefined {
  const kind = FINDING_KINDS.find((one) => one === text);
  if (text !== undefined && !kind) throw new TypeError(`--kind must be one of ${FINDING_KINDS.join(", ")}.`);
  return kind;
}

function lineOf({
  id,
  kind,
  item_kind,
  item_id,
  e164,
  here,
  there,
  switches,
  carrier,
}: RestoreFindingRow): string {
  const where = [...switches, ...(carrier === null ? [] : [carrier])].join(", ");
  const item = e164 ?? `${item_kind} ${item_id}`;
  return `${id}  ${kind}  ${item}  ${where}  here: ${textOf(here)}  there: ${textOf(there)}`;
}

type Value = RestoreFindingRow["here"];

/** For people. --json has the whole value. */
function textOf(value: Value): string {
  if (value === null) return "nothing";
  const { mode, targets, fallback, is_resting: isResting } = value;
  if (Array.isArray(targets))
    return targets.map(({ host, port }: { host: string; port: number }) => `${host}:${port}`).join(", ");
  if (isResting === true) return "in quarantine";
  const destination =
    value["sip_uri"] ?? value["forward_to"] ?? value["webhook_url"] ?? value["connection_id"] ?? "";
  const own = [mode, destination].join(" ").trim();
  return fallback ? `${own}, then ${textOf(fallback as Value)}` : own;
}

function printStatus({ id, began_at, restored_to, switches, carriers, findings }: RestoreView): void {
  const to = restored_to ? `, to ${restored_to.toISOString()}` : "";
  console.log(`Restore ${id} since ${began_at.toISOString()}${to}`);
  for (const one of switches) console.log(`  switch ${one.switch}: ${one.state}`);
  for (const one of carriers) console.log(`  carrier ${one.carrier}: ${one.error ?? one.state}`);
  for (const { kind, state, count } of findings) console.log(`  ${count} ${kind}: ${state}`);
  const open = findings.some(({ state }) => state === "open");
  const isCompared = switches.every(({ state }) => state === "compared") && carriers.length > 0;
  console.log(nextStep(open, isCompared));
}

function nextStep(hasOpenFindings: boolean, isCompared: boolean): string {
  if (hasOpenFindings) return "Next: restore diff, then restore adopt or restore drop for each finding.";
  return isCompared
    ? "Next: restore finish."
    : "Next: start API and worker, wait for the switches, then restore diff.";
}
