export interface Timing {
  /** A sign of life this often when there is nothing else to say; the line is dropped after three silent ones. */
  heartbeatMs: number;
  auditMs: number;
  /** After this an unanswered item no longer holds up the others of its shard. */
  pendingAfterMs: number;
  /** After this an unanswered item counts as failed. */
  failedAfterMs: number;
  retryMinMs: number;
  retryMaxMs: number;
  reconnectMinMs: number;
  reconnectMaxMs: number;
  /** Delay before a rejected credential is used again. */
  deniedMs: number;
  /** How long a start waits for the feed to catch up before it compares the switch with what is stored. */
  graceMs: number;
  /** How long a stop waits for what is in progress. */
  stopMs: number;
}

export const DEFAULT_TIMING: Timing = {
  heartbeatMs: 5_000,
  auditMs: 60_000,
  pendingAfterMs: 300,
  failedAfterMs: 5_000,
  retryMinMs: 1_000,
  retryMaxMs: 60_000,
  reconnectMinMs: 100,
  reconnectMaxMs: 10_000,
  deniedMs: 10_000,
  graceMs: 1_000,
  stopMs: 1_000,
};

/** Doubles from `minMs` to `maxMs`; the first attempt is number 0. */
export function backOffMs(attempt: number, minMs: number, maxMs: number): number {
  return jitteredMs(Math.min(maxMs, minMs * 2 ** Math.min(attempt, 30)));
}

/** Between half and all of it: a thousand agents that lost one service do not come back in one moment. */
export function jitteredMs(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}
