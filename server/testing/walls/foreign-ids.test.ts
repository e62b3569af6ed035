import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATIONS } from "../../src/operations.ts";
import { newId } from "../../src/platform/ids.ts";
import { ByNumber } from "../../src/platform/http/shapes.ts";
import { rowChecksums } from "../row-checksums.ts";
import type { Sent } from "../send.ts";
import { bearer, browser } from "../service.ts";
import {
  foreignAttempts,
  foreignIdFaults,
  hasPathIds,
  strongestCaller,
  withoutNames,
} from "./foreign-ids.ts";
import { prepare, sendAs, type Served, servedBy } from "./isolation-matrix.ts";
import { leakFaults } from "./leaks.ts";
import { type Neighbours, openNeighbours } from "./neighbours.ts";
import { FIXTURES, type PreparedRequest } from "./request-fixtures.ts";

let neighbours: Neighbours;
let served: Served;

beforeAll(async () => {
  neighbours = await openNeighbours();
  served = servedBy(neighbours, neighbours.service.url, FIXTURES);
});
afterAll(() => neighbours[Symbol.asyncDispose]());

test.each(OPERATIONS.filter(hasPathIds))(
  "AZ-02 $id answers a foreign, a malformed and a random identifier with the same 404, and changes no row",
  async (operation) => {
    const { caller, attempts } = await foreignAttempts(served, operation);
    const before = await rowChecksums(neighbours.service.database);

    expect(await foreignIdFaults(served, operation, caller, attempts)).toEqual([]);

    expect(await rowChecksums(neighbours.service.database)).toEqual(before);
  },
);

test.each(OPERATIONS.filter((one) => hasPathIds(one) && one.idempotency !== "none"))(
  "AZ-02 $id answers them so also with a key that was used for something else, or is in use at the moment",
  async (operation) => {
    const { caller, attempts } = await foreignAttempts(served, operation);
    const used = { "idempotency-key": newId() };
    const withUsedKey = (request: PreparedRequest): PreparedRequest => ({ ...request, headers: used });
    const own = withUsedKey(await prepare(served, operation, caller.holder));
    const another = withUsedKey(await prepare(served, operation, caller.holder));
    const done = await sendAs(served, caller, own);
    expect(done.status).toBeLessThan(300);
    const before = await rowChecksums(neighbours.service.database);

    // All at once: some find the key held by another of them.
    const keyed = attempts.map(({ name, request }) => ({ name, request: withUsedKey(request) }));
    expect(await foreignIdFaults(served, operation, caller, keyed)).toEqual([]);

    expect(await sendAs(served, caller, own)).toMatchObject({
      status: done.status,
      text: done.text,
      headers: { "idempotency-replayed": "true" },
    });
    expect((await sendAs(served, caller, another)).body.code).toBe("idempotency_key_reused");
    expect(await rowChecksums(neighbours.service.database)).toEqual(before);
  },
);

test.each(OPERATIONS.filter(({ params }) => params === ByNumber))(
  "$id takes a number's ID and its E.164 form as one request",
  async (operation) => {
    const caller = await strongestCaller(served, operation);
    const key = { "idempotency-key": newId() };
    const own = await prepare(served, operation, caller.holder);
    const [{ e164 } = { e164: "" }] = await neighbours.service.database.admin<{ e164: string }>(
      "select e164 from holdings where id = $1",
      [own.params["id"]],
    );
    const sendWith = (id: string): Promise<Sent> =>
      sendAs(served, caller, {
        ...own,
        ...(operation.idempotency !== "none" && { headers: { ...own.headers, ...key } }),
        params: { ...own.params, id },
      });

    const byId = await sendWith(own.params["id"]!);
    expect(byId.status).toBeLessThan(300);
    for (const form of [e164, e164.replace("+", "%2B")]) {
      const byNumber = await sendWith(form);
      expect([byNumber.status, withoutTimes(byNumber.text)]).toEqual([byId.status, withoutTimes(byId.text)]);
      if (operation.idempotency !== "none") expect(byNumber.headers["idempotency-replayed"]).toBe("true");
    }
  },
);

/** Reads contain their own time. */
function withoutTimes(text: string): string {
  return text.replaceAll(/"(as_of|observed_at|complete_through)":"[^"]+"/g, "");
}

test("AZ-01 returns no ID, name or address of another organisation", async () => {
  expect(await leakFaults(served)).toEqual([]);
});

test("AZ-02 rejects a key for a foreign organisation as for an unknown one", async () => {
  const { service, home, other } = neighbours;
  const before = await rowChecksums(service.database);

  const [foreign, unknown] = await Promise.all(
    [other.organisationId, newId()].map((id) =>
      service.send("POST", "/v1/api-keys", {
        headers: browser(home.owner.cookie),
        body: { name: "Mine", scopes: ["full"], organisation_ids: [home.organisationId, id] },
      }),
    ),
  );

  expect(foreign!.body.code).toBe("organisation_not_allowed");
  expect(withoutNames(foreign!)).toBe(withoutNames(unknown!));
  expect(await rowChecksums(service.database)).toEqual(before);
});

test("AZ-02 a key that stays behind with a removed member cannot be one of another organisation", async () => {
  const { service, home, other } = neighbours;
  const leaving = await service.person({ [home.organisationId]: "developer" });
  const foreign = await service.key(other.owner, other.organisationId, ["full"]);
  const readForeign = () => service.database.admin("select * from api_keys where id = $1", [foreign.id]);
  const before = await readForeign();

  const answer = await service.send("DELETE", `/v1/members/${leaving.userId}?keep_key=${foreign.id}`, {
    headers: bearer(home.owner.token),
  });

  expect(answer.body).toEqual({ user_id: leaving.userId, keys: [] });
  expect(await readForeign()).toEqual(before);
});

test("a key of two organisations shows neither of them the other one", async () => {
  const { service, home, other } = neighbours;
  const both = await service.person({ [home.organisationId]: "owner", [other.organisationId]: "owner" });
  const key = await service.key(both, [home.organisationId, other.organisationId], ["full"]);

  const answers = await Promise.all(
    ["/v1/api-keys", "/v1/events", "/v1/audit"].map((path) =>
      service.send("GET", path, { headers: bearer(home.owner.token) }),
    ),
  );

  expect(answers[0]!.body.data).toContainEqual(expect.objectContaining({ id: key.id, is_shared: true }));
  for (const { text } of answers) expect(text).not.toContain(other.organisationId);
});

test("an identifier in capitals is the same identifier", async () => {
  const { service, home } = neighbours;
  const member = await service.person({ [home.organisationId]: "member" });
  const headers = bearer(home.owner.token);

  const changed = await service.send("PATCH", `/v1/members/${member.userId.toUpperCase()}`, {
    headers,
    body: { role: "admin" },
  });
  const removed = await service.send("DELETE", `/v1/members/${member.userId.toUpperCase()}`, { headers });
  const { body } = await service.send("GET", "/v1/audit?limit=2", { headers });

  expect([changed.body.user_id, removed.body.user_id]).toEqual([member.userId, member.userId]);
  expect(body.data.map(({ subject }: { subject: string }) => subject)).toEqual([
    member.userId,
    member.userId,
  ]);
});
