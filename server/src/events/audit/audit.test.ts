import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEED_PASSWORD } from "../../seed.ts";
import { cookieIn, signIn } from "../../../testing/account.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService, until } from "../../../testing/service.ts";

interface Entry {
  action: string;
  outcome: string;
  subject: string | null;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  organisation_id: string | null;
  environment: string | null;
  detail: Record<string, unknown>;
  request_id: string;
  address: string;
}

let service: Service;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

const FIND = `select action, outcome, subject, actor_kind, actor_id, actor_name, organisation_id, environment, detail, request_id, host(address) as address
  from audit_entries where request_id = $1`;

/** Errors are written a moment later. */
function entryOf(answer: Sent): Promise<Entry> {
  return until(async () => (await service.database.admin<Entry>(FIND, [answer.headers["request-id"]]))[0]);
}

describe("recorded actions", () => {
  test("LG-01 records sign-in, failed sign-in, reauthentication and sign-out with the address", async () => {
    const person = await service.person();
    const signedIn = await signIn(service, person.email);
    const failed = await signIn(service, person.email, "not the password at all");
    const unknown = await signIn(service, "nobody@example.com", "not the password at all");
    const wrong = await service.send("POST", "/v1/sessions/current/reauthentication", {
      headers: browser(person.cookie),
      body: { password: "wrong" },
    });
    const right = await service.send("POST", "/v1/sessions/current/reauthentication", {
      headers: browser(cookieIn(signedIn)),
      body: { password: SEED_PASSWORD },
    });
    const out = await service.send("DELETE", "/v1/sessions/current", { headers: browser(cookieIn(right)) });

    const who = { actor_id: person.userId, address: "127.0.0.1", organisation_id: null };
    expect(await entryOf(signedIn)).toMatchObject({
      ...who,
      action: "session.opened",
      outcome: "done",
      actor_kind: "session",
      actor_name: person.name,
    });
    expect(await entryOf(failed)).toMatchObject({
      ...who,
      action: "session.opened",
      outcome: "refused",
      actor_kind: "nobody",
    });
    expect(await entryOf(unknown)).toMatchObject({
      ...who,
      action: "session.opened",
      outcome: "refused",
      actor_kind: "nobody",
      actor_id: null,
    });
    expect(await entryOf(wrong)).toMatchObject({
      ...who,
      action: "session.reauthenticated",
      outcome: "refused",
    });
    expect(await entryOf(right)).toMatchObject({
      ...who,
      action: "session.reauthenticated",
      outcome: "done",
    });
    expect(await entryOf(out)).toMatchObject({ ...who, action: "session.ended", outcome: "done" });
  });

  test("LG-01 records each change of a credential", async () => {
    const person = await service.person();
    const body = { email: person.email };
    const answers: [Sent, string][] = [
      [await service.send("POST", "/v1/password-resets", { body }), "password.reset_requested"],
      [
        await service.send("PUT", "/v1/me/email", {
          headers: browser(person.cookie),
          body: { new_email: "moved@example.com" },
        }),
        "email_address.change_requested",
      ],
      [
        await service.send("PUT", "/v1/me/password", {
          headers: browser(person.cookie),
          body: { new_password: "the kettle hums at noon" },
        }),
        "password.changed",
      ],
    ];

    for (const [answer, action] of answers)
      expect(await entryOf(answer)).toMatchObject({ action, outcome: "done", address: "127.0.0.1" });
  });

  test("LG-01 each change of people and keys names who did it, in which organisation, and to what", async () => {
    const member = await service.person({ [organisation]: "member" });
    const headers = browser(owner.cookie);
    const made = await service.send("POST", "/v1/api-keys", {
      headers,
      body: { name: "Key", scopes: ["numbers"] },
    });
    const invited = await service.send("POST", "/v1/invitations", {
      headers,
      body: { email: "ada@example.com", role: "member" },
    });
    const answers: [Sent, string, string][] = [
      [made, "api_key.created", made.body.id],
      [
        await service.send("DELETE", `/v1/api-keys/${made.body.id}`, { headers }),
        "api_key.revoked",
        made.body.id,
      ],
      [invited, "invitation.created", invited.body.id],
      [
        await service.send("DELETE", `/v1/invitations/${invited.body.id}`, { headers }),
        "invitation.withdrawn",
        invited.body.id,
      ],
      [
        await service.send("PATCH", `/v1/members/${member.userId}`, { headers, body: { role: "admin" } }),
        "member.role_changed",
        member.userId,
      ],
      [
        await service.send("DELETE", `/v1/members/${member.userId}`, { headers }),
        "member.removed",
        member.userId,
      ],
    ];

    for (const [answer, action, subject] of answers) {
      expect(await entryOf(answer)).toMatchObject({
        action,
        subject,
        outcome: "done",
        organisation_id: organisation,
        actor_kind: "session",
        actor_id: owner.userId,
        actor_name: owner.name,
        address: "127.0.0.1",
      });
    }
  });

  test("LG-01 records the user or the key of a rejected request, with the reason", async () => {
    const member = await service.person({ [organisation]: "member" });
    const key = await service.key(owner, organisation, ["full"]);
    const headersOf = {
      toPerson: bearer(member.token),
      toKey: bearer(key.secret),
      elsewhere: { cookie: browser(owner.cookie)["cookie"]! },
    };
    const toPerson = await service.send("GET", "/v1/members", { headers: headersOf.toPerson });
    const toKey = await service.send("GET", "/v1/members", { headers: headersOf.toKey });
    const crossSite = await service.send("DELETE", "/v1/sessions/current", { headers: headersOf.elsewhere });

    const refused = { action: "request.refused", outcome: "refused", address: "127.0.0.1" };
    expect(await entryOf(toPerson)).toMatchObject({
      ...refused,
      actor_kind: "session",
      actor_id: member.userId,
      organisation_id: organisation,
      environment: "live",
      detail: { code: "role_not_allowed" },
    });
    expect(await entryOf(toKey)).toMatchObject({
      ...refused,
      actor_kind: "api_key",
      actor_id: key.id,
      detail: { code: "caller_kind_not_allowed" },
    });
    expect(await entryOf(crossSite)).toMatchObject({
      ...refused,
      actor_id: owner.userId,
      detail: { code: "cross_site_request" },
    });
  });

  test("LG-01 lets no database role that can sign in change or delete an entry", async () => {
    const rights = await service.database.admin<{ role: string }>(
      `select rolname as role from pg_roles where rolname like 'dialplane_%' and rolcanlogin
         and (has_table_privilege(oid, 'audit_entries', 'update, delete, truncate')
           or has_any_column_privilege(oid, 'audit_entries', 'update'))`,
    );

    expect(rights).toEqual([]);
  });
});

test("owners and admins read it newest first, page by page, their own organisation's only", async () => {
  const [mine, other] = [await service.organisation("Mine"), await service.organisation("Other")];
  const [one, stranger] = [
    await service.person({ [mine]: "admin" }),
    await service.person({ [other]: "owner" }),
  ];
  await service.send("POST", "/v1/invitations", {
    headers: bearer(one.token),
    body: { email: "mine@example.com", role: "member" },
  });
  await service.send("POST", "/v1/invitations", {
    headers: bearer(stranger.token),
    body: { email: "theirs@example.com", role: "member" },
  });

  const actions: string[] = [];
  let query = "?limit=1";
  while (query) {
    const { body } = await service.send("GET", `/v1/audit${query}`, { headers: bearer(one.token) });
    actions.push(...body.data.map((entry: { action: string }) => entry.action));
    query = body.next_cursor ? `?limit=1&cursor=${body.next_cursor}` : "";
  }

  expect(actions).toEqual(["invitation.created", "member.joined", "organisation.created"]);
});

test("records a few rejected requests of strangers per minute, without blocking other entries", async () => {
  await using own = await startService();
  const org = await own.organisation();
  const person = await own.person({ [org]: "member" });
  const cross = {
    headers: { "sec-fetch-site": "cross-site" },
    body: { email: "a@example.com", password: "x" },
  };

  const refused = await Promise.all(
    Array.from({ length: 300 }, () => own.send("POST", "/v1/sessions", cross)),
  );
  expect((await own.send("GET", "/v1/members", { headers: bearer(person.token) })).status).toBe(403);
  await own.server.api!.close();

  expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(["cross_site_request"]));
  const rows = await own.database.admin<{ actor_kind: string; count: number }>(
    `select actor_kind, count(*)::int as count from audit_entries where action = 'request.refused'
     group by actor_kind order by actor_kind`,
  );
  expect(rows).toEqual([
    { actor_kind: "nobody", count: expect.toSatisfy((count) => count >= 60 && count <= 120) },
    { actor_kind: "session", count: 1 },
  ]);
});

test("stores a flood of rejected requests in a few statements, and loses none on stop", async () => {
  await using own = await startService();
  const org = await own.organisation();
  const person = await own.person({ [org]: "member" });

  await Promise.all(
    Array.from({ length: 100 }, () => own.send("GET", "/v1/members", { headers: bearer(person.token) })),
  );
  await own.server.api!.close();

  const [row] = await own.database.admin<{ count: number }>(
    "select count(*)::int as count from audit_entries where action = 'request.refused'",
  );
  expect(row!.count).toBe(100);
});
