import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tokenOfInvitation } from "../../src/people/invitations/invitations.ts";
import { type Role, ROLES } from "../../src/platform/http/access.ts";
import { startServer } from "../../src/start.ts";
import { rowChecksums } from "../row-checksums.ts";
import { send } from "../send.ts";
import { bearer, browser, type Person, type Service } from "../service.ts";
import { type Neighbours, openNeighbours } from "./neighbours.ts";

let neighbours: Neighbours;
let service: Service;
let organisation: string;
let owner: Person;

beforeAll(async () => {
  neighbours = await openNeighbours();
  service = neighbours.service;
  organisation = neighbours.home.organisationId;
  owner = neighbours.home.owner;
});
afterAll(() => neighbours[Symbol.asyncDispose]());

function personWith(role: Role): Promise<Person> {
  return service.person({ [organisation]: role });
}

function setRole(person: Person, role: Role) {
  return service.send("PATCH", `/v1/members/${person.userId}`, {
    headers: bearer(owner.token),
    body: { role },
  });
}

describe("AZ-06 a change of role counts from the next request on, on every replica", () => {
  test("lowered, raised again and removed", async () => {
    const { config, clock } = service.app;
    const replica = await startServer(config, "api", { clock });
    try {
      const person = await personWith("admin");
      const codes = async () => {
        const answers = await Promise.all(
          [service.url, replica.url!].map((url) =>
            send(url, "GET", "/v1/members", { headers: bearer(person.token) }),
          ),
        );
        return answers.map(({ status, body }) => body.code ?? status);
      };

      expect(await codes()).toEqual([200, 200]);
      for (const role of ["developer", "member"] as const) {
        expect((await setRole(person, role)).status).toBe(200);
        expect(await codes()).toEqual(["role_not_allowed", "role_not_allowed"]);
      }
      expect((await setRole(person, "admin")).status).toBe(200);
      expect(await codes()).toEqual([200, 200]);
      expect(
        (await service.send("DELETE", `/v1/members/${person.userId}`, { headers: bearer(owner.token) }))
          .status,
      ).toBe(200);
      expect(await codes()).toEqual(["organisation_not_allowed", "organisation_not_allowed"]);
    } finally {
      await replica.stop();
    }
  });

  test("rejects a change if the caller's role is lowered concurrently", async () => {
    const person = await personWith("admin");
    await setRole(person, "member");

    const answer = await service.send("POST", "/v1/invitations", {
      headers: bearer(person.token),
      body: { email: neighbours.freshEmail(), role: "member" },
    });

    expect([answer.status, answer.body.code]).toEqual([403, "role_not_allowed"]);
  });
});

const RANK: Record<Role, number> = { owner: 3, admin: 2, developer: 1, member: 0 };
const MANAGERS: readonly Role[] = ["owner", "admin"];
const PAIRS = MANAGERS.flatMap((own) =>
  ROLES.map((role) => ({
    own,
    role,
    isAllowed: RANK[role] <= RANK[own],
    verb: RANK[role] <= RANK[own] ? "can" : "cannot",
  })),
);

describe("AZ-12 rejects granting, changing and revoking a role above one's own", () => {
  test.each(PAIRS)("an $own $verb invite a $role", async ({ own, role, isAllowed }) => {
    const person = await personWith(own);

    const answer = await service.send("POST", "/v1/invitations", {
      headers: bearer(person.token),
      body: { email: neighbours.freshEmail(), role },
    });

    expect([answer.status, answer.body.code]).toEqual(isAllowed ? [201, undefined] : [403, "role_too_high"]);
  });

  test.each(PAIRS)("an $own $verb make a member a $role", async ({ own, role, isAllowed }) => {
    const [person, target] = [await personWith(own), await personWith("member")];

    const answer = await service.send("PATCH", `/v1/members/${target.userId}`, {
      headers: bearer(person.token),
      body: { role },
    });

    expect([answer.status, answer.body.code ?? answer.body.role]).toEqual(
      isAllowed ? [200, role] : [403, "role_too_high"],
    );
  });

  test.each(PAIRS)("an $own $verb lower or remove a $role", async ({ own, role, isAllowed }) => {
    const [person, lowered, removed] = [
      await personWith(own),
      await personWith(role),
      await personWith(role),
    ];
    const headers = bearer(person.token);

    const answers = [
      await service.send("PATCH", `/v1/members/${lowered.userId}`, { headers, body: { role: "member" } }),
      await service.send("DELETE", `/v1/members/${removed.userId}`, { headers }),
    ];

    expect(answers.map(({ status }) => status)).toEqual(isAllowed ? [200, 200] : [403, 403]);
    if (!isAllowed) expect(answers.map(({ body }) => body.code)).toEqual(["role_too_high", "role_too_high"]);
  });

  test.each(ROLES.filter((role) => role !== "owner"))(
    "a %s cannot raise their own role, by any way there is",
    async (own) => {
      const person = await personWith(own);
      const before = await rowChecksums(service.database);
      const higher = ROLES.filter((role) => RANK[role] > RANK[own]);

      for (const headers of [bearer(person.token), browser(person.cookie)]) {
        for (const role of higher) {
          const raised = await service.send("PATCH", `/v1/members/${person.userId}`, {
            headers,
            body: { role },
          });
          const invited = await service.send("POST", "/v1/invitations", {
            headers,
            body: { email: person.email, role },
          });
          expect([raised.status, invited.status]).toEqual([403, 403]);
        }
      }
      expect(await rowChecksums(service.database)).toEqual(before);
    },
  );

  test("grants the role of the invitation, only to the invited user", async () => {
    const [invited, somebodyElse] = [await service.person(), await service.person()];
    const { body } = await service.send("POST", "/v1/invitations", {
      headers: bearer(owner.token),
      body: { email: invited.email, role: "developer" },
    });
    const token = tokenOfInvitation(service.app, body.id);
    const accept = (person: Person) =>
      service.send("POST", "/v1/invitations/accept", { headers: bearer(person.token), body: { token } });

    expect((await accept(somebodyElse)).body.code).toBe("invitation_not_found");
    expect((await accept(invited)).body).toEqual({
      organisation: { id: organisation, name: "Home Ltd" },
      role: "developer",
    });
    expect((await accept(invited)).body.code).toBe("invitation_not_found");
  });

  test("the last owner can neither leave, nor be removed, nor step down", async () => {
    const alone = await service.organisation("Alone Ltd");
    const last = await service.person({ [alone]: "owner" });
    const headers = bearer(last.token);
    const before = await rowChecksums(service.database);

    const answers = [
      await service.send("DELETE", "/v1/members/me", { headers }),
      await service.send("DELETE", `/v1/members/${last.userId}`, { headers }),
      await service.send("PATCH", `/v1/members/${last.userId}`, { headers, body: { role: "admin" } }),
    ];

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array(3).fill([409, "last_owner"]),
    );
    expect(await rowChecksums(service.database)).toEqual(before);
  });
});
