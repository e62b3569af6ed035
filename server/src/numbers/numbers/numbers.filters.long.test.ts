import { describeNumberFilters } from "./testing/number-filter-model.ts";

describeNumberFilters({ numbers: 400, searches: 100_000 });
