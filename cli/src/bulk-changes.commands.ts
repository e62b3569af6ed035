import type { BulkChange, Client, WantedBulkChange } from "@dialplane/sdk";
import { CliFailure, usageFailure } from "./cli-failure.ts";
import type { Context } from "./cli-context.ts";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { bar } from "./job-progress.ts";
import { momentOf } from "./moments.ts";
import { findNumber } from "./named-numbers.ts";
import { FILTER_OPTIONS, filterOf } from "./numbers.commands.ts";
import { readTarget, TARGET_OPTIONS } from "./routing-target.options.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";

const { reason, ...TARGETS } = TARGET_OPTIONS;
const CHANGE_OPTIONS = {
  ...TARGETS,
  "add-tag": {
    type: "string",
    multiple: true,
    value: "tag",
    summary: "tag to add (repeatable)",
  },
  "remove-tag": {
    type: "string",
    multiple: true,
    value: "tag",
    summary: "tag to remove (repeatable)",
  },
  "release-lock": {
    type: "string",
    value: ["on", "off"],
    summary: "prevent (on) or allow (off) release",
  },
  reason,
} as const satisfies OptionTable;

export const BULK_CHANGE_COMMANDS = [
  command({
    name: "bulk plan",
    summary: "Preview a bulk change",
    args: ["numbers...?"],
    options: { ...FILTER_OPTIONS, ...CHANGE_OPTIONS },
    details:
      "Name the numbers, or select them with the filters of numbers list. Planning changes nothing. You can apply a plan for 24 hours. Numbers that have changed since then are skipped.",
    examples: [
      "dialplane bulk plan --tag berlin --connection 'New office' --reason Moving",
      "dialplane bulk plan +493010000001 +493010000002 --add-tag vip",
    ],
    async run({ context, args, options }) {
      const client = await context.client();
      const change = await readChange(client, options);
      const filter = filterOf(options);
      if (args.length > 0 === Object.keys(filter).length > 0)
        throw usageFailure(
          "Select the numbers: either name them or use filters, not both.",
          "dialplane bulk plan --help",
        );
      const select = args.length > 0 ? { ids: await idsOf(client, args) } : { filter };
      const why = options.reason === undefined ? {} : { reason: options.reason };
      const plan = await client.bulkChanges.plan({ select, change, ...why });
      await show(context, plan);
      context.terminal.say(`To apply it: dialplane bulk apply ${plan.id}`);
    },
  }),
  command({
    name: "bulk apply",
    summary: "Apply a planned change",
    args: ["bulk change"],
    options: { "no-wait": { type: "boolean", summary: "return without waiting for the result" } },
    details:
      "Exits with 7 if a number failed or has changed since the plan. List those numbers with bulk show.",
    async run({ context, args: [id], options }) {
      const client = await context.client();
      const plan = await client.bulkChanges.get(id!);
      await context.confirm(`Change ${plan.progress.total} numbers?`, String(plan.progress.total));
      if (options["no-wait"]) return show(context, await client.bulkChanges.apply(plan.id));
      const onProgress = ({ progress }: BulkChange): void => {
        const done = progress.set + progress.unchanged + progress.stale + progress.failed;
        context.terminal.progress(`${bar(done, progress.total)}  ${done} of ${progress.total}`);
      };
      const done = await client.bulkChanges.applyAndWait(plan.id, { signal: context.signal, onProgress });
      await show(context, done);
      return done.progress.stale + done.progress.failed > 0 ? EXIT.jobFailed : EXIT.ok;
    },
  }),
  command({
    name: "bulk list",
    summary: "List bulk changes",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const client = await context.client();
      const changes = await several(context, options, (query) => client.bulkChanges.list(query));
      await context.output.list(changes, COLUMNS);
    },
  }),
  command({
    name: "bulk show",
    summary: "Show the numbers of a bulk change",
    args: ["bulk change"],
    options: {
      outcome: {
        type: "string",
        value: ["planned", "set", "unchanged", "stale", "failed"],
        summary: "outcome of the numbers to list",
      },
      ...LIST_OPTIONS,
    },
    async run({ context, args: [id], options: { outcome, ...options } }) {
      const client = await context.client();
      const query = outcome ? { outcome: outcome as "set" } : {};
      const list = ({ limit }: { limit: number }) => client.bulkChanges.listItems(id!, { ...query, limit });
      await context.output.list(await several(context, options, list), [
        { title: "number", of: ({ e164 }) => e164 },
        { title: "outcome", of: (item) => item.outcome },
        { title: "mode before", of: ({ from }) => from.mode },
        { title: "generation before", of: ({ from }) => from.generation, isHidden: true },
        { title: "error", of: ({ error }) => error?.detail, isFlexible: true },
        { title: "number id", of: ({ number_id }) => number_id, isHidden: true },
      ]);
    },
  }),
];

const COLUMNS: readonly Column<BulkChange>[] = [
  { title: "id", of: ({ id }) => id },
  { title: "status", of: ({ status }) => status },
  { title: "change", of: ({ change }) => describe(change), isFlexible: true },
  { title: "numbers", of: ({ progress }) => progress.total, isNumeric: true },
  { title: "created at", of: ({ created_at }) => created_at, isHidden: true },
];

async function readChange(client: Client, options: Values<typeof CHANGE_OPTIONS>): Promise<WantedBulkChange> {
  const { "add-tag": add, "remove-tag": remove, "release-lock": lock } = options;
  const { reason: _, ...target } = options;
  const routing = await readTarget(client, target);
  const wanted = [
    ...(routing ? [{ routing }] : []),
    ...(add || remove ? [{ tags: { ...(add ? { add } : {}), ...(remove ? { remove } : {}) } }] : []),
    ...(lock ? [{ release_lock: lock === "on" }] : []),
  ];
  if (wanted.length !== 1)
    throw usageFailure(
      "Specify exactly one change: a call target, tags or the release lock.",
      "dialplane bulk plan --help",
    );
  return wanted[0]!;
}

async function idsOf(client: Client, named: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const one of named) ids.push((await findNumber(client, one)).id);
  return ids;
}

async function show({ output }: Context, change: BulkChange): Promise<void> {
  const { progress, missing } = change;
  if (missing.length > 0)
    throw new CliFailure(`Numbers not found: ${missing.join(", ")}`, { exitCode: EXIT.notFound });
  await output.record(change, [
    ["Bulk change", change.id],
    ["Status", change.status],
    ["Change", describe(change.change)],
    ["Reason", change.reason],
    ["Numbers", progress.total],
    ["Set", progress.set],
    ["Unchanged", progress.unchanged],
    ["Stale", progress.stale],
    ["Failed", progress.failed],
    ["Expires", momentOf(change.expires_at)],
  ]);
}

function describe({ routing, tags, release_lock }: BulkChange["change"]): string {
  if (routing)
    return `calls to ${routing.sip_uri ?? routing.forward_to ?? routing.webhook_url ?? routing.mode}`;
  if (tags) return [...tags.add.map((tag) => `+${tag}`), ...tags.remove.map((tag) => `-${tag}`)].join(" ");
  return release_lock ? "lock" : "unlock";
}
