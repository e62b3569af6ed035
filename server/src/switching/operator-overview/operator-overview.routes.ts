import { operation } from "../../app.ts";
import { OperatorOverview } from "./operator-overview.schema.ts";
import { getOperatorOverview } from "./operator-overview.ts";

const getOperatorOverviewOperation = operation({
  id: "getOperatorOverview",
  method: "GET",
  path: "/operator/v1/overview",
  tag: "Overview",
  summary: "Get the overview of the installation",
  description:
    "Open problems of switches, the feed, carriers and organisations, and sums over all switches. The dashboard's operator home shows it.",
  access: { callers: "operator" },
  idempotency: "none",
  answers: { 200: OperatorOverview },
  async run(app) {
    return { status: 200, body: await getOperatorOverview(app) };
  },
});

export const operatorOverviewOperations = [getOperatorOverviewOperation];
