import { expect, test } from "vitest";
import { clientContract } from "./contract.client.ts";
import type { JsonObject } from "./contract.schemas.ts";

const answering = (status: string, schema?: JsonObject): JsonObject => ({
  responses: { [status]: schema ? { content: { "application/json": { schema } } } : {} },
});
const one = { $ref: "#/components/schemas/Number" };

const document = {
  components: {
    schemas: {
      Number: {
        type: "object",
        description: "Held by somebody.",
        required: ["id", "status"],
        properties: {
          id: { type: "string" },
          status: { type: "string", "x-extensible-enum": ["active", "released"] },
          label: { type: ["string", "null"] },
          tags: { type: "array", items: { type: "string" } },
        },
      },
      Wanted: {
        type: "object",
        properties: { a: { type: "integer" }, b: one },
        oneOf: [{ required: ["a"] }, { required: ["b"] }],
      },
    },
  },
  paths: {
    "/v1/numbers/{id}": {
      get: {
        operationId: "getNumber",
        summary: "Read a number",
        "x-idempotency": "none",
        ...answering("200", one),
      },
      put: { operationId: "setNumber", "x-idempotency": "required", ...answering("200", one) },
      post: { operationId: "touchNumber", "x-idempotency": "none", ...answering("202") },
      delete: { operationId: "dropNumber", "x-idempotency": "none", ...answering("204") },
    },
    "/v1/members/me": {
      delete: { operationId: "leave", "x-idempotency": "none", ...answering("200", one) },
    },
  },
};
const text = clientContract(document, "openapi.json");

test("answers become types that leave room for values to come, under names that hide none of JavaScript's", () => {
  expect(text).toContain(`/** Held by somebody. */
export interface PhoneNumber {
  id: string;
  status: Open<"active" | "released">;
  label?: string | null | undefined;
  tags?: string[] | undefined;
}`);
  expect(text).toContain('}, ["a"] | ["b"]>;');
});

test("the table says of each operation what may be done when no answer came", () => {
  expect(text.match(/^ {2}\w+: \[.*$/gm)).toEqual([
    '  getNumber: ["GET", "/v1/numbers/{id}", "read"],',
    '  setNumber: ["PUT", "/v1/numbers/{id}", "keyed"],',
    '  touchNumber: ["POST", "/v1/numbers/{id}", "once"],',
    '  dropNumber: ["DELETE", "/v1/numbers/{id}", "deletion"],',
    // The response has a body.
    '  leave: ["DELETE", "/v1/members/me", "once"],',
  ]);
});
