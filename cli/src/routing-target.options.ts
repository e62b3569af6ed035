import type { Client, SetFallback, SetRouting } from "@dialplane/sdk";
import { CliFailure, usageFailure } from "./cli-failure.ts";
import { isId } from "./cli-context.ts";
import type { OptionTable, Values } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { readStep } from "./routing-step.ts";
import { readCount } from "./several.ts";

/** Target of calls: exactly one of the first five. */
export const TARGET_OPTIONS = {
  "sip-uri": { type: "string", value: "sip:…", summary: "send calls to a SIP URI" },
  connection: { type: "string", value: "name or id", summary: "send calls to a connection" },
  forward: { type: "string", value: "+44…", summary: "forward calls to another number" },
  webhook: { type: "string", value: "https://…", summary: "ask this webhook where to send calls" },
  unrouted: { type: "boolean", summary: "reject calls" },
  ring: { type: "string", value: "seconds", summary: "seconds to ring before the next destination" },
  // oxlint-disable-next-line unicorn/no-thenable -- an option of the command, never awaited
  then: {
    type: "string",
    multiple: true,
    value: "destination",
    summary:
      "next destination if this one fails: sip:…, +44…, https://… or a connection, with “on busy,no_answer” and “ring 20” (at most two)",
  },
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
  const { "sip-uri": sipUri, connection, forward, webhook, unrouted, reason, ring } = options;
  const why = reason === undefined ? {} : { reason };
  const named = { "sip-uri": sipUri, connection, forward, webhook, unrouted: unrouted || undefined };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  if (given.length > 1)
    throw usageFailure(`Use only one of ${given.map(([name]) => `--${name}`).join(", ")}.`);
  const fallback = await readFallback(client, options);
  if ((fallback || ring !== undefined) && (unrouted || given.length === 0))
    throw usageFailure("--then and --ring need a first destination, such as --sip-uri or --connection.");
  const more = {
    ...(ring === undefined ? {} : { ring_seconds: readCount(ring, "--ring") }),
    ...(fallback ? { fallback } : {}),
    ...why,
  };
  if (sipUri !== undefined) return { mode: "sip_uri", sip_uri: sipUri, ...more };
  if (connection !== undefined)
    return { mode: "connection", connection_id: (await findConnection(client, connection)).id, ...more };
  if (forward !== undefined) return { mode: "forward", forward_to: forward, ...more };
  if (webhook !== undefined) return { mode: "webhook", webhook_url: webhook, ...more };
  return unrouted ? { mode: "unrouted", ...why } : undefined;
}

async function readFallback(client: Client, options: Options): Promise<SetFallback | undefined> {
  const { "fallback-sip-uri": sipUri, "fallback-connection": connection, then = [], webhook } = options;
  const ofWebhook = sipUri ?? connection;
  if (ofWebhook !== undefined && webhook === undefined)
    throw usageFailure("--fallback-sip-uri and --fallback-connection need --webhook. Otherwise, use --then.");
  if (ofWebhook !== undefined && then.length > 0)
    throw usageFailure("Use either --then or a --fallback option.");
  if (then.length > 2) throw usageFailure("Use --then at most twice.");
  if (sipUri !== undefined) return { mode: "sip_uri", sip_uri: sipUri };
  if (connection !== undefined)
    return { mode: "connection", connection_id: (await findConnection(client, connection)).id };
  const [second, third] = then;
  if (second === undefined) return undefined;
  const idOf = async (name: string): Promise<string> => (await findConnection(client, name)).id;
  const step = await readStep(second, idOf);
  return third === undefined ? step : { ...step, fallback: await readStep(third, idOf) };
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
