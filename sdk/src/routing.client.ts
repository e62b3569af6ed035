import { NotAppliedError, WaitTimeoutError } from "./dialplane-errors.ts";
import type { Routing } from "./generated/wire.ts";
import type { CallOptions } from "./transport.ts";
import { Call } from "./call.ts";
import { waitFor } from "./waiting.ts";
import type { Body, Conditional, Query, WireApi, WriteOptions } from "./wire-api.ts";

export interface SetRoutingOptions extends WriteOptions, Conditional {
  /** Seconds to wait until every switch has confirmed it, or 60 with `true`. Throws if that does not happen. */
  wait?: boolean | number | undefined;
}

const WAIT_SECONDS = 60;
/** The service answers early when it is applied, not when it is rejected. */
const PATIENCE_SECONDS = 5;

/** Routing of a number. */
export function routingClient(api: WireApi) {
  return {
    get: (numberId: string, options?: CallOptions) =>
      api.call("getRouting", { path: { id: numberId } }, options),
    set(numberId: string, body: Body<"setRouting">, options: SetRoutingOptions = {}): Call<Routing> {
      const { wait, ...rest } = options;
      return wait
        ? new Call(applied(api, { numberId, body, seconds: wait === true ? WAIT_SECONDS : wait }, rest))
        : api.call("setRouting", { path: { id: numberId }, body }, rest);
    },
    rollBack: (numberId: string, body: Body<"rollBackRouting">, options?: WriteOptions & Conditional) =>
      api.call("rollBackRouting", { path: { id: numberId }, body }, options),
    listRevisions: (numberId: string, query?: Query<"listRoutingRevisions">, options?: CallOptions) =>
      api.list("listRoutingRevisions", { path: { id: numberId }, query }, options),
    /** Secret that signs requests to your routing webhook. Verify them with `verifyWebhook`. */
    getWebhookSecret: (options?: CallOptions) => api.call("getRoutingWebhookSecret", {}, options),
    rotateWebhookSecret: (options?: CallOptions) => api.call("rotateRoutingWebhookSecret", {}, options),
    diff: (numberId: string, query: Query<"diffRouting">, options?: CallOptions) =>
      api.call("diffRouting", { path: { id: numberId }, query }, options),
  };
}

interface Wanted {
  numberId: string;
  body: Body<"setRouting">;
  seconds: number;
}

/**
 * Repeats the same change under its key: it is executed once, and each response shows the routing after
 * waiting. A key that may write but not read can therefore wait too.
 */
async function applied(
  api: WireApi,
  { numberId, body, seconds }: Wanted,
  options: WriteOptions & Conditional,
) {
  let idempotencyKey = options.idempotencyKey;
  let generation: number | undefined;
  const ask = async (waitSeconds: number, timeoutMs: number) => {
    const input = { path: { id: numberId }, body };
    const answer = await api
      .call("setRouting", input, {
        ...options,
        idempotencyKey,
        waitSeconds,
        timeoutMs: options.timeoutMs ?? timeoutMs,
      })
      .withResponse();
    idempotencyKey = answer.idempotencyKey;
    generation ??= answer.data.desired.generation;
    return answer;
  };
  const hasEnded = ({ data }: { data: Routing }): boolean =>
    data.status === "in_sync" || data.status === "failed" || data.desired.generation !== generation;
  const { hasEnded: isKnown, last } = await waitFor(ask, hasEnded, {
    timeoutMs: seconds * 1_000,
    patienceSeconds: PATIENCE_SECONDS,
    signal: options.signal,
  });
  const { data: routing } = last;
  if (routing.desired.generation !== generation)
    throw new NotAppliedError(
      routing,
      `another client has set generation ${routing.desired.generation} since`,
    );
  if (routing.status === "failed")
    throw new NotAppliedError(routing, routing.last_error ?? "a switch rejected it");
  if (!isKnown) throw new WaitTimeoutError(`The routing of ${numberId}`, routing);
  return last;
}
