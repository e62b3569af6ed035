import type { ApiKey, Client, Member } from "@dialplane/sdk";
import type { Context } from "./cli-context.ts";
import { CliFailure, usageFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { momentOf } from "./moments.ts";
import { LIST_OPTIONS, several } from "./several.ts";

const ROLES = ["owner", "admin", "developer", "member"] as const;
const POLICIES = ["end", "grace", "keep"] as const;
type Policy = (typeof POLICIES)[number];

const KEYS_OPTION = {
  type: "string",
  value: POLICIES,
  summary: "API keys they created: end now, in 24 hours, or keep (default: end)",
} as const;

const EFFECTS: Record<Policy, string> = {
  end: "end now",
  grace: "end in 24 hours",
  keep: "keep working",
};

export const MEMBER_COMMANDS = [
  command({
    name: "members list",
    summary: "List members and their roles",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const client = await context.client();
      const members = await several(context, options, (query) => client.members.list(query));
      await context.output.list(members, [
        { title: "email", of: ({ email }) => email, isFlexible: true },
        { title: "name", of: ({ name }) => name, isFlexible: true },
        { title: "role", of: ({ role }) => role },
        {
          title: "joined at",
          of: ({ joined_at }) => joined_at,
          show: ({ joined_at }) => momentOf(joined_at),
        },
        { title: "id", of: ({ user_id }) => user_id, isHidden: true },
      ]);
    },
  }),
  command({
    name: "members role",
    summary: "Change a member's role",
    args: ["email or id", "role"],
    options: { keys: KEYS_OPTION },
    details:
      "The role member cannot create API keys. Changing to it ends the keys that the member created, unless you pass --keys.",
    examples: ["dialplane members role ada@example.com member --keys grace"],
    async run({ context, args: [named, wanted], options }) {
      const role = ROLES.find((one) => one === wanted);
      if (!role) throw usageFailure(`The role must be one of ${ROLES.join(", ")}, not “${wanted}”.`);
      const client = await context.client();
      const member = await findMember(client, named!);
      const keys = policyOf(options.keys);
      if (role === "member") {
        await showKeys(context, client, member, keys);
        await context.confirm(`Change the role of ${member.name} to member?`, member.email);
      }
      const changed = await client.members.changeRole(member.user_id, { role, keys });
      await showOutcomes(context, changed, `${changed.name} has the role ${changed.role}.`);
    },
  }),
  command({
    name: "members remove",
    summary: "Remove a member from the organisation",
    args: ["email or id"],
    options: { keys: KEYS_OPTION },
    examples: ["dialplane members remove ada@example.com --keys grace"],
    async run({ context, args: [named], options }) {
      const client = await context.client();
      const member = await findMember(client, named!);
      const keys = policyOf(options.keys);
      await showKeys(context, client, member, keys);
      await context.confirm(`Remove ${member.name}?`, member.email);
      const removed = await client.members.remove(member.user_id, { keys });
      await showOutcomes(context, removed, `${member.name} removed.`);
    },
  }),
];

function policyOf(text = "end"): Policy {
  const policy = POLICIES.find((one) => one === text);
  if (!policy) throw usageFailure(`--keys must be one of ${POLICIES.join(", ")}, not “${text}”.`);
  return policy;
}

async function findMember(client: Client, named: string): Promise<Member> {
  for await (const member of client.members.list({ limit: 100 }))
    if (member.user_id === named || member.email.toLowerCase() === named.toLowerCase()) return member;
  throw new CliFailure(`No member has the email address or ID ${named}.`, {
    exitCode: EXIT.notFound,
    next: "dialplane members list",
  });
}

/** Before anything happens: which keys this person created. */
async function showKeys(context: Context, client: Client, member: Member, policy: Policy): Promise<void> {
  const keys = await activeKeysOf(client, member);
  if (keys.length === 0) return;
  context.terminal.say(`API keys that ${member.name} created, which ${EFFECTS[policy]}:`);
  for (const { name, hint, environment, last_used_at, is_shared } of keys) {
    const used = last_used_at ? `last used ${momentOf(last_used_at)}` : "never used";
    const shared = is_shared && policy !== "keep" ? ", loses access to this organisation only" : "";
    context.terminal.say(`  ${name} (…${hint}), ${environment}, ${used}${shared}`);
  }
}

async function activeKeysOf(client: Client, { user_id }: Member): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (const environment of ["live", "test"] as const)
    for await (const key of client.with({ environment }).apiKeys.list({ limit: 100 }))
      if (key.created_by === user_id && key.status === "active") keys.push(key);
  return keys;
}

interface Settled {
  keys: { name: string; hint: string; outcome: string }[];
}

async function showOutcomes(context: Context, settled: Settled, says: string): Promise<void> {
  await context.output.record(settled, [
    ["Done", says],
    ...settled.keys.map(({ name, hint, outcome }) => [`Key …${hint}`, `${name}: ${outcome}`] as const),
  ]);
}
