import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import type { Sent } from "../send.ts";
import { bearer, type Service, startService } from "../service.ts";
import { holdNumber } from "../stock.ts";

const CALLERS = ["owner", "admin", "developer", "member", "numbers", "numbers_write", "full"] as const;
type CallerName = (typeof CALLERS)[number];

const PEOPLE: CallerName[] = ["owner", "admin", "developer", "member"];
const BUILDERS: CallerName[] = ["owner", "admin", "developer"];
const BUYERS: CallerName[] = ["owner", "admin"];
const READING_KEYS: CallerName[] = ["numbers", "full"];
const WRITING_KEYS: CallerName[] = ["numbers_write", "full"];

/**
 * Independent list of permissions, maintained by hand. Declarations, documents and the other walls share one
 * source, and would be wrong together.
 */
const GIVEN: [
  method: string,
  path: string,
  allowed: CallerName[],
  key: "required" | "taken" | "not taken",
][] = [
  ["GET", "/v1/me", [...CALLERS], "not taken"],
  ["GET", "/v1/numbers", [...PEOPLE, ...READING_KEYS], "not taken"],
  ["GET", "/v1/numbers/live?ids={number}", PEOPLE, "not taken"],
  ["GET", "/v1/numbers/inventory", [...PEOPLE, ...READING_KEYS], "not taken"],
  ["GET", "/v1/numbers/{number}/usage", [...PEOPLE, ...READING_KEYS], "not taken"],
  ["GET", "/v1/numbers/{number}/calls", [...BUILDERS, ...READING_KEYS], "not taken"],
  ["GET", "/v1/numbers/{number}/calls/export", [...BUILDERS, ...READING_KEYS], "not taken"],
  ["GET", "/v1/calls", [...BUILDERS, ...READING_KEYS], "not taken"],
  ["GET", "/v1/calls/export", [...BUILDERS, ...READING_KEYS], "not taken"],
  ["GET", "/v1/usage", [...PEOPLE, ...READING_KEYS], "not taken"],
  ["GET", "/v1/usage/numbers", [...PEOPLE, ...READING_KEYS], "not taken"],
  ["GET", "/v1/numbers/{number}/routing", [...BUILDERS, ...READING_KEYS], "not taken"],
  ["PUT", "/v1/numbers/{number}/routing", [...BUILDERS, ...WRITING_KEYS], "required"],
  ["POST", "/v1/numbers/reservations", BUILDERS, "not taken"],
  ["DELETE", "/v1/numbers/reservations/{any}", BUILDERS, "not taken"],
  ["POST", "/v1/numbers/orders", BUYERS, "required"],
  ["GET", "/v1/numbers/orders/{any}", PEOPLE, "not taken"],
  ["POST", "/v1/numbers/{number}/release", BUYERS, "required"],
  ["POST", "/v1/numbers/{number}/restore", BUYERS, "taken"],
  ["GET", "/v1/jobs/{any}", [...CALLERS], "not taken"],
  ["GET", "/v1/jobs", PEOPLE, "not taken"],
];

let service: Service;
let number: string;
const tokens = new Map<CallerName, string>();
beforeAll(async () => {
  service = await startService();
  const home = await service.organisation();
  for (const role of ["owner", "admin", "developer", "member"] as const)
    tokens.set(role, (await service.person({ [home]: role })).token);
  const owner = await service.person({ [home]: "owner" });
  for (const scope of ["numbers", "numbers_write", "full"] as const)
    tokens.set(scope, (await service.key(owner, home, [scope])).secret);
  number = (await holdNumber(service.app, home, "live")).id;
});
afterAll(() => service[Symbol.asyncDispose]());

const ask = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body: unknown = { is_not_a_field: true },
): Promise<Sent> =>
  service.send(method, path.replace("{number}", number).replace("{any}", newId()), {
    headers,
    ...(method === "POST" || method === "PUT" ? { body } : {}),
  });

/** Well formed, so that nothing but the key can be missing. */
const BODIES: Record<string, unknown> = {
  "/v1/numbers/{number}/routing": { mode: "unrouted" },
  "/v1/numbers/orders": { numbers: ["+442079460000"] },
  "/v1/numbers/{number}/release": {},
  "/v1/numbers/{number}/restore": {},
};

describe.each(GIVEN)("%s %s", (method, path, allowed, key) => {
  test.each(CALLERS)("by %s", async (caller) => {
    const { status } = await ask(method, path, {
      ...bearer(tokens.get(caller)!),
      "idempotency-key": newId(),
    });

    // An authorised caller gets past admission. The request itself is invalid or names nothing, which is
    // checked later.
    if (allowed.includes(caller)) expect([200, 400, 404, 422, 501]).toContain(status);
    else expect(status).toBe(403);
  });

  test("without a caller", async () => {
    expect((await ask(method, path, {})).status).toBe(401);
  });

  test(`a key is ${key}`, async () => {
    const by = bearer(tokens.get("owner")!);
    const without = await ask(method, path, by, BODIES[path]);

    if (key === "required") {
      expect(without).toMatchObject({ status: 400, body: { code: "idempotency_key_missing" } });
      return;
    }
    // A table has no body that is JSON.
    expect(without.body?.code).not.toBe("idempotency_key_missing");
    if (key === "not taken") {
      const given = await ask(method, path, { ...by, "idempotency-key": "x".repeat(300) }, BODIES[path]);
      expect([given.status, given.body?.code]).toEqual([without.status, without.body?.code]);
    }
  });
});
