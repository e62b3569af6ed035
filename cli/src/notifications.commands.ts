import type { Notifications } from "@dialplane/sdk";
import { command, type OptionTable } from "./cli-command.ts";
import type { Context } from "./cli-context.ts";
import { usageFailure } from "./cli-failure.ts";

type Rule = Notifications["rules"][number];
type Kind = Rule["kind"];

const KINDS = [
  "number_failing",
  "number_flapping",
  "connection_unreachable",
  "webhook_endpoint_disabled",
  "order_failed",
  "order_action_required",
] as const satisfies readonly Kind[];

export const EMAIL_OPTION = {
  email: {
    type: "string",
    multiple: true,
    value: "ada@northwind.example",
    summary: "recipient (repeatable), or none",
  },
} as const satisfies OptionTable;

export const NOTIFICATION_COMMANDS = [
  command({
    name: "notifications list",
    summary: "List notification rules",
    details: "A rule sends mail or events once when a problem begins, and once when it ends.",
    async run({ context }) {
      const { rules } = await (await context.client()).notifications.get();
      await show(context, rules);
    },
  }),
  command({
    name: "notifications set",
    summary: "Change the notification rule of a kind of problem",
    args: ["kind"],
    options: {
      ...EMAIL_OPTION,
      webhook: {
        type: "string",
        value: ["on", "off"],
        summary: "send the events problem.began and problem.ended",
      },
    },
    details: `Kinds: ${KINDS.join(", ")}. Recipients must be members. Options that you leave out do not change.`,
    examples: [
      "dialplane notifications set number_failing --email ada@northwind.example",
      "dialplane notifications set order_failed --email none",
    ],
    async run({ context, args: [kind], options: { email, webhook } }) {
      const named = kindOf(kind!, KINDS);
      if (email === undefined && webhook === undefined)
        throw usageFailure("Specify a change: --email or --webhook.");
      const client = await context.client();
      const { rules } = await client.notifications.get();
      const changed = rules.map((rule) =>
        rule.kind === named
          ? {
              ...rule,
              ...(email && { emails: recipientsIn(email) }),
              ...(webhook && { webhook: webhook === "on" }),
            }
          : rule,
      );
      await show(context, (await client.notifications.set({ rules: changed })).rules);
    },
  }),
];

export function kindOf<Known extends string>(text: string, kinds: readonly Known[]): Known {
  const found = kinds.find((kind) => kind === text);
  if (!found) throw usageFailure(`Unknown kind “${text}”. Kinds: ${kinds.join(", ")}.`);
  return found;
}

/** `none` removes all recipients. */
export function recipientsIn(emails: readonly string[]): string[] {
  return emails.filter((email) => email !== "none");
}

async function show({ output }: Context, rules: readonly Rule[]): Promise<void> {
  await output.list(rules, [
    { title: "kind", of: ({ kind }) => kind },
    { title: "webhook", of: ({ webhook }) => webhook, show: ({ webhook }) => (webhook ? "on" : "off") },
    { title: "emails", of: ({ emails }) => emails.join(", ") || "–", isFlexible: true },
  ]);
}
