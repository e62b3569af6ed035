import type { AccRow, CallMode } from "./acc-row.ts";
import { type Attempt, attemptsOf } from "./call-attempts.ts";
import type { CallEvents } from "./call-events.ts";
import type { CallerNumbers } from "./caller-numbers.ts";
import { momentOf, momentOrNull } from "./record-moments.ts";

/** All that is known of a call so far, from whichever of its rows. */
export interface OpenCall {
  rid: string;
  startedUs: number;
  about: Pick<
    AccRow,
    "numberId" | "called" | "mode" | "generation" | "trunk" | "caller" | "target" | "sipCallId"
  >;
  /** How the INVITE was answered. Earlier agents kept neither its tag nor its events. */
  final: {
    code: number;
    atUs: number;
    why: string | null;
    fromTag?: string | null;
    events?: CallEvents;
  } | null;
  lateAnswerUs: number | null;
  /** Events of the row at `lateAnswerUs`. Earlier agents did not store them. */
  lateEvents?: CallEvents;
  byeUs: number | null;
  /** Details of the end at `byeUs`. Earlier agents did not store them. */
  end?: Pick<AccRow, "fromTag" | "isBySwitch" | "why"> & { q850: number | null };
}

/** As every version of the service takes it. */
export interface PlainRecord {
  id: string;
  started_at: string;
  answered_at: string | null;
  ended_at: string | null;
  ending: "refused" | "hung_up" | "unknown";
  number_id: string | null;
  mode: CallMode | null;
  generation: number | null;
  trunk: string | null;
  code: number | null;
  why: string | null;
  /** In E.164, where what the trunk sent can be read so. */
  caller: string | null;
  called: string | null;
  target: string | null;
  sip_call_id: string | null;
}

interface RecordDetails {
  ended_by: "caller" | "callee" | "switch" | null;
  /** Time from the INVITE to the first ringing, or until a call that never rang is answered. */
  setup_ms: number | null;
  /** Time from the first ringing until the call is answered or ends. */
  ring_ms: number | null;
  gateway: string | null;
  q850: number | null;
  caller_raw: string | null;
  asserted_caller: string | null;
  attempts: Attempt[];
}

export type CallRecord = PlainRecord & RecordDetails;

const DETAILS = new Set<string>([
  "ended_by",
  "setup_ms",
  "ring_ms",
  "gateway",
  "q850",
  "caller_raw",
  "asserted_caller",
  "attempts",
] satisfies (keyof RecordDetails)[]);

export function withoutDetails(record: CallRecord): PlainRecord {
  const plain = Object.fromEntries(Object.entries(record).filter(([name]) => !DETAILS.has(name)));
  return { ...(plain as unknown as PlainRecord), caller: record.caller ?? record.caller_raw };
}

/**
 * up: answered and still active. over: complete. partial: ended, but the INVITE's row is missing. That row
 * may come later, because each Kamailio process writes its own file.
 */
export type CallState = "up" | "over" | "partial";

/** The same call in whatever order its rows come, and however often. */
export function join(call: OpenCall | undefined, row: AccRow): OpenCall {
  const about = aboutOf(row);
  if (!call) return withRow({ rid: row.rid, startedUs: row.startedUs, about, ...NOTHING_YET }, row);
  const known = call.final ? [call.about, about] : [about, call.about];
  const isFirst = row.kind === "invite" && !call.final;
  return withRow(
    {
      ...call,
      startedUs: isFirst
        ? row.startedUs
        : call.final
          ? call.startedUs
          : Math.min(call.startedUs, row.startedUs),
      about: filled(known[0]!, known[1]!),
    },
    row,
  );
}

export function stateOf(call: OpenCall): CallState {
  if (isAnswered(call)) {
    if (call.byeUs === null) return "up";
    return call.final ? "over" : "partial";
  }
  return "over";
}

export function recordOf(call: OpenCall, callerIn: CallerNumbers): CallRecord {
  const { about, final, byeUs, startedUs, lateAnswerUs } = call;
  const { attempts = [], asserted = null, q850 = null } = (final ? final.events : call.lateEvents) ?? {};
  const answer = final ?? (lateAnswerUs === null ? null : { code: 200, atUs: lateAnswerUs });
  const ending = !isAnswered(call) ? "refused" : byeUs === null ? "unknown" : "hung_up";
  const answeredUs = ending === "refused" ? null : answerOf(call);
  const endedUs = ending === "refused" ? final!.atUs : byeUs;
  const rangUs = attempts.find(({ ringingUs }) => ringingUs !== null)?.ringingUs ?? null;
  return {
    id: call.rid,
    started_at: momentOf(startedUs),
    answered_at: momentOrNull(answeredUs),
    ended_at: momentOrNull(endedUs),
    ending,
    ended_by: enderOf(call, ending),
    setup_ms: milliseconds(startedUs, rangUs ?? answeredUs),
    ring_ms: rangUs === null ? null : milliseconds(rangUs, answeredUs ?? endedUs),
    number_id: about.numberId,
    mode: about.mode,
    generation: about.generation,
    trunk: about.trunk,
    gateway: attempts.at(-1)?.gateway ?? null,
    code: answer?.code ?? null,
    why: call.end?.why ?? (final ? final.why : lateAnswerUs === null ? null : "late_answer"),
    q850: call.end?.q850 ?? q850,
    caller: callerIn(about.trunk, about.caller),
    caller_raw: about.caller,
    asserted_caller: callerIn(about.trunk, asserted) ?? asserted,
    called: about.called,
    target: about.target,
    attempts: attemptsOf(attempts, answer),
    sip_call_id: about.sipCallId,
  };
}

/** Whether a row that came after its record was created says nothing other than the record. */
export function isIn(record: CallRecord, row: AccRow): boolean {
  const at = momentOf(row.atUs);
  if (row.kind === "end") return record.ended_at === at;
  if (row.kind === "answer") return record.answered_at !== null && record.answered_at <= at;
  return (record.ending === "refused" ? record.ended_at : record.answered_at) === at;
}

const NOTHING_YET = { final: null, lateAnswerUs: null, byeUs: null };

function withRow(call: OpenCall, row: AccRow): OpenCall {
  const { code, atUs, why, fromTag, isBySwitch, events } = row;
  if (row.kind === "answer") {
    if (call.lateAnswerUs !== null && call.lateAnswerUs <= atUs) return call;
    return { ...call, lateAnswerUs: atUs, lateEvents: events };
  }
  if (row.kind === "invite")
    return { ...call, final: better(call.final, { code, atUs, why, fromTag, events }) };
  if (call.byeUs !== null && !isEarlierEnd(row, call)) return call;
  return { ...call, byeUs: atUs, end: { fromTag, isBySwitch, why, q850: events.q850 } };
}

/** The first of two ends counts. */
function isEarlierEnd(row: AccRow, { byeUs, end }: OpenCall): boolean {
  if (row.atUs !== byeUs) return row.atUs < byeUs!;
  return textOf(row) < textOf(end);
}

const textOf = (end: OpenCall["end"] | AccRow): string =>
  end ? JSON.stringify([end.isBySwitch, end.fromTag, end.why]) : "";

/** A call that was not answered is ended by its caller, by this switch, which then says why, or by whom it was sent to. */
function enderOf({ final, end }: OpenCall, ending: CallRecord["ending"]): CallRecord["ended_by"] {
  if (ending === "unknown") return null;
  if (ending === "refused") {
    if (final!.code === 487) return "caller";
    return final!.why === null || SAID_BY_CALLEE.has(final!.why) ? "callee" : "switch";
  }
  if (!end) return null;
  if (end.isBySwitch) return "switch";
  if (!final?.fromTag || end.fromTag === null) return null;
  return end.fromTag === final.fromTag ? "caller" : "callee";
}

/** Reasons for which the switch changes the error code of the callee's rejection. */
const SAID_BY_CALLEE = new Set(["redirected", "target_failed", "webhook_refused"]);

/** A call has one final answer; should there be two rows, one that says it was answered counts, then the first. */
function better(one: OpenCall["final"], other: NonNullable<OpenCall["final"]>): OpenCall["final"] {
  if (!one) return other;
  if (isSuccess(one.code) !== isSuccess(other.code)) return isSuccess(one.code) ? one : other;
  return one.atUs < other.atUs || (one.atUs === other.atUs && one.code <= other.code) ? one : other;
}

function isAnswered({ final, lateAnswerUs, byeUs }: OpenCall): boolean {
  return (final !== null && isSuccess(final.code)) || lateAnswerUs !== null || byeUs !== null;
}

function answerOf({ final, lateAnswerUs }: OpenCall): number | null {
  return final && isSuccess(final.code) ? final.atUs : lateAnswerUs;
}

function isSuccess(code: number): boolean {
  return code >= 200 && code < 300;
}

function milliseconds(fromUs: number, toUs: number | null): number | null {
  return toUs === null ? null : Math.max(0, Math.round((toUs - fromUs) / 1000));
}

function aboutOf(row: AccRow): OpenCall["about"] {
  const { numberId, called, mode, generation, trunk, caller, target, sipCallId } = row;
  return { numberId, called, mode, generation, trunk, caller, target, sipCallId };
}

/** Fills missing values of one from the other. */
function filled(one: OpenCall["about"], other: OpenCall["about"]): OpenCall["about"] {
  const said = Object.entries(one).filter(([, value]) => value !== null);
  return { ...other, ...Object.fromEntries(said) };
}
