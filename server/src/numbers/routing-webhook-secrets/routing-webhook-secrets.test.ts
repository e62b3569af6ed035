import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";
import { newId } from "../../platform/ids.ts";

const PATH = "/v1/routing-webhook-secret";
const DAY_MS = 86_400_000;

let service: Service;
let own: TestSwitch;
let organisationId: string;
let owner: Person;
let number: string;
beforeAll(async () => {
  service = await startService();
  own = await makeSwitch(service);
});
afterAll(() => service[Symbol.asyncDispose]());

async function newHome(): Promise<void> {
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  number = (await seedNumbers(service.app, organisationId, "live", 1))[0]!.id;
}

const read = (): Promise<Sent> => service.send("GET", PATH, { headers: bearer(owner.token) });
const rotate = (): Promise<Sent> => service.send("POST", `${PATH}/rotate`, { headers: bearer(owner.token) });
const signers = async (by: TestSwitch, ...numbers: string[]): Promise<Sent["body"]> => {
  const headers = bearer(by.credential);
  const sent = await service.send("POST", "/switch/v1/signing-secrets", {
    headers,
    body: { number_ids: numbers },
  });
  expect(sent.status).toBe(200);
  return sent.body.signers;
};

test("an organisation has a secret before it asks for one, and its switches sign with it", async () => {
  await newHome();
  const { status, body } = await read();
  expect(status).toBe(200);
  expect(body).toEqual({ secret: expect.stringMatching(/^whsec_/), version: 1, previous_until: null });
  expect(Buffer.from(body.secret.slice(6), "base64")).toHaveLength(32);
  expect(await signers(own, number)).toEqual([
    {
      organisation_id: organisationId,
      number_ids: [number],
      secrets: [{ secret: body.secret, until: null }],
    },
  ]);
});

test("WH-02 signs with the old and the new secret for a day, then with the new one only", async () => {
  await newHome();
  const first = (await read()).body.secret;
  const before = service.clock.now().getTime();
  const { body } = await rotate();
  expect(body).toEqual({ secret: expect.any(String), version: 2, previous_until: expect.any(String) });
  const until: string = body.previous_until;
  expect(Date.parse(until)).toBeGreaterThanOrEqual(before + DAY_MS);
  expect(Date.parse(until)).toBeLessThanOrEqual(service.clock.now().getTime() + DAY_MS);
  expect(body.secret).not.toBe(first);
  const [signer] = await signers(own, number);
  expect(signer.secrets).toEqual([
    { secret: body.secret, until: null },
    { secret: first, until },
  ]);
  service.clock.advance(DAY_MS);
  expect((await signers(own, number))[0].secrets).toEqual([{ secret: body.secret, until: null }]);
  expect((await read()).body).toMatchObject({ version: 2, previous_until: null });
});

test("gives each of several concurrent rotations its own secret and audit entry", async () => {
  await newHome();
  const done = await Promise.all(Array.from({ length: 4 }, rotate));
  expect(done.map(({ body }) => body.version).toSorted()).toEqual([2, 3, 4, 5]);
  const { body } = await service.send("GET", "/v1/audit", { headers: bearer(owner.token) });
  const acts = body.data.filter((one: { action: string }) => one.action === "routing_webhook_secret.rotated");
  expect(acts).toHaveLength(4);
  expect(JSON.stringify(body)).not.toContain("whsec_");
});

test("has a separate secret for each environment", async () => {
  await newHome();
  const live = (await read()).body.secret;
  const test = await service.send("GET", PATH, {
    headers: { ...bearer(owner.token), "x-service-environment": "test" },
  });
  expect(test.body.secret).toMatch(/^whsec_/);
  expect(test.body.secret).not.toBe(live);
});

test("shows a switch of another group nothing about a number", async () => {
  await newHome();
  await rotate();
  const groupId = newId();
  await service.database.admin("select add_switch_group($1, 'elsewhere', 'live', false, 1, now())", [
    groupId,
  ]);
  const stranger = await makeSwitch(service, { groupId });
  expect(await signers(stranger, number, newId())).toEqual([]);
  const bare = await service.app.db.forSwitch({ switchId: stranger.id, groupId }, (tx) =>
    tx.query("select * from signers_of_calls(array[$1]::uuid[])", [number]),
  );
  expect(bare).toEqual([]);
});
