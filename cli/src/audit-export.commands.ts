import { setTimeout } from "node:timers/promises";
import { type AuditEntry, ApiError } from "@dialplane/sdk";
import { chainedLine, type ChainEnd, hashOf, openExport, verifyExport } from "./audit-chain.ts";
import { type Context, isId } from "./cli-context.ts";
import { CliFailure, usageFailure } from "./cli-failure.ts";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";

const EXPORT_OPTIONS = {
  after: { type: "string", value: "entry id", summary: "entry to start after, if you name no file" },
  "previous-hash": { type: "string", value: "hash", summary: "SHA-256 of the line with that entry" },
  follow: { type: "boolean", short: "f", summary: "continue with new entries until Ctrl-C" },
} as const satisfies OptionTable;

const DETAILS =
  "Writes one JSON object per line, in commit order. Each has the SHA-256 of the line before in previous_hash. With a file, the export continues after its last line. Without one, it writes to standard output: pass the ID and hash of the last line you have stored. After an interruption an entry can appear twice in what you have received, but none is missing.";

type List = (query: { after?: string; limit: number }) => AsyncIterable<AuditEntry>;
type Options = Values<typeof EXPORT_OPTIONS>;

export const AUDIT_EXPORT_COMMANDS = [
  command({
    name: "audit export",
    summary: "Export audit entries as a chain of JSON lines",
    args: ["file?"],
    options: EXPORT_OPTIONS,
    details: DETAILS,
    examples: ["dialplane audit export audit.ndjson"],
    async run({ context, args: [path], options }) {
      const client = await context.client();
      await exportEntries(context, path, options, (query) =>
        client.audit.committed(query, { signal: context.signal }),
      );
    },
  }),
  command({
    name: "audit verify",
    summary: "Verify the chain of an export",
    args: ["file"],
    details:
      "Exits with 5 if a line was changed, added or removed. Keep the printed hash elsewhere: it proves the last line.",
    async run({ context, args: [path] }) {
      const { entries, lastHash } = await verifyExport(path!);
      await context.output.record({ entries, last_hash: lastHash }, [
        ["Entries", entries],
        ["Last hash", lastHash],
      ]);
    },
  }),
];

export const OPERATOR_AUDIT_EXPORT_COMMANDS = [
  command({
    name: "operator audit export",
    summary: "Export audit entries without organisation",
    args: ["file?"],
    options: EXPORT_OPTIONS,
    details: DETAILS,
    async run({ context, args: [path], options }) {
      await exportEntries(context, path, options, (query) =>
        context.operator().audit.committed(query, { signal: context.signal }),
      );
    },
  }),
];

const PAGE = 500;
const POLL_MS = 1_000;

async function exportEntries(
  context: Context,
  path: string | undefined,
  options: Options,
  list: List,
): Promise<void> {
  const opened = path === undefined ? undefined : await openExport(path);
  if (opened && (options.after ?? options["previous-hash"]) !== undefined)
    throw usageFailure("--after and --previous-hash are for exports without a file.");
  const write = async (line: string): Promise<void> => {
    if (opened) await opened.file.write(`${line}\n`);
    else await context.terminal.write(`${line}\n`);
  };
  try {
    const count = await follow(context, opened?.end ?? endIn(options), { list, write }, options.follow);
    context.terminal.say(`${count} entries exported.`);
  } catch (error) {
    throw error instanceof ApiError && error.code === "invalid_cursor" ? restored() : error;
  } finally {
    await opened?.file.sync();
    await opened?.file.close();
  }
}

async function follow(
  { signal }: Context,
  { after, previousHash }: ChainEnd,
  { list, write }: { list: List; write: (line: string) => Promise<void> },
  isFollowing: boolean | undefined,
): Promise<number> {
  let [last, previous, count] = [after, previousHash, 0];
  for (;;) {
    const from = last;
    for await (const entry of list({ ...(from !== undefined && { after: from }), limit: PAGE })) {
      const line = chainedLine(entry, previous);
      await write(line);
      [last, previous, count] = [entry.id, hashOf(line), count + 1];
    }
    if (!isFollowing) return count;
    if (last === from) await setTimeout(POLL_MS, undefined, { signal });
  }
}

function endIn({ after, "previous-hash": hash }: Options): ChainEnd {
  if (after !== undefined && !isId(after))
    throw usageFailure(`--after must be the ID of an entry, not “${after}”.`);
  if (hash !== undefined && !/^[0-9a-f]{64}$/.test(hash))
    throw usageFailure(`--previous-hash must be 64 hexadecimal digits, not “${hash}”.`);
  if ((after === undefined) !== (hash === undefined))
    throw usageFailure("--after and --previous-hash belong together.");
  return { after, previousHash: hash ?? null };
}

/** Entries are never deleted. */
function restored(): CliFailure {
  return new CliFailure(
    "The service does not have the last exported entry. Its database was probably restored from a backup. Start a new export and keep the old one.",
    { exitCode: EXIT.conflict },
  );
}
