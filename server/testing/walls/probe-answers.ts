import { EventEmitter, once as onceEmitted } from "node:events";
import { Readable } from "node:stream";
import { Type } from "typebox";
import { type App, operation } from "../../src/app.ts";
import { once } from "../../src/platform/idempotency/idempotency.ts";
import type { Operation } from "../../src/platform/http/operation.ts";
import { PROBLEM_TYPE, problemOf } from "../../src/platform/http/problem.ts";
import { ById, Id, shape } from "../../src/platform/http/shapes.ts";
import { newId } from "../../src/platform/ids.ts";
import { ApiError, notFound } from "../../src/platform/api-error.ts";
import type { Fixtures } from "./fixture.ts";

const READERS = { callers: "organisation", sessions: { roles: "any" }, keys: ["numbers"] } as const;
const PROBE = { tag: "Probes", summary: "Probe", access: READERS } as const;

/** The one thing a probe that settles knows. */
export const SETTLED_ID = newId();
/** Permanent error of a probe. */
export const REFUSED = 9;

/** State inside the probes, for tests to read and to end. */
export const probed = {
  waiting: 0,
  openStreams: 0,
  isGone: false,
  events: new EventEmitter<{ settle: [] }>(),
};
probed.events.setMaxListeners(0);

const Tags = shape("ProbedTags", { tags: Type.Union([Type.Array(Type.String()), Type.Null()]) });
const Settled = shape("ProbedSettling", { is_settled: Type.Boolean() });
const Line = shape("ProbedLine", { line: Type.Integer() });

/** Ways to answer that no operation may happen to use today. */
export const ANSWER_PROBES: readonly Operation<App>[] = [
  operation({
    ...PROBE,
    id: "probeConditional",
    method: "PUT",
    path: "/v1/probes/conditional",
    idempotency: "none",
    http: { conditional: true },
    answers: { 200: Tags },
    run: async (_app, { ifMatch }) => ({
      status: 200,
      body: { tags: ifMatch ?? null },
      headers: { etag: '"1"' },
    }),
  }),
  operation({
    ...PROBE,
    id: "probeText",
    method: "GET",
    path: "/v1/probes/text",
    idempotency: "none",
    answers: { 200: Line },
    run: async () => ({ status: 200, json: '{"line" : 1}' }),
  }),
  operation({
    ...PROBE,
    id: "probeStream",
    method: "GET",
    path: "/v1/probes/stream",
    idempotency: "none",
    query: Type.Object(
      { ending: Type.Optional(Type.Enum(["fail", "go_on"])) },
      { additionalProperties: false },
    ),
    answers: { 200: Line },
    http: { media: "application/x-ndjson" },
    run: async (_app, { query }) => ({ status: 200, stream: linesThat(query.ending) }),
  }),
  operation({
    ...PROBE,
    id: "probeSettling",
    method: "PUT",
    path: "/v1/probes/settling/{id}",
    idempotency: "required",
    params: ById,
    notFound: "not_found",
    body: shape("ProbedWish", { value: Type.Integer({ minimum: 0, maximum: REFUSED }) }),
    answers: { 200: Settled },
    errors: ["number_not_active"],
    async keyed(app, { actor, params, body, origin }, request) {
      if (params.id !== SETTLED_ID || probed.isGone) throw notFound("not_found");
      return once(app, actor, request, {
        async run() {
          if (body.value === REFUSED) throw new ApiError("number_not_active", "It will not be done.");
          return {
            status: 200,
            contentType: "application/json; charset=utf-8",
            body: '{"is_settled":false}',
            location: undefined,
            etag: undefined,
          };
        },
        responseOf: (apiError) => ({
          status: apiError.status,
          contentType: PROBLEM_TYPE,
          body: JSON.stringify(problemOf(apiError, app.config.baseUrl, origin.requestId)),
          location: undefined,
          etag: undefined,
        }),
      });
    },
    async settle(_app, _call, until) {
      probed.waiting++;
      await onceEmitted(probed.events, "settle", { signal: until }).catch(() => undefined);
      probed.waiting--;
      return { status: 200, json: `{"is_settled":${!until.aborted}}` };
    },
  }),
  operation({
    id: "probeSwitch",
    method: "GET",
    path: "/switch/v1/probe",
    tag: "Probes",
    summary: "Probe",
    access: { callers: "switch" },
    idempotency: "none",
    answers: { 200: shape("ProbedSwitch", { switch_id: Id, group_id: Id }) },
    run: async (_app, call) => ({
      status: 200,
      body: { switch_id: call.switch.switchId, group_id: call.switch.groupId },
    }),
  }),
];

export const ANSWER_PROBE_FIXTURES: Fixtures = {
  probeConditional: {},
  probeText: {},
  probeStream: {},
  probeSettling: {
    params: async () => ({ id: SETTLED_ID }),
    body: () => ({ value: 1 }),
    headers: () => ({ "idempotency-key": newId() }),
  },
  probeSwitch: {},
};

/** Two lines, then the end, an error, or silence until the client disconnects. */
function linesThat(ending: "fail" | "go_on" | undefined): Readable {
  const lines = ['{"line":1}\n', '{"line":2}\n'];
  const stream = new Readable({
    read() {
      const line = lines.shift();
      if (line !== undefined) this.push(line);
      else if (ending === undefined) this.push(null);
      // In a later turn: what was said before has left the house.
      else if (ending === "fail") setImmediate(() => this.destroy(new Error("The database has gone away.")));
    },
  });
  probed.openStreams++;
  return stream.once("close", () => void probed.openStreams--);
}
