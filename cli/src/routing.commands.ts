import type { AppliedRouting, DesiredRouting, Drift, RevisedRouting, Routing } from "@dialplane/sdk";
import { usageFailure } from "./cli-failure.ts";
import type { Context } from "./cli-context.ts";
import { command, type OptionTable } from "./cli-command.ts";
import { momentOf } from "./moments.ts";
import { findNumber } from "./named-numbers.ts";
import { differencesOf, linesOf } from "./routing-difference.ts";
import { stepsText } from "./routing-step.ts";
import { readTarget, TARGET_OPTIONS } from "./routing-target.options.ts";
import { untilApplied } from "./routing-until-applied.ts";
import { LIST_OPTIONS, readCount, several } from "./several.ts";

const APPLY_OPTIONS = {
  "no-wait": { type: "boolean", summary: "return without waiting until it is applied" },
  timeout: { type: "string", value: "seconds", summary: "seconds to wait (default: 60)" },
  "dry-run": { type: "boolean", summary: "show the changes without applying them" },
} as const satisfies OptionTable;
const TIMEOUT_SECONDS = "60";

export const ROUTING_COMMANDS = [
  command({
    name: "routing get",
    summary: "Show desired and applied routing",
    args: ["number"],
    async run({ context, args: [named] }) {
      const client = await context.client();
      await show(context, await client.routing.get((await findNumber(client, named!)).id));
    },
  }),
  command({
    name: "routing set",
    summary: "Change where calls go",
    args: ["number"],
    options: { ...TARGET_OPTIONS, ...APPLY_OPTIONS },
    details:
      "Shows the changes and prompts for confirmation. Then it waits until every switch has confirmed the routing. Exits with 7 if a switch rejects it, and 8 after --timeout. The routing is saved in both cases.\n\nA destination given with --then takes the call if the one before it fails. “on” limits this to `unreachable`, `no_answer`, `busy` or `refused`, separated by commas, or `any`. The default is unreachable,no_answer.",
    examples: [
      "dialplane routing set +493010000001 --sip-uri sip:desk@pbx.example.com",
      "dialplane routing set +493010000001 --connection 'Head office' --reason Moved",
      "dialplane routing set +493010000001 --connection Office --then '+442079460000'",
    ],
    async run({ context, args: [named], options }) {
      const client = await context.client();
      const wanted = await readTarget(client, options);
      if (!wanted)
        throw usageFailure("Specify a target: --sip-uri, --connection, --forward, --webhook or --unrouted.");
      const number = await findNumber(client, named!);
      const before = await client.routing.get(number.id);
      if (!(await agree(context, { before, wanted, number, isTrial: options["dry-run"] }))) return;
      const set = await client.routing.set(number.id, wanted, { ifGeneration: before.desired.generation });
      await finish(context, set, options);
    },
  }),
  command({
    name: "routing rollback",
    aliases: ["routing roll-back"],
    summary: "Restore an earlier revision",
    args: ["number", "generation?"],
    options: { reason: TARGET_OPTIONS.reason, ...APPLY_OPTIONS },
    details: "Restores the previous generation if you name none.",
    examples: ["dialplane routing rollback +493010000001", "dialplane routing rollback +493010000001 2"],
    async run({ context, args: [named, given], options }) {
      const client = await context.client();
      const number = await findNumber(client, named!);
      const before = await client.routing.get(number.id);
      const current = before.desired.generation;
      const generation = given === undefined ? current - 1 : readCount(given, "<generation>");
      const { data: revisions } = await client.routing.listRevisions(number.id, { limit: 100 });
      const wanted = revisions.find((revision) => revision.generation === generation)?.desired;
      if (!wanted)
        throw usageFailure(
          `No generation ${generation} in the history of this number.`,
          `dialplane routing history ${named}`,
        );
      if (!(await agree(context, { before, wanted, number, isTrial: options["dry-run"] }))) return;
      const why = options.reason === undefined ? {} : { reason: options.reason };
      const set = await client.routing.rollBack(number.id, { generation, ...why }, { ifGeneration: current });
      await finish(context, set, options);
    },
  }),
  command({
    name: "routing history",
    summary: "Show routing revisions",
    args: ["number"],
    options: LIST_OPTIONS,
    async run({ context, args: [named], options }) {
      const client = await context.client();
      const { id } = await findNumber(client, named!);
      const revisions = await several(context, options, (query) => client.routing.listRevisions(id, query));
      await context.output.list(revisions, [
        { title: "generation", of: ({ generation }) => generation, isNumeric: true },
        { title: "set at", of: ({ set_at }) => set_at, show: ({ set_at }) => momentOf(set_at) },
        { title: "by", of: ({ set_by }) => set_by.name ?? set_by.kind, isFlexible: true },
        { title: "mode", of: ({ desired }) => desired.mode },
        { title: "target", of: ({ desired }) => stepsText(desired), isFlexible: true },
        { title: "reason", of: ({ reason }) => reason, isFlexible: true },
      ]);
    },
  }),
];

interface Proposal {
  before: Routing;
  wanted: RevisedRouting;
  number: { e164: string; label: string | null };
  isTrial: boolean | undefined;
}

/** Shows the difference and asks; false if it is not to be done. */
async function agree(context: Context, { before, wanted, number, isTrial }: Proposal): Promise<boolean> {
  const differences = differencesOf(before.desired, wanted);
  const { output, terminal } = context;
  if (differences.length === 0) {
    terminal.say("Routing already set. No changes made.");
    await show(context, before);
    return false;
  }
  if (isTrial && output.format !== "table") {
    await output.list(differences, [
      { title: "field", of: ({ field }) => field },
      { title: "from", of: ({ from }) => from },
      { title: "to", of: ({ to }) => to },
    ]);
    return false;
  }
  terminal.say(
    [`${number.e164}  ${number.label ?? ""}`.trimEnd(), ...linesOf(differences, terminal)].join("\n"),
  );
  if (isTrial) return false;
  await context.confirm("Change the routing?");
  return true;
}

async function finish(
  context: Context,
  set: Routing,
  options: { "no-wait"?: boolean; timeout?: string },
): Promise<void> {
  const seconds = readCount(options.timeout ?? TIMEOUT_SECONDS, "--timeout");
  const client = await context.client();
  await show(context, options["no-wait"] ? set : await untilApplied(context, client, set, seconds));
}

async function show({ output }: Context, routing: Routing): Promise<void> {
  const { desired, applied, switches } = routing;
  await output.record(routing, [
    ["Desired", sideOf(desired)],
    ["Applied", applied ? sideOf(applied) : "no report yet"],
    [
      "Status",
      [routing.status, routing.effective_reason, routing.flapping && "flapping"].filter(Boolean).join(", "),
    ],
    ["Carrier", carrierOf(routing)],
    ["Since", momentOf(routing.since)],
    ["Set", `${momentOf(desired.set_at)} by ${desired.set_by.name ?? desired.set_by.kind}`],
    ["Reason", desired.reason],
    ["Switches", switches.map(({ switch: name, error }) => (error ? `${name} (${error})` : name)).join(", ")],
    ["Last error", routing.last_error],
    ["Drift", routing.drift && driftOf(routing.drift)],
  ]);
}

/** Delivery at the carrier. Undefined if the service does not set it. */
function carrierOf({ chain }: Routing): string | undefined {
  const link = chain.find((one) => one.link === "carrier");
  if (!link || link.status === "unsupported") return undefined;
  const { status, applied, desired, error } = link;
  if (status === "in_sync") return `in_sync, trunk ${applied?.trunk}`;
  const found = `found ${applied?.trunk ?? "no trunk"}, expected trunk ${desired?.trunk}`;
  return [status, found, error].filter(Boolean).join(", ");
}

function driftOf({
  switch: name,
  count,
  is_various: isVarious,
  first_at: firstAt,
  last_at: lastAt,
}: Drift): string {
  const values = isVarious ? ", with different values" : "";
  return `found ${count} ${count === 1 ? "time" : "times"} on ${name}${values}, from ${momentOf(firstAt)} to ${momentOf(lastAt)}`;
}

function sideOf(side: DesiredRouting | AppliedRouting): string {
  return [side.mode, stepsText(side), `generation ${side.generation}`].filter(Boolean).join(", ");
}
