import { describeNumberPlans } from "./testing/number-plans.ts";

describeNumberPlans("one organisation has 1,000,000 numbers", 1_000_000, 1);
describeNumberPlans("10,000 organisations have 1,000,000 numbers", 1_000_000, 10_000);
