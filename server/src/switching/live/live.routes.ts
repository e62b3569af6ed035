import { operation } from "../../app.ts";
import { LiveEvents, LiveNumbers, LiveQuery, LiveReceipt, LiveReport } from "./live.schema.ts";
import { readLive, takeLiveReport } from "./live.ts";

const MEMBERS = { callers: "organisation", sessions: { roles: "any" }, keys: "none" } as const;

const readLiveOperation = operation({
  id: "readLive",
  method: "GET",
  path: "/v1/numbers/live",
  tag: "Live",
  summary: "Get live call counts",
  description:
    "Returns active calls, calls of the last minute and the start of the newest call. `observed_at` is the time of the switches' reports. `switch_online` is false if a switch has stopped reporting. For the role `member`, `applied_mode` is `null`.",
  access: MEMBERS,
  idempotency: "none",
  query: LiveQuery,
  answers: { 200: LiveNumbers },
  async run(app, { actor, query }) {
    return { status: 200, body: await readLive(app, actor, query.ids) };
  },
});

const followLiveOperation = operation({
  id: "followLive",
  method: "GET",
  path: "/v1/numbers/live/stream",
  tag: "Live",
  summary: "Stream live call counts",
  description:
    "Server-sent events named `live`, in the format of `GET /v1/numbers/live`. The first event contains all numbers, later ones only changed numbers. A client that reconnects with `Last-Event-ID` receives all numbers again, unless nothing has changed. The stream ends within a second of the session or membership. If the organisation has too many open streams, it ends after the first event.",
  access: MEMBERS,
  idempotency: "none",
  query: LiveQuery,
  http: { media: "text/event-stream" },
  answers: { 200: LiveEvents },
  async run(app, { actor, caller, query, following }) {
    return {
      status: 200,
      stream: await app.live.open({ ...actor, caller }, query.ids, following!),
      // nginx would keep what is said until it has a page of it.
      headers: { "x-accel-buffering": "no" },
    };
  },
});

const reportLiveCallsOperation = operation({
  id: "reportLiveCalls",
  method: "POST",
  path: "/switch/v1/live",
  tag: "Calls",
  summary: "Report live calls",
  description:
    "Send a snapshot first, then numbered reports of changes, and a snapshot from time to time. An empty report confirms that nothing has changed. Numbers of other switch groups are ignored.",
  access: { callers: "switch" },
  idempotency: "none",
  body: LiveReport,
  http: { maxBodyBytes: 8 * 1024 * 1024 },
  answers: { 200: LiveReceipt },
  async run(app, call) {
    return { status: 200, body: { is_taken: await takeLiveReport(app, call.switch, call.body) } };
  },
});

export const liveOperations = [readLiveOperation, followLiveOperation, reportLiveCallsOperation];
