import { afterAll, beforeAll, expect, test } from "vitest";
import { SEED_PASSWORD } from "../../seed.ts";
import { cookieIn, mailTo, signIn, tokenIn } from "../../../testing/account.ts";
import { appOf, type AuthenticatorApp, giveAuthenticator } from "../../../testing/authenticator-app.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService } from "../../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: true });
});
afterAll(() => service[Symbol.asyncDispose]());

const as = (
  cookie: string,
  method: string,
  path: string,
  { body, on = service }: { body?: object; on?: Service } = {},
): Promise<Sent> => on.send(method, path, { headers: browser(cookie), ...(body && { body }) });
const finish = (challenge: string, code: string, on = service): Promise<Sent> =>
  on.send("POST", "/v1/sessions/code", { body: { challenge, code } });
const challengeFor = async (person: Person, on = service): Promise<string> =>
  (await signIn(on, person.email)).body.challenge;

/** As the settings page does it. */
async function setUp(
  person: Person,
  on = service,
): Promise<{ app: AuthenticatorApp; recoveryCodes: string[] }> {
  const { body } = await as(person.cookie, "POST", "/v1/me/authenticator", { on });
  const app = appOf(body.otpauth_uri, () => on.clock.now());
  const done = await as(person.cookie, "POST", "/v1/me/authenticator/confirm", {
    body: { code: app.code(-1) },
    on,
  });
  expect(done.status).toBe(200);
  return { app, recoveryCodes: done.body.recovery_codes };
}

test("with an authenticator app the password alone opens no session; with a code it does", async () => {
  const person = await service.person();
  expect((await as(person.cookie, "GET", "/v1/me/authenticator")).body).toEqual({
    confirmed_at: null,
    recovery_codes_left: 0,
  });
  const { app } = await setUp(person);

  const first = await signIn(service, person.email);
  const second = await finish(first.body.challenge, app.code());

  expect(first).toMatchObject({
    status: 202,
    body: { factors: ["app", "recovery_code"], challenge: expect.any(String) },
  });
  expect(first.headers["set-cookie"]).toBeUndefined();
  expect(second).toMatchObject({ status: 201, body: { user: { id: person.userId } } });
  const shown = await as(cookieIn(second), "GET", "/v1/me/authenticator");
  expect(shown.body).toEqual({ confirmed_at: expect.any(String), recovery_codes_left: 10 });
});

test("an app that was never confirmed asks for nothing, and setting up takes at most ten minutes", async () => {
  await using own = await startService();
  const person = await own.person();
  const { body } = await as(person.cookie, "POST", "/v1/me/authenticator", { on: own });
  expect((await signIn(own, person.email)).status).toBe(201);

  own.clock.advance(9.5 * 60_000);
  const app = appOf(body.otpauth_uri, () => own.clock.now());
  const confirm = (): Promise<Sent> =>
    as(person.cookie, "POST", "/v1/me/authenticator/confirm", { body: { code: app.code() }, on: own });
  own.clock.advance(60_000);
  await own.database.admin("update sessions set reauthenticated_at = now() + interval '1 hour'");

  expect(await confirm()).toMatchObject({ status: 422, body: { code: "code_not_valid" } });
});

test("starting over makes the secret before worthless", async () => {
  const person = await service.person();
  const before = await as(person.cookie, "POST", "/v1/me/authenticator");
  await as(person.cookie, "POST", "/v1/me/authenticator");
  const app = appOf(before.body.otpauth_uri, () => service.clock.now());

  const refused = await as(person.cookie, "POST", "/v1/me/authenticator/confirm", {
    body: { code: app.code() },
  });

  expect(refused.body.code).toBe("code_not_valid");
});

test("a wrong code can be corrected, and a challenge is used up by the right one", async () => {
  const person = await service.person();
  const app = await giveAuthenticator(service, person.userId);
  const challenge = await challengeFor(person);
  const wrong = app.code() === "000000" ? "111111" : "000000";

  expect(await finish(challenge, wrong)).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
  expect((await finish(challenge, app.code())).status).toBe(201);
  expect(await finish(challenge, app.code(1))).toMatchObject({
    status: 422,
    body: { code: "challenge_not_valid" },
  });
});

test("AU-06 a code works once: not for a second sign-in, and not for a step before one that was used", async () => {
  const person = await service.person();
  const app = await giveAuthenticator(service, person.userId);

  expect((await finish(await challengeFor(person), app.code())).status).toBe(201);
  expect((await finish(await challengeFor(person), app.code())).status).toBe(401);
  expect((await finish(await challengeFor(person), app.code(-1))).status).toBe(401);
  expect((await finish(await challengeFor(person), app.code(1))).status).toBe(201);
});

test("AU-06 a code sent many times at once, for four sign-ins, opens one session", async () => {
  const person = await service.person();
  const app = await giveAuthenticator(service, person.userId);
  const challenges = await Promise.all(Array.from({ length: 4 }, () => challengeFor(person)));
  const code = app.code();

  const answers = await Promise.all([...challenges, ...challenges].map((one) => finish(one, code)));

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
});

test("AU-06 guessing codes is stopped for the account, whatever the address and however many challenges", async () => {
  await using limited = await startService({
    settings: { LIMIT_SIGN_INS_PER_MINUTE: "10", TRUSTED_PROXIES: "127.0.0.1/32" },
  });
  const person = await limited.person();
  const app = await giveAuthenticator(limited, person.userId);
  const guess = async (code: string, at: number): Promise<Sent> =>
    limited.send("POST", "/v1/sessions/code", {
      headers: { "x-forwarded-for": `192.0.2.${at}` },
      body: { challenge: await challengeFor(person, limited), code },
    });
  const wrong = app.code() === "000000" ? "111111" : "000000";

  for (let failure = 1; failure <= 10; failure++) expect((await guess(wrong, failure)).status).toBe(401);
  const refused = await guess(app.code(), 11);

  expect(refused).toMatchObject({ status: 429, body: { policy: "sign_in_code" } });
  expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
  for (let minute = 1; minute <= 4; minute++) {
    limited.clock.advance(60_000);
    for (let failure = 1; failure <= 10; failure++) await guess(wrong, failure);
  }
  limited.clock.advance(60_000);
  expect(await guess(app.code(), 12)).toMatchObject({ status: 429, body: { policy: "sign_in_code_day" } });
});

test("AU-07 accepts a recovery code once, also concurrently, and reports its use by email", async () => {
  const person = await service.person();
  const { recoveryCodes } = await setUp(person);
  const challenges = await Promise.all(Array.from({ length: 8 }, () => challengeFor(person)));

  const answers = await Promise.all(challenges.map((one) => finish(one, recoveryCodes[0]!)));
  const again = await finish(await challengeFor(person), recoveryCodes[0]!);
  const other = await finish(await challengeFor(person), recoveryCodes[1]!.toLowerCase());

  expect(recoveryCodes).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect([again.status, other.status]).toEqual([401, 201]);
  await mailTo(service, person.email, "A recovery code was used to sign in");
});

test("AU-07 neither a recovery code nor an app's secret can be read out of the database", async () => {
  const person = await service.person();
  const { body } = await as(person.cookie, "POST", "/v1/me/authenticator");
  const app = appOf(body.otpauth_uri, () => service.clock.now());
  const { body: done } = await as(person.cookie, "POST", "/v1/me/authenticator/confirm", {
    body: { code: app.code() },
  });
  const dump = dumpOf(service.database.url);

  for (const secret of [body.secret, ...done.recovery_codes, done.recovery_codes[0].replace("-", "")])
    expect(isReadableIn(dump, secret)).toBe(false);
  expect(await challengeFor(person)).toSatisfy((token: string) => !isReadableIn(dump, token));
});

test("AU-07 new recovery codes end the ones before", async () => {
  const person = await service.person();
  const { recoveryCodes } = await setUp(person);
  const renewed = await as(person.cookie, "POST", "/v1/me/recovery-codes");

  expect(renewed.status).toBe(201);
  expect((await finish(await challengeFor(person), recoveryCodes[0]!)).status).toBe(401);
  expect((await finish(await challengeFor(person), renewed.body.recovery_codes[0])).status).toBe(201);
  await mailTo(service, person.email, "New recovery codes were generated");
});

test("AU-08 after a password reset signing in still asks for a code", async () => {
  const person = await service.person();
  const { app } = await setUp(person);
  await service.send("POST", "/v1/password-resets", { body: { email: person.email } });
  const token = tokenIn(await mailTo(service, person.email, "Set a new password"));
  const password = "a sentence that nobody has said";
  await service.send("POST", "/v1/password-resets/complete", { body: { token, new_password: password } });

  const first = await signIn(service, person.email, password);

  expect(first.status).toBe(202);
  expect((await finish(first.body.challenge, app.code())).status).toBe(201);
});

test("AU-08 a sign-in that began before the password was changed cannot be finished", async () => {
  const person = await service.person();
  const app = await giveAuthenticator(service, person.userId);
  const challenge = await challengeFor(person);
  await as(person.cookie, "PUT", "/v1/me/password", {
    body: { new_password: "a sentence that nobody has said" },
  });

  expect((await finish(challenge, app.code())).body.code).toBe("challenge_not_valid");
});

test("AU-10 adding and removing an app and new recovery codes need a proof of less than ten minutes ago", async () => {
  await using own = await startService();
  const person = await own.person();
  await giveAuthenticator(own, person.userId);
  own.clock.advance(10 * 60_000 + 1_000);

  for (const [method, path] of [
    ["POST", "/v1/me/authenticator"],
    ["DELETE", "/v1/me/authenticator"],
    ["POST", "/v1/me/recovery-codes"],
  ] as const)
    expect((await as(person.cookie, method, path, { on: own })).body.code, path).toBe(
      "reauthentication_required",
    );
});

test("AU-10 a code counts like the password entered again, gives a new token, and works once for that too", async () => {
  await using own = await startService();
  const person = await own.person();
  const app = await giveAuthenticator(own, person.userId);
  own.clock.advance(11 * 60_000);
  const again = (cookie: string): Promise<Sent> =>
    as(cookie, "POST", "/v1/sessions/current/reauthentication/code", { body: { code: app.code() }, on: own });

  const renewed = await again(person.cookie);
  const cookie = cookieIn(renewed);

  expect(renewed.status).toBe(204);
  expect((await as(person.cookie, "GET", "/v1/me", { on: own })).status).toBe(401);
  expect((await again(cookie)).status).toBe(401);
  expect((await as(cookie, "DELETE", "/v1/me/authenticator", { on: own })).status).toBe(204);
});

test("AU-11 reports adding and removing an app by email", async () => {
  const person = await service.person();
  await setUp(person);
  await as(person.cookie, "DELETE", "/v1/me/authenticator");

  await mailTo(service, person.email, "An authenticator app was added");
  await mailTo(service, person.email, "The authenticator app was removed");
  expect((await signIn(service, person.email, SEED_PASSWORD)).status).toBe(201);
});

test("AU-14 a half-done sign-in is dead after five minutes", async () => {
  await using own = await startService();
  const person = await own.person();
  const app = await giveAuthenticator(own, person.userId);
  const challenge = await challengeFor(person, own);
  const late = await challengeFor(person, own);

  own.clock.advance(4.9 * 60_000);
  expect((await finish(challenge, app.code(), own)).status).toBe(201);
  own.clock.advance(0.2 * 60_000);
  expect((await finish(late, app.code(1), own)).body.code).toBe("challenge_not_valid");
});

test("SE-06 adding and removing an app ends every other session", async () => {
  const person = await service.person();
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (await service.send("GET", "/v1/me", { headers })).status;
  const { app } = await setUp(person);
  expect(await statusOf(bearer(person.token))).toBe(401);
  expect(await statusOf(browser(person.cookie))).toBe(200);

  const elsewhere = cookieIn(await finish(await challengeFor(person), app.code()));
  await as(person.cookie, "DELETE", "/v1/me/authenticator");

  expect(await statusOf(browser(elsewhere))).toBe(401);
  expect(await statusOf(browser(person.cookie))).toBe(200);
});
