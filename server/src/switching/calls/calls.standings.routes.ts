import { operation } from "../../app.ts";
import { CallStanding, CallStandingReceipt } from "./calls.standings.schema.ts";
import { takeStanding } from "./calls.standings.ts";

const reportCallStandingOperation = operation({
  id: "reportCallStanding",
  method: "PUT",
  path: "/switch/v1/call-standing",
  tag: "Calls",
  summary: "Report the call record watermark",
  description: "Replaces the previous report as a whole. Numbers of other switch groups are ignored.",
  access: { callers: "switch" },
  idempotency: "none",
  body: CallStanding,
  http: { maxBodyBytes: 1024 * 1024 },
  answers: { 200: CallStandingReceipt },
  async run(app, call) {
    const at = await takeStanding(app, call.switch, call.body);
    return { status: 200, body: { at: at.toISOString() } };
  },
});

export const callsStandingsOperations = [reportCallStandingOperation];
