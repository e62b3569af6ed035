import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Customer, signUp } from "./service/customer.ts";
import {
  type EndedCall,
  hangUp,
  type Parties,
  placeUntilEnd,
  REFUSALS,
  takeCalls,
} from "./service/ended-calls.ts";
import type { Program } from "./service/program.ts";
import { type RunningService, startService } from "./service/running-service.ts";
import { listCalls, type ShownCall, totalsOf } from "./service/shown-calls.ts";
import { isLong } from "./service/test-length.ts";
import { uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { openPhone } from "./sip/phone.ts";
import { placeCall } from "./sip/sip-call.ts";
import { startSwitch, type SwitchProcess } from "./sip/switch-process.ts";
import { until } from "./sip/until.ts";

/** Calls that end in every way there is: each has one record, with the end, the reason and the seconds that its caller knows. */
const GROUPS = isLong ? 10 : 1;
const CALLS_OF_GROUP = isLong ? 200 : 140;
const KILLED_WITH = 6;
const AT_ONCE = isLong ? 6 : 30;
const MAX_CALL_SECONDS = 8;
/** Record and caller look at different moments, on a machine that may be busy. */
const TOLERANCE_MS = 2_000;
const TEST_MS = 900_000;
const PATIENCE_MS = 180_000;

const ANSWERED = ["caller", "callee", "sibling", "too long", "never acknowledged"];
const UNANSWERED = ["cancelled", "dead", "too late", ...Object.keys(REFUSALS)];

/** A phone keeps all messages, so each group of phones has its own numbers and a share of the calls. */
interface Group {
  parties: Parties;
  /** Rings until it is answered. */
  talkedTo: string;
  /** Rings for five seconds, as a connection's target. */
  rung: string;
}

let service: RunningService;
let kamailio: SwitchProcess;
let customer: Customer;
let agent: Program;
let credential: string;
let groups: Group[];
let numberIds: string[];
const running = new AsyncDisposableStack();
const expected: EndedCall[] = [];

beforeAll(async () => {
  const phone = async () => running.use(await openPhone(newAddress()));
  const phones = await Promise.all(
    Array.from({ length: GROUPS }, () => Promise.all([phone(), phone(), phone()])),
  );
  const callers = phones.map(([caller]) => caller.transport.address);
  [service, kamailio] = await Promise.all([
    startService().then((one) => running.use(one)),
    startSwitch(callers, { max_call_seconds: MAX_CALL_SECONDS }).then((one) => running.use(one)),
  ]);
  groups = phones.map(([caller, callee, sibling], at) => ({
    parties: { caller, callee, sibling, switchAt: kamailio.at },
    talkedTo: `+49309018${at}0`,
    rung: `+49309018${at}1`,
  }));
  for (const { parties } of groups) takeCalls(parties);
  const [first, ...others] = groups.flatMap(({ talkedTo, rung }) => [talkedTo, rung]);
  const [told, signedUp] = await Promise.all([
    service.operator("create-switch", "edge-1"),
    signUp(service, first!, others),
  ]);
  customer = signedUp;
  credential = /svc_switch_\S+/.exec(told)![0];
  agent = service.startAgent(credential, kamailio.folder);
  running.defer(() => agent[Symbol.asyncDispose]());
  for (const group of groups) await route(group);
  const page = await customer.asPerson<{ data: { id: string }[] }>("GET", "/v1/numbers");
  numberIds = page.data.map(({ id }) => id);
}, TEST_MS);
afterAll(() => running.disposeAsync(), TEST_MS);

async function route({ parties, talkedTo, rung }: Group): Promise<void> {
  const { transport } = parties.callee;
  const { id } = await customer.asPerson<{ id: string }>("POST", "/v1/connections", {
    name: `Phones of ${rung}`,
    targets: [{ host: transport.address, port: transport.port }],
    ring_seconds: 5,
  });
  await customer.route(talkedTo, { mode: "sip_uri", sip_uri: uriOf(parties.callee) });
  await customer.route(rung, { mode: "connection", connection_id: id });
  const isInSync = async (number: string): Promise<boolean> =>
    (await customer.routing(number)).status === "in_sync";
  await until(
    "the switch to be told",
    async () => (await isInSync(talkedTo)) && (await isInSync(rung)),
    PATIENCE_MS,
  );
}

const isRung = (way: string): boolean => way === "dead" || way === "too late";

/** Cycles through all ways, with AT_ONCE concurrent calls. */
async function placeAll({ parties, talkedTo, rung }: Group): Promise<void> {
  const ways = [...ANSWERED, ...UNANSWERED];
  let next = 0;
  const line = async (): Promise<void> => {
    while (next < CALLS_OF_GROUP) {
      const way = ways[next++ % ways.length]!;
      expected.push(await placeUntilEnd(parties, isRung(way) ? rung : talkedTo, way));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
}

/** Places calls that are active during a kill, and end afterwards. */
async function placeAround(way: string, kill: () => Promise<void>): Promise<void> {
  const placed = await Promise.all(
    groups.flatMap(({ parties: { caller, switchAt }, talkedTo }) =>
      Array.from({ length: KILLED_WITH }, async () => {
        const call = await placeCall(caller, switchAt, talkedTo, { headers: [["Subject", "caller"]] });
        return { caller, switchAt, call, answeredMs: performance.now() };
      }),
    ),
  );
  await kill();
  await Promise.all(
    placed.map(async ({ caller, switchAt, call, answeredMs }) => {
      await hangUp(caller, { ...call.dialog, cseq: 2 }, switchAt);
      const talkMs = performance.now() - answeredMs;
      const { callId } = call.dialog;
      expected.push({ way, callId, talkMs, result: "answered", endedBy: "caller", reason: null });
    }),
  );
}

interface DetailedCall extends ShownCall {
  sip_call_id: string;
  ended_by: string | null;
  reason: string | null;
}

const shownCalls = async (): Promise<DetailedCall[]> =>
  (await Promise.all(numberIds.map((id) => listCalls(customer, id)))).flat() as DetailedCall[];

async function activeCalls(): Promise<number> {
  const path = `/v1/numbers/live?ids=${numberIds.join()}`;
  const { data } = await customer.asPerson<{ data: { active_calls: number }[] }>("GET", path);
  return data.reduce((sum, { active_calls: calls }) => sum + calls, 0);
}

function faultsOf(calls: DetailedCall[]): string[] {
  const byCallId = Map.groupBy(calls, ({ sip_call_id: callId }) => callId);
  return expected.flatMap(({ way, callId, result, endedBy, reason, talkMs }) => {
    const records = byCallId.get(callId) ?? [];
    const [record] = records;
    if (!record || records.length > 1) return [`${way}: ${records.length} records`];
    const told = [record.result, record.ended_by, record.reason].join();
    const known = [result, endedBy, reason].join();
    if (told !== known) return [`${way}: ${told}, not ${known}`];
    if (talkMs === null) return record.talk_seconds === 0 ? [] : [`${way}: ${record.talk_seconds} s`];
    const recordedMs = Date.parse(record.ended_at!) - Date.parse(record.answered_at!);
    const roundedMs = record.talk_seconds * 1000 - recordedMs;
    const isRight = Math.abs(recordedMs - talkMs) <= TOLERANCE_MS && roundedMs >= -1 && roundedMs <= 1_001;
    return isRight
      ? []
      : [`${way}: ${recordedMs} ms and ${record.talk_seconds} s, not ${Math.round(talkMs)} ms`];
  });
}

test(
  "each call has one record with the right end, reason and seconds, live returns to nothing, and usage is what callers measured",
  async () => {
    await Promise.all(groups.map(placeAll));
    await placeAround("switch killed", async () => {
      await kamailio.kill();
      await kamailio.start();
    });
    await placeAround("agent killed", async () => {
      await agent.kill();
      agent = service.startAgent(credential, kamailio.folder);
    });

    const calls = await until(
      "a record of each call",
      async () => {
        const found = await shownCalls();
        if (found.length >= expected.length) return found;
        await sleep(500);
        return undefined;
      },
      PATIENCE_MS,
    );
    expect(faultsOf(calls)).toEqual([]);
    const missed = expected.filter(({ way, talkMs }) => ANSWERED.includes(way) && talkMs === null);
    expect(missed.length, "calls whose callee was starved").toBeLessThanOrEqual(expected.length / 50);
    expect(calls).toHaveLength(expected.length);
    await until("live to show no call", async () => (await activeCalls()) === 0, PATIENCE_MS);

    const totals = await Promise.all(numberIds.map((id) => totalsOf(customer, id)));
    const sum = (field: "calls" | "answered" | "talk_seconds"): number =>
      totals.reduce((all, one) => all + one[field], 0);
    const answered = expected.filter(({ talkMs }) => talkMs !== null);
    expect([sum("calls"), sum("answered")]).toEqual([expected.length, answered.length]);
    expect(sum("talk_seconds")).toBe(calls.reduce((all, { talk_seconds: seconds }) => all + seconds, 0));

    // Each callee that answered too late got one BYE.
    const late = expected.filter(({ way, talkMs }) => way === "too late" && talkMs === null).length;
    await until("a BYE for each late answer", () => lateEnds() === late, PATIENCE_MS);
    const ways = Map.groupBy(expected, ({ way }) => way);
    console.log(
      `${expected.length} calls: ${[...ways].map(([way, some]) => `${some.length} ${way}`).join(", ")}`,
    );
  },
  TEST_MS,
);

function lateEnds(): number {
  const byes = groups.flatMap(({ parties }) => parties.callee.requests("BYE"));
  return byes.filter(({ headers }) =>
    headers.some(([name, value]) => name === "Reason" && value === "Q.850;cause=19"),
  ).length;
}
