import { operation } from "../../app.ts";
import { type Event, EventPage, EventsQuery } from "./events.schema.ts";
import { type ListedEvent, listEvents } from "./events.ts";

const DEFAULT_LIMIT = 200;

const listEventsOperation = operation({
  id: "listEvents",
  method: "GET",
  path: "/v1/events",
  tag: "Events",
  summary: "List events",
  description:
    "To continue, set `after` to the ID of the last event you have. Events are in commit order, and none is ever inserted before an event you have seen. If `after` is older than the stored events, and events behind it may be deleted, the error is `invalid_cursor` with the code `expired`. Use `order=newest` for the latest events. All filters must match. Each page scans 4,000 events at most, so with filters it can contain fewer results than `limit`, or none. The list ends when `next_cursor` is `null`.",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin", "developer"] }, keys: ["audit"] },
  idempotency: "none",
  query: EventsQuery,
  answers: { 200: EventPage },
  errors: ["invalid_cursor"],
  async run(app, { actor, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const order = query.order ?? "oldest";
    const { events, last } = await listEvents(app, actor, { ...query, limit, order });
    const body = { data: events.map(eventOf), next_cursor: last };
    if (last === null) return { status: 200, body };
    const { type = [], limit: _limit, ...rest } = query;
    const wanted = new URLSearchParams({ ...rest, after: last, limit: String(limit) });
    for (const one of type) wanted.append("type", one);
    return {
      status: 200,
      body,
      headers: { link: `<${app.config.baseUrl}/v1/events?${wanted.toString()}>; rel="next"` },
    };
  },
});

function eventOf({ id, sequence, type, subject, subject_ref, data, created_at }: ListedEvent): Event {
  return {
    id,
    sequence: Number(sequence),
    type,
    subject,
    subject_ref,
    data,
    created_at: created_at.toISOString(),
  };
}

export const eventsOperations = [listEventsOperation];
