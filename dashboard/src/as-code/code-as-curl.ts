import { OPERATIONS as OPERATORS } from "../../../sdk/src/generated/operator-wire.ts";
import { OPERATIONS } from "../../../sdk/src/generated/wire.ts";
import { isOperators, recipeOf, type ShownOperation } from "./code-recipes.ts";
import type { AnyCall, CallPlace } from "./shown-call.ts";

/** Quotes text as one shell word. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Method, path with names of parameters, and whether it takes an idempotency key. */
export function rowOf(operation: ShownOperation): readonly [string, string, string] {
  return isOperators(operation) ? OPERATORS[operation] : OPERATIONS[operation];
}

/** Method and path. */
export function requestOf({ operation, path = {}, query = {} }: AnyCall): {
  method: string;
  address: string;
} {
  const [method, template] = rowOf(operation);
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, `${one}`]),
  );
  const search = new URLSearchParams(given).toString();
  return { method, address: filled + (search && `?${search}`) };
}

/** Runs unchanged once the variable holds a credential. The idempotency key makes repeated runs safe. */
export function asCurl(call: AnyCall, place: CallPlace, idempotencyKey: string): string {
  const { method, address } = requestOf(call);
  const [, , repetition] = rowOf(call.operation);
  const variable = recipeOf(call.operation).callers === "key" ? "DIALPLANE_API_KEY" : "DIALPLANE_TOKEN";
  const headers = [
    ...(place.inside
      ? [`X-Service-Org: ${place.inside.organisation}`, `X-Service-Environment: ${place.inside.environment}`]
      : []),
    ...(repetition === "keyed" ? [`Idempotency-Key: ${idempotencyKey}`] : []),
    ...(call.ifGeneration === undefined ? [] : [`If-Match: "${call.ifGeneration}"`]),
    ...(call.body === undefined ? [] : ["Content-Type: application/json"]),
  ];
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(place.origin + address)}`,
    `-H "Authorization: Bearer $${variable}"`,
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(call.body === undefined ? [] : [`--data ${quoted(JSON.stringify(call.body))}`]),
  ].join(" \\\n  ");
}
