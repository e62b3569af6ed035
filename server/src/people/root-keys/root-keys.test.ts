import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ConfigError } from "../../config-secrets.ts";
import { connect } from "../../platform/db/database.ts";
import { seal } from "../../platform/sealed-secrets.ts";
import { deriveKey, type Secrets } from "../../platform/secrets.ts";
import { migrateDatabase, openApp, resealDatabase } from "../../start.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { lockChanges } from "../../events/events/events.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { TEST_SECRET, testConfig } from "../../../testing/test-config.ts";
import { copyDatabase, type TestDatabase } from "../../../testing/test-database.ts";
import { addRootKeys, listRootKeys, moveSealedSecrets, retireRootKey } from "./root-keys.rotation.ts";
import { openSecrets } from "./root-keys.ts";

const OTHER_SECRET = randomBytes(48).toString("base64");
const AUTHOR = systemAuthor("test");
const unset = "update root_keys set sealed = null, sealed_under = null";

/** Secrets of a process that starts now. */
async function read(database: TestDatabase, settings = {}): Promise<Secrets> {
  const config = testConfig(database.url, settings);
  const db = connect({ ...config.database, onError() {} });
  try {
    using secrets = await openSecrets({ db, log: undefined as never, master: config.masterSecrets });
    return secrets;
  } finally {
    await db.close();
  }
}
const isSame = (one: Secrets, other: Secrets | string): boolean => {
  const [key, ...more] = one.all("cursor").map((derived) => derived.key);
  const expected = typeof other === "string" ? deriveKey(other, "cursor") : other.current("cursor").key;
  return more.length === 0 && key!.equals(expected);
};

test("MS-01 a new installation has random root keys; one that exists keeps what its secrets were derived from", async () => {
  await using fresh = await copyDatabase(inject("clusterUrl"));
  await using existing = await copyDatabase(inject("clusterUrl"));
  await existing.admin(unset);
  await existing.admin(
    "insert into organisations (id, name, created_at) values (gen_random_uuid(), 'Example', now())",
  );
  await migrateDatabase(testConfig(existing.url));

  expect(isSame(await read(fresh), TEST_SECRET)).toBe(false);
  const kept = await read(existing);
  expect(isSame(kept, TEST_SECRET)).toBe(true);
  expect(kept.current("switch-credential").key.equals(deriveKey(TEST_SECRET, "switch-credential"))).toBe(
    true,
  );
  await migrateDatabase(testConfig(existing.url));
  expect(isSame(await read(existing), TEST_SECRET)).toBe(true);
});

test("MS-01 an upgrade and a new master secret at the same time keep what was derived from the one before", async () => {
  await using existing = await copyDatabase(inject("clusterUrl"));
  await existing.admin(unset);
  await existing.admin(
    "insert into organisations (id, name, created_at) values (gen_random_uuid(), 'Example', now())",
  );
  await migrateDatabase(
    testConfig(existing.url, { MASTER_SECRET: OTHER_SECRET, MASTER_SECRET_PREVIOUS: TEST_SECRET }),
  );

  expect(isSame(await read(existing, { MASTER_SECRET: OTHER_SECRET }), TEST_SECRET)).toBe(true);
});

test("MS-02 reseal names root keys that have the value of an earlier master secret", async () => {
  await using existing = await copyDatabase(inject("clusterUrl"));
  await existing.admin(unset);
  await existing.admin(
    "insert into organisations (id, name, created_at) values (gen_random_uuid(), 'Example', now())",
  );
  await migrateDatabase(testConfig(existing.url));
  const both = testConfig(existing.url, { MASTER_SECRET: OTHER_SECRET, MASTER_SECRET_PREVIOUS: TEST_SECRET });

  expect(await resealDatabase(both)).toEqual({ count: 2, known: [1, 2] });
  // Which is why: the old secret, sealed away, still makes what browsers are known by.
  const secrets = await read(existing, { MASTER_SECRET: OTHER_SECRET });
  expect(secrets.current("device/v1").key.equals(deriveKey(TEST_SECRET, "device/v1"))).toBe(true);
  await resealDatabase(
    testConfig(existing.url, { MASTER_SECRET: TEST_SECRET, MASTER_SECRET_PREVIOUS: OTHER_SECRET }),
  );
});

test("MS-03 root keys are not added under another master secret than the one that seals the others", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  const settings = { MASTER_SECRET: OTHER_SECRET, MASTER_SECRET_PREVIOUS: TEST_SECRET };
  const app = await openApp(testConfig(database.url, settings));
  try {
    const add = (current: string) =>
      addRootKeys({ ...app, master: { current, previous: undefined } }, AUTHOR, ["fleet", "cell"]);
    await expect(add(OTHER_SECRET)).rejects.toThrow("Run reseal with the newest secret first.");
    await resealDatabase(app.config);
    // As a command that was started before reseal, and waited for it.
    await expect(add(TEST_SECRET)).rejects.toThrow("Run reseal with the newest secret first.");
    expect(await add(OTHER_SECRET)).toEqual([3, 4]);
  } finally {
    await app.close();
    await resealDatabase(
      testConfig(database.url, { MASTER_SECRET: TEST_SECRET, MASTER_SECRET_PREVIOUS: OTHER_SECRET }),
    );
  }
});

test("MS-02 a master secret that fits nothing is rejected with its fingerprint, and changes nothing", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  const before = await database.admin("select * from root_keys order by id");
  const wrong = testConfig(database.url, { MASTER_SECRET: OTHER_SECRET });

  for (const attempt of [migrateDatabase, resealDatabase, openApp]) {
    const error = await attempt(wrong).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(
      /^MASTER_SECRET does not open root key 1 .* fingerprint [0-9a-f]{16}; you gave [0-9a-f]{16}\. /,
    );
  }
  expect(await database.admin("select * from root_keys order by id")).toEqual(before);
});

test("MS-02 reseal needs the secret before once, and that one opens nothing afterwards", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  const before = await read(database);
  const both = testConfig(database.url, { MASTER_SECRET: OTHER_SECRET, MASTER_SECRET_PREVIOUS: TEST_SECRET });

  expect(
    isSame(
      await read(database, { MASTER_SECRET: OTHER_SECRET, MASTER_SECRET_PREVIOUS: TEST_SECRET }),
      before,
    ),
  ).toBe(true);
  expect([await resealDatabase(both), await resealDatabase(both)]).toEqual([
    { count: 2, known: [] },
    { count: 0, known: [] },
  ]);
  expect(isSame(await read(database, { MASTER_SECRET: OTHER_SECRET }), before)).toBe(true);
  await expect(read(database)).rejects.toThrow(/^MASTER_SECRET does not open root key 1/);
  await resealDatabase(
    testConfig(database.url, { MASTER_SECRET: TEST_SECRET, MASTER_SECRET_PREVIOUS: OTHER_SECRET }),
  );
});

let service: Service;
let owner: Person;
let organisation: string;
beforeAll(async () => {
  service = await startService();
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

test("MS-03 a root key is retired once nothing depends on it, and what it sealed of others stays readable", async () => {
  const { app, database } = service;
  const needs = { ...app, master: app.config.masterSecrets };
  const key = await service.key(owner, organisation, ["numbers"]);
  const provider = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11";
  const { key: sealing, rootId } = app.secrets.current("identity-provider-secret");
  await database.admin(
    `insert into identity_providers (organisation_id, id, name, issuer, client_id, sealed_secret, root_id, created_at)
     values ($1, $2, 'Example', 'https://idp.example.com', 'client', $3, $4, now())`,
    [organisation, provider, seal(sealing, provider, "hunter2"), rootId],
  );
  const signing = app.secrets.current("webhook-endpoint").key;

  for (let round = 1; round <= 2; round++) {
    const [fleet] = await addRootKeys(needs, AUTHOR, ["fleet"], 0);
    await until(() => app.secrets.current("cursor").rootId === fleet || undefined);
    const before = (await listRootKeys(app)).findLast(({ state }) => state === "previous")!;
    await moveSealedSecrets(app);
    const retire = () => retireRootKey(needs, AUTHOR, before.id, { settledSeconds: 0 });

    await expect(retire()).rejects.toThrow(`Root key ${before.id} still has 1 api keys. `);
    expect((await service.send("GET", "/v1/numbers", { headers: bearer(key.secret) })).status).toBe(200);
    await service.server.api!.apiKeys.flushUses();
    await retire();
    await until(() => !app.secrets.all("cursor").some((one) => one.rootId === before.id) || undefined);
  }

  const states = (await listRootKeys(app)).map(({ kind, state }) => `${kind} ${state}`);
  expect(states).toEqual(["fleet retired", "cell current", "fleet retired", "fleet current"]);
  expect((await service.send("GET", "/v1/numbers", { headers: bearer(key.secret) })).status).toBe(200);
  const reread = await read(database);
  expect(reread.of("webhook-endpoint", rootId).equals(signing)).toBe(true);
  expect(() => reread.of("identity-provider-secret", rootId)).toThrow(/is retired/);
  expect(
    await database.admin("select sealed, retired_at is not null as is_retired from root_keys where id = 1"),
  ).toEqual([{ sealed: null, is_retired: true }]);
  await expect(retireRootKey(needs, AUTHOR, 1)).rejects.toThrow("Root key 1 is already retired.");
  await expect(retireRootKey(needs, AUTHOR, 2)).rejects.toThrow("Root key 2 is in use.");
  await expect(retireRootKey(needs, AUTHOR, 99)).rejects.toThrow("There is no root key 99.");
});

test("MS-03 retires a root key without a conflict with a key that is being created", async () => {
  const { app } = service;
  const needs = { ...app, master: app.config.masterSecrets };
  const { secret } = await service.key(owner, organisation, ["numbers"]);
  const before = app.secrets.current("cursor").rootId;
  const [fleet] = await addRootKeys(needs, AUTHOR, ["fleet"], 0);
  await until(() => app.secrets.current("cursor").rootId === fleet || undefined);
  const isLocked = Promise.withResolvers<void>();
  const making = app.db.forSystem("operator", async (tx) => {
    await lockChanges(tx, [organisation]);
    isLocked.resolve();
    await sleep(500);
    // As the database does it for a row that names the root key.
    await tx.query("select from root_keys where id = $1 for key share", [fleet]);
    return "made";
  });
  await isLocked.promise;
  const retired = retireRootKey(needs, AUTHOR, before, { isEndingRemaining: true, settledSeconds: 0 });

  expect(await Promise.allSettled([making, retired])).toMatchObject([
    { status: "fulfilled", value: "made" },
    { status: "fulfilled", value: { api_keys: 2 } },
  ]);
  const used = () => service.send("GET", "/v1/numbers", { headers: bearer(secret) });
  await until(async () => (await used()).status === 401 || undefined);
});
