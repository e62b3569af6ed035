import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { Settings } from "../../config.ts";
import { openSealed } from "../../platform/master-secret.ts";
import { macOf, deriveKey } from "../../platform/secrets.ts";
import { type Ended, runCommand } from "../../../testing/command.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import { makeSecrets, RotationScene, tryAll } from "./testing/rotation-scene.ts";
import { bearer, until } from "../../../testing/service.ts";

const newSecret = (): string => randomBytes(48).toString("base64");

test(
  "MS-04 the master secret and the root keys change under load: no request fails, and every old secret stays valid",
  { timeout: 600_000 },
  async () => {
    const [first, second] = [newSecret(), newSecret()];
    const both = { MASTER_SECRET: second, MASTER_SECRET_PREVIOUS: first };
    await using scene = await RotationScene.open({ MASTER_SECRET: first });
    const run = (settings: Settings, ...args: string[]): Promise<Ended> =>
      runCommand(args, {
        DIALPLANE_MODE: "development",
        BASE_URL: "http://127.0.0.1:8080",
        DATABASE_URL: scene.url,
        ...settings,
      });
    const old = await makeSecrets(scene, { MASTER_SECRET: first }, 4);
    const oldRoot = await rootValue(scene, first);
    {
      await using _load = scene.load(old, old.numberId);
      // Another MASTER_SECRET. Processes that know only the first one still connect after `migrate`.
      expect(await run(both, "migrate")).toMatchObject({ code: 0 });
      expect(await run({ MASTER_SECRET: first }, "roots", "status")).toMatchObject({ code: 0 });
      await scene.restart(both);
      expect(await tryAll(scene, old)).toEqual([]);
      const resealed = await run(both, "reseal");
      expect(resealed).toMatchObject({ code: 0, stderr: "" });
      expect(resealed.stdout).toMatch(/^2 root keys are sealed under the current MASTER_SECRET now\./);
      await scene.admin(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'dialplane_system' and state = 'idle' and application_name = 'dialplane_system'",
      );
      await scene.restart({ MASTER_SECRET: second });
      expect(await tryAll(scene, old)).toEqual([]);

      // Other root keys.
      const rotated = await run({ MASTER_SECRET: second }, "roots", "rotate");
      expect(rotated).toMatchObject({ code: 0, stderr: "" });
      expect(rotated.stdout).toMatch(/They are in use\./);
      expect(await tryAll(scene, old)).toEqual([]);
      await until(async () => {
        await scene.send("POST", "/switch/v1/reports", { headers: bearer(old.switchCredential), body: {} });
        const [rows] = await scene.admin<{ count: number }>(
          `select (select count(*) from api_keys where root_id = 1 and name = 'Used')::integer
             + (select count(*) from switches where root_id = 2 and credential_mac is not null)::integer as count`,
        );
        return rows!.count === 0 || undefined;
      });
      const refused = await untilSettled(() => run({ MASTER_SECRET: second }, "roots", "retire", "1"));
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toMatch(/^Root key 1 still has 1 api keys, \d+ recovery codes\. /);
      for (const args of [["1", "--end-remaining"], ["2"]])
        expect(await run({ MASTER_SECRET: second }, "roots", "retire", ...args)).toMatchObject({ code: 0 });
    }
    expect(scene.failures.slice(0, 3)).toEqual([]);
    console.log(`both rotations: ${scene.requests} requests, ${scene.failures.length} failed`);

    // After a restart, the kept keys are enough, and the old root keys open nothing.
    await scene.restart({ MASTER_SECRET: second });
    const last = old.signers[0]!;
    last.recoveryCodes[0] = await renewedCode(scene, last.person.cookie);
    expect(await tryAll(scene, old, 400)).toEqual([]);
    const unused = await scene.send("GET", "/v1/numbers", { headers: bearer(old.unusedKey.secret) });
    expect(unused.status).toBe(401);
    await expectWorthless(scene, old, oldRoot);
    const secrets = [first, second, oldRoot, await rootValue(scene, second, 3)];
    const dump = dumpOf(scene.url);
    expect(secrets.filter((secret) => isReadableIn(dump, secret))).toEqual([]);

    const wrong = await run({ MASTER_SECRET: first }, "roots", "status");
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toMatch(/^PostgreSQL rejects the password that MASTER_SECRET gives to the role/);
    const migrated = await run({ MASTER_SECRET: first }, "migrate");
    expect(migrated).toMatchObject({ code: 1 });
    expect(migrated.stderr).toMatch(
      /^MASTER_SECRET does not open root key 2|^MASTER_SECRET does not open root key 3/,
    );
    expect((await run({ MASTER_SECRET: second }, "roots", "status")).stdout).toMatch(
      /^ {2}1 {2}fleet {2}retired .* deleted\n {2}2 {2}cell {3}retired .* deleted\n {2}3 {2}fleet {2}current .*\n {2}4 {2}cell {3}current /,
    );
  },
);

/** Root key as an attacker with the master secret and the database reads it. */
async function rootValue({ admin }: RotationScene, secret: string, id = 1): Promise<string> {
  const [row] = await admin<{ sealed: Buffer }>("select sealed from root_keys where id = $1", [id]);
  return openSealed({ current: secret, previous: undefined }, `root/fleet/${id}`, row!.sealed)!;
}

/** The retired root key makes nothing that the service accepts. */
async function expectWorthless(
  scene: RotationScene,
  { key, organisationId }: { key: string; organisationId: string },
  root: string,
): Promise<void> {
  const whose = [organisationId, "live"];
  const position = "+15550000000";
  const text = JSON.stringify(["/v1/numbers", whose, [], position]);
  const mac = macOf(deriveKey(root, "cursor"), text).subarray(0, 16);
  const forged = Buffer.concat([mac, Buffer.from(position)]).toString("base64url");
  const answer = await scene.send("GET", `/v1/numbers?cursor=${forged}`, { headers: bearer(key) });
  expect(answer).toMatchObject({ status: 400, body: { code: "invalid_cursor" } });
  const macOfKey = macOf(deriveKey(root, "api-key-pepper/v1"), key);
  expect(await scene.admin("select id from api_keys where secret_mac = $1", [macOfKey])).toEqual([]);
}

async function renewedCode(scene: RotationScene, cookie: string): Promise<string> {
  const { body } = await scene.send("POST", "/v1/me/recovery-codes", {
    headers: { cookie: `__Host-svc_session=${cookie}`, "sec-fetch-site": "same-origin" },
  });
  return body.recovery_codes[0];
}

/** Waits as long as the command says. */
async function untilSettled(retire: () => Promise<Ended>): Promise<Ended> {
  for (;;) {
    const ended = await retire();
    const [, seconds] = /Retry in (\d+) seconds/.exec(ended.stderr) ?? [];
    if (seconds === undefined) return ended;
    await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1_000));
  }
}
