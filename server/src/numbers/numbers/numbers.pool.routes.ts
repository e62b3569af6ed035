import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { operatorOf } from "../../events/audit/audit.ts";
import {
  ImportPool,
  Pool,
  PoolImport,
  type PoolNumber,
  PoolNumberPage,
  PoolNumbersQuery,
} from "./numbers.pool.schema.ts";
import { getPool, importPool, listPoolNumbers, type PoolNumberRow } from "./numbers.pool.ts";

const PATH = "/operator/v1/pool";
const OF_OPERATOR = { tag: "Pool", access: { callers: "operator" }, idempotency: "none" } as const;

const getPoolOperation = operation({
  ...OF_OPERATOR,
  id: "getPool",
  method: "GET",
  path: PATH,
  summary: "Get pool counts",
  description: "Returns counts of free and held numbers, in total and by country and type.",
  answers: { 200: Pool },
  async run(app) {
    return { status: 200, body: await getPool(app) };
  },
});

const listPoolNumbersOperation = operation({
  ...OF_OPERATOR,
  id: "listPoolNumbers",
  method: "GET",
  path: `${PATH}/numbers`,
  summary: "List pool numbers",
  description: "Lists the operator's own numbers.",
  query: PoolNumbersQuery,
  answers: { 200: PoolNumberPage },
  async run(app, { query }) {
    const { limit: _, cursor: __, ...filters } = query;
    const { country, prefix, status } = filters;
    const isFree = status === undefined ? undefined : status === "free";
    return pageOf(app, { path: `${PATH}/numbers`, of: "installation", filters }, query, {
      rows: (page) => listPoolNumbers(app, { country, prefix, isFree }, page),
      item: shownNumber,
      position: (row) => row.e164,
    });
  },
});

const importPoolOperation = operation({
  ...OF_OPERATOR,
  id: "importPool",
  method: "POST",
  path: `${PATH}/imports`,
  summary: "Import numbers into the pool",
  description:
    "Organisations can then order the numbers. Numbers already in the pool are skipped, so you can repeat the request. Invalid entries are listed in `faults`, and all others are imported.",
  body: ImportPool,
  answers: { 200: PoolImport },
  errors: ["switch_group_not_found"],
  async run(app, { caller, body, origin }) {
    return { status: 200, body: await importPool(app, operatorOf(caller, origin), body) };
  },
});

function shownNumber({ is_free, created_at, type, ...row }: PoolNumberRow): PoolNumber {
  return {
    ...row,
    type: type as PoolNumber["type"],
    status: is_free ? "free" : "held",
    added_at: created_at.toISOString(),
  };
}

export const numbersPoolOperations = [getPoolOperation, listPoolNumbersOperation, importPoolOperation];
