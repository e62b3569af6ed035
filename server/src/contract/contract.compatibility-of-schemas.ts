import { isObject, type Json, type JsonObject, wordOf } from "./contract.schemas.ts";

interface Located {
  document: JsonObject;
  value: JsonObject;
}
interface Place {
  direction: "request" | "answer";
  at: string;
  /** References followed on the way here: a shape that contains itself is compared once. */
  followed?: readonly string[];
}

/**
 * A request may only become more lenient: what was accepted stays accepted. An answer may only become more
 * specific or gain fields: what was there stays there, in the same type.
 */
export function findSchemaBreaks(before: Located, after: Located, outer: Place): string[] {
  const { $ref } = before.value;
  if (typeof $ref === "string" && outer.followed?.includes($ref)) return [];
  const place = typeof $ref === "string" ? { ...outer, followed: [...(outer.followed ?? []), $ref] } : outer;
  const then = { ...before, value: resolved(before.document, before.value) };
  const now = { ...after, value: resolved(after.document, after.value) };
  return [
    ...findTypeBreaks(then.value, now.value, place),
    ...(place.direction === "request" ? findLimitBreaks(then.value, now.value, place.at) : []),
    ...findPropertyBreaks(then, now, place),
    ...findChoiceBreaks(then, now, place),
    ...findItemBreaks(then, now, place),
  ];
}

export function resolved(document: JsonObject, value: JsonObject): JsonObject {
  const { $ref } = value;
  if (typeof $ref !== "string") return value;
  const target = $ref
    .slice(2)
    .split("/")
    .reduce<Json | undefined>((at, part) => (isObject(at) ? at[part] : undefined), document);
  if (!isObject(target)) throw new Error(`${$ref} leads nowhere.`);
  return resolved(document, target);
}

function findTypeBreaks(then: JsonObject, now: JsonObject, { direction, at }: Place): string[] {
  const [wide, narrow] = direction === "request" ? [now, then] : [then, now];
  const isTypeKept =
    wide["type"] === undefined ||
    (narrow["type"] !== undefined && typesOf(narrow).every((one) => typesOf(wide).includes(one)));
  return [
    ...(isTypeKept
      ? []
      : [
          `${at}: type was ${typesOf(then).join(" or ") || "any"}, now ${typesOf(now).join(" or ") || "any"}`,
        ]),
    ...(then["format"] === now["format"]
      ? []
      : [`${at}: format was ${text(then["format"])}, now ${text(now["format"])}`]),
    ...findEnumBreaks(then["enum"], now["enum"], { direction, at }),
  ];
}

/** `integer` is a kind of `number`, so a request that took integers may take numbers. */
function typesOf({ type }: JsonObject): string[] {
  const types = type === undefined ? [] : [type].flat().map(String);
  return types.includes("number") ? [...types, "integer"] : types;
}

/** Enumerations in answers are open by contract; in requests a value that was taken stays. */
function findEnumBreaks(then: Json | undefined, now: Json | undefined, { direction, at }: Place): string[] {
  if (direction === "answer" || !Array.isArray(now)) return [];
  if (!Array.isArray(then)) return [`${at}: only ${now.map(wordOf).join(", ")} are accepted now`];
  const lost = then.filter((value) => !now.includes(value));
  return lost.length > 0 ? [`${at}: ${lost.map(wordOf).join(", ")} is no longer accepted`] : [];
}

const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const EXACT = ["pattern", "const", "multipleOf"];

function findLimitBreaks(then: JsonObject, now: JsonObject, at: string): string[] {
  const isLower = (name: string): boolean => numberOr(now[name], Infinity) < numberOr(then[name], Infinity);
  const isHigher = (name: string): boolean =>
    numberOr(now[name], -Infinity) > numberOr(then[name], -Infinity);
  const changed = [
    ...UPPER.filter(isLower),
    ...LOWER.filter(isHigher),
    ...EXACT.filter((name) => now[name] !== undefined && text(now[name]) !== text(then[name])),
    ...(now["uniqueItems"] === true && then["uniqueItems"] !== true ? ["uniqueItems"] : []),
    ...(then["default"] !== undefined && text(now["default"]) !== text(then["default"]) ? ["default"] : []),
  ];
  return changed.map((name) => `${at}: ${name} was ${text(then[name])}, now ${text(now[name])}`);
}

function findPropertyBreaks(then: Located, now: Located, place: Place): string[] {
  const { direction, at } = place;
  const properties = (then.value["properties"] ?? {}) as Record<string, JsonObject>;
  const others = (now.value["properties"] ?? {}) as Record<string, JsonObject>;
  const wasRequired = (then.value["required"] ?? []) as string[];
  const isRequired = (now.value["required"] ?? []) as string[];
  const demanded = direction === "request" ? isRequired.filter((name) => !wasRequired.includes(name)) : [];
  const withdrawn =
    direction === "answer" ? wasRequired.filter((name) => name in others && !isRequired.includes(name)) : [];
  const isClosed =
    direction === "request" &&
    now.value["additionalProperties"] === false &&
    then.value["additionalProperties"] !== false;
  return [
    ...(isClosed ? [`${at}: further fields are no longer accepted`] : []),
    ...demanded.map((name) => `${at}.${name} is now required`),
    ...withdrawn.map((name) => `${at}.${name} may now be absent`),
    ...Object.entries(properties).flatMap(([name, one]) => {
      const other = others[name];
      if (!other) return [`${at}.${name} is gone`];
      return findSchemaBreaks(
        { ...then, value: one },
        { ...now, value: other },
        { ...place, at: `${at}.${name}` },
      );
    }),
  ];
}

/** Choices are matched by name or place: in requests none may vanish, in answers none may come. */
function findChoiceBreaks(then: Located, now: Located, place: Place): string[] {
  const { direction, at } = place;
  return ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const choices = (then.value[keyword] ?? []) as JsonObject[];
    const others = (now.value[keyword] ?? []) as JsonObject[];
    const isUneven = isLenient(keyword, direction)
      ? others.length < choices.length
      : others.length > choices.length;
    if (isUneven) return [`${at}: ${keyword} had ${choices.length} parts, now ${others.length}`];
    return choices.flatMap((one, index) => {
      const other =
        others.find((candidate) => one["$ref"] !== undefined && candidate["$ref"] === one["$ref"]) ??
        others[index];
      if (!other) return [];
      return findSchemaBreaks(
        { ...then, value: one },
        { ...now, value: other },
        { ...place, at: `${at} (${keyword} ${index + 1})` },
      );
    });
  });
}

/** Another choice widens, another part of allOf narrows; requests may widen, answers may narrow. */
function isLenient(keyword: string, direction: Place["direction"]): boolean {
  return (keyword === "allOf") === (direction === "answer");
}

function findItemBreaks(then: Located, now: Located, place: Place): string[] {
  const at = `${place.at}[]`;
  const one = then.value["items"];
  const other = now.value["items"];
  if (isObject(one) && isObject(other))
    return findSchemaBreaks({ ...then, value: one }, { ...now, value: other }, { ...place, at });
  const isLost = place.direction === "answer" ? isObject(one) : isObject(other);
  return isLost
    ? [`${at}: the entries are described ${isObject(one) ? "no longer" : "and so restricted now"}`]
    : [];
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}

function text(value: Json | undefined): string {
  return value === undefined ? "unset" : JSON.stringify(value);
}
