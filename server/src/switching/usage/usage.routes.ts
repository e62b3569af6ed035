import { operation } from "../../app.ts";
import { ByNumber } from "../../platform/http/shapes.ts";
import { NumberUsage, OrganisationUsage, TopNumbers, TopNumbersQuery, UsageQuery } from "./usage.schema.ts";
import { getNumberUsage, getOrganisationUsage, getTopNumbers } from "./usage.ts";

const READERS = { callers: "organisation", sessions: { roles: "any" }, keys: ["numbers"] } as const;
const IMPOSSIBLE = ["window_empty", "window_too_long"] as const;

const getNumberUsageOperation = operation({
  id: "getNumberUsage",
  method: "GET",
  path: "/v1/numbers/{id}/usage",
  tag: "Usage",
  summary: "Get usage of a number",
  description:
    "The window is exact to the millisecond. A call counts in full at its start. Only calls during your organisation's holding of the number are counted. `granularity` adds buckets, including empty ones, 1,500 at most.",
  access: READERS,
  idempotency: "none",
  params: ByNumber,
  query: UsageQuery,
  notFound: "number_not_found",
  answers: { 200: NumberUsage },
  errors: IMPOSSIBLE,
  async run(app, { actor, params, query }) {
    return { status: 200, body: await getNumberUsage(app, actor, params.id, query) };
  },
});

const getOrganisationUsageOperation = operation({
  id: "getOrganisationUsage",
  method: "GET",
  path: "/v1/usage",
  tag: "Usage",
  summary: "Get usage of the organisation",
  description:
    "Counts all numbers by full hours, or with `time_zone` by quarters of an hour. Other windows are widened, and `exact` is then false.",
  access: READERS,
  idempotency: "none",
  query: UsageQuery,
  answers: { 200: OrganisationUsage },
  errors: IMPOSSIBLE,
  async run(app, { actor, query }) {
    return { status: 200, body: await getOrganisationUsage(app, actor, query) };
  },
});

const getTopNumbersOperation = operation({
  id: "getTopNumbers",
  method: "GET",
  path: "/v1/usage/numbers",
  tag: "Usage",
  summary: "List the busiest numbers",
  description:
    "Counts by full days, 92 at most. `by` sets the sort order. Numbers without calls are not listed.",
  access: READERS,
  idempotency: "none",
  query: TopNumbersQuery,
  answers: { 200: TopNumbers },
  errors: IMPOSSIBLE,
  async run(app, { actor, query }) {
    return { status: 200, body: await getTopNumbers(app, actor, query) };
  },
});

export const usageOperations = [
  getNumberUsageOperation,
  getOrganisationUsageOperation,
  getTopNumbersOperation,
];
