import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemAuthor } from "../../events/audit/audit.ts";
import { suspendNumber } from "../numbers/numbers.ts";
import { MODEL_SEED } from "../../../testing/model-seed.ts";
import type { PlayedSwitch } from "../../../testing/played-switch.ts";
import {
  openReleaseDesk,
  type ReleaseDesk,
  type ReleaseStage,
  ROUTE,
  type StagedNumber,
} from "../../../testing/release-desk.ts";
import { tryReleaseHistories } from "./testing/release-histories.ts";
import type { Sent } from "../../../testing/send.ts";
import { until } from "../../../testing/service.ts";
import { endRests } from "./releases.restore.ts";

let desk: ReleaseDesk;
beforeAll(async () => {
  desk = await openReleaseDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

interface Trouble {
  is: string;
  /** Runs before the release of the number. */
  before?(odd: PlayedSwitch, stage: ReleaseStage): Promise<unknown>;
  /** Amid the release, while the other switches have read back that its calls stopped. */
  amid(odd: PlayedSwitch, stage: ReleaseStage, number: StagedNumber): Promise<unknown>;
  reason: "switch_pending" | "switch_unreachable";
  status: "pending" | "unknown" | "drifted" | "failed";
  /** Applied route that is shown for the switch. */
  shown: object | null;
  cured(odd: PlayedSwitch, stage: ReleaseStage, number: StagedNumber): Promise<unknown>;
  /** The switch counts no more. */
  isGone?: true;
}

const DRIFTED = { mode: "sip_uri", sip_uri: "sip:drifted@pbx.example.com" };
const nothing = async (): Promise<void> => {};
const readBack = (odd: PlayedSwitch): Promise<void> => odd.readBack();
const isBehind = { reason: "switch_pending", status: "pending", shown: ROUTE } as const;

const TROUBLES: Trouble[] = [
  { is: "has been told and not answered", ...isBehind, amid: nothing, cured: readBack },
  {
    is: "has done it and not said so",
    ...isBehind,
    amid: (odd) => odd.take(),
    cured: (odd) => odd.report(),
  },
  {
    is: "is away, until it is retired",
    reason: "switch_unreachable",
    status: "unknown",
    shown: ROUTE,
    amid: (odd) => odd.fallSilent(),
    cured: (odd, stage) => stage.operate(odd, "retired"),
    isGone: true,
  },
  {
    is: "is away, until it comes back",
    reason: "switch_unreachable",
    status: "unknown",
    shown: ROUTE,
    amid: (odd) => odd.fallSilent(),
    cured: readBack,
  },
  {
    is: "has come back and has not read on yet",
    ...isBehind,
    async amid(odd) {
      await odd.fallSilent();
      await odd.report();
    },
    cured: readBack,
  },
  {
    is: "is retired while it is waited for",
    ...isBehind,
    amid: nothing,
    cured: (odd, stage) => stage.operate(odd, "retired"),
    isGone: true,
  },
  {
    is: "was retired and comes back with what it held then",
    ...isBehind,
    // The value that it held is no longer stored.
    shown: null,
    before: (odd, stage) => stage.operate(odd, "retired"),
    async amid(odd, stage) {
      await stage.operate(odd, "active");
      await odd.report();
    },
    cured: readBack,
  },
  {
    is: "was retired, comes back and has said nothing yet",
    ...isBehind,
    shown: null,
    before: (odd, stage) => stage.operate(odd, "retired"),
    amid: (odd, stage) => stage.operate(odd, "active"),
    cured: readBack,
  },
  {
    is: "drains",
    ...isBehind,
    amid: (odd, stage) => stage.operate(odd, "draining"),
    cured: readBack,
  },
  {
    is: "has confirmed it and then drifted",
    reason: "switch_pending",
    status: "drifted",
    shown: DRIFTED,
    async amid(odd, _stage, { id }) {
      await odd.readBack();
      odd.drift(id);
      await odd.report();
    },
    async cured(odd) {
      odd.repair();
      await odd.report();
    },
  },
  {
    is: "has drifted and fallen silent",
    reason: "switch_unreachable",
    status: "drifted",
    shown: DRIFTED,
    async amid(odd, _stage, { id }) {
      await odd.readBack();
      odd.drift(id);
      await odd.report();
      await odd.fallSilent();
    },
    async cured(odd) {
      odd.repair();
      await odd.report();
    },
  },
  {
    is: "refuses it",
    reason: "switch_pending",
    status: "failed",
    shown: ROUTE,
    async amid(odd, _stage, { id }) {
      odd.refuse(id);
      await odd.readBack();
    },
    async cured(odd) {
      odd.repair();
      await odd.report();
    },
  },
  {
    is: "has confirmed it and then lost its memory",
    ...isBehind,
    shown: null,
    async amid(odd) {
      await odd.readBack();
      await odd.loseMemory();
    },
    cured: readBack,
  },
  {
    is: "says again and again what it held before",
    ...isBehind,
    async amid(odd) {
      await odd.report();
      await odd.report();
    },
    cured: readBack,
  },
  {
    is: "has another credential now",
    ...isBehind,
    async amid(odd, stage) {
      const old = await stage.rotate(odd);
      await odd.untilRefused(old);
    },
    cured: readBack,
  },
];

describe("a number is released while one of three switches", () => {
  test.each(TROUBLES)("$is: notifies the carrier when no switch can take its calls", async (trouble) => {
    const stage = await desk.stage(3, 1);
    const [a, b, odd] = stage.switches as [PlayedSwitch, PlayedSwitch, PlayedSwitch];
    const [number] = stage.numbers as [StagedNumber];
    await trouble.before?.(odd, stage);
    expect((await stage.release(number)).status).toBe(202);
    await a.readBack();
    await b.readBack();
    await trouble.amid(odd, stage, number);

    await expectWaiting(stage, number, trouble);

    const curedAfter = performance.now();
    await trouble.cured(odd, stage, number);
    expect(await stage.turn(number)).toMatchObject({ status: "succeeded" });
    expect(tellingsOf(number)).toEqual([{ e164: number.e164, at: expect.any(Number), stragglers: [] }]);
    expect(tellingsOf(number)[0]!.at).toBeGreaterThan(curedAfter);
    expect(await stage.number(number)).toMatchObject({ status: "quarantined" });
    // Calls no longer belong to the former holder, and the published route says so.
    for (const one of stage.switches.filter(({ isRetired }) => !isRetired)) {
      await one.readBack();
      expect(one.holds(number.id)).toEqual({ e164: number.e164, mode: "unrouted", is_resting: true });
    }
    const routing = await stage.routing(number);
    expect(routing).toMatchObject({
      desired: ROUTE,
      applied: { mode: "unrouted" },
      status: "in_sync",
      effective_reason: "number_quarantined",
    });
    expect(routing.switches).toHaveLength(trouble.isGone ? 2 : 3);
  });

  test("joins: it is waited for from the moment it is registered", async () => {
    const stage = await desk.stage(2, 1);
    const [number] = stage.numbers as [StagedNumber];
    await stage.release(number);
    for (const one of stage.switches) await one.readBack();
    const added = await stage.addSwitch();

    await expectWaiting(stage, number, { reason: "switch_pending", status: "pending", shown: null });
    await added.fallSilent();
    await expectWaiting(stage, number, { reason: "switch_unreachable", status: "unknown", shown: null });

    await added.readBack();
    expect(await stage.turn(number)).toMatchObject({ status: "succeeded" });
    expect(tellingsOf(number)).toMatchObject([{ stragglers: [] }]);
  });
});

async function expectWaiting(
  stage: ReleaseStage,
  number: StagedNumber,
  { reason, status, shown }: Pick<Trouble, "reason" | "status" | "shown">,
): Promise<void> {
  let routing: Sent["body"];
  await until(async () => {
    // A sign of life from before may be recorded late; then the switch seems to be there for once.
    for (const one of stage.switches) if (one.isAway) await one.fallSilent();
    const job = await stage.turn(number);
    routing = await stage.routing(number);
    expect(tellingsOf(number)).toEqual([]);
    return job.reason === reason && routing.status === status;
  });
  for (let turn = 0; turn < 2; turn++)
    expect(await stage.turn(number)).toMatchObject({ status: "waiting", finished_at: null });
  expect(routing).toMatchObject({ desired: ROUTE, effective_reason: "number_releasing" });
  const holds = routing.switches.at(-1).applied;
  if (shown) expect(holds).toMatchObject(shown);
  else expect(holds).toBeNull();
  expect(await stage.number(number)).toMatchObject({ status: "releasing" });
  expect(tellingsOf(number)).toEqual([]);
}

const tellingsOf = ({ e164 }: StagedNumber) => desk.tellings.filter((one) => one.e164 === e164);

describe("reads the switches again", () => {
  let stage: ReleaseStage;
  let number: StagedNumber;
  let odd: PlayedSwitch;
  beforeEach(async () => {
    stage = await desk.stage(2, 1);
    [number] = stage.numbers as [StagedNumber];
    odd = stage.switches[1]!;
  });
  const unrouted = async (): Promise<void> => {
    for (const one of stage.switches) await one.readBack();
  };

  test.each(["not_sent", "unheard"] as const)(
    "repeats the request to the carrier because the first attempt was %s",
    async (manner) => {
      desk.carrier.script("release", manner);
      await stage.release(number);
      await unrouted();
      await stage.turn(number);
      odd.drift(number.id);
      await odd.report();

      expect(await stage.turn(number)).toMatchObject({ status: "waiting", reason: "switch_pending" });
      expect(tellingsOf(number)).toHaveLength(1);

      odd.repair();
      await odd.report();
      expect(await stage.turn(number)).toMatchObject({ status: "succeeded" });
      expect(tellingsOf(number)).toMatchObject([{ stragglers: [] }, { stragglers: [] }]);
    },
  );

  test("except when it only polls the carrier's outcome", async () => {
    desk.carrier.script("release", "lost");
    await stage.release(number);
    await unrouted();
    await stage.turn(number);
    odd.drift(number.id);
    await odd.report();

    expect(await stage.turn(number)).toMatchObject({ status: "succeeded" });
    expect(tellingsOf(number)).toHaveLength(1);
  });

  test.each([
    ["has drifted", async (one: PlayedSwitch) => one.drift(number.id)],
    ["has lost its memory", (one: PlayedSwitch) => one.loseMemory()],
  ])("the end of its quarantine: keeps it unavailable while a switch %s", async (_, trouble) => {
    await stage.release(number);
    await unrouted();
    await stage.turn(number);
    await unrouted();
    await stage.endTime(number);
    await trouble(odd);
    await odd.report();
    await endRests(desk.service.app);
    expect(await stage.number(number)).toMatchObject({ status: "quarantined" });

    odd.repair();
    await odd.readBack();
    await endRests(desk.service.app);
    expect(await stage.number(number)).toMatchObject({ status: "released", routing: { mode: "unrouted" } });
    await unrouted();
    expect(stage.switches.map((one) => one.holdsLive(number.id))).toEqual([false, false]);
  });
});

describe("a suspended number", () => {
  test("needs no new reading if its calls had stopped before, even of an unreachable switch", async () => {
    const stage = await desk.stage(2, 1);
    const [number] = stage.numbers as [StagedNumber];
    await suspendNumber(desk.service.app, systemAuthor("test"), number.e164, true);
    for (const one of stage.switches) await one.readBack();
    await stage.switches[0]!.fallSilent();
    await stage.release(number);

    expect(await stage.turn(number)).toMatchObject({ status: "succeeded" });
    expect(tellingsOf(number)).toMatchObject([{ stragglers: [] }]);
  });

  test("waits for a switch that has not applied the suspension", async () => {
    const stage = await desk.stage(2, 1);
    const [number] = stage.numbers as [StagedNumber];
    await suspendNumber(desk.service.app, systemAuthor("test"), number.e164, true);
    await stage.switches[0]!.readBack();
    await stage.release(number);

    expect(await stage.turn(number)).toMatchObject({ status: "waiting", reason: "switch_pending" });
    expect(tellingsOf(number)).toEqual([]);
  });
});

test("the worker continues automatically when the switch is reachable again", async () => {
  await using own = await openReleaseDesk({ worker: true });
  const stage = await own.stage(2, 1);
  const [number] = stage.numbers as [StagedNumber];
  const [here, away] = stage.switches as [PlayedSwitch, PlayedSwitch];
  await until(async () => {
    await away.fallSilent();
    if (!number.jobId) await stage.release(number);
    await here.readBack();
    const { reason } = await stage.job(number);
    expect(own.tellings).toEqual([]);
    return reason === "switch_unreachable";
  }, 20_000);

  await away.readBack();
  own.service.clock.advance(61_000);
  await until(async () => (await stage.job(number)).status === "succeeded");
  expect(own.tellings).toMatchObject([{ stragglers: [] }]);
});

const RUNS = 25;

test(
  `calls no carrier too early and routes no released number in ${RUNS} random histories (MODEL_SEED=${MODEL_SEED})`,
  { timeout: 240_000 },
  async () => {
    console.log(`MODEL_SEED=${MODEL_SEED}`);
    await tryReleaseHistories(desk, RUNS, MODEL_SEED);
  },
);
