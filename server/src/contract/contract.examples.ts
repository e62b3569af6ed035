import { ERRORS, type ErrorCode } from "../platform/error-catalogue.ts";
import { membersOf } from "./contract.problem.ts";
import { isObject, type Json, type JsonObject, wordOf } from "./contract.schemas.ts";
import { EXAMPLE_HOST, ID } from "./example-story.ids.ts";
import { STORY, STORY_ANSWERS, STORY_PARAMETERS, STORY_PATHS, STORY_PROBLEMS } from "./example-story.ts";

/** Examples of parameters and fields that mean the same everywhere. */
const BY_NAME: Record<string, Json> = {
  next_cursor: null,
  cursor: "mC3Vq0mT6tq2cJ8e",
};

/** Example of a schema: the story's, or one that follows from the examples of its parts. */
export function exampleOf(schema: JsonObject, name = ""): Json {
  const example = STORY[wordOf(schema["title"])];
  if (example !== undefined) return example;
  if (BY_NAME[name] !== undefined) return BY_NAME[name];
  const stated = statedExample(schema);
  if (stated !== undefined) return stated;
  const type = firstType(schema);
  if (type === "object") return exampleOfObject(schema);
  if (type === "array" && isObject(schema["items"])) return [exampleOf(schema["items"])];
  throw new Error(
    `Give ${name ? `the field “${name}”` : wordOf(schema["title"] ?? "a schema")} an example, in its schema or in example-story.ts.`,
  );
}

/** Example of a successful response. */
export function answerExample(operationId: string, schema: JsonObject): Json {
  return STORY_ANSWERS[operationId] ?? exampleOf(schema);
}

/** Example of a parameter in the query. */
export function queryExample(operationId: string, name: string, schema: JsonObject): Json {
  return STORY_PARAMETERS[operationId]?.[name] ?? exampleOf(schema, name);
}

/** Example of a parameter in the path. */
export function pathExample(path: string, name: string, schema: JsonObject): Json {
  const [before] = path.split(`/{${name}}`);
  return STORY_PATHS[before!] ?? exampleOf(schema, name);
}

/**
 * The reference page fills parameters from their examples. The mark keeps it from sending optional ones by
 * default.
 */
export function optionalExample(value: Json): JsonObject {
  return { examples: { example: { value, "x-disabled": true } } };
}

/** One example per code, the same wherever the code can occur. */
export function problemExample(code: ErrorCode): JsonObject {
  const { status, title, retryable } = ERRORS[code];
  const members = STORY_PROBLEMS[code] ?? {};
  const missing = Object.keys(membersOf(code)).find((name) => !(name in members));
  if (missing) throw new Error(`Give the member “${missing}” of ${code} an example in example-story.ts.`);
  return {
    summary: title,
    value: {
      type: `https://${EXAMPLE_HOST}/docs/errors#${code}`,
      title,
      status,
      detail: `${title}.`.replace("?.", "?"),
      instance: `urn:uuid:${ID.rejectedRequest}`,
      code,
      request_id: ID.rejectedRequest,
      retryable,
      ...members,
    },
  };
}

function statedExample(schema: JsonObject): Json | undefined {
  for (const keyword of ["examples", "enum"]) {
    const values = schema[keyword];
    if (Array.isArray(values) && values.length > 0) return values[0];
  }
  return schema["const"] ?? schema["default"];
}

function exampleOfObject(schema: JsonObject): JsonObject {
  const properties = (schema["properties"] ?? {}) as Record<string, JsonObject>;
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, exampleOf(one, name)]));
}

function firstType({ type }: JsonObject): Json | undefined {
  return Array.isArray(type) ? type.find((one) => one !== "null") : type;
}
