import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import canonicalize from "canonicalize";
import { ApiError } from "../api-error.ts";

export interface KeyedRequest {
  key: string;
  /** Equal for requests that ask for the same. */
  fingerprint: Buffer;
}

/** The key of a request, bare or as a quoted structured-field string (both spell the same key). */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const values = request.headersDistinct["idempotency-key"];
  if (values === undefined) return undefined;
  const [value = ""] = values;
  const key = value.startsWith('"') ? unquoted(value) : value;
  if (values.length > 1 || key === undefined || !WELL_FORMED.test(key)) {
    throw new ApiError(
      "idempotency_key_invalid",
      "Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters.",
      {
        errors: [
          {
            header: "Idempotency-Key",
            code: "malformed",
            detail: "Not one key of 1 to 255 visible ASCII characters.",
          },
        ],
      },
    );
  }
  return key;
}

export function missingKey(): ApiError {
  return new ApiError(
    "idempotency_key_missing",
    "This operation requires an Idempotency-Key. Send a unique value such as a UUID, and repeat it on retries.",
    {
      errors: [
        {
          header: "Idempotency-Key",
          code: "required",
          detail: "Send a new UUID for each operation, and the same one on retries.",
        },
      ],
    },
  );
}

/** Equal for requests that ask for the same thing, however their JSON is laid out (RFC 8785). */
export function fingerprintOf(method: string, path: string, params: unknown, body: unknown): Buffer {
  const asked = canonicalize({ method, path, params: params ?? {}, body: body ?? {} });
  return createHash("sha256").update(asked!).digest();
}

const WELL_FORMED = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

function unquoted(value: string): string | undefined {
  const inside = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(value)?.[1];
  return inside?.replaceAll(/\\(["\\])/g, "$1");
}
