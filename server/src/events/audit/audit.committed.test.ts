import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { migrate } from "../../platform/db/migrate.ts";
import { insertLate } from "./testing/late-entry.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService, until } from "../../../testing/service.ts";

interface Entry {
  id: string;
  action: string;
  subject: string | null;
}

let service: Service;
let organisationId: string;
let owner: Person;
beforeAll(async () => {
  service = await startService();
});
// Rejected requests are recorded a little later: in one organisation they would appear in the next test's list.
beforeEach(async () => {
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, token = owner.token): Promise<Sent> =>
  service.send("GET", path, { headers: bearer(token) });

async function listed(after?: string, limit = 2): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let last = after; ;) {
    const query = last === undefined ? "" : `&after=${last}`;
    const { status, body } = await get(`/v1/audit/committed?limit=${limit}${query}`);
    expect(status).toBe(200);
    entries.push(...(body.data as Entry[]));
    if (body.next_cursor === null) return entries;
    last = body.next_cursor as string;
  }
}

const invite = async (): Promise<string> => {
  const { body } = await service.send("POST", "/v1/invitations", {
    headers: bearer(owner.token),
    body: { email: `${randomUUID()}@example.com`, role: "member" },
  });
  return body.id as string;
};
/** Other databases of the cluster can delay the list too. */
const untilListed = (subject: string): Promise<Entry[]> =>
  until(async () => {
    const entries = await listed();
    return entries.some((entry) => entry.subject === subject) ? entries : undefined;
  });

test("lists an entry that commits late after those that a reader has, and before newer ones", async () => {
  const first = await invite();
  const before = await untilListed(first);
  const late = await insertLate(service.database.url, organisationId);
  const second = await invite();
  const { body } = await get(`/v1/audit?subject_id=${second}`);
  expect(body.data).toHaveLength(1);
  // A cursor by ID would be beyond the late entry now.
  expect(late.id < body.data[0].id).toBe(true);
  expect(await listed()).toEqual(before);

  await late.commit();
  await untilListed(second);
  const after = await listed(before.at(-1)!.id);
  expect(after.map(({ subject }) => subject)).toEqual(["late", second]);
});

test("continues after any entry without a gap", async () => {
  const all = await untilListed(await invite());
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const [at, { id }] of all.entries()) expect(await listed(id, 3)).toEqual(all.slice(at + 1));
});

test("rejects an entry of another organisation or database", async () => {
  const elsewhere = await service.organisation();
  const stranger = await service.person({ [elsewhere]: "owner" });
  const { body } = await get("/v1/audit", stranger.token);
  for (const id of [body.data[0].id, randomUUID()])
    expect(await get(`/v1/audit/committed?after=${id}`)).toMatchObject({
      status: 400,
      body: { code: "invalid_cursor" },
    });
});

test("keys with the scope audit read events and the audit log, and other keys do not", async () => {
  const key = await service.key(owner, organisationId, ["audit"]);
  const full = await service.key(owner, organisationId, ["full"]);
  for (const path of ["/v1/audit", "/v1/audit/committed", "/v1/events"]) {
    expect((await get(path, key.secret)).status).toBe(200);
    expect(await get(path, full.secret)).toMatchObject({
      status: 403,
      body: { code: "scope_missing", scopes: ["audit"] },
    });
  }
  expect((await get("/v1/numbers", key.secret)).body.code).toBe("scope_missing");
});

test("only owners and admins create keys with the scope audit, and lose them with their role", async () => {
  const create = ({ cookie }: Person): Promise<Sent> =>
    service.send("POST", "/v1/api-keys", {
      headers: browser(cookie),
      body: { name: "SIEM", scopes: ["audit"] },
    });
  const developer = await service.person({ [organisationId]: "developer" });
  expect(await create(developer)).toMatchObject({ status: 403, body: { code: "organisation_not_allowed" } });
  const admin = await service.person({ [organisationId]: "admin" });
  const made = await create(admin);
  expect(made.status).toBe(201);
  const plain = await service.key(admin, organisationId, ["numbers"]);
  const changed = await service.send("PATCH", `/v1/members/${admin.userId}`, {
    headers: browser(owner.cookie),
    body: { role: "developer", keys: "end" },
  });
  expect(changed.body.keys).toMatchObject([{ id: made.body.id, outcome: "ended" }]);
  expect((await get("/v1/numbers", plain.secret)).status).toBe(200);
});

test("operators read the entries without an organisation, and no others", async () => {
  const operator = await service.person({});
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  await service.send("POST", "/v1/password-resets", { body: { email: owner.email } });
  const entries = await until(async () => {
    const { body } = await get("/operator/v1/audit/committed?limit=1000", operator.token);
    const found = body.data as Entry[];
    return found.some(({ action }) => action === "password.reset_requested") ? found : undefined;
  });
  expect(entries.filter(({ action }) => action === "invitation.created")).toEqual([]);
  const { body } = await get("/operator/v1/audit?action=password.reset_requested&limit=1", operator.token);
  expect(body.data).toMatchObject([{ outcome: "done", actor: { kind: "nobody" } }]);
  for (const path of ["/operator/v1/audit", "/operator/v1/audit/committed"])
    expect((await get(path)).body.code).toBe("operator_only");
});

test("a dump that is restored in another cluster keeps its entries, and their order", async () => {
  const before = await untilListed(await invite());
  await service.database.admin("update audit_entries set committed_in = 1e15");
  expect(await listed()).toEqual([]);
  await migrate({
    url: service.database.url,
    passwordOf: () => "unused",
    setUpRootKeys: async () => "current",
  });
  const after = await listed();
  expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
  const next = await invite();
  const all = await untilListed(next);
  expect(all.slice(0, -1)).toEqual(after);
  expect(all.at(-1)!.subject).toBe(next);
});
