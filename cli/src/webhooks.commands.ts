import { createHmac, randomBytes } from "node:crypto";
import type { DialplaneEvent } from "@dialplane/sdk";
import { type Context, membershipOf } from "./cli-context.ts";
import { usageFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";
import { WEBHOOK_ENDPOINT_COMMANDS } from "./webhook-endpoints.commands.ts";
import { FOLLOW_OPTIONS, pastEvents, readAfter, wantedTypes } from "./events.commands.ts";

const PATIENCE_MS = 10_000;

export const WEBHOOK_COMMANDS = [
  ...WEBHOOK_ENDPOINT_COMMANDS,
  command({
    name: "webhooks listen",
    summary: "Forward events to a local server",
    args: ["address"],
    options: FOLLOW_OPTIONS,
    details:
      "Use this to develop a receiver that the service cannot reach. Each event is sent once, in order, signed with the headers of Standard Webhooks. There are no retries. To sign with a secret of your choice, set DIALPLANE_WEBHOOK_SECRET. Otherwise the command generates a secret and prints it.",
    examples: ["dialplane webhooks listen http://localhost:3000/hooks -e test"],
    async run({ context, args: [address], options }) {
      const { terminal, output, signal } = context;
      const target = readTarget(address!);
      const client = await context.client();
      const chosen = context.config.webhookSecret;
      const secret = chosen ?? `whsec_${randomBytes(32).toString("base64")}`;
      const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
      const isWanted = wantedTypes(options.type);
      const after = readAfter(options.after) ?? (await pastEvents(client, undefined)).at(-1)?.id;
      const belonging = await whose(context);
      if (!chosen) terminal.say(`Signing secret: ${secret}`);
      terminal.say(`Forwarding to ${target.href}. Press Ctrl-C to stop.`);
      for await (const event of client.events.follow({ after, signal })) {
        if (!isWanted(event)) continue;
        const answered = await forward(target, { event, belonging, key, signal });
        await output.line({ event_id: event.id, type: event.type, answered }, [
          ["created at", event.created_at],
          ["type", event.type],
          ["answered", answered],
        ]);
      }
    },
  }),
];

function readTarget(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageFailure(`“${text}” is not a valid address. Use one such as http://localhost:3000/hooks.`);
  return url;
}

/** Deliveries say it, events do not. */
async function whose(context: Context): Promise<{ organisation_id: string | null; environment: string }> {
  const place = context.place();
  const me = await (await context.client()).me.get();
  return {
    organisation_id: membershipOf(me, place)?.organisation.id ?? null,
    environment: place.environment ?? me.caller.environment,
  };
}

interface Forwarded {
  event: DialplaneEvent;
  belonging: object;
  key: Buffer;
  signal: AbortSignal;
}

/** HTTP status of the response, or the reason why there was none. */
async function forward(target: URL, { event, belonging, key, signal }: Forwarded): Promise<number | string> {
  const body = JSON.stringify({ ...event, ...belonging });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", key).update(`${event.id}.${timestamp}.${body}`).digest("base64");
  try {
    const answer = await fetch(target, {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        "webhook-id": event.id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature}`,
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    signal.throwIfAborted();
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code ?? (error as Error).message;
  }
}
