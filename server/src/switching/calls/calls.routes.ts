import { operation } from "../../app.ts";
import { jsonPageOf } from "../../platform/http/page.ts";
import { ByNumber } from "../../platform/http/shapes.ts";
import { exportCalls } from "./calls.export.ts";
import { CallPage, CallsExportQuery, CallsQuery, CallTable } from "./calls.schema.ts";
import { listCalls } from "./calls.ts";

/** The same readers as for routing, which every call reveals. */
export const READERS = {
  callers: "organisation",
  sessions: { roles: ["owner", "admin", "developer"] },
  keys: ["numbers"],
} as const;

const listCallsOperation = operation({
  id: "listCalls",
  method: "GET",
  path: "/v1/numbers/{id}/calls",
  tag: "Usage",
  summary: "List calls of a number",
  description:
    "Newest first. A call is listed after it has ended and its switch has reported it, usually within seconds.",
  access: READERS,
  idempotency: "none",
  params: ByNumber,
  query: CallsQuery,
  notFound: "number_not_found",
  answers: { 200: CallPage },
  async run(app, { actor, params, query }) {
    const { limit: _limit, cursor: _cursor, ...window } = query;
    const list = { path: `/v1/numbers/${params.id}/calls`, of: actor, filters: window };
    return jsonPageOf(app, list, query, (page) =>
      listCalls(app, actor, { ...window, numberId: params.id }, page),
    );
  },
});

const exportCallsOperation = operation({
  id: "exportCalls",
  method: "GET",
  path: "/v1/numbers/{id}/calls/export",
  tag: "Usage",
  summary: "Export calls as CSV",
  description:
    "Returns the whole list as CSV (RFC 4180, with a header). An interrupted transfer is incomplete.",
  access: READERS,
  idempotency: "none",
  params: ByNumber,
  query: CallsExportQuery,
  http: { media: "text/csv" },
  notFound: "number_not_found",
  answers: { 200: CallTable },
  async run(app, { actor, params, query, admitted }) {
    return {
      status: 200,
      stream: await exportCalls(
        (page) => listCalls(app, actor, { ...query, numberId: params.id }, page),
        admitted,
      ),
      headers: { "content-disposition": 'attachment; filename="calls.csv"' },
    };
  },
});

export const callsOperations = [listCallsOperation, exportCallsOperation];
