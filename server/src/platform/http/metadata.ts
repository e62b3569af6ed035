import { Type } from "typebox";
import { ApiError } from "../api-error.ts";
import { nullable } from "./shapes.ts";

const MOST_PAIRS = 20;
const METADATA_KEY = "^[A-Za-z0-9_.-]{1,40}$";

function metadataOf<Value>(values: object, description: string) {
  return Type.Unsafe<Record<string, Value>>({
    type: "object",
    additionalProperties: values,
    propertyNames: { pattern: METADATA_KEY },
    maxProperties: MOST_PAIRS,
    description,
    examples: [{ site: "berlin" }],
  });
}

const MetadataValue = Type.String({ minLength: 1, maxLength: 500, pattern: String.raw`^[^\u0000]*$` });
const METADATA_RULE =
  "Up to 20 pairs: keys have letters, digits and `_.-`, at most 40 characters. Values have 1 to 500 characters.";

export const Metadata = metadataOf<string>(MetadataValue, `Your own data. ${METADATA_RULE}`);
/** Metadata to merge into the stored one. */
export const MetadataChange = metadataOf<string | null>(
  nullable(MetadataValue),
  `Keys to set. \`null\` removes a key, and keys that you do not send remain. ${METADATA_RULE}`,
);

/** Stored metadata after a change, with keys in order. Together they can be too many. */
export function changedMetadata(
  stored: Record<string, string>,
  change: Record<string, string | null>,
): Record<string, string> {
  const pairs = Object.entries({ ...stored, ...change }).filter(
    (pair): pair is [string, string] => pair[1] !== null,
  );
  if (pairs.length > MOST_PAIRS) throw tooManyPairs(pairs.length);
  return Object.fromEntries(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function tooManyPairs(count: number): ApiError {
  const detail = `metadata would have ${count} keys. At most ${MOST_PAIRS} are allowed. Remove some with null.`;
  return new ApiError("invalid_request", detail, {
    errors: [{ pointer: "#/metadata", code: "malformed", detail }],
  });
}
