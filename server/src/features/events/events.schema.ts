import { type Static, Type } from "typebox";
import { DateTime, Id, nullable, pageShape, shape } from "../../platform/http/shapes.ts";

export const Event = shape("Event", {
  id: Id,
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
