import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byeRow, endBySwitchRow, inviteRow, lateAnswerRow, writtenCall } from "../testing/acc-rows.ts";
import { readRow } from "./acc-row.ts";
import { callerNumbers } from "./caller-numbers.ts";
import { type CallRecord, join, type OpenCall, recordOf as makeRecord, stateOf } from "./call-join.ts";

const call = writtenCall("one", { startedUs: 1_794_737_945_277_656 });
const recordOf = (open: OpenCall): CallRecord =>
  makeRecord(
    open,
    callerNumbers(() => []),
  );
const joined = (...lines: string[]): OpenCall =>
  lines.reduce<OpenCall | undefined>((open, line) => join(open, readRow(line.trimEnd())!.row), undefined)!;

describe("a call", () => {
  test("that was answered and hung up is one record, with everything of it", () => {
    const open = joined(inviteRow(call), byeRow(call));
    expect(stateOf(open)).toBe("over");
    expect(recordOf(open)).toEqual({
      id: call.rid,
      started_at: "2026-11-15T10:19:05.277656Z",
      answered_at: "2026-11-15T10:19:05.286401Z",
      ended_at: "2026-11-15T10:19:05.289307Z",
      ending: "hung_up",
      ended_by: "caller",
      setup_ms: 9,
      ring_ms: null,
      number_id: call.numberId,
      mode: "sip_uri",
      generation: 7,
      trunk: "acme",
      gateway: null,
      code: 200,
      why: null,
      q850: null,
      caller: "+15550009999",
      caller_raw: "+15550009999",
      asserted_caller: null,
      called: "+4930901820",
      target: "sip:a@192.0.2.9",
      attempts: [],
      sip_call_id: "one@192.0.2.3",
    });
  });

  test.each(["max_length", "never_acknowledged"])("that the switch ended has an end: %s", (why) => {
    const open = joined(inviteRow(call), endBySwitchRow(call, why));
    expect(stateOf(open)).toBe("over");
    expect(recordOf(open)).toMatchObject({
      ending: "hung_up",
      ended_by: "switch",
      ended_at: "2026-11-15T10:19:05.289307Z",
      why,
      code: 200,
      sip_call_id: "one@192.0.2.3",
    });
  });

  test("that the callee ended has that in its record, with the cause", () => {
    const bye = byeRow(call, 11_651, "q 16^").replace("11035t1", "1x11033");
    expect(recordOf(joined(inviteRow(call), bye))).toMatchObject({ ended_by: "callee", q850: 16 });
  });

  test("contains the ringing time and the outcome of each target", () => {
    const at = (us: number): string => `1794737945.${277_656 + us}`;
    const events = [
      `t u ${at(1_000)} 192.0.2.1~5060~udp sip:a@pbx.example.com`,
      `r ${at(21_000)}`,
      `e ${at(51_000)} t`,
      `t u ${at(52_000)} 192.0.2.2~5060~udp sip:a@pbx.example.com`,
      `r ${at(61_000)}^`,
    ].join("^");
    const answered = recordOf(joined(inviteRow({ ...call, events }, 121_000)));
    expect(answered).toMatchObject({ setup_ms: 21, ring_ms: 100 });
    expect(answered.attempts.map(({ outcome, code, address }) => [outcome, code, address])).toEqual([
      ["no_answer", null, "192.0.2.1:5060"],
      ["answered", 200, "192.0.2.2:5060"],
    ]);
    const busy = recordOf(joined(inviteRow({ ...call, events, code: 486 }, 121_000)));
    expect(busy).toMatchObject({ ended_by: "callee", setup_ms: 21, ring_ms: 100 });
    expect(busy.attempts[1]).toMatchObject({ outcome: "busy", code: 486 });
  });

  test("with failover contains the step and the host of each target", () => {
    const at = (us: number): string => `1794737945.${277_656 + us}`;
    const events = [
      "t u - 192.0.2.1~5060~udp sip:a@pbx.example.com",
      `e ${at(1_000)} 486`,
      `t f2 ${at(1_000)} 192.0.2.80~5080~udp gate`,
      `e ${at(2_000)} 503`,
      `t c3 ${at(2_000)} 192.0.2.3~5060~tcp rweight=1;host=other.example.com^`,
    ].join("^");
    const written = { ...call, mode: "U3", events };
    const record = recordOf(joined(inviteRow(written), byeRow(written)));
    expect(record).toMatchObject({ mode: "sip_uri", generation: 7, gateway: null, ending: "hung_up" });
    expect(record.attempts.map(({ step, mode, host, outcome }) => [step, mode, host, outcome])).toEqual([
      [1, "sip_uri", "pbx.example.com", "busy"],
      [2, "forward", null, "unreachable"],
      [3, "connection", "other.example.com", "answered"],
    ]);
  });

  test.each(["C2", "W3", "F", "N2"])("of mode %s has the number's mode", (mode) => {
    const modes = { C: "connection", W: "webhook", F: "forward", N: "unrouted" };
    const expected = modes[mode[0] as keyof typeof modes];
    expect(recordOf(joined(byeRow({ ...call, mode })))).toMatchObject({ mode: expected });
  });

  test("that was answered during a restart names the step that had it", () => {
    const written = { ...call, mode: "C2" };
    const late = lateAnswerRow(written, 9_000, "t f2 - 192.0.2.80~5080~udp ^");
    const record = recordOf(joined(byeRow(written), late));
    expect(record).toMatchObject({ mode: "connection", code: 200, why: "late_answer" });
    expect(record.attempts).toMatchObject([{ step: 2, mode: "forward", outcome: "answered", code: 200 }]);
  });

  test.each([
    [486, "", "callee"],
    [480, "target_failed", "callee"],
    [480, "no_answer", "switch"],
    [404, "unknown_number", "switch"],
    [487, "", "caller"],
  ])("rejected with %i %s was ended by the %s", (code, why, by) => {
    expect(recordOf(joined(inviteRow({ ...call, code, why }))).ended_by).toBe(by);
  });

  test("that was rejected has finished at once, with the reason", () => {
    const open = joined(inviteRow({ ...call, code: 480, why: "unrouted" }));
    expect(stateOf(open)).toBe("over");
    expect(recordOf(open)).toMatchObject({
      ending: "refused",
      code: 480,
      why: "unrouted",
      answered_at: null,
      ended_at: "2026-11-15T10:19:05.286401Z",
    });
  });

  test("that has no end yet is up, and one that never gets one ended unknown", () => {
    for (const open of [joined(inviteRow(call)), joined(lateAnswerRow(call))]) {
      expect(stateOf(open)).toBe("up");
      expect(recordOf(open)).toMatchObject({ ending: "unknown", ended_at: null, code: 200 });
    }
  });

  test("of which only the BYE is known is one record too, with its number", () => {
    const open = joined(byeRow(call));
    expect(stateOf(open)).toBe("partial");
    expect(recordOf(open)).toMatchObject({
      ending: "hung_up",
      answered_at: null,
      code: null,
      number_id: call.numberId,
      generation: 7,
      started_at: "2026-11-15T10:19:05.277656Z",
      ended_at: "2026-11-15T10:19:05.289307Z",
    });
  });

  test("that was answered during a restart gets the time from the ACK, unless the INVITE left a row", () => {
    expect(recordOf(joined(lateAnswerRow(call), byeRow(call)))).toMatchObject({
      ending: "hung_up",
      answered_at: "2026-11-15T10:19:05.286656Z",
      code: 200,
      why: "late_answer",
    });
    expect(recordOf(joined(lateAnswerRow(call), inviteRow(call), byeRow(call)))).toMatchObject({
      answered_at: "2026-11-15T10:19:05.286401Z",
      why: null,
    });
  });

  test("is the same in whatever order its rows come, and however often", () => {
    const rows = [
      inviteRow(call),
      inviteRow({ ...call, code: 408, why: "no_answer" }, 5),
      byeRow(call),
      byeRow(call, 99_000),
      byeRow(call).replace("11035t1", "1x11033"),
      endBySwitchRow(call),
      endBySwitchRow(call, "never_acknowledged", 7),
      lateAnswerRow(call, 9_000, "t u2 - 192.0.2.2~5060~udp ^"),
      lateAnswerRow(call, 12_000),
    ];
    const some = fc.subarray(rows, { minLength: 1 });
    const shuffled = some.chain((subset) =>
      fc.tuple(
        fc.constant(subset),
        fc
          .array(fc.constantFrom(...subset), { maxLength: 6 })
          .chain((again) =>
            fc.shuffledSubarray([...subset, ...again], { minLength: subset.length + again.length }),
          ),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([subset, order]) => {
        expect(recordOf(joined(...order))).toEqual(recordOf(joined(...subset)));
      }),
      { numRuns: 300 },
    );
  });
});
