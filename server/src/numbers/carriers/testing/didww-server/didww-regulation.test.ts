import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FINGERPRINT } from "./didww-keys.ts";
import { USUAL_REQUIREMENT } from "./didww-regulation.ts";
import { type DidwwServer, startDidwwServer } from "./didww-server.ts";

const NUMBER = "+12015550100";
const MEDIA_TYPE = "application/vnd.api+json";

let server: DidwwServer;
beforeEach(async () => {
  server = await startDidwwServer();
  server.stock([{ e164: NUMBER, requirement: USUAL_REQUIREMENT }]);
});
afterEach(() => server[Symbol.asyncDispose]());

async function send(method: string, path: string, body?: object) {
  const response = await fetch(`${server.url}/v3${path}`, {
    method,
    headers: {
      accept: MEDIA_TYPE,
      "api-key": server.apiKey,
      "x-didww-api-version": "2026-04-16",
      ...(body && !(body instanceof FormData) && { "content-type": MEDIA_TYPE }),
    },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any };
}

const create = (type: string, attributes: object, relationships: object = {}) =>
  send("POST", `/${type}`, { data: { type, attributes, relationships } });
const to = (type: string, id: string) => ({ data: { type, id } });
const codeOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => `${status} ${body.errors?.[0].code}`;
const ADA = {
  identity_type: "personal",
  first_name: "Ada",
  last_name: "Lovelace",
  phone_number: "12015550199",
};

test.each([
  ["another attribute", { ...ADA, nickname: "A" }, "400 105"],
  ["no phone number", { ...ADA, phone_number: undefined }, "422 100"],
  ["a company without a name", { ...ADA, identity_type: "business" }, "422 100"],
  ["another type", { ...ADA, identity_type: "Personal" }, "422 100"],
  ["a date in words", { ...ADA, birth_date: "yesterday" }, "422 100"],
  ["a reference that is too long", { ...ADA, external_reference_id: "x".repeat(101) }, "422 100"],
])("rejects an identity with %s", async (_, attributes, code) => {
  expect(codeOf(await create("identities", attributes))).toBe(code);
  expect(server.regulation.identities).toEqual([]);
});

test.each([
  ["/identities?filter[nickname]=A", "400 102"],
  ["/identities?page[size]=101", "400 105"],
  ["/addresses?include=nickname", "400 112"],
  ["/address_verifications?sort=status", "400 105"],
  ["/proofs?filter[entity.id]=1", "400 102"],
  ["/address_requirements/1", "404 404"],
])("rejects GET %s", async (path, code) => expect(codeOf(await send("GET", path))).toBe(code));

test("an address belongs to an identity and a country", async () => {
  const attributes = { city_name: "Nashville", postal_code: "37201", address: "1 Main Street" };
  const country = to("countries", (await send("GET", "/countries")).body.data[0].id);
  const identity = to("identities", (await create("identities", ADA)).body.data.id);
  expect(codeOf(await create("addresses", attributes, { country }))).toBe("422 100");
  expect(codeOf(await create("addresses", attributes, { identity }))).toBe("422 100");
  expect(codeOf(await create("addresses", { ...attributes, city_name: "" }, { identity, country }))).toBe(
    "422 100",
  );
  expect((await create("addresses", attributes, { identity, country })).status).toBe(201);
});

test("takes only files that are encrypted for its keys", async () => {
  const form = (fields: Record<string, string>, content = "plain") => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.set(`encrypted_files[${name}]`, value);
    data.set("encrypted_files[file]", new Blob([content]), "scan.pdf.enc");
    return data;
  };
  const outdated = form({ encryption_fingerprint: "a:::b" });
  expect(codeOf(await send("POST", "/encrypted_files", outdated))).toBe("422 100");
  const plain = form({ encryption_fingerprint: FINGERPRINT });
  expect(codeOf(await send("POST", "/encrypted_files", plain))).toBe("422 100");
  const batch = form({ encryption_fingerprint: FINGERPRINT, items: "1" });
  expect(codeOf(await send("POST", "/encrypted_files", batch))).toBe("400 105");
  expect(codeOf(await send("POST", "/encrypted_files", { data: {} }))).toBe("415 415");
  expect(server.regulation.files).toEqual([]);
});

test("rejects a proof without a file, and a registration without evidence", async () => {
  const identity = to("identities", (await create("identities", ADA)).body.data.id);
  const type = (await send("GET", "/proof_types?filter[entity_type]=Personal")).body.data[0];
  const of = { proof_type: to("proof_types", type.id), entity: identity };
  expect(codeOf(await create("proofs", {}, { ...of, files: { data: [] } }))).toBe("422 100");
  const unknown = { data: [{ type: "encrypted_files", id: randomUUID() }] };
  expect(codeOf(await create("proofs", {}, { ...of, files: unknown }))).toBe("422 100");
  const required = (await send("GET", "/address_requirements")).body.data[0];
  const checked = { address_requirement: to("address_requirements", required.id), identity };
  expect(await create("address_requirement_validations", {}, checked)).toMatchObject({
    status: 422,
    body: { errors: [{ code: "100", detail: "Identity proof required", source: { pointer: "/data" } }] },
  });
});
