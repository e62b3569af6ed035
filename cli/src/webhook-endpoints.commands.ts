import type { WebhookEndpoint } from "@dialplane/sdk";
import { command, type OptionTable } from "./cli-command.ts";
import { usageFailure } from "./cli-failure.ts";
import { momentOf } from "./moments.ts";
import { LIST_OPTIONS, several } from "./several.ts";

const SETTINGS = {
  type: {
    type: "string",
    multiple: true,
    value: "order.*",
    summary: "event type or pattern to deliver (repeatable, default: all)",
  },
  description: { type: "string", value: "text", summary: "description of the endpoint" },
} as const satisfies OptionTable;

/** Endpoints that receive events. */
export const WEBHOOK_ENDPOINT_COMMANDS = [
  command({
    name: "webhooks list",
    summary: "List webhook endpoints",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const client = await context.client();
      const endpoints = await several(context, options, (query) => client.webhookEndpoints.list(query));
      await context.output.list(endpoints, [
        { title: "id", of: ({ id }) => id },
        { title: "url", of: ({ url }) => url, isFlexible: true },
        { title: "types", of: typesOf, isFlexible: true },
        { title: "status", of: ({ status }) => status },
        { title: "failing since", of: ({ failing_since }) => failing_since, isHidden: true },
      ]);
    },
  }),
  command({
    name: "webhooks create",
    summary: "Create a webhook endpoint and print its secret",
    args: ["url"],
    options: SETTINGS,
    details: "The signing secret is shown only once. Store it where your server reads its secrets.",
    examples: ["dialplane webhooks create https://example.com/hooks --type 'order.*'"],
    async run({ context: { client, output }, args: [url], options }) {
      const created = await (
        await client()
      ).webhookEndpoints.create({
        url: url!,
        ...(options.type && { event_types: options.type }),
        ...(options.description !== undefined && { description: options.description }),
      });
      await output.record(created, [...fieldsOf(created), ["secret", created.secret]]);
    },
  }),
  command({
    name: "webhooks update",
    summary: "Change a webhook endpoint",
    args: ["endpoint id"],
    options: {
      ...SETTINGS,
      address: { type: "string", value: "url", summary: "new URL of the endpoint" },
      status: { type: "string", value: ["active", "disabled"], summary: "start or stop deliveries" },
      "all-types": { type: "boolean", summary: "deliver all event types" },
    },
    examples: ["dialplane webhooks update 0198c5f2-… --status disabled"],
    async run({ context: { client, output }, args: [id], options }) {
      const { address, description, status, type } = options;
      const types = options["all-types"] ? [] : type;
      const changes = {
        ...(address !== undefined && { url: address }),
        ...(description !== undefined && { description: description === "" ? null : description }),
        ...(status !== undefined && { status: status as "active" | "disabled" }),
        ...(types && { event_types: types }),
      };
      if (Object.keys(changes).length === 0)
        throw usageFailure(
          "Nothing to change. Use --address, --type, --all-types, --description or --status.",
        );
      const changed = await (await client()).webhookEndpoints.change(id!, changes);
      await output.record(changed, fieldsOf(changed));
    },
  }),
  command({
    name: "webhooks delete",
    summary: "Delete a webhook endpoint",
    args: ["endpoint id"],
    examples: ["dialplane webhooks delete 0198c5f2-…"],
    async run({ context, args: [id] }) {
      const client = await context.client();
      const { url } = await client.webhookEndpoints.get(id!);
      await context.confirm(`Delete the endpoint ${url} and its undelivered events?`);
      await client.webhookEndpoints.delete(id!);
      await context.output.record({ id, deleted: true }, [["deleted", url]]);
    },
  }),
  command({
    name: "webhooks deliveries",
    summary: "List deliveries to an endpoint, newest first",
    args: ["endpoint id"],
    options: {
      ...LIST_OPTIONS,
      status: { type: "string", value: ["pending", "delivered", "failed"], summary: "status of deliveries" },
    },
    examples: ["dialplane webhooks deliveries 0198c5f2-… --status failed"],
    async run({ context, args: [id], options }) {
      const client = await context.client();
      const status = options.status as "pending" | "delivered" | "failed" | undefined;
      const deliveries = await several(context, options, (query) =>
        client.webhookEndpoints.listDeliveries(id!, { ...query, ...(status && { status }) }),
      );
      await context.output.list(deliveries, [
        { title: "id", of: (one) => one.id },
        { title: "type", of: ({ event_type }) => event_type, isFlexible: true },
        { title: "status", of: (one) => one.status },
        { title: "attempts", of: ({ attempts }) => attempts, isNumeric: true },
        { title: "answered", of: ({ answered }) => answered, isNumeric: true },
        {
          title: "next attempt",
          of: ({ next_attempt_at }) => next_attempt_at,
          show: ({ next_attempt_at }) => (next_attempt_at ? momentOf(next_attempt_at) : "–"),
        },
      ]);
    },
  }),
  command({
    name: "webhooks replay",
    summary: "Deliver events to an endpoint again",
    args: ["endpoint id"],
    options: {
      delivery: { type: "string", value: "delivery id", summary: "one delivery (default: all that match)" },
      status: { type: "string", value: ["delivered", "failed"], summary: "status of deliveries" },
      from: { type: "string", value: "time", summary: "deliveries created at this time or later" },
      to: { type: "string", value: "time", summary: "deliveries created before this time" },
    },
    examples: ["dialplane webhooks replay 0198c5f2-… --status failed"],
    async run({ context: { client, output }, args: [id], options }) {
      const { delivery, status, from, to } = options;
      const replayed = await (
        await client()
      ).webhookEndpoints.replayDeliveries(id!, {
        ...(delivery !== undefined && { delivery_id: delivery }),
        ...(status !== undefined && { status: status as "delivered" | "failed" }),
        ...(from !== undefined && { from: timeOf(from, "--from") }),
        ...(to !== undefined && { to: timeOf(to, "--to") }),
      });
      await output.record(replayed, [["replayed", replayed.replayed]]);
    },
  }),
];

function fieldsOf(endpoint: WebhookEndpoint): (readonly [string, string | null])[] {
  const { id, url, status, description } = endpoint;
  return [
    ["id", id],
    ["url", url],
    ["types", typesOf(endpoint)],
    ["status", status],
    ["description", description],
  ];
}

function typesOf({ event_types }: WebhookEndpoint): string {
  return event_types.length === 0 ? "all" : event_types.join(", ");
}

function timeOf(text: string, option: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw usageFailure(`${option} must be a time such as 2026-11-15T09:30:00Z, not “${text}”.`);
  return time.toISOString();
}
