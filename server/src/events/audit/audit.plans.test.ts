import { describeListPlans } from "./testing/list-plans.ts";

describeListPlans(1);
describeListPlans(100);
