import type { IncomingMessage } from "node:http";
import { ApiError } from "../api-error.ts";

/** Upper limit of `Prefer: wait`. */
const MOST_WAIT_SECONDS = 30;

/** The entity tags of If-Match (RFC 9110, section 13.1.1); nothing without the header and with `*`, which any row meets. */
export function ifMatchOf(request: IncomingMessage): string[] | undefined {
  const text = request.headersDistinct["if-match"]?.join(",").trim();
  if (text === undefined || text === "*") return undefined;
  const tags = text.split(",").map((tag) => tag.trim());
  if (!tags.every((tag) => ENTITY_TAG.test(tag))) {
    throw new ApiError("invalid_request", "If-Match must contain quoted entity tags, or *.", {
      errors: [
        {
          header: "If-Match",
          code: "malformed",
          detail: 'Send the ETag of the last response, such as "17".',
        },
      ],
    });
  }
  // A weak tag never matches here (RFC 9110, section 13.1.1: strong comparison).
  return tags.filter((tag) => tag.startsWith('"')).map((tag) => tag.slice(1, -1));
}

/** Seconds of `Prefer: wait=…` (RFC 7240, section 4.3); what cannot be read is not preferred. */
export function waitSecondsOf(request: IncomingMessage): number | undefined {
  const preferences = (request.headersDistinct["prefer"] ?? []).flatMap((value) => value.split(","));
  for (const preference of preferences) {
    const seconds = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;.*)?$/i.exec(preference)?.[1];
    if (seconds !== undefined) return Math.min(Number(seconds), MOST_WAIT_SECONDS);
  }
  return undefined;
}

const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;
