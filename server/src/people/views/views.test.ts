import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";

let service: Service;
let organisationId: string;
let [owner, member]: [Person, Person] = [] as never;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  member = await service.person({ [organisationId]: "member" });
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (method: string, path: string, { token }: { token: string }, body?: object): Promise<Sent> =>
  service.send(method, path, { headers: bearer(token), ...(body && { body }) });
const create = ({ token }: Person, more: object = {}, environment = "live"): Promise<Sent> =>
  service.send("POST", "/v1/views", {
    headers: { ...bearer(token), "x-service-environment": environment },
    body: { page: "numbers", name: "Failing", query: "sync=failed&tag=berlin", ...more },
  });
async function namesFor({ token }: Person, query = "", environment = "live"): Promise<string[]> {
  const headers = { ...bearer(token), "x-service-environment": environment };
  const { body } = await service.send("GET", `/v1/views${query}`, { headers });
  return (body.data as { name: string }[]).map(({ name }) => name);
}

test("saves a view for one user, in one environment", async () => {
  const { status, body, headers } = await create(member);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    page: "numbers",
    name: "Failing",
    query: "sync=failed&tag=berlin",
    is_shared: false,
  });
  expect(headers["location"]).toMatch(`/v1/views/${body.id}`);
  expect(await namesFor(member)).toEqual(["Failing"]);
  expect(await namesFor(member, "", "test")).toEqual([]);
  expect(await namesFor(member, "?page=calls")).toEqual([]);
  expect(await namesFor(owner)).toEqual([]);
  expect((await send("DELETE", `/v1/views/${body.id}`, owner)).status).toBe(404);
});

test("shares a view with all members, which only some roles change", async () => {
  const { body: view } = await create(owner, { name: "Ours", is_shared: true });
  expect(await namesFor(member)).toEqual(["Ours"]);
  const path = `/v1/views/${view.id}`;
  const denied = { status: 403, body: { code: "view_sharing_not_allowed" } };
  expect(await send("PATCH", path, member, { name: "Mine" })).toMatchObject(denied);
  expect(await send("PATCH", path, member, { is_shared: false })).toMatchObject(denied);
  expect(await send("DELETE", path, member)).toMatchObject(denied);
  expect(await create(member, { is_shared: true })).toMatchObject(denied);
  const own = (await create(member, { name: "Own" })).body;
  expect(await send("PATCH", `/v1/views/${own.id}`, member, { is_shared: true })).toMatchObject(denied);
  expect((await send("DELETE", path, owner)).status).toBe(204);
  expect(await namesFor(owner)).toEqual([]);
});

test("moves a view between its user and the organisation", async () => {
  const { body: view } = await create(owner);
  const path = `/v1/views/${view.id}`;
  expect((await send("PATCH", path, owner, { is_shared: true })).body).toMatchObject({
    ...view,
    is_shared: true,
    updated_at: expect.any(String),
  });
  expect(await namesFor(member)).toEqual(["Failing"]);
  expect((await send("PATCH", path, owner, { is_shared: false, query: "" })).body.query).toBe("");
  expect(await namesFor(member)).toEqual([]);
});

describe("names", () => {
  test("are unique for a page and an owner", async () => {
    await create(owner);
    const taken = { status: 409, body: { code: "view_name_taken", errors: [{ pointer: "#/name" }] } };
    expect(await create(owner, { name: "FAILING" })).toMatchObject(taken);
    for (const [person, more, environment] of [
      [owner, { page: "calls" }, "live"],
      [owner, { is_shared: true }, "live"],
      [member, {}, "live"],
      [owner, {}, "test"],
    ] as const)
      expect((await create(person, more, environment)).status).toBe(201);
    expect(await create(owner, { is_shared: true })).toMatchObject(taken);
    const { body } = await create(owner, { name: "Other" });
    expect(await send("PATCH", `/v1/views/${body.id}`, owner, { name: "failing" })).toMatchObject(taken);
    expect((await send("PATCH", `/v1/views/${body.id}`, owner, { name: "other" })).status).toBe(200);
  });

  test.each([
    [{ name: "" }, "#/name"],
    [{ name: "a\nb" }, "#/name"],
    [{ query: "a b" }, "#/query"],
    [{ page: "settings" }, "#/page"],
  ])("and other fields reject %j", async (more, pointer) => {
    expect(await create(owner, more)).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ pointer }] },
    });
  });
});

test("allows 100 views for each user, however many are created at once", async () => {
  const made = await Promise.all(Array.from({ length: 110 }, () => create(owner, { name: newId() })));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(100);
  expect(made.find(({ status }) => status !== 201)!.body.code).toBe("view_limit_reached");
  const shared = await create(owner, { is_shared: true });
  expect(shared.status).toBe(201);
  expect(await send("PATCH", `/v1/views/${shared.body.id}`, owner, { is_shared: false })).toMatchObject({
    status: 409,
    body: { code: "view_limit_reached" },
  });
  const [first] = made.filter(({ status }) => status === 201);
  expect((await send("DELETE", `/v1/views/${first!.body.id}`, owner)).status).toBe(204);
  expect((await create(owner)).status).toBe(201);
});

test("a removed member's views end with the membership, and shared ones stay", async () => {
  const admin = await service.person({ [organisationId]: "admin" });
  await create(admin, { name: "Own" });
  await create(admin, { name: "Ours", is_shared: true });
  expect((await send("DELETE", `/v1/members/${admin.userId}`, owner)).status).toBe(200);
  const rows = await service.database.admin("select name from views where organisation_id = $1", [
    organisationId,
  ]);
  expect(rows).toEqual([{ name: "Ours" }]);
  expect(await namesFor(member)).toEqual(["Ours"]);
});
