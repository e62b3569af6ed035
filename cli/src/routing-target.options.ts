import type { Client, SetFallback, SetRouting } from "@dialplane/sdk";
import { CliFailure, usageFailure } from "./cli-failure.ts";
import { isId } from "./cli-context.ts";
import type { OptionTable, Values } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";

/** Target of calls: exactly one of the first five. */
export const TARGET_OPTIONS = {
  "sip-uri": { type: "string", value: "sip:…", summary: "send calls to a SIP URI" },
  connection: { type: "string", value: "name or id", summary: "send calls to a connection" },
  forward: { type: "string", value: "+44…", summary: "forward calls to another number" },
  webhook: { type: "string", value: "https://…", summary: "ask this webhook where to send calls" },
  unrouted: { type: "boolean", summary: "reject calls" },
  "fallback-sip-uri": {
    type: "string",
    value: "sip:…",
    summary: "SIP URI to use if the webhook fails",
  },
  "fallback-connection": {
    type: "string",
    value: "name or id",
    summary: "connection to use if the webhook fails",
  },
  reason: { type: "string", value: "text", summary: "reason, shown in the history" },
} as const satisfies OptionTable;

type Options = Values<typeof TARGET_OPTIONS>;

/** Undefined where no option names a target. */
export async function readTarget(client: Client, options: Options): Promise<SetRouting | undefined> {
  const { "sip-uri": sipUri, connection, forward, webhook, unrouted, reason } = options;
  const why = reason === undefined ? {} : { reason };
  const named = { "sip-uri": sipUri, connection, forward, webhook, unrouted: unrouted || undefined };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  if (given.length > 1)
    throw usageFailure(`Use only one of ${given.map(([name]) => `--${name}`).join(", ")}.`);
  const fallback = await readFallback(client, options);
  if (fallback && webhook === undefined) throw usageFailure("A fallback requires --webhook.");
  if (sipUri !== undefined) return { mode: "sip_uri", sip_uri: sipUri, ...why };
  if (connection !== undefined)
    return { mode: "connection", connection_id: (await findConnection(client, connection)).id, ...why };
  if (forward !== undefined) return { mode: "forward", forward_to: forward, ...why };
  if (webhook !== undefined)
    return { mode: "webhook", webhook_url: webhook, ...(fallback ? { fallback } : {}), ...why };
  return unrouted ? { mode: "unrouted", ...why } : undefined;
}

async function readFallback(client: Client, options: Options): Promise<SetFallback | undefined> {
  const { "fallback-sip-uri": sipUri, "fallback-connection": connection } = options;
  if (sipUri !== undefined) return { mode: "sip_uri", sip_uri: sipUri };
  if (connection === undefined) return undefined;
  return { mode: "connection", connection_id: (await findConnection(client, connection)).id };
}

export async function findConnection(client: Client, named: string) {
  if (isId(named)) return client.connections.get(named);
  for await (const connection of client.connections.list({ limit: 100 }))
    if (connection.name.toLowerCase() === named.toLowerCase()) return connection;
  throw new CliFailure(`No connection named “${named}” in this organisation and environment.`, {
    exitCode: EXIT.notFound,
    next: "dialplane connections list",
  });
}
