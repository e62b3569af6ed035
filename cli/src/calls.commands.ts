import type { CallDetail, CallPage, Client } from "@dialplane/sdk";
import { reasonText } from "./call-reasons.ts";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import { durationOf, momentOf } from "./moments.ts";
import { findNumber } from "./named-numbers.ts";
import { stepsText } from "./routing-step.ts";
import { findConnection } from "./routing-target.options.ts";
import { LIST_OPTIONS, readCount, several } from "./several.ts";
import type { Column } from "./table.ts";
import { readMoment } from "./usage.commands.ts";

const FILTER_OPTIONS = {
  from: { type: "string", value: "2026-11-01", summary: "start, a day or time in UTC" },
  to: { type: "string", value: "2026-12-01", summary: "end, exclusive, a day or time in UTC" },
  search: { type: "string", short: "s", value: "text", summary: "start of a phone number, or a Call-ID" },
  number: { type: "string", value: "number", summary: "called number" },
  caller: { type: "string", value: "+44…", summary: "caller's number" },
  result: {
    type: "string",
    value: ["answered", "busy", "no_answer", "cancelled", "rejected", "failed"],
    summary: "result of the call",
  },
  code: { type: "string", value: "486", summary: "final SIP status code" },
  connection: { type: "string", value: "name or id", summary: "connection that the switch used" },
  switch: { type: "string", value: "name", summary: "switch that handled the call" },
  "call-id": { type: "string", value: "Call-ID", summary: "Call-ID of the carrier's INVITE" },
  "min-seconds": { type: "string", value: "60", summary: "minimum talk time in seconds" },
  misrouted: { type: "boolean", summary: "only calls that reached another target than their routing names" },
} as const satisfies OptionTable;

const COLUMNS: readonly Column<CallPage["data"][number]>[] = [
  { title: "id", of: ({ id }) => id },
  { title: "started", of: ({ started_at }) => started_at, show: ({ started_at }) => momentOf(started_at) },
  { title: "number", of: ({ e164 }) => e164, isFlexible: true },
  { title: "caller", of: ({ caller }) => caller, isHidden: true },
  {
    title: "result",
    of: ({ result }) => result,
    show: ({ result, misrouted }) => (misrouted ? `${result}, misrouted` : result),
    tone: ({ misrouted }) => (misrouted ? "odd" : undefined),
  },
  { title: "code", of: ({ code }) => code, isHidden: true },
  { title: "switch", of: (call) => call.switch, isHidden: true },
  { title: "target", of: ({ target }) => target, isHidden: true },
  { title: "call-id", of: ({ sip_call_id }) => sip_call_id, isHidden: true },
  { title: "talk seconds", of: ({ talk_seconds }) => talk_seconds, isHidden: true },
  { title: "misrouted", of: ({ misrouted }) => misrouted, isHidden: true },
];

export const CALL_COMMANDS = [
  command({
    name: "calls list",
    group: "Calls",
    summary: "List calls, newest first",
    options: { ...FILTER_OPTIONS, ...LIST_OPTIONS },
    examples: [
      "dialplane calls list --result failed --from 2026-11-01",
      "dialplane calls list -s +4420794",
      "dialplane calls list --misrouted --from 2026-11-01",
    ],
    async run({ context, options }) {
      const client = await context.client();
      const filter = await filterOf(client, options);
      const calls = await several(context, options, (query) => client.calls.search({ ...filter, ...query }));
      await context.output.list(calls, COLUMNS);
    },
  }),
  command({
    name: "calls show",
    group: "Calls",
    summary: "Show a call and its attempts",
    args: ["call"],
    async run({ context, args: [id] }) {
      const client = await context.client();
      const call = await client.calls.get(id!.replaceAll("-", ""));
      await context.output.record(call, callFields(call));
    },
  }),
  command({
    name: "calls export",
    group: "Calls",
    summary: "Export calls as CSV",
    options: FILTER_OPTIONS,
    examples: ["dialplane calls export --from 2026-11-01 --to 2026-12-01 > calls.csv"],
    async run({ context, options }) {
      const client = await context.client();
      const filter = await filterOf(client, options);
      const stream = await client.calls.exportFound(filter, { signal: context.signal });
      for await (const chunk of stream.pipeThrough(new TextDecoderStream()))
        await context.terminal.write(chunk);
    },
  }),
];

type Filter = NonNullable<Parameters<Client["calls"]["exportFound"]>[0]>;

async function filterOf(client: Client, options: Values<typeof FILTER_OPTIONS>): Promise<Filter> {
  const { from, to, search, number, caller, result, code, connection } = options;
  const { switch: name, "call-id": callId, "min-seconds": seconds, misrouted } = options;
  return {
    ...(from !== undefined && { from: readMoment(from, "--from") }),
    ...(to !== undefined && { to: readMoment(to, "--to") }),
    ...(search !== undefined && { q: search }),
    ...(number !== undefined && { number_id: (await findNumber(client, number)).id }),
    ...(caller !== undefined && { caller }),
    ...(result !== undefined && { result: result as NonNullable<Filter["result"]> }),
    ...(code !== undefined && { code: readCount(code, "--code") }),
    ...(connection !== undefined && { connection_id: (await findConnection(client, connection)).id }),
    ...(name !== undefined && { switch: name }),
    ...(callId !== undefined && { sip_call_id: callId }),
    ...(seconds !== undefined && { min_seconds: readCount(seconds, "--min-seconds") }),
    ...(misrouted && { misrouted }),
  };
}

/** Also for operators, whose calls may have matched no number. */
export function callFields(
  call: Omit<CallDetail, "number_id" | "e164"> & { e164: string | null },
): [string, string | null][] {
  const { destination, attempts } = call;
  const misrouted = call.misrouted === null ? "unknown" : call.misrouted ? "yes" : "no";
  return [
    ["Id", call.id],
    ["Number", call.e164],
    ["Caller", call.caller],
    ["Started", momentOf(call.started_at)],
    ["Result", call.code === null ? call.result : `${call.result} (${call.code})`],
    ["Talk time", durationOf(call.talk_seconds)],
    ["Ended by", call.ended_by],
    ["Reason", reasonText(call.reason)],
    ["Switch", call.switch],
    ["Generation", call.generation === null ? null : String(call.generation)],
    ["Destination", destination && (stepsText(destination) || destination.mode)],
    ["Target", call.target],
    ["Misrouted", misrouted],
    ["Call-ID", call.sip_call_id],
    ...attempts.map(({ step, mode, address, outcome, code }, at): [string, string] => [
      `Attempt ${at + 1}`,
      `step ${step} (${mode}) ${address}: ${outcome}${code === null ? "" : ` (${code})`}`,
    ]),
  ];
}
