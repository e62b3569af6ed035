import { Rejection } from "./memory-rejection.ts";
import { MemoryRequirements, type SubmissionState, type Submitted } from "./memory-requirements.ts";

/**
 * A carrier in memory. Every function decides and records in one step, without waiting: with a database, each is one
 * transaction, and those with the same reference run one after the other. A reference always gets its first response.
 */
export interface Offer {
  number: string;
  country: string | null;
  type: string;
  capabilities: string[];
}

export interface Purchase {
  number: string;
  /** The order that bought it. */
  reference: string;
  organisation: string;
  bought_at: string;
}

export type OrderOutcome = "bought" | "pending" | "rejected";
export type ReleaseState = "released" | "pending" | "rejected";
export type RestoreOutcome = "restored" | "not_available";

export interface OrderItem {
  number: string;
  outcome: OrderOutcome;
}

export interface Page<Item> {
  numbers: Item[];
  next: string | null;
}

export type ReservationOutcome = "available" | "not_available";

interface Reservation {
  organisation: string;
  /** The outcome for each number, as recorded. */
  outcomes: Map<string, ReservationOutcome>;
  /** The numbers it holds now. Empty after a cancellation. */
  held: Set<string>;
  until: number;
}

export interface Search {
  country?: string | undefined;
  type?: string | undefined;
  contains?: string | undefined;
  prefix?: string | undefined;
  after?: string | undefined;
  limit: number;
}

export class MemoryCarrier {
  readonly #offers = new Map<string, Offer>();
  readonly #purchases = new Map<string, Purchase>();
  /** Numbers that came back, and can be restored for as long as they are not sold again. */
  readonly #returned = new Map<string, Purchase>();
  readonly #orders = new Map<string, Map<string, OrderOutcome>>();
  readonly #releases = new Map<string, { number: string; state: ReleaseState }>();
  readonly #restores = new Map<string, { number: string; outcome: RestoreOutcome }>();
  readonly #reservations = new Map<string, Reservation>();
  readonly #deliveries = new Map<string, string>();
  /** Numbers of orders that wait for evidence. */
  readonly #waiting = new Map<string, Purchase>();
  readonly requirements = new MemoryRequirements();
  readonly #trunks: { id: string; name: string }[];
  /** The clock, in milliseconds. */
  now: () => number = Date.now;

  constructor(trunks: { id: string; name: string }[]) {
    this.#trunks = trunks;
  }

  stock(offers: readonly Offer[]): void {
    for (const offer of offers) this.#offers.set(offer.number, offer);
  }

  order(
    reference: string,
    wanted: { organisation: string; numbers: string[]; reservations: string[] },
  ): OrderItem[] {
    let order = this.#orders.get(reference);
    if (!order) {
      order = new Map(wanted.numbers.map((number) => [number, this.#sell(reference, number, wanted)]));
      this.#orders.set(reference, order);
    }
    if (!wanted.numbers.every((number) => order.has(number)))
      throw referenceUsed("an order of other numbers");
    this.#complete(reference, order);
    return wanted.numbers.map((number) => ({ number, outcome: order.get(number)! }));
  }

  orderStatus(reference: string): OrderItem[] | undefined {
    const order = this.#orders.get(reference);
    if (order) this.#complete(reference, order);
    return order && [...order].map(([number, outcome]) => ({ number, outcome }));
  }

  release(
    reference: string,
    { number, boughtAs }: { number: string; boughtAs: string | null },
  ): ReleaseState {
    const earlier = this.#releases.get(reference);
    if (earlier && earlier.number !== number) throw referenceUsed("the release of another number");
    if (earlier) return earlier.state;
    const waiting = this.#waiting.get(number);
    if (waiting && (boughtAs === null || boughtAs === waiting.reference)) {
      this.#waiting.delete(number);
      this.#orders.get(waiting.reference)!.set(number, "rejected");
    }
    const purchase = this.#purchases.get(number);
    // A number that was bought again since belongs to its later purchase.
    if (purchase && (boughtAs === null || boughtAs === purchase.reference)) {
      this.#purchases.delete(number);
      this.#deliveries.delete(number);
      this.#returned.set(number, purchase);
    }
    this.#releases.set(reference, { number, state: "released" });
    return "released";
  }

  releaseStatus(reference: string): ReleaseState | undefined {
    return this.#releases.get(reference)?.state;
  }

  restore(
    reference: string,
    { number, boughtAs }: { number: string; boughtAs: string | null },
  ): RestoreOutcome {
    const earlier = this.#restores.get(reference);
    if ((earlier ?? this.#releases.get(reference) ?? { number }).number !== number)
      throw referenceUsed("the release of another number");
    if (earlier) return earlier.outcome;
    const purchase = this.#releases.has(reference) ? this.#returned.get(number) : undefined;
    const isTheirs =
      purchase && (boughtAs === null || boughtAs === purchase.reference) && !this.#reservationOf(number);
    if (isTheirs) {
      this.#returned.delete(number);
      this.#purchases.set(number, purchase);
    }
    const outcome = isTheirs ? "restored" : "not_available";
    this.#restores.set(reference, { number, outcome });
    return outcome;
  }

  list(after: string, limit: number): Page<Purchase> {
    return pageOf([...this.#purchases.values()], after, limit);
  }

  search({ country, type, contains, prefix, after = "", limit }: Search): Offer[] {
    return [...this.#offers.values()]
      .filter(({ number }) => number > after && this.#isFree(number))
      .filter((offer) => country === undefined || offer.country === country)
      .filter((offer) => type === undefined || offer.type === type)
      .filter(({ number }) => contains === undefined || number.includes(contains))
      .filter(({ number }) => prefix === undefined || number.startsWith(`+${prefix}`))
      .toSorted(byNumber)
      .slice(0, limit);
  }

  /** All of them, or none. A repeat reserves nothing, even after a cancellation. */
  reserve(reference: string, wanted: { organisation: string; numbers: string[]; until: string }) {
    let reservation = this.#reservations.get(reference);
    if (!reservation) {
      const { organisation, numbers, until } = wanted;
      const outcomes = new Map(
        numbers.map((number) => [number, this.#isFree(number) ? "available" : "not_available"] as const),
      );
      const isWhole = [...outcomes.values()].every((outcome) => outcome === "available");
      reservation = {
        organisation,
        outcomes,
        held: new Set(isWhole ? numbers : []),
        until: Date.parse(until),
      };
      this.#reservations.set(reference, reservation);
    }
    const { outcomes } = reservation;
    if (!wanted.numbers.every((number) => outcomes.has(number)))
      throw referenceUsed("a reservation of other numbers");
    return wanted.numbers.map((number) => ({ number, outcome: outcomes.get(number)! }));
  }

  unreserve(reference: string): void {
    this.#reservations.get(reference)?.held.clear();
  }

  requirementsOf(reference: string) {
    const order = this.#orders.get(reference);
    return order && this.requirements.list(reference, [...order.keys()], this.now());
  }

  submit(reference: string, wanted: Submitted): SubmissionState {
    if (!this.#orders.get(wanted.order)?.has(wanted.number))
      throw new Rejection(422, "not_required", "No order of this number has this reference.");
    return this.requirements.submit(reference, wanted, this.now());
  }

  trunks(): { id: string; name: string }[] {
    return this.#trunks;
  }

  deliver(number: string, trunk: string): { trunk: string | null } {
    if (!this.#purchases.has(number))
      throw new Rejection(404, "unknown", "The account does not have this number.");
    if (!this.#trunks.some(({ id }) => id === trunk))
      throw new Rejection(
        422,
        "unknown_trunk",
        "The account has no trunk with this ID. GET /trunks lists them.",
      );
    this.#deliveries.set(number, trunk);
    return { trunk };
  }

  deliveryOf(number: string): { trunk: string | null } | undefined {
    return this.#purchases.has(number) ? { trunk: this.#deliveries.get(number) ?? null } : undefined;
  }

  listDeliveries(after: string, limit: number): Page<{ number: string; trunk: string | null }> {
    const { numbers, next } = this.list(after, limit);
    return { numbers: numbers.map(({ number }) => ({ number, ...this.deliveryOf(number)! })), next };
  }

  #sell(
    reference: string,
    number: string,
    { organisation, reservations }: { organisation: string; reservations: string[] },
  ): OrderOutcome {
    const reserved = this.#reservationOf(number);
    const isTheirs =
      reserved && reserved.organisation === organisation && reservations.includes(reserved.reference);
    const isGone = this.#purchases.has(number) || this.#waiting.has(number);
    if (!this.#offers.has(number) || isGone || (reserved && !isTheirs)) return "rejected";
    const purchase = { number, reference, organisation, bought_at: new Date(this.now()).toISOString() };
    const needsEvidence = this.requirements.needsEvidence(number);
    (needsEvidence ? this.#waiting : this.#purchases).set(number, purchase);
    this.#returned.delete(number);
    reserved?.held.delete(number);
    return needsEvidence ? "pending" : "bought";
  }

  /** Buys the numbers whose evidence was accepted. */
  #complete(reference: string, order: Map<string, OrderOutcome>): void {
    for (const [number, outcome] of order) {
      if (outcome !== "pending" || !this.requirements.isMet(reference, number, this.now())) continue;
      this.#purchases.set(number, this.#waiting.get(number)!);
      this.#waiting.delete(number);
      order.set(number, "bought");
    }
  }

  #isFree(number: string): boolean {
    const isGone = this.#purchases.has(number) || this.#waiting.has(number);
    return this.#offers.has(number) && !isGone && !this.#reservationOf(number);
  }

  #reservationOf(number: string): (Reservation & { reference: string }) | undefined {
    for (const [reference, reservation] of this.#reservations) {
      if (reservation.until > this.now() && reservation.held.has(number))
        return { ...reservation, reference };
    }
    return undefined;
  }
}

function referenceUsed(by: string): Rejection {
  return new Rejection(409, "reference_used", `The reference names ${by}.`);
}

/** By number, so that a page begins after the last number of the one before, whatever was bought or returned since. */
function pageOf<Item extends { number: string }>(all: Item[], after: string, limit: number): Page<Item> {
  const numbers = all.filter(({ number }) => number > after).toSorted(byNumber);
  return {
    numbers: numbers.slice(0, limit),
    next: numbers.length > limit ? numbers[limit - 1]!.number : null,
  };
}

function byNumber(one: { number: string }, other: { number: string }): number {
  return one.number < other.number ? -1 : 1;
}
