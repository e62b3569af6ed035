import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isLong } from "./service/test-length.ts";
import { addressOf } from "./sip/call-bench.ts";
import { dialTo, type FailoverBench, openFailoverBench, toPhone, triedIn } from "./sip/failover-bench.ts";
import { courseOf, type PlanStep, randomPlan } from "./sip/failover-plans.ts";
import { answerWith, type Phone } from "./sip/phone.ts";
import { acknowledgeRefusal, writeCancel, writeInvite } from "./sip/sip-call.ts";
import { branchOf, headerOf, headersOf, writeReply } from "./sip/sip-message.ts";
import { until } from "./sip/until.ts";

let bench: FailoverBench;
beforeAll(async () => {
  bench = await openFailoverBench();
});
afterAll(() => bench?.[Symbol.asyncDispose]());

/** Places a call and compares its course with the plan's. */
async function expectCourse(plan: readonly PlanStep[]): Promise<void> {
  const { number } = await bench.plan(plan);
  const call = await bench.call(number);
  const expected = courseOf(plan);
  const text = JSON.stringify(plan);
  expect(call.status, text).toBe(expected.status);
  if (call.status === 200) expect(await call.bye()).toBe(200);
  const rows = await bench.rowsOf(call.dialog.callId, call.status === 200 ? 2 : 1);
  const letter = plan[0]!.mode.toUpperCase();
  const mode = expected.last === 1 ? letter : `${letter}${expected.last}`;
  expect(
    rows.map((row) => row.mode),
    text,
  ).toEqual(rows.map(() => mode));
  expect(triedIn(rows[0]!), text).toEqual(expected.tried);
  // The reason of an earlier step does not stay.
  if (call.status === 200) expect(rows[0]!.kind, text).toBe("");
}

const MODES = ["u", "c", "f", "w"] as const;
const FAILURES = { u: "failing", n: "ringing", b: "busy", r: "declining" } as const;
const stepOf = (mode: (typeof MODES)[number], failure: keyof typeof FAILURES): PlanStep => ({
  mode,
  end: FAILURES[failure],
  ring: 1,
  ...(mode === "w" && { via: "dial" }),
});
const answering = (on: string): PlanStep => ({ mode: "u", end: "answers", on });

describe.each(Object.keys(FAILURES) as (keyof typeof FAILURES)[])("failure %s", (failure) => {
  const others = "unbr".replace(failure, "");

  test.each(MODES)("in mode %s takes the call to the steps that want it, and to no other", async (mode) => {
    const failing = stepOf(mode, failure);
    await Promise.all([
      expectCourse([failing]),
      expectCourse([failing, answering(failure)]),
      expectCourse([failing, answering("unbr")]),
      expectCourse([failing, answering(others)]),
      ...MODES.map((next) =>
        expectCourse([failing, { ...stepOf(next, failure), on: failure }, answering("unbr")]),
      ),
      expectCourse([failing, { ...stepOf("u", failure), on: "unbr" }, answering(others)]),
    ]);
  });
});

test.each<PlanStep["end"][]>([
  ["declining", "busy"],
  ["busy", "unknowing"],
  ["busy everywhere", "failing"],
  ["failing", "silent"],
  ["full", "answers"],
])("the caller of a number that is %s, then %s gets the response of the latter", async (first, second) => {
  const mode = first === "full" ? "c" : "u";
  await expectCourse([
    { mode, end: first },
    { mode: "u", end: second, on: "unbr" },
  ]);
});

test(`${isLong ? 200 : 25} random plans take the course that the rules say`, async () => {
  let state = isLong ? 7 : 20_261_118;
  const pick = <Value>(values: readonly Value[]): Value => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return values[(state >>> 8) % values.length]!;
  };
  for (let batch = 0; batch < (isLong ? 8 : 1); batch += 1)
    await Promise.all(Array.from({ length: 25 }, () => expectCourse(randomPlan(pick))));
});

const ringing = answerWith("180 Ringing");
const behaving = async (...replies: Parameters<typeof answerWith>): Promise<Phone> => {
  const phone = await bench.phone();
  phone.behave(answerWith(...replies));
  return phone;
};
const isIn = (phone: Phone, method: string): boolean => phone.requests(method).length > 0;

describe("ringing", () => {
  test("a connection's ring time limits each target, the step's ring time all of them", async () => {
    const targets = [await bench.phone(), await bench.phone(), await bench.phone()];
    for (const target of targets) target.behave(ringing);
    const other = await bench.phone();
    const id = await bench.connection(targets, { ring: 2 });
    const number = await bench.steps([
      { to: `c|${id}|`, ring: 3 },
      { to: toPhone(other), on: "n" },
    ]);
    const startedMs = performance.now();
    const call = await bench.call(number);
    const tookMs = performance.now() - startedMs;
    expect(call.status).toBe(200);
    expect(await call.bye()).toBe(200);
    expect(targets.map((target) => target.requests("INVITE").length)).toEqual([1, 1, 0]);
    for (const target of targets.slice(0, 2)) await until("a CANCEL", () => isIn(target, "CANCEL"));
    expect(tookMs).toBeGreaterThan(2_500);
    expect(tookMs).toBeLessThan(5_000);
  });

  test("a shorter ring time of the connection counts, without one of the step", async () => {
    const [slow, other] = [await behaving("180 Ringing"), await bench.phone()];
    const id = await bench.connection([slow], { ring: 1 });
    const call = await bench.call(await bench.steps([{ to: `c|${id}|` }, { to: toPhone(other), on: "n" }]));
    expect(call.status).toBe(200);
    expect(await call.bye()).toBe(200);
  });

  test("the ring time of a webhook's step counts from the decision", async () => {
    const [slow, other] = [await behaving("180 Ringing"), await bench.phone()];
    const url = bench.webhook({ ...dialTo(addressOf(slow)), afterMs: 1_200 });
    const number = await bench.steps([
      { to: `w|${url}|`, ring: 1 },
      { to: toPhone(other), on: "n" },
    ]);
    const startedMs = performance.now();
    expect((await bench.call(number)).status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThan(2_100);
  });

  test("a single step has a ring time too, and a later step does not keep that of an earlier one", async () => {
    const slow = await behaving("180 Ringing");
    const single = bench.call(await bench.steps([{ to: toPhone(slow), ring: 1 }]));
    const patient = await behaving("180 Ringing", { status: "200 OK", afterMs: 3_500 });
    const other = await behaving("180 Ringing");
    const later = bench.call(
      await bench.steps([
        { to: toPhone(other), ring: 1 },
        { to: toPhone(patient), on: "n" },
      ]),
    );
    expect((await single).status).toBe(480);
    expect((await later).status).toBe(200);
  });

  test("early media of a step that fails does not keep the call", async () => {
    const [early, other] = [await behaving("183 Session Progress"), await bench.phone()];
    const number = await bench.steps([
      { to: toPhone(early), ring: 1 },
      { to: toPhone(other), on: "n" },
    ]);
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    const tags = bench.caller.received
      .filter(({ message }) => headerOf(message, "Call-ID") === call.dialog.callId)
      .filter(({ message }) => (message.status ?? 0) > 100 && headerOf(message, "CSeq") === "1 INVITE")
      .map(({ message }) => headerOf(message, "To").replace(/.*tag=/, ""));
    expect(new Set(tags).size).toBe(2);
    expect(await call.bye()).toBe(200);
    expect(other.requests("BYE")).toHaveLength(1);
  });
});

describe("a phone that is answered after its step", () => {
  const answersLate = answerWith("180 Ringing", { status: "200 OK", afterMs: 2_200 });
  const expectHungUp = async (late: Phone): Promise<void> => {
    await until("a BYE for the late answer", () => late.requests("BYE").length === 1);
    expect(headerOf(late.requests("ACK")[0]!, "CSeq")).toBe("1 ACK");
    expect(headerOf(late.requests("BYE")[0]!, "Reason")).toBe("Q.850;cause=19");
  };

  test("is hung up while the next step has the call, or rings, or was not reached", async () => {
    const late = [await bench.phone(), await bench.phone(), await bench.phone(), await bench.phone()];
    for (const phone of late) phone.behave(answersLate);
    const [answering, slow] = [await bench.phone(), await behaving("180 Ringing")];
    const undecided = bench.webhook({ status: "500 Undecided", afterMs: 1_900 });
    const next = [toPhone(answering), toPhone(slow), "c|nowhere|", `w|${undecided}|`];
    const calls = await Promise.all(
      late.map(async (phone, index) =>
        bench.call(
          await bench.steps([
            { to: toPhone(phone), ring: 1 },
            { to: next[index]!, on: "n", ring: 2 },
          ]),
        ),
      ),
    );
    expect(calls.map(({ status }) => status)).toEqual([200, 480, 480, 480]);
    for (const phone of late) await expectHungUp(phone);
    expect(answering.requests("BYE")).toEqual([]);
    expect(await calls[0]!.bye()).toBe(200);
  });

  test("is hung up by way of the proxies in front of it", async () => {
    const late = await bench.phone();
    const [near, far] = ["<sip:192.0.2.7;lr>", "<sip:192.0.2.8;lr>"];
    const throughProxies = (text: string): string =>
      text.replace("Record-Route:", `Record-Route: ${far}\r\nRecord-Route: ${near}\r\nRecord-Route:`);
    late.behave(answerWith("180 Ringing", { status: "200 OK", afterMs: 2_200, spoil: throughProxies }));
    const other = await bench.phone();
    const number = await bench.steps([
      { to: toPhone(late), ring: 1 },
      { to: toPhone(other), on: "n" },
    ]);
    expect((await bench.call(number)).status).toBe(200);
    await expectHungUp(late);
    for (const method of ["ACK", "BYE"])
      expect(headersOf(late.requests(method)[0]!, "Route").join(", ")).toBe(`${near}, ${far}`);
    expect(other.requests("BYE")).toEqual([]);
  });
});

describe("a caller who hangs up", () => {
  async function cancelAfter(number: string, waitMs: number): Promise<{ callId: string; status: number }> {
    const invite = writeInvite(bench.caller, number);
    const final = bench.caller.ask(invite, bench.kamailio.at);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await bench.caller.ask(writeCancel(invite), bench.kamailio.at, () => true);
    const message = await final;
    await bench.caller.sendText(acknowledgeRefusal(invite, message), bench.kamailio.at);
    return { callId: headerOf(message, "Call-ID"), status: message.status! };
  }

  function ringUntilCancelled(phone: Phone): void {
    phone.behave((request) => {
      if (request.method === "INVITE") return [{ status: "180 Ringing" }];
      const invite = phone.requests("INVITE").find((one) => branchOf(one) === branchOf(request));
      if (request.method === "CANCEL" && invite)
        void phone.sendText(
          writeReply(invite, "487 Request Terminated", [], "terminated"),
          bench.kamailio.at,
        );
      return [{ status: "200 OK" }];
    });
  }

  test("at the second step gets 487, and no other step gets the call", async () => {
    const [first, second, third] = [
      await behaving("486 Busy"),
      await behaving("180 Ringing"),
      await bench.phone(),
    ];
    ringUntilCancelled(second);
    const number = await bench.steps([
      { to: toPhone(first) },
      { to: toPhone(second), on: "b" },
      { to: toPhone(third), on: "unbr" },
    ]);
    const { callId, status } = await cancelAfter(number, 400);
    expect(status).toBe(487);
    await until("a CANCEL", () => isIn(second, "CANCEL"));
    expect(third.requests("INVITE")).toEqual([]);
    expect(await bench.rowsOf(callId, 1)).toMatchObject([{ code: "487", mode: "U2" }]);
  });

  // A busy machine sends them late.
  const [times, spreadMs] = isLong ? [1_000, 20] : [40, 40];
  test(`${times} CANCELs around the end of the ring time each leave one row and no ringing phone`, async () => {
    const first = await behaving("180 Ringing");
    const second = await behaving("180 Ringing");
    for (const phone of [first, second]) ringUntilCancelled(phone);
    const number = await bench.steps([
      { to: toPhone(first), ring: 1 },
      { to: toPhone(second), on: "n", ring: 9 },
    ]);
    const ends: { callId: string; status: number }[] = [];
    for (let batch = 0; batch < times / 20; batch += 1)
      ends.push(
        ...(await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            cancelAfter(number, 1_000 + (index - 10) * spreadMs + (batch % spreadMs)),
          ),
        )),
      );
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set([487]));
    for (const { callId } of ends) expect(await bench.rowsOf(callId, 1)).toHaveLength(1);
    const idsAt = (phone: Phone, method: string): string[] =>
      phone
        .requests(method)
        .map((request) => headerOf(request, "Call-ID"))
        .sort();
    expect(idsAt(first, "INVITE")).toEqual(ends.map(({ callId }) => callId).sort());
    for (const phone of [first, second])
      await until(
        "a CANCEL for each INVITE",
        () => idsAt(phone, "CANCEL").join() === idsAt(phone, "INVITE").join(),
      );
    // Otherwise the CANCELs were not around the end of the ring time.
    expect(isIn(second, "INVITE")).toBe(true);
    expect(second.requests("INVITE").length).toBeLessThan(times);
  });
});
