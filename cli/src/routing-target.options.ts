import type { Client, SetFallback, SetRouting } from "@dialplane/sdk";
import { CliFailure, usageFailure } from "./cli-failure.ts";
import { isId } from "./cli-context.ts";
import type { OptionTable, Values } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";

/** Target of calls: exactly one of the first five. */
export const TARGET_OPTIONS = {
  "sip-uri": { type: "string", value: "sip:…", summary: "to a SIP address" },
  connection: { type: "string", value: "name or id", summary: "to a connection" },
  forward: { type: "string", value: "+44…", summary: "to another number" },
  webhook: { type: "string", value: "https://…", summary: "to where a program of yours says" },
  unrouted: { type: "boolean", summary: "nowhere" },
  "fallback-sip-uri": {
    type: "string",
    value: "sip:…",
    summary: "with --webhook: where to when the program says nothing",
  },
  "fallback-connection": { type: "string", value: "name or id", summary: "the same, to a connection" },
  reason: { type: "string", value: "text", summary: "why, for the history" },
} as const satisfies OptionTable;

type Options = Values<typeof TARGET_OPTIONS>;

/** Undefined where no option names a target. */
export async function readTarget(client: Client, options: Options): Promise<SetRouting | undefined> {
  const { "sip-uri": sipUri, connection, forward, webhook, unrouted, reason } = options;
  const why = reason === undefined ? {} : { reason };
  const named = { "sip-uri": sipUri, connection, forward, webhook, unrouted: unrouted || undefined };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  if (given.length > 1)
    throw usageFailure(`It is one of ${given.map(([name]) => `--${name}`).join(" and ")}, not both.`);
  const fallback = await readFallback(client, options);
  if (fallback && webhook === undefined) throw usageFailure("A fallback goes with --webhook alone.");
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
  throw new CliFailure(`There is no connection called “${named}”.`, {
    exitCode: EXIT.notFound,
    next: "dialplane connections list",
  });
}
