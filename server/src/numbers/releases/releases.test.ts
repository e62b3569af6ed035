import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CarrierFault, type OrderingCarrier, type ReleaseState } from "../carriers/carrier.ts";
import { newId } from "../../platform/ids.ts";
import { formerCarriers } from "../../../testing/scripted-carrier.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { holdNumber } from "../../../testing/stock.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { advanceReleaseJob } from "./releases.jobs.ts";
import { endRests } from "./releases.restore.ts";

/** A simulated carrier: the requests it got, and its responses. */
const company = {
  told: [] as string[],
  asked: 0,
  answer: (): Promise<ReleaseState> => Promise.resolve("released"),
  restores: true,
};
const ordering = (): OrderingCarrier["ordering"] => ({
  order: () => expect.unreachable(),
  orderStatus: () => expect.unreachable(),
  list: () => expect.unreachable(),
  async release(_, { reference }) {
    company.told.push(reference);
    return company.answer();
  },
  async releaseStatus(_, { reference }) {
    company.asked += 1;
    return company.told.includes(reference) ? "released" : undefined;
  },
  ...(company.restores && { restore: async () => "restored" as const }),
});
const carriers = formerCarriers((name) => (name === "company" ? { name, ordering: ordering() } : undefined));

let service: Service;
let home: string;
let owner: Person;
beforeAll(async () => {
  service = await startService({ overrides: { carriers } });
  home = await service.organisation();
  owner = await service.person({ [home]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(company, { told: [], asked: 0, answer: async () => "released", restores: true });
});

const act = (id: string, verb: "release" | "restore", key = newId()): Promise<Sent> =>
  service.send("POST", `/v1/numbers/${id}/${verb}`, {
    headers: { ...bearer(owner.token), "idempotency-key": key },
  });
const get = async (path: string): Promise<Sent["body"]> =>
  (await service.send("GET", path, { headers: bearer(owner.token) })).body;
const go = (jobId: string): Promise<void> => advanceReleaseJob.run(service.app, { id: jobId });
/** After as long as any job waits. */
const goLater = async (jobId: string): Promise<void> => {
  service.clock.advance(61_000);
  await go(jobId);
};
/** Sessions expire sooner, so the owner has to sign in again. */
const aMonthLater = async (): Promise<void> => {
  service.clock.advance(30 * 86_400_000);
  owner = await service.person({ [home]: "owner" });
};
const heldNumber = async (carrier: string | null = "company"): Promise<string> => {
  const { id } = await holdNumber(service.app, home, "live");
  await service.database.admin("update holdings set carrier = $2 where id = $1", [id, carrier]);
  return id;
};
const route = async (id: string): Promise<void> => {
  const body = { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" };
  const headers = { ...bearer(owner.token), "idempotency-key": newId() };
  expect((await service.send("PUT", `/v1/numbers/${id}/routing`, { headers, body })).status).toBe(200);
};
const events = async (id: string): Promise<string[]> => {
  const rows = await service.database.admin<{ type: string }>(
    "select type from events where subject = $1 order by sequence",
    [id],
  );
  return rows.map(({ type }) => type);
};

describe("releasing a number", () => {
  test("stops its calls, notifies the carrier once, and enters quarantine", async () => {
    const id = await heldNumber();
    await route(id);
    const answer = await act(id, "release");
    const { job_id } = answer.body;
    expect(answer).toMatchObject({
      status: 202,
      body: { job_id, number_id: id, status: "releasing" },
      headers: { location: `http://127.0.0.1:8080/v1/jobs/${job_id}` },
    });
    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "releasing" });
    expect(await get(`/v1/numbers/${id}/routing`)).toMatchObject({ effective_reason: "number_releasing" });

    await go(job_id);

    expect(company.told).toHaveLength(1);
    const resting = await get(`/v1/numbers/${id}`);
    expect(resting.status).toBe("quarantined");
    const days = (Date.parse(resting.restore_until) - service.clock.now().getTime()) / 86_400_000;
    expect(days).toBeCloseTo(30, 2);
    expect(await get(`/v1/jobs/${job_id}`)).toMatchObject({
      type: "number_release",
      status: "succeeded",
      subject: { number_id: id },
      progress: { total: 1, succeeded: 1, failed: 0 },
    });
    expect(await events(id)).toEqual([
      "number.added",
      "routing.changed",
      "number.releasing",
      "number.quarantined",
    ]);
    const audited = await service.database.admin(
      "select before, after from audit_entries where subject = $1 and action like 'number.%ing' or subject = $1 and action = 'number.quarantined' order by id",
      [id],
    );
    expect(audited).toEqual([
      { before: { status: "active" }, after: { status: "releasing" } },
      {
        before: { status: "releasing" },
        after: { status: "quarantined", restore_until: resting.restore_until },
      },
    ]);
  });

  test("returns the same response with the same key, and the job with another key", async () => {
    const id = await heldNumber();
    const first = await act(id, "release", "leaving");
    const again = await act(id, "release", "leaving");
    expect(again.text).toBe(first.text);
    expect(again.headers["idempotency-replayed"]).toBe("true");

    expect(await act(id, "release")).toMatchObject({
      status: 409,
      body: { code: "release_in_progress", job_id: first.body.job_id },
    });
  });

  test("a locked number stays", async () => {
    const id = await heldNumber();
    const body = { release_lock: true };
    await service.send("PATCH", `/v1/numbers/${id}`, { headers: bearer(owner.token), body });

    expect(await act(id, "release")).toMatchObject({ status: 409, body: { code: "release_blocked" } });
    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "active" });
  });

  test("releases a suspended number, and suspends it again if the carrier rejects", async () => {
    const id = await heldNumber();
    await service.database.admin("update holdings set status = 'suspended' where id = $1", [id]);
    company.answer = async () => "refused";
    const { job_id } = (await act(id, "release")).body;
    await go(job_id);

    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "suspended" });
  });

  test("restores the number and its calls if the carrier rejects", async () => {
    const id = await heldNumber();
    await route(id);
    company.answer = () => Promise.reject(new CarrierFault("refused", "The number is under contract."));
    const { job_id } = (await act(id, "release")).body;
    await go(job_id);

    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "active" });
    expect(await get(`/v1/numbers/${id}/routing`)).toMatchObject({
      desired: { mode: "sip_uri", generation: 2 },
      effective_reason: null,
    });
    expect(await get(`/v1/jobs/${job_id}`)).toMatchObject({
      status: "failed",
      error: { code: "carrier_refused", detail: "The number is under contract." },
    });
    expect((await act(id, "release")).status).toBe(202);
  });

  test("a carrier that is no longer connected keeps the number where it is", async () => {
    const id = await heldNumber("gone");
    const { job_id } = (await act(id, "release")).body;
    await go(job_id);

    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "active" });
  });

  test("calls no carrier for an imported number", async () => {
    const id = await heldNumber(null);
    const { job_id } = (await act(id, "release")).body;
    await go(job_id);

    expect(company.told).toEqual([]);
    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "quarantined" });
  });

  test("has no restore_until if the carrier cannot restore", async () => {
    company.restores = false;
    const id = await heldNumber();
    await go((await act(id, "release")).body.job_id);

    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "quarantined", restore_until: null });
    expect(await act(id, "restore")).toMatchObject({ status: 409, body: { code: "number_not_restorable" } });
  });
});

describe("an unknown outcome", () => {
  test.each([
    ["unknown", "carrier_unknown"],
    ["not_sent", "carrier_unreachable"],
  ] as const)(
    "%s: the job waits, and queries the carrier before it repeats the request",
    async (kind, reason) => {
      const id = await heldNumber();
      company.answer = () => Promise.reject(new CarrierFault(kind, "no answer"));
      const { job_id } = (await act(id, "release")).body;
      await go(job_id);
      expect(await get(`/v1/jobs/${job_id}`)).toMatchObject({ status: "waiting", reason });
      expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "releasing" });

      company.answer = async () => "released";
      await goLater(job_id);

      expect(company.told).toHaveLength(1);
      expect(company.asked).toBe(1);
      expect(await get(`/v1/jobs/${job_id}`)).toMatchObject({ status: "succeeded" });
    },
  );

  test("polls a carrier that is still processing", async () => {
    const id = await heldNumber();
    company.answer = async () => "pending";
    const { job_id } = (await act(id, "release")).body;
    await go(job_id);
    expect(await get(`/v1/jobs/${job_id}`)).toMatchObject({ status: "waiting", reason: "carrier_pending" });

    await goLater(job_id);
    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "quarantined" });
  });

  test("polls the carrier, and does not send again, after a worker died", async () => {
    const id = await heldNumber();
    company.answer = () => Promise.reject(new Error("killed here"));
    const { job_id } = (await act(id, "release")).body;
    await go(job_id);
    await goLater(job_id);

    expect(company.told).toHaveLength(1);
    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "quarantined" });
  });
});

describe("with a switch", () => {
  test("is unreachable delays the carrier's notification until it is back or retired", async () => {
    await using away = await startService({ overrides: { carriers } });
    const organisation = await away.organisation();
    const person = await away.person({ [organisation]: "owner" });
    const { id: switchId } = await makeSwitch(away, { environment: "live" });
    const { id } = await holdNumber(away.app, organisation, "live");
    await away.database.admin("update holdings set carrier = 'company' where id = $1", [id]);
    await away.database.admin(
      "update switches set last_seen_at = now() - interval '1 hour', created_at = now() - interval '1 day'",
    );
    const headers = { ...bearer(person.token), "idempotency-key": newId() };
    const { job_id } = (await away.send("POST", `/v1/numbers/${id}/release`, { headers })).body;
    const job = async (): Promise<Sent["body"]> =>
      (await away.send("GET", `/v1/jobs/${job_id}`, { headers: bearer(person.token) })).body;

    await advanceReleaseJob.run(away.app, { id: job_id });
    expect(await job()).toMatchObject({ status: "waiting", reason: "switch_unreachable" });
    expect(company.told).toEqual([]);

    await away.database.admin("update switches set state = 'retired' where id = $1", [switchId]);
    away.clock.advance(61_000);
    await advanceReleaseJob.run(away.app, { id: job_id });
    expect(await job()).toMatchObject({ status: "succeeded" });
    expect(company.told).toHaveLength(1);
  });
});

describe("a quarantined number", () => {
  const restingNumber = async (): Promise<string> => {
    const id = await heldNumber();
    await route(id);
    await go((await act(id, "release")).body.job_id);
    return id;
  };

  test("comes back with its id and the routing it had", async () => {
    const id = await restingNumber();
    const { job_id } = (await act(id, "restore")).body;
    await go(job_id);

    expect(await get(`/v1/jobs/${job_id}`)).toMatchObject({ type: "number_restore", status: "succeeded" });
    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "active", restore_until: null });
    expect(await get(`/v1/numbers/${id}/routing`)).toMatchObject({
      desired: { mode: "sip_uri", generation: 2 },
      effective_reason: null,
    });
    expect((await events(id)).slice(-2)).toEqual(["number.restoring", "number.restored"]);
  });

  test("is released after its quarantine, unrouted, and available to others", async () => {
    const id = await restingNumber();
    await aMonthLater();
    await endRests(service.app);

    const gone = await get(`/v1/numbers/${id}`);
    expect(gone).toMatchObject({ status: "released", routing: { mode: "unrouted" } });
    expect(gone.released_at).not.toBeNull();
    expect((await events(id)).at(-1)).toBe("number.released");
    expect(await act(id, "restore")).toMatchObject({ status: 409, body: { code: "number_not_quarantined" } });
    const [item] = await service.database.admin<{ value: unknown }>(
      "select value from feed_items where item_id = $1 order by version desc limit 1",
      [id],
    );
    expect(item).toEqual({ value: null });
  });

  test("cannot be restored after its quarantine, even before the cleanup", async () => {
    const id = await restingNumber();
    await aMonthLater();

    expect(await act(id, "restore")).toMatchObject({ status: 409, body: { code: "number_not_restorable" } });
  });

  test("stays in quarantine during a restore, beyond its time too", async () => {
    const id = await restingNumber();
    const { job_id } = (await act(id, "restore")).body;
    await aMonthLater();
    await endRests(service.app);
    await go(job_id);

    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "active" });
  });
});
