import { newId } from "../../src/platform/ids.ts";
import type { ContractOperation, Schema } from "./fuzz-contract.ts";
import type { Chooser } from "./fuzz-random.ts";
import type { Values } from "./fuzz-values.ts";

/** A request before it is written out. */
export interface Draft {
  /** Path parameters, escaped already. */
  params: Record<string, string>;
  query: [name: string, value: string][];
  headers: Record<string, string | string[]>;
  /** JSON, or raw text if `text` is set. */
  body: unknown;
  text?: string;
  /** False if the path may match no operation. */
  isRouted: boolean;
}

export interface Mutating {
  operation: ContractOperation;
  values: Values;
  choose: Chooser;
  bodySchema: Schema | undefined;
}

type Mutation = (draft: Draft, mutating: Mutating) => void;

const HEADERS: Record<string, readonly (string | string[])[]> = {
  "idempotency-key": ["", "x", "x".repeat(256), '"quoted"', '"', "ü", "a b", ["one", "two"], newId()],
  "if-match": ["*", '"1"', 'W/"1"', "1", '"a","b"', '""', "", '"x'.repeat(400), ['"1"', '"2"']],
  // Waits are short: longer ones would only hold up the run.
  prefer: [
    "wait=0",
    "wait=1",
    "wait=x",
    "wait=-1",
    'wait="1"',
    "wait=1.5",
    "respond-async",
    ",,",
    ["wait=0", "a"],
  ],
  accept: ["text/html", "*/*;q=0", "nonsense", "application/json;q=0.1, text/csv"],
  "accept-encoding": ["gzip", "identity;q=0"],
  "accept-language": ["xx", "de-DE;q=2"],
  "content-encoding": ["gzip", "identity"],
  "content-type": [
    "",
    "json",
    "text/plain",
    "application/json; charset=utf-16",
    "application/problem+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json;",
  ],
  "x-service-org": ["", "garbage", newId(), newId().toUpperCase(), [newId(), newId()]],
  "x-service-environment": ["live", "test", "LIVE", "", "prod", ["live", "test"]],
  authorization: ["", "Bearer", "Bearer ", "Basic YTpi", "bearer garbage", "Bearer two words", "ü"],
  cookie: ["__Host-svc_session=", "__Host-svc_session=%zz; a=b", "=;;=", "x".repeat(4_000)],
  origin: ["https://evil.example", "null"],
  "sec-fetch-site": ["cross-site", "none", "nonsense"],
  "last-event-id": ["", "x", "5XzYb2bJcVQnX0dE6Sx3rw", "9".repeat(900)],
  "x-forwarded-for": ["192.0.2.7", "garbage, ::1"],
  range: ["bytes=0-1", "bytes=9-1"],
  "if-none-match": ["*"],
  "x-http-method-override": ["DELETE"],
};

const RAW_PARAMS = [
  "%",
  "%zz",
  "%c3%28",
  "%00",
  "%ff",
  "a%2fb",
  "%2e%2e",
  "..",
  "+",
  "é",
  ";a=b",
  "~",
  "%20",
];

const RAW_BODIES: readonly string[] = [
  "",
  " ",
  "{",
  "{}}",
  "null",
  "[]",
  "1",
  '"text"',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":1,"a":2}',
  '{"__proto__":{"a":1}}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  "\u{feff}{}",
  "[".repeat(33) + "]".repeat(33),
  `${'{"a":'.repeat(40)}1${"}".repeat(40)}`,
  "[".repeat(50_000),
  `{"a":"${"x".repeat(250_000)}"}`,
  `{"a":"${"x".repeat(300_000)}"}`,
  "a=1&b=2",
];

const mutateParam: Mutation = (draft, { choose, values }) => {
  const names = Object.keys(draft.params);
  if (names.length === 0) return;
  const value = choose.chance(0.5) ? choose.pick(RAW_PARAMS) : escaped(values.odd(undefined, choose));
  draft.params[choose.pick(names)] = value;
  if (value === "") draft.isRouted = false;
};

const mutateQuery: Mutation = (draft, { operation, choose, values }) => {
  const declared = operation.parameters.filter((parameter) => parameter.in === "query");
  const parameter = declared.length > 0 && choose.chance(0.8) ? choose.pick(declared) : undefined;
  const name = parameter?.name ?? choose.pick(["unknown", "", "__proto__", "limit[]", "a=b", "constructor"]);
  const value =
    choose.chance(0.5) && parameter
      ? values.fitting(parameter.schema, choose)
      : values.odd(parameter?.schema, choose);
  if (choose.chance(0.5)) draft.query = draft.query.filter(([other]) => other !== name);
  draft.query.push([name, asText(value)]);
  if (choose.chance(0.15)) draft.query.push([name, asText(values.odd(parameter?.schema, choose))]);
};

const mutateHeader: Mutation = (draft, { operation, choose }) => {
  const own = operation.parameters.filter((parameter) => parameter.in === "header");
  const name =
    own.length > 0 && choose.chance(0.6)
      ? choose.pick(own).name.toLowerCase()
      : choose.pick(Object.keys(HEADERS));
  if (choose.chance(0.15)) delete draft.headers[name];
  else draft.headers[name] = choose.pick(HEADERS[name]!);
};

const mutateBody: Mutation = (draft, { bodySchema, choose, values }) => {
  if (choose.chance(0.15)) draft.text = choose.pick(RAW_BODIES);
  else draft.body = mutated(draft.body, bodySchema, { choose, values });
};

/** Operations without a body, and those that read, get one anyway. */
const giveBody: Mutation = (draft, { choose }) => {
  draft.text = choose.pick(RAW_BODIES);
};

export function mutate(draft: Draft, mutating: Mutating): void {
  const { operation, choose } = mutating;
  const mutations = [
    mutateHeader,
    ...(operation.path.includes("{") ? [mutateParam] : []),
    ...(operation.method === "GET" ? [mutateQuery, mutateQuery, mutateQuery] : [mutateQuery]),
    ...(operation.body ? [mutateBody, mutateBody, mutateBody] : []),
    ...(!operation.body && choose.chance(0.3) ? [giveBody] : []),
  ];
  choose.pick(mutations)(draft, mutating);
}

/** The same document with one place in it changed. */
function mutated(
  body: unknown,
  schema: Schema | undefined,
  tools: { choose: Chooser; values: Values },
): unknown {
  const { choose, values } = tools;
  if (typeof body !== "object" || body === null || choose.chance(0.05)) return values.odd(schema, choose);
  if (Array.isArray(body)) return mutatedList(body, schema, tools);
  const names = Object.keys(body);
  const members = { ...body } as Record<string, unknown>;
  if (names.length === 0 || choose.chance(0.1))
    return { ...members, [choose.pick(["unknown", "constructor", "", "id"])]: values.odd(undefined, choose) };
  const name = choose.pick(names);
  if (choose.chance(0.15)) delete members[name];
  else members[name] = mutated(members[name], schema?.properties?.[name], tools);
  return members;
}

function mutatedList(
  list: unknown[],
  schema: Schema | undefined,
  tools: { choose: Chooser; values: Values },
): unknown[] {
  const { choose, values } = tools;
  if (list.length === 0 || choose.chance(0.2)) return [...list, values.odd(schema?.items, choose)];
  if (choose.chance(0.3)) return [...list, ...list];
  const at = choose.below(list.length);
  return list.with(at, mutated(list[at], schema?.items, tools));
}

export function escaped(value: unknown): string {
  return encodeURIComponent(asText(value).toWellFormed());
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
