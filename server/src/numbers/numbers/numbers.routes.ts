import { operation } from "../../app.ts";
import { jsonPageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
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
  summary: "List the numbers the organisation holds",
  description:
    "Without `status`: what is active, suspended or being released. Filters narrow each other. A page may hold fewer numbers than `limit`, even none, and still not be the last: a page looks through a limited number of rows (10,000 to 25,000), which is what keeps every combination of filters fast. The list is at its end when `next_cursor` is null. For a plain member `routing` is null, and filters on it are refused.",
  access: READERS,
  idempotency: "none",
  query: NumberListQuery,
  precheck: ({ query, actor }) => rejectHiddenFilters(actor, query),
  answers: { 200: NumberPage },
  errors: ["role_not_allowed"],
  async run(app, { actor, query }) {
    const { limit: _limit, cursor: _cursor, ...filters } = query;
    return jsonPageOf(app, { path: "/v1/numbers", of: actor, filters }, query, (page) =>
      listNumbers(app, actor, filters, page),
    );
  },
});

const exportNumbersOperation = operation({
  id: "exportNumbers",
  method: "GET",
  path: "/v1/numbers/export",
  tag: "Numbers",
  summary: "Take the numbers out as a table",
  description:
    "The list with the same filters, as CSV (RFC 4180, with a header), whole. A transfer that breaks off is not complete.",
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
  summary: "Read a number",
  description: "Also one that was released: what the organisation once held stays readable for it.",
  access: READERS,
  idempotency: "none",
  params: ById,
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
  summary: "Label, tag or lock a number",
  description:
    "What is left out stays as it is. Tags are replaced as a whole. Only owners and admins may set `release_lock`.",
  access: {
    callers: "organisation",
    sessions: { roles: ["owner", "admin", "developer"] },
    keys: "none",
  },
  idempotency: "optional",
  params: ById,
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
