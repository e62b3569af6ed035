import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import type { Database, OrganisationScope } from "../db/database.ts";
import {
  fingerprintOf,
  idempotencyKeyOf,
  type KeyedRequest,
  missingKey,
} from "../idempotency/idempotency-key.ts";
import { once, type WireAnswer } from "../idempotency/idempotency.ts";
import type { Limits } from "../limits/limits.ts";
import type { Metrics } from "../metrics.ts";
import { ApiError, notFound } from "../api-error.ts";
import type { Caller } from "./access.ts";
import { originOf } from "./admission.ts";
import { deviceTokenOf, signInTokenOf } from "./credential.ts";
import type { Answer, Call, KeyedAnswer, Operation } from "./operation.ts";
import { ifMatchOf, waitSecondsOf } from "./preferences.ts";
import { PROBLEM_TYPE, problemOf } from "./problem.ts";
import { ByNumber } from "./shapes.ts";

export interface AnswerNeeds {
  /** ID of an organisation's open number. Undefined if it has none with these digits. */
  findNumberId(scope: OrganisationScope, e164: string): Promise<string | undefined>;
  db: Database;
  clock: Clock;
  metrics: Metrics;
  limits: Limits;
  baseUrl: string;
}

const TABLE_RETRY_SECONDS = 5;

interface Served<App> {
  app: App;
  operation: Operation<App>;
  readParams(params: unknown): Record<string, unknown>;
  admitted: Call["admitted"];
}

/** Runs an admitted, checked request: once per idempotency key where there is one. */
export async function answerTo<App>(
  needs: AnswerNeeds,
  served: Served<App>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { app, operation } = served;
  const key = operation.idempotency === "none" ? undefined : idempotencyKeyOf(request.raw);
  if (operation.idempotency === "required" && key === undefined) throw missingKey();
  const ifMatch = operation.http?.conditional ? ifMatchOf(request.raw) : undefined;
  const call: Call = {
    ...callOf(request, await paramsOf(needs, served, request)),
    ifMatch,
    key,
    following: undefined,
    admitted: served.admitted,
  };

  if (operation.http?.media === "text/event-stream")
    return answerToFollower(needs, served, request, { reply, call });
  if (operation.http?.media === "text/csv") return sendTable(needs, served, { reply, call });
  if (operation.run) return answerToRead(needs, served, request, { reply, call });
  await operation.prepare?.(app, call as never);
  if (key === undefined) {
    const change = operation.change!;
    const changed = await needs.db.forOrganisation(request.admission.actor!, (tx) =>
      change(tx, call as never, app),
    );
    return operation.settle
      ? sendSettled(needs, served, request, { reply, call, answer: onTheWire(changed, reply) })
      : send(reply, operation, changed);
  }
  const { answer, isReplay } = await keyed(needs, served, { request, reply, call, key });
  needs.metrics.idempotency.inc({ outcome: isReplay ? "replayed" : "done" });
  if (isReplay) reply.header("idempotency-replayed", "true");
  return sendSettled(needs, served, request, { reply, call, answer });
}

/** With `Prefer: wait`, the response is the state after waiting. */
async function sendSettled<App>(
  needs: AnswerNeeds,
  served: Served<App>,
  request: FastifyRequest,
  { reply, call, answer }: { reply: FastifyReply; call: Call; answer: WireAnswer },
): Promise<FastifyReply> {
  const isDone = answer.status < 300;
  const settled = isDone && (await settle(needs, served, request, { call, first: answer.body }));
  if (!settled) return sendWire(reply, answer);
  reply.header("preference-applied", `wait=${settled.seconds}`);
  return send(reply, served.operation, settled.answer);
}

/** Path parameters. A number by its E.164 form becomes its ID here, so that both are one request. */
async function paramsOf<App>(
  { findNumberId }: AnswerNeeds,
  { operation, readParams }: Served<App>,
  { params: given, admission }: FastifyRequest,
): Promise<Record<string, unknown>> {
  const params = readParams(given);
  const { id: e164 } = params;
  if (operation.params !== ByNumber || typeof e164 !== "string" || !e164.startsWith("+")) return params;
  const id = await findNumberId(admission.actor!, e164);
  if (id === undefined) throw notFound("number_not_found", operation.access.callers);
  return { ...params, id };
}

/** With `Prefer: wait`, reads after waiting. */
async function answerToRead<App>(
  needs: AnswerNeeds,
  served: Served<App>,
  request: FastifyRequest,
  { reply, call }: { reply: FastifyReply; call: Call },
): Promise<FastifyReply> {
  const { app, operation } = served;
  const settled = await settle(needs, served, request, { call, first: "" });
  if (settled) reply.header("preference-applied", `wait=${settled.seconds}`);
  return send(reply, operation, settled?.answer ?? (await operation.run!(app, call as never)));
}

/** An event stream occupies a waiting slot. Without a free slot the operation ends the stream early. */
async function answerToFollower<App>(
  { limits }: AnswerNeeds,
  { app, operation }: Served<App>,
  request: FastifyRequest,
  { reply, call }: { reply: FastifyReply; call: Call },
): Promise<FastifyReply> {
  const leave = limits.wait(call.actor!.organisationId);
  const following = { lastEventId: request.raw.headersDistinct["last-event-id"]?.[0], hasPlace: !!leave };
  const answer = await operation.run!(app, { ...call, following } as never).catch((error: unknown) => {
    leave?.();
    throw error;
  });
  if (leave) answer.stream!.once("close", leave);
  return send(reply, operation, answer);
}

/**
 * A table is streamed at its reader's speed. Each stream holds a page in memory, so their number is limited.
 */
async function sendTable<App>(
  { limits }: AnswerNeeds,
  { app, operation }: Served<App>,
  { reply, call }: { reply: FastifyReply; call: Call },
): Promise<FastifyReply> {
  const leave = limits.wait(call.actor!.organisationId);
  if (!leave)
    throw new ApiError("rate_limited", "Too many exports at once. Finish one of them first.", {
      retryAfterSeconds: TABLE_RETRY_SECONDS,
      members: { policy: "tables" },
    });
  const answer = await operation.run!(app, call as never).catch((error: unknown) => {
    leave();
    throw error;
  });
  answer.stream!.once("close", leave);
  return send(reply, operation, answer);
}

async function keyed<App>(
  needs: AnswerNeeds,
  { app, operation }: Served<App>,
  { request, reply, call, key }: { request: FastifyRequest; reply: FastifyReply; call: Call; key: string },
): Promise<KeyedAnswer> {
  const { method, path, change, isVisible } = operation;
  const fingerprint = fingerprintOf(method, path, call.params, request.body);
  const asked: KeyedRequest = { key, fingerprint };
  const responseOf = (apiError: ApiError): WireAnswer => errorOnTheWire(apiError, needs.baseUrl, request.id);
  if (!operation.keyed) {
    return once(needs, request.admission.actor!, asked, {
      run: async (tx) => onTheWire(await change!(tx, call as never, app), reply),
      responseOf,
      async rejectUnseen(tx) {
        if (isVisible && !(await isVisible(tx, call as never))) throw notFound(operation.notFound!);
      },
    });
  }
  try {
    return await operation.keyed(app, call as never, asked);
  } catch (error) {
    // Its errors are decided without a trace; the key's own are left as they are.
    if (!(error instanceof ApiError) || error.code.startsWith("idempotency_")) throw error;
    const rethrow = (): Promise<never> => Promise.reject(error);
    return once(needs, request.admission.actor!, asked, {
      run: rethrow,
      responseOf,
      ...(error.code === operation.notFound && { rejectUnseen: rethrow }),
    });
  }
}

/**
 * With `Prefer: wait`, the response shows the state after waiting. With too many waiting requests it is sent
 * at once.
 */
async function settle<App>(
  { limits }: AnswerNeeds,
  { app, operation, admitted }: Served<App>,
  request: FastifyRequest,
  { call, first }: { call: Call; first: string },
): Promise<{ answer: Answer; seconds: number } | undefined> {
  const seconds = waitSecondsOf(request.raw);
  if (!operation.settle || !seconds) return undefined;
  const { actor, caller } = request.admission;
  const leave = limits.wait(actor?.organisationId ?? onlyOrganisationOf(caller!) ?? caller!.id);
  if (!leave) return undefined;
  const gone = new AbortController();
  const { socket } = request.raw;
  const leaveEarly = (): void => gone.abort();
  // The request itself has closed when its body was read.
  socket.once("close", leaveEarly);
  try {
    const until = AbortSignal.any([AbortSignal.timeout(seconds * 1000), gone.signal]);
    const answer = await operation.settle(app, call as never, until, first);
    // A caller who has lost access while waiting must not see the result.
    await admitted();
    return { answer, seconds };
  } finally {
    socket.off("close", leaveEarly);
    leave();
  }
}

/** The only organisation of the caller, for requests that name none. */
const onlyOrganisationOf = ({ memberships }: Caller): string | undefined =>
  memberships.length === 1 ? memberships[0]!.organisationId : undefined;

function callOf(
  request: FastifyRequest,
  params: unknown,
): Omit<Call, "ifMatch" | "key" | "following" | "admitted"> {
  const { caller, actor, environment } = request.admission;
  return {
    params,
    query: request.query,
    body: request.body,
    caller,
    actor,
    environment,
    switch: request.admission.switch,
    origin: originOf(request),
    signInToken: signInTokenOf(request),
    deviceToken: deviceTokenOf(request),
  };
}

function send<App>(reply: FastifyReply, { http }: Operation<App>, answer: Answer): FastifyReply {
  reply.code(answer.status).headers(answer.headers ?? {});
  if (answer.cookies) reply.header("set-cookie", answer.cookies);
  if (answer.stream) {
    // For HEAD, Fastify would read a stream that may never end.
    if (reply.request.method === "HEAD") answer.stream.destroy();
    // Fastify names the charset of JSON only.
    const media = http!.media!;
    return reply.type(media.startsWith("text/") ? `${media}; charset=utf-8` : media).send(answer.stream);
  }
  if (answer.json !== undefined) return sendJson(reply, answer.json);
  return answer.body === undefined ? reply.send() : reply.type("application/json").send(answer.body);
}

/** Already JSON; Fastify must not serialise it a second time. */
function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply
    .type("application/json; charset=utf-8")
    .serializer((body: unknown) => body as string)
    .send(json);
}

function onTheWire(answer: Answer, reply: FastifyReply): WireAnswer {
  return {
    status: answer.status,
    contentType:
      answer.body === undefined && answer.json === undefined ? "" : "application/json; charset=utf-8",
    body:
      answer.json ??
      (answer.body === undefined
        ? ""
        : String(reply.serializeInput(answer.body as Record<string, unknown>, String(answer.status)))),
    location: answer.headers?.["location"],
    etag: answer.headers?.["etag"],
  };
}

function errorOnTheWire(apiError: ApiError, baseUrl: string, requestId: string): WireAnswer {
  return {
    status: apiError.status,
    contentType: PROBLEM_TYPE,
    body: JSON.stringify(problemOf(apiError, baseUrl, requestId)),
    location: undefined,
    etag: undefined,
  };
}

function sendWire(reply: FastifyReply, answer: WireAnswer): FastifyReply {
  reply.code(answer.status);
  if (answer.location) reply.header("location", answer.location);
  if (answer.etag) reply.header("etag", answer.etag);
  if (answer.contentType) reply.type(answer.contentType);
  return answer.body ? reply.serializer((body: unknown) => body as string).send(answer.body) : reply.send();
}
