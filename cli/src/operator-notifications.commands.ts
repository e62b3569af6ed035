import type { OperatorNotifications } from "@dialplane/sdk/operator";
import { command } from "./cli-command.ts";
import type { Context } from "./cli-context.ts";
import { usageFailure } from "./cli-failure.ts";
import { EMAIL_OPTION, kindOf, recipientsIn } from "./notifications.commands.ts";

type Rule = OperatorNotifications["rules"][number];

const KINDS = ["switch_silent", "backlog"] as const satisfies readonly Rule["kind"][];

export const OPERATOR_NOTIFICATION_COMMANDS = [
  command({
    name: "operator notifications list",
    summary: "List notification rules of the installation",
    async run({ context }) {
      await show(context, (await context.operator().notifications.get()).rules);
    },
  }),
  command({
    name: "operator notifications set",
    summary: "Change a notification rule of the installation",
    args: ["kind"],
    options: EMAIL_OPTION,
    details: `Kinds: ${KINDS.join(", ")}. Recipients must be operators.`,
    examples: ["dialplane operator notifications set backlog --email ada@example.com"],
    async run({ context, args: [kind], options: { email } }) {
      const named = kindOf(kind!, KINDS);
      if (!email) throw usageFailure("Specify a recipient with --email, or --email none.");
      const { notifications } = context.operator();
      const { rules } = await notifications.get();
      const changed = rules.map((rule) =>
        rule.kind === named ? { ...rule, emails: recipientsIn(email) } : rule,
      );
      await show(context, (await notifications.set({ rules: changed })).rules);
    },
  }),
];

async function show({ output }: Context, rules: readonly Rule[]): Promise<void> {
  await output.list(rules, [
    { title: "kind", of: ({ kind }) => kind },
    { title: "emails", of: ({ emails }) => emails.join(", ") || "–", isFlexible: true },
  ]);
}
