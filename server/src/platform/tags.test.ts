import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tokenOfInvitation } from "../people/invitations/invitations.ts";
import { secretOf } from "../people/api-keys/api-keys.cache.ts";
import { seedMembership, seedSession } from "../seed.ts";
import { mailTo, tokenIn } from "../../testing/account.ts";
import { bearer, browser, type Person, type Service, startService } from "../../testing/service.ts";
import { digestOf } from "./secrets.ts";

const SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

let service: Service;
let organisation: string;
let tag: string;
let owner: Person;
beforeAll(async () => {
  service = await startService({ worker: true });
  organisation = await service.organisation();
  tag = await tagOf(organisation);
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

async function tagOf(id: string): Promise<string> {
  const [row] = await service.database.admin<{ tag: string }>("select tag from organisations where id = $1", [
    id,
  ]);
  return row!.tag;
}
const isLetIn = async (headers: Record<string, string>): Promise<number> =>
  (await service.send("GET", "/v1/me", { headers })).status;

test("gives every organisation its own tag, and none the reserved one", async () => {
  await service.database.admin(
    "insert into organisations (id, name, created_at) select gen_random_uuid(), 'Example', now() from generate_series(1, 50)",
  );
  const rows = await service.database.admin<{ tag: string }>("select tag from organisations");

  expect(new Set(rows.map((row) => row.tag)).size).toBe(rows.length);
  for (const row of rows) expect(row.tag).toMatch(/^(?!0000)[0-9A-Za-z]{4}$/);
});

test("AK-01 keys, sessions and links carry the tag of their organisation", async () => {
  const { secret } = await service.key(owner, organisation, ["numbers"]);
  await service.send("POST", "/v1/invitations", {
    headers: { ...bearer(owner.token), "idempotency-key": "tagged" },
    body: { email: "tagged@example.com", role: "member" },
  });
  const link = tokenIn(await mailTo(service, "tagged@example.com", "You are invited"));
  const fresh = await Promise.all([
    seedSession(service.app, owner, "browser"),
    seedSession(service.app, owner, "tool"),
  ]);

  expect(secret).toMatch(new RegExp(`^svc_live_${tag}[0-9A-Za-z]{34}$`));
  expect(fresh[0]).toMatch(new RegExp(`^${tag}[\\w-]{43}$`));
  expect(fresh[1]).toMatch(new RegExp(`^svc_cli_${tag}[\\w-]{43}$`));
  expect(link).toMatch(new RegExp(`^${tag}[\\w-]{64}$`));
  expect([
    await isLetIn(bearer(secret)),
    await isLetIn(browser(fresh[0])),
    await isLetIn(bearer(fresh[1])),
  ]).toEqual([200, 200, 200]);
});

test("a person keeps the tag of the first organisation they joined", async () => {
  const person = await service.person();
  expect(await seedSession(service.app, person, "browser")).toMatch(/^0000/);
  await seedMembership(service.app, organisation, person.userId, "member");
  await seedMembership(service.app, await service.organisation(), person.userId, "member");

  expect(await seedSession(service.app, person, "browser")).toMatch(new RegExp(`^${tag}`));
});

test("AK-01 keys, sessions and links from before there were tags still work", async () => {
  const { id, secret } = await service.key(owner, organisation, ["numbers"]);
  const untagged = oldKey();
  const { secretMac } = secretOf(service.app, untagged);
  await service.database.admin("update api_keys set secret_mac = $2 where id = $1", [id, secretMac]);
  expect([await isLetIn(bearer(untagged)), await isLetIn(bearer(secret))]).toEqual([200, 401]);

  const oldSession = randomBytes(32).toString("base64url");
  const session = await seedSession(service.app, owner, "browser");
  await service.database.admin("update sessions set token_hash = $2 where token_hash = $1", [
    digestOf(session),
    digestOf(oldSession),
  ]);
  expect([await isLetIn(browser(oldSession)), await isLetIn(browser(session))]).toEqual([200, 401]);

  const { body } = await service.send("POST", "/v1/invitations", {
    headers: { ...bearer(owner.token), "idempotency-key": "untagged" },
    body: { email: "untagged@example.com", role: "member" },
  });
  const token = tokenOfInvitation(service.app, body.id).slice(4);
  expect(token).toHaveLength(64);
  const account = { name: "New", password: "a long and unusual password" };
  const accepted = await service.send("POST", "/v1/invitations/accept", { body: { token, account } });
  expect(accepted.status).toBe(200);
});

/** 32 random symbols and the published checksum. */
function oldKey(): string {
  const random = Array.from(randomBytes(32), (byte) => SYMBOLS[byte % 62]).join("");
  const body = `svc_live_${random}`;
  let [rest, checksum] = [crc32(body), ""];
  for (let at = 0; at < 6; at++, rest = Math.floor(rest / 62)) checksum = SYMBOLS[rest % 62]! + checksum;
  return body + checksum;
}
