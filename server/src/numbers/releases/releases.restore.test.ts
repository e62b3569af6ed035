import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CarrierFault, type WantedRelease } from "../carriers/carrier.ts";
import { newId } from "../../platform/ids.ts";
import { overtakenApp } from "../../../testing/interrupted-app.ts";
import { formerCarriers } from "../../../testing/scripted-carrier.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { holdNumber } from "../../../testing/stock.ts";
import { advanceReleaseJob } from "./releases.jobs.ts";
import { endRests } from "./releases.restore.ts";

type Restored = "restored" | "not_available";
/** A carrier that accepts every release at once. The test sets the result of its restores. */
const company = {
  asked: [] as WantedRelease[],
  answer: (): Promise<Restored> => Promise.resolve("restored"),
};
const carriers = formerCarriers((name) => ({
  name,
  ordering: {
    order: () => expect.unreachable(),
    orderStatus: () => expect.unreachable(),
    list: () => expect.unreachable(),
    release: async () => "released",
    releaseStatus: async () => undefined,
    restore(_of, wanted) {
      company.asked.push(wanted);
      return company.answer();
    },
  },
}));

let service: Service;
let home: string;
let releaser: Person;
let restorer: Person;
beforeAll(async () => {
  service = await startService({
    settings: { DATABASE_CONNECTIONS: "20", FORWARD_PREFIXES: "+49" },
    overrides: { carriers },
  });
  home = await service.organisation();
  releaser = await service.person({ [home]: "owner" });
  restorer = await service.person({ [home]: "admin" });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void Object.assign(company, { asked: [], answer: async () => "restored" }));

const act = (id: string, verb: "release" | "restore", by: Person, headers = {}): Promise<Sent> =>
  service.send("POST", `/v1/numbers/${id}/${verb}`, {
    headers: { ...bearer(by.token), "idempotency-key": newId(), ...headers },
  });
const restore = (id: string, by = restorer, headers = {}): Promise<Sent> => act(id, "restore", by, headers);
const get = async (path: string): Promise<Sent["body"]> =>
  (await service.send("GET", path, { headers: bearer(releaser.token) })).body;
const go = (jobId: string): Promise<void> => advanceReleaseJob.run(service.app, { id: jobId });
const resting = async (): Promise<string> => {
  const { id } = await holdNumber(service.app, home, "live");
  await putToRest(id);
  return id;
};
const putToRest = async (id: string): Promise<void> => {
  await service.database.admin("update holdings set carrier = 'company' where id = $1", [id]);
  await go((await act(id, "release", releaser)).body.job_id);
  expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "quarantined" });
};
const events = async (id: string): Promise<string[]> => {
  const rows = await service.database.admin<{ type: string }>(
    "select type from events where subject = $1 and type like 'number.%' order by sequence",
    [id],
  );
  return rows.map(({ type }) => type);
};
const RESTED = ["number.added", "number.releasing", "number.quarantined"];

describe("a carrier that rejects the restore", () => {
  test.each<[string, () => Promise<Restored>]>([
    ["says that it is not available", async () => "not_available"],
    ["refuses", () => Promise.reject(new CarrierFault("refused", "Not you."))],
  ])("and %s: keeps the number in quarantine, and it can no longer be restored", async (_how, answer) => {
    const id = await resting();
    company.answer = answer;
    const accepted = await restore(id);
    expect(accepted).toMatchObject({ status: 202, body: { number_id: id, status: "restoring" } });
    expect(await restore(id)).toMatchObject({
      status: 409,
      body: { code: "restore_in_progress", job_id: accepted.body.job_id },
    });

    await go(accepted.body.job_id);

    expect(await get(`/v1/jobs/${accepted.body.job_id}`)).toMatchObject({
      type: "number_restore",
      status: "failed",
      error: { code: "number_not_restorable" },
      progress: { total: 1, succeeded: 0, failed: 1 },
    });
    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "quarantined", restore_until: null });
    expect(await events(id)).toEqual([...RESTED, "number.restoring", "number.restore_failed"]);
    expect(await restore(id)).toMatchObject({ status: 409, body: { code: "number_not_restorable" } });
    expect(company.asked).toHaveLength(1);
  });

  test("ends the quarantine anyway", async () => {
    const id = await resting();
    company.answer = async () => "not_available";
    await go((await restore(id)).body.job_id);
    await endTime(id);
    await endRests(service.app);

    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "released" });
    expect(await restore(id)).toMatchObject({ status: 409, body: { code: "number_not_quarantined" } });
  });

  test.each([
    ["unknown", "carrier_unknown"],
    ["not_sent", "carrier_unreachable"],
  ] as const)(
    "%s is not a rejection: the request is repeated under the same reference",
    async (kind, reason) => {
      const id = await resting();
      company.answer = () => Promise.reject(new CarrierFault(kind, "no answer"));
      const { job_id } = (await restore(id)).body;
      await go(job_id);
      expect(await get(`/v1/jobs/${job_id}`)).toMatchObject({ status: "waiting", reason });
      expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "quarantined" });

      company.answer = async () => "restored";
      service.clock.advance(61_000);
      await go(job_id);

      expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "active", restore_until: null });
      expect(new Set(company.asked.map(({ reference }) => reference)).size).toBe(1);
    },
  );
});

describe("a number that cannot be restored", () => {
  test("returns 404 for an unknown ID, another organisation and the other environment", async () => {
    const id = await resting();
    const stranger = await service.person({ [await service.organisation()]: "owner" });
    const test = { "x-service-environment": "test" };
    const answers = [await restore(newId()), await restore(id, stranger), await restore(id, restorer, test)];

    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, body: { code: "number_not_found" } });
    expect(await events(id)).toEqual(RESTED);
  });

  test("is not quarantined while it is held or on its way out", async () => {
    const { id } = await holdNumber(service.app, home, "live");
    const refused = { status: 409, body: { code: "number_not_quarantined" } };
    expect(await restore(id)).toMatchObject(refused);
    await act(id, "release", releaser);
    expect(await restore(id)).toMatchObject(refused);
  });

  test("is not restorable from restore_until on, and is until then", async () => {
    const [early, late] = [await resting(), await resting()];
    const until = new Date(service.clock.now().getTime() + 60_000);
    await service.database.admin("update holdings set restore_until = $2 where id = any($1)", [
      [early, late],
      until,
    ]);
    expect((await restore(early)).status).toBe(202);

    service.clock.advance(until.getTime() - service.clock.now().getTime());

    expect(await restore(late)).toMatchObject({ status: 409, body: { code: "number_not_restorable" } });
    expect(await events(late)).toEqual(RESTED);
  });

  test("can be restored once, by one of many concurrent requests", async () => {
    const id = await resting();
    const answers = await Promise.all(Array.from({ length: 5 }, () => restore(id)));

    const [accepted, ...others] = answers.toSorted((a, b) => a.status - b.status) as [Sent, ...Sent[]];
    expect(accepted.status).toBe(202);
    for (const { status, body } of others)
      expect({ status, body }).toMatchObject({
        status: 409,
        body: { code: "restore_in_progress", job_id: accepted.body.job_id },
      });
    expect(await events(id)).toEqual([...RESTED, "number.restoring"]);
  });
});

describe("a quarantined number that forwards to another", () => {
  const forward = (from: { id: string }, to: { e164: string }): Promise<Sent> =>
    service.send("PUT", `/v1/numbers/${from.id}/routing`, {
      headers: { ...bearer(releaser.token), "idempotency-key": newId() },
      body: { mode: "forward", forward_to: to.e164 },
    });
  const hold = () => holdNumber(service.app, home, "live");
  const LOOP = { status: 422, body: { code: "forward_loop" } };

  test("is not forwarded to by that one, so that coming back closes no circle", async () => {
    const [a, b] = [await hold(), await hold()];
    expect((await forward(a, b)).status).toBe(200);
    await putToRest(a.id);
    expect(await forward(b, a)).toMatchObject(LOOP);

    const { job_id } = (await restore(a.id)).body;
    expect(await forward(b, a)).toMatchObject(LOOP);
    await go(job_id);

    expect(await get(`/v1/numbers/${a.id}`)).toMatchObject({ status: "active" });
    expect(await forward(b, a)).toMatchObject(LOOP);
  });

  test("blocks no forwarding once it cannot be restored", async () => {
    const [a, b] = [await hold(), await hold()];
    await forward(a, b);
    await putToRest(a.id);
    company.answer = async () => "not_available";
    await go((await restore(a.id)).body.job_id);

    expect((await forward(b, a)).status).toBe(200);
  });
});

describe("who did it", () => {
  test.each([
    ["restored", async (): Promise<Restored> => "restored"],
    ["restore_failed", async (): Promise<Restored> => "not_available"],
  ] as const)(
    "is part of number.%s: the user who restored, not the one who released",
    async (end, answer) => {
      const id = await resting();
      company.answer = answer;
      await go((await restore(id)).body.job_id);

      const { data } = await get("/v1/audit?limit=50");
      const mine = data.filter(({ subject }: { subject: string }) => subject === id);
      const by = ({ userId, name }: Person) => ({ kind: "session", id: userId, name });
      const actors = Object.fromEntries(
        mine.map(({ action, actor }: { action: string; actor: object }) => [action, actor]),
      );
      expect(actors).toMatchObject({
        "number.releasing": by(releaser),
        "number.quarantined": by(releaser),
        "number.restoring": by(restorer),
        [`number.${end}`]: by(restorer),
      });
    },
  );
});

async function endTime(id: string): Promise<void> {
  await service.database.admin(
    "update releases set quarantined_until = $2 where holding_id = $1 and step = 'quarantined'",
    [id, service.clock.now()],
  );
}

/** As many times as it takes for each of them to win some. */
const ROUNDS = 20;

describe("restored at the last moment", () => {
  test("either it comes back or its rest ends, and never both", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await resting();
      await endTime(id);
      // To the worker it has ended; a caller's clock is a little behind.
      const [answer] = await Promise.all([restore(id), pause(round % 4).then(() => endRests(service.app))]);
      if (answer.status === 202) await go(answer.body.job_id);

      const { status } = await get(`/v1/numbers/${id}`);
      const isBack = answer.status === 202;
      expect(status).toBe(isBack ? "active" : "released");
      expect(await events(id)).toEqual([
        ...RESTED,
        ...(isBack ? ["number.restoring", "number.restored"] : ["number.released"]),
      ]);
      if (!isBack) expect(answer.body.code).toMatch(/^number_not_(quarantined|restorable)$/);
    }
  });

  test.each([
    ["is on its way back", async () => {}],
    ["is back already", go],
  ])("does not end the quarantine of a number that %s concurrently", async (_state, goOn) => {
    const id = await resting();
    await endTime(id);
    let jobId = "";
    const afterListing = 1;
    const late = overtakenApp(service.app, afterListing, async () => {
      jobId = (await restore(id)).body.job_id;
      await goOn(jobId);
    });
    await endRests(late.app);
    await go(jobId);

    expect(late.isInterrupted()).toBe(true);
    expect(await get(`/v1/numbers/${id}`)).toMatchObject({ status: "active", released_at: null });
    expect(await events(id)).toEqual([...RESTED, "number.restoring", "number.restored"]);
  });
});

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
