import type { TargetHealth, TargetState } from "./connections.schema.ts";
import type { ReadingRow } from "./connections.store.ts";

/** The worst that any switch says counts for all: calls may come by that one. */
const WORST_FIRST: TargetState[] = ["down", "unknown", "up"];

/** Summarises the recent reports of switches on a target. */
export function healthOf(readings: readonly ReadingRow[]): TargetHealth {
  const switches = readings.map(shownReading);
  const worst = WORST_FIRST.find((state) => switches.some((one) => one.state === state));
  return { state: worst ?? "unknown", switches };
}

function shownReading({
  switch: name,
  state,
  addresses,
  since,
  checked_at: checkedAt,
  is_fresh,
}: ReadingRow) {
  const shown = { switch: name, checked_at: momentOf(checkedAt) };
  if (!is_fresh || state === null) return { ...shown, state: "unknown" as const, addresses: [], since: null };
  return { ...shown, state, addresses: addresses ?? [], since: momentOf(since) };
}

function momentOf(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}
