import { describeNumberFilters } from "./testing/number-filter-model.ts";

describeNumberFilters({ numbers: 120, searches: 300 });
