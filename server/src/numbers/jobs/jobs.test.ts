import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Environment } from "../../platform/db/database.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { sweepJobsChore } from "./jobs.jobs.ts";
import {
  advanceJob,
  endJob,
  type JobRow,
  JobTakenOver,
  moveJob,
  setJobsDueAfterSwitch,
  startJob,
  sweepEndedJobs,
} from "./jobs.ts";

let service: Service;
let home: string;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  home = await service.organisation();
  owner = await service.person({ [home]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

const newJob = (total = 1, environment: Environment = "live"): Promise<string> =>
  service.app.db.forOrganisation({ organisationId: home, environment }, (tx) =>
    startJob(tx, service.app, {
      type: "number_order",
      total,
      orderId: home,
      requestId: "a-request",
      at: service.clock.now(),
    }),
  );
const read = (id: string, token = owner.token, headers: Record<string, string> = {}) =>
  service.send("GET", `/v1/jobs/${id}`, { headers: { ...bearer(token), ...headers } });
const inSystem = <Result>(work: Parameters<typeof service.app.db.forSystem<Result>>[1]) =>
  service.app.db.forSystem("jobs", work);
const queued = async (): Promise<string[]> => {
  const rows = await service.database.admin("select data from pgboss.job where name = 'orders.advance'", []);
  return (rows as { data: { id: string } }[]).map(({ data }) => data.id);
};

describe("a job", () => {
  test("shows its progress, and Retry-After until it has finished", async () => {
    const id = await newJob(3);
    expect(await read(id)).toMatchObject({
      status: 200,
      body: {
        id,
        status: "queued",
        progress: { total: 3, succeeded: 0, failed: 0 },
        attempts: 0,
        error: null,
      },
    });
    await advanceJob(service.app, id, async (job) => {
      expect((await read(id)).headers["retry-after"]).toBe("1");
      expect((await read(id)).body).toMatchObject({ status: "running", attempts: 1 });
      await inSystem((tx) =>
        endJob(tx, service.app, job, {
          succeeded: 2,
          failed: 1,
          error: { code: "number_not_available", detail: "One was gone." },
        }),
      );
    });

    const { body, headers } = await read(id);
    expect(headers["retry-after"]).toBeUndefined();
    expect(body).toMatchObject({
      status: "partially_succeeded",
      progress: { total: 3, succeeded: 2, failed: 1 },
      error: { code: "number_not_available", detail: "One was gone.", request_id: "a-request", status: 409 },
    });
  });

  test("never changes after it has finished", async () => {
    const id = await newJob();
    await advanceJob(service.app, id, (job) =>
      inSystem((tx) => endJob(tx, service.app, job, { succeeded: 1, failed: 0 })),
    );

    await advanceJob(service.app, id, () => expect.unreachable());
    const change = service.database.admin(
      "update jobs set status = 'running', finished_at = null, next_check_at = now() where id = $1",
      [id],
    );
    await expect(change).rejects.toThrow("cannot become running");
  });

  test("is claimed by another worker after its lease, and late writes of the first are rolled back", async () => {
    const id = await newJob();
    const step = async (job: JobRow): Promise<void> => {
      service.clock.advance(31_000);
      await advanceJob(service.app, id, (other) =>
        inSystem((tx) => endJob(tx, service.app, other, { succeeded: 1, failed: 0 })),
      );
      const late = inSystem(async (tx) => {
        await moveJob(tx, service.app, job, { progress: { succeeded: 0, failed: 1 } });
      });
      await expect(late).rejects.toThrow(JobTakenOver);
      await late;
    };
    await advanceJob(service.app, id, step);

    expect((await read(id)).body).toMatchObject({ status: "succeeded", attempts: 2 });
  });

  test("is one worker's at a time", async () => {
    const id = await newJob();
    let steps = 0;
    const step = async (): Promise<void> => {
      steps += 1;
      await advanceJob(service.app, id, () => expect.unreachable());
    };
    await advanceJob(service.app, id, step);

    expect(steps).toBe(1);
  });

  test("waits and is retried if a step fails", async () => {
    const id = await newJob();
    await advanceJob(service.app, id, () => Promise.reject(new Error("broken on purpose")));
    expect((await read(id)).body).toMatchObject({ status: "waiting", reason: "internal_error", error: null });

    service.clock.advance(60_000);
    await advanceJob(service.app, id, (job) =>
      inSystem((tx) => endJob(tx, service.app, job, { succeeded: 1, failed: 0 })),
    );
    expect((await read(id)).body).toMatchObject({ status: "succeeded", attempts: 2 });
  });
});

test("a lost queue loses nothing: whatever is due is queued again", async () => {
  const [fresh, waiting] = [await newJob(), await newJob()];
  await advanceJob(service.app, waiting, (job) =>
    inSystem((tx) => moveJob(tx, service.app, job, { waitMs: 30_000, reason: "carrier_pending" })),
  );
  await service.database.admin("delete from pgboss.job", []);

  service.clock.advance(10_000);
  await sweepJobsChore.run(service.app);
  expect(await queued()).toContain(fresh);
  expect(await queued()).not.toContain(waiting);
  service.clock.advance(20_000);
  await sweepJobsChore.run(service.app);
  expect(await queued()).toContain(waiting);
});

test("is not queued repeatedly while the queue is slow", async () => {
  const id = await newJob();
  service.clock.advance(10_000);
  for (let sweeps = 0; sweeps < 3; sweeps++) await sweepJobsChore.run(service.app);
  const places = async (): Promise<number> => (await queued()).filter((one) => one === id).length;
  expect(await places()).toBe(1);

  // Should its place be lost while others wait, it gets another one in the end.
  service.clock.advance(590_000);
  for (let sweeps = 0; sweeps < 3; sweeps++) await sweepJobsChore.run(service.app);
  expect(await places()).toBe(2);
});

test("a job that waits is queued when it is due, and not ten seconds later", async () => {
  const id = await newJob();
  await advanceJob(service.app, id, (job) =>
    inSystem((tx) => moveJob(tx, service.app, job, { waitMs: 1_000, reason: "carrier_pending" })),
  );
  await service.database.admin("delete from pgboss.job", []);
  service.clock.advance(1_000);
  await sweepJobsChore.run(service.app);

  expect(await queued()).toContain(id);
});

test("a backlog larger than one batch is queued in one sweep", async () => {
  const count = 1_100;
  await service.database.admin(
    `insert into jobs (id, organisation_id, environment, type, total, request_id, created_at, next_check_at, queued_at)
     select gen_random_uuid(), $1, 'live', 'number_order', 1, 'backlog', $2, $2, $2 from generate_series(1, $3)`,
    [home, service.clock.now(), count],
  );
  await service.database.admin("delete from pgboss.job", []);
  service.clock.advance(10_000);
  await sweepJobsChore.run(service.app);

  const sql = "select id from jobs where request_id = 'backlog'";
  const wanted = (await service.database.admin<{ id: string }>(sql, [])).map(({ id }) => id);
  expect(wanted).toHaveLength(count);
  expect(await queued()).toEqual(expect.arrayContaining(wanted));
});

test("a worker whose clock is behind takes up a job that was queued a moment ahead", async () => {
  const id = await newJob();
  service.clock.advance(-2_000);
  let isTaken = false;
  await advanceJob(service.app, id, async () => void (isTaken = true));
  service.clock.advance(2_000);

  expect(isTaken).toBe(true);
});

test("a job that waits for switches is due once a switch is no longer waited for; others wait on", async () => {
  const [waiting, other] = [await newJob(), await newJob()];
  for (const [id, reason] of [
    [waiting, "switch_unreachable"],
    [other, "carrier_pending"],
  ] as const)
    await advanceJob(service.app, id, (job) =>
      inSystem((tx) => moveJob(tx, service.app, job, { waitMs: 60_000, reason })),
    );
  await inSystem((tx) => setJobsDueAfterSwitch(tx, service.clock.now()));

  const woken: string[] = [];
  for (const id of [waiting, other]) await advanceJob(service.app, id, async () => void woken.push(id));
  expect(woken).toEqual([waiting]);
});

test("responds to Prefer: wait when the job has finished", async () => {
  const id = await newJob();
  const answer = read(id, owner.token, { prefer: "wait=20" });
  await advanceJob(service.app, id, (job) =>
    inSystem((tx) => endJob(tx, service.app, job, { succeeded: 1, failed: 0 })),
  );

  expect(await answer).toMatchObject({ status: 200, body: { status: "succeeded" } });
  expect((await answer).headers["preference-applied"]).toBe("wait=20");
});

test("a key of any scope reads the jobs of its organisations on its own side", async () => {
  const key = await service.key(owner, home, ["numbers_write"], "test");
  const [ofLive, ofTest] = [await newJob(1, "live"), await newJob(1, "test")];

  expect((await read(ofTest, key.secret)).status).toBe(200);
  expect((await read(ofLive, key.secret)).status).toBe(404);
  expect((await read(ofLive)).status).toBe(200);
  expect((await read(ofTest)).status).toBe(200);
});

test("the list shows people the jobs of one side, newest first", async () => {
  const member = await service.person({ [home]: "member" });
  const [first, second] = [await newJob(1, "test"), await newJob(1, "test")];
  const headers = { ...bearer(member.token), "x-service-environment": "test" };

  const { body } = await service.send("GET", "/v1/jobs?limit=2", { headers });
  expect((body as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual([second, first]);
});

test("turns cut short by a death do not make a job wait longer, fruitless ones do", async () => {
  const id = await newJob();
  const waitsMs = async (): Promise<number> => {
    const sql = "select next_check_at from jobs where id = $1";
    const [row] = await service.database.admin<{ next_check_at: Date }>(sql, [id]);
    return row!.next_check_at.getTime() - service.clock.now().getTime();
  };
  const fail = (): Promise<void> =>
    advanceJob(service.app, id, () => Promise.reject(new Error("on purpose")));
  for (let deaths = 0; deaths < 7; deaths++) {
    await inSystem((tx) => tx.query("update jobs set attempts = attempts + 1 where id = $1", [id]));
  }

  await fail();
  expect(await waitsMs()).toBeLessThanOrEqual(1_000);
  service.clock.advance(1_000);
  await fail();
  expect(await waitsMs()).toBeGreaterThan(1_000);
});

test("keeps finished jobs for 90 days, and open ones forever", async () => {
  const [ended, open] = [await newJob(), await newJob()];
  await advanceJob(service.app, ended, (job) =>
    inSystem((tx) => endJob(tx, service.app, job, { succeeded: 1, failed: 0 })),
  );
  const kept = async (): Promise<number> => {
    await sweepEndedJobs(service.app);
    const sql = "select from jobs where id = any($1)";
    return (await service.database.admin(sql, [[ended, open]])).length;
  };

  service.clock.advance(89 * 86_400_000);
  expect(await kept()).toBe(2);
  service.clock.advance(2 * 86_400_000);
  expect(await kept()).toBe(1);
});
