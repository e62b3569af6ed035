import type { IncomingHttpHeaders } from "node:http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Contract, ContractOperation, Response } from "./fuzz-contract.ts";

export interface Judged {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** True if the client left before the end of the response. */
  isCut?: boolean;
}

export interface Judge {
  /** Violations of the contract in the response to a request that reached the operation. */
  faultsOf(operation: ContractOperation, response: Judged): string[];
  /** Violations in the response to a request that may have reached no operation at all. */
  faultsElsewhere(response: Judged): string[];
}

const PROBLEM_TYPE = "application/problem+json";
const ALLOWED_5XX = new Set([501, 503]);

/** Compiles each schema on first use. */
export function openJudge(contract: Contract): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats(ajv);
  ajv.addSchema(closed(contract.document) as object, "contract");
  const compiled = new Map<string, ValidateFunction>();
  const check: Check = (schema, value) => {
    const name = JSON.stringify(schema);
    let validate = compiled.get(name);
    if (!validate) {
      const text = name.replaceAll('"$ref":"#', '"$ref":"contract#');
      validate = ajv.compile(closed(JSON.parse(text)) as object);
      compiled.set(name, validate);
    }
    if (validate(value)) return [];
    return validate.errors!.map(({ instancePath, message, params }) =>
      `${instancePath || "the whole"} ${message} ${JSON.stringify(params)}`.slice(0, 300),
    );
  };
  return {
    faultsOf: (operation, response) => faultsIn(contract, check, operation, response),
    faultsElsewhere: (response) =>
      response.status < 400 || response.status >= 500
        ? [`${response.status} where no operation matches`]
        : problemFaults(contract, check, response, undefined),
  };
}

type Check = (schema: object, value: unknown) => string[];

function faultsIn(
  contract: Contract,
  check: Check,
  operation: ContractOperation,
  response: Judged,
): string[] {
  const { status, text } = response;
  const documented = operation.responses[status];
  if (!documented) return [`${status} is not documented: ${text.slice(0, 200)}`];
  if (status >= 500 && !ALLOWED_5XX.has(status)) return [`${status} is never allowed: ${text.slice(0, 200)}`];
  return [
    ...headerFaults(contract, check, documented, response),
    ...(status >= 400
      ? problemFaults(contract, check, response, documented)
      : bodyFaults(check, documented, response)),
  ];
}

function bodyFaults(check: Check, { content }: Response, response: Judged): string[] {
  if (!content) return response.text === "" ? [] : [`${response.status} has a body: ${response.text}`];
  const media = mediaOf(response);
  const schema = content[media]?.schema;
  if (!schema) return [`${media} is not a documented media type of ${response.status}`];
  if (media !== "application/json") return response.isCut ? [] : check(schema, response.text);
  const body = parsed(response.text);
  return body === undefined ? [`not JSON: ${response.text.slice(0, 200)}`] : check(schema, body);
}

/** A problem must have a documented code, and the members of that code. */
function problemFaults(
  contract: Contract,
  check: Check,
  response: Judged,
  documented: Response | undefined,
): string[] {
  if (mediaOf(response) !== PROBLEM_TYPE)
    return [`${response.status} is ${mediaOf(response)}, not a problem: ${response.text.slice(0, 200)}`];
  const problem = parsed(response.text) as { code?: unknown; status?: unknown; request_id?: unknown };
  if (!problem) return [`not JSON: ${response.text.slice(0, 200)}`];
  const code = String(problem.code);
  const faults = check({ $ref: schemaOf(contract, code) }, problem).map((fault) => `${code}: ${fault}`);
  if (documented && !documented["x-error-codes"]?.includes(code))
    faults.push(`${response.status} ${code} is not documented`);
  if (problem.status !== response.status)
    faults.push(`${code}: status ${String(problem.status)} in the body, ${response.status} on the wire`);
  // A replayed problem is that of the first request with the key.
  const isReplayed = "idempotency-replayed" in response.headers;
  if (!isReplayed && problem.request_id !== response.headers["request-id"])
    faults.push(`${code}: request_id is not the Request-Id header`);
  return faults;
}

function schemaOf({ document }: Contract, code: string): string {
  const own = `${code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Problem`;
  const { schemas } = document["components"] as { schemas: Record<string, unknown> };
  return `#/components/schemas/${own in schemas ? own : "Problem"}`;
}

/** Required headers are there, the rest fit their schemas, and no header of the contract comes undocumented. */
function headerFaults(contract: Contract, check: Check, documented: Response, response: Judged): string[] {
  const { headers: all } = contract.document["components"] as { headers: Record<string, Header> };
  const declared = Object.entries(documented.headers ?? {});
  const faults = declared.flatMap(([name, reference]) => {
    const { required, schema } = contract.resolve<Header>(reference);
    const value = response.headers[name.toLowerCase()];
    if (value === undefined) return required ? [`header ${name} is missing`] : [];
    return check(schema, schema.type === "integer" ? Number(value) : value).map(
      (fault) => `header ${name}: ${fault}`,
    );
  });
  const names = new Set(declared.map(([name]) => name.toLowerCase()));
  const undocumented = Object.keys(all)
    .map((component) => HEADER_NAMES[component] ?? dashed(component))
    .filter((name) => name in response.headers && !names.has(name));
  return [...faults, ...undocumented.map((name) => `header ${name} is not documented`)];
}

interface Header {
  required?: boolean;
  schema: { type: string };
}

/** Components whose name does not give the header's. */
const HEADER_NAMES: Record<string, string> = {
  ETag: "etag",
  RateLimit: "ratelimit",
  RateLimitPolicy: "ratelimit-policy",
};

function dashed(component: string): string {
  return component.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}

/** Clients must accept new members; the service must not send any that the contract does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const isOpen =
    "properties" in schema && !("additionalProperties" in schema) && !("patternProperties" in schema);
  return {
    ...Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)])),
    ...(isOpen && { additionalProperties: false }),
  };
}

function addFormats(ajv: Ajv2020): void {
  ajv.addFormat("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  ajv.addFormat("uri", (text) => URL.canParse(text));
  ajv.addFormat("int32", { type: "number", validate: (value) => Math.abs(value) < 2 ** 31 });
  ajv.addFormat("int64", { type: "number", validate: Number.isSafeInteger });
  for (const name of ["email", "network", "password"]) ajv.addFormat(name, true);
}

function mediaOf({ headers }: Judged): string {
  return (headers["content-type"] ?? "no media type").split(";", 1)[0]!;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
