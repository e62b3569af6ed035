import { Call, Listing, type Page } from "./call.ts";
import type { Operations } from "./generated/wire.ts";
import type { Repetition } from "./retry.rules.ts";
import { type CallOptions, send, type Settings } from "./transport.ts";

interface Described {
  path: unknown;
  query: unknown;
  body: unknown;
  answer: unknown;
}
/** Input and output of each operation of a contract. */
type Contract<All> = Record<keyof All, Described>;
/** How each of them is sent. */
type Table<All> = Readonly<Record<keyof All, readonly [method: string, path: string, Repetition]>>;

export type Query<Of extends keyof All, All extends Contract<All> = Operations> = All[Of]["query"];
export type Body<Of extends keyof All, All extends Contract<All> = Operations> = All[Of]["body"];
export type AnswerOf<Of extends keyof All, All extends Contract<All> = Operations> = All[Of]["answer"];
type ItemOf<Of extends keyof All, All extends Contract<All>> = All[Of]["answer"] extends {
  data: (infer Item)[];
}
  ? Item
  : never;

/** Input of an operation, without the parts it lacks. */
type Input<Of extends keyof All, All extends Contract<All>> = {
  [Part in "path" | "query" | "body" as All[Of][Part] extends undefined ? never : Part]: Part extends "query"
    ? All[Of][Part] | undefined
    : All[Of][Part];
};

export interface WriteOptions extends CallOptions {
  /** One is created for each call; give your own to continue with a call of an earlier life of your program. */
  idempotencyKey?: string | undefined;
}

export interface Conditional {
  /** Only if this generation is still the one; a PreconditionError otherwise. */
  ifGeneration?: number | undefined;
}

/** Options of some operations. */
export interface EveryOption extends WriteOptions, Conditional {
  /** Time that the service may wait before it responds. */
  waitSeconds?: number | undefined;
}

/** All operations of a contract, by name. The resource clients use it. */
export interface WireApi<All extends Contract<All> = Operations> {
  call<Of extends keyof All & string>(
    name: Of,
    input: Input<Of, All>,
    options?: EveryOption,
  ): Call<AnswerOf<Of, All>>;
  /** An operation that answers page by page; `after` is what its parameter for the next page is called. */
  list<Of extends keyof All & string>(
    name: Of,
    input: Input<Of, All>,
    options?: CallOptions,
    after?: "cursor" | "after",
  ): Listing<ItemOf<Of, All>, AnswerOf<Of, All> & Page<ItemOf<Of, All>>>;
  /** Any request by its method and its path with the query, such as `/v1/numbers?limit=2`: for what has no name here. */
  request<Data = unknown>(
    method: string,
    path: string,
    options?: EveryOption & { body?: unknown },
  ): Call<Data>;
}

export function wireApi<All extends Contract<All>>(settings: Settings, table: Table<All>): WireApi<All> {
  const call: WireApi<All>["call"] = (name, input, options = {}) => {
    const [method, template, repetition] = table[name];
    const { path, query, body } = input as { path?: Record<string, string>; query?: object; body?: unknown };
    const { idempotencyKey, ifGeneration, waitSeconds, ...rest } = options;
    const request = {
      operation: name,
      method,
      path: fill(template, path ?? {}),
      query: queryString(query ?? {}),
      body,
      repetition,
      idempotencyKey: repetition === "keyed" ? (idempotencyKey ?? newKey()) : undefined,
      ifGeneration,
      waitSeconds,
    };
    return new Call(send(settings, request, rest));
  };
  const list: WireApi<All>["list"] = (name, input, options = {}, after = "cursor") =>
    new Listing((cursor) => {
      const { query } = input as { query?: object };
      const next = cursor === undefined ? query : { ...query, [after]: cursor };
      return call(name, { ...input, query: next }, options) as Call<never>;
    });
  const request: WireApi<All>["request"] = (method, address, options = {}) => {
    const { body, idempotencyKey, ifGeneration, waitSeconds, ...rest } = options;
    const [path = "", query] = address.split("?", 2);
    const repetition = repetitionOf(Object.values(table), { method, path, key: idempotencyKey });
    const wanted = {
      operation: `${method} ${path}`,
      method,
      path,
      query: query === undefined ? "" : `?${query}`,
      body,
      repetition,
      idempotencyKey: idempotencyKey ?? (repetition === "keyed" ? newKey() : undefined),
      ifGeneration,
      waitSeconds,
    };
    return new Call(send(settings, wanted, rest));
  };
  return { call, list, request };
}

/** As the contract has it for what it knows; of the rest, only reads and what has a key are done twice. */
function repetitionOf(
  rows: readonly Table<Operations>[keyof Operations][],
  { method, path, key }: { method: string; path: string; key: string | undefined },
): Repetition {
  const fits = (template: string): boolean =>
    new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
  const known = rows.find(([verb, template]) => verb === method && fits(template));
  if (known) return known[2];
  return method === "GET" ? "read" : key === undefined ? "once" : "keyed";
}

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // An empty id would turn the address of one thing into that of all.
    if (!value) throw new TypeError(`${name} is empty`);
    return encodeURIComponent(value);
  });
}

function queryString(query: object): string {
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => pairsOf(name, value)));
  return search.size > 0 ? `?${search.toString()}` : "";
}

/** A list repeats its name. An object names each key, as in `metadata[site]`. */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map((one) => [name, String(one)]);
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, one]) => pairsOf(`${name}[${key}]`, one));
  return [[name, `${value as string | number | boolean}`]];
}

/** 128 random bits. Not randomUUID, which browsers have on https only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
