import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";

let service: Service;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

const PATH = "/v1/addresses";
const BERLIN = {
  name: "Northwind Telecom GmbH",
  street: "Torstraße 12",
  city: "Berlin",
  postal_code: "10119",
  country: "DE",
};
const call = (method: string, path: string, body?: object, { token } = owner): Promise<Sent> =>
  service.send(method, path, { headers: bearer(token), ...(body && { body }) });

test("creates, lists, reads and deletes an address, with an event and without its text in the event", async () => {
  const created = await call("POST", PATH, { ...BERLIN, region: "Berlin" });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ ...BERLIN, region: "Berlin" });
  const { id } = created.body;
  expect((await call("GET", `${PATH}/${id}`)).body).toEqual(created.body);
  expect((await call("GET", PATH)).body.data).toEqual([created.body]);

  expect((await call("DELETE", `${PATH}/${id}`)).status).toBe(204);
  expect((await call("GET", `${PATH}/${id}`)).body.code).toBe("address_not_found");
  const events = await service.database.admin(
    "select type, subject::text, data from events where type like 'address.%' order by sequence",
  );
  expect(events).toEqual([
    { type: "address.created", subject: id, data: { country: "DE" } },
    { type: "address.deleted", subject: id, data: { country: "DE" } },
  ]);
});

test.each([
  ["country", { ...BERLIN, country: "Germany" }],
  ["postal_code", { ...BERLIN, postal_code: "10119 §" }],
  ["name", { ...BERLIN, name: "  " }],
  ["city", { ...BERLIN, city: "Ber\nlin" }],
  ["street", { ...BERLIN, street: "x".repeat(201) }],
])("rejects an address with an invalid %s", async (field, body) => {
  const { status, body: problem } = await call("POST", PATH, body);
  expect([status, problem.code, problem.errors[0].pointer]).toEqual([400, "invalid_request", `#/${field}`]);
});

test("is for owners and admins, in one environment", async () => {
  const developer = await service.person({ [organisation]: "developer" });
  expect((await call("GET", PATH, undefined, developer)).body.code).toBe("role_not_allowed");
  const { id } = (await call("POST", PATH, BERLIN)).body;
  const test = { ...bearer(owner.token), "x-service-environment": "test" };
  expect((await service.send("GET", `${PATH}/${id}`, { headers: test })).status).toBe(404);
});

test("counts addresses, and rejects those beyond the limit even if they are created at the same time", async () => {
  const crowded = await service.organisation();
  const admin = await service.person({ [crowded]: "admin" });
  await service.database.admin(
    `insert into addresses (organisation_id, environment, id, name, street, city, postal_code, country, created_at)
     select $1, 'live', gen_random_uuid(), 'Name', 'Street 1', 'City', '12345', 'DE', now() from generate_series(1, 498)`,
    [crowded],
  );
  const answers = await Promise.all(Array.from({ length: 5 }, () => call("POST", PATH, BERLIN, admin)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)!.body.code).toBe("address_limit_reached");
  const { id } = answers.find(({ status }) => status === 201)!.body;
  await call("DELETE", `${PATH}/${id}`, undefined, admin);
  expect((await call("POST", PATH, BERLIN, admin)).status).toBe(201);
});
