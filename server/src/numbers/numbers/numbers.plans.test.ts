import { describeNumberPlans } from "./testing/number-plans.ts";

describeNumberPlans("one organisation has 20,000 numbers", 20_000, 1);
describeNumberPlans("500 organisations have 20,000 numbers", 20_000, 500);
