import type { ProbeCaller, ProbePolicy } from "@dialplane/sdk/operator";
import { command } from "./cli-command.ts";
import type { Context } from "./cli-context.ts";
import { usageFailure } from "./cli-failure.ts";
import { momentOf } from "./moments.ts";
import { findAnyOrganisation } from "./operator-organisations.commands.ts";
import { readCount } from "./several.ts";
import { findGroup, GROUP_OPTION } from "./trunk-changes.ts";

export const OPERATOR_PROBES_COMMANDS = [
  command({
    name: "operator probes show",
    summary: "Show how many probes an organisation may place per day",
    args: ["organisation"],
    details: "Name the organisation by its name or ID.",
    examples: ["dialplane operator probes show Northwind"],
    async run({ context, args: [named] }) {
      const { id, name } = await findAnyOrganisation(context, named!);
      await showPolicy(context, name, await context.operator().organisations.probes(id));
    },
  }),
  command({
    name: "operator probes set",
    summary: "Set how many probes an organisation may place per day",
    args: ["organisation", "count"],
    details: "0 for none, which is the default. A probe through a carrier is a paid call.",
    examples: ["dialplane operator probes set Northwind 500"],
    async run({ context, args: [named, count] }) {
      const probes_per_day = readLimit(count!);
      const { id, name } = await findAnyOrganisation(context, named!);
      await showPolicy(
        context,
        name,
        await context.operator().organisations.setProbes(id, { probes_per_day }),
      );
    },
  }),
  command({
    name: "operator probes caller",
    summary: "Show or set the trunk and the caller of probes through a carrier",
    options: {
      ...GROUP_OPTION,
      trunk: { type: "string", value: "trunk", summary: "trunk with a gateway of the carrier" },
      caller: { type: "string", value: "+49…", summary: "caller by which switches recognise the probes" },
    },
    details:
      "Shows both without --trunk and --caller. The carrier must pass on the caller. Use a number that makes no other calls.",
    examples: [
      "dialplane operator probes caller",
      "dialplane operator probes caller --trunk acme --caller +493010009999",
    ],
    async run({ context, options }) {
      const { trunk, caller, group } = options;
      if ((trunk === undefined) !== (caller === undefined))
        throw usageFailure("Specify both --trunk and --caller, or neither.");
      const { id, name } = await findGroup(context, group);
      const { trunks } = context.operator();
      const isChange = trunk !== undefined && caller !== undefined;
      const shown = isChange
        ? await trunks.setProbeCaller(id, { trunk, caller })
        : await trunks.probeCaller(id);
      await showCaller(context, name, shown);
    },
  }),
];

function readLimit(text: string): number {
  return text === "0" ? 0 : readCount(text, "The count");
}

async function showPolicy({ output }: Context, name: string, policy: ProbePolicy): Promise<void> {
  await output.record(policy, [
    ["Organisation", name],
    ["Probes per day", policy.probes_per_day],
    ["Used today", policy.used_today],
    ["Changed", momentOf(policy.updated_at)],
  ]);
}

async function showCaller({ output }: Context, group: string, shown: ProbeCaller): Promise<void> {
  await output.record(shown, [
    ["Switch group", group],
    ["Trunk", shown.trunk],
    ["Caller", shown.caller],
    ["Changed", momentOf(shown.updated_at)],
  ]);
}
