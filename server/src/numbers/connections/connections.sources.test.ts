import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";

let service: Service;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  owner = await service.person({ [await service.organisation()]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

let names = 0;
const send = (method: string, path: string, body?: unknown): Promise<Sent> =>
  service.send(method, `/v1/connections${path}`, { headers: bearer(owner.token), body });
const create = (body: object): Promise<Sent> =>
  send("POST", "", { name: `Cluster ${++names}`, targets: [{ host: "pbx.example.com" }], ...body });

test("sources are networks of public addresses, written in one way", async () => {
  const made = await create({ sources: ["8.8.8.9", "8.8.4.77/28"] });
  expect(made.body.sources).toEqual(["8.8.8.9/32", "8.8.4.64/28"]);
  const changed = await send("PATCH", `/${made.body.id}`, { sources: ["8.8.8.0/24"] });
  expect(changed.body).toMatchObject({ sources: ["8.8.8.0/24"], generation: 2 });
  expect((await send("GET", `/${made.body.id}`)).body.sources).toEqual(["8.8.8.0/24"]);
});

test.each([
  ["127.0.0.1", "127.0.0.1 is not a public address. Use a public address, or ask your operator to allow it."],
  [
    "192.0.2.0/25",
    "192.0.2.0 is not a public address. Use a public address, or ask your operator to allow it.",
  ],
  ["8.8.8.300", "8.8.8.300 is not an IPv4 address or a network from /24 to /32."],
])("rejects the source %s as it rejects a target", async (source, detail) => {
  expect(await create({ sources: ["8.8.8.8", source] })).toMatchObject({
    status: 422,
    body: { code: "destination_not_allowed", errors: [{ pointer: "#/sources/1", detail }] },
  });
});

test.each([
  ["a network that is too large", ["8.0.0.0/8"]],
  ["a name", ["pbx.example.com"]],
  ["21 of them", Array.from({ length: 21 }, () => "8.8.8.8")],
])("rejects sources with %s as an invalid request", async (_, sources) => {
  expect((await create({ sources })).status).toBe(400);
});
