import {
  type Client,
  type Probe,
  type ProbeLink,
  type ProbeSchedule,
  WaitTimeoutError,
} from "@dialplane/sdk";
import { command, type OptionTable } from "./cli-command.ts";
import type { Context } from "./cli-context.ts";
import { CliFailure } from "./cli-failure.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { momentOf } from "./moments.ts";
import { findNumber } from "./named-numbers.ts";
import { LIST_OPTIONS, readCount, several } from "./several.ts";
import type { Column } from "./table.ts";
import { toneOfProbe } from "./tones.ts";

type Via = (typeof VIA_OPTION)["via"]["value"][number];

const VIA_OPTION = {
  via: {
    type: "string",
    value: ["switch", "carrier"],
    summary: "switch tests the switches (default), carrier calls through the carrier at its price",
  },
} as const satisfies OptionTable;

/** Longer than any probe takes. */
const TIMEOUT_SECONDS = "90";

const PROBES: readonly Column<Probe>[] = [
  { title: "id", of: ({ id }) => id, isHidden: true },
  { title: "at", of: ({ created_at }) => created_at, show: ({ created_at }) => momentOf(created_at) },
  { title: "via", of: ({ via }) => via },
  { title: "status", of: ({ status }) => status, tone: ({ status }) => toneOfProbe(status) },
  { title: "result", of: ({ summary }) => summary, isFlexible: true },
];

const LINKS: readonly Column<ProbeLink>[] = [
  { title: "link", of: ({ link }) => link },
  { title: "name", of: ({ name }) => name, isFlexible: true },
  { title: "status", of: ({ status }) => status, tone: ({ status }) => toneOfProbe(status) },
  { title: "detail", of: ({ detail }) => detail, isFlexible: true },
  { title: "ms", of: ({ took_ms: ms }) => ms, isNumeric: true },
];

const SCHEDULES: readonly Column<ProbeSchedule>[] = [
  { title: "id", of: ({ id }) => id, isHidden: true },
  { title: "tag", of: ({ tag }) => tag, isFlexible: true },
  { title: "via", of: ({ via }) => via },
  { title: "every hours", of: ({ every_hours: hours }) => hours, isNumeric: true },
  { title: "round", of: ({ round_at }) => round_at, show: ({ round_at }) => momentOf(round_at) },
];

export const PROBE_COMMANDS = [
  command({
    name: "probes place",
    summary: "Test where calls to a number lead, without a phone ringing",
    args: ["number"],
    options: {
      ...VIA_OPTION,
      "no-wait": { type: "boolean", summary: "return without waiting for the result" },
      timeout: { type: "string", value: "seconds", summary: "seconds to wait (default: 90)" },
    },
    details:
      "Places a call that the switch ends where it would send it out, and asks the target with OPTIONS. Your operator sets how many probes you can place per day. Exits with 7 if a link is broken.",
    examples: ["dialplane probes place +493010000001", "dialplane probes place +493010000001 --via carrier"],
    async run({ context, args: [named], options }) {
      const client = await context.client();
      const { id, e164 } = await findNumber(client, named!);
      const via = options.via as Via | undefined;
      const timeoutSeconds = readCount(options.timeout ?? TIMEOUT_SECONDS, "--timeout");
      const placed = await client.probes.place(id, { ...(via && { via }) });
      if (options["no-wait"]) {
        context.terminal.say(`Probing ${e164}. Show the result with: dialplane probes show ${placed.id}`);
        return show(context, placed);
      }
      return show(context, await untilEnded(context, client, placed, timeoutSeconds));
    },
  }),
  command({
    name: "probes list",
    summary: "List the probes of a number",
    args: ["number"],
    options: LIST_OPTIONS,
    details: "Newest first. Probes are kept for 90 days.",
    examples: ["dialplane probes list +493010000001 --limit 5"],
    async run({ context, args: [named], options }) {
      const client = await context.client();
      const { id } = await findNumber(client, named!);
      const probes = await several(context, options, (query) => client.probes.list(id, query));
      await context.output.list(probes, PROBES);
    },
  }),
  command({
    name: "probes show",
    summary: "Show the result of a probe, link by link",
    args: ["id"],
    examples: ["dialplane probes show 0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"],
    async run({ context, args: [id] }) {
      return show(context, await (await context.client()).probes.get(id!));
    },
  }),
  command({
    name: "probes schedules",
    summary: "List the schedules of probes",
    async run({ context }) {
      const { data } = await (await context.client()).probes.schedules();
      await context.output.list(data, SCHEDULES);
    },
  }),
  command({
    name: "probes schedule",
    summary: "Probe the numbers with a tag at regular intervals",
    args: ["tag"],
    options: {
      "every-hours": { type: "string", value: "hours", summary: "hours between two rounds (default: 24)" },
      ...VIA_OPTION,
    },
    details:
      "Each number is probed once per round, within your limit per day. Broken links are events of the type probe.broken.",
    examples: ["dialplane probes schedule berlin --every-hours 6"],
    async run({ context, args: [tag], options }) {
      const via = options.via as Via | undefined;
      const every_hours = readCount(options["every-hours"] ?? "24", "--every-hours");
      const { probes } = await context.client();
      const set = await probes.createSchedule({ tag: tag!, every_hours, ...(via && { via }) });
      context.terminal.say(`Probing the numbers with the tag ${tag} every ${every_hours} h.`);
      await context.output.list([set], SCHEDULES);
    },
  }),
  command({
    name: "probes unschedule",
    summary: "Delete a schedule of probes",
    args: ["tag"],
    examples: ["dialplane probes unschedule berlin"],
    async run({ context, args: [tag] }) {
      const client = await context.client();
      const { data } = await client.probes.schedules();
      const schedule = data.find((one) => one.tag === tag);
      if (!schedule)
        throw new CliFailure(`No schedule for the tag “${tag}”.`, {
          exitCode: EXIT.notFound,
          next: "dialplane probes schedules",
        });
      await context.confirm(`Delete the schedule for the tag ${tag}?`);
      await client.probes.deleteSchedule(schedule.id);
      context.terminal.say("Schedule deleted.");
    },
  }),
];

async function untilEnded(
  { terminal, signal }: Context,
  client: Client,
  { id }: Probe,
  timeoutSeconds: number,
): Promise<Probe> {
  terminal.progress("Waiting for the switches …");
  try {
    return await client.probes.wait(id, { timeoutMs: timeoutSeconds * 1_000, signal });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
    throw new CliFailure(`The probe did not end within ${timeoutSeconds} s. It is still running.`, {
      exitCode: EXIT.timedOut,
      next: `dialplane probes show ${id}`,
    });
  } finally {
    terminal.progress("");
  }
}

async function show({ output, terminal }: Context, probe: Probe): Promise<ExitCode> {
  const { e164, status, summary, links } = probe;
  if (output.format === "json") await output.record(probe, []);
  else {
    terminal.say(`${e164}: ${status}${summary === null ? "" : `. ${summary}`}`);
    if (links.length > 0) await output.list(links, LINKS);
  }
  return status === "broken" || status === "failed" ? EXIT.jobFailed : EXIT.ok;
}
