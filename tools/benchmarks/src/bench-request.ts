import { randomUUID } from "node:crypto";
import { callBatch } from "./call-batch.ts";
import { numberIdOf } from "./number-ids.ts";

/** Requests of one kind: {number} becomes the id of one of the numbers, {fresh} what was never sent before. */
export interface RequestTemplate {
  method: "GET" | "PUT" | "POST";
  path: string;
  token: string;
  body?: string;
  /** Drawn by chance: first, first + step, first + 2 · step … */
  numbers?: { first: number; count: number; step: number };
  /** Instead of a body: a batch of records, of calls of that many numbers. */
  callsOf?: number;
}

export interface BenchRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Values that replaced the placeholders. */
  number: number;
  fresh: string;
}

export function requestFrom(template: RequestTemplate): BenchRequest {
  const { first, count, step } = template.numbers ?? { first: 0, count: 1, step: 1 };
  const number = first + Math.floor(Math.random() * count) * step;
  const fresh = template.body === undefined ? "" : randomUUID();
  const body =
    template.callsOf === undefined ? template.body?.replace("{fresh}", fresh) : callBatch(template.callsOf);
  return {
    method: template.method,
    path: template.path.replace("{number}", numberIdOf(number)),
    headers: {
      authorization: `Bearer ${template.token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(fresh && { "idempotency-key": fresh }),
    },
    body,
    number,
    fresh,
  };
}

export function requestBytes({ method, path, headers, body }: BenchRequest): Buffer {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: "127.0.0.1", ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`);
}
