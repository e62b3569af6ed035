import { type TSchema, Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { OPERATIONS } from "../../src/operations.ts";
import type { Operation } from "../../src/platform/http/operation.ts";
import { shape } from "../../src/platform/http/shapes.ts";
import { rowChecksums } from "../row-checksums.ts";
import { browser } from "../service.ts";
import { answerFaults, openObjects } from "./answer-faults.ts";
import { CALLER_CLASSES, type TestCaller } from "./caller-classes.ts";
import { strongestCaller } from "./foreign-ids.ts";
import { prepare, type Served, sendAs, servedBy, widest } from "./isolation-matrix.ts";
import { type Neighbours, openNeighbours } from "./neighbours.ts";
import { FIXTURES } from "./request-fixtures.ts";
import { makeSwitch } from "./switch-callers.ts";

let neighbours: Neighbours;
let served: Served;

beforeAll(async () => {
  neighbours = await openNeighbours();
  served = servedBy(neighbours, neighbours.service.url, FIXTURES);
});
afterAll(() => neighbours[Symbol.asyncDispose]());

/** Fields that a caller must not set. */
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
): { pointer: string; known: Set<string>; isCounted: boolean; add(field: object): unknown }[] {
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
    {
      pointer,
      known: new Set(Object.keys(properties)),
      // Exceeding the number of fields is reported before the unknown field.
      isCounted: "maxProperties" in (schema ?? {}),
      add: (field) => ({ ...given, ...field }),
    },
    ...nested,
  ];
}

describe("AZ-04 rejects fields that callers must not set", () => {
  test.each(OPERATIONS.filter(({ method }) => method !== "GET"))(
    "$id rejects unknown fields",
    async (operation) => {
      const caller = await callerFor(operation);
      const request = await prepare(served, operation, caller.holder);
      const before = await rowChecksums(neighbours.service.database);
      let tried = 0;
      for (const { pointer, known, isCounted, add } of objectsIn(operation.body, request.body)) {
        for (const [name, value] of Object.entries(NOT_THEIRS).filter(([one]) => !known.has(one))) {
          tried++;
          const answer = await sendAs(served, caller, { ...request, body: add({ [name]: value }) });
          expect([name, answer.status, answer.body?.code]).toEqual([name, 400, "invalid_request"]);
          const unknown = { pointer: `#${pointer}/${name}`, code: "unknown" };
          const tooMany = { pointer: `#${pointer}`, code: "malformed" };
          expect(answer.body.errors).toMatchObject(isCounted ? [tooMany, unknown] : [unknown]);
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

  test.each(OPERATIONS)("$id rejects unknown parameters, and repeated single ones", async (operation) => {
    const caller = await callerFor(operation);
    const request = widest(operation, await prepare(served, operation, caller.holder));
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
      const answer = await sendAs(served, caller, { ...request, query: `${request.query}&${query}` });
      expect([query, answer.status, answer.body?.code]).toEqual([query, 400, "invalid_request"]);
      expect(answer.body.errors).toMatchObject([{ parameter: query.split("=")[0] }]);
    }
  });
});

describe("AZ-05 returns only the fields of the response schema", () => {
  test.each(OPERATIONS)("$id returns every declared member and no other", async (operation) => {
    const caller = await callerFor(operation);
    const answer = await sendAs(served, caller, await prepare(served, operation, caller.holder));
    expect(answerFaults(operation, answer)).toEqual([]);
  });

  test("a member too many or too few is noticed, also in text that the database made, in lists and in lines", () => {
    const Thing = shape("Thing", {
      id: Type.Integer(),
      part: Type.Optional(shape("Part", { a: Type.Null() })),
    });
    const faultsOf = (text: string, media?: "application/x-ndjson"): number => {
      const type = media ?? "application/json";
      const answer = { status: 200, text, headers: { "content-type": type }, body: undefined };
      const operation = { ...OPERATIONS[0]!, answers: { 200: Thing }, ...(media && { http: { media } }) };
      return answerFaults(operation, { ...answer, body: media ? undefined : JSON.parse(text) }).length;
    };
    for (const good of ['{"id":1}', '{"id":1,"part":{"a":null}}']) expect(faultsOf(good)).toBe(0);
    for (const bad of ["{}", '{"id":1,"secret":2}', '{"id":1,"part":{}}', '{"id":1,"part":{"a":null,"b":1}}'])
      expect([bad, faultsOf(bad)]).toEqual([bad, 1]);
    expect(faultsOf('{"id":1}\n{"id":2}\n', "application/x-ndjson")).toBe(0);
    expect(faultsOf('{"id":1}\n{"id":2,"secret":3}\n', "application/x-ndjson")).toBe(1);
  });

  test("a stream of lines declares what a line is", () => {
    const streams = OPERATIONS.filter(({ http }) => http?.media === "application/x-ndjson");
    const vague = streams.filter(({ answers }) => "type" in answers[200]! && answers[200].type === "string");
    expect(vague.map(({ id }) => id)).toEqual([]);
  });

  test.each(OPERATIONS)("every object that $id returns or takes is closed", (operation) => {
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
           union all select encode(credential_mac, e) from switches, unnest('{hex,base64}'::text[]) e where credential_mac is not null
           union all select encode(token_hash, e) from sessions, unnest('{hex,base64}'::text[]) e
           union all select password_hash from users) kept`,
      )
    )[0]!;
    const { credential } = await makeSwitch(service);
    secrets.push(made.body.secret, rotated.body.secret, home.owner.token, home.owner.cookie, credential);
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);

    for (const operation of OPERATIONS.filter(({ method }) => method === "GET")) {
      const caller = await callerFor(operation);
      const request = await prepare(served, operation, caller.holder);
      const answer = await sendAs(served, caller, widest(operation, request));
      const whole = JSON.stringify(answer.headers) + answer.text;
      expect([operation.id, answer.status, secrets.filter((secret) => whole.includes(secret))]).toEqual([
        operation.id,
        200,
        [],
      ]);
    }
  });

  test("returns secrets only from operations that declare it", () => {
    const withSecret = OPERATIONS.filter(({ answers }) =>
      /"(secret|credential|passwords|token|device_code|recovery_codes|redirect_to)":/.test(
        JSON.stringify(answers),
      ),
    );
    expect(withSecret.map(({ id }) => id)).toEqual(
      OPERATIONS.filter(({ http }) => http?.hasSecret).map(({ id }) => id),
    );
    expect(withSecret.every(({ idempotency }) => idempotency === "none")).toBe(true);
  });
});
