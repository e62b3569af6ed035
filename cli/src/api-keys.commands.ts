import { CliFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { momentOf } from "./moments.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import { toneOfStatus } from "./tones.ts";

export const API_KEY_COMMANDS = [
  command({
    name: "keys list",
    summary: "List API keys of this environment",
    examples: ["dialplane keys list --json=id,name,scopes"],
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const client = await context.client();
      const keys = await several(context, options, (query) => client.apiKeys.list(query));
      await context.output.list(keys, [
        { title: "id", of: ({ id }) => id },
        { title: "name", of: ({ name }) => name, isFlexible: true },
        { title: "key", of: ({ hint }) => hint, show: ({ hint }) => `…${hint}` },
        { title: "status", of: ({ status }) => status, tone: ({ status }) => toneOfStatus(status) },
        { title: "scopes", of: ({ scopes }) => scopes.join(";"), isFlexible: true },
        { title: "last used at", of: ({ last_used_at }) => last_used_at, isHidden: true },
        { title: "expires at", of: ({ expires_at }) => expires_at, isHidden: true },
      ]);
    },
  }),
  command({
    name: "keys revoke",
    summary: "Revoke an API key",
    args: ["key id"],
    details: "The service rejects the key within a second.",
    async run({ context, args: [id] }) {
      const client = await context.client();
      let found;
      for await (const key of client.apiKeys.list({ limit: 100 })) if (key.id === id) found = key;
      if (!found)
        throw new CliFailure(`No API key with the ID ${id} in this organisation and environment.`, {
          exitCode: EXIT.notFound,
          next: "dialplane keys list",
        });
      const used = found.last_used_at ? `last used ${momentOf(found.last_used_at)}` : "never used";
      await context.confirm(`Revoke “${found.name}” (…${found.hint}), ${used}?`, found.hint);
      await client.apiKeys.revoke(found.id);
      context.terminal.say(`“${found.name}” is revoked.`);
    },
  }),
  command({
    name: "keys confirm",
    summary: "Confirm an API key that was suspended",
    args: ["key id"],
    details:
      "Keys are suspended after some restores of the database, because revoked keys could work again. Only owners can confirm them.",
    async run({ context, args: [id] }) {
      const { name } = await (await context.client()).apiKeys.confirm(id!);
      context.terminal.say(`“${name}” works again.`);
    },
  }),
  command({
    name: "keys create",
    summary: "Show where to create API keys",
    async run({ context }) {
      const { url } = context.place();
      throw new CliFailure(`The CLI cannot create API keys. Create them in the dashboard: ${url}`, {
        exitCode: EXIT.usage,
        next: "dialplane keys list",
      });
    },
  }),
];
