import type { App } from "../../app.ts";
import { keepPartitions } from "./calls.records.ts";

export const keepCallPartitionsJob = {
  name: "call-records.keep-partitions",
  every: "11 * * * *",
  async run(app: App): Promise<void> {
    await keepPartitions(app);
  },
};
