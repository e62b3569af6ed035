import { Compile } from "typebox/compile";
import { CallRecord, type RejectedRecord } from "./calls.records.schema.ts";

/** A record of this age has outlived what it would be counted in. */
export interface Window {
  oldest: Date;
  newest: Date;
}

const isCallRecord = Compile(CallRecord);

/** Returns the fault of a call record; undefined if it is valid. */
export function faultOf(
  sent: unknown,
  { oldest, newest }: Window,
): Pick<RejectedRecord, "code" | "detail"> | undefined {
  if (!isCallRecord.Check(sent)) {
    const [first] = isCallRecord.Errors(sent);
    const where = first && "instancePath" in first ? String(first.instancePath).slice(0, 100) : "";
    return { code: "malformed", detail: `Not a valid CallRecord: ${where || "its shape"} is wrong.` };
  }
  const moments = [sent.started_at, sent.answered_at, sent.ended_at].filter((one) => one !== null);
  if (moments.some((one) => !isMoment(one)))
    return { code: "malformed", detail: "It contains a date that does not exist." };
  const startedAt = new Date(sent.started_at);
  if (startedAt < oldest) return { code: "too_old", detail: "The call is older than records are kept." };
  if (moments.some((one) => new Date(one) > newest))
    return { code: "in_the_future", detail: "It contains a time in the future." };
  return undefined;
}

function isMoment(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 19) === text.slice(0, 19);
}
