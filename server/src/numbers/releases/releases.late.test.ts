import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../app.ts";
import { examine } from "../../doctor.ts";
import { newId } from "../../platform/ids.ts";
import { overtakenApp } from "../../../testing/interrupted-app.ts";
import { type OrderDesk, openOrderDesk } from "../../../testing/order-desk.ts";
import { bearer, type Person } from "../../../testing/service.ts";
import { advanceReleaseJob } from "./releases.jobs.ts";
import { endRests } from "./releases.restore.ts";

/** A stalled worker must not take a number from its next holder. */
let desk: OrderDesk;
let other: Person;
/** Runs while the next release request is on its way to the carrier. */
let onItsWay: (() => Promise<void>) | undefined;
beforeAll(async () => {
  desk = await openOrderDesk();
  const { release: arrive } = desk.carrier.ordering;
  desk.carrier.ordering.release = async (...given) => {
    const meanwhile = onItsWay;
    onItsWay = undefined;
    await meanwhile?.();
    return arrive(...given);
  };
  other = await desk.service.person({ [await desk.service.organisation("Other")]: "owner" });
});
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(() => desk.carrier.behave());

async function buy(e164: string, by: { token: string }): Promise<string> {
  const { body: order } = await desk.post({ numbers: [e164] }, by);
  await desk.finish(order);
  const { status, items } = await desk.read(order.id, by);
  expect(status).toBe("completed");
  return items[0].number_id;
}

async function release(id: string): Promise<string> {
  const headers = { ...bearer(desk.owner.token), "idempotency-key": newId() };
  const { status, text, body } = await desk.service.send("POST", `/v1/numbers/${id}/release`, { headers });
  if (status !== 202) throw new Error(text);
  return body.job_id;
}

const turn = (jobId: string, app: App = desk.service.app): Promise<void> =>
  advanceReleaseJob.run(app, { id: jobId });

/** Another worker claims the job, because the lease has expired. */
async function turnLater(jobId: string): Promise<void> {
  desk.service.clock.advance(61_000);
  await turn(jobId);
}

async function endRestOf(id: string): Promise<void> {
  const { admin } = desk.service.database;
  await admin(
    "update releases set quarantined_until = '2020-01-01' where holding_id = $1 and step = 'quarantined'",
    [id],
  );
  await endRests(desk.service.app);
  expect(await admin("select status from holdings where id = $1", [id])).toEqual([{ status: "released" }]);
}

/** At the carrier and with us. */
async function expectHeldByOther(e164: string, id: string): Promise<void> {
  const headers = bearer(other.token);
  const { body } = await desk.service.send("GET", `/v1/numbers/${id}`, { headers });
  expect(body).toMatchObject({ e164, status: "active" });
  const kept = desk.carrier.ledger.filter((one) => one.e164 === e164 && one.returnedBy === null);
  expect(kept).toMatchObject([{ organisationId: expect.not.stringMatching(desk.organisation) }]);
}

/** Minimum points at which a worker was stopped. With fewer, the loops test nothing. */
const FEWEST_POINTS = 5;
const tellings = (): number => desk.carrier.calls.filter(({ call }) => call === "release").length;

/** Events of the release that a late worker has claimed. */
const MEANWHILE: Record<string, (id: string, jobId: string) => Promise<void>> = {
  "another ended it": async (_id, jobId) => turnLater(jobId),
  "the carrier refused it, and took it back by another release": async (id, jobId) => {
    desk.carrier.behave();
    // If the late worker's own request was rejected, nothing is left to end.
    desk.carrier.script("release", "refused");
    await turnLater(jobId);
    desk.carrier.behave();
    const open = "select from jobs where id = $1 and is_open";
    expect(await desk.service.database.admin(open, [jobId])).toEqual([]);
    await turn(await release(id));
  },
};

describe("a worker that pauses during a release", () => {
  test.each(Object.keys(MEANWHILE))(
    "sends nothing to the carrier after %s and another organisation has the number",
    async (name) => {
      for (let point = 1; ; point++) {
        desk.carrier.behave();
        const [e164] = desk.stock(1) as [string];
        const id = await buy(e164, desk.owner);
        const jobId = await release(id);
        let theirs: string | undefined;
        let told = 0;
        // The late worker may have sent its request before it stalled, and the carrier has rejected it already.
        if (name !== "another ended it") desk.carrier.script("release", "refused");
        const late = overtakenApp(desk.service.app, point, async () => {
          await MEANWHILE[name]!(id, jobId);
          await endRestOf(id);
          theirs = await buy(e164, other);
          told = tellings();
        });
        await turn(jobId, late.app);
        if (!theirs) return expect(point).toBeGreaterThan(FEWEST_POINTS);

        expect([point, tellings()]).toEqual([point, told]);
        await expectHeldByOther(e164, theirs);
      }
    },
  );
});

describe("a release whose word is still on its way", () => {
  test.each(["somebody else", "whoever had it before"])(
    "when %s has bought the number takes nothing from them",
    async (who) => {
      const [e164] = desk.stock(1) as [string];
      const id = await buy(e164, desk.owner);
      const jobId = await release(id);
      onItsWay = async () => {
        await MEANWHILE["the carrier refused it, and took it back by another release"]!(id, jobId);
        await endRestOf(id);
        await buy(e164, who === "somebody else" ? other : desk.owner);
      };
      await turn(jobId);

      const sold = desk.carrier.ledger.filter((one) => one.e164 === e164);
      expect(sold).toMatchObject([{ returnedBy: expect.any(String) }, { returnedBy: null }]);
    },
  );
});

describe("a worker that pauses while an order returns a number", () => {
  test("sends nothing to the carrier after the order has ended and the number has another holder", async () => {
    for (let point = 1; ; point++) {
      const [e164] = desk.stock(1) as [string];
      const wish = { numbers: [e164, "+442071111113"], all_or_nothing: true };
      const { body: order } = await desk.post(wish);
      let theirs: string | undefined;
      let told = 0;
      const late = overtakenApp(desk.service.app, point, async () => {
        await desk.finish(order);
        expect(await desk.read(order.id)).toMatchObject({ status: "failed" });
        theirs = await buy(e164, other);
        told = tellings();
      });
      await desk.advance(order, late.app);
      if (!theirs) return expect(point).toBeGreaterThan(FEWEST_POINTS);

      expect([point, tellings()]).toEqual([point, told]);
      await expectHeldByOther(e164, theirs);
    }
  });
});

test("nothing that was promised is broken", async () => {
  const broken = (await examine(desk.service.app.db)).filter(({ rows }) => rows.length > 0);
  expect(broken).toEqual([]);
});
