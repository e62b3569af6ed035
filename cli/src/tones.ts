import type { Tone } from "./cli-terminal.ts";

const SYNC: Record<string, Tone> = {
  in_sync: "good",
  failed: "bad",
  drifted: "bad",
  pending: "odd",
  unknown: "odd",
};
const HEALTH: Record<string, Tone> = { up: "good", down: "bad", unknown: "odd" };
const STATUS: Record<string, Tone> = {
  suspended: "bad",
  failed: "bad",
  revoked: "faint",
  expired: "faint",
  released: "faint",
  releasing: "odd",
  quarantined: "odd",
  waiting: "odd",
  action_required: "odd",
  missing: "odd",
  rejected: "bad",
  accepted: "good",
  partially_succeeded: "odd",
  partially_completed: "odd",
  succeeded: "good",
  completed: "good",
};

const PROBE: Record<string, Tone> = {
  proved: "good",
  broken: "bad",
  failed: "bad",
  running: "odd",
  not_tested: "faint",
};

/** Colour only repeats what the word says. */
export function toneOfSync(status: string | undefined): Tone | undefined {
  return SYNC[status ?? ""];
}

export function toneOfHealth(state: string): Tone | undefined {
  return HEALTH[state];
}

export function toneOfStatus(status: string): Tone | undefined {
  return STATUS[status];
}

export function toneOfProbe(status: string): Tone | undefined {
  return PROBE[status];
}
