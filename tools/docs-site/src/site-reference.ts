import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Field, type Schema, schemaShapes, typeOf } from "./site-schemas.ts";
import { slugOf } from "./site-slugs.ts";

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  schema?: Schema;
  example?: unknown;
}

interface Answer {
  $ref?: string;
  description: string;
  content?: Record<string, Content>;
  "x-error-codes"?: string[];
}

interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  security?: object[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Answer>;
}

interface Contract {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<"parameters" | "responses" | "schemas", Record<string, never>>;
}

interface ReferencePage {
  source: string;
  address: string;
  title: string;
  name: string;
  markdown: string;
}

/** Contracts of callers, operators, agents and carriers. */
const CONTRACTS = [
  { file: "openapi.json", title: "About the API", prefix: "", words: "" },
  {
    file: "openapi.operator.json",
    title: "About the operator API",
    prefix: "operator-",
    words: "Operators: ",
  },
  { file: "openapi.switch.json", title: "About the switch API", prefix: "switch-", words: "Switches: " },
  {
    file: "openapi.carrier.json",
    title: "About the carrier protocol",
    prefix: "carrier-",
    words: "Carrier protocol: ",
  },
] as const;

type Kind = (typeof CONTRACTS)[number];

/** A page for each noun of a contract, as Markdown like all the others. */
export function referencePages(root: string): ReferencePage[] {
  return CONTRACTS.flatMap((kind) => {
    const contract = readContract(root, kind);
    const { file, title, prefix, words } = kind;
    const about = contract.info.description.replaceAll("](/docs/errors)", "](../errors.md)");
    const asFile = `OpenAPI document: [${file}](../../${file}).`;
    const first = page(title, title, `${prefix}contract`, [`# ${title}`, about, asFile]);
    const nouns = contract.tags.map(({ name, description }) => {
      const operations = listOperations(contract).filter(({ operation }) => operation.tags[0] === name);
      const parts = operations.map((one) => operationMarkdown(contract, one));
      const slug = `${prefix}${slugOf(name)}`;
      return page(`Reference: ${words}${name}`, `${words}${name}`, slug, [
        `# ${name}`,
        description,
        ...parts,
      ]);
    });
    return [first, ...nouns];
  });
}

/** Links to the reference of `GET /v1/numbers` and other operations, by their notation in documents. */
export function operationPlaces(root: string): Map<string, string> {
  return new Map(
    CONTRACTS.flatMap((kind) =>
      listOperations(readContract(root, kind)).map(({ call, operation }): [string, string] => [
        call,
        `docs/reference/${kind.prefix}${slugOf(operation.tags[0])}.md#${slugOf(operation.summary)}`,
      ]),
    ),
  );
}

function readContract(root: string, { file }: Kind): Contract {
  return JSON.parse(readFileSync(join(root, file), "utf8")) as Contract;
}

interface Called {
  call: string;
  operation: Operation;
}

function listOperations({ paths }: Contract): Called[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

function page(title: string, name: string, slug: string, parts: string[]): ReferencePage {
  const address = `reference/${slug}`;
  return { source: `docs/${address}.md`, address, title, name, markdown: `${parts.join("\n\n")}\n` };
}

function operationMarkdown(contract: Contract, { call, operation }: Called): string {
  const { summary, operationId, description = "", parameters = [], requestBody, responses } = operation;
  const named = parameters.map((one) => resolve<Parameter>(contract, one));
  const [body] = Object.entries(requestBody?.content ?? {});
  return [
    `## ${summary}`,
    `\`\`\`http\n${call}\n\`\`\``,
    description,
    `Operation ID: \`${operationId}\``,
    ...curlOf(contract, call, operation),
    parameterTable(named),
    ...(body ? [bodyMarkdown(contract, "Request body", body)] : []),
    ...Object.entries(responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([status, answer]) => answerMarkdown(contract, status, resolve<Answer>(contract, answer))),
    errorTable(contract, responses),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The request with an API key, for operations that accept one. */
function curlOf(contract: Contract, call: string, operation: Operation): string[] {
  if (!operation.security?.some((one) => "apiKey" in one)) return [];
  const [method, path] = call.split(" ") as [string, string];
  const parameters = (operation.parameters ?? []).map((one) => resolve<Parameter>(contract, one));
  const isKeyed = parameters.some(({ name, required }) => name === "Idempotency-Key" && required);
  const body = operation.requestBody?.content["application/json"]?.example;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$DIALPLANE_URL${path}"`,
    '-H "Authorization: Bearer $DIALPLANE_API_KEY"',
    ...(isKeyed ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined ? [] : [`--json '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return [`\`\`\`sh\n${lines.join(" \\\n  ")}\n\`\`\``];
}

function parameterTable(parameters: Parameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(({ name, in: place, required, schema, description = "" }) => {
    const need = required ? "required" : "optional";
    return `| \`${name}\` | ${place}, ${need} | ${cell(`${typeOf(schema)}. ${description}`)} |`;
  });
  return ["| Parameter | In | Description |", "|---|---|---|", ...rows].join("\n");
}

function answerMarkdown(contract: Contract, status: string, answer: Answer): string {
  const [body] = Object.entries(answer.content ?? {});
  return body ? bodyMarkdown(contract, `Response ${status}`, body) : `${status}: ${answer.description}`;
}

function bodyMarkdown(contract: Contract, words: string, [type, content]: [string, Content]): string {
  const shapes = content.schema ? schemaShapes(contract.components.schemas, content.schema) : [];
  const tables = shapes.filter((fields) => fields.length > 0).map(fieldTable);
  const several = tables.length > 1 ? ", in one of these forms" : "";
  const example =
    content.example === undefined ? "" : `\`\`\`json\n${JSON.stringify(content.example, null, 2)}\n\`\`\``;
  return [`**${words}:** \`${type}\`${several}`, ...tables, example]
    .filter((part) => part !== "")
    .join("\n\n");
}

function fieldTable(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ name, type, isRequired, description }) =>
      `| \`${name}\` | ${cell(type)} | ${isRequired ? "always" : "optional"} | ${cell(description)} |`,
  );
  return ["| Field | Type | | Description |", "|---|---|---|---|", ...rows].join("\n");
}

function errorTable(contract: Contract, responses: Record<string, Answer>): string {
  const rows = Object.entries(responses).flatMap(([status, answer]) => {
    const codes = resolve<Answer>(contract, answer)["x-error-codes"] ?? [];
    return codes.length > 0
      ? [`| ${status} | ${codes.map((code) => `[\`${code}\`](../errors.md#${code})`).join(", ")} |`]
      : [];
  });
  return rows.length === 0 ? "" : ["| Error status | Codes |", "|---|---|", ...rows].join("\n");
}

function resolve<Kind>(contract: Contract, value: { $ref?: string }): Kind {
  if (!value.$ref) return value as Kind;
  const [, kind, name] = /^#\/components\/(\w+)\/(\w+)$/.exec(value.$ref) ?? [];
  return contract.components[kind as "parameters"][name!] as Kind;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s+/g, " ").trim();
}
