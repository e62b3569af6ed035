import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byeRow, inviteRow, lateAnswerRow, writtenCall } from "../testing/acc-rows.ts";
import { readRow } from "./acc-row.ts";
import { join, type OpenCall, recordOf, stateOf } from "./call-join.ts";

const call = writtenCall("one", { startedUs: 1_794_737_945_277_656 });
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
      number_id: call.numberId,
      mode: "sip_uri",
      generation: 7,
      trunk: "acme",
      code: 200,
      why: null,
      caller: "+15550009999",
      called: "+4930901820",
      target: "sip:a@192.0.2.9",
      sip_call_id: "one@192.0.2.3",
    });
  });

  test("that was refused is over at once, with the reason", () => {
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

  test("answered while the switch restarted has its answer from the ACK, unless the INVITE left a row after all", () => {
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
      lateAnswerRow(call),
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
