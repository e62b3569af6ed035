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
  summary: "Count the numbers of the pool",
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
  summary: "List the numbers of the pool",
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
  summary: "Load numbers that nobody holds, to be ordered",
  description:
    "What is in the pool already is skipped, so the same request can be sent again. Entries that are not possible are told by their place; the others are imported.",
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
