import type { TSchema } from "typebox";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

/** Requests are closed, so that typing errors are rejected. Responses are open, so that they can grow. */
export type Direction = "request" | "answer";

export interface NamedSchemas {
  /** Schema as used in the document: a schema with a title becomes a reference. */
  refer(schema: TSchema, direction: Direction): JsonObject;
  all(): JsonObject;
}

/** Gathers schemas under their titles, each of which may stand for one thing only. */
export function nameSchemas(): NamedSchemas {
  const named = new Map<string, JsonObject>();

  function walk(schema: JsonObject, direction: Direction): JsonObject {
    const { type, description } = schema;
    // One description per place that uses a named schema, so that its component stays the same everywhere.
    if (typeof schema["title"] === "string" && description !== undefined) {
      const { description: _, ...named } = schema;
      return { ...walk(named, direction), description };
    }
    if (typeof schema["title"] === "string" && Array.isArray(type) && type.includes("null")) {
      const [only, ...more] = type.filter((one) => one !== "null");
      const present = walk({ ...schema, type: more.length > 0 ? [only!, ...more] : only! }, direction);
      return { anyOf: [present, { type: "null" }] };
    }
    const walked = withMapping(
      schema,
      mapSubschemas(schema, (one) => walk(one, direction)),
    );
    if (direction === "answer" && walked["additionalProperties"] === false)
      delete walked["additionalProperties"];
    return typeof schema["title"] === "string" ? refer(schema["title"], walked) : walked;
  }

  function refer(title: string, schema: JsonObject): JsonObject {
    const earlier = named.get(title);
    if (earlier && JSON.stringify(earlier) !== JSON.stringify(schema)) {
      throw new Error(
        `Two schemas are titled ${title} and differ; a request and an answer need a title each.`,
      );
    }
    named.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  return {
    // Through text: what TypeBox keeps next to the JSON Schema stays behind.
    refer: (schema, direction) => walk(JSON.parse(JSON.stringify(schema)) as JsonObject, direction),
    all: () => Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const ONE = new Set([
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "propertyNames",
  "contains",
]);
const LIST = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const BY_NAME = new Set(["properties", "patternProperties", "dependentSchemas"]);

/** Applies to the schemas within, never to values that only look like one (examples, defaults). */
function mapSubschemas(schema: JsonObject, map: (one: JsonObject) => JsonObject): JsonObject {
  const mapped = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (ONE.has(keyword) && isObject(value)) return [keyword, map(value)];
    if (LIST.has(keyword) && Array.isArray(value))
      return [keyword, value.map((one) => (isObject(one) ? map(one) : one))];
    if (BY_NAME.has(keyword) && isObject(value)) {
      return [
        keyword,
        Object.fromEntries(
          Object.entries(value).map(([name, one]) => [name, isObject(one) ? map(one) : one]),
        ),
      ];
    }
    return [keyword, value];
  });
  return Object.fromEntries(mapped);
}

/**
 * Without a mapping, OpenAPI takes the names of the schemas as values of the discriminator. Ajv, which uses the
 * same schemas, does not support a mapping, so it exists only in the document.
 */
function withMapping(schema: JsonObject, walked: JsonObject): JsonObject {
  const { discriminator, oneOf } = schema;
  if (!isObject(discriminator) || !Array.isArray(oneOf)) return walked;
  const field = wordOf(discriminator["propertyName"]);
  const pairs = oneOf.flatMap((one, index): [string, Json][] => {
    const { properties } = one as { properties: Record<string, JsonObject> };
    const { enum: values, const: value } = properties[field]!;
    const { $ref } = (walked["oneOf"] as JsonObject[])[index]!;
    return (Array.isArray(values) ? values : [value!]).map((each) => [wordOf(each), $ref!]);
  });
  return { ...walked, discriminator: { ...discriminator, mapping: Object.fromEntries(pairs) } };
}

/** For sentences: text as it is, everything else as JSON. */
export function wordOf(value: Json | undefined): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
