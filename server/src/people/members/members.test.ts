import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "../../platform/http/access.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";

const DAY_MS = 86_400_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Team {
  organisation: string;
  owner: Person;
  admin: Person;
  developer: Person;
}

async function team(on: Service = service): Promise<Team> {
  const organisation = await on.organisation();
  const person = (role: Role): Promise<Person> => on.person({ [organisation]: role });
  return {
    organisation,
    owner: await person("owner"),
    admin: await person("admin"),
    developer: await person("developer"),
  };
}

function remove(by: Person, who: Person, query = "", on: Service = service): Promise<Sent> {
  return on.send("DELETE", `/v1/members/${who.userId}${query}`, { headers: bearer(by.token) });
}

function giveRole(by: Person, to: Person, role: Role, keys?: string): Promise<Sent> {
  const body = { role, ...(keys && { keys }) };
  return service.send("PATCH", `/v1/members/${to.userId}`, { headers: bearer(by.token), body });
}

async function statusOf(secret: string, on: Service = service): Promise<number> {
  return (await on.send("GET", "/v1/me", { headers: bearer(secret) })).status;
}

test("owners and admins list the people with their roles, page by page", async () => {
  const { admin, owner, developer } = await team();
  const first = await service.send("GET", "/v1/members?limit=2", { headers: bearer(admin.token) });
  const next = new URL(/<(.+)>; rel="next"/.exec(first.headers.link as string)![1]!);
  const second = await service.send("GET", next.pathname + next.search, { headers: bearer(admin.token) });

  expect(next.searchParams.get("cursor")).toBe(first.body.next_cursor);
  expect(
    [...first.body.data, ...second.body.data].map((one: { user_id: string; role: string }) => [
      one.user_id,
      one.role,
    ]),
  ).toEqual([
    [owner.userId, "owner"],
    [admin.userId, "admin"],
    [developer.userId, "developer"],
  ]);
  expect(second.body.next_cursor).toBeNull();
  expect(second.headers.link).toBeUndefined();
});

test("a changed role counts from the member's next request on", async () => {
  const { owner, developer } = await team();
  const list = (): Promise<Sent> => service.send("GET", "/v1/members", { headers: bearer(developer.token) });
  expect((await list()).body.code).toBe("role_not_allowed");

  expect(await giveRole(owner, developer, "admin")).toMatchObject({
    status: 200,
    body: { user_id: developer.userId, role: "admin" },
  });
  expect((await list()).status).toBe(200);
  await giveRole(owner, developer, "member");
  expect((await list()).body.code).toBe("role_not_allowed");
});

test("rejects granting, changing and revoking a role above one's own", async () => {
  const { owner, admin, developer } = await team();

  for (const answer of [
    await giveRole(admin, developer, "owner"),
    await giveRole(admin, owner, "member"),
    await giveRole(admin, admin, "owner"),
    await remove(admin, owner),
  ]) {
    expect(answer).toMatchObject({ status: 403, body: { code: "role_too_high" } });
  }
});

describe("the last owner", () => {
  test("can neither leave, nor be removed, nor become something else", async () => {
    const { owner } = await team();
    const leave = await service.send("DELETE", "/v1/members/me", { headers: bearer(owner.token) });

    for (const answer of [leave, await remove(owner, owner), await giveRole(owner, owner, "admin")]) {
      expect(answer).toMatchObject({ status: 409, body: { code: "last_owner" } });
    }
  });

  test("may go once there is another", async () => {
    const { owner, admin } = await team();
    await giveRole(owner, admin, "owner");

    expect((await service.send("DELETE", "/v1/members/me", { headers: bearer(owner.token) })).status).toBe(
      200,
    );
    expect((await remove(admin, admin)).body.code).toBe("last_owner");
  });
});

/** One key of the organisation and one that it shares with another. */
async function keysOf({ organisation, developer }: Team): Promise<{ own: Key; shared: Key }> {
  const elsewhere = await service.organisation("Elsewhere");
  await service.database.admin("insert into memberships values ($1, $2, 'owner', now())", [
    elsewhere,
    developer.userId,
  ]);
  return {
    own: await service.key(developer, organisation, ["full"]),
    shared: await service.key(developer, [organisation, elsewhere], ["full"]),
  };
}

type Key = Awaited<ReturnType<Service["key"]>>;

const outcomesIn = ({ body }: Sent): unknown[] =>
  body.keys.map(({ id, outcome }: { id: string; outcome: string }) => [id, outcome]);

describe.each([
  { keys: "end", own: "ended", status: 401 },
  { keys: "grace", own: "expires", status: 200 },
  { keys: "keep", own: "kept", status: 200 },
])("with keys=$keys", ({ keys, own: outcome, status }) => {
  test(`AK-10 the keys of a removed person are ${outcome}, and shared ones lose the organisation`, async () => {
    const people = await team();
    const { own, shared } = await keysOf(people);
    const removed = await remove(people.owner, people.developer, `?keys=${keys}`);
    expect(outcomesIn(removed)).toEqual([
      [own.id, outcome],
      [shared.id, "detached"],
    ]);
    await expect.poll(() => statusOf(own.secret), { timeout: 2_000 }).toBe(status);
    expect(await statusOf(shared.secret)).toBe(200);
  });

  test(`AK-10 the keys of a user who becomes a plain member are ${outcome}`, async () => {
    const people = await team();
    const { own, shared } = await keysOf(people);
    const changed = await giveRole(people.owner, people.developer, "member", keys);
    expect(changed.body.role).toBe("member");
    expect(outcomesIn(changed)).toEqual([
      [own.id, outcome],
      [shared.id, keys === "keep" ? "kept" : "detached"],
    ]);
    await expect.poll(() => statusOf(own.secret), { timeout: 2_000 }).toBe(status);
  });
});

test("AK-10 a key named in keep_key is kept, whatever happens to the others", async () => {
  const people = await team();
  const [kept, ended] = [
    await service.key(people.developer, people.organisation, ["full"]),
    await service.key(people.developer, people.organisation, ["full"], "test"),
  ];
  const removed = await remove(people.owner, people.developer, `?keys=end&keep_key=${kept.id}`);
  expect(removed.status, removed.text).toBe(200);
  expect(outcomesIn(removed)).toEqual([
    [kept.id, "kept"],
    [ended.id, "ended"],
  ]);
  const events = await service.database.admin(
    "select environment, subject from events where organisation_id = $1 and type = 'api_key.revoked'",
    [people.organisation],
  );
  expect(events).toEqual([{ environment: null, subject: ended.id }]);
});

test("a role that can create keys leaves keys alone, and keys can be ended after a demotion", async () => {
  const people = await team();
  const { id, secret } = await service.key(people.developer, people.organisation, ["full"]);
  const { owner, developer } = people;
  expect(outcomesIn(await giveRole(owner, developer, "admin", "end"))).toEqual([]);
  expect(outcomesIn(await giveRole(owner, developer, "member"))).toEqual([[id, "kept"]]);
  expect(await statusOf(secret)).toBe(200);
  expect(outcomesIn(await giveRole(owner, developer, "member", "end"))).toEqual([[id, "ended"]]);
  await expect.poll(() => statusOf(secret), { timeout: 2_000 }).toBe(401);
});

describe("the keys of a user who leaves", () => {
  test("those named are kept, the others end in 24 hours, and those of several organisations lose this one", async () => {
    await using own = await startService();
    const { organisation, owner, developer } = await team(own);
    const elsewhere = await own.organisation("Elsewhere");
    await own.database.admin("insert into memberships values ($1, $2, 'owner', now())", [
      elsewhere,
      developer.userId,
    ]);
    const [kept, ending, shared, testSide] = [
      await own.key(developer, organisation, ["numbers"]),
      await own.key(developer, organisation, ["numbers"]),
      await own.key(developer, [organisation, elsewhere], ["numbers"]),
      await own.key(developer, organisation, ["numbers"], "test"),
    ];
    const untouched = await own.key(owner, organisation, ["numbers"]);

    const removed = await remove(owner, developer, `?keep_key=${kept.id.toUpperCase()}`, own);

    expect(removed).toMatchObject({ status: 200, body: { user_id: developer.userId } });
    const outcomes = Object.fromEntries(
      removed.body.keys.map((key: { id: string; outcome: string }) => [key.id, key.outcome]),
    );
    expect(outcomes).toEqual({
      [kept.id]: "kept",
      [ending.id]: "expires",
      [shared.id]: "detached",
      [testSide.id]: "expires",
    });
    const endsAt = removed.body.keys.find((key: { id: string }) => key.id === ending.id).expires_at;
    expect(Math.abs(Date.parse(endsAt) - own.clock.now().getTime() - DAY_MS)).toBeLessThan(60_000);

    const me = await own.send("GET", "/v1/me", { headers: bearer(shared.secret) });
    expect(me.body.memberships.map((one: { organisation: { id: string } }) => one.organisation.id)).toEqual([
      elsewhere,
    ]);
    expect(await statusOf(ending.secret, own)).toBe(200);
    own.clock.advance(DAY_MS + 60_000);
    expect(
      await Promise.all(
        [kept, ending, testSide, shared, untouched].map(({ secret }) => statusOf(secret, own)),
      ),
    ).toEqual([200, 401, 401, 200, 200]);
  });

  test("a key that would have ended sooner ends as it would have", async () => {
    const { organisation, owner, developer } = await team();
    const key = await service.key(developer, organisation, ["numbers"]);
    const soon = new Date(Date.now() + 3_600_000);
    await service.database.admin("update api_keys set expires_at = $1 where id = $2", [soon, key.id]);

    const { body } = await remove(owner, developer);

    expect(body.keys).toMatchObject([{ id: key.id, outcome: "expires", expires_at: soon.toISOString() }]);
  });

  test("ended keys are not listed, and leaving by oneself treats the others alike", async () => {
    const { organisation, owner, developer } = await team();
    const [live, revoked] = [
      await service.key(developer, organisation, ["numbers"]),
      await service.key(developer, organisation, ["numbers"]),
    ];
    await service.send("DELETE", `/v1/api-keys/${revoked.id}`, { headers: bearer(owner.token) });

    const left = await service.send("DELETE", "/v1/members/me", { headers: bearer(developer.token) });

    expect(left.body.keys).toMatchObject([{ id: live.id, outcome: "expires" }]);
  });
});

test("returns the same 404 for non-members and unknown users", async () => {
  const { owner } = await team();
  const stranger = await service.person();
  const alike = ({ status, body }: Sent): object => ({ status, ...body, request_id: "", instance: "" });

  const [foreign, unknown] = [
    await remove(owner, stranger),
    await service.send("DELETE", "/v1/members/0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11", {
      headers: bearer(owner.token),
    }),
  ];

  expect(foreign).toMatchObject({ status: 404, body: { code: "member_not_found" } });
  expect(alike(foreign)).toEqual(alike(unknown));
});
