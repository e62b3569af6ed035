import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ByNumber } from "../../platform/http/shapes.ts";
import { TimelinePage, TimelineQuery } from "./timeline.schema.ts";
import { listTimeline } from "./timeline.ts";

const listTimelineOperation = operation({
  id: "listTimeline",
  method: "GET",
  path: "/v1/numbers/{id}/timeline",
  tag: "Routing",
  summary: "List the timeline of a number",
  description:
    "Newest first. One list of what callers set, what each switch confirmed or rejected, what drifted and was repaired, and how the number itself changed. Drift is kept for 90 days after it ends, everything else for as long as the number.",
  access: {
    callers: "organisation",
    sessions: { roles: ["owner", "admin", "developer"] },
    keys: ["numbers"],
  },
  idempotency: "none",
  params: ByNumber,
  notFound: "number_not_found",
  query: TimelineQuery,
  answers: { 200: TimelinePage },
  async run(app, { actor, params, query }) {
    const { kind } = query;
    const list = { path: `/v1/numbers/${params.id}/timeline`, of: actor, filters: { kind } };
    return pageOf(app, list, query, {
      rows: (page) => listTimeline(app, actor, { numberId: params.id, kind }, page),
      item: ({ entry }) => entry,
      position: ({ position }) => position,
    });
  },
});

export const timelineOperations = [listTimelineOperation];
