/** The part of a trunk that decides whose requests a switch accepts. */
export interface AcceptingTrunk {
  direction: "in" | "out" | "both";
  sources: readonly string[];
  transport: "udp" | "tcp" | "tls";
  /** IDs of the switches that have it. Empty: all switches of the group, including later ones. */
  switches: readonly string[];
}

/** First and last address. */
interface Range {
  first: number;
  last: number;
}

/** A trunk of a stricter transport rejects senders that a less strict one accepts. */
const STRICTNESS = { udp: 0, tcp: 1, tls: 2 } as const;
const ALL = "all";

/**
 * Networks of the wanted trunks that can send something that the current trunks reject, by address, transport, kind of
 * request or switch. Sorted, without duplicates.
 */
export function openedNetworks(
  current: readonly AcceptingTrunk[],
  wanted: readonly AcceptingTrunk[],
): string[] {
  const opened = wanted.flatMap((trunk) => {
    const scopes = trunk.switches.length > 0 ? trunk.switches : [ALL];
    const accepted = scopes.map((scope) => acceptedRanges(current, trunk, scope));
    return trunk.sources.filter((source) => accepted.some((ranges) => !covers(ranges, rangeOf(source))));
  });
  return canonicalNetworks(opened);
}

/** Each network once, in the form with its first address, ordered by address. */
export function canonicalNetworks(networks: readonly string[]): string[] {
  return [...new Set(networks.map(canonicalNetwork))].toSorted(
    (one, other) => rangeOf(one).first - rangeOf(other).first || rangeOf(other).last - rangeOf(one).last,
  );
}

export function shareAddresses(one: string, other: string): boolean {
  const [first, second] = [rangeOf(one), rangeOf(other)];
  return first.first <= second.last && second.first <= first.last;
}

/** Whether there can be a switch that has both trunks. */
export function canMeet(
  one: Pick<AcceptingTrunk, "switches">,
  other: Pick<AcceptingTrunk, "switches">,
): boolean {
  if (one.switches.length === 0 || other.switches.length === 0) return true;
  return one.switches.some((id) => other.switches.includes(id));
}

/** Ranges from which a switch already accepts whatever this trunk may send. */
function acceptedRanges(
  current: readonly AcceptingTrunk[],
  { direction, transport }: AcceptingTrunk,
  scope: string,
): Range[] {
  return current
    .filter(
      (one) =>
        strengthOf(one.direction) >= strengthOf(direction) &&
        STRICTNESS[one.transport] <= STRICTNESS[transport] &&
        (one.switches.length === 0 || one.switches.includes(scope)),
    )
    .flatMap(({ sources }) => sources.map(rangeOf));
}

/** Trunks that only take calls can send requests within these, and no new calls. */
function strengthOf(direction: AcceptingTrunk["direction"]): number {
  return direction === "out" ? 0 : 1;
}

/** Whether the ranges together contain every address of this one. */
function covers(ranges: readonly Range[], { first, last }: Range): boolean {
  let next = first;
  for (const range of ranges.toSorted((one, other) => one.first - other.first)) {
    if (range.first > next) break;
    next = Math.max(next, range.last + 1);
  }
  return next > last;
}

function canonicalNetwork(network: string): string {
  const { first, last } = rangeOf(network);
  const base = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join(".");
  const bits = 32 - Math.log2(last - first + 1);
  return bits === 32 ? base : `${base}/${bits}`;
}

function rangeOf(network: string): Range {
  const [address = "", bits = "32"] = network.split("/");
  const size = 2 ** (32 - Number(bits));
  const value = address.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const first = value - (value % size);
  return { first, last: first + size - 1 };
}
