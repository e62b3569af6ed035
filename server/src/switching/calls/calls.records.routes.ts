import { operation } from "../../app.ts";
import { CallRecordBatch, CallRecordReceipt } from "./calls.records.schema.ts";
import { takeRecords } from "./calls.records.ts";

const recordCallsOperation = operation({
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
  http: { maxBodyBytes: 4 * 1024 * 1024 },
  answers: { 200: CallRecordReceipt },
  async run(app, call) {
    return { status: 200, body: await takeRecords(app, call.switch, call.body.records) };
  },
});

export const callsRecordsOperations = [recordCallsOperation];
