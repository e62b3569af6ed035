import { afterAll, beforeAll, expect, test } from "vitest";
import { pdfOf } from "../../../testing/evidence.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { MOST_DOCUMENT_BYTES } from "./documents.rules.ts";
import { replaceFleetRoot } from "./testing/document-keys.ts";

let service: Service;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

const PATH = "/v1/documents";
const PASSPORT = { kind: "identity", file_name: "passport.pdf", content: pdfOf("Passport of Ada") };
const call = (method: string, path: string, body?: object, { token } = owner): Promise<Sent> =>
  service.send(method, path, { headers: bearer(token), ...(body && { body }) });
const upload = async (body: object = PASSPORT): Promise<string> => {
  const { status, text, body: document } = await call("POST", PATH, body);
  expect(status, text).toBe(201);
  return document.id;
};

test("stores a file that lists and reads do not return, and that a download does", async () => {
  const created = await call("POST", PATH, PASSPORT);
  const document = {
    id: created.body.id,
    kind: "identity",
    file_name: "passport.pdf",
    media_type: "application/pdf",
    size: Buffer.from(PASSPORT.content, "base64").length,
    created_at: created.body.created_at,
  };
  expect([created.status, created.body]).toEqual([201, document]);
  expect((await call("GET", `${PATH}/${document.id}`)).body).toEqual(document);
  expect((await call("GET", PATH)).body.data).toEqual([document]);

  const downloaded = await call("POST", `${PATH}/${document.id}/download`);
  expect(downloaded.body).toEqual({ ...document, content: PASSPORT.content });
  expect(downloaded.headers["cache-control"]).toBe("no-store");
  const audited = await service.database.admin(
    "select actor_id::text, subject from audit_entries where action = 'document.downloaded'",
  );
  expect(audited).toEqual([{ actor_id: owner.userId, subject: document.id }]);
});

test("seals the file, and binds it to its row", async () => {
  const [one, other] = [await upload(), await upload({ ...PASSPORT, file_name: "other.pdf" })];
  const rows = await service.database.admin<{ sealed_content: Buffer }>(
    "select sealed_content from documents where id = any ($1)",
    [[one, other]],
  );
  expect(rows.map(({ sealed_content }) => sealed_content.includes("Passport"))).toEqual([false, false]);

  await service.database.admin(
    `update documents d set sealed_content = o.sealed_content, sealed_key = o.sealed_key from documents o
     where d.id = $1 and o.id = $2`,
    [one, other],
  );
  expect((await call("POST", `${PATH}/${one}/download`)).status).toBe(500);
  expect((await call("POST", `${PATH}/${other}/download`)).body.content).toBe(PASSPORT.content);
  await call("DELETE", `${PATH}/${one}`);
});

test("stays readable when its root key is replaced and retired", async () => {
  const id = await upload();
  const { sealedBefore, retire } = await replaceFleetRoot(service);
  expect(await sealedBefore()).toBeGreaterThan(0);

  await retire();
  expect(await sealedBefore()).toBe(0);
  expect((await call("POST", `${PATH}/${id}/download`)).body.content).toBe(PASSPORT.content);
});

const bytes = (...values: number[]): string => Buffer.from(values).toString("base64");
test.each([
  ["image/png", bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0)],
  ["image/jpeg", bytes(0xff, 0xd8, 0xff, 0xe0)],
])("reads the type %s from the first bytes, whatever the name says", async (type, content) => {
  expect((await call("POST", PATH, { ...PASSPORT, content })).body.media_type).toBe(type);
});

test.each([
  ["a page", Buffer.from("<html><script>alert(1)</script>").toString("base64")],
  ["an empty PNG", bytes(0x89, 0x50, 0x4e)],
  ["text that is not Base64", "JVBERi0"],
  ["Base64 with bits that are lost", "JVBERi0xLjd="],
])("rejects %s", async (_, content) => {
  const { status, body } = await call("POST", PATH, { ...PASSPORT, content });
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, "invalid_request", "#/content"]);
});

test("takes a file of 5 MiB, and rejects a larger one", async () => {
  const id = await upload({ ...PASSPORT, content: pdfOf("Large", MOST_DOCUMENT_BYTES) });
  expect((await call("GET", `${PATH}/${id}`)).body.size).toBe(MOST_DOCUMENT_BYTES);
  const beyond = await call("POST", PATH, { ...PASSPORT, content: pdfOf("Large", MOST_DOCUMENT_BYTES + 1) });
  expect(beyond.status).toBe(400);
  const far = await call("POST", PATH, { ...PASSPORT, content: pdfOf("Large", 2 * MOST_DOCUMENT_BYTES) });
  expect(far.status).toBe(413);
});

test.each(["../passport.pdf", "a\\b.pdf", "a\nb.pdf"])("rejects the file name %j", async (file_name) => {
  expect((await call("POST", PATH, { ...PASSPORT, file_name })).status).toBe(400);
});

test("limits the bytes of an organisation, and a deletion makes room", async () => {
  const id = await upload();
  const fill = (to: number): Promise<unknown> =>
    service.database.admin("update evidence_totals set document_bytes = $2 where organisation_id = $1", [
      organisation,
      to,
    ]);
  await fill(100 * 1024 * 1024 - 5);
  expect((await call("POST", PATH, PASSPORT)).body.code).toBe("document_limit_reached");
  expect((await call("DELETE", `${PATH}/${id}`)).status).toBe(204);
  expect((await call("POST", PATH, PASSPORT)).status).toBe(201);
});
