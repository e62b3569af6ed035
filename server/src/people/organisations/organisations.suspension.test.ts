import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { bearer, browser, type Person, type Service, startService } from "../../../testing/service.ts";
import type { Sent } from "../../../testing/send.ts";
import { alignNumbers } from "./organisations.suspension.ts";

let service: Service;
let operator: Person;
beforeAll(async () => {
  service = await startService({ worker: true });
  operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
});
afterAll(() => service[Symbol.asyncDispose]());

const ask = (method: string, path: string, body?: object): Promise<Sent> =>
  service.send(method, `/operator/v1${path}`, { headers: bearer(operator.token), ...(body && { body }) });
const suspend = (id: string, body: object = {}): Promise<Sent> =>
  ask("POST", `/organisations/${id}/suspend`, body);
const resume = (id: string): Promise<Sent> => ask("POST", `/organisations/${id}/resume`);
const settled = (id: string): Promise<void> =>
  expect
    .poll(async () => (await ask("GET", `/organisations/${id}`)).body.numbers_pending, { timeout: 30_000 })
    .toBe(false);
const statusesOf = async (id: string): Promise<unknown[]> =>
  service.database.admin(
    "select status, status_reason from holdings where organisation_id = $1 and environment = 'live' order by e164",
    [id],
  );

async function tenant(): Promise<{ id: string; owner: Person; key: string }> {
  const id = await service.organisation("Lumen");
  const owner = await service.person({ [id]: "owner" });
  return { id, owner, key: (await service.key(owner, id, ["full"])).secret };
}

describe("a suspended organisation", () => {
  test("SE-10 rejects sessions and keys with a separate code until it is resumed", async () => {
    const { id, owner, key } = await tenant();
    const codesOf = async (): Promise<unknown[]> =>
      Promise.all(
        [owner.token, key].map(async (token) => {
          const { status, body } = await service.send("GET", "/v1/numbers", { headers: bearer(token) });
          return status === 200 ? 200 : `${status} ${body.code}`;
        }),
      );
    expect(await codesOf()).toEqual([200, 200]);
    const suspended = await suspend(id, { reason: "API key leaked" });
    expect(suspended.body).toMatchObject({
      id,
      suspension_reason: "API key leaked",
      numbers_suspended: false,
      numbers_pending: false,
    });
    expect(suspended.body.suspended_at).not.toBeNull();
    const rejected = ["403 organisation_suspended", "403 organisation_suspended"];
    await expect.poll(codesOf, { timeout: 2_000 }).toEqual(rejected);
    expect((await service.send("GET", "/v1/me", { headers: bearer(key) })).status).toBe(200);
    expect((await resume(id)).body).toMatchObject({ suspended_at: null, suspension_reason: null });
    await expect.poll(codesOf, { timeout: 2_000 }).toEqual([200, 200]);
  });

  test("rejects requests in it only: another organisation of the same person and key works", async () => {
    const { id, owner } = await tenant();
    const other = await service.organisation("Other");
    await service.database.admin(
      "insert into memberships (organisation_id, user_id, role, created_at) values ($1, $2, 'owner', now())",
      [other, owner.userId],
    );
    const { secret } = await service.key(owner, [id, other], ["full"]);
    await suspend(id);
    const statusIn = async (token: string, organisation: string): Promise<number> => {
      const headers = { ...bearer(token), "x-service-org": organisation };
      return (await service.send("GET", "/v1/numbers", { headers })).status;
    };
    await expect.poll(() => statusIn(secret, id), { timeout: 2_000 }).toBe(403);
    expect([await statusIn(owner.token, id), await statusIn(owner.token, other)]).toEqual([403, 200]);
    expect(await statusIn(secret, other)).toBe(200);
    const made = await service.send("POST", "/v1/api-keys", {
      headers: { ...browser(owner.cookie), "x-service-org": other },
      body: { name: "Both", scopes: ["full"], organisation_ids: [id, other] },
    });
    expect(made.body.code).toBe("organisation_not_allowed");
  });

  test("does not let its jobs be read through another organisation", async () => {
    const { id, owner } = await tenant();
    const order = await service.send("POST", "/v1/numbers/orders", {
      headers: { ...bearer(owner.token), "idempotency-key": "one", "x-service-environment": "test" },
      body: { criteria: { country: "GB" }, quantity: 1 },
    });
    const read = async (): Promise<number> =>
      (await service.send("GET", `/v1/jobs/${order.body.job_id}`, { headers: bearer(owner.token) })).status;
    expect(await read()).toBe(200);
    await suspend(id);
    expect(await read()).toBe(404);
  });

  test("is recorded once in its audit log and its events", async () => {
    const { id } = await tenant();
    await suspend(id, { reason: "Unpaid" });
    await suspend(id, { reason: "Unpaid" });
    await resume(id);
    await resume(id);
    const entries = await service.database.admin(
      "select action, actor_kind, detail from audit_entries where subject = $1 and action <> 'organisation.created' order by id",
      [id],
    );
    expect(entries).toEqual([
      {
        action: "organisation.suspended",
        actor_kind: "operator",
        detail: { reason: "Unpaid", numbers_suspended: false },
      },
      { action: "organisation.resumed", actor_kind: "operator", detail: {} },
    ]);
    const events = await service.database.admin(
      "select type from events where organisation_id = $1 and type in ('organisation.suspended', 'organisation.resumed') order by id",
      [id],
    );
    expect(events).toEqual([{ type: "organisation.suspended" }, { type: "organisation.resumed" }]);
  });
});

describe("the numbers of a suspended organisation", () => {
  test("keep their calls unless the operator suspends them too, and are resumed with it", async () => {
    const { id } = await tenant();
    await seedNumbers(service.app, id, "live", 3);
    await suspend(id);
    const active = { status: "active", status_reason: null };
    const suspended = { status: "suspended", status_reason: "organisation_suspended" };
    expect(await statusesOf(id)).toEqual([active, active, active]);
    expect((await suspend(id, { suspend_numbers: true })).body).toMatchObject({
      numbers_suspended: true,
      numbers_pending: true,
    });
    await settled(id);
    expect(await statusesOf(id)).toEqual([suspended, suspended, suspended]);
    await resume(id);
    await settled(id);
    expect(await statusesOf(id)).toEqual([active, active, active]);
  });

  test("stay suspended if they were suspended for another reason, before or during it", async () => {
    const { id } = await tenant();
    const [first, second] = await seedNumbers(service.app, id, "live", 3);
    await ask("POST", `/numbers/${first!.id}/suspend`, { reason: "fraud" });
    await suspend(id, { suspend_numbers: true });
    await settled(id);
    await ask("POST", `/numbers/${second!.id}/suspend`, { reason: "complaint" });
    await resume(id);
    await settled(id);
    expect(await statusesOf(id)).toEqual([
      { status: "suspended", status_reason: "fraud" },
      { status: "suspended", status_reason: "complaint" },
      { status: "active", status_reason: null },
    ]);
  });

  test("follow the last decision, whatever a worker was doing", async () => {
    const { id } = await tenant();
    await seedNumbers(service.app, id, "live", 20);
    for (const body of [{ suspend_numbers: true }, { suspend_numbers: false }, { suspend_numbers: true }]) {
      await suspend(id, body);
      // As two workers would, one of them for a moment only.
      await Promise.all([alignNumbers(service.app, id, 5), alignNumbers(service.app, id, 10_000)]);
    }
    await resume(id);
    await settled(id);
    expect(new Set((await statusesOf(id)).map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await statusesOf(id)).toContainEqual({ status: "active", status_reason: null });
  });
});

describe("a number that an organisation holds", () => {
  test("is found by its digits, suspended with a reason its holder sees, and resumed", async () => {
    const { id, key } = await tenant();
    const [number] = await seedNumbers(service.app, id, "live", 1);
    const found = await ask("GET", `/numbers?e164=${encodeURIComponent(number!.e164)}`);
    expect(found.body.data).toMatchObject([
      { id: number!.id, e164: number!.e164, status: "active", organisation: { id, name: "Lumen" } },
    ]);
    const suspended = await ask("POST", `/numbers/${number!.id}/suspend`, { reason: "fraud_suspected" });
    expect(suspended.body).toMatchObject({ status: "suspended", status_reason: "fraud_suspected" });
    const shown = await service.send("GET", `/v1/numbers/${number!.id}`, { headers: bearer(key) });
    expect(shown.body).toMatchObject({ status: "suspended", status_reason: "fraud_suspected" });
    expect((await ask("POST", `/numbers/${number!.id}/suspend`, {})).body).toEqual(suspended.body);
    expect((await ask("POST", `/numbers/${number!.id}/resume`)).body).toMatchObject({
      status: "active",
      status_reason: null,
    });
    expect((await ask("GET", "/numbers?e164=%2B493099999999")).body.data).toEqual([]);
  });
});
