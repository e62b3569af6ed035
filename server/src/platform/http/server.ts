import type { Socket } from "node:net";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { isBusy, isPassing } from "../db/database-error.ts";
import { newId } from "../ids.ts";
import { rateLimitHeaders } from "../limits/limits.ts";
import type { Log } from "../log.ts";
import { ApiError } from "../api-error.ts";
import { type Admission, type AdmissionNeeds, admit, admitAgain } from "./admission.ts";
import { type AnswerNeeds, answerTo } from "./answer.ts";
import { rejectCrossSite } from "./credential.ts";
import { parseJson, rejectOtherTypes } from "./json-body.ts";
import { answerMalformed } from "./malformed-http.ts";
import type { Operation } from "./operation.ts";
import { PROBLEM_TYPE, problemOf } from "./problem.ts";
import { compressed } from "./compression.ts";
import { securityHeaders } from "./security-headers.ts";
import { serializerCompiler } from "./serialization.ts";
import { decodable, RouteTable } from "./route-table.ts";
import type { StaticSite } from "./static-site.ts";
import { paramsReader, errorOfValidation, routeSchema, validatorCompiler } from "./validation.ts";

declare module "fastify" {
  interface FastifyRequest {
    admission: Admission;
  }
  interface FastifyContextConfig {
    /** Responses of the route can contain a secret. */
    hasSecret?: boolean;
  }
}

export interface ServerNeeds extends AdmissionNeeds, AnswerNeeds {
  log: Log;
  trustedProxies: string[];
  /** Serves pages for paths without an operation. */
  site?: StaticSite;
  requestTimeoutMs?: number;
  /** Called for each error, for the audit. */
  onApiError(apiError: ApiError, request: FastifyRequest): void;
}

const BODY_LIMIT_BYTES = 256 * 1024;
/** For headers and body together. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;

/** The whole HTTP side: every operation of the table, and the same manners for all of them. */
export function createServer<App>(
  needs: ServerNeeds,
  app: App,
  operations: readonly Operation<App>[],
): FastifyInstance {
  const http = newInstance(needs);
  const routes = new RouteTable();
  http.addHook("onRoute", ({ method, url }) => routes.add([method].flat(), url));
  http.decorateRequest("admission", null as never);
  http.setValidatorCompiler(validatorCompiler);
  http.setSerializerCompiler(serializerCompiler);
  http.removeAllContentTypeParsers();
  http.addContentTypeParser("application/json", { parseAs: "string" }, parseJson);
  http.addContentTypeParser("*", rejectOtherTypes);

  http.addHook("onRequest", async (request, reply) => {
    request.admission ??= { allowances: [], exactAllowances: [] };
    reply.headers({ "request-id": request.id, ...securityHeaders("api") });
    // Node takes the first one. A proxy may have taken the other (RFC 9112, section 3.2).
    if ((request.raw.headersDistinct["host"]?.length ?? 0) > 1)
      throw new ApiError("invalid_request", "Send one Host header.");
    rejectDoubtfulFraming(request, reply);
    // Here and not in the handler: route and method come before anything the body could be rejected for.
    if (request.is404 ? !needs.site?.takes(request) : routes.isFixed(request)) throw routes.errorOf(request);
  });
  const { site } = needs;
  if (site) http.setNotFoundHandler((request, reply) => site.answer(request, reply));
  http.addHook("onSend", async (request, reply, payload) => {
    const { caller, allowances, exactAllowances } = request.admission;
    reply.headers(rateLimitHeaders([...(caller ? allowances : []), ...exactAllowances]));
    return compressed(request, reply, payload);
  });
  http.addHook("onResponse", async (request, reply) => recordOutcome(needs, request, reply));

  http.setErrorHandler((error: Error, request, reply) => {
    const apiError = asApiError(error);
    if (apiError.code === "internal_error")
      needs.log.error({ request_id: request.id, err: error }, "request failed");
    return reject(needs, apiError, request, reply);
  });

  for (const operation of operations) register(http, needs, app, operation);
  return http;
}

const doubtful = new WeakSet<Socket>();

/**
 * HTTP/1.0 has no chunks: a proxy may have taken the body for the next request, or the other way round (RFC 9112,
 * section 6.1). So nothing that follows on the connection is taken either.
 */
function rejectDoubtfulFraming({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.httpVersion === "1.0" && raw.headers["transfer-encoding"] !== undefined) doubtful.add(raw.socket);
  if (!doubtful.has(raw.socket)) return;
  reply.header("connection", "close");
  throw new ApiError("invalid_request", "HTTP/1.0 requests cannot have a Transfer-Encoding.");
}

function newInstance(needs: ServerNeeds): FastifyInstance {
  const requestTimeout = needs.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  return Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    requestIdHeader: false,
    trustProxy: needs.trustedProxies.length > 0 ? needs.trustedProxies : false,
    bodyLimit: BODY_LIMIT_BYTES,
    // Longer than any request line that Node accepts: an overlong name gets the same 404 as an unknown one.
    routerOptions: { maxParamLength: 65_536, querystringParser: parseQuery },
    rewriteUrl: ({ url }) => decodable(url!),
    requestTimeout,
    http: {
      // Node swaps the two if headers may take longer, and its default for headers is 60 seconds.
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeout),
      // How often Node looks for requests that take too long; the default is 30 seconds.
      connectionsCheckingInterval: 1_000,
    },
    keepAliveTimeout: 65_000,
    forceCloseConnections: "idle",
    exposeHeadRoutes: true,
    // A stopping process still serves requests, and only closes their connections.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerMalformed(needs.baseUrl, error, socket),
    frameworkErrors: (error, request, reply) =>
      void reject(needs, asApiError(error), request, reply as FastifyReply),
  });
}

/** Only what is named here is logged of a request. */
function recordOutcome(needs: ServerNeeds, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? "unknown";
  const status = reply.statusCode;
  needs.metrics.requestSeconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
  needs.log.info(
    {
      request_id: request.id,
      method: request.method,
      route,
      status,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      organisation_id: request.admission.actor?.organisationId,
      caller_id: request.admission.caller?.id ?? request.admission.switch?.switchId,
    },
    "request",
  );
}

function register<App>(http: FastifyInstance, needs: ServerNeeds, app: App, operation: Operation<App>): void {
  const readParams = paramsReader(operation);
  const precheck = ({ body, query, admission }: FastifyRequest): void =>
    operation.precheck?.({ body, query, actor: admission.actor! }, app);
  http.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    schema: routeSchema(operation),
    config: { hasSecret: operation.http?.hasSecret ?? false },
    ...(operation.http?.maxBodyBytes && { bodyLimit: operation.http.maxBodyBytes }),
    // Runs before the body is read: a caller without access is rejected regardless of the rest of the request.
    onRequest: async (request) => {
      await admit(needs, operation.access, request, request.admission);
      // Other sites' pages may not open endless streams, even if they could not read them.
      if (operation.http?.media === "text/event-stream")
        rejectCrossSite(request, needs.baseUrl, { isCookie: false });
      precheck(request);
    },
    preValidation: async (request) => {
      if (!operation.body) request.body ??= {}; // absent, empty and {} are the same where no body is needed
      precheck(request);
    },
    handler: async (request, reply) => {
      const admitted = (): Promise<void> => admitAgain(needs, operation.access, request);
      await admitted();
      return answerTo(needs, { app, operation, readParams, admitted }, request, reply);
    },
  });
}

type Query = { [name: string]: string | string[] | Query };

/**
 * A parameter that occurs twice becomes a list, which no schema accepts by accident. Parameters such as
 * `metadata[site]` become an object.
 */
function parseQuery(text: string): Query {
  const query = Object.create(null) as Query;
  for (const [name, value] of new URLSearchParams(text)) {
    const [, outer, inner] = /^(\w+)\[([^[\]]+)\]$/.exec(name) ?? [];
    const nested = outer === undefined ? undefined : (query[outer] ??= Object.create(null) as Query);
    if (isObject(nested)) addParameter(nested, inner!, value);
    else addParameter(query, name, value);
  }
  return query;
}

function isObject(value: Query[string] | undefined): value is Query {
  return typeof value === "object" && !Array.isArray(value);
}

function addParameter(query: Query, name: string, value: string): void {
  const before = query[name];
  if (Array.isArray(before)) before.push(value);
  else if (before === undefined) query[name] = value;
  // An object and a text of the same name: two values, which no schema accepts.
  else query[name] = [typeof before === "string" ? before : "", value];
}

function asApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  const { code, validation } = error as FastifyError;
  if (validation) return errorOfValidation(error as FastifyError);
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new ApiError("body_too_large", "The body is larger than this operation allows.");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return new ApiError(
      "media_type_not_supported",
      "The body is not application/json. Send JSON with `Content-Type: application/json`.",
    );
  if (code?.startsWith("FST_ERR_CTP")) return new ApiError("invalid_json", "The body could not be read.");
  if (isBusy(error))
    return new ApiError(
      "busy",
      "Timed out waiting for other requests of this organisation or to the same numbers.",
      {
        retryAfterSeconds: 1,
      },
    );
  if (isPassing(error))
    return new ApiError("unavailable", "The database is unreachable.", {
      retryAfterSeconds: 1,
    });
  return new ApiError("internal_error", "The request failed. The log has the error under request_id.");
}

async function reject(
  needs: ServerNeeds,
  apiError: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  request.admission ??= { allowances: [], exactAllowances: [] };
  needs.metrics.errors.inc({ code: apiError.code });
  needs.onApiError(apiError, request);
  if (apiError.options.retryAfterSeconds)
    reply.header("retry-after", String(apiError.options.retryAfterSeconds));
  // Repeats the headers: a request with an unreadable URL is rejected before any hook runs.
  reply.headers({ "request-id": request.id, ...securityHeaders("api"), ...apiError.options.headers });
  const problem = problemOf(apiError, needs.baseUrl, request.id);
  return reply.code(apiError.status).type(PROBLEM_TYPE).send(JSON.stringify(problem));
}
