import { generateKeyPairSync } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cookieIn, mailTo } from "../../../testing/account.ts";
import { giveAuthenticator } from "../../../testing/authenticator-app.ts";
import { type CompanyProvider, openCompanyProvider } from "../../../testing/company-provider.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import {
  beginAt,
  companyOf,
  finishAt,
  registerProvider,
  signInThrough,
  travel,
} from "../../../testing/provider-sign-ins.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Service, startService } from "../../../testing/service.ts";

let service: Service;
let company: CompanyProvider;
let home: Awaited<ReturnType<typeof companyOf>>;
beforeAll(async () => {
  service = await startService({
    worker: true,
    settings: { EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" },
  });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await openCompanyProvider();
  home = await companyOf(service, company);
});
afterEach(() => company[Symbol.asyncDispose]());

/** A user with an account, whom the provider knows by a subject. */
async function member(name: string, { organisation = home.organisation, at = company } = {}) {
  const email = `${name}@${home.domain}`;
  const person = await service.person({ [organisation]: "member" });
  await service.database.admin("update users set email = $2 where id = $1", [person.userId, email]);
  at.people.set(name, { email, email_verified: true, name });
  return { userId: person.userId, email };
}

const invite = (email: string): Promise<Sent> =>
  service.send("POST", "/v1/invitations", {
    headers: bearer(home.owner.token),
    body: { email, role: "developer" },
  });
const accountsAt = (email: string) =>
  service.database.admin<{ id: string; password_hash: string | null; name: string }>(
    "select id, password_hash, name from users where email = $1",
    [email],
  );

test("signs a member in through the provider, notifies once by email, and creates a regular session", async () => {
  const { email, userId } = await member("ada");

  const first = await signInThrough(service, email.toUpperCase());
  const second = await signInThrough(service, email);

  expect(first).toMatchObject({ status: 201, body: { user: { id: userId, email } } });
  expect(first.headers["set-cookie"]).toEqual([
    expect.stringMatching(
      /^__Host-svc_session=[\w-]{47}; Path=\/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax$/,
    ),
    expect.stringMatching(/^__Host-svc_device=/),
  ]);
  const me = await service.send("GET", "/v1/me", { headers: browser(cookieIn(second)) });
  expect(me.body.memberships).toMatchObject([{ organisation: { id: home.organisation }, role: "member" }]);
  await mailTo(service, email, "Single sign-on was linked to your account");
  const linked = await service.database.admin("select subject from identities where user_id = $1", [userId]);
  expect(linked).toEqual([{ subject: "ada" }]);
});

test("queries userinfo of a provider that sends addresses only on request", async () => {
  await using shy = await openCompanyProvider({ isTalkative: false });
  const { organisation, domain } = await companyOf(service, shy);
  const { userId } = await service.person({ [organisation]: "member" });
  await service.database.admin("update users set email = $2 where id = $1", [userId, `ada@${domain}`]);
  shy.people.set("ada", { email: `ada@${domain}`, email_verified: true });

  expect(await signInThrough(service, `ada@${domain}`)).toMatchObject({
    status: 201,
    body: { user: { id: userId } },
  });
});

test("creates an account without a password for an invited user, and none for others", async () => {
  const invited = `grace@${home.domain}`;
  const stranger = `mallory@${home.domain}`;
  company.people.set("grace", { email: invited, email_verified: true, name: "Grace\nHopper" });
  company.people.set("mallory", { email: stranger, email_verified: true });
  await invite(invited);

  const joined = await signInThrough(service, invited);
  const refused = await signInThrough(service, stranger);

  expect(joined).toMatchObject({ status: 201, body: { user: { name: "Grace Hopper" } } });
  expect(await accountsAt(invited)).toMatchObject([{ password_hash: null }]);
  const me = await service.send("GET", "/v1/me", { headers: browser(cookieIn(joined)) });
  expect(me.body.memberships).toMatchObject([{ organisation: { id: home.organisation }, role: "developer" }]);
  expect((await service.database.admin("select from invitations where email = $1", [invited])).length).toBe(
    0,
  );
  expect(refused).toMatchObject({ status: 403, body: { code: "identity_not_accepted" } });
  expect(refused.body.detail).toContain("Ask an owner to invite you");
  expect(await accountsAt(stranger)).toEqual([]);
});

test("requires the authenticator app as after a password, and rejects a disabled user", async () => {
  const ada = await member("ada");
  const app = await giveAuthenticator(service, ada.userId);
  const first = await signInThrough(service, ada.email);
  const second = await service.send("POST", "/v1/sessions/code", {
    body: { challenge: first.body.challenge, code: app.code() },
  });
  expect([first.status, first.headers["set-cookie"], second.status]).toEqual([202, undefined, 201]);

  await service.database.admin("update users set disabled_at = now() where id = $1", [ada.userId]);
  const disabled = await signInThrough(service, ada.email);
  expect(disabled).toMatchObject({ status: 403, body: { code: "identity_not_accepted" } });
});

test("RL-05 fetches the provider's metadata once for concurrent sign-ins, and again after a failure", async () => {
  const { email } = await member("ada");
  let asked = 0;
  company.lies.metadata = (said) => {
    asked++;
    return asked === 1 ? { issuer: "https://elsewhere.example.com" } : said;
  };
  const begin = (): Promise<Sent> =>
    service.send("POST", "/v1/sessions/provider-challenges", { body: { email } });
  expect((await begin()).body.code).toBe("identity_provider_unavailable");
  const answers = await Promise.all(Array.from({ length: 30 }, begin));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect((await signInThrough(service, email)).status).toBe(201);
  expect(asked).toBe(2);
});

test("AU-04 discloses domains but no users at the start, and stores nothing that could finish it", async () => {
  const { email } = await member("ada");

  const [known, unknown, elsewhere] = [
    await beginAt(service, email),
    await beginAt(service, `nobody@${home.domain}`),
    await beginAt(service, "ada@nowhere.example"),
  ];

  const shapeOf = ({ status, body }: Sent) => [
    status,
    Object.keys(body),
    [...new URL(body.redirect_to).searchParams.keys()],
  ];
  expect(shapeOf(known)).toEqual(shapeOf(unknown));
  expect([elsewhere.status, elsewhere.body]).toEqual([201, { redirect_to: null }]);
  const { searchParams } = new URL(known.body.redirect_to);
  expect(searchParams.get("code_challenge_method")).toBe("S256");
  const dump = dumpOf(service.database.url);
  for (const secret of [
    searchParams.get("state")!,
    searchParams.get("nonce")!,
    /=([\w-]+);/.exec(known.headers["set-cookie"]![0]!)![1]!,
  ])
    expect(isReadableIn(dump, secret)).toBe(false);
});

describe("AU-12 rejects account takeover", () => {
  test("by another provider that uses the same subject and claims the same address", async () => {
    const ada = await member("ada");
    expect((await signInThrough(service, ada.email)).status).toBe(201);
    await using evil = await openCompanyProvider();
    const other = await companyOf(service, evil);
    evil.people.set("ada", { email: ada.email, email_verified: true });
    evil.who = "ada";

    const answer = await signInThrough(service, `ada@${other.domain}`);

    expect(answer).toMatchObject({ status: 403, body: { code: "identity_not_accepted" } });
    expect(answer.body.detail).toContain(`has not verified the domain ${home.domain}`);
  });

  test("by another provider of the same organisation, which has proved another domain", async () => {
    const ada = await member("ada");
    await using second = await openCompanyProvider();
    const domain = `second.${home.domain}`;
    await registerProvider(service, home.owner, { company: second, domain });
    second.people.set("ada", { email: ada.email, email_verified: true });
    second.who = "ada";

    expect((await signInThrough(service, `ada@${domain}`)).status).toBe(403);
  });

  test("by another subject of the same provider that was given the address", async () => {
    const ada = await member("ada");
    expect((await signInThrough(service, ada.email)).status).toBe(201);
    company.people.set("successor", { email: ada.email, email_verified: true });
    company.who = "successor";

    const answer = await signInThrough(service, ada.email);

    expect(answer).toMatchObject({ status: 403, body: { code: "identity_not_accepted" } });
    expect(answer.body.detail).toContain("another identity");
  });

  test("of an account with the address that belongs to another organisation, even with an invitation", async () => {
    const elsewhere = await service.organisation();
    const ada = await member("ada", { organisation: elsewhere });
    await invite(ada.email);

    const answer = await signInThrough(service, ada.email);

    expect(answer).toMatchObject({ status: 403, body: { code: "identity_not_accepted" } });
    expect(answer.body.detail).toContain("accept an invitation");
  });

  test("with an address that the provider has not verified", async () => {
    const ada = await member("ada");
    for (const email_verified of [false, undefined]) {
      company.people.set("ada", { email: ada.email, ...(email_verified === false && { email_verified }) });
      expect((await signInThrough(service, ada.email)).body.code).toBe("identity_not_accepted");
    }
  });

  test("after leaving the organisation, and a new provider starts without identities", async () => {
    const ada = await member("ada");
    expect((await signInThrough(service, ada.email)).status).toBe(201);
    const removed = await service.send("DELETE", `/v1/members/${ada.userId}`, {
      headers: bearer(home.owner.token),
    });

    expect(removed.status).toBe(200);
    expect((await signInThrough(service, ada.email)).status).toBe(403);
    expect(await service.database.admin("select from identities where user_id = $1", [ada.userId])).toEqual(
      [],
    );
  });
});

const NO_ALGORITHM = Buffer.from('{"alg":"none"}').toString("base64url");

describe("AU-13 rejects an invalid response", () => {
  test.each<[what: string, change: (address: URL) => void]>([
    ["with another nonce", ({ searchParams }) => searchParams.set("nonce", "another")],
    ["without a nonce", ({ searchParams }) => searchParams.delete("nonce")],
    [
      "without PKCE",
      ({ searchParams }) => {
        searchParams.delete("code_challenge");
        searchParams.delete("code_challenge_method");
      },
    ],
    [
      "with the PKCE of somebody else",
      ({ searchParams }) => searchParams.set("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
    ],
  ])("%s", async (_, change) => {
    const { email } = await member("ada");

    const answer = await finishAt(service, await travel(service, email, change));

    expect(answer).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
  });

  test.each<[what: string, lies: CompanyProvider["lies"]]>([
    ["of another issuer", { claims: (claims) => ({ ...claims, iss: "https://login.example.com" }) }],
    ["for another audience", { claims: (claims) => ({ ...claims, aud: "another-client" }) }],
    [
      "for several, of whom another is meant",
      { claims: (claims) => ({ ...claims, aud: [claims["aud"], "x"], azp: "x" }) },
    ],
    ["that has expired", { claims: (claims) => ({ ...claims, exp: 1_700_000_000 }) }],
    ["without a subject", { claims: (claims) => ({ ...claims, sub: undefined }) }],
    ["without a signature", { token: (token) => token.replace(/[^.]+$/, "") }],
    ["that claims to need none", { token: (token) => `${NO_ALGORITHM}.${token.split(".")[1]}.` }],
    ["signed with another key", { key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey }],
  ])("with a token %s", async (_, lies) => {
    const { email } = await member("ada");
    company.lies = lies;

    expect(await signInThrough(service, email)).toMatchObject({
      status: 401,
      body: { code: "sign_in_failed" },
    });
    company.lies = {};
    expect((await signInThrough(service, email)).status).toBe(201);
  });

  test("with the issuer of another provider, or none, next to the code", async () => {
    const { email } = await member("ada");
    const [one, other] = [await travel(service, email), await travel(service, email)];

    const mixedUp = await finishAt(service, {
      ...one,
      answer: { ...one.answer, iss: "https://login.example.com" },
    });
    const { iss: _, ...without } = other.answer;
    const silent = await finishAt(service, { ...other, answer: without as typeof other.answer });

    expect([mixedUp.body.code, silent.body.code]).toEqual(["sign_in_failed", "sign_in_failed"]);
  });

  test("with another state: used, unknown, expired or of another browser", async () => {
    const { email } = await member("ada");
    const [one, other, old] = [
      await travel(service, email),
      await travel(service, email),
      await travel(service, email),
    ];

    const answers = [
      await finishAt(service, { ...one, answer: { ...one.answer, state: other.answer.state } }),
      await finishAt(service, { ...one, answer: { ...one.answer, state: "x" } }),
      await finishAt(service, { ...one, cookie: other.cookie }),
      await finishAt(service, { ...one, cookie: "" }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array(4).fill([422, "challenge_not_valid"]),
    );
    // None of that has used it up for the browser it belongs to.
    const both = await Promise.all([finishAt(service, one), finishAt(service, one)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect((await finishAt(service, one)).body.code).toBe("challenge_not_valid");

    service.clock.advance(5 * 60_000 + 1_000);
    expect((await finishAt(service, old)).body.code).toBe("challenge_not_valid");
  });

  test("and the organisation's owners find out why", async () => {
    const { email } = await member("ada");
    company.lies = { claims: (claims) => ({ ...claims, aud: "another-client" }) };
    await signInThrough(service, email);

    const { body } = await service.send("GET", "/v1/audit", { headers: bearer(home.owner.token) });

    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: "session.opened",
          outcome: "refused",
          detail: {
            factor: "provider",
            identity_provider_id: home.providerId,
            reason: expect.stringMatching(/^OAUTH_/),
          },
        }),
      ]),
    );
  });
});

test("accepts a code once at the provider, and rejects a wrong client secret", async () => {
  const { email } = await member("ada");
  const [one, other] = [await travel(service, email), await travel(service, email)];
  expect((await finishAt(service, one)).status).toBe(201);

  const again = await finishAt(service, { ...other, answer: { ...other.answer, code: one.answer.code } });
  await service.send("PATCH", `/v1/identity-providers/${home.providerId}`, {
    headers: browser(home.owner.cookie),
    body: { client_secret: "not-the-secret" },
  });
  const wrong = await signInThrough(service, email);

  expect([again.body.code, wrong.body.code]).toEqual(["sign_in_failed", "sign_in_failed"]);
});

describe("SS-01 rejects private addresses of a provider", () => {
  test.each<[what: string, path: string]>([
    ["the token endpoint", "token_endpoint"],
    ["the keys", "jwks_uri"],
  ])("with %s", async (_, endpoint) => {
    const { email } = await member("ada");
    company.lies = { metadata: (metadata) => ({ ...metadata, [endpoint]: "http://127.0.0.1:80/inside" }) };

    expect(await signInThrough(service, email)).toMatchObject({
      status: 503,
      body: { code: "identity_provider_unavailable" },
    });
  });

  test("nor a browser anywhere but to an address of the web", async () => {
    const { email } = await member("ada");
    for (const lie of ["javascript:alert(1)", "file:///etc/passwd"]) {
      company.lies = { metadata: (metadata) => ({ ...metadata, authorization_endpoint: lie }) };
      expect((await beginAt(service, email)).body.code).toBe("identity_provider_unavailable");
    }
  });

  test("in the metadata of another issuer", async () => {
    const { email } = await member("ada");
    company.lies = { metadata: (metadata) => ({ ...metadata, issuer: "https://login.example.com" }) };

    expect(await beginAt(service, email)).toMatchObject({
      status: 503,
      headers: { "retry-after": "5" },
      body: { code: "identity_provider_unavailable", retryable: true },
    });
  });
});
