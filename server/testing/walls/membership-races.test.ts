import { afterAll, beforeAll, expect, test } from "vitest";
import { tokenOfInvitation } from "../../src/people/invitations/invitations.ts";
import type { Sent } from "../send.ts";
import { bearer, type Person, type Service, startService } from "../service.ts";
import { openSuperuser } from "../superuser.ts";

const RACERS = 8;

let service: Service;

beforeAll(async () => {
  service = await startService({ settings: { DATABASE_CONNECTIONS: "16" } });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Sends all concurrently. Returns the count of each response. */
async function race(send: (at: number) => Promise<Sent>, racers = RACERS): Promise<Record<string, number>> {
  const answers = await Promise.all(Array.from({ length: racers }, (_, at) => send(at)));
  const outcomes: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = String(body?.code ?? status);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

async function foundOrganisation(owners = 1): Promise<{ organisation: string; owners: Person[] }> {
  const organisation = await service.organisation("Race Ltd");
  const people = await Promise.all(
    Array.from({ length: owners }, () => service.person({ [organisation]: "owner" })),
  );
  return { organisation, owners: people };
}

async function invite(owner: Person, email: string, role = "member"): Promise<string> {
  const { body } = await service.send("POST", "/v1/invitations", {
    headers: bearer(owner.token),
    body: { email, role },
  });
  return tokenOfInvitation(service.app, body.id);
}

function count(sql: string, value: string): Promise<{ count: number }[]> {
  return service.database.admin<{ count: number }>(`select count(*)::int as count from ${sql}`, [value]);
}

test("AZ-07 one address invited many times at once is invited once, with one mail", async () => {
  const { organisation, owners } = await foundOrganisation();

  const outcomes = await race(() =>
    service.send("POST", "/v1/invitations", {
      headers: bearer(owners[0]!.token),
      body: { email: "raced@example.com", role: "member" },
    }),
  );

  expect(outcomes).toEqual({ 201: 1, already_invited: RACERS - 1 });
  expect(await count("invitations where organisation_id = $1", organisation)).toEqual([{ count: 1 }]);
  expect(await count("mails where recipient = $1", "raced@example.com")).toEqual([{ count: 1 }]);
  expect(
    await count("events where type = 'invitation.created' and organisation_id = $1", organisation),
  ).toEqual([{ count: 1 }]);
});

test("AZ-07 of all owners who leave at once, one stays", async () => {
  const { organisation, owners } = await foundOrganisation(RACERS);

  const outcomes = await race((at) =>
    service.send("DELETE", "/v1/members/me", { headers: bearer(owners[at]!.token) }),
  );

  expect(outcomes).toEqual({ 200: RACERS - 1, last_owner: 1 });
  expect(await count("memberships where role = 'owner' and organisation_id = $1", organisation)).toEqual([
    { count: 1 },
  ]);
});

test("AZ-07 of two owners who leave at once, one stays: every time", async () => {
  for (let round = 0; round < 5; round++) {
    const { owners } = await foundOrganisation(2);
    const outcomes = await race(
      (at) => service.send("DELETE", "/v1/members/me", { headers: bearer(owners[at]!.token) }),
      2,
    );
    expect(outcomes).toEqual({ 200: 1, last_owner: 1 });
  }
});

test("an owner leaves while another change of the organisation is in progress", async () => {
  const { organisation, owners } = await foundOrganisation(2);
  await using other = await openSuperuser(service.database.url);
  // Every insert with a foreign key to the organisation holds this lock, then waits for the lock of its events.
  await other.admin("begin");
  await other.admin("select from organisations where id = $1 for key share", [organisation]);

  const left = await service.send("DELETE", "/v1/members/me", { headers: bearer(owners[0]!.token) });

  expect(left.body?.code ?? left.status).toBe(200);
});

test("AZ-07 owners who take the role from each other at once leave one of them with it", async () => {
  const { organisation, owners } = await foundOrganisation(RACERS);

  const outcomes = await race((at) =>
    service.send("PATCH", `/v1/members/${owners[(at + 1) % RACERS]!.userId}`, {
      headers: bearer(owners[at]!.token),
      body: { role: "member" },
    }),
  );

  expect(
    Object.keys(outcomes).filter((outcome) => !["200", "last_owner", "role_not_allowed"].includes(outcome)),
  ).toEqual([]);
  expect(
    (await count("memberships where role = 'owner' and organisation_id = $1", organisation))[0]!.count,
  ).toBeGreaterThan(0);
});

test("AZ-07 an invitation accepted many times at once by the invited person makes one member", async () => {
  const { organisation, owners } = await foundOrganisation();
  const invited = await service.person();
  const token = await invite(owners[0]!, invited.email);

  const outcomes = await race(() =>
    service.send("POST", "/v1/invitations/accept", { headers: bearer(invited.token), body: { token } }),
  );

  expect(outcomes).toEqual({ 200: 1, invitation_not_found: RACERS - 1 });
  expect(await count("memberships where role = 'member' and organisation_id = $1", organisation)).toEqual([
    { count: 1 },
  ]);
  expect(await count("events where type = 'member.joined' and subject = $1", invited.userId)).toEqual([
    { count: 1 },
  ]);
});

test("AZ-07 an invitation accepted many times at once without an account makes one account and one member", async () => {
  const { organisation, owners } = await foundOrganisation();
  const token = await invite(owners[0]!, "newcomer@example.com");

  const outcomes = await race((at) =>
    service.send("POST", "/v1/invitations/accept", {
      body: { token, account: { name: `Newcomer ${at}`, password: "a sentence that nobody has said" } },
    }),
  );

  expect(outcomes).toEqual({ 200: 1, invitation_not_found: RACERS - 1 });
  expect(await count("users where email = $1", "newcomer@example.com")).toEqual([{ count: 1 }]);
  expect(await count("memberships where role = 'member' and organisation_id = $1", organisation)).toEqual([
    { count: 1 },
  ]);
});

test("AZ-07 one address invited by many organisations and accepted in all at once becomes one account", async () => {
  const invitations = await Promise.all(
    Array.from({ length: RACERS }, async () =>
      invite((await foundOrganisation()).owners[0]!, "everywhere@example.com"),
    ),
  );

  const outcomes = await race((at) =>
    service.send("POST", "/v1/invitations/accept", {
      body: {
        token: invitations[at],
        account: { name: "Everywhere", password: "a sentence that nobody has said" },
      },
    }),
  );

  expect(outcomes).toEqual({ 200: 1, account_exists: RACERS - 1 });
  expect(await count("users where email = $1", "everywhere@example.com")).toEqual([{ count: 1 }]);
});

test("AZ-07 accepting and withdrawing one invitation at once ends in one of the two", async () => {
  const { organisation, owners } = await foundOrganisation();
  const invited = await service.person();
  const headers = bearer(owners[0]!.token);
  const { body } = await service.send("POST", "/v1/invitations", {
    headers,
    body: { email: invited.email, role: "member" },
  });
  const token = tokenOfInvitation(service.app, body.id);

  const outcomes = await race((at) =>
    at % 2
      ? service.send("DELETE", `/v1/invitations/${body.id}`, { headers })
      : service.send("POST", "/v1/invitations/accept", { headers: bearer(invited.token), body: { token } }),
  );

  const [{ count: joined } = { count: -1 }] = await count(
    "memberships where role = 'member' and organisation_id = $1",
    organisation,
  );
  expect(outcomes).toEqual({ [joined ? "200" : "204"]: 1, invitation_not_found: RACERS - 1 });
});
