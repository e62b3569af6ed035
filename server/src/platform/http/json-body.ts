import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../api-error.ts";

const MAX_DEPTH = 32;

/** An empty body of JSON type counts as none. Depth is bounded before parsing: what follows may recurse. */
export async function parseJson(_request: FastifyRequest, text: string): Promise<unknown> {
  if (text.trim() === "") return undefined;
  if (depthOf(text) > MAX_DEPTH)
    throw new ApiError("invalid_json", `The body is nested more than ${MAX_DEPTH} levels deep.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError(
      "invalid_json",
      "The body is not valid JSON. Check quotes, commas and the encoding (UTF-8).",
    );
  }
  // Only an escape can spell these; the database and the fingerprint would stumble over them.
  if (text.includes("\\u") && !isPlainText(value))
    throw new ApiError("invalid_json", "The body contains text that is not Unicode, or a NUL.");
  // An own property of this name would become a prototype when the object is copied.
  if (text.includes("__proto__")) throw new ApiError("invalid_json", "The body contains a reserved name.");
  return value;
}

/** Rejects other types at their first byte. An empty body has no type that could matter, even if it is chunked. */
export function rejectOtherTypes(
  _request: FastifyRequest,
  payload: Readable,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const onData = (): void => {
    payload.off("end", onEnd).pause();
    done(
      new ApiError(
        "media_type_not_supported",
        "The body is not application/json. Send JSON with `Content-Type: application/json`.",
      ),
    );
  };
  const onEnd = (): void => {
    payload.off("data", onData);
    done(null, undefined);
  };
  payload.once("data", onData).once("end", onEnd);
}

function isPlainText(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isPlainText(name) && isPlainText(inner));
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (isInString) {
      if (char === BACKSLASH) at++;
      else if (char === QUOTE) isInString = false;
    } else if (char === QUOTE) isInString = true;
    else if (char === OPEN_BRACKET || char === OPEN_BRACE) deepest = Math.max(deepest, ++depth);
    else if (char === CLOSE_BRACKET || char === CLOSE_BRACE) depth--;
  }
  return deepest;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
