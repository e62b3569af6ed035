import type { Organisation } from "@dialplane/sdk/operator";
import { type Context, isId } from "./cli-context.ts";
import { CliFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { momentOf } from "./moments.ts";
import { LIST_OPTIONS, several } from "./several.ts";

export const OPERATOR_ORGANISATIONS_COMMANDS = [
  command({
    name: "operator organisations list",
    summary: "List all organisations",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const organisations = await several(context, options, (query) =>
        context.operator().organisations.list(query),
      );
      await context.output.list(organisations, [
        { title: "id", of: ({ id }) => id },
        { title: "name", of: ({ name }) => name, isFlexible: true },
        { title: "status", of: statusOf },
        {
          title: "created at",
          of: ({ created_at }) => created_at,
          show: ({ created_at }) => momentOf(created_at),
        },
      ]);
    },
  }),
  command({
    name: "operator organisations show",
    summary: "Show an organisation",
    args: ["organisation"],
    async run({ context, args: [named] }) {
      await show(context, await findAnyOrganisation(context, named!));
    },
  }),
  command({
    name: "operator organisations create",
    summary: "Create an organisation and invite its first owner",
    examples: ["dialplane operator organisations create Northwind ada@northwind.example"],
    args: ["name", "owner email?"],
    async run({ context, args: [name, owner] }) {
      const made = await context.operator().organisations.create({
        name: name!,
        ...(owner ? { owner_email: owner } : {}),
      });
      await context.output.record(made, [
        ["Organisation", made.name],
        ["Id", made.id],
      ]);
    },
  }),
  command({
    name: "operator organisations suspend",
    summary: "Suspend an organisation (reject all requests)",
    args: ["organisation"],
    options: {
      reason: { type: "string", value: "text", summary: "reason, shown to operators and in the audit log" },
      numbers: { type: "boolean", summary: "also suspend its live numbers (reject their calls)" },
    },
    details: "Its calls continue unless you pass --numbers.",
    async run({ context, args: [named], options: { reason, numbers } }) {
      const { id, name } = await findAnyOrganisation(context, named!);
      const calls = numbers ? "Calls to its numbers are rejected." : "Its calls continue.";
      await context.confirm(`Reject all requests in ${name}? ${calls}`, name);
      const suspended = await context.operator().organisations.suspend(id, {
        ...(reason ? { reason } : {}),
        ...(numbers ? { suspend_numbers: true } : {}),
      });
      await show(context, suspended);
    },
  }),
  command({
    name: "operator organisations resume",
    summary: "Resume a suspended organisation",
    args: ["organisation"],
    details:
      "Resumes the numbers that were suspended with it. Numbers that were suspended for another reason stay suspended.",
    async run({ context, args: [named] }) {
      const { id } = await findAnyOrganisation(context, named!);
      await show(context, await context.operator().organisations.resume(id));
    },
  }),
];

/** By ID, or by name in any case. Names are not unique. */
export async function findAnyOrganisation(context: Context, named: string): Promise<Organisation> {
  const { organisations } = context.operator();
  if (isId(named)) return organisations.get(named);
  const found: Organisation[] = [];
  for await (const one of organisations.list({ limit: 100 }))
    if (one.name.toLowerCase() === named.toLowerCase()) found.push(one);
  if (found.length === 1) return found[0]!;
  const message =
    found.length === 0
      ? `No organisation with the name or ID “${named}”.`
      : `${found.length} organisations are named “${named}”. Use an ID: ${found.map(({ id }) => id).join(", ")}.`;
  throw new CliFailure(message, { exitCode: EXIT.notFound, next: "dialplane operator organisations list" });
}

function statusOf({ suspended_at }: Organisation): string {
  return suspended_at ? "suspended" : "active";
}

async function show(context: Context, organisation: Organisation): Promise<void> {
  const { id, name, created_at, suspended_at, suspension_reason } = organisation;
  const { numbers_suspended, numbers_pending } = organisation;
  await context.output.record(organisation, [
    ["Organisation", name],
    ["Id", id],
    ["Created", momentOf(created_at)],
    ["Status", suspended_at ? `suspended since ${momentOf(suspended_at)}` : "active"],
    ...(suspension_reason ? [["Reason", suspension_reason] as const] : []),
    [
      "Numbers",
      (numbers_suspended ? "suspended" : "not suspended") + (numbers_pending ? ", in progress" : ""),
    ],
  ]);
}
