import { Compile } from "typebox/compile";
import specification from "../../../openapi.carrier.json" with { type: "json" };
import { Violation } from "./violation.ts";

interface Schema {
  [keyword: string]: unknown;
}

const SCHEMAS = specification.components.schemas as Record<string, Schema>;

/** Fails if a body breaks the schema that the specification gives for the response of an operation. */
export function checkResponse(operationId: string, method: string, target: string, body: unknown): void {
  const check = checkOf(operationId);
  if (check.Check(body)) return;
  const [error] = check.Errors(body);
  const place = error?.instancePath ? ` at ${error.instancePath}` : "";
  throw new Violation(
    `The response to ${method} ${target} does not have the shape of the specification${place}: ${error?.message ?? "invalid"}.`,
  );
}

type Check = ReturnType<typeof Compile>;
const CHECKS = new Map<string, Check>();

function checkOf(operationId: string): Check {
  let check = CHECKS.get(operationId);
  if (!check) {
    check = Compile(withoutReferences(schemaOf(operationId)));
    CHECKS.set(operationId, check);
  }
  return check;
}

interface Operation {
  operationId: string;
  responses: { 200: { content: { "application/json": { schema: Schema } } } };
}

function schemaOf(operationId: string): Schema {
  const operations = Object.values(specification.paths).flatMap((methods) =>
    Object.values(methods as unknown as Record<string, Operation>),
  );
  return operations.find((one) => one.operationId === operationId)!.responses[200].content["application/json"]
    .schema;
}

function withoutReferences(value: unknown): Schema {
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => {
      const reference = (one as { $ref?: string } | null)?.$ref;
      return reference ? SCHEMAS[reference.replace("#/components/schemas/", "")] : one;
    }),
  ) as Schema;
}
