import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { windowOf } from "../../platform/http/window.ts";
import { SubjectRef } from "../subjects/subjects.ts";

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

export const Event = shape("Event", { ...FIELDS, subject_ref: SubjectRef });
export type Event = Static<typeof Event>;

/** An event as webhook endpoints receive it. */
export const WebhookEvent = shape("WebhookEvent", {
  ...FIELDS,
  organisation_id: described(Id, "ID of the organisation."),
  environment: openEnum(["live", "test"], "Environment of the endpoint."),
});

export const EventPage = pageShape("EventPage", Event);

export const EventsQuery = Type.Object(
  {
    after: Type.Optional(described(Id, "ID of the last event you have. The list continues after it.")),
    order: Type.Optional(
      described(closedEnum(["oldest", "newest"]), "Sort order (default: `oldest` first)."),
    ),
    type: Type.Optional(
      Type.Array(
        Type.String({ maxLength: 100, pattern: String.raw`^[a-z_]+\.([a-z_]+|\*)$`, examples: ["order.*"] }),
        {
          minItems: 1,
          maxItems: 20,
          uniqueItems: true,
          description:
            "Only events of these types, or of all types of a noun, such as `order.*` (repeatable, at most 20).",
        },
      ),
    ),
    subject_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: String.raw`^[^\u0000-\u001f\u007f]*$`,
        examples: ["0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"],
        description: "Only events about this resource.",
      }),
    ),
    ...windowOf("events"),
    limit: PageQuery.limit,
  },
  { additionalProperties: false },
);
export type EventsQuery = Static<typeof EventsQuery>;
