/** The finding, and why a number is suspended for it. */
export const NOT_AT_CARRIER = "not_at_carrier";

/** The time between what a rolled-back database still has and when the rollback was noticed. */
export interface Rollback {
  /** Null if it is not known how far back the database went. */
  newest_row_at: Date | null;
  began_at: Date;
}

/** The rollback in whose lost time a number may have been bought. A carrier that does not say when leaves it open. */
export function lostBy(boughtAt: string | null, rollbacks: readonly Rollback[]): Rollback | undefined {
  const at = boughtAt === null ? undefined : Date.parse(boughtAt);
  return rollbacks.find(
    ({ newest_row_at: newest, began_at: began }) =>
      at === undefined || ((newest === null || at > newest.getTime()) && at <= began.getTime()),
  );
}

export interface OurNumber {
  e164: string;
  holding_id: string | null;
  is_in_flux: boolean;
}

export type Finding =
  | { kind: "not_at_carrier"; e164: string; holdingId: string; boughtFor: null }
  | { kind: "not_here"; e164: string; holdingId: null; boughtFor: string | null }
  | {
      kind: "delivered_elsewhere";
      e164: string;
      holdingId: string;
      boughtFor: null;
      /** Trunk that the carrier reported. */
      found: string | null;
      expected: string;
    };

/**
 * Mismatches between our numbers and the carrier's list. Ours are read before and after that list, which takes a
 * while: changes in between do not count. `owned` maps each number to the organisation it was bought for.
 */
export function differences(
  before: readonly OurNumber[],
  owned: ReadonlyMap<string, string | null>,
  after: readonly OurNumber[],
): Finding[] {
  const known = new Set([...before, ...after].map(({ e164 }) => e164));
  const inFlux = new Set(
    [...before, ...after].filter(({ is_in_flux }) => is_in_flux).map(({ e164 }) => e164),
  );
  const heldBefore = new Set(before.map(({ holding_id }) => holding_id));
  const missing = after
    .filter(({ e164, holding_id }) => holding_id && heldBefore.has(holding_id) && !inFlux.has(e164))
    .filter(({ e164 }) => !owned.has(e164))
    .map(({ e164, holding_id }): Finding => ({
      kind: "not_at_carrier",
      e164,
      holdingId: holding_id!,
      boughtFor: null,
    }));
  const orphans = [...owned]
    .filter(([e164]) => !known.has(e164))
    .map(([e164, boughtFor]): Finding => ({ kind: "not_here", e164, holdingId: null, boughtFor }));
  return [...missing, ...orphans].toSorted((one, other) => (one.e164 < other.e164 ? -1 : 1));
}
