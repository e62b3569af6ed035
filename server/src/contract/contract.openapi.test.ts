import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import type { Access } from "../platform/http/access.ts";
import { closedEnum, Id, nullable, PageQuery, pageShape, shape } from "../platform/http/shapes.ts";
import { audienceOf, openApiOf } from "./contract.openapi.ts";
import type { Declaration } from "./contract.errors.ts";
import type { JsonObject } from "./contract.schemas.ts";

interface Response {
  headers: Record<string, unknown>;
  content?: Record<string, { schema: JsonObject; example: unknown }>;
  "x-error-codes"?: string[];
  $ref?: string;
}
interface Described {
  description: string;
  security: object[];
  parameters: {
    $ref?: string;
    name?: string;
    description?: string;
    required?: boolean;
    schema?: JsonObject;
  }[];
  requestBody?: JsonObject;
  responses: Record<string, Response>;
  "x-access": JsonObject;
}

const TEAM: Access = {
  callers: "organisation",
  sessions: { roles: ["owner", "admin"] },
  keys: ["numbers_write"],
};

function declare(part: Partial<Declaration>): Declaration {
  return {
    id: "doThing",
    method: "GET",
    path: "/v1/things",
    tag: "Caller",
    summary: "Do",
    access: TEAM,
    idempotency: "none",
    answers: { 200: null },
    ...part,
  };
}

/** Description of one operation in the contract, with resolved references. */
function described(part: Partial<Declaration>): Described {
  const operation = declare(part);
  const document = openApiOf([operation], audienceOf(operation.path)!) as unknown as {
    paths: Record<string, Record<string, Described>>;
    components: { responses: Record<string, Response> };
  };
  const found = document.paths[operation.path]![operation.method.toLowerCase()]!;
  const responses = Object.entries(found.responses).map(([status, one]) => [
    status,
    one.$ref ? document.components.responses[one.$ref.split("/").at(-1)!]! : one,
  ]);
  return { ...found, responses: Object.fromEntries(responses) as Record<string, Response> };
}

function codes(operation: Described, status: number): string[] {
  return operation.responses[status]?.["x-error-codes"] ?? [];
}

function parameterNames(operation: Described): string[] {
  return operation.parameters.map((one) => one.name ?? one.$ref!.split("/").at(-1)!);
}

function textOf(operation: Described, name: string): string | undefined {
  return operation.parameters.find((one) => one.name === name)?.description;
}

describe("who may call", () => {
  test("a role and a scope", () => {
    const operation = described({});
    expect(operation.description).toContain(
      "Owners and admins. Also API keys with the scope `numbers_write` or `full`.",
    );
    expect(operation.security).toEqual([{ apiKey: [] }, { toolSession: [] }, { browserSession: [] }]);
    expect(operation["x-access"]["keys"]).toEqual({ scopes: ["numbers_write", "full"] });
    expect(codes(operation, 403)).toEqual([
      "address_not_allowed",
      "scope_missing",
      "organisation_not_allowed",
      "organisation_suspended",
      "organisation_second_factor_required",
      "single_sign_on_required",
      "session_too_old",
      "environment_not_allowed",
      "role_not_allowed",
    ]);
    expect(parameterNames(operation)).toEqual(["Organisation", "Environment"]);
  });

  test("a browser with a recent password", () => {
    const operation = described({
      method: "POST",
      access: {
        callers: "organisation",
        sessions: { roles: "any", browser: true, recent: true },
        keys: "none",
      },
    });
    expect(operation.description).toContain(
      "All members, in the browser, within ten minutes of entering the password. Not available to API keys.",
    );
    expect(operation.security).toEqual([{ browserSession: [] }]);
    expect(codes(operation, 403)).toEqual(
      expect.arrayContaining(["cross_site_request", "caller_kind_not_allowed", "reauthentication_required"]),
    );
    expect(codes(operation, 403)).not.toContain("role_not_allowed");
  });

  test("the caller itself needs no organisation", () => {
    const operation = described({
      access: { callers: "authenticated", sessions: { roles: "any" }, keys: "any" },
    });
    expect(parameterNames(operation)).toEqual(["Environment"]);
    expect(codes(operation, 400)).toEqual(["environment_header_invalid", "invalid_request"]);
  });

  test("anyone: no 401, and no 403 on a read", () => {
    const operation = described({ access: { callers: "anyone" } });
    expect(operation.security).toEqual([]);
    expect(Object.keys(operation.responses)).toEqual(["200", "400", "429", "500", "503"]);
  });

  test("the operator", () => {
    const operation = described({ path: "/operator/v1/things", access: { callers: "operator" } });
    expect(codes(operation, 403)).toEqual([
      "address_not_allowed",
      "caller_kind_not_allowed",
      "operator_only",
      "second_factor_required",
      "reauthentication_required",
    ]);
    expect(parameterNames(operation)).toEqual([]);
  });

  test("a switch, which has no rate limit", () => {
    const operation = described({ method: "POST", path: "/switch/v1/things", access: { callers: "switch" } });
    expect(operation.description).toContain(
      "Switch agents, with the credential of the switch. Not available to users or API keys.",
    );
    expect(operation.security).toEqual([{ switchCredential: [] }]);
    expect(operation["x-access"]).toEqual({ callers: "switch" });
    expect(Object.keys(operation.responses)).toEqual([
      "200",
      "400",
      "401",
      "403",
      "413",
      "415",
      "500",
      "503",
    ]);
    expect(codes(operation, 403)).toEqual(["switch_retired"]);
    expect(Object.keys(operation.responses["200"]!.headers)).toEqual(["Request-Id"]);
    expect(parameterNames(operation)).toEqual([]);
  });
});

describe("what an operation can answer", () => {
  test("a key that is required", () => {
    const operation = described({ method: "POST", idempotency: "required" });
    expect(parameterNames(operation)).toContain("IdempotencyKey");
    expect(codes(operation, 400)).toEqual(
      expect.arrayContaining(["idempotency_key_missing", "idempotency_key_invalid"]),
    );
    expect(codes(operation, 409)).toEqual(["idempotency_in_progress"]);
    expect(codes(operation, 422)).toEqual(["idempotency_key_reused"]);
    expect(Object.keys(operation.responses["409"]!.headers)).toContain("Retry-After");
    expect(Object.keys(operation.responses["200"]!.headers)).toContain("Idempotency-Replayed");
  });

  test("a key that is optional", () => {
    const operation = described({ method: "POST", idempotency: "optional" });
    expect(parameterNames(operation)).toContain("OptionalIdempotencyKey");
    expect(codes(operation, 400)).not.toContain("idempotency_key_missing");
  });

  test("a key that prevents a second resource", () => {
    const answers = { 201: shape("Thing", {}) };
    const operation = described({ method: "POST", idempotency: "optional", answers });
    expect(parameterNames(operation)).toContain("CreationIdempotencyKey");
  });

  test("a key that never expires", () => {
    const http = { lateRepeatNames: "order_id" };
    const operation = described({ method: "POST", idempotency: "required", http });
    expect(textOf(operation, "Idempotency-Key")).toContain("returns 422 with `order_id`");
  });

  test("a page has a next one, and a cursor can be wrong", () => {
    const answers = { 200: pageShape("ThingPage", shape("Thing", {})) };
    const operation = described({ query: Type.Object(PageQuery), answers });
    expect(Object.keys(operation.responses["200"]!.headers)).toContain("Link");
    expect(codes(operation, 400)).toContain("invalid_cursor");
  });

  test("documents 404 and the errors of the operation", () => {
    const params = Type.Object({ id: Id });
    const operation = described({
      path: "/v1/things/{id}",
      params,
      notFound: "member_not_found",
      errors: ["last_owner"],
    });
    expect(codes(operation, 404)).toEqual(["member_not_found"]);
    expect(codes(operation, 409)).toEqual(["last_owner"]);
    expect(operation.parameters[0]).toMatchObject({ name: "id", in: "path", required: true });
  });

  test("takes If-Match on a change if reading returns an ETag", () => {
    const change = described({ method: "PUT", http: { conditional: true } });
    expect(parameterNames(change)).toContain("IfMatch");
    expect(codes(change, 412)).toEqual(["generation_mismatch"]);
    expect(Object.keys(change.responses["412"]!.headers)).toContain("ETag");
    const reading = described({ http: { conditional: true } });
    expect(parameterNames(reading)).not.toContain("IfMatch");
    expect(Object.keys(reading.responses)).not.toContain("412");
    for (const { responses } of [change, reading])
      expect(Object.keys(responses["200"]!.headers)).toContain("ETag");
    expect(Object.keys(described({ method: "PUT" }).responses["200"]!.headers)).not.toContain("ETag");
  });

  test("documents Prefer: wait", () => {
    const waiting = { method: "PUT", settle: () => undefined, http: { waitsFor: "it rains" } } as const;
    const operation = described({ ...waiting, idempotency: "required" });
    expect(textOf(operation, "Prefer")).toContain("`wait=N`: respond when it rains, or after N seconds");
    expect(Object.keys(operation.responses["200"]!.headers)).toContain("Preference-Applied");
    expect(parameterNames(described({ method: "PUT" }))).not.toContain("Prefer");
  });

  test("a stream is described by one line of it, a table as text", () => {
    const lines = described({ http: { media: "application/x-ndjson" }, answers: { 200: shape("Line", {}) } });
    expect(Object.keys(lines.responses["200"]!.content!)).toEqual(["application/x-ndjson"]);
    const rows = described({
      http: { media: "text/csv" },
      answers: { 200: Type.String({ examples: ["a,b"] }) },
    });
    expect(rows.responses["200"]!.content).toMatchObject({ "text/csv": { example: "a,b" } });
  });

  test("a body that may be larger than usual", () => {
    const operation = described({ method: "POST", http: { maxBodyBytes: 8 * 1024 * 1024 } });
    expect(operation.description).toContain("**Body:** at most 8 MiB.");
  });

  test("documents body errors only on operations with a body", () => {
    expect(Object.keys(described({}).responses)).not.toContain("415");
    expect(Object.keys(described({ method: "DELETE" }).responses)).toEqual(
      expect.arrayContaining(["413", "415"]),
    );
  });

  test("documents Location of created resources, and none of secrets", () => {
    const answers = { 201: shape("Thing", {}) };
    expect(Object.keys(described({ method: "POST", answers }).responses["201"]!.headers)).toContain(
      "Location",
    );
    expect(
      Object.keys(
        described({ method: "POST", answers, http: { hasSecret: true } }).responses["201"]!.headers,
      ),
    ).not.toContain("Location");
  });
});

describe("schemas", () => {
  test("requests are closed, answers can grow", () => {
    const document = openApiOf(
      [declare({ method: "POST", body: shape("Ask", {}), answers: { 200: shape("Got", {}) } })],
      "callers",
    );
    const { schemas } = document["components"] as { schemas: Record<string, JsonObject> };
    expect(schemas["Ask"]).toHaveProperty("additionalProperties", false);
    expect(schemas["Got"]).not.toHaveProperty("additionalProperties");
  });

  test("a discriminator names the shape of each value", () => {
    const named = (title: string, mode: string) => shape(title, { mode: closedEnum([mode]) });
    const body = Type.Unsafe({
      title: "Choice",
      discriminator: { propertyName: "mode" },
      oneOf: [named("First", "one"), named("Second", "two")],
      examples: [{ mode: "one" }],
    });
    const document = openApiOf([declare({ method: "POST", body })], "callers");
    const { schemas } = document["components"] as { schemas: Record<string, JsonObject> };
    expect(schemas["Choice"]!["discriminator"]).toEqual({
      propertyName: "mode",
      mapping: { one: "#/components/schemas/First", two: "#/components/schemas/Second" },
    });
  });

  test("a shape that may be null is still one shape", () => {
    const Part = shape("Part", { id: Id });
    const document = openApiOf(
      [declare({ answers: { 200: shape("Whole", { one: Part, other: nullable(Part) }) } })],
      "callers",
    );
    const { schemas } = document["components"] as { schemas: { Whole: { properties: JsonObject } } };
    const reference = { $ref: "#/components/schemas/Part" };
    expect(schemas.Whole.properties).toEqual({
      one: reference,
      other: { anyOf: [reference, { type: "null" }] },
    });
  });

  test.each<[string, Partial<Declaration>, RegExp]>([
    [
      "one title for two shapes",
      { method: "POST", body: shape("Same", { id: Id }), answers: { 200: shape("Same", {}) } },
      /Two schemas are titled Same/,
    ],
    ["a path parameter nobody declared", { path: "/v1/things/{id}" }, /declared parameters are \{\}/],
    ["a tag nobody described", { tag: "Mysteries" }, /does not describe the tag Mysteries/],
    ["a wait for nothing", { settle: () => undefined }, /does not declare `waitsFor`/],
    ["a path of no contract", { path: "/v2/things" }, /belongs to no contract/],
    [
      "a pattern without an example",
      { method: "POST", body: shape("Ask", { code: Type.String({ pattern: "^x{9}$" }) }) },
      /Give the field “code” an example/,
    ],
  ])("%s is an error", (_, part, message) => {
    expect(() => openApiOf([declare(part)], "callers")).toThrow(message);
  });
});
