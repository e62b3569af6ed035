import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examine } from "../../doctor.ts";
import { newId } from "../../platform/ids.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { stockNumbers } from "../../../testing/stock.ts";
import { endRestsChore } from "./releases.jobs.ts";

/** The operator's pool and a worker: a number goes from one organisation to another as it does in production. */
let service: Service;
let first: Person;
let second: Person;
beforeAll(async () => {
  service = await startService({
    worker: true,
    settings: { INVENTORY: "pool", DATABASE_CONNECTIONS: "20" },
  });
  first = await service.person({ [await service.organisation("First")]: "owner" });
  second = await service.person({ [await service.organisation("Second")]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

let stocked = 0;
async function stock(): Promise<string> {
  const e164 = `+4411449601${10 + stocked++}`;
  await stockNumbers(service.database, "live", [{ e164 }]);
  return e164;
}

const send = (method: string, path: string, by: Person, body?: unknown): Promise<Sent> =>
  service.send(method, path, {
    headers: { ...bearer(by.token), ...(method !== "GET" && { "idempotency-key": newId() }) },
    ...(body !== undefined && { body }),
  });
const get = async (path: string, by: Person): Promise<Sent["body"]> => (await send("GET", path, by)).body;

interface Order {
  id: string;
  status: string;
  items: { status: string; number_id: string | null; error: { code: string } | null }[];
}

async function order(e164: string, by: Person, wish: object = {}): Promise<Order> {
  const placed = await send("POST", "/v1/numbers/orders", by, { numbers: [e164], ...wish });
  expect(placed.status).toBe(202);
  return until(async () => {
    const now = await get(`/v1/numbers/orders/${placed.body.id}`, by);
    return now.finished_at !== null && now;
  });
}

interface Bought {
  id: string;
  orderId: string;
}

async function buy(e164: string, by: Person, wish: object = {}): Promise<Bought> {
  const { id, status, items } = await order(e164, by, wish);
  expect(status).toBe("completed");
  return { id: items[0]!.number_id!, orderId: id };
}

async function endJob(id: string, verb: "release" | "restore", by: Person): Promise<void> {
  const { status, body } = await send("POST", `/v1/numbers/${id}/${verb}`, by);
  expect(status).toBe(202);
  const job = await until(async () => {
    const now = await get(`/v1/jobs/${body.job_id}`, by);
    return now.finished_at !== null && now;
  });
  expect(job).toMatchObject({ status: "succeeded" });
}

async function endRest(id: string): Promise<void> {
  await service.database.admin(
    "update releases set quarantined_until = now() - interval '1 second' where holding_id = $1 and step = 'quarantined'",
    [id],
  );
  await endRestsChore.run(service.app);
}

async function leave({ id }: Bought, by: Person): Promise<void> {
  await endJob(id, "release", by);
  await endRest(id);
}

/** One had it before, the other has it now. */
async function handedOn(): Promise<{ e164: string; old: Bought; now: Bought }> {
  const e164 = await stock();
  const old = await buy(e164, first);
  await leave(old, first);
  return { e164, old, now: await buy(e164, second) };
}

const isOffered = async (e164: string, by: Person): Promise<boolean> =>
  (await get(`/v1/numbers/inventory?contains=${e164.slice(1)}`, by)).data.length > 0;

/** Everything that a user can read of a number. */
async function history({ id, orderId }: Bought, by: Person): Promise<object> {
  const events = await service.database.admin(
    "select sequence, type, data from events where subject = $1 order by sequence",
    [id],
  );
  return {
    number: await get(`/v1/numbers/${id}`, by),
    routing: (await get(`/v1/numbers/${id}/routing`, by)).desired,
    revisions: (await get(`/v1/numbers/${id}/routing/revisions`, by)).data,
    order: await get(`/v1/numbers/orders/${orderId}`, by),
    events,
  };
}

const SIP = { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" };
const NOT_THERE = { status: 404, body: { code: "number_not_found" } };
const NOT_AVAILABLE = {
  status: "failed",
  items: [{ status: "failed", number_id: null, error: { code: "number_not_available" } }],
};

describe("a number of the pool", () => {
  test("is not available during quarantine, not even to its former holder", async () => {
    const e164 = await stock();
    const { id } = await buy(e164, first);
    await endJob(id, "release", first);

    expect(await isOffered(e164, second)).toBe(false);
    expect(await order(e164, second)).toMatchObject(NOT_AVAILABLE);
    expect(await order(e164, first)).toMatchObject(NOT_AVAILABLE);
    const sold = "select from pool_purchases where e164 = $1 and number_id is not null";
    expect(await service.database.admin(sold, [e164])).toHaveLength(1);

    await endJob(id, "restore", first);
    expect(await get(`/v1/numbers/${id}`, first)).toMatchObject({ status: "active", e164 });
    expect(await order(e164, second)).toMatchObject(NOT_AVAILABLE);
  });

  test("is then available to others under another ID, and its former holder keeps its history", async () => {
    const e164 = await stock();
    const old = await buy(e164, first, { routing: SIP, label: "Desk", tags: ["old"] });
    await service.database.admin(
      `insert into last_calls (holding_id, organisation_id, environment, started_at)
       select id, organisation_id, environment, now() from holdings where id = $1`,
      [old.id],
    );
    await leave(old, first);
    expect(await isOffered(e164, second)).toBe(true);
    const before = await history(old, first);
    expect(before).toMatchObject({
      number: { status: "released", label: "Desk", tags: ["old"], order_id: old.orderId },
      order: { status: "completed", items: [{ number_id: old.id, e164 }] },
      revisions: [{ desired: { mode: "unrouted" } }, { desired: SIP }, {}],
    });

    const { id, orderId } = await buy(e164, second);

    expect(id).not.toBe(old.id);
    expect(await get(`/v1/numbers/${id}`, second)).toMatchObject({
      e164,
      status: "active",
      source: "order",
      order_id: orderId,
      label: null,
      tags: [],
      last_call_at: null,
      routing: { mode: "unrouted", generation: 1 },
    });
    expect((await get(`/v1/numbers/${id}/routing/revisions`, second)).data).toHaveLength(1);
    expect(await history(old, first)).toEqual(before);
    const changed = { ...SIP, sip_uri: "sip:new@pbx.example.com" };
    expect((await send("PUT", `/v1/numbers/${id}/routing`, second, changed)).status).toBe(200);
    expect(await history(old, first)).toEqual(before);
  });

  test("is seen by each under its own id only", async () => {
    const { e164, old, now } = await handedOn();
    const found = async (status: string, by: Person): Promise<string[]> => {
      const { data } = await get(`/v1/numbers?q=${e164.slice(1)}&status=${status}`, by);
      return data.map(({ id }: { id: string }) => id);
    };

    expect([await found("released", first), await found("active", first)]).toEqual([[old.id], []]);
    expect([await found("released", second), await found("active", second)]).toEqual([[], [now.id]]);
    for (const path of ["", "/routing", "/routing/revisions"]) {
      expect(await send("GET", `/v1/numbers/${now.id}${path}`, first)).toMatchObject(NOT_THERE);
      expect(await send("GET", `/v1/numbers/${old.id}${path}`, second)).toMatchObject(NOT_THERE);
    }
    const subjects = async (by: Person): Promise<string[]> =>
      (await get("/v1/events?limit=200", by)).data.map(({ subject }: { subject: string }) => subject);
    const told = [await subjects(first), await subjects(second)];
    expect(told.map((of) => [of.includes(old.id), of.includes(now.id)])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test("does not come back by its old id, whatever is tried with that", async () => {
    const { old, now } = await handedOn();
    const before = await history(now, second);
    const refusals = [
      [await send("POST", `/v1/numbers/${old.id}/release`, first), "number_not_active"],
      [await send("POST", `/v1/numbers/${old.id}/restore`, first), "number_not_quarantined"],
      [await send("PUT", `/v1/numbers/${old.id}/routing`, first, SIP), "number_not_active"],
    ] as const;

    for (const [refused, code] of refusals) expect(refused).toMatchObject({ status: 409, body: { code } });
    expect(await history(now, second)).toEqual(before);
  });

  test("gets a third ID when its first holder orders it again", async () => {
    const { e164, old, now } = await handedOn();
    await leave(now, second);

    const { id } = await buy(e164, first);

    expect(new Set([old.id, now.id, id]).size).toBe(3);
    expect(await get(`/v1/numbers/${old.id}`, first)).toMatchObject({ status: "released", e164 });
    expect(await get(`/v1/numbers/${now.id}`, second)).toMatchObject({ status: "released", e164 });
    expect(await get(`/v1/numbers/${id}`, first)).toMatchObject({ status: "active", e164 });
  });

  test("returns the outcome with Prefer: wait, at a replay too, and errors at once", async () => {
    const { id } = await buy(await stock(), first);
    const ask = (verb: string, key?: string): Promise<Sent> =>
      service.send("POST", `/v1/numbers/${id}/${verb}`, {
        headers: { ...bearer(first.token), ...(key && { "idempotency-key": key }), prefer: "wait=10" },
      });
    const key = newId();
    const released = await ask("release", key);
    expect(released).toMatchObject({ status: 202, body: { number_id: id, status: "quarantined" } });
    expect(released.headers).toMatchObject({
      location: `${service.app.config.baseUrl}/v1/jobs/${released.body.job_id}`,
      "preference-applied": "wait=10",
    });
    const again = await ask("release", key);
    expect(again).toMatchObject({ status: 202, text: released.text });
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect(await ask("release", newId())).toMatchObject({ status: 409, body: { code: "number_not_active" } });

    // A restore needs no key, and waits without one too.
    const restored = await ask("restore");
    expect(restored).toMatchObject({ status: 202, body: { number_id: id, status: "active" } });
    expect(restored.headers["preference-applied"]).toBe("wait=10");
  });

  test("breaks no promise by that", async () => {
    const broken = (await examine(service.app.db)).filter(({ rows }) => rows.length > 0);
    expect(broken).toEqual([]);
  });
});
