import { operation } from "../../app.ts";
import { jsonPageOf } from "../../platform/http/page.ts";
import { exportCalls } from "./calls.export.ts";
import { READERS } from "./calls.routes.ts";
import { ByCallId, CallDetail, CallPage, CallTable } from "./calls.schema.ts";
import { CallSearchExportQuery, CallSearchQuery } from "./calls.search.schema.ts";
import { searchCalls } from "./calls.search.ts";
import { getCall } from "./calls.ts";

const searchCallsOperation = operation({
  id: "searchCalls",
  method: "GET",
  path: "/v1/calls",
  tag: "Usage",
  summary: "List calls of all numbers",
  description:
    "Newest first. All filters must match. Each page scans 4,000 rows at most, or 1,000 with `q`, `caller` or `misrouted`, so it can contain fewer results than `limit`, or none. The list ends when `next_cursor` is `null`. Filters on `q`, `caller` and `sip_call_id` find no calls after the retention period of `caller`.",
  access: READERS,
  idempotency: "none",
  query: CallSearchQuery,
  answers: { 200: CallPage },
  async run(app, { actor, query }) {
    const { limit: _limit, cursor: _cursor, ...filters } = query;
    return jsonPageOf(app, { path: "/v1/calls", of: actor, filters }, query, (page) =>
      searchCalls(app, actor, filters, page),
    );
  },
});

const exportFoundCallsOperation = operation({
  id: "exportFoundCalls",
  method: "GET",
  path: "/v1/calls/export",
  tag: "Usage",
  summary: "Export calls of all numbers",
  description:
    "Returns the whole list as CSV (RFC 4180, with a header). The filters are the same as in the list. An interrupted transfer is incomplete.",
  access: READERS,
  idempotency: "none",
  query: CallSearchExportQuery,
  http: { media: "text/csv" },
  answers: { 200: CallTable },
  async run(app, { actor, query, admitted }) {
    return {
      status: 200,
      stream: await exportCalls((page) => searchCalls(app, actor, query, page), admitted),
      headers: { "content-disposition": 'attachment; filename="calls.csv"' },
    };
  },
});

const getCallOperation = operation({
  id: "getCall",
  method: "GET",
  path: "/v1/calls/{id}",
  tag: "Usage",
  summary: "Get a call",
  description: "Returns everything that is known about a call, with its attempts.",
  access: READERS,
  idempotency: "none",
  params: ByCallId,
  notFound: "call_not_found",
  answers: { 200: CallDetail },
  async run(app, { actor, params }) {
    return { status: 200, body: await getCall(app, actor, params.id) };
  },
});

export const callsSearchOperations = [searchCallsOperation, exportFoundCallsOperation, getCallOperation];
