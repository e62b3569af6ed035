import { isObject, type Json, type JsonObject } from "./contract.schemas.ts";

/** Generated client contracts in the SDK. */
export const CLIENT_CONTRACT = "sdk/src/generated/wire.ts";
export const OPERATOR_CLIENT_CONTRACT = "sdk/src/generated/operator-wire.ts";

/** Names that would hide one of JavaScript's or of the browser's own. */
const RENAMED: Record<string, string> = { Number: "PhoneNumber", Event: "DialplaneEvent" };
const METHODS = ["get", "put", "post", "patch", "delete"] as const;

const OPEN =
  "/** A value of an enumeration that may grow: expect ones you do not know yet. */\nexport type Open<Known extends string> = Known | (string & Record<never, never>);";
const NEEDING =
  "/** A shape with one of these lists of fields. */\ntype Needing<Shape, Fields extends (keyof Shape)[]> = Fields extends unknown\n  ? Shape & { [Name in Fields[number]]-?: Exclude<Shape[Name], undefined> }\n  : never;";

/** The contract in TypeScript: a type for each schema, and a table of the operations. */
export function clientContract(document: JsonObject, source: string): string {
  const schemas = Object.entries(objectAt(document, "components", "schemas"));
  const operations = Object.entries(objectAt(document, "paths")).flatMap(([path, methods]) =>
    METHODS.filter((method) => isObject(methods) && method in methods).map((method) => ({
      method,
      path,
      operation: objectAt(methods, method),
    })),
  );
  const declared = schemas.map(([name, schema]) => declare(name, schema as JsonObject));
  return [
    `// Generated from ${source} by npm run generate; changes made here are lost.`,
    OPEN,
    ...(declared.some((text) => text.includes("Needing<")) ? [NEEDING] : []),
    ...declared,
    ...eventDataOf(document),
    `/** What each operation takes and answers. */\nexport interface Operations {\n${operations.map(typeOfOperation).join("\n")}\n}`,
    `/** Method, path, and what may be done when no answer came: see Repetition in retry.rules.ts. */\nexport const OPERATIONS = {\n${operations.map(rowOfOperation).join("\n")}\n} as const;`,
    "",
  ].join("\n\n");
}

/** Data of each event type. */
function eventDataOf({ webhooks }: JsonObject): string[] {
  if (!isObject(webhooks)) return [];
  const rows = Object.entries(webhooks).map(([type, webhook]) => {
    const body = objectAt(webhook, "post", "requestBody", "content", "application/json", "schema");
    const [, own] = body["allOf"] as Json[];
    return `  "${type}": ${typeOf(objectAt(own!, "properties")["data"], "  ")};`;
  });
  return [`/** Data of an event by its type. */\nexport interface EventData {\n${rows.join("\n")}\n}`];
}

interface Found {
  method: string;
  path: string;
  operation: JsonObject;
}

function declare(title: string, schema: JsonObject): string {
  const name = RENAMED[title] ?? title;
  const comment = commentOf(schema, "");
  const isPlain = isObject(schema["properties"]) && !schema["oneOf"];
  return isPlain
    ? `${comment}export interface ${name} ${typeOf(schema, "")}`
    : `${comment}export type ${name} = ${typeOf(schema, "")};`;
}

function typeOf(schema: Json | undefined, indent: string): string {
  if (!isObject(schema)) return "unknown";
  const { $ref: reference, enum: values, type } = schema;
  if (typeof reference === "string") return nameOf(reference);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["anyOf"])) return union(schema["anyOf"], indent);
  if (Array.isArray(schema["oneOf"])) return choiceOf(schema, schema["oneOf"], indent);
  if (Array.isArray(type))
    return union(
      type.map((one) => ({ ...schema, type: one })),
      indent,
    );
  const known = schema["x-extensible-enum"];
  if (type === "string" && Array.isArray(known))
    return `Open<${known.map((value) => JSON.stringify(value)).join(" | ")}>`;
  if (type === "array")
    return `(${typeOf(schema["items"], indent)})[]`.replace(/^\((\w+(?:<[^>]*>)?)\)\[\]$/, "$1[]");
  if (type === "object") return objectOf(schema, indent);
  const simple = { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" };
  return simple[type as keyof typeof simple] ?? "unknown";
}

function union(types: Json[], indent: string): string {
  return types.map((one) => typeOf(one, indent)).join(" | ");
}

/** Either whole shapes, or one shape of which either these or those fields are needed. */
function choiceOf(schema: JsonObject, choices: Json[], indent: string): string {
  if (!isObject(schema["properties"])) return union(choices, indent);
  const needed = choices.map((choice) => JSON.stringify(objectAt(choice)["required"]));
  return `Needing<${objectOf(schema, indent)}, ${needed.join(" | ")}>`;
}

function objectOf(schema: JsonObject, indent: string): string {
  const { properties, required, additionalProperties: values } = schema;
  if (!isObject(properties))
    return `Record<string, ${isObject(values) ? typeOf(values, indent) : "unknown"}>`;
  const needed = new Set(Array.isArray(required) ? required : []);
  const deeper = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const type = typeOf(field, deeper);
    const isNeeded = needed.has(name);
    return `${commentOf(field, deeper)}${deeper}${name}${isNeeded ? "" : "?"}: ${type}${isNeeded ? "" : " | undefined"};`;
  });
  return `{\n${fields.join("\n")}\n${indent}}`;
}

function typeOfOperation({ path, operation }: Found): string {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  const query = ((operation["parameters"] ?? []) as JsonObject[]).filter((one) => one["in"] === "query");
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [
      name as string,
      description === undefined ? schema! : { ...objectAt(schema!), description },
    ]),
  );
  const required = query.filter((one) => one["required"] === true).map((one) => one["name"]!);
  const inner = "    ";
  return [
    commentOf({ description: operation["summary"]! }, "  ").trimEnd(),
    `  ${operation["operationId"] as string}: {`,
    `${inner}path: ${named.length > 0 ? `{ ${named.join("; ")} }` : "undefined"};`,
    `${inner}query: ${query.length > 0 ? objectOf({ properties, required }, inner) : "undefined"};`,
    `${inner}body: ${bodyOf(operation)};`,
    `${inner}answer: ${answerOf(operation)};`,
    "  };",
  ].join("\n");
}

function bodyOf(operation: JsonObject): string {
  const { requestBody } = operation;
  if (!isObject(requestBody)) return "undefined";
  return typeOf(objectAt(requestBody, "content", "application/json")["schema"], "    ");
}

/** A response that is not JSON is a stream: it may be larger than memory, or never end. */
function answerOf(operation: JsonObject): string {
  const content = successOf(operation)["content"];
  if (!isObject(content)) return "undefined";
  const json = content["application/json"];
  return isObject(json) ? typeOf(json["schema"], "    ") : "ReadableStream<Uint8Array>";
}

function rowOfOperation({ method, path, operation }: Found): string {
  const { operationId } = operation;
  return `  ${operationId as string}: [${[method.toUpperCase(), path, repetitionOf(method, operation)].map((text) => JSON.stringify(text)).join(", ")}],`;
}

function repetitionOf(method: string, operation: JsonObject): string {
  if (method === "get") return "read";
  if (operation["x-idempotency"] !== "none") return "keyed";
  // A deletion is idempotent, unless its response has a body.
  return method === "delete" && !successOf(operation)["content"] ? "deletion" : "once";
}

function successOf(operation: JsonObject): JsonObject {
  const [, success] = Object.entries(objectAt(operation, "responses")).find(([status]) => status < "300")!;
  return objectAt(success);
}

function nameOf(reference: string): string {
  const title = reference.split("/").at(-1)!;
  return RENAMED[title] ?? title;
}

function commentOf(schema: Json, indent: string): string {
  const text = isObject(schema) ? schema["description"] : undefined;
  if (typeof text !== "string") return "";
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function objectAt(from: Json, ...names: string[]): JsonObject {
  const found = names.reduce<Json | undefined>((at, name) => (isObject(at) ? at[name] : undefined), from);
  if (!isObject(found)) throw new Error(`The contract has no ${names.join(".") || "object"} here.`);
  return found;
}
