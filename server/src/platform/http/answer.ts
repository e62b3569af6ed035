import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { fingerprintOf, idempotencyKeyOf, missingKey } from "../idempotency/idempotency-key.ts";
import { once, type WireAnswer } from "../idempotency/idempotency.ts";
import type { Metrics } from "../metrics.ts";
import type { Refusal } from "../refusal.ts";
import { originOf } from "./admission.ts";
import type { Answer, Call, Operation } from "./operation.ts";
import { PROBLEM_TYPE, problemOf } from "./problem.ts";
import { withIdsSpelt } from "./validation.ts";

export interface AnswerNeeds {
  db: Database;
  clock: Clock;
  metrics: Metrics;
  baseUrl: string;
}

/** Runs an admitted, checked request: once per idempotency key where there is one. */
export async function answerTo<App>(
  needs: AnswerNeeds,
  {
    app,
    operation,
    readParams,
  }: { app: App; operation: Operation<App>; readParams(params: unknown): unknown },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = operation.idempotency === "none" ? undefined : idempotencyKeyOf(request.raw);
  if (operation.idempotency === "required" && key === undefined) throw missingKey();
  const call = (): Call => callOf(request, readParams(request.params));
  if (operation.run) return send(reply, await operation.run(app, call() as never));

  const actor = request.admission.actor!;
  const change = operation.change!;
  if (key === undefined) {
    const checked = call();
    return send(reply, await needs.db.forOrganisation(actor, (tx) => change(tx, checked as never, app)));
  }
  const keyed = {
    key,
    fingerprint: fingerprintOf(operation.method, operation.path, withIdsSpelt(request.params), request.body),
  };
  const { answer, isReplay } = await once(needs, actor, keyed, {
    // The path is looked at behind the key: a malformed name must not tell itself from an unknown one.
    run: async (tx) => onTheWire(await change(tx, call() as never, app), reply),
    refused: (refusal) => refusalOnTheWire(refusal, needs.baseUrl, request.id),
  });
  needs.metrics.idempotency.inc({ outcome: isReplay ? "replayed" : "done" });
  return sendWire(reply, answer, isReplay);
}

function callOf(request: FastifyRequest, params: unknown): Call {
  const { caller, actor, environment } = request.admission;
  return {
    params,
    query: request.query,
    body: request.body,
    caller,
    actor,
    environment,
    origin: originOf(request),
  };
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).headers(answer.headers ?? {});
  return answer.body === undefined ? reply.send() : reply.type("application/json").send(answer.body);
}

function onTheWire(answer: Answer, reply: FastifyReply): WireAnswer {
  return {
    status: answer.status,
    contentType: answer.body === undefined ? "" : "application/json; charset=utf-8",
    body:
      answer.body === undefined
        ? ""
        : String(reply.serializeInput(answer.body as Record<string, unknown>, String(answer.status))),
    location: answer.headers?.["location"],
    etag: answer.headers?.["etag"],
  };
}

function refusalOnTheWire(refusal: Refusal, baseUrl: string, requestId: string): WireAnswer {
  return {
    status: refusal.status,
    contentType: PROBLEM_TYPE,
    body: JSON.stringify(problemOf(refusal, baseUrl, requestId)),
    location: undefined,
    etag: undefined,
  };
}

function sendWire(reply: FastifyReply, answer: WireAnswer, isReplay: boolean): FastifyReply {
  reply.code(answer.status);
  if (answer.location) reply.header("location", answer.location);
  if (answer.etag) reply.header("etag", answer.etag);
  if (isReplay) reply.header("idempotency-replayed", "true");
  if (answer.contentType) reply.type(answer.contentType);
  // Already JSON; Fastify must not serialise it a second time.
  return answer.body ? reply.serializer((body: unknown) => body as string).send(answer.body) : reply.send();
}
