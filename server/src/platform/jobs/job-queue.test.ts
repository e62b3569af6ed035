import { afterAll, beforeAll, expect, test } from "vitest";
import { captureLog } from "../../../testing/captured-log.ts";
import { type Service, startService, until } from "../../../testing/service.ts";
import { installJobs, type JobDefinition, workOff } from "./job-queue.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.database.admin(await installJobs(service.app.config.database.ownerUrl, ["probes.run"]));
});
afterAll(() => service[Symbol.asyncDispose]());

interface Probe {
  number: number;
}

async function enqueue(...numbers: number[]): Promise<void> {
  await service.app.db.forSystem("sweep", async (tx) => {
    for (const number of numbers) await service.app.jobs.enqueue(tx, "probes.run", { number });
  });
}

/** A worker that runs only probes. */
async function working(run: (number: number) => Promise<void>, log = service.app.log) {
  const definition: JobDefinition<null> = {
    name: "probes.run",
    run: (_app, { number }: Probe) => run(number),
  };
  const options = {
    login: service.app.config.database.directLoginOf("system"),
    log,
    metrics: service.app.metrics,
  };
  const worker = await workOff(options, null, [definition]);
  return { [Symbol.asyncDispose]: () => worker.close() };
}

test("a job comes with its transaction or not at all", async () => {
  const seen: number[] = [];
  const failed = service.app.db.forSystem("sweep", async (tx) => {
    await service.app.jobs.enqueue(tx, "probes.run", { number: 1 });
    throw new Error("changed my mind");
  });
  await expect(failed).rejects.toThrow("changed my mind");
  await enqueue(2);

  await using _worker = await working(async (number) => void seen.push(number));
  await until(() => seen.length > 0);

  expect(seen).toEqual([2]);
});

test("a backlog is worked off without waiting for the next look at the queue", async () => {
  const seen = new Set<number>();
  await enqueue(...Array.from({ length: 100 }, (_, at) => at));

  const startedAt = performance.now();
  await using _worker = await working(async (number) => void seen.add(number));
  await until(() => seen.size === 100);

  // Ten at a time; one look every five seconds would take most of a minute.
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

test("retries a failed job, and not those fetched with it", async () => {
  const captured = captureLog("error");
  const tries = new Map<number, number>();
  await enqueue(1, 2, 3, 4, 5);

  await using _worker = await working(async (number) => {
    tries.set(number, (tries.get(number) ?? 0) + 1);
    if (number === 3 && tries.get(number) === 1) throw new Error("not yet");
  }, captured.log);
  await until(() => tries.get(3) === 2);

  expect(Object.fromEntries(tries)).toEqual({ 1: 1, 2: 1, 3: 2, 4: 1, 5: 1 });
  expect(captured.lines()).toMatchObject([
    { msg: "job failed; it will be retried", job: "probes.run", err: { message: "not yet" } },
  ]);
});

test("waits for jobs in progress when it closes", async () => {
  const seen: string[] = [];
  const isClosing = Promise.withResolvers<void>();
  await enqueue(1);
  const worker = await working(async () => {
    seen.push("begun");
    await isClosing.promise;
    // Takes far longer than closing alone.
    for (let step = 0; step < 200; step++) await service.database.admin("select 1");
    seen.push("done");
  });
  await until(() => seen.length > 0);

  const closed = worker[Symbol.asyncDispose]().then(() => seen.push("closed"));
  isClosing.resolve();
  await closed;

  expect(seen).toEqual(["begun", "done", "closed"]);
});

test("allows producers neither to read nor to delete jobs", async () => {
  await enqueue(7);
  const attempt = (statement: string): Promise<unknown> =>
    service.app.db.forCaller("unknown", (tx) => tx.query(statement));

  await expect(attempt("select data from pgboss.job")).rejects.toThrow(/permission denied/);
  await expect(attempt("delete from pgboss.job")).rejects.toThrow(/permission denied/);
});
