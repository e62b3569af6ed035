import type { DialplaneEvent, EventData, WebhookEvent as AnyWebhookEvent } from "./generated/wire.ts";

export type EventType = keyof EventData;

/** `Shape` for one event type, with the fields of its `data`. */
type Typed<Shape, Type extends EventType> = Omit<Shape, "type" | "data"> & {
  type: Type;
  data: EventData[Type] & Record<string, unknown>;
};

/**
 * Event of the log. Compare `type` to get the fields of `data`. New types may be added: ignore those you do not know.
 */
export type TypedEvent = { [Type in EventType]: Typed<DialplaneEvent, Type> }[EventType];

/** Event that a webhook endpoint receives. `TypedEvent` with the organisation and the environment. */
export type WebhookEvent = { [Type in EventType]: Typed<AnyWebhookEvent, Type> }[EventType];
