import { operation } from "../../app.ts";
import { Overview } from "./overview.schema.ts";
import { getOverview } from "./overview.ts";

const getOverviewOperation = operation({
  id: "getOverview",
  method: "GET",
  path: "/v1/overview",
  tag: "Overview",
  summary: "Get the overview",
  description:
    "Whether all numbers go where they should, open problems, switches and calls of today. A silent switch makes its numbers `unknown`. For the role `member`, values and errors of routing are `null`.",
  access: { callers: "organisation", sessions: { roles: "any" }, keys: ["numbers"] },
  idempotency: "none",
  answers: { 200: Overview },
  async run(app, { actor }) {
    return { status: 200, body: await getOverview(app, actor) };
  },
});

export const overviewOperations = [getOverviewOperation];
