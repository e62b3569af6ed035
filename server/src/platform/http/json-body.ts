import type { FastifyRequest } from "fastify";
import { Refusal } from "../refusal.ts";

const MAX_DEPTH = 32;

/** An empty body of JSON type counts as none. Depth is bounded before parsing: what follows may recurse. */
export async function parseJson(_request: FastifyRequest, text: string): Promise<unknown> {
  if (text.trim() === "") return undefined;
  if (depthOf(text) > MAX_DEPTH)
    throw new Refusal("invalid_json", `The body is nested more than ${MAX_DEPTH} levels deep.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal("invalid_json", "The body is not valid JSON.");
  }
  // An own property of this name would become a prototype as soon as somebody copies the object.
  if (text.includes("__proto__")) throw new Refusal("invalid_json", "The body holds a reserved name.");
  return value;
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
