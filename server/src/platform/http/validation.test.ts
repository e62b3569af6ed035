import type { FastifyError } from "fastify";
import { Type } from "typebox";
import { expect, test } from "vitest";
import type { RejectedPart } from "../api-error.ts";
import { errorOfValidation, validatorCompiler } from "./validation.ts";

const Kind = Type.Unsafe({ type: "string", enum: ["small", "large"] });
const Body = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5, pattern: "^[^!]+$" }),
    kind: Kind,
    count: Type.Integer({ minimum: 1, maximum: 9 }),
    number: Type.String({ pattern: String.raw`^\+\d+$`, examples: ["+442079460000"] }),
    tags: Type.Array(Type.String(), { minItems: 2, maxItems: 3, uniqueItems: true }),
    id: Type.String({ format: "uuid" }),
    note: Type.Unsafe({ type: ["string", "null"] }),
    where: Type.Unsafe({
      type: "object",
      required: ["mode"],
      discriminator: { propertyName: "mode" },
      oneOf: ["here", "there"].map((mode) => ({
        type: "object",
        properties: { mode: { type: "string", enum: [mode] } },
        required: ["mode"],
      })),
    }),
  },
  { additionalProperties: false },
);
const GOOD = {
  name: "Anna",
  kind: "small",
  count: 1,
  number: "+44",
  tags: ["a", "b"],
  id: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
  note: null,
  where: { mode: "here" },
};

function faultsIn(body: unknown, schema: object = Body): { detail: string; errors: RejectedPart[] } {
  const validate = validatorCompiler({ schema, httpPart: "body", method: "POST", url: "/" });
  const result = validate(body) as true | { error: unknown };
  if (result === true) return { detail: "", errors: [] };
  const { message, options } = errorOfValidation({ validation: result.error } as unknown as FastifyError);
  return { detail: message, errors: options.errors! };
}

test.each([
  [{ name: "" }, "malformed", "name must not be empty."],
  [{ name: "Annabel" }, "malformed", "name must have at most 5 characters."],
  [{ name: 1 }, "wrong_type", "name must be a string."],
  [{ name: undefined }, "required", "name is required."],
  [{ kind: "huge" }, "not_allowed", "kind must be one of small, large."],
  [{ count: 0 }, "malformed", "count must be at least 1."],
  [{ count: 1.5 }, "wrong_type", "count must be an integer."],
  [{ number: "44" }, "malformed", "number has an invalid format (example: +442079460000)."],
  [{ tags: ["a"] }, "malformed", "tags must have at least 2 items."],
  [{ tags: ["a", "a"] }, "malformed", "tags must not have the same item twice."],
  [{ id: "x" }, "malformed", "id must be a UUID."],
  [{ note: 1 }, "wrong_type", "note must be a string or null."],
  [{ where: { mode: "far" } }, "not_allowed", "where/mode must be one of here, there."],
  [{ size: 1 }, "unknown", expect.stringMatching(/^size is not allowed here \(allowed: name, kind, /)],
])("reports %j as %s: %s", (change, code, detail) => {
  const { errors } = faultsIn({ ...GOOD, ...change });

  expect(faultsIn(GOOD).errors).toEqual([]);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({ detail, code });
});

test("reports all errors at once, the first three in the detail", () => {
  const { detail, errors } = faultsIn({ ...GOOD, name: "", kind: "huge", count: 10, note: 1, size: 1 });

  expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
    "#/count",
    "#/kind",
    "#/name",
    "#/note",
    "#/size",
  ]);
  expect(detail).toMatch(/ See errors for 2 more\.$/);
});

test("a choice between sets of fields is one fault", () => {
  const Choice = { type: "object", oneOf: [{ required: ["a"] }, { required: ["b", "c"] }] };
  const detail = "The body must have exactly one of these: a; b and c.";

  expect(faultsIn({}, Choice).errors).toEqual([{ pointer: "#", code: "required", detail }]);
  expect(faultsIn({ a: 1, b: 1, c: 1 }, Choice).errors).toEqual([
    { pointer: "#", code: "not_allowed", detail },
  ]);
});

test("a thousand faults, and names of any length, make a short answer", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `${"x".repeat(10_000)}${at}`);
  const { detail, errors } = faultsIn({ ...GOOD, ...Object.fromEntries(names.map((name) => [name, 1])) });

  expect(errors.length).toBeLessThanOrEqual(20);
  expect(JSON.stringify({ detail, errors }).length).toBeLessThan(20_000);
});
