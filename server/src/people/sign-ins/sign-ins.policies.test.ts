import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { cookieIn, mailTo, signIn } from "../../../testing/account.ts";
import { giveAuthenticator } from "../../../testing/authenticator-app.ts";
import { type CompanyProvider, openCompanyProvider } from "../../../testing/company-provider.ts";
import { signInThrough } from "../../../testing/provider-sign-ins.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Service, startService } from "../../../testing/service.ts";
import { changePolicy, enterWithCode, openCompany, strongPerson } from "../../../testing/sign-in-policies.ts";

let service: Service;
let company: CompanyProvider;
let home: Awaited<ReturnType<typeof openCompany>>;
beforeAll(async () => {
  service = await startService({
    worker: true,
    settings: { EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" },
  });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await openCompanyProvider();
  home = await openCompany(service, company);
  const changed = await changePolicy(service, home.owner, { require_single_sign_on: true });
  expect(changed.status).toBe(200);
});
afterEach(() => company[Symbol.asyncDispose]());

const outcomeOf = ({ status, body }: Sent): unknown => (status < 300 ? status : `${status} ${body.code}`);
const listNumbers = (headers: Record<string, string>): Promise<Sent> =>
  service.send("GET", "/v1/numbers", { headers });
const breakGlass = () =>
  service.database.admin(
    "select subject, actor_id, detail from audit_entries where action = 'member.break_glass_used' and organisation_id = $1 order by id",
    [home.organisation],
  );

test("SE-13 signs members in only through the identity provider, which the error names", async () => {
  const refused = await listNumbers(browser(home.member.cookie));
  expect(refused.body).toMatchObject({
    code: "single_sign_on_required",
    organisation: { id: home.organisation },
    identity_providers: [{ id: home.providerId, name: "Company" }],
  });
  expect(refused.body.detail).toContain("Sign in through Company.");
  const app = await giveAuthenticator(service, home.member.userId);
  const withCode = cookieIn(await enterWithCode(service, home.member.email, app.code()));
  expect(outcomeOf(await listNumbers(browser(withCode)))).toBe("403 single_sign_on_required");
  const step = await signInThrough(service, home.member.email);
  const code = app.code(1);
  const through = await service.send("POST", "/v1/sessions/code", {
    body: { challenge: step.body.challenge, code },
  });
  expect(outcomeOf(await listNumbers(browser(cookieIn(through))))).toBe(200);
});

test("SE-13 the identity provider of another organisation does not count", async () => {
  await using elsewhere = await openCompanyProvider();
  const other = await openCompany(service, elsewhere);
  await service.database.admin(
    "insert into memberships (organisation_id, user_id, role, created_at) values ($1, $2, 'member', now())",
    [home.organisation, other.member.userId],
  );
  const cookie = cookieIn(await signInThrough(service, other.member.email));
  const at = (organisation: string) => ({ ...browser(cookie), "x-service-org": organisation });
  expect(outcomeOf(await listNumbers(at(other.organisation)))).toBe(200);
  expect(outcomeOf(await listNumbers(at(home.organisation)))).toBe("403 single_sign_on_required");
});

test("SE-13 an owner gets in with two factors; it is audited, and the other owners get an email", async () => {
  const second = await strongPerson(service, { [home.organisation]: "owner" });
  expect(await breakGlass()).toEqual([
    { subject: second.userId, actor_id: second.userId, detail: { method: "password" } },
  ]);
  await mailTo(service, home.owner.email, "An owner of Example Ltd signed in without single sign-on");
  expect(outcomeOf(await listNumbers(browser(second.cookie)))).toBe(200);
  expect(outcomeOf(await listNumbers(bearer(second.token)))).toBe("403 single_sign_on_required");
  expect(service.mails().filter((mail) => mail.includes(`To: ${second.email}\nSubject: An owner`))).toEqual(
    [],
  );

  const confirmed = await service.send("POST", "/v1/sessions/current/reauthentication/code", {
    headers: browser(home.owner.through),
    body: { code: home.owner.authenticator.code(1) },
  });
  expect(outcomeOf(await listNumbers(browser(cookieIn(confirmed))))).toBe(200);
  expect(await breakGlass()).toHaveLength(1);
});

test("SE-13 an owner without a second factor cannot get in by adding one to a password", async () => {
  const weak = await service.person({ [home.organisation]: "owner" });
  const cookie = cookieIn(await signIn(service, weak.email));
  expect(outcomeOf(await listNumbers(browser(cookie)))).toBe("403 single_sign_on_required");
  for (const path of ["/v1/me/authenticator", "/v1/me/passkeys/challenges"])
    expect(outcomeOf(await service.send("POST", path, { headers: browser(cookie) }))).toBe(
      "403 stronger_session_required",
    );
});

test("SE-12 requires single sign-on only after a sign-in through it, by an owner with a second factor", async () => {
  await using unused = await openCompanyProvider();
  const other = await openCompany(service, unused);
  const require = (cookie: string) =>
    changePolicy(service, { cookie }, { require_single_sign_on: true }, other.organisation);
  expect((await require(other.owner.through)).body.detail).toContain("Sign in with a second factor first");
  await service.database.admin("delete from identities where organisation_id = $1", [other.organisation]);
  expect((await require(other.owner.cookie)).body.detail).toContain("sign in through it once");
});

test("SE-12 the last verified domain cannot be removed while single sign-on is required", async () => {
  const path = `/v1/identity-providers/${home.providerId}`;
  const headers = browser(home.owner.cookie);
  const remove = (): Promise<Sent> => service.send("DELETE", path, { headers });
  expect(outcomeOf(await remove())).toBe("409 single_sign_on_in_use");
  expect(outcomeOf(await service.send("PATCH", path, { headers, body: { domains: [] } }))).toBe(
    "409 single_sign_on_in_use",
  );
  await expect(
    service.database.admin("delete from identity_provider_domains where provider_id = $1", [home.providerId]),
  ).rejects.toThrow("single sign-on needs an identity provider");
  await changePolicy(service, home.owner, { require_single_sign_on: false });
  expect((await remove()).status).toBe(204);
});

test("SE-12 the provider cannot be deleted while single sign-on is being turned on", async () => {
  await changePolicy(service, home.owner, { require_single_sign_on: false });
  const scope = { organisationId: home.organisation, environment: "live" as const };
  const gate = Promise.withResolvers<void>();
  const isSet = Promise.withResolvers<void>();
  const turnedOn = service.app.db.forOrganisation(scope, async (tx) => {
    await tx.query("update organisations set require_single_sign_on = true where id = $1", [
      tx.organisationId,
    ]);
    isSet.resolve();
    await gate.promise;
  });
  await isSet.promise;
  const removed = service.send("DELETE", `/v1/identity-providers/${home.providerId}`, {
    headers: browser(home.owner.cookie),
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  gate.resolve();
  await turnedOn;
  expect(outcomeOf(await removed)).toBe("409 single_sign_on_in_use");
});

test("a session does not count as single sign-on after its provider was deleted", async () => {
  await changePolicy(service, home.owner, { require_single_sign_on: false });
  const cookie = cookieIn(await signInThrough(service, home.member.email));
  await service.send("DELETE", `/v1/identity-providers/${home.providerId}`, {
    headers: browser(home.owner.cookie),
  });
  expect(outcomeOf(await listNumbers(browser(cookie)))).toBe(200);
  expect(
    await service.database.admin(
      "select method, identity_provider_id, identity_organisation_id from sessions where user_id = $1 and method = 'provider'",
      [home.member.userId],
    ),
  ).toEqual([{ method: "provider", identity_provider_id: null, identity_organisation_id: null }]);
});
