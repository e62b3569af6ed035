import { callText } from "./call-text.ts";
import { offsetOf } from "./call-verdict.ts";
import { sipCode } from "./sip-codes.ts";
import type { CallEvidence } from "./CallParties.tsx";

export interface LadderMessage {
  /** Milliseconds since the call arrived. */
  at: number;
  /** Indexes of lanes. */
  from: number;
  to: number;
  label: string;
  tone: "plain" | "good" | "bad";
}

export interface Ladder {
  lanes: readonly string[];
  messages: readonly LadderMessage[];
}

type Attempt = CallEvidence["attempts"][number];

const CALLER = 0;
const SWITCH = 1;
const { messages: words } = callText;

/** Messages that follow from the record of the call. Provisional responses and ACKs are not recorded. */
export function ladderOf(call: CallEvidence): Ladder {
  const { attempts } = call;
  const targets = [...new Set(attempts.map(laneOf))];
  const lanes = [callText.caller, call.switch ?? callText.theSwitch, ...targets];
  const laneAt = (attempt: Attempt): number => 2 + targets.indexOf(laneOf(attempt));
  const messages = [
    message(0, [CALLER, SWITCH], words.invite),
    ...attempts.flatMap((attempt) => triedTarget(call, attempt, laneAt(attempt))),
    ...towardsCaller(call),
    ...endOf(call, attempts.length > 0 ? laneAt(attempts.at(-1)!) : undefined),
  ];
  return { lanes, messages: messages.toSorted((one, other) => one.at - other.at) };
}

/** A target without a host name, such as a gateway, appears by address. */
export function laneOf({ host, address }: Attempt): string {
  return host ?? address;
}

function message(
  at: number,
  [from, to]: readonly [number, number],
  label: string,
  tone: LadderMessage["tone"] = "plain",
): LadderMessage {
  return { at, from, to, label, tone };
}

function triedTarget(call: CallEvidence, attempt: Attempt, lane: number): LadderMessage[] {
  const { started_at: startedAt, ringing_at: ringingAt, ended_at: endedAt, code, outcome } = attempt;
  const messages = [message(offsetOf(call, startedAt), [SWITCH, lane], words.invite)];
  if (ringingAt !== null) messages.push(message(offsetOf(call, ringingAt), [lane, SWITCH], words.ringing));
  if (endedAt === null) return messages;
  const at = offsetOf(call, endedAt);
  if (outcome === "cancelled" || (outcome === "no_answer" && code === null))
    messages.push(message(at, [SWITCH, lane], words.cancel));
  if (code !== null)
    messages.push(message(at, [lane, SWITCH], sipCode(code), outcome === "answered" ? "good" : toneOf(code)));
  else if (outcome === "unreachable") messages.push(message(at, [lane, SWITCH], words.none, "bad"));
  return messages;
}

/** Busy targets and callers who hang up are normal ends of a call. */
function toneOf(code: number): LadderMessage["tone"] {
  return [486, 487, 600, 603].includes(code) ? "plain" : "bad";
}

function towardsCaller(call: CallEvidence): LadderMessage[] {
  const { setup_ms: setup, ring_ms: ring, answered_at: answeredAt, ended_at: endedAt, code, result } = call;
  const towards = [SWITCH, CALLER] as const;
  const ringing = setup !== null && ring !== null ? [message(setup, towards, words.ringing)] : [];
  if (answeredAt !== null)
    return [...ringing, message(offsetOf(call, answeredAt), towards, sipCode(200), "good")];
  if (endedAt === null) return ringing;
  const at = offsetOf(call, endedAt);
  const cancel = result === "cancelled" ? [message(at, [CALLER, SWITCH], words.cancel)] : [];
  return [
    ...ringing,
    ...cancel,
    ...(code === null ? [] : [message(at, towards, sipCode(code), toneOf(code))]),
  ];
}

/** The party that hangs up sends BYE, and the switch passes it on. */
function endOf(call: CallEvidence, target: number | undefined): LadderMessage[] {
  const { answered_at: answeredAt, ended_at: endedAt, ended_by: by } = call;
  if (answeredAt === null || endedAt === null || target === undefined) return [];
  const bye = (from: number, to: number): LadderMessage =>
    message(offsetOf(call, endedAt), [from, to], words.bye);
  if (by === "caller") return [bye(CALLER, SWITCH), bye(SWITCH, target)];
  if (by === "callee") return [bye(target, SWITCH), bye(SWITCH, CALLER)];
  return by === "switch" ? [bye(SWITCH, CALLER), bye(SWITCH, target)] : [];
}
