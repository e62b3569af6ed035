import { describeCallSearch } from "./testing/call-search-model.ts";

describeCallSearch({ calls: 5_000, searches: 5_000 });
