import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";

/** Checks the numbers of docs/test-environment.md from a caller's view: a worker, its simulated switch and the sandbox. */
let service: Service;
let owner: Person;
const runs = new Map<string, Promise<Run>>();
beforeAll(async () => {
  service = await startService({ worker: true, settings: { DATABASE_CONNECTIONS: "20" } });
  owner = await service.person({ [await service.organisation()]: "owner" });
  // All at once, for most of the time they wait.
  for (const endings of ORDERED) runs.set(`order ${endings}`, startOrder(endings.split(" ")));
  for (const ending of RELEASED) runs.set(`release ${ending}`, startRelease(ending));
  await Promise.allSettled(runs.values());
});
afterAll(() => service[Symbol.asyncDispose]());

const ORDINARY = "50";
const ORDERED = ["10", "11", "12", "13", "14 51 52", "15", "16", "17", "18", "19"];
const RELEASED = [ORDINARY, "20", "21", "22", "23", "24", "25", "26", "27", "28"];
const SIP = { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" };

interface Followed {
  job: Sent["body"];
  /** Reasons for waiting of the job, in order, without repetitions. */
  reasons: string[];
  /** The statuses its order's first item went through. */
  items: string[];
  ms: number;
}

interface Run {
  e164: string;
  order: Sent["body"];
  ordering: Followed;
  /** Since there is a number to be released. */
  release?: Followed;
  rested?: Seen;
  restore?: Followed;
  end?: Seen;
}

interface Seen {
  number: Sent["body"];
  routing: Sent["body"];
  /** In the sandbox's books: how often it was sold, and how many of these are not returned. */
  books: { sold: number; kept: number };
}

const send = (method: string, path: string, body?: unknown): Promise<Sent> =>
  service.send(method, path, {
    headers: {
      ...bearer(owner.token),
      "x-service-environment": "test",
      ...(method === "POST" && { "idempotency-key": newId() }),
    },
    ...(body !== undefined && { body }),
  });
const get = async (path: string): Promise<Sent["body"]> => (await send("GET", path)).body;

let areaCode = 300;

async function startOrder(endings: readonly string[], wish: object = {}): Promise<Run> {
  const code = areaCode++;
  const numbers = endings.map((ending) => `+1${code}55501${ending}`);
  const started = performance.now();
  const { status, text, body } = await send("POST", "/v1/numbers/orders", { numbers, ...wish });
  if (status !== 202) throw new Error(text);
  const ordering = await follow(body.job_id, started, body.id);
  return { e164: numbers[0]!, order: await get(`/v1/numbers/orders/${body.id}`), ordering };
}

async function startRelease(ending: string): Promise<Run> {
  const run = await startOrder([ending], { routing: SIP });
  const id = run.order.items[0].number_id;
  run.release = await ask(id, "release");
  run.rested = await see(id, run.e164);
  if (run.rested.number.status !== "quarantined") return run;
  run.restore = await ask(id, "restore");
  run.end = await see(id, run.e164);
  return run;
}

async function ask(id: string, verb: "release" | "restore"): Promise<Followed> {
  const started = performance.now();
  const { status, text, body } = await send("POST", `/v1/numbers/${id}/${verb}`);
  if (status !== 202) throw new Error(text);
  return follow(body.job_id, started);
}

const LOOK_AGAIN_MS = 100;
const LONGEST_MS = 30_000;

async function follow(jobId: string, started: number, orderId?: string): Promise<Followed> {
  const reasons: string[] = [];
  const items: string[] = [];
  for (;;) {
    const job = await get(`/v1/jobs/${jobId}`);
    const ms = performance.now() - started;
    if (job.reason && job.reason !== reasons.at(-1)) reasons.push(job.reason);
    const item = orderId && (await get(`/v1/numbers/orders/${orderId}`)).items[0].status;
    if (item && item !== items.at(-1)) items.push(item);
    if (job.finished_at !== null) return { job, reasons, items, ms };
    if (ms > LONGEST_MS) throw new Error(`The job is still ${job.status}: ${job.reason}.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

async function see(id: string, e164: string): Promise<Seen> {
  const [books] = await service.database.admin<Seen["books"]>(
    `select count(bought_at)::int as sold, (count(bought_at) filter (where returned_at is null))::int as kept
     from sandbox_purchases where e164 = $1`,
    [e164],
  );
  return {
    number: await get(`/v1/numbers/${id}`),
    routing: await get(`/v1/numbers/${id}/routing`),
    books: books!,
  };
}

const ran = async (name: string): Promise<Required<Run>> => (await runs.get(name)!) as Required<Run>;
/** The switch has it a moment after the job has ended. */
const inSync = (id: string): Promise<Sent["body"]> =>
  until(async () => {
    const routing = await get(`/v1/numbers/${id}/routing`);
    return routing.status === "in_sync" && routing;
  });
const AS_BEFORE = { desired: SIP, applied: SIP, effective_reason: null };
const eventsOf = async (id: string): Promise<string[]> => {
  const rows = await service.database.admin<{ type: string }>(
    "select type from events where subject = $1 and type like 'number.%' order by sequence",
    [id],
  );
  return rows.map(({ type }) => type);
};

describe("an order", () => {
  test.each([
    ["10", 2_000, []],
    ["11", 5_000, ["carrier_pending"]],
    ["15", 2_000, ["carrier_unknown"]],
    ["16", 0, ["carrier_unknown"]],
    ["17", 0, ["carrier_unknown"]],
    ["18", 3_000, ["carrier_unreachable"]],
    ["19", 10_000, ["carrier_unknown"]],
  ])(
    "of a number with the ending %s is completed after %d ms, and waits for %j",
    async (ending, ms, reasons) => {
      const { e164, order, ordering } = await ran(`order ${ending}`);

      expect(order).toMatchObject({
        status: "completed",
        items: [{ e164, status: "succeeded", error: null }],
      });
      expect(ordering.reasons).toEqual(reasons);
      expect(ordering.ms).toBeGreaterThanOrEqual(ms);
      if (reasons[0] === "carrier_unknown") expect(ordering.items).toContain("outcome_unknown");
      expect((await see(order.items[0].number_id, e164)).books).toEqual({ sold: 1, kept: 1 });
    },
  );

  test.each(["12", "13"])("of a number with the ending %s fails", async (ending) => {
    expect((await ran(`order ${ending}`)).order).toMatchObject({
      status: "failed",
      items: [{ status: "failed", number_id: null, error: { code: "number_not_available" } }],
    });
  });

  test("of a number with the ending 14 has that one, and none of those after it", async () => {
    const { order, ordering } = await ran("order 14 51 52");
    const failed = { status: "failed", number_id: null, error: { code: "number_not_available" } };

    expect(order).toMatchObject({
      status: "partially_completed",
      items: [{ status: "succeeded" }, failed, failed],
    });
    expect(ordering.job).toMatchObject({
      status: "partially_succeeded",
      progress: { total: 3, succeeded: 1, failed: 2 },
    });
  });
});

describe("a release", () => {
  test.each([
    [ORDINARY, 0, []],
    ["20", 2_000, []],
    ["21", 5_000, ["carrier_pending"]],
    ["23", 2_000, ["carrier_unknown"]],
    ["24", 0, ["carrier_unknown"]],
    ["25", 0, ["carrier_unknown"]],
    ["26", 3_000, ["carrier_unreachable"]],
    ["27", 10_000, ["carrier_unknown"]],
    ["28", 0, []],
  ])("of a number with the ending %s is over after %d ms, and waits for %j", async (ending, ms, reasons) => {
    const { release, rested } = await ran(`release ${ending}`);

    expect(release.job).toMatchObject({ type: "number_release", status: "succeeded" });
    expect(release.reasons.filter((reason) => reason !== "switch_pending")).toEqual(reasons);
    expect(release.ms).toBeGreaterThanOrEqual(ms);
    expect(rested).toMatchObject({
      number: { status: "quarantined", restore_until: expect.any(String) },
      routing: { desired: SIP, effective_reason: "number_quarantined", applied: { mode: "unrouted" } },
      books: { sold: 1, kept: 0 },
    });
  });

  test("of a number with the ending 22 is rejected, and the number is as it was", async () => {
    const { release, rested } = await ran("release 22");

    expect(release.job).toMatchObject({ status: "failed", error: { code: "carrier_refused" } });
    expect(rested).toMatchObject({ number: { status: "active" }, books: { sold: 1, kept: 1 } });
    expect(await eventsOf(rested.number.id)).toEqual([
      "number.added",
      "number.releasing",
      "number.release_failed",
    ]);
    expect(await inSync(rested.number.id)).toMatchObject(AS_BEFORE);
  });
});

describe("a restore", () => {
  test.each([ORDINARY, "20", "21", "23", "24", "25", "26", "27"])(
    "of a number with the ending %s brings it back as it was",
    async (ending) => {
      const { rested, restore, end } = await ran(`release ${ending}`);

      expect(restore.job).toMatchObject({ type: "number_restore", status: "succeeded" });
      expect(end).toMatchObject({
        number: { id: rested.number.id, status: "active", restore_until: null },
        books: { sold: 1, kept: 1 },
      });
      expect(await inSync(rested.number.id)).toMatchObject(AS_BEFORE);
      expect((await eventsOf(rested.number.id)).slice(-2)).toEqual(["number.restoring", "number.restored"]);
    },
  );

  test("of a number with the ending 28 fails, and cannot be retried", async () => {
    const { restore, end } = await ran("release 28");

    expect(restore.job).toMatchObject({ status: "failed", error: { code: "number_not_restorable" } });
    expect(end).toMatchObject({
      number: { status: "quarantined", restore_until: null },
      books: { sold: 1, kept: 0 },
    });
    expect(await send("POST", `/v1/numbers/${end.number.id}/restore`)).toMatchObject({
      status: 409,
      body: { code: "number_not_restorable" },
    });
  });
});
