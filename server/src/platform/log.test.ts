import { describe, expect, test } from "vitest";
import { cookieIn, mailTo, signIn, tokenIn } from "../../testing/account.ts";
import { captureLog } from "../../testing/captured-log.ts";
import type { Sent } from "../../testing/send.ts";
import { bearer, browser, type Service, startService } from "../../testing/service.ts";

const PASSWORDS = {
  right: "correct horse battery staple",
  wrong: "wrong horse battery staple",
  new: "the kettle hums at noon",
  invited: "the kettle hums at nine",
};

test("LG-02 after everything a person can do the log holds no password, token, key, cookie or link", async () => {
  const captured = captureLog("trace");
  await using service = await startService({ worker: true, overrides: { log: captured.log } });
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });
  const secrets = new Map<string, string>([
    ...Object.entries(PASSWORDS),
    ["tool's token", owner.token],
    ["seeded cookie", owner.cookie],
  ]);
  const remember = (name: string, secret: string): string => (secrets.set(name, secret), secret);

  await signIn(service, owner.email, PASSWORDS.wrong);
  let cookie = remember("cookie", cookieIn(await signIn(service, owner.email)));
  const again = await service.send("POST", "/v1/sessions/current/reauthentication", {
    headers: browser(cookie),
    body: { password: PASSWORDS.right },
  });
  cookie = remember("second cookie", cookieIn(again));
  const key = (
    await service.send("POST", "/v1/api-keys", {
      headers: browser(cookie),
      body: { name: "Key", scopes: ["full"] },
    })
  ).body;
  remember("key", key.secret);
  const rotated = await service.send("POST", `/v1/api-keys/${key.id}/rotate`, {
    headers: browser(cookie),
    body: {},
  });
  remember("rotated key", rotated.body.secret);
  await service.send("GET", "/v1/me", { headers: bearer(key.secret) });
  await service.send("GET", `/v1/me?key=${key.secret}`, { headers: bearer(key.secret) });
  await service.send("GET", `/v1/members/${key.secret}`, { headers: bearer(owner.token) });
  await service.send("POST", "/v1/sessions", {
    headers: { "content-type": "application/json" },
    body: `{"password":"${PASSWORDS.right}"`,
  });

  await service.send("POST", "/v1/invitations", {
    headers: bearer(owner.token),
    body: { email: "ada@example.com", role: "member" },
  });
  const invitation = remember(
    "invitation",
    tokenIn(await mailTo(service, "ada@example.com", "You are invited")),
  );
  await service.send("POST", "/v1/invitations/accept", {
    body: { token: invitation, account: { name: "Ada", password: "password1234" } },
  });
  await service.send("POST", "/v1/invitations/accept", {
    body: { token: invitation, account: { name: "Ada", password: PASSWORDS.invited } },
  });
  await service.send("POST", "/v1/password-resets", { body: { email: "ada@example.com" } });
  const reset = remember("reset", tokenIn(await mailTo(service, "ada@example.com", "Set a new password")));
  await service.send("POST", "/v1/password-resets/complete", {
    body: { token: reset, new_password: PASSWORDS.new },
  });
  await service.send("PUT", "/v1/me/email", {
    headers: browser(cookie),
    body: { new_email: "moved@example.com" },
  });
  const change = remember("change", tokenIn(await mailTo(service, "moved@example.com", "Confirm")));
  await service.database.admin("revoke update on users from dialplane_caller");
  await service.database.admin("revoke update (email, name, password_hash) on users from dialplane_caller");
  const failed = await service.send("POST", "/v1/email-changes/complete", { body: { token: change } });
  await service.send("PUT", "/v1/me/password", {
    headers: browser(cookie),
    body: { new_password: PASSWORDS.new },
  });

  expect(failed.status).toBe(500);
  const text = captured.text();
  expect(captured.lines().filter(({ msg }) => msg === "request").length).toBeGreaterThan(15);
  expect(captured.lines().filter(({ msg }) => msg === "request failed")).toHaveLength(2);
  expect(
    [...secrets]
      .filter(([, secret]) => text.includes(secret) || text.includes(secret.slice(9, 41)))
      .map(([name]) => name),
  ).toEqual([]);
  expect(text).not.toContain("argon2");
});

test("hides carelessly logged values by their names", () => {
  const captured = captureLog();

  captured.log.info(
    {
      password: "one",
      token: "two",
      secret: "three",
      headers: { authorization: "four", cookie: "five" },
      body: { new_password: "six" },
    },
    "oops",
  );

  expect(captured.text()).not.toMatch(/one|two|three|four|five|six/);
  expect(captured.lines()).toMatchObject([{ password: "[hidden]", headers: { cookie: "[hidden]" } }]);
});

test("a request is one line that says who asked for what and how it went", async () => {
  const captured = captureLog("info");
  await using service = await startService({ overrides: { log: captured.log } });
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });

  const answer = await service.send("GET", "/v1/members?limit=3", { headers: bearer(owner.token) });

  await expect
    .poll(() => captured.lines().find(({ msg }) => msg === "request"))
    .toMatchObject({
      level: 30,
      time: expect.stringMatching(/Z$/),
      request_id: answer.headers["request-id"],
      method: "GET",
      route: "/v1/members",
      status: 200,
      duration_ms: expect.any(Number),
      organisation_id: organisation,
      caller_id: expect.any(String),
    });
});

describe("failures", () => {
  /** Words of the database, of our code and of the machine. */
  const INSIDE =
    /select|insert|permission|relation|function|postgres|dialplane_|node_modules|\.ts\b|\bat \w+ \(/i;

  function expectBare(answer: Sent): void {
    expect(answer).toMatchObject({ status: 500, body: { code: "internal_error", retryable: true } });
    const { type: _type, ...told } = answer.body;
    expect(JSON.stringify(told)).not.toMatch(INSIDE);
    expect(Object.keys(answer.body).toSorted()).toEqual([
      "code",
      "detail",
      "instance",
      "request_id",
      "retryable",
      "status",
      "title",
      "type",
    ]);
  }

  async function broken(statement: string): Promise<Service & { logged(): string }> {
    const captured = captureLog("error");
    const service = await startService({ overrides: { log: captured.log } });
    await service.database.admin(statement);
    return { ...service, logged: captured.text };
  }

  test("LG-03 rejects all callers if the look-up fails, without the reason in the response", async () => {
    await using service = await broken(
      "revoke execute on function authenticate_session, authenticate_api_key from public",
    );
    const organisation = await service.organisation();
    const owner = await service.person({ [organisation]: "owner" });
    const key = await service.key(owner, organisation, ["full"]);

    for (const headers of [
      bearer(owner.token),
      browser(owner.cookie),
      bearer(key.secret),
      bearer("svc_cli_unknown"),
    ]) {
      expectBare(await service.send("GET", "/v1/members", { headers }));
    }
    expect(service.logged()).toMatch(/permission denied for function authenticate_session/);
  });

  test("LG-03 rejects all sign-ins if failures cannot be counted, even with the right password", async () => {
    await using service = await broken("revoke all on limit_counters from dialplane_system");
    const person = await service.person();

    const answer = await signIn(service, person.email);

    expectBare(answer);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test("LG-03 rolls back actions that cannot be audited", async () => {
    await using service = await startService();
    const organisation = await service.organisation();
    const owner = await service.person({ [organisation]: "owner" });
    await service.database.admin(
      "revoke insert on audit_entries from dialplane_organisation, dialplane_caller",
    );

    expectBare(
      await service.send("POST", "/v1/invitations", {
        headers: bearer(owner.token),
        body: { email: "ada@example.com", role: "member" },
      }),
    );
    expectBare(
      await service.send("POST", "/v1/api-keys", {
        headers: browser(owner.cookie),
        body: { name: "Key", scopes: ["full"] },
      }),
    );
    expectBare(await service.send("DELETE", "/v1/sessions/current", { headers: browser(owner.cookie) }));

    const counts =
      "select (select count(*) from invitations)::int as invitations, (select count(*) from api_keys)::int as keys, (select count(*) from mails)::int as mails";
    expect(await service.database.admin(counts)).toEqual([{ invitations: 0, keys: 0, mails: 0 }]);
    expect((await service.send("GET", "/v1/me", { headers: browser(owner.cookie) })).status).toBe(200);
  });
});

test("LG-04 line breaks and colours in what people send stay inside one line of JSON, without their power", async () => {
  const captured = captureLog("trace");
  await using service = await startService({ overrides: { log: captured.log } });
  const evil = 'Ada\r\n{"level":60,"msg":"forged"}\u001b[31m\u2028\u0000';
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });
  await service.database.admin("update users set is_operator = true where id = $1", [owner.userId]);
  const before = captured.lines().length;

  const refused = await service.send("POST", "/operator/v1/organisations", {
    headers: bearer(owner.token),
    body: { name: evil },
  });
  await service.send("GET", `/v1/members/${encodeURIComponent(evil)}?x=${encodeURIComponent(evil)}`, {
    headers: { ...bearer(owner.token), "user-agent": "\u0080\u009b[31m" },
  });
  captured.log.error({ err: new Error(evil), name: evil }, evil);

  expect(refused).toMatchObject({ status: 400, body: { code: "invalid_json" } });
  await expect.poll(() => captured.lines().length - before).toBe(3);
  expect(captured.lines().filter(({ msg }) => msg === "forged")).toEqual([]);
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  expect(captured.text().replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f]/);
});
