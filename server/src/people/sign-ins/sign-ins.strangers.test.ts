import { expect, test } from "vitest";
import { SEED_PASSWORD } from "../../seed.ts";
import { cookieIn, mailTo, signIn } from "../../../testing/account.ts";
import { giveAuthenticator } from "../../../testing/authenticator-app.ts";
import { assertPasskey, newPasskeyDevice, registerPasskey } from "../../../testing/passkey-device.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService } from "../../../testing/service.ts";

const WRONG = "the wrong password";
const STRANGER = { "x-forwarded-for": "192.0.2.66" };
const HOME = { "x-forwarded-for": "198.51.100.7" };

const limitedService = (): Promise<Service> =>
  startService({ settings: { LIMIT_SIGN_INS_PER_MINUTE: "10", TRUSTED_PROXIES: "127.0.0.1/32" } });

/** The cookies that a browser keeps after a sign-in. */
async function knownBrowser(service: Service, { email }: Person): Promise<Record<string, string>> {
  const entered = await signIn(service, email, SEED_PASSWORD, HOME);
  const cookies = entered.headers["set-cookie"] as unknown as string[];
  const device = cookies.find((one) => one.startsWith("__Host-svc_device="))!;
  expect(device).toMatch(/; Path=\/; Max-Age=15552000; Secure; HttpOnly; SameSite=Lax$/);
  return { ...HOME, cookie: device.split(";", 1)[0]! };
}

async function repeat(times: number, attempt: (at: number) => Promise<Sent>): Promise<number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < times; at++) statuses.push((await attempt(at)).status);
  return statuses;
}

const statuses = (times: number, status: number): number[] => Array.from({ length: times }, () => status);

test("AU-17 strangers who try passwords are stopped, and the owner signs in with a known browser", async () => {
  await using service = await limitedService();
  const owner = await service.person();
  const known = await knownBrowser(service, owner);
  // From many addresses: each has tries left, the account has none.
  const stranger = (at: number): Promise<Sent> =>
    signIn(service, owner.email, WRONG, { "x-forwarded-for": `192.0.2.${at}` });
  expect(await repeat(14, stranger)).toEqual([...statuses(10, 401), ...statuses(4, 429)]);

  expect((await signIn(service, owner.email, SEED_PASSWORD, HOME)).status).toBe(429);
  expect((await signIn(service, owner.email, SEED_PASSWORD, known)).status).toBe(201);
});

test("AU-17 the owner signs in with a known browser behind the same address as a stranger", async () => {
  await using service = await limitedService();
  const owner = await service.person();
  const known = { ...(await knownBrowser(service, owner)), ...STRANGER };
  await repeat(11, () => signIn(service, owner.email, WRONG, STRANGER));
  expect((await signIn(service, owner.email, SEED_PASSWORD, known)).status).toBe(201);
});

test("AU-17 a known browser has ten failures a minute too", async () => {
  await using service = await limitedService();
  const owner = await service.person();
  const known = await knownBrowser(service, owner);
  const attempt = (): Promise<Sent> => signIn(service, owner.email, WRONG, known);
  expect(await repeat(12, attempt)).toEqual([...statuses(10, 401), 429, 429]);
  expect((await signIn(service, owner.email, SEED_PASSWORD, HOME)).status).toBe(201);
});

test("AU-17 a browser is known for its own account only, for 180 days, and cannot be made up", async () => {
  await using service = await limitedService();
  const [owner, other] = [await service.person(), await service.person()];
  const known = await knownBrowser(service, other);
  const made = { ...HOME, cookie: `${known["cookie"]!.slice(0, -4)}AAAA` };
  await repeat(11, (at) => signIn(service, owner.email, WRONG, { "x-forwarded-for": `192.0.2.${at}` }));
  for (const headers of [known, made])
    expect((await signIn(service, owner.email, SEED_PASSWORD, headers)).status).toBe(429);
  service.clock.advance(181 * 86_400_000);
  await repeat(11, (at) => signIn(service, other.email, WRONG, { "x-forwarded-for": `192.0.2.${at}` }));
  expect((await signIn(service, other.email, SEED_PASSWORD, known)).status).toBe(429);
});

test("AU-17 a stranger who knows the password uses up codes, and the owner signs in with a known browser", async () => {
  await using service = await limitedService();
  const owner = await service.person();
  const known = await knownBrowser(service, owner);
  const app = await giveAuthenticator(service, owner.userId);
  const challenge = async (headers: Record<string, string>): Promise<string> =>
    (await signIn(service, owner.email, SEED_PASSWORD, headers)).body.challenge;
  const send = (headers: Record<string, string>, given: { challenge: string; code: string }): Promise<Sent> =>
    service.send("POST", "/v1/sessions/code", { headers, body: given });
  const stolen = await challenge(STRANGER);
  const guess = (at: number): Promise<Sent> =>
    send({ "x-forwarded-for": `192.0.2.${at}` }, { challenge: stolen, code: "000000" });
  expect(await repeat(12, guess)).toEqual([...statuses(10, 401), 429, 429]);

  const code = app.code();
  expect((await send(HOME, { challenge: await challenge(HOME), code })).status).toBe(429);
  expect((await send(known, { challenge: await challenge(known), code })).status).toBe(201);
});

test("AU-17 strangers who ask for password resets do not stop the owner's", async () => {
  await using service = await limitedService();
  const owner = await service.person();
  const known = await knownBrowser(service, owner);
  const reset = (headers: Record<string, string>): Promise<Sent> =>
    service.send("POST", "/v1/password-resets", { headers, body: { email: owner.email } });
  const stranger = (at: number): Promise<Sent> => reset({ "x-forwarded-for": `192.0.2.${at}` });
  expect(await repeat(12, stranger)).toEqual([...statuses(10, 202), 429, 429]);
  expect((await reset(HOME)).status).toBe(429);
  expect(await repeat(11, () => reset(known))).toEqual([...statuses(10, 202), 429]);
});

test("AU-17 lets a signed-in user reauthenticate while strangers try passwords", async () => {
  await using service = await limitedService();
  const owner = await service.person();
  await repeat(11, (at) => signIn(service, owner.email, WRONG, { "x-forwarded-for": `192.0.2.${at}` }));
  const again = await service.send("POST", "/v1/sessions/current/reauthentication", {
    headers: { ...browser(owner.cookie), ...HOME },
    body: { password: SEED_PASSWORD },
  });
  expect(again.status).toBe(204);
});

test("AU-17 wrong passwords do not stop passkeys and identity providers behind the same address", async () => {
  await using service = await limitedService();
  await repeat(11, (at) => signIn(service, `nobody-${at}@example.com`, WRONG, STRANGER));
  const ask = (path: string, body?: object): Promise<Sent> =>
    service.send("POST", `/v1/sessions/${path}`, { headers: STRANGER, ...(body && { body }) });
  expect((await ask("passkey-challenges")).status).toBe(201);
  expect((await ask("provider-challenges", { email: "ada@example.com" })).status).toBe(201);
  const credential = { id: "AAAA", rawId: "AAAA", type: "public-key", response: {} };
  expect((await ask("passkey", { credential })).status).not.toBe(429);
});

test.each([
  { path: "passkey-challenges", policy: "passkey_challenge_address", body: undefined },
  { path: "provider-challenges", policy: "provider_challenge_address", body: { email: "ada@example.com" } },
])("RL-05 one address gets sixty $path a minute, and another its own", async ({ path, policy, body }) => {
  await using service = await limitedService();
  const ask = (headers: Record<string, string>): Promise<Sent> =>
    service.send("POST", `/v1/sessions/${path}`, { headers, ...(body && { body }) });
  expect(new Set(await repeat(60, () => ask(STRANGER)))).toEqual(new Set([201]));
  expect(await ask(STRANGER)).toMatchObject({ status: 429, body: { policy } });
  expect((await ask(HOME)).status).toBe(201);
});

test("RL-05 an organisation sends one stranger three invitations a day, and all together as many as are set", async () => {
  await using service = await startService({
    settings: { LIMIT_INVITATIONS_PER_DAY: "8" },
    worker: true,
  });
  const [first, second] = [await service.organisation(), await service.organisation()];
  const [one, other] = [
    await service.person({ [first]: "owner" }),
    await service.person({ [second]: "owner" }),
  ];
  const invite = (by: Person, email: string): Promise<Sent> =>
    service.send("POST", "/v1/invitations", { headers: bearer(by.token), body: { email, role: "member" } });
  const inviteAndWithdraw = async (): Promise<Sent> => {
    const invited = await invite(one, "stranger@example.com");
    if (invited.status === 201)
      await service.send("DELETE", `/v1/invitations/${invited.body.id}`, { headers: bearer(one.token) });
    return invited;
  };
  expect(await repeat(40, inviteAndWithdraw)).toEqual([...statuses(3, 201), ...statuses(37, 429)]);
  const everybody = (at: number): Promise<Sent> => invite(one, `stranger-${at}@example.com`);
  expect(await repeat(60, everybody)).toEqual([...statuses(5, 201), ...statuses(55, 429)]);
  // Another organisation invites the same person.
  expect((await invite(other, "stranger@example.com")).status).toBe(201);
  service.clock.advance(86_400_000);
  expect((await invite(one, "stranger@example.com")).status).toBe(201);
});

test("AU-11 reports a new browser by email, and not a known one", async () => {
  await using service = await startService({ worker: true });
  const owner = await service.person();
  const known = await knownBrowser(service, owner);
  const subject = "A new browser signed in to your account";
  await mailTo(service, owner.email, subject);
  await signIn(service, owner.email, SEED_PASSWORD, known);
  const [count] = await service.database.admin<{ mails: number }>(
    "select count(*)::int as mails from mails where kind = 'browser_signed_in' and recipient = $1",
    [owner.email],
  );
  expect(count!.mails).toBe(1);
});

test("AU-19 an operator cannot use the operator API until a second factor was used in the session", async () => {
  await using service = await startService({ settings: { OPERATOR_SECOND_FACTOR: "required" } });
  const operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  const list = (headers: Record<string, string>): Promise<Sent> =>
    service.send("GET", "/operator/v1/organisations", { headers });
  const refused = { status: 403, body: { code: "second_factor_required" } };
  expect(await list(bearer(operator.token))).toMatchObject(refused);
  expect((await service.send("GET", "/v1/me", { headers: bearer(operator.token) })).status).toBe(200);

  const device = newPasskeyDevice(service);
  const added = await registerPasskey(service, operator.cookie, device);
  expect((await list(browser(operator.cookie))).status).toBe(200);
  expect(await list(bearer(operator.token))).toMatchObject(refused);

  // A user with a passkey and no app is not prompted for a code: the password opens only a weak session.
  const stolen = cookieIn(await signIn(service, operator.email));
  expect(await list(browser(stolen))).toMatchObject(refused);
  const attempts = [
    ["POST", "/v1/me/authenticator"],
    ["POST", "/v1/me/passkeys/challenges"],
    ["DELETE", `/v1/me/passkeys/${added.body.id}`],
  ] as const;
  for (const [method, path] of attempts)
    expect((await service.send(method, path, { headers: browser(stolen) })).body.code).toBe(
      "stronger_session_required",
    );
  const confirmed = await service.send("POST", "/v1/sessions/current/reauthentication/passkey", {
    headers: browser(stolen),
    body: { credential: await assertPasskey(service, device) },
  });
  expect((await list(browser(cookieIn(confirmed)))).status).toBe(200);
});
