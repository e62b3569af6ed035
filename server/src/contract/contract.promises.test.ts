import Ajv, { type ValidateFunction } from "ajv";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATIONS } from "../operations.ts";
import { newId } from "../platform/ids.ts";
import { seedSession } from "../seed.ts";
import { ENDS_SESSIONS, requestTo } from "../../testing/every-route.ts";
import type { Sent, SendOptions } from "../../testing/send.ts";
import { bearer, browser } from "../../testing/service.ts";
import { type Neighbours, openNeighbours } from "../../testing/walls/neighbours.ts";
import { FIXTURES } from "../../testing/walls/request-fixtures.ts";
import { documentsIn } from "../../testing/walls/answer-faults.ts";
import { makeSwitch } from "../../testing/walls/switch-callers.ts";
import { resolved } from "./contract.compatibility-of-schemas.ts";
import { type Audience, audienceOf, openApiOf } from "./contract.openapi.ts";
import { isObject, type JsonObject } from "./contract.schemas.ts";

type Route = (typeof OPERATIONS)[number];

const AUDIENCES: Audience[] = ["callers", "operator", "switches"];
const contracts = Object.fromEntries(AUDIENCES.map((one) => [one, openApiOf(OPERATIONS, one)])) as Record<
  Audience,
  JsonObject
>;
const ajv = new Ajv.default({ strict: false, validateFormats: false });
for (const one of AUDIENCES) ajv.addSchema({ ...contracts[one], $id: one });

let neighbours: Neighbours;
let key: string;
let switchCredential: string;

beforeAll(async () => {
  neighbours = await openNeighbours();
  const { service, home } = neighbours;
  await service.database.admin("update users set is_operator = true where id = $1", [home.owner.userId]);
  key = (await service.key(home.owner, home.organisationId, ["full"])).secret;
  switchCredential = (await makeSwitch(service)).credential;
});
afterAll(() => neighbours[Symbol.asyncDispose]());

type Request = Pick<Required<SendOptions>, "headers" | "body">;

/** Faults for which each operation must return a response from its contract, and one correct request. */
const WAYS: [way: string, change: (request: Request) => SendOptions][] = [
  ["as it should be", (request) => request],
  ["without a credential", ({ body }) => ({ body })],
  ["with a credential nobody has", ({ body }) => ({ body, headers: bearer("svc_live_nobody") })],
  ["with an API key", ({ body, headers }) => ({ body, headers: { ...headers, ...bearer(key) } })],
  ["for another's organisation", changed(() => ({ "x-service-org": neighbours.other.organisationId }))],
  ["for a malformed organisation", changed(() => ({ "x-service-org": "mine" }))],
  ["for an environment there is not", changed(() => ({ "x-service-environment": "moon" }))],
  ["from another site", changed(() => ({ "sec-fetch-site": "cross-site" }))],
  ["with a malformed key", changed(() => ({ "idempotency-key": "" }))],
  ["for a state nobody has seen", changed(() => ({ "if-match": '"0"' }))],
  ["for a state that is none", changed(() => ({ "if-match": "0" }))],
  ["waiting for it", changed(() => ({ prefer: "wait=1" }))],
  [
    "with half a JSON document",
    ({ headers }) => ({ headers: { ...headers, "content-type": "application/json" }, body: "{" }),
  ],
  [
    "with a letter instead of JSON",
    ({ headers }) => ({ headers: { ...headers, "content-type": "text/plain" }, body: "Dear all" }),
  ],
  ["with a field nobody knows", ({ headers }) => ({ headers, body: { surprise: true } })],
  ["with too much of everything", ({ headers }) => ({ headers, body: { surprise: "x".repeat(300_000) } })],
];

test("returns 404 for a malformed path parameter, as the contract states", async () => {
  const { service } = neighbours;
  for (const route of OPERATIONS.filter(({ path }) => path.includes("{"))) {
    const { method, path, headers, body } = await requestTo(neighbours, route);
    const credential = await credentialFor(route);
    const wrong = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}/, "no-identifier");
    const answer = await service.send(method, wrong, { headers: { ...headers, ...credential }, body });
    expect(answer.status, route.id).toBe(404);
    expect(findBrokenPromises(route, answer), route.id).toEqual([]);
  }
});

const isLast = ({ id }: Route): number => (ENDS_SESSIONS.includes(id) ? 1 : 0);
const ROUTES = OPERATIONS.toSorted((one, other) => isLast(one) - isLast(other));

test.each(ROUTES.map((route) => [route.id, route] as const))(
  "%s answers only what its contract says",
  async (_, route) => {
    const { service } = neighbours;
    const { access } = route;
    let prepared: Awaited<ReturnType<typeof requestTo>> | undefined;
    for (const [way, change] of WAYS) {
      // A rejected request has used nothing up, so the next one can have its things, with its own key.
      const { method, path, body, headers: given } = (prepared ??= await requestTo(neighbours, route));
      const headers = { ...given, ...(given["idempotency-key"] && { "idempotency-key": newId() }) };
      const { isEndless } = FIXTURES[route.id]!;
      const credential = await credentialFor(route);
      const request = {
        ...change({ headers: { ...headers, ...credential }, body }),
        ...(isEndless && { isEndless }),
      };
      if (method === "GET") delete request.body;
      const answer = await service.send(method, path, request);
      if (answer.status < 400 || access.callers === "anyone") prepared = undefined;
      expect(
        findBrokenPromises(route, answer),
        `${route.id} ${way}: ${answer.status} ${answer.text}`,
      ).toEqual([]);
      // The only owner there is cannot leave.
      if (way === "as it should be" && route.id !== "leaveOrganisation") {
        expect(answer.status, answer.text).toBeLessThan(300);
      }
    }
  },
);

async function credentialFor({ access }: Route): Promise<Record<string, string>> {
  if (access.callers === "anyone") return {};
  if (access.callers === "switch") return bearer(switchCredential);
  const { service, home } = neighbours;
  return browser(await seedSession(service.app, home.owner, "browser"));
}

function changed(more: () => Record<string, string>) {
  return ({ headers, body }: Request): SendOptions => ({
    body,
    headers: { ...headers, ...more() },
  });
}

function findBrokenPromises(route: Route, answer: Sent): string[] {
  const audience = audienceOf(route.path)!;
  const promised = responseOf(audience, route, answer.status);
  if (!promised) return [`${answer.status} is not in the contract`];
  const [type, media] = Object.entries((promised["content"] ?? {}) as Record<string, JsonObject>)[0] ?? [];
  const codes = promised["x-error-codes"];
  const faults = findHeaderFaults(audience, promised, answer);
  if (Array.isArray(codes) && !codes.includes(answer.body.code))
    faults.push(`the code ${answer.body.code} is not in the contract`);
  if (type && !answer.headers["content-type"]?.startsWith(type)) faults.push(`not ${type}`);
  if (!type && answer.text !== "") faults.push("a body where none is promised");
  if (media) {
    const isValid = validatorOf(audience, media);
    for (const document of documentsIn(answer, media["schema"] as JsonObject))
      if (!isValid(document)) faults.push(JSON.stringify(isValid.errors));
  }
  return faults;
}

/** Required ones are there; and Location, where it is promised and nowhere else. */
function findHeaderFaults(audience: Audience, promised: JsonObject, answer: Sent): string[] {
  const headers = Object.entries(promised["headers"] as Record<string, JsonObject>);
  const missing = headers.filter(([name, header]) => {
    const isRequired = resolved(contracts[audience], header)["required"] === true || name === "Location";
    return isRequired && answer.headers[name.toLowerCase()] === undefined;
  });
  const known = new Set(headers.map(([name]) => name.toLowerCase()));
  const unpromised = [
    "location",
    "link",
    "retry-after",
    "ratelimit",
    "www-authenticate",
    "idempotency-replayed",
    "etag",
    "preference-applied",
  ].filter((name) => answer.headers[name] !== undefined && !known.has(name));
  return [
    ...missing.map(([name]) => `${name} is missing`),
    ...unpromised.map((name) => `${name} is not in the contract`),
  ];
}

function responseOf(audience: Audience, { path, method }: Route, status: number): JsonObject | undefined {
  const paths = contracts[audience]["paths"] as Record<string, Record<string, { responses: JsonObject }>>;
  const found = paths[path]![method.toLowerCase()]!.responses[status];
  return isObject(found) ? resolved(contracts[audience], found) : undefined;
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(audience: Audience, { schema }: JsonObject): ValidateFunction {
  const name = JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"${audience}#`);
  const validator = validators.get(name) ?? ajv.compile(JSON.parse(name) as JsonObject);
  validators.set(name, validator);
  return validator;
}
