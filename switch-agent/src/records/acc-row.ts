/** What the switch wrote down about one transaction of a call. Moments are microseconds since 1970. */
export interface AccRow {
  /** answer: an ACK of a call whose own answer left no row, because the switch was being restarted. */
  kind: "invite" | "bye" | "answer";
  /** Of the call, and so of its record. */
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
}

export type CallMode = "sip_uri" | "connection" | "unrouted" | "forward" | "webhook";

/** As acc and db_extra of kamailio.cfg name them, in their order. */
const COLUMNS = 13;
const KINDS: Record<string, AccRow["kind"]> = { INVITE: "invite", BYE: "bye", ACK: "answer" };
const MODES: Record<string, CallMode> = {
  u: "sip_uri",
  c: "connection",
  n: "unrouted",
  f: "forward",
  w: "webhook",
};

/**
 * The row in a line. A switch that was killed, or had no room left, may have left the beginning of another row
 * before it, without an end: then `isTorn`. Nothing where no row is to be made out.
 */
export function readRow(line: string): { row: AccRow; isTorn: boolean } | undefined {
  const fields = line.split("|");
  if (fields.length < COLUMNS) return undefined;
  const own = fields.slice(-COLUMNS);
  const method = /(INVITE|BYE|ACK)$/.exec(own[0]!)?.[1];
  const row = method && rowOf(KINDS[method]!, own);
  if (!row) return undefined;
  return { row, isTorn: fields.length > COLUMNS || own[0] !== method };
}

function rowOf(kind: AccRow["kind"], fields: string[]): AccRow | undefined {
  const [, , , callId, code, , , us, call, caller, target, , why] = fields;
  const [rid, held, mode, generation, started = "", trunk = "", ...called] = call!.split("~");
  const atUs = microseconds(us!);
  const startedUs = microseconds(started);
  if (!/^[0-9a-f]{32}$/.test(rid!) || !/^[1-6]\d\d$/.test(code!)) return undefined;
  if (atUs === undefined || startedUs === undefined) return undefined;
  return {
    kind,
    rid: rid!,
    code: Number(code),
    atUs,
    startedUs,
    numberId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(held!) ? held! : null,
    called: text(called.join("~"), 255),
    mode: MODES[mode!] ?? null,
    generation: /^\d{1,15}$/.test(generation!) ? Number(generation) : null,
    trunk: text(trunk, 100),
    caller: text(caller!, 255),
    target: text(target!, 500),
    sipCallId: text(callId!, 255),
    why: text(why!, 64),
  };
}

/** Seconds, a point, and microseconds as a whole number. */
function microseconds(given: string): number | undefined {
  const [, seconds, micros] = /^(\d{10})\.(\d{1,6})$/.exec(given) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000_000 + Number(micros);
}

/** What callers send ends up in here: nothing that a database or a terminal could stumble over. */
function text(given: string, maxLength: number): string | null {
  // db_flatstore's encode_delimiter writes a bar in a value so.
  const plain = given.replaceAll("%7C", "|").replaceAll(/\p{Cc}|\p{Cs}/gu, "");
  // Not through the middle of a character.
  const cut = plain.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
  return cut === "" ? null : cut;
}
