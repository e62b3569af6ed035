import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { MemoryCarrier } from "./memory-carrier.ts";
import { Rejection } from "./memory-rejection.ts";
import type { Submitted } from "./memory-requirements.ts";

/** The Dialplane carrier protocol in front of a carrier: signatures, paths and shapes. */
export function createCarrierServer(carrier: MemoryCarrier, secret: string): Server {
  return createServer((request, response) => {
    void respond(carrier, secret, request)
      .catch(problemOf)
      .then(({ status, body }) => send(response, status, body));
  });
}

interface Reply {
  status: number;
  body?: object | undefined;
}

interface Call {
  carrier: MemoryCarrier;
  /** The values of the placeholders in the path. */
  named: string[];
  query: URLSearchParams;
  // The shape of a body is checked where it is used.
  body: Record<string, unknown>;
}

const FEATURES = ["inventory", "restore", "delivery", "requirements"];

/** Undefined for what this carrier does not know. */
const ROUTES: Record<string, (call: Call) => object | undefined> = {
  "GET /carrier": () => ({ protocol: 1, name: "Example carrier", features: FEATURES }),

  "PUT /orders/{}": ({ carrier, named: [reference], body }) => ({
    items: carrier.order(reference!, {
      organisation: text(body, "organisation"),
      numbers: texts(body, "numbers"),
      reservations: texts(body, "reservations"),
    }),
  }),
  "GET /orders/{}": ({ carrier, named: [reference] }) => {
    const items = carrier.orderStatus(reference!);
    return items && { items };
  },

  "PUT /releases/{}": ({ carrier, named: [reference], body }) => ({
    state: carrier.release(reference!, purchaseOf(body)),
  }),
  "GET /releases/{}": ({ carrier, named: [reference] }) => {
    const state = carrier.releaseStatus(reference!);
    return state && { state };
  },
  "PUT /restores/{}": ({ carrier, named: [reference], body }) => ({
    outcome: carrier.restore(reference!, purchaseOf(body)),
  }),

  "GET /numbers": ({ carrier, query }) => carrier.list(query.get("after") ?? "", limitOf(query, 1000)),

  "GET /available": ({ carrier, query }) => {
    const given = (name: string): string | undefined => query.get(name) ?? undefined;
    const [country, type, contains] = [given("country"), given("type"), given("contains")];
    const [prefix, after] = [given("prefix"), given("after")];
    const limit = limitOf(query, 2000);
    return { numbers: carrier.search({ country, type, contains, prefix, after, limit }) };
  },
  "PUT /reservations/{}": ({ carrier, named: [reference], body }) => ({
    items: carrier.reserve(reference!, {
      organisation: text(body, "organisation"),
      numbers: texts(body, "numbers"),
      until: text(body, "until"),
    }),
  }),
  "DELETE /reservations/{}": ({ carrier, named: [reference] }) => {
    carrier.unreserve(reference!);
    return {};
  },

  "GET /trunks": ({ carrier }) => ({ trunks: carrier.trunks() }),
  "GET /deliveries": ({ carrier, query }) =>
    carrier.listDeliveries(query.get("after") ?? "", limitOf(query, 1000)),
  "PUT /deliveries/{}": ({ carrier, named: [number], body }) => carrier.deliver(number!, text(body, "trunk")),
  "GET /deliveries/{}": ({ carrier, named: [number] }) => carrier.deliveryOf(number!),

  "GET /requirements/{}": ({ carrier, named: [reference] }) => {
    const requirements = carrier.requirementsOf(reference!);
    return requirements && { requirements };
  },
  "PUT /submissions/{}": ({ carrier, named: [reference], body }) =>
    carrier.submit(reference!, submissionOf(body)),
};

async function respond(carrier: MemoryCarrier, secret: string, request: IncomingMessage): Promise<Reply> {
  const most = request.url!.startsWith("/submissions/") ? MOST_SUBMISSION_BYTES : MOST_BYTES;
  const bytes = await readBody(request, most);
  // With a path in front of the protocol's, remove it here: the signature covers what follows the base URL.
  const target = request.url!;
  if (!isSigned(request, target, bytes, secret))
    throw new Rejection(401, "invalid_signature", "The signature is missing, wrong or older than 5 minutes.");

  const { pathname, searchParams: query } = new URL(target, "http://carrier");
  const [, collection = "", name] = pathname.split("/");
  const route = ROUTES[`${request.method} /${collection}${name === undefined ? "" : "/{}"}`];
  // The code `unknown` would make Dialplane order again.
  if (!route) throw new Rejection(404, "no_such_operation", "The protocol has no such operation.");
  const named = name === undefined ? [] : [decodeURIComponent(name)];
  // If a route waits, for example for a database, let requests for the same path run one after the other.
  const body = route({ carrier, named, query, body: parse(bytes) });
  if (!body) throw new Rejection(404, "unknown", "This carrier does not know what the path names.");
  return { status: 200, body };
}

const TOLERANCE_SECONDS = 300;

function isSigned(request: IncomingMessage, target: string, body: Buffer, secret: string): boolean {
  const timestamp = String(request.headers["dialplane-timestamp"]);
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac("sha256", secret)
    .update(`${timestamp}.${request.method}.${target}.`)
    .update(body)
    .digest();
  const [version, hex] = String(request.headers["dialplane-signature"]).split("=", 2);
  const given = Buffer.from(hex ?? "", "hex");
  return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
}

const MOST_BYTES = 1024 * 1024;
const MOST_SUBMISSION_BYTES = 8 * MOST_BYTES;

async function readBody(request: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new Rejection(413, "too_large", `A request has at most ${most} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  try {
    return Object(JSON.parse(bytes.toString())) as Record<string, unknown>;
  } catch {
    throw new Rejection(400, "invalid_json", "The body is not JSON.");
  }
}

function text(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value !== "string" || value === "") throw invalid(name, "a string");
  return value;
}

function texts(body: Record<string, unknown>, name: string): string[] {
  const value = body[name];
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
    throw invalid(name, "a list of strings");
  return value;
}

function purchaseOf(body: Record<string, unknown>): { number: string; boughtAs: string | null } {
  return {
    number: text(body, "number"),
    boughtAs: body["bought_as"] === null ? null : text(body, "bought_as"),
  };
}

function submissionOf(body: Record<string, unknown>): Submitted {
  const { address, document, end_user } = body;
  return {
    order: text(body, "order"),
    number: text(body, "number"),
    requirement: text(body, "requirement"),
    // Check each field of the evidence here if you store it.
    evidence: { address: address ?? null, document: document ?? null, end_user: end_user ?? null } as never,
  };
}

function limitOf(query: URLSearchParams, most: number): number {
  const limit = Number(query.get("limit") ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > most) throw invalid("limit", `between 1 and ${most}`);
  return limit;
}

function invalid(name: string, allowed: string): Rejection {
  return new Rejection(422, "invalid_request", `${name} must be ${allowed}.`);
}

function problemOf(error: unknown): Reply {
  if (error instanceof Rejection) {
    const { status, code, message } = error;
    return { status, body: { code, message } };
  }
  console.error(error);
  return { status: 500, body: { code: "internal_error", message: "The server failed." } };
}

function send(response: ServerResponse, status: number, body: object | undefined): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
