import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type GatewayBench, openGatewayBench, TO } from "./sip/gateway-bench.ts";
import { answerWith } from "./sip/phone.ts";
import { type Call, writeCancel, writeInvite } from "./sip/sip-call.ts";
import { until } from "./sip/until.ts";

const PAYER = "01a1ddd5-9839-7833-89c5-be12f8a6a618";
const DAY_SECONDS = 86_400;

let bench: GatewayBench;
beforeEach(async () => {
  bench = await openGatewayBench([{ name: "one", ping: false }], { workers: 4 });
});
afterEach(() => bench?.[Symbol.asyncDispose]());

interface Limits {
  atOnce?: number;
  calls?: number;
  seconds?: number;
}
const limit = ({ atOnce, calls, seconds }: Limits): Promise<void> =>
  bench.kamailio.set("org", {
    [PAYER]: [atOnce ?? "", calls ?? "", seconds ?? "", "pass", "keep", 1].join("|"),
  });

/** Use on the present day, as the agent reads it. */
async function used(): Promise<{ calls: number; seconds: number; now: number }> {
  const [line = ""] = (await bench.kamailio.control("G", "used", [PAYER])).slice(-1);
  const [, calls = 0, seconds = 0, now = 0] = line.split(" ")[1]!.split("|").map(Number);
  return { calls, seconds, now };
}
const raise = (use: string): Promise<unknown> => bench.kamailio.control("S", "used", [`${PAYER} ${use}`]);
const today = (): number => Math.floor(Date.now() / 1000 / DAY_SECONDS);

async function rejected(call: Call): Promise<string> {
  const [row] = await bench.rowsOf(call.dialog.callId, 1);
  return `${call.status} ${row!.kind}`;
}
const paid = (): Promise<string> => bench.forwarded(TO, PAYER);

describe("concurrent calls", () => {
  test("count until they end", async () => {
    await limit({ atOnce: 2 });
    const [one, other] = [await paid(), await paid()];
    const calls = [await bench.call(one), await bench.call(other)];
    expect(await rejected(await bench.call(one))).toBe("486 organisation_full");
    expect(await used()).toMatchObject({ calls: 2, now: 2 });
    await calls[0]!.bye();
    await until("room", async () => (await used()).now === 1);
    expect((await bench.call(other)).status).toBe(200);
  });

  test("never exceed the limit, however many come at once", async () => {
    await limit({ atOnce: 9 });
    const number = await paid();
    const calls = await Promise.all(Array.from({ length: 50 }, () => bench.call(number)));
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(calls.filter(({ status }) => status === 486)).toHaveLength(41);
    expect(await used()).toMatchObject({ calls: 9, now: 9 });
  });

  test("do not count after a gateway has failed, or the caller has hung up", async () => {
    await limit({ atOnce: 1 });
    const number = await paid();
    bench.gateways["one"]!.behave(answerWith("503 Down"));
    await bench.call(number);
    await until("the failed call to be gone", async () => (await used()).now === 0);
    const late = { status: "487 Cancelled", afterMs: 500 };
    bench.gateways["one"]!.behave(answerWith("180 Ringing", late));
    const invite = writeInvite(bench.caller, number);
    await bench.caller.ask(invite, bench.kamailio.at, (status) => status === 180);
    expect(await used()).toMatchObject({ now: 1 });
    await bench.caller.ask(writeCancel(invite), bench.kamailio.at, () => true);
    await until("the cancelled call to be gone", async () => (await used()).now === 0);
  });
});

test("a limit of 0 allows no call, and an organisation without limits is counted too", async () => {
  const number = await paid();
  expect((await bench.call(number)).status).toBe(200);
  for (const [limits, reason] of [
    [{ atOnce: 0 }, "486 organisation_full"],
    [{ calls: 0 }, "480 organisation_calls"],
    [{ seconds: 0 }, "480 organisation_minutes"],
  ] as const) {
    await limit(limits);
    expect(await rejected(await bench.call(number))).toBe(reason);
  }
  expect(await used()).toMatchObject({ calls: 1, now: 1 });
});

test("limits the calls of a day, for calls at once too", async () => {
  await limit({ calls: 7 });
  const number = await paid();
  const calls = await Promise.all(Array.from({ length: 30 }, () => bench.call(number)));
  expect(calls.filter(({ status }) => status === 200)).toHaveLength(7);
  expect(await rejected(calls.find(({ status }) => status !== 200)!)).toBe("480 organisation_calls");
  expect((await used()).calls).toBe(7);
});

test("ends calls when the seconds of the day are used up, and takes no more", async () => {
  await limit({ seconds: 2 });
  const number = await paid();
  const call = await bench.call(number);
  expect(call.status).toBe(200);
  await until("the switch to end the call", () => bench.gateways["one"]!.requests("BYE").length > 0);
  const [, end] = await bench.rowsOf(call.dialog.callId, 1).then(() => {
    const rows = () => bench.kamailio.rows().filter((row) => row.number === number);
    return until("the end", () => rows().length >= 2 && rows());
  });
  expect(end).toMatchObject({ method: "OPTIONS", kind: "organisation_minutes" });
  expect((await used()).seconds).toBeGreaterThanOrEqual(2);
  expect(await rejected(await bench.call(number))).toBe("480 organisation_minutes");
});

test("counts the seconds of a call on the day on which it ends", async () => {
  await raise(`${today()}|0|100`);
  await limit({ seconds: 1_000 });
  const call = await bench.call(await paid());
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  await call.bye();
  await until("seconds", async () => (await used()).seconds > 100);
  expect((await used()).seconds).toBeLessThan(110);
});

test("takes from records what it forgot, and keeps what is higher", async () => {
  const number = await paid();
  await (await bench.call(number)).bye();
  await raise(`${today()}|40|900`);
  expect(await used()).toMatchObject({ calls: 40, seconds: 900 });
  await raise(`${today()}|3|2`);
  await raise(`${today() - 1}|99|9999`);
  expect(await used()).toMatchObject({ calls: 40, seconds: 900 });
  await limit({ calls: 40 });
  expect(await rejected(await bench.call(number))).toBe("480 organisation_calls");
});

describe("failover", () => {
  test.each([
    [{ atOnce: 0 }, "b"],
    [{ calls: 0 }, "u"],
    [{ seconds: 0 }, "u"],
  ] as const)("takes the call when %j rejects it", async (limits, on) => {
    await limit(limits);
    const last = await bench.phone();
    const { address, port } = last.transport;
    const uri = `sip:a@${address}:${port};transport=udp`;
    const number = await paid();
    await bench.kamailio.set("rt", { [number]: `F|7|1|id|${TO}|${PAYER}|u|${uri}|||${on}||||||` });
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    expect(last.requests("INVITE")).toHaveLength(1);
    await call.bye();
  });

  test("to another destination ends the cost, and the time that is left does not limit that", async () => {
    await limit({ seconds: 2, atOnce: 1 });
    bench.gateways["one"]!.behave(answerWith("503 Down"));
    const last = await bench.phone();
    const { address, port } = last.transport;
    const uri = `sip:a@${address}:${port};transport=udp`;
    const number = await paid();
    await bench.kamailio.set("rt", { [number]: `F|7|1|id|${TO}|${PAYER}|u|${uri}|||u||||||` });
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    expect(await used()).toMatchObject({ now: 0, calls: 1 });
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(last.requests("BYE")).toEqual([]);
    expect(await call.bye()).toBe(200);
    expect((await used()).seconds).toBe(0);
  });

  test("from one forward step to another counts both calls and one of them at a time", async () => {
    await limit({ atOnce: 1, calls: 2 });
    bench.gateways["one"]!.behave((request) =>
      request.method === "INVITE"
        ? [{ status: request.startLine.includes(TO) ? "486 Busy" : "200 OK" }]
        : [{ status: "200 OK" }],
    );
    const number = await paid();
    await bench.kamailio.set("rt", {
      [number]: `F|7|1|id|${TO}|${PAYER}|f|+441515550000|${PAYER}||b||||||`,
    });
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    expect(await used()).toMatchObject({ calls: 2, now: 1 });
    await call.bye();
    const [row] = await bench.rowsOf(call.dialog.callId, 2);
    expect(row!.events.match(/p \d+ [0-9a-f-]{36}\^/g)).toEqual(
      Array.from({ length: 2 }, () => `p ${today()} ${PAYER}^`),
    );
  });
});
