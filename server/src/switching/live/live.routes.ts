import { operation } from "../../app.ts";
import { LiveEvents, LiveNumbers, LiveQuery, LiveReceipt, LiveReport } from "./live.schema.ts";
import { readLive, takeLiveReport } from "./live.ts";

const MEMBERS = { callers: "organisation", sessions: { roles: "any" }, keys: "none" } as const;

const readLiveOperation = operation({
  id: "readLive",
  method: "GET",
  path: "/v1/numbers/live",
  tag: "Live",
  summary: "See which numbers have calls now",
  description:
    "Calls that are up, how many began within the last minute, and when the last one did. `observed_at` says when the switches last spoke of it: what they do not say is not known, and `switch_online` is false when one of them is silent. For a plain member `applied_mode` is null.",
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
  summary: "Follow numbers as their calls come and go",
  description:
    "Server-sent events, each named `live` and with the shape of the answer to `GET /v1/numbers/live`: first all numbers, then those that have changed. A client that comes back with `Last-Event-ID` is told everything again, unless nothing has changed. It ends within a second when the session or the membership does. Where too many of the organisation wait already, it ends after the first event.",
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
  summary: "Report which numbers have calls now",
  description:
    "First a snapshot, then what has changed since the report before, numbered one by one; now and then a snapshot again. An empty change says that nothing has changed. Numbers that are not of the switch's group are left out.",
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
