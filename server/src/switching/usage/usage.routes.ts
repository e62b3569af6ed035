import { operation } from "../../app.ts";
import { ById } from "../../platform/http/shapes.ts";
import { NumberUsage, OrganisationUsage, TopNumbers, TopNumbersQuery, UsageQuery } from "./usage.schema.ts";
import { getNumberUsage, getOrganisationUsage, getTopNumbers } from "./usage.ts";

const READERS = { callers: "organisation", sessions: { roles: "any" }, keys: ["numbers"] } as const;
const IMPOSSIBLE = ["window_empty", "window_too_long"] as const;

const getNumberUsageOperation = operation({
  id: "getNumberUsage",
  method: "GET",
  path: "/v1/numbers/{id}/usage",
  tag: "Usage",
  summary: "Read the usage of a number",
  description:
    "Of any window, exact to the millisecond. A call counts wholly where it began. Only calls of this holding of the number: what others had it for before or after is not in it. `granularity` adds buckets, also empty ones, at most 1,500.",
  access: READERS,
  idempotency: "none",
  params: ById,
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
  summary: "Read the usage of all numbers together",
  description: "By full hours: a window within one is widened, and `exact` says so.",
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
  summary: "List the numbers with most calls",
  description:
    "By full days, at most 92 of them; `by` chooses what is compared. Numbers without calls are not listed.",
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
