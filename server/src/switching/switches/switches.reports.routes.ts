import { operation } from "../../app.ts";
import { SwitchReport } from "./switches.reports.schema.ts";
import { recordReport } from "./switches.ts";

const recordReportOperation = operation({
  id: "recordReport",
  method: "POST",
  path: "/switch/v1/reports",
  tag: "Switch feed",
  summary: "Report what the switch holds",
  description:
    "What the switch answered when it was asked, shard by shard. Answered once it is committed. Without shards it is a sign of life.",
  access: { callers: "switch" },
  idempotency: "none",
  body: SwitchReport,
  http: { maxBodyBytes: 8 * 1024 * 1024 },
  answers: { 204: null },
  errors: ["epoch_ended", "feed_held"],
  async run(app, call) {
    await recordReport(app, call.switch, call.body);
    return { status: 204 };
  },
});

export const switchesReportsOperations = [recordReportOperation];
