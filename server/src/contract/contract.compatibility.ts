import { findSchemaBreaks, resolved } from "./contract.compatibility-of-schemas.ts";
import { isObject, type Json, type JsonObject, wordOf } from "./contract.schemas.ts";

/**
 * Breaking changes against the released contract, one sentence each. Empty if the new contract only adds.
 * Errors are compared over the whole contract. An operation may drop an error, but a code that is gone or has
 * another status breaks clients.
 */
export function findBreaks(released: JsonObject, current: JsonObject): string[] {
  const before = operationsIn(released);
  const after = operationsIn(current);
  return [
    ...[...before].flatMap(([name, operation]) => {
      const now = after.get(name);
      if (!now) return [`${name} is gone`];
      const pair = {
        before: { document: released, value: operation },
        after: { document: current, value: now },
      };
      return findOperationBreaks(pair).map((what) => `${name}: ${what}`);
    }),
    ...findCodeBreaks(released, current),
  ];
}

interface Located {
  document: JsonObject;
  value: JsonObject;
}
interface Pair {
  before: Located;
  after: Located;
}

const METHODS = ["get", "post", "put", "patch", "delete"];

function operationsIn(document: JsonObject): Map<string, JsonObject> {
  const paths = Object.entries(document["paths"] as Record<string, JsonObject>);
  return new Map(
    paths.flatMap(([path, item]) =>
      METHODS.filter((method) => isObject(item[method])).map((method) => [
        `${method.toUpperCase()} ${path}`,
        item[method] as JsonObject,
      ]),
    ),
  );
}

function findOperationBreaks({ before, after }: Pair): string[] {
  const isRenamed = before.value["operationId"] !== after.value["operationId"];
  return [
    ...(isRenamed ? [`operationId was ${wordOf(before.value["operationId"])}`] : []),
    ...findAccessBreaks(before.value["x-access"], after.value["x-access"]),
    ...findParameterBreaks({ before, after }),
    ...findBodyBreaks({ before, after }),
    ...findAnswerBreaks({ before, after }),
  ];
}

function findAccessBreaks(before: Json | undefined, after: Json | undefined): string[] {
  if (!isObject(before) || !isObject(after)) return [];
  if (after["callers"] === "anyone") return [];
  if (before["callers"] === "anyone" || isForeign(after["callers"]))
    return ["a credential it did not ask for is needed"];
  const isTied = before["callers"] === "authenticated" && after["callers"] === "organisation";
  return [
    ...(isTied ? ["an organisation has to be chosen"] : []),
    ...findNarrowing("sessions", before["sessions"], after["sessions"]),
    ...findNarrowing("keys", before["keys"], after["keys"]),
  ];
}

function isForeign(callers: Json | undefined): boolean {
  return callers === "operator" || callers === "switch";
}

/** Lists may only grow, "any" stays any, and no requirement may be added. */
function findNarrowing(kind: string, before: Json | undefined, after: Json | undefined): string[] {
  if (!isObject(before)) return [];
  if (!isObject(after)) return [`closed to ${kind}`];
  return Object.entries(after).flatMap(([rule, now]) => {
    const then = before[rule];
    if (now === true && then === false) return [`${kind} now need ${rule}`];
    if (!Array.isArray(now)) return [];
    if (!Array.isArray(then)) return [`${kind} are narrowed to ${rule} ${now.map(wordOf).join(", ")}`];
    const lost = then.filter((one) => !now.includes(one));
    return lost.length > 0 ? [`${kind} with ${rule} ${lost.map(wordOf).join(", ")} are shut out`] : [];
  });
}

function findParameterBreaks({ before, after }: Pair): string[] {
  const then = parametersIn(before);
  const now = parametersIn(after);
  const added = [...now].filter(([name]) => !then.has(name));
  return [
    ...added.filter(([, one]) => one["required"] === true).map(([name]) => `new ${name} is required`),
    ...[...then].flatMap(([name, one]) => {
      const other = now.get(name);
      if (!other) return [`${name} is gone`];
      return [
        ...(one["required"] !== true && other["required"] === true ? [`${name} is now required`] : []),
        ...schemaBreaks({ before, after }, [one, other], { direction: "request", at: name }),
      ];
    }),
  ];
}

function parametersIn({ document, value }: Located): Map<string, JsonObject> {
  const parameters = ((value["parameters"] ?? []) as JsonObject[]).map((one) => resolved(document, one));
  return new Map(parameters.map((one) => [`${wordOf(one["in"])} parameter ${wordOf(one["name"])}`, one]));
}

function findBodyBreaks({ before, after }: Pair): string[] {
  const then = before.value["requestBody"] as JsonObject | undefined;
  const now = after.value["requestBody"] as JsonObject | undefined;
  if (!then) return now?.["required"] === true ? ["a body is now required"] : [];
  if (!now) return ["the body is gone"];
  return [
    ...(then["required"] !== true && now["required"] === true ? ["the body is now required"] : []),
    ...findContentBreaks({ before, after }, [then, now], { direction: "request", at: "body" }),
  ];
}

function findAnswerBreaks({ before, after }: Pair): string[] {
  const now = after.value["responses"] as JsonObject;
  const successes = Object.entries(before.value["responses"] as JsonObject).filter(([status]) =>
    status.startsWith("2"),
  );
  return successes.flatMap(([status, one]) => {
    if (!isObject(now[status])) return [`the answer ${status} is gone`];
    const then = resolved(before.document, one as JsonObject);
    const other = resolved(after.document, now[status]);
    const lost = Object.keys(then["headers"] ?? {}).filter(
      (name) => !(name in (other["headers"] as JsonObject)),
    );
    return [
      ...lost.map((name) => `${status}: the header ${name} is gone`),
      ...findContentBreaks({ before, after }, [then, other], { direction: "answer", at: status }),
    ];
  });
}

interface Place {
  direction: "request" | "answer";
  at: string;
}

function findContentBreaks(pair: Pair, [then, now]: [JsonObject, JsonObject], place: Place): string[] {
  const types = (then["content"] ?? {}) as Record<string, JsonObject>;
  const others = (now["content"] ?? {}) as Record<string, JsonObject>;
  return Object.entries(types).flatMap(([type, one]) => {
    const other = others[type];
    return other ? schemaBreaks(pair, [one, other], place) : [`${place.at}: ${type} is gone`];
  });
}

function schemaBreaks(
  { before, after }: Pair,
  [then, now]: [JsonObject, JsonObject],
  place: Place,
): string[] {
  return findSchemaBreaks(
    { document: before.document, value: then["schema"] as JsonObject },
    { document: after.document, value: now["schema"] as JsonObject },
    place,
  );
}

function findCodeBreaks(released: JsonObject, current: JsonObject): string[] {
  const now = statusOfCodes(current);
  return [...statusOfCodes(released)].flatMap(([code, status]) => {
    if (!now.has(code)) return [`the code ${code} is gone`];
    return now.get(code) === status ? [] : [`the code ${code} had status ${status}, now ${now.get(code)}`];
  });
}

/** Every code has an example, which carries its status. */
function statusOfCodes(document: JsonObject): Map<string, number> {
  const { examples = {} } = document["components"] as {
    examples?: Record<string, { value: { status: number } }>;
  };
  return new Map(Object.entries(examples).map(([code, { value }]) => [code, value.status]));
}
