import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService } from "../../../testing/service.ts";

const DAY_MS = 86_400_000;

let service: Service;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  organisation = await service.organisation("Alpha");
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

interface Where {
  on?: Service;
  headers?: Record<string, string>;
}

function create(cookie: string, body: object, { on = service, headers = {} }: Where = {}): Promise<Sent> {
  return on.send("POST", "/v1/api-keys", {
    headers: { ...browser(cookie), ...headers },
    body: { name: "Key", scopes: ["numbers"], ...body },
  });
}

function rotate(cookie: string, id: string, body: object, on: Service = service): Promise<Sent> {
  return on.send("POST", `/v1/api-keys/${id}/rotate`, { headers: browser(cookie), body });
}

function me(secret: string, on: Service = service): Promise<Sent> {
  return on.send("GET", "/v1/me", { headers: bearer(secret) });
}

async function list(token: string, headers: Record<string, string> = {}): Promise<Sent["body"][]> {
  return (await service.send("GET", "/v1/api-keys?limit=1000", { headers: { ...bearer(token), ...headers } }))
    .body.data;
}

test("creates a key in the browser that is shown once, listed without its secret, and works at once", async () => {
  const made = await create(owner.cookie, { name: "Monitoring", allowed_networks: ["127.0.0.0/8"] });
  const { secret, ...shown } = made.body;

  expect(made.status).toBe(201);
  expect(secret).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
  expect(shown).toMatchObject({
    name: "Monitoring",
    environment: "live",
    hint: secret.slice(-4),
    scopes: ["numbers"],
    status: "active",
    allowed_networks: ["127.0.0.0/8"],
    is_shared: false,
    created_by: owner.userId,
    revoked_at: null,
    replaces_id: null,
    last_used_at: null,
  });
  expect(daysBetween(shown.created_at, shown.expires_at)).toBeCloseTo(90);
  expect((await me(secret)).status).toBe(200);
  const listed = await list(owner.token);
  expect(listed.find(({ id }) => id === shown.id)).toEqual(shown);
  expect(JSON.stringify(listed)).not.toContain(secret);
});

test("creates a key with a lifetime, or without expiry", async () => {
  const [week, endless] = [
    await create(owner.cookie, { expires_in_days: 7 }),
    await create(owner.cookie, { expires_in_days: null }),
  ];

  expect(daysBetween(week.body.created_at, week.body.expires_at)).toBeCloseTo(7);
  expect(endless.body.expires_at).toBeNull();
});

test("rejects a revoked key everywhere, lists it as revoked, and ignores a second revocation", async () => {
  const { body: key } = await create(owner.cookie, {});
  const revoke = (): Promise<Sent> =>
    service.send("DELETE", `/v1/api-keys/${key.id}`, { headers: bearer(owner.token) });

  expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 204]);
  await expect.poll(async () => (await me(key.secret)).status).toBe(401);
  expect((await list(owner.token)).find(({ id }) => id === key.id)).toMatchObject({
    status: "revoked",
    revoked_at: expect.any(String),
  });
  expect(await rotate(owner.cookie, key.id, {})).toMatchObject({
    status: 409,
    body: { code: "api_key_not_active" },
  });
});

describe("a key of two organisations", () => {
  test("is seen by both, asks for the organisation, and stays with the other when one detaches it", async () => {
    const second = await service.organisation("Beta");
    const both = await service.person({ [organisation]: "developer", [second]: "admin" });
    const other = await service.person({ [second]: "owner" });
    const made = await create(
      both.cookie,
      { organisation_ids: [organisation, second] },
      { headers: { "x-service-org": organisation } },
    );
    const { id, secret } = made.body;
    const names = async (): Promise<string[]> =>
      (await me(secret)).body.memberships.map(
        (one: { organisation: { name: string } }) => one.organisation.name,
      );

    expect(made.body.is_shared).toBe(true);
    expect(await names()).toEqual(["Alpha", "Beta"]);
    for (const token of [owner.token, other.token])
      expect((await list(token)).map((key) => key.id)).toContain(id);

    const detached = await service.send("POST", `/v1/api-keys/${id}/detach`, {
      headers: bearer(other.token),
    });
    expect(detached.status).toBe(204);
    await expect.poll(names).toEqual(["Alpha"]);
    expect((await list(other.token)).map((key) => key.id)).not.toContain(id);
    expect((await list(owner.token)).find((key) => key.id === id).is_shared).toBe(false);

    await service.send("POST", `/v1/api-keys/${id}/detach`, { headers: bearer(owner.token) });
    await expect.poll(async () => (await me(secret)).status).toBe(401);
  });

  test("is revoked for both by either", async () => {
    const second = await service.organisation("Beta");
    const both = await service.person({ [organisation]: "owner", [second]: "owner" });
    const other = await service.person({ [second]: "owner" });
    const key = await service.key(both, [organisation, second], ["numbers"]);

    await service.send("DELETE", `/v1/api-keys/${key.id}`, { headers: bearer(other.token) });

    await expect.poll(async () => (await me(key.secret)).status).toBe(401);
  });

  test("is not rotated by a user who can create keys in one of them only", async () => {
    const second = await service.organisation("Beta");
    const both = await service.person({ [organisation]: "owner", [second]: "owner" });
    const key = await service.key(both, [organisation, second], ["numbers"]);

    expect(await rotate(owner.cookie, key.id, {})).toMatchObject({
      status: 403,
      body: { code: "organisation_not_allowed" },
    });
  });
});

describe("ending and replacing a key", () => {
  test("AK-04 a key ends when it should, also from memory", async () => {
    await using own = await startService();
    const org = await own.organisation();
    const maker = await own.person({ [org]: "owner" });
    const { body: key } = await create(maker.cookie, { expires_in_days: 1 }, { on: own });
    const status = async (): Promise<number> => (await me(key.secret, own)).status;

    expect(await status()).toBe(200);
    own.clock.advance(DAY_MS - 5_000);
    expect(await status()).toBe(200);
    own.clock.advance(5_000);
    expect(await status()).toBe(401);
  });

  test.each([
    [0, 0],
    [1, 3_600_000],
    [24, DAY_MS],
    [168, 7 * DAY_MS],
    [undefined, DAY_MS],
  ])(
    "AK-04 rotated with an overlap of %s hours, old and new key work side by side just that long",
    async (hours, overlapMs) => {
      await using own = await startService();
      const org = await own.organisation();
      const maker = await own.person({ [org]: "owner" });
      const { body: old } = await create(
        maker.cookie,
        { expires_in_days: 30, allowed_networks: ["127.0.0.1"] },
        { on: own },
      );
      const statuses = async (fresh: string): Promise<number[]> => [
        (await me(old.secret, own)).status,
        (await me(fresh, own)).status,
      ];

      const { status, body: fresh } = await rotate(
        maker.cookie,
        old.id,
        hours === undefined ? {} : { overlap_hours: hours },
        own,
      );

      expect(status).toBe(201);
      expect(fresh).toMatchObject({
        replaces_id: old.id,
        name: old.name,
        scopes: old.scopes,
        allowed_networks: old.allowed_networks,
      });
      expect(Math.abs(Date.parse(fresh.expires_at) - own.clock.now().getTime() - 30 * DAY_MS)).toBeLessThan(
        60_000,
      );
      if (overlapMs > 0) {
        own.clock.advance(overlapMs - 5_000);
        expect(await statuses(fresh.secret)).toEqual([200, 200]);
        own.clock.advance(5_000);
      }
      await expect.poll(() => statuses(fresh.secret)).toEqual([401, 200]);
    },
  );
});

describe("at the same time", () => {
  test("a key is replaced once, however many ask at once, and its replacement in turn", async () => {
    await using own = await startService({ settings: { DATABASE_CONNECTIONS: "16" } });
    const org = await own.organisation();
    const maker = await own.person({ [org]: "owner" });
    let { body: key } = await create(maker.cookie, {}, { on: own });

    for (let round = 0; round < 8; round++) {
      const old = key;
      const again = (): Promise<Sent> => rotate(maker.cookie, old.id, {}, own);
      const answers = await Promise.all(Array.from({ length: 8 }, again));
      const late = await again();

      expect(answers.map(({ status, body }) => body.code ?? status).toSorted()).toEqual([
        201,
        ...Array.from({ length: 7 }, () => "api_key_not_active"),
      ]);
      expect([late.status, late.body.code]).toEqual([409, "api_key_not_active"]);
      expect((await me(old.secret, own)).status).toBe(200);
      key = answers.find(({ status }) => status === 201)!.body;
    }
    expect(await own.database.admin("select 1 from api_keys")).toHaveLength(9);
  });

  test("keys made while their maker is removed end within a day, like those made before", async () => {
    const org = await service.organisation("Gamma");
    const remover = await service.person({ [org]: "owner" });
    const lasting = `select k.id from api_keys k join api_key_organisations o on o.api_key_id = k.id
      where o.organisation_id = $1 and k.created_by = $2 and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > now() + interval '24 hours')`;

    for (let round = 0; round < 4; round++) {
      const maker = await service.person({ [org]: "developer" });
      const attempts = Array.from(
        { length: 12 },
        () => () => create(maker.cookie, { expires_in_days: null }),
      );
      attempts.splice(round * 4, 0, () =>
        service.send("DELETE", `/v1/members/${maker.userId}`, { headers: bearer(remover.token) }),
      );

      const answers = await Promise.all(attempts.map((attempt) => attempt()));
      const [removed] = answers.splice(round * 4, 1);

      expect(removed!.status).toBe(200);
      expect(answers.filter(({ status }) => status !== 201 && status !== 403)).toEqual([]);
      expect(await service.database.admin(lasting, [org, maker.userId]), `round ${round}`).toEqual([]);
    }
  });
});

test("AK-05 a key of one side never counts on the other, and is not even listed there", async () => {
  const { body: key } = await create(owner.cookie, {}, { headers: { "x-service-environment": "test" } });
  const live = { "x-service-environment": "live" };

  expect(key.secret).toMatch(/^svc_test_/);
  expect((await me(key.secret)).body.caller.environment).toBe("test");
  expect(await service.send("GET", "/v1/me", { headers: { ...bearer(key.secret), ...live } })).toMatchObject({
    status: 403,
    body: { code: "environment_not_allowed" },
  });
  expect((await list(owner.token, live)).map(({ id }) => id)).not.toContain(key.id);
  expect((await list(owner.token, { "x-service-environment": "test" })).map(({ id }) => id)).toContain(
    key.id,
  );
  expect(
    (await service.send("DELETE", `/v1/api-keys/${key.id}`, { headers: bearer(owner.token) })).body.code,
  ).toBe("api_key_not_found");
  expect((await rotate(owner.cookie, key.id, {})).body.code).toBe("api_key_not_found");
});

describe("allowed networks", () => {
  test("shows networks in canonical form in every response", async () => {
    const { body } = await create(owner.cookie, {
      allowed_networks: ["192.0.2.77/24", "198.51.100.7", "2001:DB8:0:0::7/48", "2001:db8::7"],
    });

    const shown = ["192.0.2.0/24", "198.51.100.7/32", "2001:db8::/48", "2001:db8::7/128"];
    expect(body.allowed_networks).toEqual(shown);
    expect((await list(owner.token)).find(({ id }) => id === body.id).allowed_networks).toEqual(shown);
  });

  async function keyWith(on: Service, networks: string[]): Promise<string> {
    const org = await on.organisation();
    const maker = await on.person({ [org]: "owner" });
    return (await create(maker.cookie, { allowed_networks: networks }, { on })).body.secret;
  }

  test("AK-06 from behind a trusted proxy a key works within its networks of both kinds and nowhere else", async () => {
    await using proxied = await startService({ settings: { TRUSTED_PROXIES: "127.0.0.1/32" } });
    const secret = await keyWith(proxied, [
      "192.0.2.0/24",
      "198.51.100.7",
      "2001:db8:1::/48",
      "2001:db8:2::7",
    ]);
    const statusFrom = async (address: string): Promise<number> =>
      (await proxied.send("GET", "/v1/me", { headers: { ...bearer(secret), "x-forwarded-for": address } }))
        .status;
    const inside = [
      "192.0.2.1",
      "192.0.2.255",
      "198.51.100.7",
      "2001:db8:1:ffff::1",
      "2001:db8:2::7",
      "::ffff:192.0.2.1",
      "::ffff:c000:0201",
    ];
    const outside = [
      "192.0.3.1",
      "198.51.100.8",
      "2001:db8:2::8",
      "2001:db9::1",
      "::ffff:192.0.3.1",
      "::1",
      "127.0.0.1",
    ];

    for (const address of inside) expect(await statusFrom(address), address).toBe(200);
    for (const address of outside) expect(await statusFrom(address), address).toBe(403);
  });

  test("AK-06 an invented X-Forwarded-For does not bring a key in", async () => {
    const secret = await keyWith(service, ["192.0.2.0/24"]);

    const answer = await service.send("GET", "/v1/me", {
      headers: { ...bearer(secret), "x-forwarded-for": "192.0.2.1" },
    });

    expect(answer).toMatchObject({ status: 403, body: { code: "address_not_allowed" } });
  });

  test.each(["999.1.1.1", "192.0.2.0/33", "2001:db8::/129", "::g", "1:2", "192.0.2", "::ffff:192.0.2.0/120"])(
    "AK-06 rejects %s as a network",
    async (network) => {
      expect(await create(owner.cookie, { allowed_networks: ["192.0.2.1", network] })).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ pointer: "#/allowed_networks/1" }] },
      });
    },
  );
});

describe("who may make keys", () => {
  test("AK-09 rejects keys by plain members, and for organisations in which the user cannot create keys", async () => {
    const second = await service.organisation("Beta");
    const [member, mixed] = [
      await service.person({ [organisation]: "member" }),
      await service.person({ [organisation]: "developer", [second]: "member" }),
    ];
    const of = { headers: { "x-service-org": organisation } };

    expect((await create(member.cookie, {})).body.code).toBe("role_not_allowed");
    for (const foreign of [second, "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"]) {
      expect(await create(mixed.cookie, { organisation_ids: [organisation, foreign] }, of)).toMatchObject({
        status: 403,
        body: { code: "organisation_not_allowed" },
      });
    }
  });

  test("AK-09 neither a key nor a tool's session makes or replaces keys", async () => {
    const key = await service.key(owner, organisation, ["full"]);
    const body = { name: "Key", scopes: ["numbers"] };

    for (const headers of [bearer(key.secret), bearer(owner.token)]) {
      for (const [path, sent] of [
        ["/v1/api-keys", body],
        [`/v1/api-keys/${key.id}/rotate`, {}],
      ] as const) {
        expect(await service.send("POST", path, { headers, body: sent })).toMatchObject({
          status: 403,
          body: { code: "caller_kind_not_allowed" },
        });
      }
    }
  });

  test("AK-09 making and replacing a key need the password, entered within ten minutes", async () => {
    await using own = await startService();
    const org = await own.organisation();
    const maker = await own.person({ [org]: "owner" });
    const key = await own.key(maker, org, ["numbers"]);

    own.clock.advance(10 * 60_000 + 1_000);

    expect(await create(maker.cookie, {}, { on: own })).toMatchObject({
      status: 403,
      body: { code: "reauthentication_required" },
    });
    expect(await rotate(maker.cookie, key.id, {}, own)).toMatchObject({
      status: 403,
      body: { code: "reauthentication_required" },
    });
  });
});

test("allows 50 active keys per organisation, also concurrently, without counting ended ones", async () => {
  const crowded = await service.organisation("Crowded");
  const maker = await service.person({ [crowded]: "owner" });
  const made: { id: string }[] = [];
  for (let at = 0; at < 49; at++)
    made.push(await service.key(maker, crowded, ["numbers"], at % 2 === 0 ? "live" : "test"));

  const raced = await Promise.all([create(maker.cookie, {}), create(maker.cookie, {})]);
  expect(raced.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(raced.find(({ status }) => status === 409)!.body.code).toBe("api_key_limit_reached");
  expect((await rotate(maker.cookie, made[0]!.id, { overlap_hours: 0 })).status).toBe(201);
  await service.send("DELETE", `/v1/api-keys/${made[2]!.id}`, { headers: bearer(maker.token) });
  expect((await create(maker.cookie, {})).status).toBe(201);
});

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}
