import { describeNumberPlans } from "../../testing/number-plans.ts";

describeNumberPlans("one organisation has 50,000 numbers", 50_000, 1);
describeNumberPlans("500 organisations have 50,000 numbers", 50_000, 500);
