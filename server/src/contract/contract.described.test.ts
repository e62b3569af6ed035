import { expect, test } from "vitest";
import { OPERATIONS } from "../operations.ts";
import { resolved } from "./contract.compatibility-of-schemas.ts";
import { type Audience, openApiOf } from "./contract.openapi.ts";
import { isObject, type Json, type JsonObject } from "./contract.schemas.ts";

const AUDIENCES: Audience[] = ["callers", "operator", "switches"];
const MAX_SUMMARY_WORDS = 6;

test.each(AUDIENCES)("describes every field, parameter and header for %s", (audience) => {
  const contract = openApiOf(OPERATIONS, audience);

  expect(undescribedIn(contract["components"]!, "#")).toEqual([]);
  expect(undescribedIn(contract["paths"]!, "#")).toEqual([]);
});

test.each(AUDIENCES)("gives each operation for %s a short summary and a description", (audience) => {
  const { paths } = openApiOf(OPERATIONS, audience) as { paths: Record<string, Record<string, JsonObject>> };
  const operations = Object.values(paths).flatMap(Object.values<JsonObject>);

  const faults = operations.filter(({ summary, description }) => {
    const isShort = isText(summary) && summary.split(" ").length <= MAX_SUMMARY_WORDS;
    // Each description ends with the access rule, so one that starts with it says nothing else.
    const isDescribed = isText(description) && !description.startsWith("**");
    return !isShort || String(summary).endsWith(".") || !isDescribed;
  });

  expect(faults.map(({ operationId }) => operationId)).toEqual([]);
});

test("finds a field without a description, also within a list", () => {
  const schema = { properties: { ids: { type: "array", items: { properties: { id: {} } } } } };

  expect(undescribedIn(schema, "#")).toEqual(["#/properties/ids", "#/properties/ids/items/properties/id"]);
});

test("finds parameters and headers without a description", () => {
  const operation = {
    parameters: [{ name: "limit", in: "query" }, { $ref: "#/components/parameters/Prefer" }],
    responses: { 200: { headers: { Link: {}, ETag: { $ref: "#/components/headers/ETag" } } } },
  };

  expect(undescribedIn(operation, "#")).toEqual(["#/parameters/0", "#/responses/200/headers/Link"]);
});

test("takes the description next to a reference", () => {
  const contract = openApiOf(OPERATIONS, "callers");
  const { properties } = resolved(contract, { $ref: "#/components/schemas/Routing" });

  expect((properties as JsonObject)["desired"]).toEqual({
    $ref: "#/components/schemas/DesiredRouting",
    description: "Routing that you set.",
  });
});

/** Places of fields, parameters and headers without a description. */
function undescribedIn(value: Json, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => undescribedIn(one, `${place}/${index}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, within]) => {
    const inner = `${place}/${name}`;
    // An example is a value, and a field of it can have any name.
    if (name === "example" || name === "examples" || name === "default") return [];
    const missing = membersOf(name, within).filter(([, member]) => !isDescribed(name, member));
    return [...missing.map(([key]) => `${inner}/${key}`), ...undescribedIn(within, inner)];
  });
}

function membersOf(name: string, within: Json): [string, Json][] {
  const hasMembers = name === "properties" || name === "headers" || name === "parameters";
  return hasMembers && typeof within === "object" && within !== null ? Object.entries(within) : [];
}

/** Referred parameters and headers have their description in the component. */
function isDescribed(name: string, member: Json): boolean {
  if (!isObject(member)) return false;
  return isText(member["description"]) || (name !== "properties" && member["$ref"] !== undefined);
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value.trim() !== "";
}
