import type { Client, TypedEvent } from "@dialplane/sdk";
import { command } from "./cli-command.ts";
import { usageFailure } from "./cli-failure.ts";
import { findNumber } from "./named-numbers.ts";
import { pastEvents } from "./events.commands.ts";

const WAIT_MS = 60_000;
/** Magic numbers of the test environment: one works at once, the switch rejects the other. */
const WORKING = "+12025550100";
const REJECTED = "+12025550102";

/** Real actions in the test environment, by the event that each causes. */
const ACTIONS: Record<string, (client: Client) => Promise<unknown>> = {
  "connection.created": (client) => client.connections.create(trigger()),
  "connection.deleted": async (client) =>
    client.connections.delete((await client.connections.create(trigger())).id),
  "number.changed": async (client) =>
    client.numbers.change((await findNumber(client, WORKING)).id, { label: `Triggered ${Date.now()}` }),
  "number.quarantined": async (client) => client.numbers.release(await orderedNumber(client)),
  "order.completed": (client) => client.orders.place({ numbers: [freeNumber("50")] }),
  "order.failed": (client) => client.orders.place({ numbers: [freeNumber("12")] }),
  "routing.changed": (client) => route(client, WORKING),
  "routing.failed": (client) => route(client, REJECTED),
};

export const EVENT_TRIGGER_COMMANDS = [
  command({
    name: "events trigger",
    summary: "Cause an event in the test environment",
    args: ["type"],
    details: `The command performs a real action in the test environment and waits for the event, so that your webhook endpoints receive it too. Types: ${Object.keys(ACTIONS).join(", ")}.`,
    examples: ["dialplane events trigger order.completed -e test"],
    async run({ context, args: [type] }) {
      const act = ACTIONS[type!];
      if (!act)
        throw usageFailure(`“${type}” cannot be triggered. Use one of ${Object.keys(ACTIONS).join(", ")}.`);
      const client = await context.client();
      const me = await client.me.get();
      if ((context.place().environment ?? me.caller.environment) !== "test")
        throw usageFailure("Events can be triggered in the test environment only. Add -e test.");
      const after = (await pastEvents(client, undefined)).at(-1)?.id;
      await act(client);
      const event = await nextOf(client, type!, after, context.signal);
      await context.output.record(event, [
        ["id", event.id],
        ["type", event.type],
        ["subject", event.subject],
        ["data", JSON.stringify(event.data)],
      ]);
    },
  }),
];

async function nextOf(
  client: Client,
  type: string,
  after: string | undefined,
  signal: AbortSignal,
): Promise<TypedEvent> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
  for await (const event of client.events.follow({ after, signal: limited, pollMs: 200 }))
    if (event.type === type) return event;
  throw new Error(`No ${type} within ${WAIT_MS / 1000} seconds.`);
}

function trigger(): { name: string; targets: { host: string }[] } {
  return { name: `Trigger ${Date.now()}`, targets: [{ host: "pbx.example.com" }] };
}

/**
 * A number of the simulated carrier: the area code is random, and the last two digits select the behaviour. Area codes
 * from 600 on include those that need evidence.
 */
function freeNumber(ending: string): string {
  const areaCode = 200 + Math.floor(Math.random() * 400);
  return `+1${areaCode}55501${ending}`;
}

async function route(client: Client, e164: string): Promise<unknown> {
  const { id } = await findNumber(client, e164);
  return client.routing.set(id, { mode: "sip_uri", sip_uri: `sip:trigger-${Date.now()}@pbx.example.com` });
}

async function orderedNumber(client: Client): Promise<string> {
  const { items } = await client.orders.placeAndWait({ numbers: [freeNumber("50")] });
  return items[0]!.number_id!;
}
