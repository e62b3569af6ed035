import type { HeldNumber } from "@dialplane/sdk/operator";
import type { Context } from "./cli-context.ts";
import { CliFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { momentOf } from "./moments.ts";

export const OPERATOR_NUMBERS_COMMANDS = [
  command({
    name: "operator numbers show",
    summary: "Show the organisation that holds a live number",
    examples: ["dialplane operator numbers show +493010000001"],
    args: ["number"],
    async run({ context, args: [e164] }) {
      await show(context, await findNumber(context, e164!));
    },
  }),
  command({
    name: "operator numbers suspend",
    summary: "Suspend a number (reject its calls)",
    args: ["number"],
    options: { reason: { type: "string", value: "text", summary: "reason, shown to the organisation" } },
    async run({ context, args: [e164], options: { reason } }) {
      const { id, organisation } = await findNumber(context, e164!);
      await context.confirm(`Reject calls to ${e164} of ${organisation.name}?`, e164);
      await show(context, await context.operator().numbers.suspend(id, reason ? { reason } : {}));
    },
  }),
  command({
    name: "operator numbers resume",
    summary: "Resume a suspended number",
    args: ["number"],
    async run({ context, args: [e164] }) {
      const { id } = await findNumber(context, e164!);
      await show(context, await context.operator().numbers.resume(id));
    },
  }),
];

async function findNumber(context: Context, e164: string): Promise<HeldNumber> {
  const found = await context.operator().numbers.find(e164);
  if (found) return found;
  throw new CliFailure(`No organisation holds ${e164}.`, {
    exitCode: EXIT.notFound,
    next: "dialplane operator pool list --prefix +49",
  });
}

async function show(context: Context, number: HeldNumber): Promise<void> {
  await context.output.record(number, [
    ["Number", number.e164],
    ["Id", number.id],
    ["Organisation", number.organisation.name],
    ["Status", number.status_reason ? `${number.status} (${number.status_reason})` : number.status],
    ["Held since", momentOf(number.acquired_at)],
  ]);
}
