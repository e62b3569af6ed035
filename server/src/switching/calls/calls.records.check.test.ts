import { describe, expect, test } from "vitest";
import { callRecord } from "../../../testing/call-record.ts";
import { faultOf } from "./calls.records.check.ts";

const HOUR_MS = 3_600_000;
const window = { oldest: new Date(Date.now() - 24 * HOUR_MS), newest: new Date(Date.now() + HOUR_MS) };

describe("a record", () => {
  test("that is whole has no fault, with all that may be missing and with none of it", () => {
    expect(faultOf(callRecord(), window)).toBeUndefined();
    const bare = callRecord({
      answered_at: null,
      ended_at: null,
      number_id: null,
      mode: null,
      generation: null,
      trunk: null,
      code: null,
      why: null,
      caller: null,
      called: null,
      target: null,
      sip_call_id: null,
    });
    expect(faultOf(bare, window)).toBeUndefined();
  });

  test.each([
    ["nothing", null],
    ["a text", "BYE"],
    ["a list", []],
    ["no id", { ...callRecord(), id: undefined }],
    ["an id in capitals", callRecord({ id: "A".repeat(32) })],
    ["a moment without microseconds", callRecord({ started_at: "2026-11-15T09:30:00.000Z" })],
    ["a day in no calendar", callRecord({ started_at: "2026-02-30T09:30:00.000000Z" })],
    ["a field that is not known", { ...callRecord(), organisation_id: "x" }],
    ["a control character", callRecord({ caller: "a\nb" })],
    ["a number that is no id", callRecord({ number_id: "+4930901820" })],
    ["a code that is none", callRecord({ code: 42 })],
    ["a caller of any length", callRecord({ caller: "1".repeat(256) })],
  ])("with %s is malformed", (_, sent) => {
    expect(faultOf(sent, window)).toMatchObject({ code: "malformed" });
  });

  test("is rejected by its age, and not by a clock that is slightly ahead", () => {
    const at = (ms: number): string => new Date(Date.now() + ms).toISOString().replace("Z", "000Z");
    const started = (ms: number) => callRecord({ started_at: at(ms), answered_at: null, ended_at: null });
    expect(faultOf(started(-23 * HOUR_MS), window)).toBeUndefined();
    expect(faultOf(started(HOUR_MS / 2), window)).toBeUndefined();
    expect(faultOf(started(-25 * HOUR_MS), window)).toMatchObject({ code: "too_old" });
    expect(faultOf(started(2 * HOUR_MS), window)).toMatchObject({ code: "in_the_future" });
    expect(faultOf(callRecord({ ended_at: at(2 * HOUR_MS) }), window)).toMatchObject({
      code: "in_the_future",
    });
  });
});
