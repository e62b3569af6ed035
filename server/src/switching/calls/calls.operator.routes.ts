import { operation } from "../../app.ts";
import { jsonPageOf } from "../../platform/http/page.ts";
import { OperatorCallDetail, OperatorCallPage, OperatorCallsQuery } from "./calls.operator.schema.ts";
import { getCallOfAll, searchAllCalls } from "./calls.operator.ts";
import { ByCallId } from "./calls.schema.ts";

const PATH = "/operator/v1/calls";
const OF_OPERATOR = { tag: "Calls", access: { callers: "operator" }, idempotency: "none" } as const;

const searchAllCallsOperation = operation({
  ...OF_OPERATOR,
  id: "searchAllCalls",
  method: "GET",
  path: PATH,
  summary: "List calls of all organisations",
  description:
    "Newest first, including calls that matched no number. All filters must match. Each page scans 4,000 rows at most, or 1,000 with `q`, `caller`, `called` or `misrouted`, so it can contain fewer results than `limit`, or none. The list ends when `next_cursor` is `null`.",
  query: OperatorCallsQuery,
  answers: { 200: OperatorCallPage },
  async run(app, { query }) {
    const { limit: _limit, cursor: _cursor, ...filters } = query;
    return jsonPageOf(app, { path: PATH, of: "installation", filters }, query, (page) =>
      searchAllCalls(app, filters, page),
    );
  },
});

const getCallOfAllOperation = operation({
  ...OF_OPERATOR,
  id: "getCallOfAll",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Get a call of any organisation",
  description: "Returns everything that is known about a call, with its attempts and the asserted caller.",
  params: ByCallId,
  notFound: "call_not_found",
  answers: { 200: OperatorCallDetail },
  async run(app, { params }) {
    return { status: 200, body: await getCallOfAll(app, params.id) };
  },
});

export const callsOperatorOperations = [searchAllCallsOperation, getCallOfAllOperation];
