import { expect } from "vitest";
import type {
  CarrierOrder,
  CarrierOrderItem,
  Ordering,
  OrderingCarrier,
  OwnedNumber,
  ReleaseState,
  Side,
  WantedOrder,
  WantedRelease,
} from "../carrier.ts";
import { newId } from "../../../platform/ids.ts";

/** A carrier under test, and the handles by which a test makes it have something. */
export interface OpenedOrdering extends AsyncDisposable {
  carrier: OrderingCarrier;
  /** Two customers. */
  organisations: readonly [string, string];
  /** The environment the carrier sells to. In the test environment, every organisation has the numbers to itself. */
  environment: Side["environment"];
  stock(environment: Side["environment"], e164s: readonly string[]): Promise<void>;
  /** Moves the clock, if a carrier decides only after a while. */
  advance?(ms: number): void;
}

/** Of places in the United States. +1 … 555 0100 is fiction in each of them, and nothing special in the test environment. */
const AREAS = [
  201, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228, 229, 231,
  234, 239, 240, 248, 251, 252, 253, 254, 256, 260, 262, 267, 269, 270, 272, 276, 281, 301, 302, 303, 304,
  305, 307, 308, 309, 310, 312,
];

export type Tried = ReturnType<typeof tryOut>;

/** Operations of a test on a carrier, like those of the service. */
export function tryOut(opened: OpenedOrdering) {
  const { carrier, organisations, environment, stock } = opened;
  const { ordering, inventory } = carrier;
  const [one, other] = organisations;
  const of: Side = { organisationId: one, environment };
  const areas = AREAS.values();
  const spare = (): string => `+1${areas.next().value}5550100`;
  const known = new Set<string>();
  return {
    of,
    rival: { organisationId: environment === "live" ? other : one, environment } satisfies Side,
    ordering,
    inventory,
    /** Returns a number without a holder. */
    spare,
    stock: (e164s: readonly string[]) => stock(environment, e164s),
    async fresh(count: number): Promise<string[]> {
      const e164s = Array.from({ length: count }, spare);
      await stock(environment, e164s);
      return e164s;
    },
    async order(
      e164s: readonly string[],
      {
        reference = newId(),
        by = of,
        reservations,
      }: { reference?: string; by?: Side; reservations?: string[] } = {},
    ): Promise<Outcomes> {
      const wanted = { reference, e164s, reservations };
      const isFirst = !known.has(reference);
      known.add(reference);
      const first = await ordering.order(by, { ...wanted, isFirst });
      expect(first.items.map(({ e164 }) => e164).toSorted()).toEqual(e164s.toSorted());
      return settle(opened, by, wanted, first);
    },
    release: (e164: string, { reference = newId(), boughtAs }: Partial<WantedRelease> = {}) =>
      giveBack(opened, of, { reference, e164, boughtAs }),
    owned: () => listOwned(ordering),
  };
}

/** A carrier that is still pending after this many queries never finishes. */
const QUESTIONS = 50;
/** Between two questions, where the time can be moved. */
const LATER_MS = 60_000;

/** Asks until nothing is pending, and orders again what the carrier does not know of. */
async function settle(
  { carrier: { ordering }, advance }: OpenedOrdering,
  by: Side,
  wanted: WantedOrder,
  first: CarrierOrder,
): Promise<Outcomes> {
  const outcomes = outcomesOf(first);
  for (let asked = 0; Object.values(outcomes).includes("pending"); asked++) {
    expect(asked, "questions").toBeLessThan(QUESTIONS);
    advance?.(LATER_MS);
    const status = await ordering.orderStatus(by, wanted.reference);
    const named = status ? outcomesOf(status) : {};
    const e164s = wanted.e164s.filter((e164) => outcomes[e164] === "pending" && !named[e164]);
    const rest = e164s.length > 0 ? outcomesOf(await ordering.order(by, { ...wanted, e164s })) : {};
    Object.assign(outcomes, named, rest);
  }
  return outcomes;
}

/** Queries until the result is final, and repeats a release that the carrier does not know. */
async function giveBack(
  { carrier: { ordering }, advance }: OpenedOrdering,
  of: Side,
  wanted: WantedRelease,
): Promise<ReleaseState> {
  let state = await ordering.release(of, wanted);
  for (let asked = 0; state === "pending"; asked++) {
    expect(asked, "questions").toBeLessThan(QUESTIONS);
    advance?.(LATER_MS);
    state = (await ordering.releaseStatus(of, wanted)) ?? (await ordering.release(of, wanted));
  }
  return state;
}

/** Everything that is paid for. */
async function listOwned(ordering: Ordering): Promise<OwnedNumber[]> {
  const numbers: OwnedNumber[] = [];
  for (let after: string | undefined, page = 0; page === 0 || after !== undefined; page++) {
    const { numbers: some, next } = await ordering.list(after);
    numbers.push(...some.map(({ e164, reference, boughtAt }) => ({ e164, reference, boughtAt })));
    after = next;
  }
  return numbers;
}

export type Outcomes = Record<string, CarrierOrderItem["outcome"]>;

export function outcomesOf({ items }: CarrierOrder): Outcomes {
  return Object.fromEntries(items.map(({ e164, outcome }) => [e164, outcome]));
}
