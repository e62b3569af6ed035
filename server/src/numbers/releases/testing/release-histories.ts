import fc from "fast-check";
import { expect } from "vitest";
import { examine } from "../../../doctor.ts";
import { systemAuthor } from "../../../events/audit/audit.ts";
import { suspendNumber } from "../../numbers/numbers.ts";
import type { PlayedSwitch } from "../../../../testing/played-switch.ts";
import {
  type ReleaseDesk,
  type ReleaseStage,
  ROUTE,
  type StagedNumber,
} from "../../../../testing/release-desk.ts";
import type { Manner } from "../../../../testing/scripted-carrier.ts";

interface History {
  switches: number;
  numbers: number;
  /** Steps of the first number before the history begins. */
  opening: Step[];
  steps: Step[];
}

interface Step {
  act: keyof typeof ACTS;
  /** Places among the switches and numbers there are; beyond the last, the first again. */
  at: number;
  of: number;
  /** Behaviour of the carrier, if it is notified. */
  manner: Manner;
}

interface Scene {
  desk: ReleaseDesk;
  stage: ReleaseStage;
  one: PlayedSwitch;
  number: StagedNumber;
  manner: Manner;
}

const MOST_SWITCHES = 4;
/** Enough for a carrier that takes its time. */
const MOST_TURNS = 4;

/** Possible acts. An act that is impossible now has no effect or is rejected. */
const ACTS = {
  release: ({ stage, number }: Scene) => stage.release(number),
  restore: ({ stage, number }: Scene) => stage.restore(number),
  turn: takeTurn,
  endRest,
  route: ({ stage, number }: Scene) => stage.route(number, ROUTE),
  suspend: ({ desk, number }: Scene) => setSuspended(desk, number, true),
  resume: ({ desk, number }: Scene) => setSuspended(desk, number, false),
  readBack: ({ one }: Scene) => one.readBack(),
  allReadBack: ({ stage }: Scene) => Promise.all(stage.switches.map((one) => one.readBack())),
  othersReadBack: ({ stage, one }: Scene) =>
    Promise.all(stage.switches.filter((other) => other !== one).map((other) => other.readBack())),
  take: ({ one }: Scene) => one.take(),
  report: ({ one }: Scene) => one.report(),
  fallSilent: ({ one }: Scene) => one.fallSilent(),
  retire: ({ stage, one }: Scene) => stage.operate(one, "retired"),
  drain: ({ stage, one }: Scene) => stage.operate(one, "draining"),
  activate: ({ stage, one }: Scene) => stage.operate(one, "active"),
  join: async ({ stage }: Scene) => stage.switches.length < MOST_SWITCHES && stage.addSwitch(),
  drift({ one, number }: Scene) {
    one.drift(number.id);
    return one.report();
  },
  refuse: async ({ one, number }: Scene) => one.refuse(number.id),
  repair: async ({ one }: Scene) => one.repair(),
  loseMemory: ({ one }: Scene) => one.loseMemory(),
  rotate: async ({ stage, one }: Scene) => !one.isRetired && stage.rotate(one),
} satisfies Record<string, (scene: Scene) => Promise<unknown>>;

const ANY = Object.keys(ACTS) as (keyof typeof ACTS)[];
/**
 * Acts that make progress are more frequent, and mostly on the same number and switch. Otherwise few histories get
 * far.
 */
const USUAL = ["release", "allReadBack", "othersReadBack", "turn", "turn", "drift", "endRest"] as const;
const mostlyFirst = (max: number) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(max) });
const step = fc.record<Step>({
  act: fc.oneof(fc.constantFrom(...ANY), fc.constantFrom(...USUAL)),
  at: mostlyFirst(MOST_SWITCHES - 1),
  of: mostlyFirst(2),
  manner: fc.oneof(
    fc.constant("well" as const),
    fc.constantFrom<Manner[]>("not_sent", "unheard", "lost", "failed", "refused", "pending"),
  ),
});
const opened = (manner: Manner): Step[] =>
  (["release", "allReadBack", "turn"] as const).map((act) => ({ act, at: 0, of: 0, manner }));
const history = fc.record<History>({
  opening: fc.constantFrom([], opened("well").slice(0, 1), opened("unheard"), opened("well")),
  switches: fc.integer({ min: 2, max: 3 }),
  numbers: fc.integer({ min: 2, max: 3 }),
  steps: fc.array(step, { minLength: 4, maxLength: 16, size: "max" }),
});

/** Plays histories. After each step, no carrier was notified too early, and no inactive number is routed. */
export async function tryReleaseHistories(desk: ReleaseDesk, runs: number, seed: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(history, (given) => play(desk, given)),
    { numRuns: runs, seed, endOnFailure: true },
  );
  const findings = await examine(desk.service.app.db);
  expect(findings.filter(({ rows }) => rows.length > 0)).toEqual([]);
}

async function play(desk: ReleaseDesk, { switches, numbers, opening, steps }: History): Promise<void> {
  const before = desk.tellings.length;
  const stage = await desk.stage(switches, numbers);
  for (const { act, at, of, manner } of [...opening, ...steps]) {
    const one = stage.switches[at % stage.switches.length]!;
    const number = stage.numbers[of % numbers]!;
    await ACTS[act]({ desk, stage, one, number, manner });
    await expectUnrouted(desk, stage);
    expectNoneTooEarly(desk, before);
  }
  await finish(stage);
  expectNoneTooEarly(desk, before);
}

function expectNoneTooEarly({ tellings }: ReleaseDesk, before: number): void {
  expect(tellings.slice(before).filter(({ stragglers }) => stragglers.length > 0)).toEqual([]);
}

/** Runs a worker, which notifies the carrier exactly when no switch is left to wait for. */
async function takeTurn({ desk, stage, number, manner }: Scene): Promise<void> {
  if (!number.jobId) return;
  const before = await stage.job(number);
  const told = desk.tellings.length;
  const wasNotified = number.isCarrierNotified;
  const stragglers = stage.stragglers(number);
  desk.carrier.script("release", manner);
  const job = await stage.turn(number);
  desk.carrier.behave();
  if (before.finished_at !== null) expect(job).toEqual(before);
  if (before.finished_at !== null || before.type !== "number_release" || wasNotified) return;
  expect(desk.tellings).toHaveLength(stragglers.length === 0 ? told + 1 : told);
  if (stragglers.length === 0) return;
  expect(job).toMatchObject({ status: "waiting", reason: expect.stringMatching(/^switch_/) });
  if (!stragglers.some(({ isAway }) => isAway)) expect(job.reason).toBe("switch_pending");
}

async function endRest({ stage, number }: Scene): Promise<void> {
  const { status } = await stage.number(number);
  const stragglers = stage.stragglers(number);
  await stage.endRest(number);
  if (status !== "quarantined" || stragglers.length > 0)
    expect(await stage.number(number)).toMatchObject({ status });
}

async function setSuspended(desk: ReleaseDesk, { e164 }: StagedNumber, isSuspended: boolean): Promise<void> {
  await suspendNumber(desk.service.app, systemAuthor("test"), e164, isSuspended);
}

/** The published route of an inactive number has no destination. */
async function expectUnrouted({ service }: ReleaseDesk, { numbers }: ReleaseStage): Promise<void> {
  const routed = await service.database.admin(
    `select h.e164, h.status, r.mode, i.value from holdings h join routings r on r.holding_id = h.id
     left join lateral (select f.value from feed_items f where f.item_id = h.id order by f.version desc limit 1) i on true
     where h.id = any ($1) and h.status <> 'active'
       and (i.value ->> 'mode' <> 'unrouted' or (h.status = 'released' and (i.value is not null or r.mode <> 'unrouted')))`,
    [numbers.map(({ id }) => id)],
  );
  expect(routed).toEqual([]);
}

/** Once all is well again every job ends, and switches route what is active and nothing else. */
async function finish(stage: ReleaseStage): Promise<void> {
  const cure = (): Promise<unknown> =>
    Promise.all(
      stage.switches.map((one) => {
        one.repair();
        return one.readBack();
      }),
    );
  await cure();
  for (const number of stage.numbers.filter(({ jobId }) => jobId)) {
    let job = await stage.job(number);
    for (let turn = 0; turn < MOST_TURNS && job.finished_at === null; turn++) job = await stage.turn(number);
    expect(job.status).toMatch(/^(succeeded|failed)$/);
  }
  await cure();
  for (const number of stage.numbers) {
    const { status } = await stage.number(number);
    expect(status).toMatch(/^(active|suspended|quarantined|released)$/);
    for (const one of stage.switches.filter(({ isRetired }) => !isRetired))
      expect([one.name, one.holdsLive(number.id)]).toEqual([one.name, status === "active"]);
  }
}
