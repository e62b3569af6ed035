import type { User } from "@dialplane/sdk/operator";
import { type Context, isId } from "./cli-context.ts";
import { CliFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { momentOf } from "./moments.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";

const COLUMNS: readonly Column<User>[] = [
  { title: "email", of: ({ email }) => email, isFlexible: true },
  { title: "name", of: ({ name }) => name, isFlexible: true },
  { title: "status", of: ({ disabled_at }) => (disabled_at ? "disabled" : "enabled") },
  { title: "sessions", of: ({ session_count }) => session_count, isNumeric: true },
  {
    title: "authenticator",
    of: ({ has_authenticator }) => has_authenticator,
    show: ({ has_authenticator }) => (has_authenticator ? "yes" : "no"),
  },
  { title: "keys", of: ({ api_key_count }) => api_key_count, isNumeric: true },
  { title: "id", of: ({ id }) => id, isHidden: true },
];

export const OPERATOR_USERS_COMMANDS = [
  command({
    name: "operator users list",
    summary: "List users",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const users = await several(context, options, (query) => context.operator().users.list(query));
      await context.output.list(users, COLUMNS);
    },
  }),
  command({
    name: "operator users show",
    summary: "Show a user: organisations, sessions and API keys",
    examples: ["dialplane operator users show ada@northwind.example"],
    args: ["email or id"],
    async run({ context, args: [named] }) {
      await show(context, await findUser(context, named!));
    },
  }),
  command({
    name: "operator users disable",
    summary: "Disable a user (end sessions, prevent sign-in)",
    args: ["email or id"],
    options: { reason: { type: "string", value: "text", summary: "reason, for the audit log" } },
    details: "API keys that the user created keep working. Revoke them in their organisations.",
    async run({ context, args: [named], options: { reason } }) {
      const { id, email } = await findUser(context, named!);
      await context.confirm(`Sign ${email} out everywhere and prevent new sessions?`, email);
      await show(context, await context.operator().users.disable(id, reason ? { reason } : {}));
    },
  }),
  command({
    name: "operator users enable",
    summary: "Enable a disabled user",
    args: ["email or id"],
    async run({ context, args: [named] }) {
      const { id } = await findUser(context, named!);
      await show(context, await context.operator().users.enable(id));
    },
  }),
  command({
    name: "operator users end-sessions",
    summary: "End all sessions of a user",
    args: ["email or id"],
    async run({ context, args: [named] }) {
      const { id, email, session_count } = await findUser(context, named!);
      await context.confirm(`End ${session_count} sessions of ${email}?`, email);
      await show(context, await context.operator().users.endSessions(id));
    },
  }),
  command({
    name: "operator users remove-authenticator",
    summary: "Remove a user's authenticator app",
    args: ["email or id"],
    details:
      "Use this if a user has lost the authenticator app and the recovery codes. Verify the user's identity first. The next sign-in needs only the password. The user gets an email.",
    async run({ context, args: [named] }) {
      const { id, email } = await findUser(context, named!);
      await context.confirm(`Remove the authenticator app of ${email} and end all sessions?`, email);
      await show(context, await context.operator().users.removeAuthenticator(id));
    },
  }),
];

async function findUser(context: Context, named: string): Promise<User> {
  if (isId(named)) return context.operator().users.get(named);
  for await (const user of context.operator().users.list({ email: named })) return user;
  throw new CliFailure(`No user with the email address ${named}.`, {
    exitCode: EXIT.notFound,
    next: "dialplane operator users list",
  });
}

async function show(context: Context, user: User): Promise<void> {
  await context.output.record(user, [
    ["Email", user.email],
    ["Name", user.name],
    ["Id", user.id],
    ["Status", user.disabled_at ? `disabled since ${momentOf(user.disabled_at)}` : "enabled"],
    ["Operator", user.is_operator ? "yes" : "no"],
    ["Authenticator", user.has_authenticator ? "yes" : "no"],
    ["Sessions", user.session_count],
    ["API keys", user.api_key_count],
    ["Organisations", user.organisations.map(({ name, role }) => `${name} (${role})`).join(", ")],
  ]);
}
