import { isId } from "../../platform/ids.ts";
import { ApiError } from "../../platform/api-error.ts";
import { MAX_IDS } from "./live.schema.ts";

/** Counted as sent; then each is one, whatever its spelling. */
export function idsIn(given: readonly string[]): string[] {
  const ids = given.flatMap((list) => list.split(","));
  if (ids.length > MAX_IDS) throw wrong("malformed", `has ${ids.length} IDs. The maximum is ${MAX_IDS}.`);
  const stranger = ids.find((id) => !isId(id));
  if (stranger !== undefined)
    throw wrong("malformed", `must be UUIDs separated by commas, not “${stranger.slice(0, 40)}”.`);
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

function wrong(code: string, what: string): ApiError {
  const detail = `Parameter ids ${what}`;
  return new ApiError("invalid_request", detail, { errors: [{ parameter: "ids", code, detail }] });
}
