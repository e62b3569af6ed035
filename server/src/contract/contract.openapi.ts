import { STATUS_CODES } from "node:http";
import type { TSchema } from "typebox";
import type { ErrorCode } from "../platform/error-catalogue.ts";
import { PROBLEM_TYPE } from "../platform/http/problem.ts";
import { accessExtension, accessSentence, SECURITY_SCHEMES, securityOf } from "./contract.access.ts";
import {
  answerExample,
  exampleOf,
  optionalExample,
  pathExample,
  problemExample,
  queryExample,
} from "./contract.examples.ts";
import {
  ANSWER_HEADERS,
  HEADER_PARAMETERS,
  headerParametersOf,
  errorHeadersOf,
  successHeadersOf,
} from "./contract.headers.ts";
import { CALLERS_INTRODUCTION, OPERATOR_INTRODUCTION, SWITCH_INTRODUCTION } from "./contract.introduction.ts";
import { problemWith } from "./contract.problem.ts";
import { type Declaration, errorsOf } from "./contract.errors.ts";
import { type Json, type JsonObject, nameSchemas, type NamedSchemas, wordOf } from "./contract.schemas.ts";
import { tagsOf } from "./contract.tags.ts";
import { webhooksOf } from "./contract.webhooks.ts";
import { EXAMPLE_HOST } from "./example-story.ids.ts";

const AUDIENCES = {
  callers: {
    prefix: "/v1/",
    title: "Dialplane",
    summary: "Phone numbers and their routing",
    introduction: CALLERS_INTRODUCTION,
  },
  operator: {
    prefix: "/operator/v1/",
    title: "Dialplane for operators",
    summary: "Administration of an installation",
    introduction: OPERATOR_INTRODUCTION,
  },
  switches: {
    prefix: "/switch/v1/",
    title: "Dialplane for switches",
    summary: "Feed and reports of switch agents",
    introduction: SWITCH_INTRODUCTION,
  },
};
export type Audience = keyof typeof AUDIENCES;

/** Audience of a path. */
export function audienceOf(path: string): Audience | undefined {
  return (Object.keys(AUDIENCES) as Audience[]).find((one) => path.startsWith(AUDIENCES[one].prefix));
}

/** State shared by the operations of one document. */
interface Draft {
  schemas: NamedSchemas;
  responses: JsonObject;
  codes: Set<ErrorCode>;
}

/** The contract, wholly derived from what the operations declare. */
export function openApiOf(operations: readonly Declaration[], audience: Audience): JsonObject {
  const { title, summary, introduction } = AUDIENCES[audience];
  const stray = operations.find(({ path }) => !audienceOf(path));
  if (stray) throw new Error(`${stray.id} is under ${stray.path}, which belongs to no contract.`);

  const own = operations.filter(({ path }) => audienceOf(path) === audience);
  const draft: Draft = { schemas: nameSchemas(), responses: {}, codes: new Set() };
  const sendsEvents = own.some(({ tag }) => tag === "Webhooks");
  const content = {
    paths: pathsOf(draft, own),
    ...(sendsEvents && { webhooks: webhooksOf(draft.schemas) }),
  };
  return {
    openapi: "3.1.2",
    info: {
      title,
      version: "1",
      summary,
      description: introduction,
      contact: { name: "The operator of your installation" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      {
        url: "https://{host}",
        description: "A production installation. Its test environment has the same address.",
        variables: { host: { default: EXAMPLE_HOST, description: "Host name of your installation." } },
        "x-internal": audience !== "callers",
      },
    ],
    tags: tagsOf(own),
    ...content,
    components: componentsOf(draft, own, content),
  };
}

function pathsOf(draft: Draft, operations: readonly Declaration[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {});
    const method = operation.method.toLowerCase();
    if (item[method]) throw new Error(`Two operations are ${operation.method} ${operation.path}.`);
    item[method] = operationOf(draft, operation);
  }
  return paths;
}

function operationOf(draft: Draft, operation: Declaration): JsonObject {
  const { id, tag, summary, access, body, idempotency } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    security: securityOf(access),
    parameters: [
      ...pathParameters(draft, operation),
      ...queryParameters(draft, operation),
      ...headerParametersOf(operation),
    ],
    ...(body && {
      requestBody: { required: true, content: { "application/json": requestMedia(draft, body) } },
    }),
    responses: { ...successesOf(draft, operation), ...errorResponsesOf(draft, operation) },
    "x-access": accessExtension(access),
    "x-idempotency": idempotency,
  };
}

function descriptionOf({ description, access, http }: Declaration): string {
  return [
    ...(description ? [description] : []),
    ...(http?.maxBodyBytes ? [`**Body:** at most ${sizeOf(http.maxBodyBytes)}.`] : []),
    `**Who may call:** ${accessSentence(access)}`,
  ].join("\n\n");
}

function sizeOf(bytes: number): string {
  const kibibytes = bytes / 1024;
  return kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`;
}

function pathParameters(draft: Draft, { id, path, params }: Declaration): JsonObject[] {
  const parameters = parametersOf(draft, params, "path").map((one) => ({
    ...one,
    required: true,
    description: one["description"] ?? "Resource ID. IDs you cannot access return 404.",
    example: pathExample(path, wordOf(one["name"]), one["schema"] as JsonObject),
  }));
  const named = parameters.map((one) => wordOf((one as JsonObject)["name"]));
  const templated = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (named.toSorted().join() !== templated.toSorted().join()) {
    throw new Error(
      `${id}: the path holds {${templated.join()}}, but the declared parameters are {${named.join()}}.`,
    );
  }
  return parameters;
}

function queryParameters(draft: Draft, { id, query }: Declaration): JsonObject[] {
  return parametersOf(draft, query, "query").map((one) => {
    const schema = one["schema"] as JsonObject;
    const example = queryExample(id, wordOf(one["name"]), schema);
    return {
      ...one,
      ...(one["required"] ? { example } : optionalExample(example)),
      ...(schema["type"] === "array" && { style: "form", explode: true }),
      ...(schema["type"] === "object" && { style: "deepObject", explode: true }),
    };
  });
}

function parametersOf(draft: Draft, schema: TSchema | undefined, place: "path" | "query"): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = draft.schemas.refer(schema, "request") as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...one }]) => ({
    name,
    in: place,
    ...(required.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    schema: one,
  }));
}

function requestMedia(draft: Draft, schema: TSchema): JsonObject {
  return {
    schema: draft.schemas.refer(schema, "request"),
    example: exampleOf(schema as unknown as JsonObject),
  };
}

/** The schema of a streamed response describes one line. A CSV table is text. */
function answerContent(draft: Draft, { id, http }: Declaration, schema: TSchema): JsonObject {
  const media = {
    schema: draft.schemas.refer(schema, "answer"),
    example: answerExample(id, schema as unknown as JsonObject),
  };
  return { [http?.media ?? "application/json"]: media };
}

function successesOf(draft: Draft, operation: Declaration): JsonObject {
  const answers = Object.entries(operation.answers).map(([status, schema]): [string, Json] => [
    status,
    {
      description: `${STATUS_CODES[status] ?? status}${schema ? "." : ". The body is empty."}`,
      headers: successHeadersOf(operation, Number(status)),
      ...(schema && { content: answerContent(draft, operation, schema) }),
    },
  ]);
  return Object.fromEntries(answers);
}

/** Errors that say the same on many operations are written once. */
function errorResponsesOf(draft: Draft, operation: Declaration): JsonObject {
  const responses = [...errorsOf(operation)].map(([status, codes]): [string, Json] => {
    const response = errorResponse(draft, operation, status, codes);
    if (codes.length > 1 || (status !== 401 && status < 413)) return [String(status), response];
    const name = pascal(codes[0]!);
    draft.responses[name] ??= response;
    const isSame = JSON.stringify(draft.responses[name]) === JSON.stringify(response);
    return [String(status), isSame ? { $ref: `#/components/responses/${name}` } : response];
  });
  return Object.fromEntries(responses);
}

function errorResponse(draft: Draft, operation: Declaration, status: number, codes: ErrorCode[]): JsonObject {
  for (const code of codes) draft.codes.add(code);
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: errorHeadersOf(operation, status),
    content: {
      [PROBLEM_TYPE]: {
        schema: problemSchema(draft, codes),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
    "x-error-codes": codes,
  };
}

/** Codes with extra members come first, because any problem matches the common schema. */
function problemSchema(draft: Draft, codes: ErrorCode[]): JsonObject {
  const schemas = codes.map((code) => draft.schemas.refer(problemWith(code), "answer"));
  const byText = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const common = JSON.stringify({ $ref: "#/components/schemas/Problem" });
  const [first, ...more] = [...byText].toSorted(
    ([one], [other]) => Number(one === common) - Number(other === common),
  );
  return more.length === 0 ? first![1] : { anyOf: [first!, ...more].map(([, schema]) => schema) };
}

/** Only referenced components. */
function componentsOf(draft: Draft, operations: readonly Declaration[], content: JsonObject): JsonObject {
  const components: Record<string, JsonObject> = {
    securitySchemes: SECURITY_SCHEMES,
    parameters: HEADER_PARAMETERS,
    headers: ANSWER_HEADERS,
    responses: draft.responses,
    examples: Object.fromEntries([...draft.codes].toSorted().map((code) => [code, problemExample(code)])),
    schemas: draft.schemas.all(),
  };
  const text = JSON.stringify([content, draft.responses]);
  const schemes = new Set(operations.flatMap(({ access }) => securityOf(access)).flatMap(Object.keys));
  const isUsed = (kind: string, name: string): boolean => {
    if (kind === "securitySchemes") return schemes.has(name);
    return kind === "schemas" || text.includes(`"#/components/${kind}/${name}"`);
  };
  const used = Object.entries(components).map(([kind, all]): [string, JsonObject] => [
    kind,
    Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(kind, name))),
  ]);
  return Object.fromEntries(used.filter(([, all]) => Object.keys(all).length > 0));
}

function pascal(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
