import { TAG_LENGTH } from "../../platform/tags.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEED_PASSWORD, seedSession } from "../../seed.ts";
import { startServer } from "../../start.ts";
import { cookieIn, signIn } from "../../../testing/account.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import { OPERATIONS, requestTo } from "../../../testing/every-route.ts";
import { send, type Sent } from "../../../testing/send.ts";
import { bearer, browser, type Service, startService } from "../../../testing/service.ts";
import { testConfig } from "../../../testing/test-config.ts";
import { openNeighbours } from "../../../testing/walls/neighbours.ts";

const DAY_MS = 86_400_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const me = (cookie: string): Promise<Sent> => service.send("GET", "/v1/me", { headers: browser(cookie) });

test("a person signs in, is known, enters the password again and signs out", async () => {
  const person = await service.person();

  const signedIn = await signIn(service, person.email);
  const first = cookieIn(signedIn);
  const known = await me(first);
  const again = await service.send("POST", "/v1/sessions/current/reauthentication", {
    headers: browser(first),
    body: { password: SEED_PASSWORD },
  });
  const second = cookieIn(again);
  const out = await service.send("DELETE", "/v1/sessions/current", { headers: browser(second) });

  expect(signedIn).toMatchObject({
    status: 201,
    body: { user: { id: person.userId, name: person.name, email: person.email } },
  });
  expect(known.body.caller).toMatchObject({ kind: "session", id: person.userId });
  expect(again).toMatchObject({ status: 204, text: "" });
  expect(out).toMatchObject({ status: 204, text: "" });
  expect((await me(second)).status).toBe(401);
});

test("the address is the account, whatever its capital letters", async () => {
  const person = await service.person();

  expect((await signIn(service, person.email.toUpperCase())).status).toBe(201);
});

test("a wrong password does not count as entering it again, and leaves the session as it was", async () => {
  const person = await service.person();

  const refused = await service.send("POST", "/v1/sessions/current/reauthentication", {
    headers: browser(person.cookie),
    body: { password: "not the password at all" },
  });

  expect(refused).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
  expect(refused.headers["set-cookie"]).toBeUndefined();
  expect((await me(person.cookie)).status).toBe(200);
});

test("rejects a tool's token as a cookie, and a cookie's token as a bearer token", async () => {
  const person = await service.person();

  const asCookie = await service.send("GET", "/v1/me", { headers: browser(person.token) });
  const asBearer = await service.send("GET", "/v1/me", { headers: bearer(person.cookie) });

  expect([asCookie.status, asBearer.status]).toEqual([401, 401]);
});

test("a bad Authorization never falls back to the cookie", async () => {
  const person = await service.person();

  for (const authorization of [
    "",
    "Bearer",
    "Bearer svc_cli_nonsense",
    "Basic cGVyc29uOnBhc3N3b3Jk",
    `bearer ${person.cookie} `,
  ]) {
    const answer = await service.send("GET", "/v1/me", {
      headers: { ...browser(person.cookie), authorization },
    });
    expect(answer, authorization).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(answer.headers["www-authenticate"]).toBe('Bearer realm="dialplane", error="invalid_token"');
  }
});

test("being seen is written at most every five minutes", async () => {
  await using own = await startService();
  const person = await own.person();
  const seen = async (): Promise<string> => {
    const { body } = await own.send("GET", "/v1/sessions", { headers: bearer(person.token) });
    return body.data.find((one: { is_current: boolean }) => one.is_current).last_seen_at;
  };
  const first = await seen();

  own.clock.advance(4 * 60_000);
  expect(await seen()).toBe(first);
  own.clock.advance(60_000);
  await seen();
  await expect.poll(seen).not.toBe(first);
});

describe("tokens", () => {
  test("SE-01 a token carries 256 random bits and a dump of the database holds none that works", async () => {
    const person = await service.person();
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        seedSession(service.app, person, at % 2 === 0 ? "browser" : "tool"),
      ),
    );
    const dump = dumpOf(service.database.url);

    for (const token of tokens) {
      const bytes = Buffer.from(token.replace(/^svc_cli_/, "").slice(TAG_LENGTH), "base64url");
      expect(bytes).toHaveLength(32);
      expect(isReadableIn(dump, token)).toBe(false);
      expect(dump.includes(bytes.toString("hex"))).toBe(false);
    }
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(dump).toContain(person.userId);
  });

  test("SE-02 signing in and entering the password again give a new token, and the old one is 401", async () => {
    const person = await service.person();
    const first = cookieIn(await signIn(service, person.email));

    const second = cookieIn(await signIn(service, person.email, SEED_PASSWORD, browser(first)));
    expect(second).not.toBe(first);
    expect((await me(first)).status).toBe(401);

    const third = cookieIn(
      await service.send("POST", "/v1/sessions/current/reauthentication", {
        headers: browser(second),
        body: { password: SEED_PASSWORD },
      }),
    );
    expect(third).not.toBe(second);
    expect((await me(second)).status).toBe(401);
    expect((await me(third)).status).toBe(200);
  });

  test("SE-02 a sign-in that fails ends nothing", async () => {
    const person = await service.person();

    await signIn(service, person.email, "not the password at all", browser(person.cookie));

    expect((await me(person.cookie)).status).toBe(200);
  });

  test("SE-03 a session ends after seven days without use, and after thirty however busy", async () => {
    await using own = await startService();
    const [idle, busy] = [await own.person(), await own.person()];
    const status = async (token: string): Promise<number> =>
      (await own.send("GET", "/v1/me", { headers: bearer(token) })).status;

    own.clock.advance(7 * DAY_MS - 60_000);
    expect(await status(busy.token)).toBe(200);
    const seen =
      "select last_seen_at from sessions where user_id = $1 and kind = 'tool' and last_seen_at > now() + interval '1 day'";
    await expect.poll(() => own.database.admin(seen, [busy.userId])).toHaveLength(1);
    own.clock.advance(120_000);
    expect([await status(idle.token), await status(busy.token)]).toEqual([401, 200]);

    for (let week = 2; week <= 4; week++) {
      own.clock.advance(7 * DAY_MS - 180_000);
      expect(await status(busy.token)).toBe(200);
      const since = own.clock.now();
      const isWritten =
        "select 1 from sessions where user_id = $1 and kind = 'tool' and last_seen_at >= $2::timestamptz - interval '1 minute'";
      await expect.poll(() => own.database.admin(isWritten, [busy.userId, since])).toHaveLength(1);
    }
    own.clock.advance(2 * DAY_MS + 3_600_000);
    expect(await status(busy.token)).toBe(401);
  });

  test("SE-08 the cookie is exactly this, and its token is in no body, address or further header", async () => {
    const person = await service.person();

    const answer = await signIn(service, person.email);
    const token = cookieIn(answer);
    const { "set-cookie": cookies, ...others } = answer.headers;
    const ended = await service.send("DELETE", "/v1/sessions/current", { headers: browser(token) });

    expect(cookies).toEqual([
      `__Host-svc_session=${token}; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax`,
      expect.stringMatching(
        /^__Host-svc_device=[\w.-]+; Path=\/; Max-Age=15552000; Secure; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(ended.headers["set-cookie"]).toEqual([
      "__Host-svc_session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax",
    ]);
    expect(answer.text + JSON.stringify(others)).not.toContain(token);
  });

  test("SE-08 rejects a token in the address", async () => {
    const person = await service.person();

    for (const name of ["token", "access_token", "session", "__Host-svc_session"]) {
      const answer = await service.send("GET", `/v1/me?${name}=${person.token}`);
      expect(answer.status).toBe(401);
      expect(answer.text).not.toContain(person.token);
    }
  });
});

describe("an end is an end", () => {
  test("SE-04 after signing out every replica answers 401 to the next request", async () => {
    const second = await startServer(testConfig(service.database.url), "api");
    try {
      const person = await service.person();
      const statuses = async (): Promise<number[]> => {
        const answers = [service.url, second.url!].map((url) =>
          send(url, "GET", "/v1/me", { headers: browser(person.cookie) }),
        );
        return (await Promise.all(answers)).map(({ status }) => status);
      };
      expect(await statuses()).toEqual([200, 200]);

      await service.send("DELETE", "/v1/sessions/current", { headers: browser(person.cookie) });

      expect(await statuses()).toEqual([401, 401]);
    } finally {
      await second.stop();
    }
  });

  test("SE-05 a disabled person is 401 and a removed member 403 from the next request on", async () => {
    const organisation = await service.organisation();
    const [disabled, removed] = [
      await service.person({ [organisation]: "owner" }),
      await service.person({ [organisation]: "admin" }),
    ];
    const owner = await service.person({ [organisation]: "owner" });
    const members = async (token: string): Promise<Sent> =>
      service.send("GET", "/v1/members", { headers: bearer(token) });
    expect([(await members(disabled.token)).status, (await members(removed.token)).status]).toEqual([
      200, 200,
    ]);

    await service.database.admin("update users set disabled_at = now() where id = $1", [disabled.userId]);
    await service.send("DELETE", `/v1/members/${removed.userId}`, { headers: bearer(owner.token) });

    expect(await members(disabled.token)).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(await members(removed.token)).toMatchObject({
      status: 403,
      body: { code: "organisation_not_allowed" },
    });
    expect((await signIn(service, disabled.email)).body.code).toBe("sign_in_failed");
  });
});

describe("one's own sessions", () => {
  test("SE-07 the list names each session without its token, and each can be ended", async () => {
    const person = await service.person();
    const { body, text } = await service.send("GET", "/v1/sessions", { headers: bearer(person.token) });

    expect(body.next_cursor).toBeNull();
    expect(body.data).toHaveLength(2);
    expect(Object.keys(body.data[0]).toSorted()).toEqual([
      "address",
      "created_at",
      "expires_at",
      "id",
      "is_current",
      "kind",
      "last_seen_at",
      "user_agent",
    ]);
    expect(text).not.toContain(person.token);
    expect(text).not.toContain(person.cookie);

    const other = body.data.find((one: { is_current: boolean }) => !one.is_current);
    const ended = await service.send("DELETE", `/v1/sessions/${other.id}`, { headers: bearer(person.token) });
    expect(ended.status).toBe(204);
    expect((await me(person.cookie)).status).toBe(401);
    expect((await service.send("GET", "/v1/me", { headers: bearer(person.token) })).status).toBe(200);
  });

  test("SE-07 another person's session is as unknown as one that never was", async () => {
    const [one, other] = [await service.person(), await service.person()];
    const { body } = await service.send("GET", "/v1/sessions", { headers: bearer(other.token) });
    const end = (id: string): Promise<Sent> =>
      service.send("DELETE", `/v1/sessions/${id}`, { headers: bearer(one.token) });
    const alike = ({ status, body: problem }: Sent): object => ({
      status,
      ...problem,
      request_id: "",
      instance: "",
    });

    const [foreign, unknown] = [
      await end(body.data[0].id),
      await end("0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"),
    ];

    expect(foreign).toMatchObject({ status: 404, body: { code: "session_not_found" } });
    expect(alike(foreign)).toEqual(alike(unknown));
    expect(alike(await end("nonsense"))).toEqual(alike(unknown));
    expect((await me(other.cookie)).status).toBe(200);
  });
});

test("SE-09 rejects API keys of any scope on every operation for users only", async () => {
  await using neighbours = await openNeighbours();
  const { home } = neighbours;
  const { secret } = await neighbours.service.key(home.owner, home.organisationId, ["full"]);
  const closed = OPERATIONS.filter(
    ({ access }) => access.callers === "operator" || ("keys" in access && access.keys === "none"),
  );
  expect(closed.length).toBeGreaterThan(15);

  for (const operation of closed) {
    const { method, path, headers, body } = await requestTo(neighbours, operation);
    const answer = await neighbours.service.send(method, path, {
      headers: { ...headers, ...bearer(secret) },
      body,
    });
    expect(answer, operation.id).toMatchObject({ status: 403, body: { code: "caller_kind_not_allowed" } });
  }
});
