import { describeNumberBuffers } from "./testing/number-buffers.ts";

describeNumberBuffers(100_000);
