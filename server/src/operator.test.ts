import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { runOperator } from "./operator.ts";
import { cookieIn, mailTo, signIn, tokenIn } from "../testing/account.ts";
import { bearer, browser, type Service, startService } from "../testing/service.ts";

const PASSWORD = "the kettle hums at noon";

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: true });
});
afterAll(() => service[Symbol.asyncDispose]());

let said: string[];
beforeEach(() => {
  said = [];
  for (const channel of ["log", "error"] as const)
    vi.spyOn(console, channel).mockImplementation((line: string) => void said.push(line));
});
afterEach(() => vi.restoreAllMocks());

const operator = (...args: string[]): Promise<number> => runOperator(service.app.config, args);

test("the first operator gets a link for a password, signs in, and makes the first organisation, whose owner is invited", async () => {
  expect(await operator("grant", "Ops@Example.com")).toBe(0);
  await service.send("POST", "/v1/password-resets/complete", {
    body: { token: tokenIn(said.join("\n")), new_password: PASSWORD },
  });
  const cookie = cookieIn(await signIn(service, "ops@example.com", PASSWORD));

  const made = await service.send("POST", "/operator/v1/organisations", {
    headers: browser(cookie),
    body: { name: "Alpha", owner_email: "ada@example.com" },
  });
  const listed = await service.send("GET", "/operator/v1/organisations", { headers: browser(cookie) });
  const invitation = await mailTo(service, "ada@example.com", "You are invited to Alpha");
  const accepted = await service.send("POST", "/v1/invitations/accept", {
    body: { token: tokenIn(invitation), account: { name: "Ada", password: PASSWORD } },
  });

  expect(made.status).toBe(201);
  expect(made.headers.location).toBe(`http://127.0.0.1:8080/operator/v1/organisations/${made.body.id}`);
  expect(listed.body.data).toMatchObject([{ id: made.body.id, name: "Alpha" }]);
  expect(accepted.body).toEqual({ organisation: { id: made.body.id, name: "Alpha" }, role: "owner" });
  const [entry] = await service.database.admin(
    "select actor_kind, actor_name from audit_entries where action = 'organisation.created'",
  );
  expect(entry).toEqual({ actor_kind: "operator", actor_name: "ops" });
});

test("prints a link that works once within a day and is not stored", async () => {
  await operator("grant", "late@example.com");
  const body = { token: tokenIn(said.join("\n")), new_password: PASSWORD };

  expect((await service.send("POST", "/v1/password-resets/complete", { body })).status).toBe(204);
  expect((await service.send("POST", "/v1/password-resets/complete", { body })).body.code).toBe(
    "link_not_valid",
  );
});

test("grants operator access to an existing account, and revokes it with the next request", async () => {
  const person = await service.person();
  const status = async (): Promise<number> =>
    (await service.send("GET", "/operator/v1/organisations", { headers: browser(person.cookie) })).status;
  expect(await status()).toBe(403);

  await operator("grant", person.email);
  expect(said).toEqual([`${person.email} is an operator.`]);
  expect(await status()).toBe(200);
  await operator("revoke", person.email);
  expect(await status()).toBe(403);
  const acts = await service.database.admin(
    "select action from audit_entries where subject = $1 order by id",
    [person.userId],
  );
  expect(acts).toEqual([{ action: "operator.granted" }, { action: "operator.revoked" }]);
});

test("creates an organisation from the command line, and invites its first owner", async () => {
  expect(await operator("create-organisation", "Beta", "bob@example.com")).toBe(0);

  expect(await mailTo(service, "bob@example.com", "You are invited to Beta")).toContain("as owner");
});

test.each([[[]], [["grant"]], [["create-organisation", "Only a name"]], [["promote", "ada@example.com"]]])(
  "prints the usage for %j",
  async (args) => {
    expect(await operator(...args)).toBe(2);
    expect(said.join()).toMatch(/^Usage: /);
  },
);

test.each(["no-address", "two words@example.com", "a@example.com\nBcc: b@example.com"])(
  "rejects %j as an address, without creating a user",
  async (email) => {
    expect(await operator("grant", email)).toBe(2);
    expect(await operator("create-organisation", "Gamma", email)).toBe(2);
    expect(
      await service.database.admin(
        "select 1 from users where email = $1 union all select 1 from organisations where name = 'Gamma'",
        [email],
      ),
    ).toEqual([]);
  },
);

test("people are disabled, enabled and signed out, and lose their authenticator, by email address", async () => {
  const person = await service.person();
  const status = async (): Promise<number> =>
    (await service.send("GET", "/v1/me", { headers: bearer(person.token) })).status;
  expect(await status()).toBe(200);

  expect(await operator("disable-user", person.email.toUpperCase(), "Laptop stolen")).toBe(0);
  expect(await status()).toBe(401);
  expect((await signIn(service, person.email)).status).toBe(401);
  expect(await operator("enable-user", person.email)).toBe(0);
  expect((await signIn(service, person.email)).status).toBeLessThan(300);
  expect(await operator("end-sessions", person.email)).toBe(0);
  expect(await operator("remove-authenticator", person.email)).toBe(1);
  expect(said).toEqual([
    `${person.email} is disabled and signed out.`,
    `${person.email} can sign in.`,
    `${person.email} is signed out everywhere.`,
    "This user has no authenticator app.",
  ]);
  expect(await operator("end-sessions", "nobody@example.com")).toBe(1);
  expect(await operator("end-sessions")).toBe(2);
});

test("organisations are suspended and resumed, with their numbers if wanted", async () => {
  const id = await service.organisation("Lumen");
  const { token } = await service.person({ [id]: "owner" });
  const status = async (): Promise<number> =>
    (await service.send("GET", "/v1/numbers", { headers: bearer(token) })).status;
  expect(await operator("suspend-organisation", id, "--numbers", "--reason", "Key leaked")).toBe(0);
  expect(await status()).toBe(403);
  expect(await operator("resume-organisation", id)).toBe(0);
  expect(await status()).toBe(200);
  expect(said).toEqual([
    "Lumen is suspended. Calls to its numbers are rejected. A worker changes its numbers now.",
    "Lumen is active. A worker changes its numbers now.",
  ]);
  expect(await operator("suspend-organisation", "01890a5d-ac96-774b-bcce-b302099a8057")).toBe(1);
  expect(await operator("suspend-organisation")).toBe(2);
});
