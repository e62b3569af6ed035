import type { OperatorCallPage } from "@dialplane/sdk/operator";
import { callFields } from "./calls.commands.ts";
import { usageFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";
import { momentOf } from "./moments.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";
import { readMoment } from "./usage.commands.ts";

const COLUMNS: readonly Column<OperatorCallPage["data"][number]>[] = [
  { title: "id", of: ({ id }) => id },
  { title: "started", of: ({ started_at }) => started_at, show: ({ started_at }) => momentOf(started_at) },
  { title: "called", of: ({ e164, called }) => e164 ?? called, isFlexible: true },
  {
    title: "result",
    of: ({ result }) => result,
    show: ({ result, misrouted }) => (misrouted ? `${result}, misrouted` : result),
    tone: ({ misrouted }) => (misrouted ? "odd" : undefined),
  },
  { title: "caller", of: ({ caller }) => caller, isHidden: true },
  { title: "code", of: ({ code }) => code, isHidden: true },
  { title: "organisation", of: ({ organisation_id }) => organisation_id, isHidden: true },
  { title: "environment", of: ({ environment }) => environment, isHidden: true },
  { title: "switch", of: (call) => call.switch, isHidden: true },
  { title: "trunk", of: ({ trunk }) => trunk, isHidden: true },
  { title: "call-id", of: ({ sip_call_id }) => sip_call_id, isHidden: true },
  { title: "misrouted", of: ({ misrouted }) => misrouted, isHidden: true },
];

export const OPERATOR_CALLS_COMMANDS = [
  command({
    name: "operator calls find",
    summary: "Find calls of all organisations",
    options: {
      "call-id": { type: "string", value: "Call-ID", summary: "Call-ID of the carrier's INVITE" },
      caller: { type: "string", value: "+44…", summary: "caller's number" },
      called: { type: "string", value: "+49…", summary: "called number" },
      unmatched: { type: "boolean", summary: "only calls that matched no number" },
      misrouted: {
        type: "boolean",
        summary: "only calls that reached another target than their routing names",
      },
      from: { type: "string", value: "2026-11-01", summary: "start, a day or time in UTC" },
      to: { type: "string", value: "2026-12-01", summary: "end, exclusive, a day or time in UTC" },
      ...LIST_OPTIONS,
    },
    examples: ["dialplane operator calls find --call-id 1-11035@carrier.example"],
    details: "Finds live calls. Use --environment test for those of the test environment.",
    async run({ context, options }) {
      const { caller, called, unmatched, misrouted, from, to, "call-id": callId } = options;
      if ([callId, caller, called, unmatched, misrouted].every((one) => one === undefined))
        throw usageFailure("Add --call-id, --caller, --called, --misrouted or --unmatched.");
      const { environment } = context.place();
      const filter = {
        ...(environment && { environment }),
        ...(callId !== undefined && { sip_call_id: callId }),
        ...(caller !== undefined && { caller }),
        ...(called !== undefined && { called }),
        ...(unmatched && { unmatched }),
        ...(misrouted && { misrouted }),
        ...(from !== undefined && { from: readMoment(from, "--from") }),
        ...(to !== undefined && { to: readMoment(to, "--to") }),
      };
      const calls = await several(context, options, (query) =>
        context.operator().calls.search({ ...filter, ...query }),
      );
      await context.output.list(calls, COLUMNS);
    },
  }),
  command({
    name: "operator calls show",
    summary: "Show a call of any organisation",
    args: ["call"],
    async run({ context, args: [id] }) {
      const call = await context.operator().calls.get(id!.replaceAll("-", ""));
      const { asserted_caller: asserted, organisation_id: organisation, called, trunk } = call;
      await context.output.record(call, [
        ["Organisation", organisation],
        ["Called", called],
        ["Asserted caller", asserted],
        ["Trunk", trunk],
        ...callFields(call),
      ]);
    },
  }),
];
