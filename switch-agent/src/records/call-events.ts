/** A target that the switch tried. Moments are microseconds since 1970. */
export interface TriedTarget {
  step: number;
  mode: AttemptMode;
  /** As the routing names it: a name or an address. */
  host: string | null;
  address: string;
  transport: string;
  /** The trunk whose gateway took a forwarded call. */
  gateway: string | null;
  startedUs: number;
  ringingUs: number | null;
  /** Null if no other target was tried: then the INVITE's row has the result. */
  end: { atUs: number; how: "silent" | "timed_out" | "not_sent" | "replied"; code: number | null } | null;
}

export type AttemptMode = "sip_uri" | "connection" | "forward";

/** Events of a call, from the last column of its row. */
export interface CallEvents {
  attempts: TriedTarget[];
  /** Q.850 cause. Null if the peer sent none. */
  q850: number | null;
  /** The caller as a trusted trunk asserts it. */
  asserted: string | null;
  /** Organisations that pay for forwarding, one for each step that forwards the call. Earlier agents did not store them. */
  payers?: Payer[];
}

export interface Payer {
  organisationId: string;
  /** UTC day, in days since 1970. */
  day: number;
}

/** Values from the row's other columns. */
interface RowContext {
  startedUs: number;
  target: string | null;
}

const MODES: Record<string, AttemptMode> = { u: "sip_uri", c: "connection", f: "forward" };
const ENDS = { s: "silent", t: "timed_out", n: "not_sent" } as const;
/** A connection has 20 targets of several addresses each. Further attempts are dropped. */
const MOST_ATTEMPTS = 100;

/** A caret separates entries, and a space separates words. A URI contains neither. */
export function readEvents(column: string, row: RowContext): CallEvents {
  const events: CallEvents = { attempts: [], q850: null, asserted: null };
  for (const entry of column.split("^")) {
    const [kind, ...words] = entry.split(" ");
    const last = events.attempts.at(-1);
    if (kind === "t") {
      const tried = targetOf(words, row);
      // A gateway that asks for a password gets the same call again.
      const isSame = tried && last && !last.end && last.address === tried.address;
      if (tried && !isSame && events.attempts.length < MOST_ATTEMPTS) events.attempts.push(tried);
    }
    if (kind === "r" && last) last.ringingUs ??= microseconds(words[0]!) ?? null;
    if (kind === "e" && last) last.end ??= endOf(words);
    if (kind === "p") events.payers = [...(events.payers ?? []), ...payerOf(words)];
    if (kind === "q") events.q850 = causeOf(words[0]);
    if (kind === "a") events.asserted = decoded(words[0]!);
  }
  return events;
}

function targetOf(
  [way = "", us = "", leg = "", about = ""]: string[],
  row: RowContext,
): TriedTarget | undefined {
  const mode = MODES[way[0] ?? ""];
  // The first target of a call is tried as soon as the call comes.
  const startedUs = us === "-" ? row.startedUs : microseconds(us);
  const [address, port, transport] = leg.split("~");
  if (!mode || startedUs === undefined || !address || !port || !transport) return undefined;
  return {
    step: Number(way.slice(1)) || 1,
    mode,
    host: mode === "forward" ? null : hostIn(about || (row.target ?? "")),
    address: `${address}:${port}`,
    transport,
    gateway: mode === "forward" && about !== "" ? about : null,
    startedUs,
    ringingUs: null,
    end: null,
  };
}

function payerOf([day = "", organisationId = ""]: string[]): Payer[] {
  const isWhole = /^\d{1,6}$/.test(day) && /^[0-9a-f-]{36}$/.test(organisationId);
  return isWhole ? [{ organisationId, day: Number(day) }] : [];
}

/** From a URI, or from the attributes of a dispatcher's destination. */
function hostIn(about: string): string | null {
  const named = /(?:^|;)host=([^;]+)/.exec(about) ?? /^sips?:(?:[^@]*@)?(\[[^\]]+\]|[^:;?]+)/i.exec(about);
  return named?.[1]?.slice(0, 253) ?? null;
}

function endOf([us = "", how = ""]: string[]): TriedTarget["end"] {
  const atUs = microseconds(us);
  if (atUs === undefined) return null;
  if (how in ENDS) return { atUs, how: ENDS[how as keyof typeof ENDS], code: null };
  return /^[2-6]\d\d$/.test(how) ? { atUs, how: "replied", code: Number(how) } : null;
}

/** Seconds, a point, and microseconds as a whole number. */
export function microseconds(given: string): number | undefined {
  const [, seconds, micros] = /^(\d{10})\.(\d{1,6})$/.exec(given) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000_000 + Number(micros);
}

/** Q.850 has seven bits. */
function causeOf(text = ""): number | null {
  return /^\d{1,3}$/.test(text) && Number(text) <= 127 ? Number(text) : null;
}

function decoded(user: string): string | null {
  try {
    return (
      decodeURIComponent(user)
        .replaceAll(/\p{Cc}/gu, "")
        .slice(0, 255) || null
    );
  } catch {
    return user.slice(0, 255);
  }
}
