/** A switch's part of a limit. */
export interface Part {
  switchId: string;
  /** The most that the switch may enforce now. Null before its first part. */
  most: number | null;
  used: number;
  /** Whether the switch has numbers of the organisation. */
  isServing: boolean;
}

/**
 * The part of `limit` for a switch: what it has used, and of the rest half in equal parts and half in proportion
 * to use. Other switches keep what they may enforce, so all parts together never exceed the limit.
 */
export function divide(limit: number, switchId: string, parts: readonly Part[]): number {
  const wanted = wantedParts(limit, parts).get(switchId) ?? 0;
  const others = parts.filter((part) => part.switchId !== switchId);
  const left = others.reduce((rest, { most }) => rest - (most ?? 0), limit);
  return Math.max(0, Math.min(wanted, left));
}

function wantedParts(limit: number, parts: readonly Part[]): Map<string, number> {
  const used = parts.reduce((sum, part) => sum + part.used, 0);
  const rest = Math.max(0, limit - used);
  const serving = parts.some(({ isServing }) => isServing) ? parts.filter((part) => part.isServing) : parts;
  const shareOf = (part: Part): number => {
    const equal = serving.includes(part) ? 1 / serving.length : 0;
    return used === 0 ? equal : (equal + part.used / used) / 2;
  };
  const shares = parts.map((part) => ({ part, share: rest * shareOf(part) }));
  const wanted = new Map(shares.map(({ part, share }) => [part.switchId, part.used + Math.floor(share)]));
  // The largest fractions are rounded up: an idle switch gets some of a small limit. Of equal ones, the busiest.
  const remainder = used + rest - [...wanted.values()].reduce((sum, part) => sum + part, 0);
  const byFraction = shares.toSorted(
    (one, other) =>
      (other.share % 1) - (one.share % 1) || other.part.used - one.part.used || compare(one.part, other.part),
  );
  for (const { part } of byFraction.slice(0, remainder))
    wanted.set(part.switchId, wanted.get(part.switchId)! + 1);
  return wanted;
}

const compare = (one: Part, other: Part): number => (one.switchId < other.switchId ? -1 : 1);

const DAY_MS = 86_400_000;

/** UTC day, in days since 1970. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);
