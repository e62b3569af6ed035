import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../../start.ts";
import { cookieIn, mailTo, signIn, tokenIn } from "../../../testing/account.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { tokenOfInvitation } from "./invitations.ts";

const PASSWORD = "the kettle hums at noon";
const DAY_MS = 86_400_000;

let service: Service;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  service = await startService({ worker: true });
  organisation = await service.organisation("Alpha");
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

let addresses = 0;
const newAddress = (): string => `invited-${++addresses}@example.com`;
const account = { name: "Ada Lovelace", password: PASSWORD };

function invite(email: string, role = "developer", token = owner.token): Promise<Sent> {
  return service.send("POST", "/v1/invitations", { headers: bearer(token), body: { email, role } });
}

function accept(body: object, headers: Record<string, string> = {}): Promise<Sent> {
  return service.send("POST", "/v1/invitations/accept", { headers, body });
}

async function invitedToken(email: string, role?: string): Promise<string> {
  return tokenOfInvitation(service.app, (await invite(email, role)).body.id);
}

test("an owner invites, the worker mails, the invited person makes an account and signs in", async () => {
  const email = newAddress();

  const invited = await invite(email.toUpperCase());
  const mail = await mailTo(service, email, "You are invited to Alpha");
  const accepted = await accept({ token: tokenIn(mail), account });
  const me = await service.send("GET", "/v1/me", {
    headers: browser(cookieIn(await signIn(service, email, PASSWORD))),
  });

  expect(invited).toMatchObject({
    status: 201,
    body: { email, role: "developer", invited_by: owner.userId },
  });
  expect(invited.headers.location).toBe(`http://127.0.0.1:8080/v1/invitations/${invited.body.id}`);
  expect(mail).toMatch(/join Alpha as developer[^]*http:\/\/127\.0\.0\.1:8080\/invitation#[\w-]{68}\n/);
  expect(accepted).toMatchObject({
    status: 200,
    body: { organisation: { id: organisation, name: "Alpha" }, role: "developer" },
  });
  expect(me.body).toMatchObject({
    caller: { name: "Ada Lovelace", email },
    memberships: [{ organisation: { id: organisation }, role: "developer" }],
  });
});

test("lets a user with an account sign in and join", async () => {
  const person = await service.person();
  const token = await invitedToken(person.email, "admin");

  const withoutSession = await accept({ token, account });
  const joined = await accept({ token }, browser(person.cookie));

  expect(withoutSession).toMatchObject({ status: 409, body: { code: "account_exists" } });
  expect(joined).toMatchObject({ status: 200, body: { role: "admin" } });
  expect((await signIn(service, person.email, PASSWORD)).status).toBe(401);
});

test("an invitation is listed while it is open, and gone once it is withdrawn", async () => {
  const { body: invited } = await invite(newAddress());
  const list = async (): Promise<string[]> =>
    (await service.send("GET", "/v1/invitations?limit=1000", { headers: bearer(owner.token) })).body.data.map(
      (one: { id: string }) => one.id,
    );
  expect(await list()).toContain(invited.id);

  const withdrawn = await service.send("DELETE", `/v1/invitations/${invited.id}`, {
    headers: bearer(owner.token),
  });

  expect(withdrawn.status).toBe(204);
  expect(await list()).not.toContain(invited.id);
  expect(await accept({ token: tokenOfInvitation(service.app, invited.id), account })).toMatchObject({
    status: 404,
    body: { code: "invitation_not_found" },
  });
});

test("an invitation withdrawn before the worker came is not mailed", async () => {
  await using own = await startService();
  const org = await own.organisation();
  const person = await own.person({ [org]: "owner" });
  const { body } = await own.send("POST", "/v1/invitations", {
    headers: bearer(person.token),
    body: { email: "late@example.com", role: "member" },
  });
  await own.send("DELETE", `/v1/invitations/${body.id}`, { headers: bearer(person.token) });
  await using _worker = await workerOn(own);

  await until(
    async () => (await own.database.admin("select 1 from mails where sent_at is null")).length === 0,
  );

  expect(own.mails()).toEqual([]);
});

test("the same address can be invited again once the first invitation has ended, and not before", async () => {
  await using own = await startService();
  const org = await own.organisation();
  const person = await own.person({ [org]: "owner" });
  const again = (): Promise<Sent> =>
    own.send("POST", "/v1/invitations", {
      headers: bearer(person.token),
      body: { email: "slow@example.com", role: "member" },
    });
  const first = await again();

  expect(await again()).toMatchObject({ status: 409, body: { code: "already_invited" } });
  own.clock.advance(7 * DAY_MS - 1_000);
  const late = { token: tokenOfInvitation(own.app, first.body.id), account };
  own.clock.advance(1_000);
  expect((await own.send("POST", "/v1/invitations/accept", { body: late })).body.code).toBe(
    "invitation_not_found",
  );
  // The inviter's session has idled away as well by now.
  await own.database.admin("update sessions set last_seen_at = $1", [own.clock.now()]);
  expect((await again()).status).toBe(201);
});

test("a member cannot be invited a second time", async () => {
  const member = await service.person({ [organisation]: "member" });

  expect(await invite(member.email)).toMatchObject({ status: 409, body: { code: "already_member" } });
});

describe("the account made on the way", () => {
  test("AU-01 rejects passwords of seven characters and accepts 64 and more", async () => {
    const email = newAddress();
    const token = await invitedToken(email);
    const long = "the kettle hums at noon, and at nine, and whenever somebody asks for tea";

    expect(await accept({ token, account: { ...account, password: "k3-9fz." } })).toMatchObject({
      status: 422,
      body: { code: "password_too_weak", errors: [{ pointer: "#/account/password" }] },
    });
    expect((await accept({ token, account: { ...account, password: long } })).status).toBe(200);
    expect((await signIn(service, email, long)).status).toBe(201);
  });

  test("AU-02 rejects common passwords and the user's own address", async () => {
    const email = newAddress();
    const token = await invitedToken(email);

    for (const password of ["1qaz2wsx3edc", "Password1234", "123456789012", "qwerty123456", email]) {
      expect(await accept({ token, account: { ...account, password } }), password).toMatchObject({
        status: 422,
        body: { code: "password_too_weak" },
      });
    }
  });

  test("names the missing name and password", async () => {
    const token = await invitedToken(newAddress());

    expect(await accept({ token })).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ pointer: "#/account", code: "required" }] },
    });
  });
});

describe("the link", () => {
  test("AU-04 who has no invitation cannot find out which addresses have accounts", async () => {
    const person = await service.person();
    const guesses = [`${"A".repeat(63)}B`, tokenOfInvitation(service.app, person.userId), "x"];

    const answers = await Promise.all(guesses.map((token) => accept({ token, account })));

    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, body: { code: "invitation_not_found" } });
  });

  test("AU-09 accepts one of eight concurrent requests, and creates one account", async () => {
    const email = newAddress();
    const token = await invitedToken(email);

    const answers = await Promise.all(Array.from({ length: 8 }, () => accept({ token, account })));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 404),
    ]);
    expect(await service.database.admin("select 1 from users where email = $1", [email])).toHaveLength(1);
  });

  test("two organisations' invitations accepted at once make one account, and the other one says to sign in", async () => {
    const email = newAddress();
    const elsewhere = await service.organisation("Beta");
    const other = await service.person({ [elsewhere]: "owner" });
    const tokens = [(await invite(email)).body.id, (await invite(email, "member", other.token)).body.id];

    const answers = await Promise.all(
      tokens.map((id: string) => accept({ token: tokenOfInvitation(service.app, id), account })),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe("account_exists");
  });

  test("AU-09 a dump of the database holds no link that works", async () => {
    const email = newAddress();
    await invite(email);
    const token = tokenIn(await mailTo(service, email, "You are invited"));

    expect(isReadableIn(dumpOf(service.database.url), token)).toBe(false);
  });

  test("works only for the invited user", async () => {
    const person = await service.person();
    const token = await invitedToken(newAddress());
    const key = await service.key(owner, organisation, ["full"]);

    for (const headers of [browser(person.cookie), bearer(person.token), bearer(key.secret)]) {
      expect(await accept({ token }, headers)).toMatchObject({
        status: 404,
        body: { code: "invitation_not_found" },
      });
    }
  });

  test("a worthless token costs no password hashing", async () => {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 40 }, () => accept({ token: "A".repeat(64), account })));
    const worthless = performance.now() - startedAt;
    const hashedAt = performance.now();
    await Promise.all(Array.from({ length: 40 }, () => signIn(service, "nobody@example.com", PASSWORD)));

    expect(worthless).toBeLessThan((performance.now() - hashedAt) / 2);
  });

  test("a password or an address that will not be taken costs no hashing either", async () => {
    const [taken, free] = [await service.person(), newAddress()];
    const tokens = [await invitedToken(taken.email), await invitedToken(free)];
    const guessable = { name: "Ada", password: "passwordpassword" };
    const startedAt = performance.now();
    const refused = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        accept({ token: tokens[at % 2]!, account: at % 2 === 0 ? account : guessable }),
      ),
    );
    const unhashed = performance.now() - startedAt;
    const hashedAt = performance.now();
    await Promise.all(Array.from({ length: 40 }, () => signIn(service, "nobody@example.com", PASSWORD)));

    expect(new Set(refused.map(({ body }) => body.code))).toEqual(
      new Set(["account_exists", "password_too_weak"]),
    );
    expect(unhashed).toBeLessThan((performance.now() - hashedAt) / 2);
  });
});

test.for(["PATCH", "DELETE"])(
  "an invitation gives no role that its sender has lost by %s",
  async (method) => {
    const former = await service.person({ [organisation]: "owner" });
    const [above, below] = [newAddress(), newAddress()];
    const ids = [await invite(above, "owner", former.token), await invite(below, "developer", former.token)];
    const [first, second] = ids.map(({ body }) => tokenOfInvitation(service.app, body.id));
    const lost = { headers: bearer(owner.token), ...(method === "PATCH" && { body: { role: "admin" } }) };
    expect((await service.send(method, `/v1/members/${former.userId}`, lost)).status).toBeLessThan(300);

    expect((await accept({ token: first, account })).body.code).toBe("invitation_not_found");
    // An admin may still invite a developer.
    expect((await accept({ token: second, account })).status).toBe(method === "PATCH" ? 200 : 404);
  },
);

test("rejects invitations above the inviter's role", async () => {
  const admin = await service.person({ [organisation]: "admin" });

  expect(await invite(newAddress(), "owner", admin.token)).toMatchObject({
    status: 403,
    body: { code: "role_too_high" },
  });
  expect((await invite(newAddress(), "admin", admin.token)).status).toBe(201);
});

/** A separate worker, for a service that was started without one. */
async function workerOn(on: Service): Promise<AsyncDisposable> {
  const worker = await startServer(on.app.config, "worker", { clock: on.clock });
  return { [Symbol.asyncDispose]: () => worker.stop() };
}
