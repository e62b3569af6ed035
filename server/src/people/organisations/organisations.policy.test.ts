import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { type RunningServer, startServer } from "../../start.ts";
import { cookieIn, signIn } from "../../../testing/account.ts";
import { appOf, giveAuthenticator } from "../../../testing/authenticator-app.ts";
import { openEventStream } from "../../../testing/live-stream.ts";
import { assertPasskey, newPasskeyDevice, registerPasskey } from "../../../testing/passkey-device.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { changePolicy, enterWithCode, strongPerson } from "../../../testing/sign-in-policies.ts";
import { agreedTool } from "../../../testing/tool-sign-ins.ts";

let service: Service;
let replica: RunningServer;
beforeAll(async () => {
  service = await startService();
  replica = await startServer(service.app.config, "api", { clock: service.clock });
});
afterAll(async () => {
  await replica.stop();
  await service[Symbol.asyncDispose]();
});

const HOUR_MS = 3_600_000;
const FACTOR = "403 organisation_second_factor_required";

async function tenant(policy: object = {}) {
  const id = await service.organisation("Lumen");
  const owner = await strongPerson(service, { [id]: "owner" });
  if (Object.keys(policy).length > 0) expect((await changePolicy(service, owner, policy)).status).toBe(200);
  return { id, owner };
}
const outcomeOf = ({ status, body }: Sent): unknown => (status < 300 ? status : `${status} ${body.code}`);
const listNumbers = async (headers: Record<string, string>): Promise<unknown> =>
  outcomeOf(await service.send("GET", "/v1/numbers", { headers }));
const unmetOf = async (cookie: string): Promise<unknown> => {
  const { body } = await service.send("GET", "/v1/me", { headers: browser(cookie) });
  return body.memberships.map((one: { unmet_policy: unknown }) => one.unmet_policy);
};
const post = (path: string, cookie: string, body: object = {}): Promise<Sent> =>
  service.send("POST", path, { headers: browser(cookie), body });

describe("the sign-in policy", () => {
  test("is read by owners and admins, changed by owners, and recorded once for each change", async () => {
    const { id, owner } = await tenant();
    const admin = await service.person({ [id]: "admin" });
    const member = await service.person({ [id]: "member" });
    const read = (person: Person): Promise<Sent> =>
      service.send("GET", "/v1/sign-in-policy", { headers: bearer(person.token) });
    const none = { require_second_factor: false, require_single_sign_on: false, max_session_age_hours: null };

    expect((await read(admin)).body).toEqual(none);
    expect((await read(member)).body.code).toBe("role_not_allowed");
    expect((await changePolicy(service, admin, { max_session_age_hours: 8 })).body.code).toBe(
      "role_not_allowed",
    );
    const changed = await changePolicy(service, owner, { max_session_age_hours: 8 });
    await changePolicy(service, owner, { max_session_age_hours: 8 });

    expect(changed.body).toEqual({ ...none, max_session_age_hours: 8 });
    for (const table of ["audit_entries where action", "events where type"])
      expect(
        await service.database.admin(
          `select ${table.startsWith("audit") ? "detail" : "data as detail"} from ${table} = 'organisation.sign_in_policy_changed' and organisation_id = $1`,
          [id],
        ),
      ).toEqual([{ detail: { max_session_age_hours: 8 } }]);
  });

  test.each([0, 721, 1.5])("rejects %s hours", async (hours) => {
    const { owner } = await tenant();
    expect((await changePolicy(service, owner, { max_session_age_hours: hours })).status).toBe(400);
  });

  test("needs a recent proof of who is there", async () => {
    const { owner } = await tenant();
    await service.database.admin(
      "update sessions set reauthenticated_at = reauthenticated_at - interval '11 minutes' where user_id = $1",
      [owner.userId],
    );
    expect((await changePolicy(service, owner, { max_session_age_hours: 8 })).body.code).toBe(
      "reauthentication_required",
    );
  });

  test("SE-12 rejects a policy that the owner's own session does not meet", async () => {
    const id = await service.organisation();
    const owner = await service.person({ [id]: "owner" });
    const refused = await changePolicy(service, owner, { require_second_factor: true });
    expect(refused).toMatchObject({ status: 409, body: { code: "sign_in_policy_not_met" } });
    expect(refused.body.errors).toMatchObject([{ pointer: "#/require_second_factor" }]);
    expect(refused.body.detail).toContain("Add an authenticator app or a passkey");

    const strong = await strongPerson(service, { [id]: "owner" });
    const withoutProvider = await changePolicy(service, strong, { require_single_sign_on: true });
    expect(withoutProvider.body).toMatchObject({ code: "sign_in_policy_not_met" });
    expect(withoutProvider.body.detail).toContain("No member has signed in through an identity provider yet");

    await service.database.admin(
      "update sessions set signed_in_at = signed_in_at - interval '3 hours' where user_id = $1",
      [strong.userId],
    );
    const tooOld = await changePolicy(service, strong, { max_session_age_hours: 2 });
    expect(tooOld.body).toMatchObject({ code: "sign_in_policy_not_met" });
    expect(tooOld.body.detail).toContain("Sign in again");
    expect((await changePolicy(service, strong, { max_session_age_hours: 4 })).status).toBe(200);
  });
});

describe("an organisation that requires a second factor", () => {
  test("SE-11 rejects sessions without one and accepts keys, and other organisations of the person work", async () => {
    const { id, owner } = await tenant({ require_second_factor: true });
    const other = await service.organisation();
    const person = await service.person({ [id]: "developer", [other]: "developer" });
    const { secret } = await service.key(owner, id, ["full"]);
    const at = (organisation: string) => ({ ...bearer(person.token), "x-service-org": organisation });

    expect(await listNumbers(browser(owner.cookie))).toBe(200);
    expect(await listNumbers(bearer(secret))).toBe(200);
    expect(await listNumbers(at(id))).toBe(FACTOR);
    expect(await listNumbers(at(other))).toBe(200);
    const refused = await service.send("GET", "/v1/numbers", { headers: at(id) });
    expect(refused.body).toMatchObject({ organisation: { id, name: "Lumen" } });
    expect(await unmetOf(person.cookie)).toEqual([null, "second_factor"]);
    const made = await service.send("POST", "/v1/api-keys", {
      headers: { ...browser(person.cookie), "x-service-org": other },
      body: { name: "Both", scopes: ["full"], organisation_ids: [id, other] },
    });
    expect(made.body.code).toBe("organisation_not_allowed");
  });

  test("accepts the session in which a member adds a first factor, until it is removed", async () => {
    const { id } = await tenant({ require_second_factor: true });
    const person = await service.person({ [id]: "member" });
    const signedIn = await signIn(service, person.email);
    expect(signedIn.body.enrolment_required).toBe(true);
    const cookie = cookieIn(signedIn);
    const enrolled = await post("/v1/me/authenticator", cookie);
    const { code } = appOf(enrolled.body.otpauth_uri, service.clock.now);
    expect((await post("/v1/me/authenticator/confirm", cookie, { code: "000000" })).status).toBe(422);
    expect(await listNumbers(browser(cookie))).toBe(FACTOR);
    await post("/v1/me/authenticator/confirm", cookie, { code: code() });
    expect(await listNumbers(browser(cookie))).toBe(200);
    await service.send("DELETE", "/v1/me/authenticator", { headers: browser(cookie) });
    expect(await listNumbers(browser(cookie))).toBe(FACTOR);
  });

  test("accepts passkeys, and a code or passkey that is entered later; a password entered again is not enough", async () => {
    const { id } = await tenant({ require_second_factor: true });
    const person = await service.person({ [id]: "member" });
    const device = newPasskeyDevice(service);
    expect((await registerPasskey(service, person.cookie, device)).status).toBe(201);
    expect(await listNumbers(browser(person.cookie))).toBe(200);

    const byPasskey = await service.send("POST", "/v1/sessions/passkey", {
      body: { credential: await assertPasskey(service, device) },
    });
    expect(byPasskey.body.enrolment_required).toBe(false);
    expect(await listNumbers(browser(cookieIn(byPasskey)))).toBe(200);

    const byPassword = cookieIn(await signIn(service, person.email));
    expect(await listNumbers(browser(byPassword))).toBe(FACTOR);
    const again = await post("/v1/sessions/current/reauthentication", byPassword, {
      password: "correct horse battery staple",
    });
    const renewed = cookieIn(again);
    expect(await listNumbers(browser(renewed))).toBe(FACTOR);
    const stronger = await post("/v1/sessions/current/reauthentication/passkey", renewed, {
      credential: await assertPasskey(service, device),
    });
    expect(await listNumbers(browser(cookieIn(stronger)))).toBe(200);
  });

  test("SE-11 requires the second factor of a user who has one to add another", async () => {
    const { id } = await tenant({ require_second_factor: true });
    const person = await service.person({ [id]: "member" });
    const passkey = await registerPasskey(service, person.cookie);
    const stolen = cookieIn(await signIn(service, person.email));
    expect(outcomeOf(await post("/v1/me/authenticator", stolen))).toBe("403 stronger_session_required");
    expect(outcomeOf(await post("/v1/me/passkeys/challenges", stolen))).toBe("403 stronger_session_required");

    // Nor can it remove the one there is, and add its own as the first.
    const headers = browser(stolen);
    const removed = await service.send("DELETE", `/v1/me/passkeys/${passkey.body.id}`, { headers });
    expect(outcomeOf(removed)).toBe("403 stronger_session_required");
    expect(await listNumbers(browser(person.cookie))).toBe(200);
  });

  test("SE-11 does not let a session without a second factor remove the app or renew its recovery codes", async () => {
    const { id } = await tenant({ require_second_factor: true });
    const person = await service.person({ [id]: "member" });
    const app = await giveAuthenticator(service, person.userId);
    const headers = browser(person.cookie); // from before the app, as sessions from before an upgrade are
    const remove = (): Promise<Sent> => service.send("DELETE", "/v1/me/authenticator", { headers });
    expect(outcomeOf(await remove())).toBe("403 stronger_session_required");
    expect(outcomeOf(await post("/v1/me/recovery-codes", person.cookie))).toBe(
      "403 stronger_session_required",
    );
    const strong = cookieIn(await enterWithCode(service, person.email, app.code()));
    expect(outcomeOf(await post("/v1/me/recovery-codes", strong))).toBe(201);
  });

  test("SE-11 ends open event streams within a second, on every replica", async () => {
    const { id, owner } = await tenant();
    const person = await service.person({ [id]: "developer" });
    const numbers = (await seedNumbers(service.app, id, "live", 1)).map((one) => one.id);
    const follow = (headers: Record<string, string>, url: string) =>
      openEventStream(url, `/v1/numbers/live/stream?ids=${numbers.join()}`, headers);
    await using here = await follow(bearer(person.token), service.url);
    await using there = await follow(bearer(person.token), replica.url!);
    await using own = await follow(browser(owner.cookie), replica.url!);
    for (const stream of [here, there, own]) await until(() => stream.events.length > 0);
    await changePolicy(service, owner, { require_second_factor: true });
    await until(() => here.endedAtMs() && there.endedAtMs());
    expect(own.endedAtMs()).toBeUndefined();
  });
});

describe("an organisation that limits the age of sessions", () => {
  test("SE-11 rejects older ones until the person signs in again, and tools do not get younger", async () => {
    const { id, owner } = await tenant({ max_session_age_hours: 2 });
    service.clock.advance(1.9 * HOUR_MS);
    const password = "correct horse battery staple";
    const renewed = cookieIn(await post("/v1/sessions/current/reauthentication", owner.cookie, { password }));
    const tool = await agreedTool(service, renewed);
    const { body } = await service.send("POST", "/v1/authorisation-codes/redeem", { body: tool });
    expect(await listNumbers(browser(renewed))).toBe(200);
    expect(await listNumbers(bearer(body.token))).toBe(200);
    service.clock.advance(0.2 * HOUR_MS);
    expect(await listNumbers(browser(renewed))).toBe("403 session_too_old");
    expect(await listNumbers(bearer(body.token))).toBe("403 session_too_old");
    expect(await unmetOf(renewed)).toEqual(["session_age"]);
    const fresh = cookieIn(await enterWithCode(service, owner.email, owner.authenticator.code()));
    expect(await listNumbers({ ...browser(fresh), "x-service-org": id })).toBe(200);
  });
});

test("AU-19 signing in says that a second factor has to be added, to operators and members who need one", async () => {
  await using strict = await startService({ settings: { OPERATOR_SECOND_FACTOR: "required" } });
  const operator = await strict.person();
  await strict.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  const somebody = await strict.person();
  expect((await signIn(strict, somebody.email)).body.enrolment_required).toBe(false);
  expect((await signIn(strict, operator.email)).body.enrolment_required).toBe(true);
  const app = await giveAuthenticator(strict, operator.userId);
  expect((await enterWithCode(strict, operator.email, app.code())).body.enrolment_required).toBe(false);
});
