import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { OPERATIONS } from "../../src/operations.ts";
import { type ErrorCode, ERRORS } from "../../src/platform/error-catalogue.ts";
import type { Operation } from "../../src/platform/http/operation.ts";
import { newId } from "../../src/platform/ids.ts";
import { send, type SendOptions } from "../send.ts";
import { bearer } from "../service.ts";
import { isLong } from "../test-size.ts";
import { CALLER_CLASSES, type CallerClass } from "./caller-classes.ts";
import { withoutNames } from "./foreign-ids.ts";
import { prepare, type Served, servedBy } from "./isolation-matrix.ts";
import { holderOf, type Neighbours, openNeighbours } from "./neighbours.ts";
import { PROBE_FIXTURES, PROBED_ID, PROBES, serveProbes } from "./probe-operations.ts";
import { addressOf, FIXTURES } from "./request-fixtures.ts";
import { verdictOn } from "./verdict.ts";

let neighbours: Neighbours;
let served: Served;
let probes: Served;
let probeServer: Awaited<ReturnType<typeof serveProbes>>;

beforeAll(async () => {
  neighbours = await openNeighbours();
  served = servedBy(neighbours, neighbours.service.url, FIXTURES);
  probeServer = await serveProbes(neighbours.service);
  probes = { ...served, url: probeServer.url, fixtures: PROBE_FIXTURES };
});
afterAll(async () => {
  await probeServer[Symbol.asyncDispose]();
  await neighbours[Symbol.asyncDispose]();
});

interface Fault {
  name: string;
  /** Spoils a good request. */
  spoil(request: { path: string; options: SendOptions }): { path: string; options: SendOptions };
}

const JSON_TYPE = { "content-type": "application/json" };
const TOO_LARGE = JSON.stringify({ filler: "x".repeat(256 * 1024) });

const FAULTS: readonly Fault[] = [
  { name: "a body that is not JSON", spoil: spoilBody("{not json", JSON_TYPE) },
  { name: "another media type", spoil: spoilBody("<request/>", { "content-type": "text/xml" }) },
  { name: "no media type", spoil: spoilBody("{}", {}) },
  { name: "a body above 256 KiB", spoil: spoilBody(TOO_LARGE, JSON_TYPE) },
  { name: "an unknown field", spoil: spoilBody(JSON.stringify({ surprise: 1 }), JSON_TYPE) },
  {
    name: "an unknown parameter",
    spoil: ({ path, options }) => ({ path: `${path}${path.includes("?") ? "&" : "?"}surprise=1`, options }),
  },
  {
    name: "a malformed Idempotency-Key",
    spoil: ({ path, options }) => withHeaders(path, options, { "idempotency-key": '"' }),
  },
  {
    name: "two Idempotency-Keys",
    spoil: ({ path, options }) => withHeaders(path, options, { "idempotency-key": ["a", "b"] }),
  },
];

/** Comes after the role, and before the rest. */
const WRONG_SIDE: Fault = {
  name: "a malformed X-Service-Environment",
  spoil: ({ path, options }) => withHeaders(path, options, { "x-service-environment": "both" }),
};
const AFTER_THE_SIDE: ReadonlySet<ErrorCode> = new Set([
  "environment_not_allowed",
  "reauthentication_required",
]);

function spoilBody(body: string, headers: Record<string, string>): Fault["spoil"] {
  return ({ path, options }) => withHeaders(path, { ...options, body }, headers);
}

function withHeaders(path: string, options: SendOptions, headers: NonNullable<SendOptions["headers"]>) {
  return { path, options: { ...options, headers: { ...options.headers, ...headers } } };
}

/** One caller for each reason to reject that the declaration gives. */
function onePerRefusal({ access }: Operation<App>): [ErrorCode, CallerClass][] {
  const first = new Map<ErrorCode, CallerClass>();
  for (const one of CALLER_CLASSES) {
    const verdict = verdictOn(access, one.traits);
    if (verdict !== "admitted" && !first.has(verdict)) first.set(verdict, one);
  }
  return [...first];
}

/** In CI, a malformed path comes with everything at once, in the long form also with each other fault alone. */
async function disorder(of: Served, operation: Operation<App>): Promise<string[]> {
  const request = await prepare(of, operation, holderOf(neighbours.home));
  const malformed = Object.fromEntries(Object.keys(request.params).map((name) => [name, "malformed"]));
  const paths = [...new Set([request.params, malformed].map((params) => addressOf({ ...request, params })))];
  const found = await Promise.all(
    onePerRefusal(operation).map(async ([code, one]) => {
      const { headers } = await of.refused(one);
      const attempt = async ({ path, options }: { path: string; options: SendOptions }) =>
        send(of.url, request.method, path, options);
      const plain = await attempt({ path: addressOf(request), options: { headers } });
      const faults = AFTER_THE_SIDE.has(code) ? FAULTS : [...FAULTS, WRONG_SIDE];
      const spoilt = [...faults, everythingOf(faults)];
      const answers = await Promise.all(
        paths.flatMap((path, at) =>
          (at === 0 || isLong ? spoilt : spoilt.slice(-1)).map(async ({ name, spoil }) => ({
            name,
            answer: await attempt(spoil({ path, options: { headers } })),
          })),
        ),
      );
      const isPlain = plain.status === ERRORS[code].status && plain.body.code === code;
      const different = answers.filter(({ answer }) => withoutNames(answer) !== withoutNames(plain));
      return [
        ...(isPlain ? [] : [`${one.name}: ${code} expected, but ${plain.text}`]),
        ...different.map(
          ({ name, answer }) =>
            `${one.name}, with ${name}: ${code} expected, but ${answer.status} ${answer.body?.code}`,
        ),
      ];
    }),
  );
  return found.flat();
}

function everythingOf(faults: readonly Fault[]): Fault {
  const together = faults.filter(({ name }) => name !== "no media type");
  return {
    name: "everything at once",
    spoil: (request) => together.reduce((spoilt, { spoil }) => spoil(spoilt), request),
  };
}

describe("reports a missing permission before other errors of the request", () => {
  test.each(OPERATIONS.filter(({ access }) => access.callers !== "anyone"))("$id", async (operation) => {
    expect(await disorder(served, operation)).toEqual([]);
  });

  test.each(PROBES)("$id", async (operation) => {
    expect(await disorder(probes, operation)).toEqual([]);
  });

  test.each(OPERATIONS.filter(({ method, access }) => method === "GET" && access.callers !== "anyone"))(
    "$id rejects by HEAD the callers that it rejects by GET",
    async (operation) => {
      const request = await prepare(served, operation, holderOf(neighbours.home));
      for (const [code, one] of onePerRefusal(operation)) {
        const answer = await send(served.url, "HEAD", addressOf(request), await served.refused(one));
        expect([one.name, answer.status, answer.text]).toEqual([one.name, ERRORS[code].status, ""]);
      }
    },
  );
});

describe("before authentication", () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const paths = [...new Set(OPERATIONS.map(({ path }) => path))];

  test("a path that does not exist is a 404, with or without a credential", async () => {
    const wrong = [
      "/v1/nothing",
      "/v1",
      "/v1/me/",
      "/v1//me",
      "/V1/me",
      "/v2/me",
      "/operator/v1",
      "/v1/members/me/me",
      "/v1/%zz",
    ];
    for (const path of wrong) {
      const anonymous = await send(served.url, "GET", path);
      const known = await send(served.url, "GET", path, { headers: bearer(neighbours.home.owner.token) });
      expect([path, anonymous.status, anonymous.body.code]).toEqual([path, 404, "not_found"]);
      expect(withoutNames(known)).toBe(withoutNames(anonymous));
    }
  });

  test.each(paths)(
    "CF-03 a method that %s does not take is a 405 that names those it takes",
    async (path) => {
      const concrete = path.replaceAll(/\{\w+\}/g, newId());
      const taken = new Set<string>(
        OPERATIONS.filter((one) => one.path === path).map(({ method }) => method),
      );
      for (const method of methods.filter((one) => !taken.has(one))) {
        const answer = await send(served.url, method, concrete, { headers: JSON_TYPE, body: "{not json" });
        expect([method, answer.status, answer.body.code]).toEqual([method, 405, "method_not_allowed"]);
        expect(new Set(answer.headers.allow!.split(", "))).toEqual(
          new Set(taken.has("GET") ? [...taken, "HEAD"] : taken),
        );
      }
    },
  );
});

/** Each step is wrong together with everything that is checked after it; taking it away shows the next one. */
describe("the rest is checked in the documented order", () => {
  const steps: { wrong: string; code: ErrorCode }[] = [
    { wrong: "credential", code: "unauthenticated" },
    { wrong: "scope", code: "scope_missing" },
    { wrong: "organisation", code: "organisation_header_invalid" },
    { wrong: "environment", code: "environment_header_invalid" },
    { wrong: "media type", code: "media_type_not_supported" },
    { wrong: "size", code: "body_too_large" },
    { wrong: "json", code: "invalid_json" },
    { wrong: "field", code: "invalid_request" },
    { wrong: "parameter", code: "invalid_request" },
    { wrong: "key missing", code: "idempotency_key_missing" },
    { wrong: "key malformed", code: "idempotency_key_invalid" },
    { wrong: "identifier", code: "not_found" },
    { wrong: "key used", code: "idempotency_key_reused" },
  ];

  test.each(steps.map((step, at) => ({ ...step, later: steps.slice(at).map(({ wrong }) => wrong) })))(
    "$wrong before all that follows: $code",
    async ({ code, later }) => {
      const wrong = new Set(later);
      for (const identifier of wrong.has("identifier") ? ["malformed", newId()] : [PROBED_ID]) {
        const usedKey = newId();
        await sendWrong(new Set(), PROBED_ID, { key: usedKey, value: 2 });
        const answer = await sendWrong(wrong, identifier, { key: wrong.has("key used") ? usedKey : newId() });
        expect([answer.status, answer.body.code]).toEqual([ERRORS[code].status, code]);
      }
    },
  );

  test("and with nothing wrong it is done", async () => {
    expect((await sendWrong(new Set(), PROBED_ID, { key: newId() })).status).toBe(200);
  });

  test("a session's role comes after the organisation, before the environment and how recent the password is", async () => {
    const { service, home, other } = neighbours;
    const person = await service.person({
      [home.organisationId]: "member",
      [other.organisationId]: "member",
    });
    await service.database.admin(
      "update sessions set reauthenticated_at = now() - interval '1 hour' where user_id = $1",
      [person.userId],
    );
    const cookie = { cookie: `__Host-svc_session=${person.cookie}`, "sec-fetch-site": "same-origin" };
    const codeWith = async (headers: Record<string, string>) =>
      (
        await service.send("POST", "/v1/api-keys", {
          headers: { ...cookie, ...headers },
          body: { surprise: 1 },
        })
      ).body.code;

    expect(await codeWith({})).toBe("organisation_required");
    expect(await codeWith({ "x-service-org": newId() })).toBe("organisation_not_allowed");
    expect(await codeWith({ "x-service-org": home.organisationId })).toBe("role_not_allowed");
    const wrongSide = { "x-service-org": home.organisationId, "x-service-environment": "both" };
    expect(await codeWith(wrongSide)).toBe("role_not_allowed");
    await service.database.admin("update memberships set role = 'developer' where user_id = $1", [
      person.userId,
    ]);
    expect(await codeWith(wrongSide)).toBe("environment_header_invalid");
    expect(await codeWith({ "x-service-org": home.organisationId })).toBe("reauthentication_required");
    await service.database.admin("update sessions set reauthenticated_at = now() where user_id = $1", [
      person.userId,
    ]);
    expect(await codeWith({ "x-service-org": home.organisationId })).toBe("invalid_request");
  });

  async function sendWrong(
    wrong: ReadonlySet<string>,
    identifier: string,
    good: { key: string; value?: number },
  ) {
    const { refused, url } = probes;
    const key = (name: string) => CALLER_CLASSES.find((one) => one.name === name)!;
    const { headers } = await refused(
      key(wrong.has("scope") ? "key with numbers" : "key with numbers_write"),
    );
    const value = wrong.has("field") ? "one" : (good.value ?? 1);
    const filler = wrong.has("size") ? " ".repeat(256 * 1024) : "";
    return send(url, "PUT", `/v1/probes/keyed/${identifier}${wrong.has("parameter") ? "?surprise=1" : ""}`, {
      headers: {
        ...headers,
        "content-type": wrong.has("media type") ? "text/plain" : "application/json",
        ...(wrong.has("credential") && bearer("garbage")),
        ...(wrong.has("organisation") && { "x-service-org": "home" }),
        ...(wrong.has("environment") && { "x-service-environment": "both" }),
        ...(!wrong.has("key missing") && { "idempotency-key": wrong.has("key malformed") ? '"' : good.key }),
      },
      body: `${JSON.stringify({ value })}${filler}${wrong.has("json") ? "}" : ""}`,
    });
  }
});
