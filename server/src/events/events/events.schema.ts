import { type Static, Type } from "typebox";
import { DateTime, described, Id, nullable, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";

const FIELDS = {
  id: described(Id, "ID of the event."),
  sequence: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    format: "int64",
    examples: [318],
    description:
      "Position among the organisation's events. It only increases. Events of the other environment leave gaps.",
  }),
  type: Type.String({
    maxLength: 100,
    examples: ["invitation.created"],
    description: "Event type, as `noun.past_participle`. New types may be added.",
  }),
  subject: nullable(
    Type.String({ maxLength: 200, description: "ID of the affected resource. `null` if there is none." }),
  ),
  data: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
    maxProperties: 50,
    description: "Details of the event. Its fields depend on `type`.",
  }),
  created_at: described(DateTime, "Time of the event."),
};

export const Event = shape("Event", FIELDS);
export type Event = Static<typeof Event>;

/** An event as webhook endpoints receive it. */
export const WebhookEvent = shape("WebhookEvent", {
  ...FIELDS,
  organisation_id: described(Id, "ID of the organisation."),
  environment: openEnum(["live", "test"], "Environment of the endpoint."),
});

export const EventPage = pageShape("EventPage", Event);
