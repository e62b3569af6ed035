import { type Static, Type } from "typebox";
import { DateTime, Id, nullable, pageShape, shape } from "../../platform/http/shapes.ts";

export const Event = shape("Event", {
  id: Id,
  sequence: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    format: "int64",
    examples: [318],
    description: "Position among the organisation's events. It only grows; other environments leave gaps.",
  }),
  type: Type.String({
    maxLength: 100,
    examples: ["invitation.created"],
    description: "noun.past; more types may come.",
  }),
  subject: nullable(Type.String({ maxLength: 200, description: "Identifier of what it happened to." })),
  data: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50 }),
  created_at: DateTime,
});
export type Event = Static<typeof Event>;

export const EventPage = pageShape("EventPage", Event);
