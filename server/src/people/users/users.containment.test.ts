import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEED_PASSWORD } from "../../seed.ts";
import { mailTo, signIn } from "../../../testing/account.ts";
import { giveAuthenticator } from "../../../testing/authenticator-app.ts";
import { bearer, browser, type Person, type Service, startService } from "../../../testing/service.ts";
import type { Sent } from "../../../testing/send.ts";
import { tokenOfLink } from "../one-time-links/one-time-links.ts";

let service: Service;
let operator: Person;
beforeAll(async () => {
  service = await startService({ worker: true });
  operator = await service.person();
  await makeOperator(operator);
});
afterAll(() => service[Symbol.asyncDispose]());

const makeOperator = ({ userId }: Person): Promise<unknown> =>
  service.database.admin("update users set is_operator = true where id = $1", [userId]);
const ask = (method: string, path: string, body?: object): Promise<Sent> =>
  service.send(method, `/operator/v1/users${path}`, {
    headers: bearer(operator.token),
    ...(body && { body }),
  });
const statusesOf = async ({ token, cookie }: Person): Promise<number[]> => [
  (await service.send("GET", "/v1/me", { headers: bearer(token) })).status,
  (await service.send("GET", "/v1/me", { headers: browser(cookie) })).status,
];

test("an operator finds a person by email address and sees what can be contained", async () => {
  const organisation = await service.organisation("Alpha");
  const person = await service.person({ [organisation]: "admin" });
  await service.key(person, organisation, ["numbers"]);
  await giveAuthenticator(service, person.userId);

  const found = await ask("GET", `?email=${encodeURIComponent(person.email.toUpperCase())}`);
  expect(found.body).toMatchObject({
    data: [
      {
        id: person.userId,
        email: person.email,
        is_operator: false,
        disabled_at: null,
        has_authenticator: true,
        session_count: 2,
        api_key_count: 1,
        organisations: [{ id: organisation, name: "Alpha", role: "admin" }],
      },
    ],
    next_cursor: null,
  });
  expect((await ask("GET", `/${person.userId}`)).body).toEqual(found.body.data[0]);
  expect((await ask("GET", "?email=nobody@example.com")).body.data).toEqual([]);
});

test("every user is listed once, page by page", async () => {
  const all = (await ask("GET", "")).body.data.map(({ id }: { id: string }) => id);
  const paged: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body }: Sent = await ask("GET", `?limit=1${cursor && `&cursor=${cursor}`}`);
    paged.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  expect(paged).toEqual(all);
});

describe("a disabled person", () => {
  test("SE-10 is signed out, cannot sign in, and signs in again once enabled, without the earlier sessions", async () => {
    const organisation = await service.organisation();
    const person = await service.person({ [organisation]: "owner" });
    expect(await statusesOf(person)).toEqual([200, 200]);

    const disabled = await ask("POST", `/${person.userId}/disable`, { reason: "Laptop stolen" });
    expect([disabled.status, disabled.body.session_count]).toEqual([200, 0]);
    expect(disabled.body.disabled_at).not.toBeNull();
    expect(await statusesOf(person)).toEqual([401, 401]);
    expect((await signIn(service, person.email, SEED_PASSWORD)).status).toBe(401);

    expect((await ask("POST", `/${person.userId}/disable`, {})).body).toEqual(disabled.body);
    expect((await ask("POST", `/${person.userId}/enable`)).body.disabled_at).toBeNull();
    expect(await statusesOf(person)).toEqual([401, 401]);
    expect((await signIn(service, person.email, SEED_PASSWORD)).status).toBeLessThan(300);
    const entries = await service.database.admin(
      `select action, actor_kind, actor_id, organisation_id, detail from audit_entries
       where subject = $1 and action like 'user.%' order by id`,
      [person.userId],
    );
    const of = { actor_kind: "operator", actor_id: operator.userId };
    expect(entries).toEqual([
      { action: "user.disabled", ...of, organisation_id: null, detail: { reason: "Laptop stolen" } },
      { action: "user.disabled", ...of, organisation_id: organisation, detail: { reason: "Laptop stolen" } },
      { action: "user.enabled", ...of, organisation_id: null, detail: {} },
      { action: "user.enabled", ...of, organisation_id: organisation, detail: {} },
    ]);
  });

  test("does not come back with a session that a sign-in opened at the same moment", async () => {
    const person = await service.person();
    await ask("POST", `/${person.userId}/disable`, {});
    await service.database.admin(
      `insert into sessions (id, user_id, token_hash, kind, created_at, last_seen_at, reauthenticated_at, expires_at, address, user_agent)
       values (gen_random_uuid(), $1, '\\x01', 'tool', now(), now(), now(), now() + interval '1 day', '192.0.2.1', '')`,
      [person.userId],
    );
    expect((await ask("POST", `/${person.userId}/enable`)).body.session_count).toBe(0);
  });

  test("is not the operator who asks", async () => {
    const answer = await ask("POST", `/${operator.userId}/disable`, {});
    expect([answer.status, answer.body.code]).toEqual([409, "own_account"]);
    expect(await statusesOf(operator)).toEqual([200, 200]);
  });
});

test.each(["disable", "end-sessions"])(
  "SE-10 after %s, links that were mailed before open nothing",
  async (act) => {
    const person = await service.person();
    const headers = browser(person.cookie);
    const asked = await service.send("PUT", "/v1/me/email", {
      headers,
      body: { new_email: `taken-over-${act}@example.net` },
    });
    expect(asked.status).toBe(202);
    const [link] = await service.database.admin<{ id: string }>(
      "select id from one_time_links where user_id = $1 and purpose = 'change_email'",
      [person.userId],
    );
    const token = tokenOfLink(service.app, "change_email", link!.id);
    await ask("POST", `/${person.userId}/${act}`, act === "disable" ? {} : undefined);
    const used = await service.send("POST", "/v1/email-changes/complete", { body: { token } });
    expect(used.body.code).toBe("link_not_valid");
    expect((await ask("GET", `/${person.userId}`)).body.email).toBe(person.email);
  },
);

test("ending sessions signs a person out everywhere, and lets them sign in again", async () => {
  const person = await service.person();
  expect((await ask("POST", `/${person.userId}/end-sessions`)).body.session_count).toBe(0);
  expect(await statusesOf(person)).toEqual([401, 401]);
  expect((await signIn(service, person.email, SEED_PASSWORD)).status).toBeLessThan(300);
});

test("removes an authenticator with its recovery codes, signs the user out and notifies the user", async () => {
  const person = await service.person();
  await giveAuthenticator(service, person.userId);
  await service.database.admin("insert into recovery_codes (user_id, code_mac) values ($1, '\\x01')", [
    person.userId,
  ]);
  const removed = await ask("POST", `/${person.userId}/remove-authenticator`);
  expect(removed.body).toMatchObject({ has_authenticator: false, session_count: 0 });
  expect(await statusesOf(person)).toEqual([401, 401]);
  expect(
    await service.database.admin("select from recovery_codes where user_id = $1", [person.userId]),
  ).toEqual([]);
  await mailTo(service, person.email, "The authenticator app was removed");
  const again = await ask("POST", `/${person.userId}/remove-authenticator`);
  expect([again.status, again.body.code]).toEqual([404, "authenticator_not_found"]);
});

test("a user that does not exist is named as such", async () => {
  const unknown = "/01a1ea48-1ee5-7000-84f2-e8a5634027a7";
  for (const [method, path] of [
    ["GET", unknown],
    ["POST", `${unknown}/enable`],
    ["POST", `${unknown}/end-sessions`],
    ["POST", `${unknown}/remove-authenticator`],
  ] as const)
    expect((await ask(method, path)).body.code).toBe("user_not_found");
});
