import { describeCallPlans, describeOperatorCallPlans } from "./testing/call-plans.ts";

describeCallPlans("one organisation has 10,000,000 calls", { count: 10_000_000, organisations: 1, days: 89 });
describeCallPlans("1,000 organisations have 1,000,000 calls", {
  count: 1_000_000,
  organisations: 1_000,
  days: 89,
});
describeOperatorCallPlans("an operator searches 10,000,000 calls of 1,000 organisations", {
  count: 10_000_000,
  organisations: 1_000,
  days: 89,
  door: "system",
});
