import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../app.ts";
import { examine } from "../../doctor.ts";
import { newId } from "../../platform/ids.ts";
import { dyingApp, type Interrupted, Killed, overtakenApp } from "../../../testing/interrupted-app.ts";
import { type OrderDesk, openOrderDesk } from "../../../testing/order-desk.ts";
import { bearer } from "../../../testing/service.ts";
import { advanceReleaseJob } from "./releases.jobs.ts";

let desk: OrderDesk;
/** References of the numbers that the carrier restored, and whether it rejects restores. */
const back = { effects: [] as string[], asked: 0, isRejected: false };
beforeAll(async () => {
  desk = await openOrderDesk();
  Object.assign(desk.carrier.ordering, {
    async restore(_of: unknown, { reference, e164 }: { reference: string; e164: string }) {
      back.asked++;
      if (back.isRejected) return "not_available";
      const returned = desk.carrier.ledger.find((one) => one.e164 === e164 && one.returnedBy === reference);
      if (returned) {
        returned.returnedBy = null;
        back.effects.push(reference);
      }
      return back.effects.includes(reference) ? "restored" : "not_available";
    },
  });
});
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(() => calm());

function calm(): void {
  desk.carrier.behave();
  Object.assign(back, { asked: 0, isRejected: false });
}

interface Bought {
  id: string;
  e164: string;
}

async function buy(): Promise<Bought> {
  const { items } = await desk.ordered({ numbers: desk.stock(1) });
  return { id: items[0].number_id, e164: items[0].e164 };
}

/** Asks for it; the job's id. */
async function ask({ id }: Bought, verb: "release" | "restore"): Promise<string> {
  const { status, text, body } = await desk.service.send("POST", `/v1/numbers/${id}/${verb}`, {
    headers: { ...bearer(desk.owner.token), "idempotency-key": newId() },
  });
  if (status !== 202) throw new Error(text);
  return body.job_id;
}

const turn = (jobId: string, app: App = desk.service.app): Promise<void> =>
  advanceReleaseJob.run(app, { id: jobId });

/** Another worker, as often as it takes. */
async function finish(jobId: string): Promise<void> {
  for (let turns = 0; turns < 8; turns++) {
    const open = "select from jobs where id = $1 and is_open";
    if ((await desk.service.database.admin(open, [jobId])).length === 0) return;
    desk.service.clock.advance(61_000);
    await turn(jobId);
  }
}

async function turnUntilDead(jobId: string, app: App): Promise<void> {
  for (let turns = 0; turns < 4; turns++) {
    try {
      await turn(jobId, app);
    } catch (error) {
      if (error instanceof Killed) return;
      throw error;
    }
    desk.service.clock.advance(61_000);
  }
}

/** A restore request is a step like a release: the interruption may come right after it. */
function withRestore({ app }: Interrupted): App {
  const named: App["carriers"]["named"] = (name) => {
    const found = app.carriers.named(name);
    const restore = found?.ordering.restore;
    if (!restore) return found;
    const heard: typeof restore = (...given) => app.db.forSystem("jobs", () => restore(...given));
    return { ...found, ordering: { ...found.ordering, restore: heard } };
  };
  return { ...app, carriers: { ...app.carriers, named } };
}

interface Journey {
  /** A number and the job that a worker is to end. */
  begin(): Promise<{ number: Bought; jobId: string }>;
  ends: { status: string; restore_until?: unknown };
  job: "succeeded" | "failed";
  events: string[];
  /** At the carrier, by the end of the journey. */
  given: 0 | 1;
  restored: 0 | 1;
}

const released = async (...manners: Parameters<OrderDesk["carrier"]["script"]>[1][]) => {
  const number = await buy();
  desk.carrier.script("release", ...manners);
  return { number, jobId: await ask(number, "release") };
};
const restoring = async (isRejected: boolean) => {
  const { number, jobId } = await released();
  await turn(jobId);
  back.isRejected = isRejected;
  return { number, jobId: await ask(number, "restore") };
};

const RESTS = { ends: { status: "quarantined" }, job: "succeeded", given: 1, restored: 0 } as const;
const QUARANTINED = ["number.releasing", "number.quarantined"];
const JOURNEYS: Record<string, Journey> = {
  "a release": { begin: () => released(), events: QUARANTINED, ...RESTS },
  "a release that is pending for a while": {
    begin: () => released("pending"),
    events: QUARANTINED,
    ...RESTS,
  },
  "a release whose answer gets lost": { begin: () => released("lost"), events: QUARANTINED, ...RESTS },
  "a release that gets lost": { begin: () => released("unheard"), events: QUARANTINED, ...RESTS },
  "a release while the carrier is away": {
    begin: () => released("not_sent"),
    events: QUARANTINED,
    ...RESTS,
  },
  "a release the carrier refuses": {
    // Asked by the next one too.
    begin: () => released("refused", "refused"),
    ends: { status: "active" },
    job: "failed",
    events: ["number.releasing", "number.release_failed"],
    given: 0,
    restored: 0,
  },
  "a restore": {
    begin: () => restoring(false),
    ends: { status: "active", restore_until: null },
    job: "succeeded",
    events: [...QUARANTINED, "number.restoring", "number.restored"],
    given: 0,
    restored: 1,
  },
  "a restore the carrier refuses": {
    begin: () => restoring(true),
    ends: { status: "quarantined", restore_until: null },
    job: "failed",
    events: [...QUARANTINED, "number.restoring", "number.restore_failed"],
    given: 1,
    restored: 0,
  },
};

async function expectEnd(journey: Journey, { id, e164 }: Bought, jobId: string): Promise<void> {
  const headers = bearer(desk.owner.token);
  const number = (await desk.service.send("GET", `/v1/numbers/${id}`, { headers })).body;
  const [failed, succeeded] = journey.job === "failed" ? [1, 0] : [0, 1];
  expect(number).toMatchObject(journey.ends);
  expect((await desk.service.send("GET", `/v1/jobs/${jobId}`, { headers })).body).toMatchObject({
    status: journey.job,
    progress: { total: 1, succeeded, failed },
  });
  expect(await told("select type as what from events where subject = $1 order by sequence", id)).toEqual(
    journey.events,
  );
  expect(await told("select action as what from audit_entries where subject = $1 order by id", id)).toEqual(
    journey.events,
  );
  const releases = await desk.service.database.admin<{ id: string }>(
    "select id from releases where holding_id = $1",
    [id],
  );
  expect(releases).toHaveLength(1);
  const reference = releases[0]!.id;
  const sold = desk.carrier.ledger.filter((one) => one.e164 === e164);
  expect(sold.map(({ returnedBy }) => returnedBy)).toEqual([journey.given === 1 ? reference : null]);
  expect(back.effects.filter((one) => one === reference)).toHaveLength(journey.restored);
}

async function told(sql: string, id: string): Promise<string[]> {
  const rows = await desk.service.database.admin<{ what: string }>(sql, [id]);
  return rows.map(({ what }) => what).filter((what) => what !== "number.added");
}

const tellings = (): number => desk.carrier.calls.filter(({ call }) => call === "release").length;

describe.each(Object.keys(JOURNEYS))("%s", (name) => {
  const journey = JOURNEYS[name]!;

  test("ends once, wherever the worker dies", async () => {
    let deaths = 0;
    for (let point = 1; ; point++) {
      calm();
      const { number, jobId } = await journey.begin();
      const dying = dyingApp(desk.service.app, point);
      await turnUntilDead(jobId, withRestore(dying));
      await finish(jobId);

      await expectEnd(journey, number, jobId);
      if (!dying.isInterrupted()) break;
      deaths++;
    }
    expect(deaths).toBeGreaterThan(3);
  });

  test("ends once if the worker pauses at any step while another continues", async () => {
    for (let point = 1; ; point++) {
      calm();
      const { number, jobId } = await journey.begin();
      let told = 0;
      const late = overtakenApp(desk.service.app, point, async () => {
        await finish(jobId);
        told = tellings() + back.asked;
      });
      await turn(jobId, withRestore(late));
      if (late.isInterrupted()) expect([point, tellings() + back.asked]).toEqual([point, told]);
      await finish(jobId);

      await expectEnd(journey, number, jobId);
      if (!late.isInterrupted()) break;
    }
  });
});

test("sends a release to a responding carrier once if the worker dies at any step", async () => {
  for (let point = 1; ; point++) {
    const { jobId } = await released();
    const before = tellings();
    const dying = dyingApp(desk.service.app, point);
    await turnUntilDead(jobId, dying.app);
    await finish(jobId);

    expect([point, tellings() - before]).toEqual([point, 1]);
    if (!dying.isInterrupted()) break;
  }
});

test("nothing that was promised is broken after all these deaths", async () => {
  const broken = (await examine(desk.service.app.db)).filter(({ rows }) => rows.length > 0);
  expect(broken).toEqual([]);
});
