import { operation } from "../../app.ts";
import { CallRecordBatch, CallRecordReceipt } from "./calls.records.schema.ts";
import { takeRecords } from "./calls.records.ts";

const recordCallsOperation = operation({
  id: "recordCalls",
  method: "POST",
  path: "/switch/v1/call-records",
  tag: "Calls",
  summary: "Upload call records",
  description:
    "Responds after the commit. A repeated record is counted once. Do not resend acknowledged or rejected records unless the epoch changes. Records for numbers of other switch groups belong to the operator.",
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
