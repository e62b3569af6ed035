export const SWITCH_STATES = ["active", "draining", "retired"] as const;
/** State set by the operator. */
export type SwitchState = (typeof SWITCH_STATES)[number];

export const SHOWN_STATES = ["active", "draining", "unreachable", "retired"] as const;

interface SeenSwitch {
  state: SwitchState;
  last_seen_at: Date | null;
  created_at: Date;
  unreachable_after_seconds: number;
}

/** A switch that fell silent, or never said anything, is unreachable, whatever was decided but retirement. */
export function shownState(row: SeenSwitch, now: Date): (typeof SHOWN_STATES)[number] {
  if (row.state === "retired") return row.state;
  const silentMs = now.getTime() - (row.last_seen_at ?? row.created_at).getTime();
  return silentMs > row.unreachable_after_seconds * 1000 ? "unreachable" : row.state;
}
