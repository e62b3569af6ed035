import type { ErrorObject } from "ajv";

export interface Fault {
  /** A JSON pointer to the value at fault. */
  path: string;
  code: "unknown" | "required" | "not_allowed" | "wrong_type" | "malformed";
  /** Follows the name of the value: "must be a string". */
  detail: string;
}

/** More would help no reader, and a hostile body could have thousands. */
const MOST_FAULTS = 20;

/** Faults of a value in API terms, without duplicates. */
export function faultsOf(errors: readonly ErrorObject[]): Fault[] {
  // A choice between several sets of fields is one fault, whatever each set lacks.
  const choices = errors
    .filter(({ keyword }) => keyword === "oneOf")
    .map(({ schemaPath }) => `${schemaPath}/`);
  const own = errors.filter(
    (error) =>
      !choices.some((choice) => error.schemaPath.startsWith(choice)) &&
      !isEmptyText(error) &&
      // The fault of a key follows as `propertyNames`.
      error.propertyName === undefined,
  );
  const faults = own
    .slice(0, MOST_FAULTS)
    .map(faultOf)
    .map(({ path, ...fault }) => ({ path: shortened(path), ...fault }));
  // A missing discriminator appears twice: as a required field, and as an enum.
  const byFault = new Map(
    faults.map((fault) => [`${fault.path} ${fault.code === "required" ? "" : fault.detail}`, fault]),
  );
  return [...byFault.values()];
}

/** An empty text already violates minLength. Its format adds nothing. */
function isEmptyText({ keyword, data, parentSchema }: ErrorObject): boolean {
  return (
    (keyword === "pattern" || keyword === "format") && data === "" && Number(parentSchema?.["minLength"]) > 0
  );
}

function faultOf(error: ErrorObject): Fault {
  const { instancePath: path, keyword, params } = error;
  const inside = (name: unknown): string => `${path}/${escaped(String(name))}`;
  switch (keyword) {
    case "additionalProperties": {
      const known = Object.keys((error.parentSchema?.["properties"] ?? {}) as object);
      const allowed = known.length > 0 ? ` (allowed: ${known.join(", ")})` : "";
      return {
        path: inside(params["additionalProperty"]),
        code: "unknown",
        detail: `is not allowed here${allowed}`,
      };
    }
    case "propertyNames":
      return { path: inside(params["propertyName"]), code: "malformed", detail: "is not a valid key" };
    case "required":
      return { path: inside(params["missingProperty"]), code: "required", detail: "is required" };
    case "discriminator":
      return wrongKind(inside(params["tag"]), error);
    case "oneOf":
      return { path, code: params["passingSchemas"] ? "not_allowed" : "required", detail: choiceOf(error) };
    case "enum":
      return { path, code: "not_allowed", detail: `must be one of ${listOf(params["allowedValues"])}` };
    case "const":
      return { path, code: "not_allowed", detail: `must be ${JSON.stringify(params["allowedValue"])}` };
    case "type":
      return { path, code: "wrong_type", detail: `must be ${typeOf(params["type"])}` };
    default:
      return { path, code: "malformed", detail: limitOf(error) };
  }
}

/** The discriminator's value matches none of the shapes. */
function wrongKind(path: string, { params, parentSchema }: ErrorObject): Fault {
  const { tag, tagValue } = params as { tag: string; tagValue?: unknown };
  type Shape = { properties: Record<string, { enum?: unknown[] }> };
  const allowed = (parentSchema!["oneOf"] as Shape[]).flatMap(
    ({ properties }) => properties[tag]?.enum ?? [],
  );
  return {
    path,
    code: tagValue === undefined ? "required" : "not_allowed",
    detail: `must be one of ${listOf(allowed)}`,
  };
}

function choiceOf({ parentSchema }: ErrorObject): string {
  const sets = (parentSchema!["oneOf"] as { required?: string[] }[]).map(({ required = [] }) =>
    required.join(" and "),
  );
  return `must have exactly one of these: ${sets.join("; ")}`;
}

function limitOf({ keyword, params, parentSchema, message }: ErrorObject): string {
  const limit = Number(params["limit"]);
  switch (keyword) {
    case "minLength":
      return limit === 1 ? "must not be empty" : `must have at least ${limit} characters`;
    case "maxLength":
      return `must have at most ${limit} characters`;
    case "minItems":
      return limit === 1 ? "must not be empty" : `must have at least ${limit} items`;
    case "maxItems":
      return `must have at most ${limit} items`;
    case "maxProperties":
      return `must have at most ${limit} fields`;
    case "minProperties":
      return limit === 1 ? "must have at least one field" : `must have at least ${limit} fields`;
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "uniqueItems":
      return "must not have the same item twice";
    case "format":
      return `must be ${FORMATS[String(params["format"])] ?? `a valid ${String(params["format"])}`}`;
    case "pattern":
      return patternOf(parentSchema);
    default:
      return message ?? "is not valid";
  }
}

const FORMATS: Record<string, string> = {
  uuid: "a UUID",
  network: "a network such as 192.0.2.0/24",
  email: "an email address",
};

function patternOf(schema: ErrorObject["parentSchema"]): string {
  const [example] = (schema?.["examples"] ?? []) as string[];
  return `has an invalid format${example === undefined ? "" : ` (example: ${example})`}`;
}

const ARTICLES: Record<string, string> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null",
};

function typeOf(types: unknown): string {
  return [types]
    .flat()
    .map((type) => ARTICLES[String(type)] ?? String(type))
    .join(" or ");
}

function listOf(values: unknown): string {
  return (values as unknown[]).map(String).join(", ");
}

/** Names in a body are the caller's, of any length. */
function shortened(path: string): string {
  return path.length > MOST_CHARACTERS ? `${path.slice(0, MOST_CHARACTERS)}…` : path;
}

const MOST_CHARACTERS = 200;

/** RFC 6901 §3. */
function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
