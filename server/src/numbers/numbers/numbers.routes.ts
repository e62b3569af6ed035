import { operation } from "../../app.ts";
import { jsonPageOf } from "../../platform/http/page.ts";
import { ByNumber } from "../../platform/http/shapes.ts";
import { exportNumbers } from "./numbers.export.ts";
import {
  ChangeNumber,
  ExportQuery,
  NumberListQuery,
  NumberPage,
  NumberRecord,
  NumberTable,
} from "./numbers.schema.ts";
import {
  changeNumber,
  getNumber,
  hasNumber,
  listNumbers,
  rejectHiddenFilters,
  rejectLocking,
} from "./numbers.ts";

const READERS = { callers: "organisation", sessions: { roles: "any" }, keys: ["numbers"] } as const;

const listNumbersOperation = operation({
  id: "listNumbers",
  method: "GET",
  path: "/v1/numbers",
  tag: "Numbers",
  summary: "List numbers",
  description:
    "All filters must match. Without `status`, the list contains active, suspended and releasing numbers. Each page scans 10,000 to 25,000 rows at most, so it can contain fewer results than `limit`, or none. The list ends when `next_cursor` is `null`. The first page counts all results in `total`. For the role `member`, `routing` is `null` and filters on it are rejected.",
  access: READERS,
  idempotency: "none",
  query: NumberListQuery,
  precheck: ({ query, actor }) => rejectHiddenFilters(actor, query),
  answers: { 200: NumberPage },
  errors: ["role_not_allowed"],
  async run(app, { actor, query }) {
    const { limit: _limit, cursor: _cursor, ...filters } = query;
    return jsonPageOf(app, { path: "/v1/numbers", of: actor, filters }, query, (page) =>
      listNumbers(app, actor, filters, { ...page, isCounted: page.after === undefined }),
    );
  },
});

const exportNumbersOperation = operation({
  id: "exportNumbers",
  method: "GET",
  path: "/v1/numbers/export",
  tag: "Numbers",
  summary: "Export numbers as CSV",
  description:
    "Returns the whole list as CSV (RFC 4180, with a header). The filters are the same as in the list. An interrupted transfer is incomplete.",
  access: {
    callers: "organisation",
    sessions: { roles: ["owner", "admin", "developer"] },
    keys: ["numbers"],
  },
  idempotency: "none",
  query: ExportQuery,
  http: { media: "text/csv" },
  answers: { 200: NumberTable },
  async run(app, { actor, query, admitted }) {
    return {
      status: 200,
      stream: await exportNumbers(app, actor, query, admitted),
      headers: { "content-disposition": 'attachment; filename="numbers.csv"' },
    };
  },
});

const getNumberOperation = operation({
  id: "getNumber",
  method: "GET",
  path: "/v1/numbers/{id}",
  tag: "Numbers",
  summary: "Get a number",
  description: "Released numbers remain readable.",
  access: READERS,
  idempotency: "none",
  params: ByNumber,
  notFound: "number_not_found",
  answers: { 200: NumberRecord },
  async run(app, { actor, params }) {
    return { status: 200, json: await getNumber(app, actor, params.id) };
  },
});

const changeNumberOperation = operation({
  id: "changeNumber",
  method: "PATCH",
  path: "/v1/numbers/{id}",
  tag: "Numbers",
  summary: "Update a number",
  description:
    "Changes label, tags, metadata or release lock. Absent fields keep their value. Only owners and admins can set `release_lock`.",
  access: {
    callers: "organisation",
    sessions: { roles: ["owner", "admin", "developer"] },
    keys: ["numbers_write"],
  },
  idempotency: "optional",
  params: ByNumber,
  body: ChangeNumber,
  precheck: ({ body, actor }) => rejectLocking(actor, body),
  notFound: "number_not_found",
  answers: { 200: NumberRecord },
  errors: ["number_not_active"],
  isVisible: (tx, { params }) => hasNumber(tx, params.id),
  async change(tx, { actor, params, body }, app) {
    return { status: 200, json: await changeNumber(tx, app, actor, { ...body, id: params.id }) };
  },
});

export const numbersOperations = [
  listNumbersOperation,
  exportNumbersOperation,
  getNumberOperation,
  changeNumberOperation,
];
