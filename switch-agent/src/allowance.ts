/** Part of an organisation's forwarding limits that this switch enforces. */
export interface Allowance {
  organisationId: string;
  version: number;
  /** Null: no limit. The same for `calls` and `seconds`, which count per UTC day. */
  callsAtOnce: number | null;
  calls: number | null;
  seconds: number | null;
  /** Caller ID: `pass`, `called`, or a number in E.164 format. */
  caller: string;
  identity: "keep" | "drop";
}

/** Forwarded calls of an organisation. */
export interface ForwardingUse {
  organisationId: string;
  /** UTC day, in days since 1970. */
  day: number;
  /** Calls that were forwarded on that day. */
  calls: number;
  /** Seconds of calls that ended on that day. */
  seconds: number;
  /** Calls in progress, if known. */
  callsNow?: number;
}

const DAY_MS = 86_400_000;

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
