import Ajv, { type ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import type { App } from "../../src/app.ts";
import type { Operation } from "../../src/platform/http/operation.ts";
import type { Sent } from "../send.ts";

const ajv = new Ajv.default({ strict: false, allErrors: true });
ajv.addFormat("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
for (const name of ["int32", "int64", "email", "password", "uri"]) ajv.addFormat(name, true);

const compiled = new Map<TSchema, ValidateFunction>();

/** Differences from the declared success responses: status, body, and undeclared fields. */
export function answerFaults(operation: Operation<App>, answer: Sent): string[] {
  const schema = operation.answers[answer.status];
  if (schema === undefined)
    return [`${answer.status} is not among its successes: ${answer.text.slice(0, 300)}`];
  if (schema === null) return answer.text === "" ? [] : [`${answer.status} with a body: ${answer.text}`];
  const type = answer.headers["content-type"] ?? "";
  const media = operation.http?.media ?? "application/json";
  if (type.split(";", 1)[0] !== media) return [`not ${media}: ${type}`];
  return documentsIn(answer, schema).flatMap((document) => faultsOf(schema, document));
}

/** Of lines every one counts for itself, and there is at least one; what is declared as text is taken whole. */
export function documentsIn({ text, body, headers }: Sent, schema: { type?: unknown }): unknown[] {
  if (schema.type === "string") return [text];
  if (!/ndjson/.test(headers["content-type"] ?? "")) return [body];
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

function faultsOf(schema: TSchema, document: unknown): string[] {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate(document) ? [] : validate.errors!.map((error) => `${error.instancePath} ${error.message}`);
}

/** Objects of a schema that would let anything through next to what they name. */
export function openObjects(schema: unknown, at = "#"): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one, index) => openObjects(one, `${at}/${index}`));
  if (typeof schema !== "object" || schema === null) return [];
  const isObject = "properties" in schema;
  const isOpen = isObject && !("additionalProperties" in schema && schema.additionalProperties === false);
  return [
    ...(isOpen ? [at] : []),
    ...Object.entries(schema).flatMap(([name, value]) => openObjects(value, `${at}/${name}`)),
  ];
}
