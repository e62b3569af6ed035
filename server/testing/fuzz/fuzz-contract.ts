import { readFileSync } from "node:fs";

/** The part of JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
}

export interface Response {
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema }>;
  "x-error-codes"?: string[];
}

/** One operation of the contract, with its references resolved. */
export interface ContractOperation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  responses: Record<string, Response>;
  /** True if the response has no end: it streams events. */
  isEndless: boolean;
}

export interface Contract {
  document: Record<string, unknown>;
  operations: ContractOperation[];
  resolve<Part extends object>(part: Part | { $ref: string }): Part;
}

const FILE = new URL("../../../openapi.json", import.meta.url);

interface Declared {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response | { $ref: string }>;
}

export function readContract(): Contract {
  const document = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, unknown>;
  const resolve = <Part extends object>(part: Part | { $ref: string }): Part =>
    "$ref" in part && typeof part.$ref === "string" ? (partAt(document, part.$ref) as Part) : (part as Part);
  const paths = document["paths"] as Record<string, Record<string, Declared>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]): ContractOperation => {
      const responses = Object.entries(declared.responses).map(
        ([status, response]) => [status, resolve<Response>(response)] as const,
      );
      return {
        id: declared.operationId,
        method: method.toUpperCase(),
        path,
        parameters: (declared.parameters ?? []).map((parameter) => resolve<Parameter>(parameter)),
        body: declared.requestBody?.content["application/json"]?.schema,
        responses: Object.fromEntries(responses),
        isEndless: responses.some(([, { content }]) => content?.["text/event-stream"]),
      };
    }),
  );
  return { document, operations, resolve };
}

function partAt(document: unknown, pointer: string): unknown {
  return pointer
    .slice(2)
    .split("/")
    .reduce((part, name) => (part as Record<string, unknown>)[name], document);
}
