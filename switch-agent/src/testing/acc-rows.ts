import { createHash } from "node:crypto";

/** A call as the switch records it: fields of all of its rows, or of one of them. */
export interface WrittenCall {
  rid: string;
  numberId: string;
  /** Microseconds since 1970. */
  startedUs: number;
  code: number;
  why: string;
  caller: string;
  callId: string;
  events: string;
  /** Mode letter, with the step if there is one. */
  mode: string;
}

/** The one with this name. */
export function writtenCall(name: string | number, rest: Partial<WrittenCall> = {}): WrittenCall {
  return {
    rid: createHash("sha256").update(String(name)).digest("hex").slice(0, 32),
    numberId: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
    startedUs: (Date.now() - 60_000) * 1000 + 277_656,
    code: 200,
    why: "",
    caller: "+15550009999",
    callId: `${name}@192.0.2.3`,
    events: "",
    mode: "u",
    ...rest,
  };
}

export function inviteRow(call: WrittenCall, afterUs = 8_745): string {
  const { code, caller, why, events } = call;
  const answer = { code, reason: code === 200 ? "OK" : "Refused", afterUs };
  return rowOf("INVITE", call, { ...answer, caller, target: "sip:a@192.0.2.9", why, events });
}

export function byeRow(call: WrittenCall, afterUs = 11_651, events = ""): string {
  return rowOf("BYE", call, { code: 200, reason: "OK", afterUs, caller: "", target: "", why: "", events });
}

/** Row of a call that the switch ended itself: the dialog module creates an OPTIONS with another Call-ID. */
export function endBySwitchRow(call: WrittenCall, why = "max_length", afterUs = 11_651): string {
  const end = { code: 200, reason: "Ended", afterUs, caller: "", target: "", why, events: "" };
  return rowOf("OPTIONS", { ...call, callId: "123" }, end);
}

export function lateAnswerRow(call: WrittenCall, afterUs = 9_000, events = ""): string {
  const answer = { code: 200, reason: "Answered", afterUs };
  return rowOf("ACK", call, { ...answer, caller: "", target: "", why: "late_answer", events });
}

interface RowEnd {
  code: number;
  reason: string;
  afterUs: number;
  caller: string;
  target: string;
  why: string;
  events: string;
}

function rowOf(method: string, { rid, numberId, startedUs, callId, mode }: WrittenCall, end: RowEnd): string {
  const us = seconds(startedUs + end.afterUs);
  const boot = "bb4b0bfe-2a29-40c2-9ebb-82f4f259674f";
  const head = [method, "11035t1", "1x11033", callId, end.code, end.reason, us.split(".")[0], us];
  const call = [rid, numberId, mode, "7", seconds(startedUs), "acme", "+4930901820"].join("~");
  return `${[...head, call, end.caller, end.target, boot, end.why, end.events].join("|")}\n`;
}

function seconds(us: number): string {
  return `${Math.floor(us / 1_000_000)}.${String(us % 1_000_000).padStart(6, "0")}`;
}
