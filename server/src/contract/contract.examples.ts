import type { TSchema } from "typebox";
import { ERRORS, type ErrorCode } from "../platform/error-catalogue.ts";
import { membersOf } from "./contract.problem.ts";
import { isObject, type Json, type JsonObject, wordOf } from "./contract.schemas.ts";

/** The host that stands for the reader's own installation, in servers and examples. */
export const EXAMPLE_HOST = "dialplane.example.com";

const REQUEST_ID = "0198c5f2-9a10-7c55-8e21-5f0a7be3d914";

/** Example by field name, for fields whose schema has none. */
const BY_NAME: Record<string, Json> = {
  next_cursor: null,
  revoked_at: null,
  replaces_id: null,
  cursor: "mC3Vq0mT6tq2cJ8e",
  name: "Ada Lovelace",
  email: "ada@example.com",
  hint: "x7Qa",
  key_hint: "x7Qa",
  token: "wq3mZ8Kf2tYh",
  password: "three brown owls at noon",
  new_password: "three brown owls at noon",
  subject: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
  request_id: REQUEST_ID,
  address: "203.0.113.7",
  user_agent: "Mozilla/5.0",
  expires_in_days: 90,
  q: "+4420",
  e164: "+442079460000",
  country: "GB",
  label: "Main office",
  tag: "sales",
  tags: ["sales"],
  host: "pbx.example.com",
  epoch: "7412345678901234567-00000001",
  boot: "4d1f9c0e",
  agent_version: "0.1.0",
  allowed_networks: ["203.0.113.0/24"],
};

/** Names of things other than people, by the title of their shape. */
const NAMES: [shapes: RegExp, name: string][] = [
  [/Key/, "Billing sync"],
  [/Passkey/, "My telephone"],
  [/Connection/, "Main office"],
  [/SwitchGroup/, "default"],
  [/Switch/, "london-1"],
  [/Organisation$/, "Example Telecom"],
];

/** A value that fits the schema, made from its own examples as far as it has any. */
export function exampleOf(schema: JsonObject, name = ""): Json {
  const stated = statedExample(schema);
  if (name in BY_NAME && stated === undefined && isOfType(schema, BY_NAME[name]!)) return BY_NAME[name]!;
  if (BY_NAME[name] === null && isNullable(schema)) return null;
  if (stated !== undefined) return stated;
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return exampleOf(choices[0] as JsonObject, name);
  if (Array.isArray(schema["allOf"])) return exampleOfAll(schema["allOf"] as JsonObject[], name);
  switch (firstType(schema)) {
    case "object":
      return exampleOfObject(schema);
    case "array":
      return isObject(schema["items"]) ? [exampleOf(schema["items"])] : [];
    case "integer":
    case "number":
      return (schema["minimum"] as number | undefined) ?? 0;
    case "boolean":
      return false;
    case "string":
      if (schema["pattern"])
        throw new Error(`Give the field “${name}” an example: its pattern alone does not make one.`);
      return "text".slice(0, (schema["maxLength"] as number | undefined) ?? 4);
    default:
      return null;
  }
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
  const errors =
    code === "invalid_request"
      ? [{ pointer: "#/name", code: "required", detail: "name is required." }]
      : undefined;
  return {
    summary: title,
    value: {
      type: `https://${EXAMPLE_HOST}/docs/errors#${code}`,
      title,
      status,
      detail: `${title}.`.replace("?.", "?"),
      instance: `urn:uuid:${REQUEST_ID}`,
      code,
      request_id: REQUEST_ID,
      retryable,
      ...(errors && { errors }),
      ...Object.fromEntries(
        Object.entries(membersOf(code)).map(([name, schema]) => [name, exampleOf(plain(schema), name)]),
      ),
    },
  };
}

/** Without what TypeBox keeps next to the JSON Schema. */
function plain(schema: TSchema): JsonObject {
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

function statedExample(schema: JsonObject): Json | undefined {
  for (const keyword of ["examples", "enum"]) {
    const values = schema[keyword];
    if (Array.isArray(values) && values.length > 0) return values[0];
  }
  return schema["const"] ?? schema["default"];
}

function exampleOfAll(parts: JsonObject[], name: string): Json {
  const values = parts.map((part) => exampleOf(part, name));
  return values.every(isObject) ? Object.assign({}, ...values) : values[0]!;
}

function exampleOfObject(schema: JsonObject): JsonObject {
  const properties = (schema["properties"] ?? {}) as Record<string, JsonObject>;
  const named = NAMES.find(([shapes]) => shapes.test(wordOf(schema["title"])))?.[1];
  return Object.fromEntries(
    Object.entries(properties)
      .slice(0, schema["maxProperties"] as number | undefined)
      .map(([name, one]) => [name, name === "name" && named ? named : exampleOf(one, name)]),
  );
}

function firstType({ type }: JsonObject): Json | undefined {
  return Array.isArray(type) ? type.find((one) => one !== "null") : type;
}

/** One name may stand for a list here and for an object there. */
function isOfType(schema: JsonObject, value: Json): boolean {
  const isList = firstType(schema) === "array";
  const isThing = firstType(schema) === "object";
  return value === null || (Array.isArray(value) === isList && isObject(value) === isThing);
}

function isNullable({ type }: JsonObject): boolean {
  return Array.isArray(type) && type.includes("null");
}
