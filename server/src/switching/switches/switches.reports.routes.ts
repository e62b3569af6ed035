import { operation } from "../../app.ts";
import { SwitchReport } from "./switches.reports.schema.ts";
import { recordReport } from "./switches.ts";

const recordReportOperation = operation({
  id: "recordReport",
  method: "POST",
  path: "/switch/v1/reports",
  tag: "Switch feed",
  summary: "Report applied state",
  description:
    "Contains the state that the switch has read back, by shard. Responds after the commit. A report without shards is a keep-alive.",
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
