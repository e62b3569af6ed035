import { describeNumberFilters } from "./testing/number-filter-model.ts";

describeNumberFilters({ numbers: 1_500, searches: 100_000 });
