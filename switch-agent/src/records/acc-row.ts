import { type CallEvents, microseconds, readEvents } from "./call-events.ts";

/** Accounting row of one transaction of a call. Times are microseconds since 1970. */
export interface AccRow {
  /**
   * end: a BYE, or the switch ended the call itself. answer: an ACK of a call whose own answer left no row, because the switch
   * was being restarted.
   */
  kind: "invite" | "end" | "answer";
  isBySwitch: boolean;
  /** From tag of the request; null if the switch ended the call. */
  fromTag: string | null;
  /** ID of the call and of its record. */
  rid: string;
  code: number;
  atUs: number;
  startedUs: number;
  numberId: string | null;
  called: string | null;
  mode: CallMode | null;
  generation: number | null;
  trunk: string | null;
  caller: string | null;
  target: string | null;
  sipCallId: string | null;
  why: string | null;
  events: CallEvents;
}

export type CallMode = "sip_uri" | "connection" | "unrouted" | "forward" | "webhook";

/** As acc and db_extra of kamailio.cfg name them, in their order; earlier switches wrote no events. */
const COLUMNS = 14;
const COLUMNS_BEFORE_EVENTS = 13;
/** If the switch ends a call, the dialog module fakes an OPTIONS request. Its tags and Call-ID mean nothing. */
const BY_SWITCH = "OPTIONS";
const KINDS: Record<string, AccRow["kind"]> = {
  INVITE: "invite",
  BYE: "end",
  ACK: "answer",
  [BY_SWITCH]: "end",
};
const MODES: Record<string, CallMode> = {
  u: "sip_uri",
  c: "connection",
  n: "unrouted",
  f: "forward",
  w: "webhook",
};

/**
 * The row in a line. A switch that was killed, or had no room left, may have left the beginning of another row
 * before it, without an end: then `isTorn`. Undefined if the line contains no complete row.
 */
export function readRow(line: string): { row: AccRow; isTorn: boolean } | undefined {
  const fields = line.split("|");
  return rowAtEnd(fields, COLUMNS) ?? rowAtEnd(fields, COLUMNS_BEFORE_EVENTS);
}

function rowAtEnd(fields: string[], columns: number): { row: AccRow; isTorn: boolean } | undefined {
  if (fields.length < columns) return undefined;
  const own = fields.slice(-columns);
  const method = /(INVITE|BYE|ACK|OPTIONS)$/.exec(own[0]!)?.[1];
  const row = method && rowOf(method, own);
  if (!row) return undefined;
  return { row, isTorn: fields.length > columns || own[0] !== method };
}

function rowOf(method: string, fields: string[]): AccRow | undefined {
  const [, fromTag, , callId, code, , , us, call, caller, target, , why, events = ""] = fields;
  const [rid, held, mode, generation, started = "", trunk = "", ...called] = call!.split("~");
  const atUs = microseconds(us!);
  const startedUs = microseconds(started);
  if (!/^[0-9a-f]{32}$/.test(rid!) || !/^[1-6]\d\d$/.test(code!)) return undefined;
  if (atUs === undefined || startedUs === undefined) return undefined;
  const isBySwitch = method === BY_SWITCH;
  return {
    kind: KINDS[method]!,
    isBySwitch,
    fromTag: isBySwitch ? null : text(fromTag!, 255),
    rid: rid!,
    code: Number(code),
    atUs,
    startedUs,
    numberId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(held!) ? held! : null,
    called: text(called.join("~"), 255),
    mode: MODES[modeLetter(mode!)] ?? null,
    generation: /^\d{1,15}$/.test(generation!) ? Number(generation) : null,
    trunk: text(trunk, 100),
    caller: text(caller!, 255),
    target: text(target!, 500),
    sipCallId: isBySwitch ? null : text(callId!, 255),
    why: text(why!, 64),
    events: readEvents(text(events, 20_000) ?? "", { startedUs, target: text(target!, 500) }),
  };
}

/** A number with failover has a capital letter, and the step behind it if that is not the first. */
function modeLetter(mode: string): string {
  return /^[A-Z][23]?$/.test(mode) ? mode[0]!.toLowerCase() : mode;
}

/** Removes characters that break databases or terminals, because callers control this text. */
function text(given: string, maxLength: number): string | null {
  // db_flatstore's encode_delimiter writes a bar in a value so.
  const plain = given.replaceAll("%7C", "|").replaceAll(/\p{Cc}|\p{Cs}/gu, "");
  // Not through the middle of a character.
  const cut = plain.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
  return cut === "" ? null : cut;
}
