import { describeCallPlans, describeOperatorCallPlans } from "./testing/call-plans.ts";

describeCallPlans("one organisation has 40,000 calls", { count: 40_000, organisations: 1, days: 10 });
describeCallPlans("40 organisations have 40,000 calls", { count: 40_000, organisations: 40, days: 10 });
describeOperatorCallPlans("an operator searches 40,000 calls of 40 organisations in 90 days", {
  count: 40_000,
  organisations: 40,
  days: 89,
  door: "system",
});
