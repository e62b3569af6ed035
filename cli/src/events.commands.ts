import type { Client, DialplaneEvent } from "@dialplane/sdk";
import { type Context, isId } from "./cli-context.ts";
import { usageFailure } from "./cli-failure.ts";
import { command, type OptionTable } from "./cli-command.ts";
import { readCount } from "./several.ts";

export const FOLLOW_OPTIONS = {
  type: {
    type: "string",
    multiple: true,
    value: "order.completed",
    summary: "event type, or order.* (repeatable)",
  },
  after: { type: "string", value: "event id", summary: "event to start after (default: the latest)" },
} as const satisfies OptionTable;

export const EVENT_COMMANDS = [
  command({
    name: "events tail",
    summary: "Stream events",
    options: {
      ...FOLLOW_OPTIONS,
      lines: {
        type: "string",
        short: "n",
        value: "count",
        summary: "past events to print first (default: 10)",
      },
      "no-follow": { type: "boolean", summary: "print past events only" },
    },
    examples: ["dialplane events tail --type routing.failed", "dialplane events tail --json | jq -r .type"],
    async run({ context, options }) {
      const client = await context.client();
      const isWanted = wantedTypes(options.type);
      const before = await pastEvents(client, readAfter(options.after));
      const count = options.lines === "0" ? 0 : readCount(options.lines ?? "10", "--lines");
      const shown = before.filter(isWanted);
      const first = options.after ? shown : count === 0 ? [] : shown.slice(-count);
      for (const event of first) await print(context, event);
      if (options["no-follow"]) return;
      const after = before.at(-1)?.id ?? options.after;
      for await (const event of client.events.follow({ after, signal: context.signal }))
        if (isWanted(event)) await print(context, event);
    },
  }),
];

export function wantedTypes(types: string[] | undefined): (event: DialplaneEvent) => boolean {
  return types
    ? ({ type }) => types.includes(type) || types.includes(`${type.slice(0, type.indexOf("."))}.*`)
    : () => true;
}

export function readAfter(id: string | undefined): string | undefined {
  if (id !== undefined && !isId(id)) throw usageFailure(`--after must be the ID of an event, not “${id}”.`);
  return id;
}

/** Everything that has happened by now; the list is the oldest first. */
export async function pastEvents(client: Client, after: string | undefined): Promise<DialplaneEvent[]> {
  const events: DialplaneEvent[] = [];
  for await (const event of client.events.list({ limit: 100, ...(after ? { after } : {}) }))
    events.push(event);
  return events;
}

async function print({ output }: Context, event: DialplaneEvent): Promise<void> {
  await output.line(event, [
    ["created at", event.created_at],
    ["type", event.type],
    ["subject", event.subject],
    ["data", JSON.stringify(event.data)],
  ]);
}
