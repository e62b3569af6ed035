import { randomUUID } from "node:crypto";
import { numberIdOf } from "./number-ids.ts";

/** Requests of one kind: {number} becomes the id of one of the numbers, {fresh} what was never sent before. */
export interface RequestTemplate {
  method: "GET" | "PUT";
  path: string;
  token: string;
  body?: string;
  /** Drawn by chance: first, first + step, first + 2 · step … */
  numbers?: { first: number; count: number; step: number };
}

export interface BenchRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** What was put in. */
  number: number;
  fresh: string;
}

export function requestFrom(template: RequestTemplate): BenchRequest {
  const { first, count, step } = template.numbers ?? { first: 0, count: 1, step: 1 };
  const number = first + Math.floor(Math.random() * count) * step;
  const fresh = template.body === undefined ? "" : randomUUID();
  return {
    method: template.method,
    path: template.path.replace("{number}", numberIdOf(number)),
    headers: {
      authorization: `Bearer ${template.token}`,
      ...(template.body !== undefined && { "content-type": "application/json", "idempotency-key": fresh }),
    },
    body: template.body?.replace("{fresh}", fresh),
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
