import { expect, test } from "vitest";
import { bearer, browser, startService } from "../../../testing/service.ts";

test("a person sees who they are and every organisation they belong to, with their role", async () => {
  await using service = await startService();
  const [first, second] = [await service.organisation("Alpha"), await service.organisation("Beta")];
  const person = await service.person({ [first]: "owner", [second]: "member" });

  const answer = await service.send("GET", "/v1/me", { headers: bearer(person.token) });

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    caller: {
      kind: "session",
      id: person.userId,
      name: person.name,
      email: person.email,
      environment: "live",
      expires_at: expect.stringMatching(/Z$/),
    },
    memberships: [
      { organisation: { id: first, name: "Alpha" }, role: "owner", unmet_policy: null },
      { organisation: { id: second, name: "Beta" }, role: "member", unmet_policy: null },
    ],
  });
});

test("a key sees its scopes, its side and its organisations, and no role", async () => {
  await using service = await startService();
  const organisation = await service.organisation("Alpha");
  const owner = await service.person({ [organisation]: "owner" });
  const key = await service.key(owner, organisation, ["numbers"], "test");

  const answer = await service.send("GET", "/v1/me", { headers: bearer(key.secret) });

  expect(answer.body).toEqual({
    caller: {
      kind: "api_key",
      id: key.id,
      name: "Test key",
      scopes: ["numbers"],
      environment: "test",
      key_hint: key.secret.slice(-4),
      expires_at: expect.stringMatching(/Z$/),
    },
    memberships: [{ organisation: { id: organisation, name: "Alpha" }, role: null, unmet_policy: null }],
  });
});

test("a cookie and a bearer token are the same person", async () => {
  await using service = await startService();
  const person = await service.person();

  const [byCookie, byToken] = [
    await service.send("GET", "/v1/me", { headers: browser(person.cookie) }),
    await service.send("GET", "/v1/me", { headers: bearer(person.token) }),
  ];

  expect(byCookie.status).toBe(200);
  expect(byCookie.body.caller.id).toBe(byToken.body.caller.id);
});

test("X-Service-Org has no effect: not even a foreign or malformed one", async () => {
  await using service = await startService();
  const person = await service.person();

  const answer = await service.send("GET", "/v1/me", {
    headers: { ...bearer(person.token), "x-service-org": "nonsense" },
  });

  expect(answer.status).toBe(200);
});

test("describes the authentication scheme without a credential", async () => {
  await using service = await startService();

  const answer = await service.send("GET", "/v1/me");

  expect(answer.status).toBe(401);
  expect(answer.headers["www-authenticate"]).toBe('Bearer realm="dialplane"');
  expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
  expect(answer.body).toMatchObject({
    status: 401,
    code: "unauthenticated",
    retryable: false,
    request_id: answer.headers["request-id"],
  });
});
