import { operation } from "../../app.ts";
import { CallRecordBatch, CallRecordReceipt, LiveReceipt, LiveReport } from "./call-records.schema.ts";
import { takeLiveReport, takeRecords } from "./call-records.ts";

export const recordCallsOperation = operation({
  id: "recordCalls",
  method: "POST",
  path: "/switch/v1/call-records",
  tag: "Calls",
  summary: "Hand over records of calls",
  description:
    "Answered once it is committed; a record that is sent again counts once. What is acknowledged or rejected need not be sent again, but under another epoch. A record of a number that is not of the switch's group is the operator's.",
  access: { callers: "switch" },
  idempotency: "none",
  body: CallRecordBatch,
  bodyLimitBytes: 4 * 1024 * 1024,
  answers: { 200: CallRecordReceipt },
  async run(app, call) {
    return { status: 200, body: await takeRecords(app, call.switch, call.body.records) };
  },
});

export const reportLiveCallsOperation = operation({
  id: "reportLiveCalls",
  method: "POST",
  path: "/switch/v1/live",
  tag: "Calls",
  summary: "Report which numbers have calls now",
  description:
    "First a snapshot, then what has changed since the report before, numbered one by one; now and then a snapshot again. Numbers that are not of the switch's group are left out.",
  access: { callers: "switch" },
  idempotency: "none",
  body: LiveReport,
  bodyLimitBytes: 8 * 1024 * 1024,
  answers: { 200: LiveReceipt },
  async run(app, call) {
    return { status: 200, body: { is_taken: await takeLiveReport(app, call.switch, call.body) } };
  },
});
