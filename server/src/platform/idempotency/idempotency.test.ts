import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { seedSession } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { isLong } from "../../../testing/test-size.ts";

let service: Service;
let organisation: string;
let owner: Person;

beforeAll(async () => {
  service = await startService({ settings: { DATABASE_CONNECTIONS: "20" } });
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

function invite(
  key: string | string[] | undefined,
  body: object,
  headers: Record<string, string> = {},
): Promise<Sent> {
  return service.send("POST", "/v1/invitations", {
    headers: { ...bearer(owner.token), ...(key !== undefined && { "idempotency-key": key }), ...headers },
    body,
  });
}

function newAddress(): string {
  return `${randomUUID()}@example.com`;
}

describe("one key, one effect", () => {
  test("returns the first response, byte by byte, marked as a replay", async () => {
    const [key, body] = [randomUUID(), { email: newAddress(), role: "member" }];

    const first = await invite(key, body);
    const again = await invite(key, body);

    expect(first.status).toBe(201);
    expect(first.headers["idempotency-replayed"]).toBeUndefined();
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers).toMatchObject({
      "idempotency-replayed": "true",
      location: first.headers.location,
      "content-type": first.headers["content-type"],
    });
    expect(again.headers["request-id"]).not.toBe(first.headers["request-id"]);
  });

  test("bare and quoted spell the same key, and the layout of the JSON does not matter", async () => {
    const [key, email] = [randomUUID(), newAddress()];

    const first = await invite(key, { email, role: "member" });
    const again = await service.send("POST", "/v1/invitations", {
      headers: { ...bearer(owner.token), "idempotency-key": `"${key}"`, "content-type": "application/json" },
      body: `{ "role":"member",\n "email":"${email}" }`,
    });

    expect(again.text).toBe(first.text);
  });

  test("rejects the same key with another request, and keeps the first response", async () => {
    const [key, body] = [randomUUID(), { email: newAddress(), role: "member" }];
    const first = await invite(key, body);

    const other = await invite(key, { ...body, role: "admin" });

    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused", retryable: false } });
    expect((await invite(key, body)).text).toBe(first.text);
  });

  test("stores a business error, and rolls its effect back", async () => {
    const [key, body] = [randomUUID(), { email: newAddress(), role: "member" }];
    const taken = await invite(undefined, body);
    const refused = await invite(key, body);
    await service.send("DELETE", `/v1/invitations/${taken.body.id}`, { headers: bearer(owner.token) });

    const again = await invite(key, body);

    expect(refused).toMatchObject({ status: 409, body: { code: "already_invited" } });
    expect(again).toMatchObject({ status: 409, text: refused.text });
    expect(again.headers["idempotency-replayed"]).toBe("true");
  });

  test("does not store a malformed request: after a correction it succeeds", async () => {
    const key = randomUUID();

    expect(await invite(key, { email: "nobody", role: "member" })).toMatchObject({ status: 400 });
    expect(await invite(key, { email: newAddress(), role: "member" })).toMatchObject({ status: 201 });
  });

  test.each(["", " ", "ä", "x".repeat(256), '"unclosed', "tab\there"])(
    "rejects the malformed key %j",
    async (key) => {
      const refused = await invite(key, { email: newAddress(), role: "member" });

      expect(refused).toMatchObject({ status: 400, body: { code: "idempotency_key_invalid" } });
    },
  );

  test("rejects a key that is sent twice", async () => {
    const refused = await invite(["one", "two"], { email: newAddress(), role: "member" });

    expect(refused).toMatchObject({ status: 400, body: { code: "idempotency_key_invalid" } });
  });

  test("keys of another organisation and of the other environment are other keys", async () => {
    const elsewhere = await service.organisation("Elsewhere");
    const both = await service.person({ [organisation]: "owner", [elsewhere]: "owner" });
    const key = randomUUID();
    const inviteAs = (org: string, environment: string): Promise<Sent> =>
      service.send("POST", "/v1/invitations", {
        headers: {
          ...bearer(both.token),
          "x-service-org": org,
          "x-service-environment": environment,
          "idempotency-key": key,
        },
        body: { email: newAddress(), role: "member" },
      });

    const answers = [
      await inviteAs(organisation, "live"),
      await inviteAs(elsewhere, "live"),
      await inviteAs(organisation, "test"),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3);
  });

  test("after 30 days the key is free again", async () => {
    await using later = await startService();
    const org = await later.organisation();
    const person = await later.person({ [org]: "owner" });
    const key = randomUUID();
    const inviteWith = (token: string): Promise<Sent> =>
      later.send("POST", "/v1/invitations", {
        headers: { ...bearer(token), "idempotency-key": key },
        body: { email: newAddress(), role: "member" },
      });
    const first = await inviteWith(person.token);

    later.clock.advance(30 * 86_400_000);
    const fresh = await inviteWith(await seedSession(later.app, person, "tool"));

    expect(fresh.status).toBe(201);
    expect(fresh.body.id).not.toBe(first.body.id);
  });
});

const KEYS = isLong ? 200 : 40;

describe(`${KEYS} keys, 50 requests at once with each`, () => {
  test("has exactly one effect each; the others wait or get the same bytes", async () => {
    const before = await countInvitations();
    for (let round = 0; round < KEYS; round++) {
      const [key, body] = [randomUUID(), { email: newAddress(), role: "member" }];
      const answers = await Promise.all(Array.from({ length: 50 }, () => invite(key, body)));

      const created = answers.filter(({ status }) => status === 201);
      const waiting = answers.filter(({ status }) => status === 409);
      expect(created.length + waiting.length).toBe(50);
      expect(created.filter(({ headers }) => !headers["idempotency-replayed"])).toHaveLength(1);
      expect(new Set(created.map(({ text }) => text)).size).toBe(1);
      expect(
        waiting.every(
          ({ body: problem, headers }) =>
            problem.code === "idempotency_in_progress" && headers["retry-after"] === "1",
        ),
      ).toBe(true);
    }
    expect((await countInvitations()) - before).toBe(KEYS);
  });
});

async function countInvitations(): Promise<number> {
  const [row] = await service.database.admin<{ count: number }>(
    "select count(*)::int as count from invitations",
  );
  return row!.count;
}
