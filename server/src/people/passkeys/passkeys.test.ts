import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieIn, mailTo } from "../../../testing/account.ts";
import { giveAuthenticator } from "../../../testing/authenticator-app.ts";
import {
  assertPasskey,
  newPasskeyDevice,
  passkeyChallenge,
  type PasskeyDevice,
  registerPasskey,
} from "../../../testing/passkey-device.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Service, startService } from "../../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: true });
});
afterAll(() => service[Symbol.asyncDispose]());

const signIn = (credential: object, on = service): Promise<Sent> =>
  on.send("POST", "/v1/sessions/passkey", { body: { credential } });
const as = (cookie: string, method: string, path: string, body?: object): Promise<Sent> =>
  service.send(method, path, { headers: browser(cookie), ...(body && { body }) });

async function registered(changes: Partial<PasskeyDevice> = {}) {
  const person = await service.person();
  const device = Object.assign(newPasskeyDevice(service), changes);
  const added = await registerPasskey(service, person.cookie, device);
  return { person, device, added };
}

test("a passkey is added, listed, renamed, signs its owner in, and is removed", async () => {
  const { person, device, added } = await registered();
  expect(added).toMatchObject({
    status: 201,
    body: { name: "My telephone", is_synced: false, last_used_at: null },
  });

  const signedIn = await signIn(await assertPasskey(service, device));
  const renamed = await as(person.cookie, "PATCH", `/v1/me/passkeys/${added.body.id}`, { name: "Old one" });
  const listed = await as(cookieIn(signedIn), "GET", "/v1/me/passkeys");
  const removed = await as(person.cookie, "DELETE", `/v1/me/passkeys/${added.body.id}`);

  expect(signedIn).toMatchObject({ status: 201, body: { user: { id: person.userId } } });
  expect(renamed.body.name).toBe("Old one");
  expect(listed.body.data).toMatchObject([{ id: added.body.id, last_used_at: expect.any(String) }]);
  expect(removed.status).toBe(204);
  expect(await signIn(await assertPasskey(service, device))).toMatchObject({
    status: 401,
    body: { code: "sign_in_failed" },
  });
  await mailTo(service, person.email, "A passkey was added");
  await mailTo(service, person.email, "A passkey was removed");
});

test("with an authenticator app as well, a passkey is enough: the device has verified the person", async () => {
  const { person, device } = await registered();
  await giveAuthenticator(service, person.userId);

  expect((await signIn(await assertPasskey(service, device))).status).toBe(201);
});

test("a challenge is good for one passkey, also when it is sent many times at once", async () => {
  const { device } = await registered({ count: 0 });
  const credential = await assertPasskey(service, device);

  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(credential)));

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === "challenge_not_valid")).toHaveLength(7);
});

test("rejects a copied device, whose counter decreases or stops", async () => {
  const { device } = await registered();
  const copy = { ...device };
  expect((await signIn(await assertPasskey(service, device))).status).toBe(201);
  expect((await signIn(await assertPasskey(service, device))).status).toBe(201);

  expect((await signIn(await assertPasskey(service, copy))).status).toBe(401);
  expect((await signIn(await assertPasskey(service, { ...copy, count: 0 }))).status).toBe(401);
});

test.each([
  ["of another site", { origin: "https://attacker.example" }],
  ["for another name", { rpId: "attacker.example" }],
  ["without the person verified", { isPersonVerified: false }],
  ["with another key", { key: undefined }],
] as const)("rejects a signature %s", async (_, changes) => {
  const { device } = await registered();
  const key = newPasskeyDevice(service).key;
  const other = { ...device, ...changes, key: "key" in changes ? key : device.key };

  expect((await signIn(await assertPasskey(service, other))).status).toBe(401);
  expect((await signIn(await assertPasskey(service, device))).status).toBe(201);
});

test("rejects an unknown challenge, and one for adding a passkey", async () => {
  const { person, device } = await registered();
  const { body } = await as(person.cookie, "POST", "/v1/me/passkeys/challenges");

  for (const challenge of ["AAAA", body.options.challenge])
    expect((await signIn(await assertPasskey(service, device, challenge))).body.code).toBe(
      "challenge_not_valid",
    );
});

test("a passkey of a disabled person opens nothing", async () => {
  const { person, device } = await registered();
  await service.database.admin("update users set disabled_at = now() where id = $1", [person.userId]);

  expect((await signIn(await assertPasskey(service, device))).status).toBe(401);
});

test("rejects a passkey that another user has registered", async () => {
  const { device } = await registered();
  const thief = await service.person();

  expect((await registerPasskey(service, thief.cookie, device)).body.code).toBe("passkey_not_valid");
});

test("AU-10 a passkey counts like the password entered again, and only one's own does", async () => {
  await using own = await startService();
  const [person, other] = [await own.person(), await own.person()];
  const [device, foreign] = [newPasskeyDevice(own), newPasskeyDevice(own)];
  await registerPasskey(own, person.cookie, device);
  await registerPasskey(own, other.cookie, foreign);
  own.clock.advance(11 * 60_000);
  const again = async (used: PasskeyDevice): Promise<Sent> =>
    own.send("POST", "/v1/sessions/current/reauthentication/passkey", {
      headers: browser(person.cookie),
      body: { credential: await assertPasskey(own, used) },
    });
  const begin = (cookie: string): Promise<Sent> =>
    own.send("POST", "/v1/me/passkeys/challenges", { headers: browser(cookie) });

  expect((await begin(person.cookie)).body.code).toBe("reauthentication_required");
  expect((await again(foreign)).status).toBe(401);
  const renewed = await again(device);
  expect(renewed.status).toBe(204);
  expect((await begin(person.cookie)).status).toBe(401);
  expect((await begin(cookieIn(renewed))).status).toBe(200);
});

test("AU-14 a challenge for a passkey is dead after five minutes", async () => {
  await using own = await startService();
  const person = await own.person();
  const device = newPasskeyDevice(own);
  await registerPasskey(own, person.cookie, device);
  const challenge = await passkeyChallenge(own);

  own.clock.advance(5 * 60_000);

  expect((await signIn(await assertPasskey(own, device, challenge), own)).body.code).toBe(
    "challenge_not_valid",
  );
  expect((await signIn(await assertPasskey(own, device), own)).status).toBe(201);
});

test("SE-06 removing a passkey ends every other session", async () => {
  const { person, added } = await registered();
  await as(person.cookie, "DELETE", `/v1/me/passkeys/${added.body.id}`);

  expect((await service.send("GET", "/v1/me", { headers: bearer(person.token) })).status).toBe(401);
  expect((await as(person.cookie, "GET", "/v1/me")).status).toBe(200);
});
