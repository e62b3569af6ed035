import { Type } from "typebox";
import { operation } from "../../app.ts";
import { closedEnum, Id, PageQuery } from "../../platform/http/shapes.ts";
import { type Event, EventPage } from "./events.schema.ts";
import { type EventRow, listEvents } from "./events.ts";

const EventsQuery = Type.Object(
  {
    after: Type.Optional(Id),
    order: Type.Optional(closedEnum(["oldest", "newest"])),
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
  summary: "List what happened, oldest first",
  description:
    "Come back with `after` set to the id of the last event you have: events stand in the order of their commits, and none is ever added before one you have seen. For a look at the latest, `order=newest` goes the other way.",
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
