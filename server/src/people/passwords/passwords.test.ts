import { TAG_LENGTH } from "../../platform/tags.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEED_PASSWORD, seedSession } from "../../seed.ts";
import { mailTo, signIn, tokenIn } from "../../../testing/account.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { makeLink, tokenOfLink } from "../one-time-links/one-time-links.ts";

const NEW_PASSWORD = "the kettle hums at noon";
const MINUTE_MS = 60_000;

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: true });
});
afterAll(() => service[Symbol.asyncDispose]());

function change(cookie: string, newPassword: string, on: Service = service): Promise<Sent> {
  return on.send("PUT", "/v1/me/password", { headers: browser(cookie), body: { new_password: newPassword } });
}

function complete(token: string, newPassword = NEW_PASSWORD, on: Service = service): Promise<Sent> {
  return on.send("POST", "/v1/password-resets/complete", { body: { token, new_password: newPassword } });
}

/** A link as the worker would make it, without waiting for the mail. */
async function linkFor(person: Person, on: Service = service): Promise<string> {
  const { app, clock } = on;
  const make = { userId: person.userId, purpose: "reset_password" } as const;
  return tokenOfLink(
    app,
    "reset_password",
    await app.db.forCaller({ userId: person.userId }, (tx) => makeLink(tx, clock.now(), make)),
  );
}

test("a forgotten password is replaced through a mailed link", async () => {
  const person = await service.person();

  const asked = await service.send("POST", "/v1/password-resets", {
    body: { email: person.email.toUpperCase() },
  });
  const mail = await mailTo(service, person.email, "Set a new password");
  const done = await complete(tokenIn(mail));

  expect(asked).toMatchObject({ status: 202, text: "" });
  expect(mail).toMatch(/http:\/\/127\.0\.0\.1:8080\/reset-password#[\w-]{68}\n/);
  expect(done).toMatchObject({ status: 204, text: "" });
  expect((await signIn(service, person.email, NEW_PASSWORD)).status).toBe(201);
  expect((await signIn(service, person.email, SEED_PASSWORD)).status).toBe(401);
});

test("a signed-in person changes the password and stays signed in", async () => {
  const person = await service.person();

  expect(await change(person.cookie, NEW_PASSWORD)).toMatchObject({ status: 204, text: "" });
  expect((await service.send("GET", "/v1/me", { headers: browser(person.cookie) })).status).toBe(200);
  expect((await signIn(service, person.email, NEW_PASSWORD)).status).toBe(201);
});

describe("what a password must be", () => {
  test("AU-01 rejects seven characters and accepts 64 and more, at a change and a reset", async () => {
    const person = await service.person();
    const long = "the kettle hums at noon, and at nine, and whenever somebody asks for tea";
    expect(long.length).toBeGreaterThan(64);

    expect(await change(person.cookie, "k3-9fz.")).toMatchObject({
      status: 422,
      body: { code: "password_too_weak" },
    });
    expect(await change(person.cookie, long)).toMatchObject({ status: 204 });
    expect((await signIn(service, person.email, long)).status).toBe(201);

    const token = await linkFor(person);
    expect(await complete(token, "k3-9fz.")).toMatchObject({
      status: 422,
      body: { code: "password_too_weak" },
    });
    expect(await complete(token, `${long}!`)).toMatchObject({ status: 204 });
  });

  test("AU-01 every sign of a long password counts", async () => {
    const person = await service.person();
    const long = `${"the kettle hums at noon ".repeat(10)}x`;
    await change(person.cookie, long);

    expect((await signIn(service, person.email, long.slice(0, -1))).status).toBe(401);
    expect((await signIn(service, person.email, long)).status).toBe(201);
  });

  test("AU-02 rejects common passwords at a change and a reset", async () => {
    const person = await service.person();
    const token = await linkFor(person);

    for (const known of ["1qaz2wsx3edc", "Password1234", "123456789012", "qwerty123456", person.email]) {
      expect(await change(person.cookie, known), known).toMatchObject({
        status: 422,
        body: { code: "password_too_weak" },
      });
      expect(await complete(token, known), known).toMatchObject({
        status: 422,
        body: { code: "password_too_weak" },
      });
    }
    expect((await signIn(service, person.email)).status).toBe(201);
  });
});

describe("mailed links", () => {
  test("AU-04 responds equally for existing and unknown accounts", async () => {
    const person = await service.person();
    const ask = (email: string): Promise<Sent> =>
      service.send("POST", "/v1/password-resets", { body: { email } });
    const mailsBefore = service.mails().length;

    const [known, unknown] = [await ask(person.email), await ask("nobody@example.com")];
    await mailTo(service, person.email, "Set a new password");
    const unsent = "select 1 from mails where sent_at is null";
    await until(async () => (await service.database.admin(unsent)).length === 0);

    const { date: _a, "request-id": _b, ratelimit: _c, ...headers } = known.headers;
    expect(unknown).toMatchObject({ status: known.status, text: known.text, headers });
    expect(service.mails().length).toBe(mailsBefore + 1);
    expect(service.mails().join("")).not.toContain("nobody@example.com");
  });

  test("AU-04 the request asks nothing about the account, so its time cannot tell either", async () => {
    await using own = await startService();
    await own.database.admin("alter table users rename to users_gone");

    expect(
      (await own.send("POST", "/v1/password-resets", { body: { email: "nobody@example.com" } })).status,
    ).toBe(202);
  });

  test("AU-09 of eight who use a reset link at once one succeeds", async () => {
    const token = await linkFor(await service.person());

    const answers = await Promise.all(Array.from({ length: 8 }, () => complete(token)));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      204,
      ...Array.from({ length: 7 }, () => 422),
    ]);
    expect(await complete(token)).toMatchObject({ status: 422, body: { code: "link_not_valid" } });
  });

  test("AU-09 rejects a reset link after one hour, and after a newer one", async () => {
    await using own = await startService();
    const [late, hasty] = [await own.person(), await own.person()];
    const [expired, replaced, newer] = [
      await linkFor(late, own),
      await linkFor(hasty, own),
      await linkFor(hasty, own),
    ];

    expect(await complete(replaced, NEW_PASSWORD, own)).toMatchObject({
      status: 422,
      body: { code: "link_not_valid" },
    });
    own.clock.advance(60 * MINUTE_MS - 1_000);
    expect((await complete(newer, NEW_PASSWORD, own)).status).toBe(204);
    own.clock.advance(1_000);
    expect(await complete(expired, NEW_PASSWORD, own)).toMatchObject({
      status: 422,
      body: { code: "link_not_valid" },
    });
  });

  test("AU-09 a dump of the database holds no link that works", async () => {
    const person = await service.person();
    await service.send("POST", "/v1/password-resets", { body: { email: person.email } });
    const token = tokenIn(await mailTo(service, person.email, "Set a new password"));

    const dump = dumpOf(service.database.url);

    expect(isReadableIn(dump, token)).toBe(false);
    expect(dump).not.toContain(Buffer.from(token, "base64url").toString("hex").slice(32));
    expect((await complete(token)).status).toBe(204);
  });

  test("AU-09 rejects a token of another purpose, a changed one and a truncated one", async () => {
    const person = await service.person();
    const token = await linkFor(person);
    const changed =
      token.slice(0, TAG_LENGTH) + (token[TAG_LENGTH] === "A" ? "B" : "A") + token.slice(TAG_LENGTH + 1);

    for (const bad of [
      changed,
      token.slice(0, -1),
      `${token}AA`,
      "x",
      tokenOfLink(service.app, "change_email", person.userId),
    ]) {
      expect(await complete(bad), bad).toMatchObject({ status: 422, body: { code: "link_not_valid" } });
    }
    expect((await complete(token)).status).toBe(204);
  });

  test("a changed or reset password ends every link mailed before, also one that would change the address", async () => {
    for (const replace of [
      async (person: Person) => change(person.cookie, NEW_PASSWORD),
      async (person: Person) => complete(await linkFor(person)),
    ]) {
      const person = await service.person();
      const email = `thief-of-${person.email}`;
      await service.send("PUT", "/v1/me/email", {
        headers: browser(person.cookie),
        body: { new_email: email },
      });
      const token = tokenIn(await mailTo(service, email, "Confirm your new email address"));

      expect((await replace(person)).status).toBe(204);

      const used = await service.send("POST", "/v1/email-changes/complete", { body: { token } });
      expect(used).toMatchObject({ status: 422, body: { code: "link_not_valid" } });
    }
  });

  test("keeps the link valid after a rejected password", async () => {
    const token = await linkFor(await service.person());

    expect((await complete(token, "short")).status).toBe(422);
    expect((await complete(token)).status).toBe(204);
  });
});

describe("who else learns of it", () => {
  test("AU-10 changing the password needs the present one, entered within ten minutes", async () => {
    await using own = await startService();
    const person = await own.person();

    own.clock.advance(10 * MINUTE_MS + 1_000);
    expect(await change(person.cookie, NEW_PASSWORD, own)).toMatchObject({
      status: 403,
      body: { code: "reauthentication_required" },
    });
    const again = await own.send("POST", "/v1/sessions/current/reauthentication", {
      headers: browser(person.cookie),
      body: { password: SEED_PASSWORD },
    });
    const cookie = /=([^;]+);/.exec(again.headers["set-cookie"]![0]!)![1]!;
    own.clock.advance(10 * MINUTE_MS - 1_000);
    expect(await change(cookie, NEW_PASSWORD, own)).toMatchObject({ status: 204 });
  });

  test("AU-10 a tool's session cannot change the password however recent", async () => {
    const person = await service.person();

    const answer = await service.send("PUT", "/v1/me/password", {
      headers: bearer(person.token),
      body: { new_password: NEW_PASSWORD },
    });

    expect(answer).toMatchObject({ status: 403, body: { code: "caller_kind_not_allowed" } });
  });

  test("AU-11 reports a change and a reset by email", async () => {
    const [changed, reset] = [await service.person(), await service.person()];

    await change(changed.cookie, NEW_PASSWORD);
    await complete(await linkFor(reset));

    for (const { email } of [changed, reset])
      expect(await mailTo(service, email, "Your password was changed")).not.toContain(NEW_PASSWORD);
  });

  test("SE-06 a changed password ends every other session, and a reset ends all", async () => {
    const person = await service.person();
    const other = await seedSession(service.app, person, "browser");
    const statuses = async (): Promise<number[]> => {
      const headers = [browser(person.cookie), browser(other), bearer(person.token)];
      return (await Promise.all(headers.map((one) => service.send("GET", "/v1/me", { headers: one })))).map(
        ({ status }) => status,
      );
    };
    expect(await statuses()).toEqual([200, 200, 200]);

    await change(person.cookie, NEW_PASSWORD);
    expect(await statuses()).toEqual([200, 401, 401]);
    await complete(await linkFor(person), `${NEW_PASSWORD}!`);
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  test("SE-06 a sign-in with the old password that races its change or reset leaves no session behind", async () => {
    await using own = await startService({
      settings: { LIMIT_SIGN_INS_PER_MINUTE: "100000", DATABASE_CONNECTIONS: "8" },
    });
    const sessionsOf = ({ userId }: Person): Promise<object[]> =>
      own.database.admin("select id from sessions where user_id = $1", [userId]);

    for (let round = 0; round < 8; round++) {
      const [changing, resetting] = [await own.person(), await own.person()];
      const link = await linkFor(resetting, own);
      for (const { person, replace, left } of [
        { person: changing, replace: () => change(changing.cookie, NEW_PASSWORD, own), left: 1 },
        { person: resetting, replace: () => complete(link, NEW_PASSWORD, own), left: 0 },
      ]) {
        const attempts = Array.from({ length: 4 }, () => () => signIn(own, person.email));
        // Sometimes the first to come, sometimes the last.
        attempts.splice(round % 5, 0, replace);
        const answers = await Promise.all(attempts.map((attempt) => attempt()));

        expect(answers[round % 5]!.status).toBe(204);
        expect(await sessionsOf(person), `round ${round}`).toHaveLength(left);
      }
    }
  });
});
