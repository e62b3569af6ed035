import { afterAll, beforeAll, expect, test } from "vitest";
import { mailTo, tokenIn } from "../../../testing/account.ts";
import { type CapturedLog, captureLog } from "../../../testing/captured-log.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import { bearer, browser, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { ApiKeyCache } from "./api-keys.cache.ts";
import { NO_TAG } from "../../platform/tags.ts";
import { newKey } from "./api-keys.format.ts";

let service: Service;
let captured: CapturedLog;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  captured = captureLog();
  service = await startService({ worker: true, overrides: { log: captured.log } });
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

/** On a busy machine the cache may rightly distrust its memory for a moment, and ask. */
const BUSY = { retry: 2 };

/** A separate cache that counts its database queries. */
async function countingCache(on: Service = service) {
  let queries = 0;
  const { authenticate } = on.app.db;
  const db = {
    ...on.app.db,
    authenticate: <Row>(text: string, values: unknown[]) => (queries++, authenticate<Row>(text, values)),
  };
  const cache = new ApiKeyCache({ ...on.app, db });
  await until(() => cache.isTrusted());
  return { cache, queries: () => queries, [Symbol.asyncDispose]: () => cache.close() };
}

test(
  "AK-01 a thousand invented and mistyped keys cost no query, and one well-formed unknown key one",
  BUSY,
  async () => {
    await using counted = await countingCache();
    const real = newKey("live", NO_TAG);

    for (let at = 0; at < 500; at++) {
      expect(
        await counted.cache.callerOf(`svc_live_${at}${"x".repeat(38)}`.slice(0, 47), "127.0.0.1"),
      ).toBeUndefined();
      expect(
        await counted.cache.callerOf(real.slice(0, -1) + (real.endsWith("0") ? "1" : "0"), "127.0.0.1"),
      ).toBeUndefined();
    }
    expect(counted.queries()).toBe(0);
    for (let at = 0; at < 10; at++) expect(await counted.cache.callerOf(real, "127.0.0.1")).toBeUndefined();
    expect(counted.queries()).toBe(1);
  },
);

test("fifty first uses at once are one query, and the next thousand none", BUSY, async () => {
  const key = await service.key(owner, organisation, ["numbers"]);
  await using counted = await countingCache(); // opened later, so that the creation does not invalidate it

  await Promise.all(Array.from({ length: 50 }, () => counted.cache.callerOf(key.secret, "127.0.0.1")));
  for (let at = 0; at < 1_000; at++)
    expect((await counted.cache.callerOf(key.secret, "127.0.0.1"))?.id).toBe(key.id);

  expect(counted.queries()).toBe(1);
});

test("a change of pepper leaves keys working that were used since the one before, and no others", async () => {
  const key = await service.key(owner, organisation, ["numbers"]);
  const unused = await service.key(owner, organisation, ["numbers"]);
  const withPepper = async (version: number, { secret } = key): Promise<string | undefined> => {
    const cache = new ApiKeyCache({
      ...service.app,
      config: { ...service.app.config, apiKeyPepperVersion: version },
    });
    const caller = await cache.callerOf(secret, "127.0.0.1");
    await cache.close();
    return caller?.id;
  };

  expect([await withPepper(1), await withPepper(2), await withPepper(3)]).toEqual([key.id, key.id, key.id]);
  expect(await withPepper(3, unused)).toBeUndefined();
});

test("AK-02 a dump of the database holds no key, no session and no mailed link that works", async () => {
  const body = { name: "Dumped", scopes: ["full"] };
  const made = (await service.send("POST", "/v1/api-keys", { headers: browser(owner.cookie), body })).body;
  const rotated = (
    await service.send("POST", `/v1/api-keys/${made.id}/rotate`, { headers: browser(owner.cookie), body: {} })
  ).body;
  await service.send("POST", "/v1/invitations", {
    headers: { ...bearer(owner.token), "idempotency-key": "dumped" },
    body: { email: "dumped@example.com", role: "member" },
  });
  const link = tokenIn(await mailTo(service, "dumped@example.com", "You are invited"));

  const dump = dumpOf(service.database.url);

  const readable = [made.secret, rotated.secret, owner.token, owner.cookie, link].filter(
    (secret) => isReadableIn(dump, secret) || dump.includes(secret.slice(9, 41)),
  );
  expect(readable).toEqual([]);
  expect(dump).toContain(made.id);
});

test("AK-07 ten thousand uses within three minutes are written at most once a minute, over two replicas", async () => {
  await using own = await startService();
  const org = await own.organisation();
  const person = await own.person({ [org]: "owner" });
  const key = await own.key(person, org, ["numbers"]);
  await using first = await countingCache(own);
  await using second = await countingCache(own);

  const startedAt = own.clock.now().getTime();
  let writes = 0;
  for (let tenSeconds = 0; tenSeconds < 18; tenSeconds++) {
    for (let use = 0; use < 556; use++)
      await (use % 2 === 0 ? first : second).cache.callerOf(key.secret, "192.0.2.1");
    writes += (await first.cache.flushUses()) + (await second.cache.flushUses());
    own.clock.advance(10_000);
  }

  const minutes = (own.clock.now().getTime() - startedAt) / 60_000;
  expect(writes).toBeGreaterThanOrEqual(3);
  expect(writes).toBeLessThanOrEqual(Math.ceil(minutes));
  expect(await first.cache.flushUses()).toBe(0);
});

test("AK-07 the last use is shown, with the hundred requests before it in one write", async () => {
  const key = await service.key(owner, organisation, ["numbers"]);
  for (let use = 0; use < 100; use++) await service.send("GET", "/v1/me", { headers: bearer(key.secret) });

  await service.server.api!.apiKeys.flushUses();

  const { body } = await service.send("GET", "/v1/api-keys?limit=1000", { headers: bearer(owner.token) });
  const shown = body.data.find(({ id }: { id: string }) => id === key.id);
  expect(Math.abs(Date.parse(shown.last_used_at) - Date.now())).toBeLessThan(10_000);
});

test("AK-08 rejects a key in the address, and logs no key", async () => {
  const key = await service.key(owner, organisation, ["numbers"]);

  for (const name of ["key", "api_key", "access_token", "token", "authorization"]) {
    const answer = await service.send("GET", `/v1/me?${name}=${key.secret}`);
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain(key.secret);
  }
  await service.send("GET", `/v1/me/${key.secret}`);
  const known = await service.send("GET", `/v1/me?key=${key.secret}`, { headers: bearer(key.secret) });

  expect(known).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  expect(known.text).not.toContain(key.secret);
  expect(captured.lines().filter(({ msg }) => msg === "request").length).toBeGreaterThan(7);
  expect(captured.text()).not.toContain(key.secret);
  expect(captured.text()).not.toContain(key.secret.slice(9, 41));
});
