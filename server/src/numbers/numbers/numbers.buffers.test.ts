import { describeNumberBuffers } from "./testing/number-buffers.ts";

describeNumberBuffers(20_000);
