import type { AccRow, CallMode } from "./acc-row.ts";

/** All that is known of a call so far, from whichever of its rows. */
export interface OpenCall {
  rid: string;
  startedUs: number;
  about: Pick<
    AccRow,
    "numberId" | "called" | "mode" | "generation" | "trunk" | "caller" | "target" | "sipCallId"
  >;
  /** How the INVITE was answered. */
  final: { code: number; atUs: number; why: string | null } | null;
  lateAnswerUs: number | null;
  byeUs: number | null;
}

/** As the service takes it. */
export interface CallRecord {
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
  caller: string | null;
  called: string | null;
  target: string | null;
  sip_call_id: string | null;
}

/**
 * up: answered, and no end yet. over: all of it is known. partial: it has ended, but the row of its INVITE is
 * missing; it may still come, for each process of the switch writes a file of its own.
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

export function recordOf(call: OpenCall): CallRecord {
  const { about, final, byeUs } = call;
  const ending = !isAnswered(call) ? "refused" : byeUs === null ? "unknown" : "hung_up";
  return {
    id: call.rid,
    started_at: momentOf(call.startedUs),
    answered_at: ending === "refused" ? null : momentOrNull(answerOf(call)),
    ended_at: momentOrNull(ending === "refused" ? final!.atUs : byeUs),
    ending,
    number_id: about.numberId,
    mode: about.mode,
    generation: about.generation,
    trunk: about.trunk,
    code: final?.code ?? (call.lateAnswerUs === null ? null : 200),
    why: final ? final.why : call.lateAnswerUs === null ? null : "late_answer",
    caller: about.caller,
    called: about.called,
    target: about.target,
    sip_call_id: about.sipCallId,
  };
}

/** Whether a row that came after its record was made says nothing else than the record. */
export function isIn(record: CallRecord, row: AccRow): boolean {
  const at = momentOf(row.atUs);
  if (row.kind === "bye") return record.ended_at === at;
  if (row.kind === "answer") return record.answered_at !== null && record.answered_at <= at;
  return (record.ending === "refused" ? record.ended_at : record.answered_at) === at;
}

const NOTHING_YET = { final: null, lateAnswerUs: null, byeUs: null };

function withRow(call: OpenCall, row: AccRow): OpenCall {
  const { code, atUs, why } = row;
  if (row.kind === "bye") return { ...call, byeUs: earlier(call.byeUs, atUs) };
  if (row.kind === "answer") return { ...call, lateAnswerUs: earlier(call.lateAnswerUs, atUs) };
  return { ...call, final: better(call.final, { code, atUs, why }) };
}

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

function earlier(one: number | null, other: number): number {
  return one === null ? other : Math.min(one, other);
}

function aboutOf(row: AccRow): OpenCall["about"] {
  const { numberId, called, mode, generation, trunk, caller, target, sipCallId } = row;
  return { numberId, called, mode, generation, trunk, caller, target, sipCallId };
}

/** What the one does not say is taken from the other. */
function filled(one: OpenCall["about"], other: OpenCall["about"]): OpenCall["about"] {
  const said = Object.entries(one).filter(([, value]) => value !== null);
  return { ...other, ...Object.fromEntries(said) };
}

function momentOf(us: number): string {
  const micros = String(us % 1000).padStart(3, "0");
  return new Date(Math.floor(us / 1000)).toISOString().replace("Z", `${micros}Z`);
}

function momentOrNull(us: number | null): string | null {
  return us === null ? null : momentOf(us);
}
