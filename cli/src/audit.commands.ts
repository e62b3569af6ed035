import type { AuditEntry, Client } from "@dialplane/sdk";
import { AUDIT_EXPORT_COMMANDS, OPERATOR_AUDIT_EXPORT_COMMANDS } from "./audit-export.commands.ts";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import { momentOf } from "./moments.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import type { Column } from "./table.ts";
import { readMoment } from "./usage.commands.ts";

const FILTER_OPTIONS = {
  from: { type: "string", value: "2026-11-01", summary: "start, a day or time in UTC" },
  to: { type: "string", value: "2026-12-01", summary: "end, exclusive, a day or time in UTC" },
  search: { type: "string", short: "s", value: "text", summary: "text in action, actor or details" },
  actor: { type: "string", value: "id", summary: "ID of a user or API key" },
  action: { type: "string", value: "routing.changed", summary: "action" },
  subject: { type: "string", value: "id", summary: "ID of the resource" },
  outcome: { type: "string", value: ["done", "refused"], summary: "outcome" },
  "no-system": { type: "boolean", summary: "omit entries of the service itself" },
} as const satisfies OptionTable;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: "at", of: ({ at }) => at, show: ({ at }) => momentOf(at) },
  { title: "actor", of: ({ actor }) => actor.name ?? actor.kind, isFlexible: true },
  { title: "action", of: ({ action }) => action },
  { title: "outcome", of: ({ outcome }) => outcome },
  { title: "subject", of: ({ subject, subject_ref }) => subject_ref?.label ?? subject, isFlexible: true },
  { title: "address", of: ({ address }) => address, isHidden: true },
  { title: "id", of: ({ id }) => id, isHidden: true },
];

export const AUDIT_COMMANDS = [
  command({
    name: "audit list",
    summary: "List audit entries, newest first",
    options: { ...FILTER_OPTIONS, ...LIST_OPTIONS },
    examples: [
      "dialplane audit list --action routing.changed --from 2026-11-01",
      "dialplane audit list -s ada",
    ],
    async run({ context, options }) {
      const client = await context.client();
      const filter = filterOf(options);
      const entries = await several(context, options, (query) => client.audit.list({ ...filter, ...query }));
      await context.output.list(entries, COLUMNS);
    },
  }),
  ...AUDIT_EXPORT_COMMANDS,
];

export const OPERATOR_AUDIT_COMMANDS = [
  command({
    name: "operator audit list",
    summary: "List audit entries without organisation",
    options: { ...FILTER_OPTIONS, ...LIST_OPTIONS },
    examples: ["dialplane operator audit list --action session.opened"],
    async run({ context, options }) {
      const filter = filterOf(options);
      const entries = await several(context, options, (query) =>
        context.operator().audit.list({ ...filter, ...query }),
      );
      await context.output.list(entries, COLUMNS);
    },
  }),
  ...OPERATOR_AUDIT_EXPORT_COMMANDS,
];

type Filter = NonNullable<Parameters<Client["audit"]["list"]>[0]>;

function filterOf(options: Values<typeof FILTER_OPTIONS>): Filter {
  const { from, to, search, actor, action, subject, outcome } = options;
  return {
    ...(from !== undefined && { from: readMoment(from, "--from") }),
    ...(to !== undefined && { to: readMoment(to, "--to") }),
    ...(search !== undefined && { q: search }),
    ...(actor !== undefined && { actor_id: actor }),
    ...(action !== undefined && { action }),
    ...(subject !== undefined && { subject_id: subject }),
    ...(outcome !== undefined && { outcome: outcome as NonNullable<Filter["outcome"]> }),
    ...(options["no-system"] && { include_system: false }),
  };
}
