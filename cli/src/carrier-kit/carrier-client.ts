import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { text as textOf } from "node:stream/consumers";

/** A response of the carrier. */
export interface CarrierReply {
  status: number;
  /** Undefined if it is not JSON. */
  body: unknown;
  ms: number;
}

export interface Forgery {
  secret?: string;
  /** When the request says that it was signed. */
  at?: Date;
  /** Signed in place of the body. */
  signedBody?: string;
  /** Signed in place of the target. */
  signedTarget?: string;
  isUnsigned?: boolean;
}

interface Prepared {
  address: URL;
  method: string;
  headers: Record<string, string>;
  text: string;
}

/** Dialplane abandons a request after this time. */
const TIMEOUT_MS = 15_000;

/** Sends requests of the carrier protocol. */
export class CarrierClient {
  readonly #url: string;
  readonly #secret: string;
  /** Longest time to a response, in milliseconds. */
  slowestMs = 0;

  constructor(url: string, secret: string) {
    this.#url = url.replace(/\/+$/, "");
    this.#secret = secret;
  }

  async send(method: string, target: string, body?: object, forgery: Forgery = {}): Promise<CarrierReply> {
    const { address, headers, text } = this.#prepare(method, target, body, forgery);
    const started = performance.now();
    const response = await fetch(address, {
      method,
      headers,
      redirect: "manual",
      ...(text && { body: text }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const received = await response.text();
    const ms = performance.now() - started;
    this.slowestMs = Math.max(this.slowestMs, ms);
    return { status: response.status, body: parse(received), ms };
  }

  /** Sends the whole request, and closes the connection without waiting for the response. */
  lose(method: string, target: string, body: object): Promise<void> {
    const prepared = this.#prepare(method, target, body, {});
    return new Promise((resolve) => {
      const request = open(prepared);
      const close = (): void => {
        request.destroy();
        resolve();
      };
      request.on("error", () => resolve());
      // The response itself, if it is that fast, is not read.
      request.on("response", close);
      request.on("finish", () => setTimeout(close, AFTER_SENT_MS));
      request.end(prepared.text);
    });
  }

  /** `sent` resolves when the whole request has left, `replied` when the response is complete. */
  start(
    method: string,
    target: string,
    body: object,
  ): { sent: Promise<void>; replied: Promise<CarrierReply> } {
    const prepared = this.#prepare(method, target, body, {});
    const started = performance.now();
    const request = open(prepared);
    const sent = once(request, "finish").then(() => {});
    const replied = once(request, "response").then(async ([received]) => {
      const response = received as IncomingMessage;
      const body = parse(await textOf(response));
      return { status: response.statusCode!, body, ms: performance.now() - started };
    });
    request.on("timeout", () => request.destroy(new DOMException("No response.", "TimeoutError")));
    request.end(prepared.text);
    return { sent, replied };
  }

  #prepare(method: string, target: string, body: object | undefined, forgery: Forgery): Prepared {
    const text = body ? JSON.stringify(body) : "";
    const { secret = this.#secret, at = new Date(), signedBody = text, signedTarget = target } = forgery;
    const timestamp = String(Math.floor(at.getTime() / 1_000));
    const hmac = createHmac("sha256", secret).update(`${timestamp}.${method}.${signedTarget}.${signedBody}`);
    return {
      address: new URL(this.#url + target),
      method,
      headers: {
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
        ...(!forgery.isUnsigned && {
          "dialplane-timestamp": timestamp,
          "dialplane-signature": `v1=${hmac.digest("hex")}`,
        }),
      },
      text,
    };
  }
}

/** Long enough for the request to arrive on a slow network. */
const AFTER_SENT_MS = 50;

function open({ address, method, headers, text }: Prepared) {
  const request = address.protocol === "https:" ? requestHttps : requestHttp;
  return request(address, {
    method,
    headers: { ...headers, "content-length": Buffer.byteLength(text) },
    agent: false,
    timeout: TIMEOUT_MS,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
