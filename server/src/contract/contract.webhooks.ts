import { Type } from "typebox";
import { EVENT_TYPES, EVENTS, type EventType } from "../events/events/events.catalogue.ts";
import { WebhookEvent } from "../events/events/events.schema.ts";
import { DELIVERY_HEADERS } from "./contract.headers.ts";
import type { JsonObject, NamedSchemas } from "./contract.schemas.ts";
import { STORY_EVENTS } from "./example-story.events.ts";
import { ID } from "./example-story.ids.ts";

/** Requests that Dialplane sends to webhook endpoints: one per event type. */
export function webhooksOf(schemas: NamedSchemas): JsonObject {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: deliveryOf(schemas, type) }]));
}

function deliveryOf(schemas: NamedSchemas, type: EventType): JsonObject {
  const { when, subject } = EVENTS[type];
  return {
    operationId: `on${titleOf(type)}`,
    tags: ["Webhooks"],
    summary: type,
    description: `${when} \`subject\` is the ID of the ${subject}.`,
    security: [],
    parameters: DELIVERY_HEADERS,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            allOf: [
              schemas.refer(WebhookEvent, "answer"),
              {
                type: "object",
                properties: {
                  type: { const: type, description: "Event type." },
                  data: { ...schemas.refer(dataOf(type), "answer"), description: "Details of the event." },
                },
              },
            ],
          },
          example: exampleDelivery(type),
        },
      },
    },
    responses: {
      "2XX": { description: "You received the event. Any other status causes a retry." },
      "410": { description: "You no longer want events. Dialplane disables the endpoint." },
    },
  };
}

/** The fields of `data`, named after the type. */
function dataOf(type: EventType) {
  return Type.Object(EVENTS[type].data, { title: `${titleOf(type)}Data` });
}

function exampleDelivery(type: EventType): JsonObject {
  const event = STORY_EVENTS[type];
  if (!event) throw new Error(`Give the event ${type} an example in example-story.events.ts.`);
  return { ...event, organisation_id: ID.organisation, environment: "live" };
}

function titleOf(type: EventType): string {
  return type.replaceAll(/(?:^|[_.])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
