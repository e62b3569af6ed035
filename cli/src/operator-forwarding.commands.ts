import type { Forwarding, ForwardingSwitch, SetForwarding } from "@dialplane/sdk/operator";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import type { Context } from "./cli-context.ts";
import { usageFailure } from "./cli-failure.ts";
import { momentOf } from "./moments.ts";
import { findAnyOrganisation } from "./operator-organisations.commands.ts";
import { type Difference, linesOf } from "./routing-difference.ts";
import { readCount } from "./several.ts";
import { untilSwitchesApplied } from "./switches-until-applied.ts";
import type { Column } from "./table.ts";
import { toneOfSync } from "./tones.ts";

const OPTIONS = {
  "calls-at-once": { type: "string", value: "count|none", summary: "maximum number of concurrent calls" },
  "calls-per-day": { type: "string", value: "count|none", summary: "maximum number of calls per UTC day" },
  "minutes-per-day": {
    type: "string",
    value: "count|none",
    summary: "maximum number of minutes per UTC day",
  },
  caller: {
    type: "string",
    value: "pass|called|+49…",
    summary: "caller ID: the original caller, the number that was called, or this number",
  },
  identity: {
    type: "string",
    value: ["keep", "drop"],
    summary: "Identity header (STIR/SHAKEN). Only --caller pass can keep it",
  },
  "no-wait": { type: "boolean", summary: "return without waiting until it is applied" },
  timeout: { type: "string", value: "seconds", summary: "seconds to wait (default: 30)" },
} as const satisfies OptionTable;

const TIMEOUT_SECONDS = "30";

/** The maximum that the service accepts for each limit. */
const LIMITS = {
  "calls-at-once": 100_000,
  "calls-per-day": 10_000_000,
  "minutes-per-day": 1_000_000,
} as const;

/** All that an operator can set. */
interface Limits extends Pick<
  Forwarding,
  "calls_at_once" | "calls_per_day" | "minutes_per_day" | "caller_number"
> {
  caller: NonNullable<SetForwarding["caller"]>;
  identity: NonNullable<SetForwarding["identity"]>;
}

const COLUMNS: readonly Column<ForwardingSwitch>[] = [
  { title: "switch", of: ({ name }) => name, isFlexible: true },
  { title: "status", of: ({ status }) => status, tone: ({ status }) => toneOfSync(status) },
  {
    title: "calls now",
    heading: "now",
    of: ({ used }) => used.calls_at_once,
    show: ({ used, calls_at_once: part }) => useOf(used.calls_at_once, part),
    isNumeric: true,
  },
  { title: "calls now part", of: ({ calls_at_once: part }) => part, isHidden: true },
  {
    title: "calls today",
    heading: "calls",
    of: ({ used }) => used.calls,
    show: ({ used, calls: part }) => useOf(used.calls, part),
    isNumeric: true,
  },
  { title: "calls today part", of: ({ calls: part }) => part, isHidden: true },
  {
    title: "seconds today",
    heading: "minutes",
    of: ({ used }) => used.seconds,
    show: ({ used, seconds: part }) => useOf(minutesOf(used.seconds), part === null ? null : minutesOf(part)),
    isNumeric: true,
  },
  { title: "seconds today part", of: ({ seconds: part }) => part, isHidden: true },
  {
    title: "reported at",
    heading: "last change",
    of: ({ reported_at: at }) => at,
    show: ({ reported_at: at }) => momentOf(at),
  },
  { title: "id", of: ({ id }) => id, isHidden: true },
];

export const OPERATOR_FORWARDING_COMMANDS = [
  command({
    name: "operator forwarding show",
    summary: "Show an organisation's forwarding limits, their use, and each switch's part",
    args: ["organisation"],
    details:
      "Name the organisation by its name or ID. Calls and minutes count from midnight UTC. A call adds its minutes when it ends.",
    examples: ["dialplane operator forwarding show Northwind"],
    async run({ context, args: [named] }) {
      const { id, name } = await findAnyOrganisation(context, named!);
      await show(context, name, await context.operator().organisations.forwarding(id));
    },
  }),
  command({
    name: "operator forwarding set",
    summary: "Change an organisation's forwarding limits",
    args: ["organisation"],
    options: OPTIONS,
    details:
      "Changes only the limits that you name. 0 allows no forwarded calls, none removes a limit. Calls above a limit are rejected, or go to the fallback of the number. Calls end when the minutes of the day are used up.\n\nIf you change the caller ID without --identity, the Identity header is kept for pass and dropped otherwise.\n\nShows the changes and prompts for confirmation. Then it waits until every switch has applied its part. Exits with 8 after --timeout. The limits are saved.",
    examples: [
      "dialplane operator forwarding set Northwind --calls-at-once 10 --caller called",
      "dialplane operator forwarding set Northwind --minutes-per-day none",
    ],
    async run({ context, args: [named], options }) {
      const change = readChange(options);
      const seconds = readCount(options.timeout ?? TIMEOUT_SECONDS, "--timeout");
      const { id, name } = await findAnyOrganisation(context, named!);
      const { organisations } = context.operator();
      const before = await organisations.forwarding(id);
      const wanted = merged(before, change);
      const differences = differencesOf(before, wanted);
      if (differences.length === 0) {
        context.terminal.say("Limits already set. No changes made.");
        return show(context, name, before);
      }
      context.terminal.say([name, ...linesOf(differences, context.terminal)].join("\n"));
      for (const warning of warningsOf(before, wanted)) context.terminal.say(warning);
      await context.confirm("Change the forwarding limits?");
      const set = await organisations.setForwarding(id, wanted);
      const read = () => context.operator().organisations.forwarding(id, { signal: context.signal });
      const wait = {
        saved: "limits",
        timeoutSeconds: seconds,
        next: `dialplane operator forwarding show ${id}`,
      };
      await show(context, name, options["no-wait"] ? set : await untilSwitchesApplied(context, read, wait));
    },
  }),
];

function readChange(options: Values<typeof OPTIONS>): Partial<Limits> {
  const [atOnce, calls, minutes] = [
    limitOf("calls-at-once", options),
    limitOf("calls-per-day", options),
    limitOf("minutes-per-day", options),
  ];
  const { caller, identity } = options;
  const change = {
    ...(atOnce !== undefined && { calls_at_once: atOnce }),
    ...(calls !== undefined && { calls_per_day: calls }),
    ...(minutes !== undefined && { minutes_per_day: minutes }),
    ...(caller !== undefined && callerOf(caller)),
    ...(identity !== undefined && { identity: identity as Limits["identity"] }),
  };
  if (Object.keys(change).length > 0) return change;
  throw usageFailure(
    "Specify a change: --calls-at-once, --calls-per-day, --minutes-per-day, --caller or --identity.",
    "dialplane operator forwarding set --help",
  );
}

function limitOf(
  option: keyof typeof LIMITS,
  { [option]: text }: Values<typeof OPTIONS>,
): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "none") return null;
  const most = LIMITS[option];
  if (/^\d{1,8}$/.test(text) && Number(text) <= most) return Number(text);
  throw usageFailure(`--${option} must be a whole number from 0 to ${most}, or none, not “${text}”.`);
}

function callerOf(text: string): Pick<Limits, "caller" | "caller_number"> {
  if (text === "pass" || text === "called") return { caller: text, caller_number: null };
  if (/^\+[1-9]\d{6,14}$/.test(text)) return { caller: "fixed", caller_number: text };
  throw usageFailure(
    `--caller must be pass, called, or a phone number in E.164 format such as +493010000001, not “${text}”.`,
  );
}

function merged(before: Forwarding, change: Partial<Limits>): Limits {
  const { calls_at_once, calls_per_day, minutes_per_day, caller_number } = before;
  const caller = before.caller as Limits["caller"];
  const identity = before.identity as Limits["identity"];
  const wanted = {
    calls_at_once,
    calls_per_day,
    minutes_per_day,
    caller,
    caller_number,
    identity,
    ...change,
  };
  if (change.identity === undefined && wanted.caller !== caller)
    return { ...wanted, identity: wanted.caller === "pass" ? "keep" : "drop" };
  if (wanted.identity === "keep" && wanted.caller !== "pass")
    throw usageFailure(
      "--identity keep needs the original caller ID: another one invalidates the Identity header.",
      "add --caller pass",
    );
  return wanted;
}

const FIELDS: readonly [field: string, of: (limits: Limits | Forwarding) => string][] = [
  ["calls at once", ({ calls_at_once: limit }) => limitText(limit)],
  ["calls per day", ({ calls_per_day: limit }) => limitText(limit)],
  ["minutes per day", ({ minutes_per_day: limit }) => limitText(limit)],
  ["caller ID", callerText],
  ["identity", ({ identity }) => identity],
];

function differencesOf(before: Forwarding, wanted: Limits): Difference[] {
  return FIELDS.map(([field, of]) => ({ field, from: of(before), to: of(wanted) })).filter(
    ({ from, to }) => from !== to,
  );
}

/** Limits that reject calls from the moment they are applied. */
function warningsOf({ used }: Forwarding, wanted: Limits): string[] {
  const { calls_at_once: atOnce, calls_per_day: calls, minutes_per_day: minutes } = wanted;
  if ([atOnce, calls, minutes].includes(0)) return ["All forwarded calls will be rejected."];
  const isReached =
    (calls !== null && used.calls >= calls) || (minutes !== null && used.seconds >= minutes * 60);
  return isReached
    ? ["Today's use has reached the limit: forwarded calls will be rejected until midnight UTC."]
    : [];
}

async function show({ output, terminal }: Context, name: string, limits: Forwarding): Promise<void> {
  if (output.format === "json") return output.record(limits, []);
  if (output.format === "csv") return output.list(limits.switches, COLUMNS);
  const { used, switches, updated_at: changedAt } = limits;
  // Switches count only organisations for which limits were set.
  const textOf = (use: number, limit: number | null): string =>
    changedAt === null ? "no limit, not counted" : limit === null ? `${use}, no limit` : useOf(use, limit);
  await output.record(limits, [
    ["Organisation", name],
    ["Calls now", textOf(used.calls_at_once, limits.calls_at_once)],
    ["Calls today", textOf(used.calls, limits.calls_per_day)],
    ["Minutes today", textOf(minutesOf(used.seconds), limits.minutes_per_day)],
    ["Caller ID", callerText(limits)],
    ["Identity header", limits.identity],
    ["Changed", momentOf(changedAt)],
  ]);
  if (switches.length === 0 || changedAt === null) return;
  await terminal.write("\n");
  await output.list(switches, COLUMNS);
}

function useOf(use: number, limit: number | null): string {
  return limit === null ? String(use) : `${use} of ${limit}`;
}

/** Rounded down: a limit is not reached before its last second. */
function minutesOf(seconds: number): number {
  return Math.floor(seconds / 6) / 10;
}

function limitText(limit: number | null): string {
  return limit === null ? "no limit" : String(limit);
}

function callerText({ caller, caller_number: number }: Limits | Forwarding): string {
  if (caller === "pass") return "original caller";
  return caller === "called" ? "number that was called" : (number ?? caller);
}
