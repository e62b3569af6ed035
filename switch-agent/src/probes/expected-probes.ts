import type { AccRow } from "../records/acc-row.ts";
import type { ExpectedProbe } from "./probe-service.ts";

/** Trunk of calls that the agent itself places. */
export const PROBE_TRUNK = "-probe";
/** Why a row has no call: the switch recognised a probe. */
const PROBE_REASON = "probe";
/** Carriers write the country code in their own way, or not at all. */
const COMPARED_DIGITS = 7;
/** The row of a call can be read after its probe has ended. */
const KEPT_MS = 120_000;

/** The last digits of a number, by which a caller is recognised however a carrier writes it. */
export function lastDigits(number: string): string {
  return number.replaceAll(/\D/g, "").slice(-COMPARED_DIGITS);
}

/** Separates rows of probes from rows of calls. Only calls are counted. */
export class ExpectedProbes {
  readonly #known = new Map<string, { probe: ExpectedProbe; untilMs: number }>();
  readonly #seen: (probe: ExpectedProbe, row: AccRow) => void;

  constructor(seen: (probe: ExpectedProbe, row: AccRow) => void) {
    this.#seen = seen;
  }

  expect(probes: readonly ExpectedProbe[]): void {
    const nowMs = performance.now();
    for (const probe of probes) this.#known.set(probe.id, { probe, untilMs: nowMs + KEPT_MS });
    for (const [id, { untilMs }] of this.#known) if (untilMs < nowMs) this.#known.delete(id);
  }

  /** Whether the row is a probe's. */
  take(row: AccRow): boolean {
    const found = [...this.#known.values()].find(({ probe }) => isOf(row, probe));
    if (found && row.kind === "invite") this.#seen(found.probe, row);
    return found !== undefined || row.trunk === PROBE_TRUNK || row.why === PROBE_REASON;
  }
}

function isOf({ called, caller, trunk }: AccRow, probe: ExpectedProbe): boolean {
  if (called === null || caller === null || !isSameNumber(called, probe.number)) return false;
  return probe.caller === null ? trunk === PROBE_TRUNK : isSameNumber(caller, probe.caller);
}

/** A call that was rejected early has its number as the trunk wrote it. */
function isSameNumber(sent: string, e164: string): boolean {
  if (sent === e164) return true;
  const digits = lastDigits(sent);
  return digits.length === COMPARED_DIGITS && digits === lastDigits(e164);
}
