import { Type } from "typebox";
import { operation } from "../../app.ts";
import { closedEnum, described, Id, PageQuery } from "../../platform/http/shapes.ts";
import { type Event, EventPage } from "./events.schema.ts";
import { type EventRow, listEvents } from "./events.ts";

const EventsQuery = Type.Object(
  {
    after: Type.Optional(described(Id, "ID of the last event you have. The list continues after it.")),
    order: Type.Optional(
      described(closedEnum(["oldest", "newest"]), "Sort order (default: `oldest` first)."),
    ),
    limit: PageQuery.limit,
  },
  { additionalProperties: false },
);
const DEFAULT_LIMIT = 200;

const listEventsOperation = operation({
  id: "listEvents",
  method: "GET",
  path: "/v1/events",
  tag: "Events",
  summary: "List events",
  description:
    "To continue, set `after` to the ID of the last event you have. Events are in commit order, and none is ever inserted before an event you have seen. Use `order=newest` for the latest events.",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin", "developer"] }, keys: "none" },
  idempotency: "none",
  query: EventsQuery,
  answers: { 200: EventPage },
  errors: ["invalid_cursor"],
  async run(app, { actor, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const order = query.order ?? "oldest";
    const rows = await listEvents(app, actor, { after: query.after, limit, order });
    const page = rows.slice(0, limit);
    const next = rows.length > limit ? page.at(-1)!.id : null;
    const body = { data: page.map(eventOf), next_cursor: next };
    if (next === null) return { status: 200, body };
    const wanted = query.order === undefined ? "" : `&order=${order}`;
    return {
      status: 200,
      body,
      headers: {
        link: `<${app.config.baseUrl}/v1/events?after=${next}${wanted}&limit=${limit}>; rel="next"`,
      },
    };
  },
});

function eventOf({ id, sequence, type, subject, data, created_at }: EventRow): Event {
  return { id, sequence: Number(sequence), type, subject, data, created_at: created_at.toISOString() };
}

export const eventsOperations = [listEventsOperation];
