import { describeCallSearch } from "./testing/call-search-model.ts";

describeCallSearch({ calls: 600, searches: 60 });
