import type { TSchema } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../app.ts";
import { OPERATIONS } from "../../operations.ts";
import type { Operation } from "../../platform/http/operation.ts";
import { rowChecksums } from "../row-checksums.ts";
import { browser } from "../service.ts";
import { openObjects } from "./answer-faults.ts";
import { CALLER_CLASSES, type TestCaller } from "./caller-classes.ts";
import { strongestCaller } from "./foreign-ids.ts";
import { prepare, type Served, sendAs, servedBy } from "./isolation-matrix.ts";
import { type Neighbours, openNeighbours } from "./neighbours.ts";
import { FIXTURES, type PreparedRequest } from "./request-fixtures.ts";

let neighbours: Neighbours;
let served: Served;

beforeAll(async () => {
  neighbours = await openNeighbours();
  served = servedBy(neighbours, neighbours.service.url, FIXTURES);
});
afterAll(() => neighbours[Symbol.asyncDispose]());

/** What a caller would like to decide and may not. */
const NOT_THEIRS = {
  id: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
  organisation_id: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
  user_id: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
  created_by: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
  created_at: "2026-01-01T00:00:00.000Z",
  role: "owner",
  scopes: ["full"],
  environment: "live",
  is_operator: true,
  constructor: {},
};

function callerFor(operation: Operation<App>): Promise<TestCaller> {
  return operation.access.callers === "anyone"
    ? CALLER_CLASSES[0]!.make(neighbours)
    : strongestCaller(served, operation);
}

function objectsIn(
  schema: TSchema | undefined,
  body: unknown,
  pointer = "",
): { pointer: string; known: Set<string>; add(field: object): unknown }[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, TSchema> };
  const given = (body ?? {}) as Record<string, unknown>;
  const nested = Object.entries(properties)
    .filter(([name, one]) => "properties" in one && given[name] !== undefined)
    .flatMap(([name, one]) =>
      objectsIn(one, given[name], `${pointer}/${name}`).map((inner) => ({
        ...inner,
        add: (field: object) => ({ ...given, [name]: inner.add(field) }),
      })),
    );
  return [
    { pointer, known: new Set(Object.keys(properties)), add: (field) => ({ ...given, ...field }) },
    ...nested,
  ];
}

describe("AZ-04 nobody decides what is not theirs to decide", () => {
  test.each(OPERATIONS.filter(({ method }) => method !== "GET"))(
    "$id refuses fields that it does not name",
    async (operation) => {
      const caller = await callerFor(operation);
      const request = await prepare(served, operation, caller.holder);
      const before = await rowChecksums(neighbours.service.database);
      let tried = 0;
      for (const { pointer, known, add } of objectsIn(operation.body, request.body)) {
        for (const [name, value] of Object.entries(NOT_THEIRS).filter(([one]) => !known.has(one))) {
          tried++;
          const answer = await sendAs(served, caller, { ...request, body: add({ [name]: value }) });
          expect([name, answer.status, answer.body?.code]).toEqual([name, 400, "invalid_request"]);
          expect(answer.body.errors).toMatchObject([{ pointer: `#${pointer}/${name}`, code: "unknown" }]);
        }
      }
      const poisoned = await sendAs(served, caller, {
        ...request,
        headers: { "content-type": "application/json" },
        body: '{"__proto__":{"role":"owner"}}',
      });
      expect([poisoned.status, poisoned.body?.code]).toEqual([400, "invalid_json"]);

      expect(tried).toBeGreaterThan(5);
      expect(await rowChecksums(neighbours.service.database)).toEqual(before);
    },
  );

  test.each(OPERATIONS)(
    "$id refuses parameters that it does not name, and its own sent twice where it takes one",
    async (operation) => {
      const caller = await callerFor(operation);
      const request: PreparedRequest = { ...(await prepare(served, operation, caller.holder)), query: "" };
      const unknown = [
        "organisation_id",
        "role",
        "id",
        "environment",
        "access_token",
        "constructor",
        "__proto__",
      ];
      const twice =
        operation.query && "limit" in (operation.query as unknown as { properties: object }).properties
          ? ["limit=1&limit=2"]
          : [];
      for (const query of [...unknown.map((name) => `${name}=1`), ...twice]) {
        const answer = await sendAs(served, caller, { ...request, query });
        expect([query, answer.status, answer.body?.code]).toEqual([query, 400, "invalid_request"]);
        expect(answer.body.errors).toMatchObject([{ parameter: query.split("=")[0] }]);
      }
    },
  );
});

describe("AZ-05 an answer holds what its schema names and nothing else", () => {
  test.each(OPERATIONS)("every object $id answers with or takes is closed", (operation) => {
    expect(openObjects(operation.answers)).toEqual([]);
    expect(openObjects([operation.body, operation.query, operation.params])).toEqual([]);
  });

  test("an open object is noticed, also deep inside", () => {
    const schema = {
      properties: { list: { type: "array", items: { properties: {} } } },
      additionalProperties: false,
    };
    expect(openObjects(schema)).toEqual(["#/properties/list/items"]);
  });

  test("a key, a token and what is kept of them are in no answer after the one that made them", async () => {
    const { service, home } = neighbours;
    const made = await service.send("POST", "/v1/api-keys", {
      headers: browser(home.owner.cookie),
      body: { name: "Shown once", scopes: ["full"] },
    });
    const rotated = await service.send("POST", `/v1/api-keys/${made.body.id}/rotate`, {
      headers: browser(home.owner.cookie),
      body: {},
    });
    const { secrets } = (
      await service.database.admin<{ secrets: string[] }>(
        `select array_agg(secret) as secrets from (
           select encode(secret_mac, e) as secret from api_keys, unnest('{hex,base64}'::text[]) e
           union all select encode(token_hash, e) from sessions, unnest('{hex,base64}'::text[]) e
           union all select password_hash from users) kept`,
      )
    )[0]!;
    secrets.push(made.body.secret, rotated.body.secret, home.owner.token, home.owner.cookie);
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);

    for (const operation of OPERATIONS.filter(({ method }) => method === "GET")) {
      const caller = await callerFor(operation);
      const answer = await sendAs(served, caller, {
        ...(await prepare(served, operation, caller.holder)),
        query: "",
      });
      const whole = JSON.stringify(answer.headers) + answer.text;
      expect([operation.id, answer.status, secrets.filter((secret) => whole.includes(secret))]).toEqual([
        operation.id,
        200,
        [],
      ]);
    }
  });

  test("only operations that say so answer with a secret", () => {
    const withSecret = OPERATIONS.filter(({ answers }) => JSON.stringify(answers).includes('"secret":'));
    expect(withSecret.map(({ id }) => id)).toEqual(
      OPERATIONS.filter(({ answersSecret }) => answersSecret).map(({ id }) => id),
    );
    expect(withSecret.every(({ idempotency }) => idempotency === "none")).toBe(true);
  });
});
