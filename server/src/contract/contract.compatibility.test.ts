import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findBreaks } from "./contract.compatibility.ts";
import { CONTRACT, RELEASED_CONTRACT, REPOSITORY } from "./contract.generated.ts";
import type { JsonObject } from "./contract.schemas.ts";

function read(file: string): JsonObject {
  return JSON.parse(readFileSync(join(REPOSITORY, file), "utf8")) as JsonObject;
}

test("keeps the released contract compatible", () => {
  const released = read(RELEASED_CONTRACT);
  expect(Object.keys(released["paths"] as JsonObject).length).toBeGreaterThan(10);
  expect(findBreaks(released, read(CONTRACT))).toEqual([]);
});

/** A small contract with one of everything; small enough to be read next to the changes below. */
function contract() {
  return {
    paths: {
      "/v1/things": {
        get: {
          operationId: "listThings",
          "x-access": {
            callers: "organisation",
            sessions: { roles: "any", transports: ["cookie", "bearer"], recent_password: false },
            keys: { scopes: ["numbers", "full"] },
          },
          parameters: [
            {
              name: "limit",
              in: "query",
              schema: { type: "integer", minimum: 1, maximum: 1000, default: 200 },
            },
            { $ref: "#/components/parameters/Organisation" },
          ] as JsonObject[],
          responses: {
            200: {
              headers: { "Request-Id": {}, Link: {} } as JsonObject,
              content: {
                "application/json": { schema: { $ref: "#/components/schemas/ThingPage" } },
              } as JsonObject,
            },
            403: { content: {} },
          } as JsonObject,
        },
        post: {
          operationId: "makeThing",
          "x-access": {
            callers: "organisation",
            sessions: { roles: ["owner", "admin"], transports: ["cookie", "bearer"], recent_password: false },
            keys: null as JsonObject | null,
          },
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: "#/components/schemas/MakeThing" } } },
          },
          responses: {
            201: {
              headers: {},
              content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
            },
          } as JsonObject,
        },
      },
    },
    components: {
      parameters: {
        Organisation: {
          name: "X-Service-Org",
          in: "header",
          schema: { type: "string", format: "uuid" },
        } as JsonObject,
      },
      examples: {
        last_owner: { value: { status: 409 } },
        role_not_allowed: { value: { status: 403 } },
      } as JsonObject,
      schemas: {
        MakeThing: {
          type: "object",
          additionalProperties: false,
          required: ["name"],
          properties: {
            name: { type: "string", minLength: 1, maxLength: 100 },
            mode: { type: "string", enum: ["plain", "fancy"] },
            tags: { type: "array", maxItems: 10, items: { type: "string", maxLength: 20 } },
            target: { oneOf: [{ type: "string" }, { type: "null" }] },
          } as Record<string, JsonObject>,
        },
        Thing: {
          type: "object",
          required: ["id", "name", "made_at"],
          properties: {
            id: { type: "string", format: "uuid" },
            name: { type: "string", maxLength: 100 },
            made_at: { type: "string", format: "date-time" },
            parent: { anyOf: [{ $ref: "#/components/schemas/Thing" }, { type: "null" }] },
          } as Record<string, JsonObject>,
        },
        ThingPage: {
          type: "object",
          required: ["data"],
          properties: { data: { type: "array", items: { $ref: "#/components/schemas/Thing" } } },
        },
      },
    },
  };
}
type Contract = ReturnType<typeof contract>;

function breaksAfter(change: (changed: Contract) => void): string[] {
  const changed = contract();
  change(changed);
  return findBreaks(contract(), changed);
}

const list = (document: Contract) => document.paths["/v1/things"].get;
const make = (document: Contract) => document.paths["/v1/things"].post;
const body = (document: Contract) => document.components.schemas.MakeThing;
const thing = (document: Contract) => document.components.schemas.Thing;

const breaks: [what: string, change: (document: Contract) => unknown, told: string][] = [
  [
    "a path is removed",
    (d) => delete (d.paths as Partial<Contract["paths"]>)["/v1/things"],
    "GET /v1/things is gone",
  ],
  [
    "a method is removed",
    (d) => delete (d.paths["/v1/things"] as { post?: unknown }).post,
    "POST /v1/things is gone",
  ],
  [
    "an operation is renamed",
    (d) => (list(d).operationId = "getThings"),
    "GET /v1/things: operationId was listThings",
  ],
  [
    "an answer is removed",
    (d) => (make(d).responses = { 202: {} }),
    "POST /v1/things: the answer 201 is gone",
  ],
  [
    "an answer loses its body",
    (d) => ((make(d).responses["201"] as JsonObject)["content"] = {}),
    "201: application/json is gone",
  ],
  [
    "an answer loses a header",
    (d) => delete ((list(d).responses["200"] as JsonObject)["headers"] as JsonObject)["Link"],
    "200: the header Link is gone",
  ],
  ["a field of an answer is removed", (d) => delete thing(d).properties["name"], "200.data[].name is gone"],
  [
    "a field of an answer may be absent",
    (d) => (thing(d).required = ["id", "name"]),
    "201.made_at may now be absent",
  ],
  [
    "a field of an answer may be null",
    (d) => (thing(d).properties["name"]!["type"] = ["string", "null"]),
    "201.name: type was string, now string or null",
  ],
  [
    "a field of an answer changes type",
    (d) => (thing(d).properties["id"] = { type: "integer", format: "uuid" }),
    "201.id: type was string, now integer",
  ],
  [
    "a field of an answer changes format",
    (d) => (thing(d).properties["made_at"]!["format"] = "date"),
    '201.made_at: format was "date-time", now "date"',
  ],
  [
    "a field of an answer gets another choice",
    (d) => (thing(d).properties["parent"]!["anyOf"] as JsonObject[]).push({ type: "string" }),
    "201.parent: anyOf had 2 parts, now 3",
  ],
  ["a query parameter is removed", (d) => list(d).parameters.shift(), "query parameter limit is gone"],
  [
    "a required query parameter is added",
    (d) => list(d).parameters.push({ name: "from", in: "query", required: true, schema: {} }),
    "new query parameter from is required",
  ],
  [
    "a header becomes required",
    (d) => (d.components.parameters.Organisation["required"] = true),
    "header parameter X-Service-Org is now required",
  ],
  [
    "a parameter's maximum falls",
    (d) => ((list(d).parameters[0]!["schema"] as JsonObject)["maximum"] = 500),
    "query parameter limit: maximum was 1000, now 500",
  ],
  [
    "a parameter's default changes",
    (d) => ((list(d).parameters[0]!["schema"] as JsonObject)["default"] = 50),
    "query parameter limit: default was 200, now 50",
  ],
  [
    "a body becomes required",
    (d) => Object.assign(list(d), { requestBody: { required: true, content: {} } }),
    "GET /v1/things: a body is now required",
  ],
  [
    "a body is removed",
    (d) => delete (make(d) as { requestBody?: unknown }).requestBody,
    "POST /v1/things: the body is gone",
  ],
  [
    "a required field is added to a body",
    (d) => (body(d).required = ["name", "mode"]),
    "body.mode is now required",
  ],
  ["a field of a body is removed", (d) => delete body(d).properties["mode"], "body.mode is gone"],
  [
    "a field of a body takes fewer values",
    (d) => (body(d).properties["mode"]!["enum"] = ["plain"]),
    "body.mode: fancy is no longer accepted",
  ],
  [
    "a field of a body gets a closed list",
    (d) => (body(d).properties["name"]!["enum"] = ["a"]),
    "body.name: only a are accepted now",
  ],
  [
    "a field of a body gets shorter",
    (d) => (body(d).properties["name"]!["maxLength"] = 50),
    "body.name: maxLength was 100, now 50",
  ],
  [
    "a field of a body gets a pattern",
    (d) => (body(d).properties["name"]!["pattern"] = "^a"),
    'body.name: pattern was unset, now "^a"',
  ],
  [
    "a list in a body gets shorter",
    (d) => (body(d).properties["tags"]!["maxItems"] = 5),
    "body.tags: maxItems was 10, now 5",
  ],
  [
    "an entry in a body gets shorter",
    (d) => (body(d).properties["tags"]!["items"] = { type: "string", maxLength: 5 }),
    "body.tags[]: maxLength was 20, now 5",
  ],
  [
    "a field of a body loses a choice",
    (d) => (body(d).properties["target"]!["oneOf"] as JsonObject[]).pop(),
    "body.target: oneOf had 2 parts, now 1",
  ],
  [
    "sessions are shut out",
    (d) => (list(d)["x-access"].sessions = null as never),
    "GET /v1/things: closed to sessions",
  ],
  ["keys are shut out", (d) => (list(d)["x-access"].keys = null as never), "GET /v1/things: closed to keys"],
  [
    "a role is shut out",
    (d) => (make(d)["x-access"].sessions.roles = ["owner"]),
    "sessions with roles admin are shut out",
  ],
  [
    "any role becomes some",
    (d) => (list(d)["x-access"].sessions.roles = ["owner"] as never),
    "sessions are narrowed to roles owner",
  ],
  [
    "a scope is shut out",
    (d) => (list(d)["x-access"].keys.scopes = ["full"]),
    "keys with scopes numbers are shut out",
  ],
  [
    "tools are shut out",
    (d) => (make(d)["x-access"].sessions.transports = ["cookie"]),
    "sessions with transports bearer are shut out",
  ],
  [
    "the password has to be recent",
    (d) => (make(d)["x-access"].sessions.recent_password = true),
    "sessions now need recent_password",
  ],
  [
    "only the operator is left",
    (d) => (list(d)["x-access"] = { callers: "operator" } as never),
    "a credential it did not ask for is needed",
  ],
  [
    "only switches are left",
    (d) => (list(d)["x-access"] = { callers: "switch" } as never),
    "a credential it did not ask for is needed",
  ],
  ["a code is removed", (d) => delete d.components.examples["last_owner"], "the code last_owner is gone"],
  [
    "a code changes its status",
    (d) => (d.components.examples["last_owner"] = { value: { status: 422 } }),
    "the code last_owner had status 409, now 422",
  ],
];

describe("a break is found when", () => {
  test.each(breaks)("%s", (_, change, told) => {
    expect(breaksAfter(change)).toContainEqual(expect.stringContaining(told));
  });
});

const additions: [what: string, change: (document: Contract) => unknown][] = [
  ["nothing changes", () => undefined],
  ["a path is added", (d) => Object.assign(d.paths, { "/v1/others": { get: { responses: {} } } })],
  ["an optional parameter is added", (d) => list(d).parameters.push({ name: "q", in: "query", schema: {} })],
  [
    "a change can be made conditional, and a refusal goes with it",
    (d) => {
      list(d).parameters.push({
        name: "If-Match",
        in: "header",
        schema: { type: "string", maxLength: 1000 },
      });
      list(d).responses["412"] = { content: {} };
    },
  ],
  [
    "an answer can be waited for",
    (d) => list(d).parameters.push({ name: "Prefer", in: "header", schema: { type: "string" } }),
  ],
  [
    "an answer gets more headers",
    (d) =>
      Object.assign((list(d).responses["200"] as JsonObject)["headers"] as JsonObject, {
        ETag: { required: true, schema: { type: "string" } },
        "Preference-Applied": { schema: { type: "string" } },
      }),
  ],
  ["an optional field is added to a body", (d) => (body(d).properties["note"] = { type: "string" })],
  ["a field is added to an answer", (d) => (thing(d).properties["size"] = { type: "integer" })],
  ["an optional field of an answer becomes certain", (d) => thing(d).required.push("parent")],
  ["a body field takes another value", (d) => (body(d).properties["mode"]!["enum"] as string[]).push("odd")],
  ["a body field gets longer", (d) => (body(d).properties["name"]!["maxLength"] = 200)],
  ["a body field gets optional", (d) => (body(d).required = [])],
  ["a body field may be null", (d) => (body(d).properties["name"]!["type"] = ["string", "null"])],
  ["a refusal goes away", (d) => delete list(d).responses["403"]],
  ["a role is let in", (d) => make(d)["x-access"].sessions.roles.push("developer")],
  ["keys are let in", (d) => (make(d)["x-access"].keys = { scopes: ["full"] })],
  ["anyone is let in", (d) => (list(d)["x-access"] = { callers: "anyone" } as never)],
];

test.each(additions)("no break: %s", (_, change) => {
  expect(breaksAfter(change)).toEqual([]);
});
