/** What an installation asks of whoever has phone numbers. Each adapter offers what its company can do. */

/** For whom something is asked: numbers of the test environment never reach a company. */
export interface Side {
  organisationId: string;
  environment: "live" | "test";
}

/** What it lacks it cannot do, and nobody pretends that it can. */
export interface Carrier {
  /** Written next to each order, holding and reservation: another carrier is never asked about it. */
  name: string;
  inventory?: Inventory;
  ordering?: Ordering;
}

export type OrderingCarrier = Carrier & { ordering: Ordering };

/**
 * Numbers that are bought and returned. Every call carries a reference of ours. A number can be sold once only, so
 * a call that is created again, because nobody knows what became of the first, buys nothing twice.
 *
 * What throws a CarrierFault says whether anything may have happened; any other error may have.
 */
export interface Ordering {
  /**
   * Asked again with the same reference, for all or some of its numbers, it answers what became of the first: what was
   * rejected stays rejected.
   */
  order(of: Side, wanted: WantedOrder): Promise<CarrierOrder>;
  /** Undefined if the carrier has never heard of the reference. */
  orderStatus(of: Side, reference: string): Promise<CarrierOrder | undefined>;
  /** Gives a number back for good. One the carrier no longer has is returned. */
  release(of: Side, wanted: WantedRelease): Promise<ReleaseState>;
  /** Undefined if the carrier has never heard of it. */
  releaseStatus(of: Side, wanted: WantedRelease): Promise<ReleaseState | undefined>;
  /** Takes back a number that was returned a while ago; absent if a carrier cannot promise that. */
  restore?(of: Side, wanted: WantedRelease): Promise<"restored" | "not_available">;
  /** Everything that is paid for, page by page, in an order of the carrier's. */
  list(after: string | undefined): Promise<OwnedPage>;
}

export interface WantedOrder {
  /** A UUID of ours; the order's name from now on. */
  reference: string;
  e164s: readonly string[];
  /** References of the buyer's own reservations: the numbers may be put aside under these. */
  reservations?: readonly string[] | undefined;
  /** Nobody has ordered under this reference before: what is rejected cannot have been bought by it already. */
  isFirst?: boolean | undefined;
}

export interface CarrierOrder {
  items: CarrierOrderItem[];
}

export interface CarrierOrderItem {
  e164: string;
  /** Pending: the carrier is still at it; ask again later. */
  outcome: "bought" | "pending" | "refused";
}

export interface WantedRelease {
  /** A UUID of ours. */
  reference: string;
  e164: string;
  /** The reference it was bought under, where that is known: what was bought under another since is left alone. */
  boughtAs?: string | undefined;
}

export type ReleaseState = "released" | "pending" | "refused";

export interface OwnedPage {
  numbers: OwnedNumber[];
  /** Where the next page begins; nothing on the last one. */
  next: string | undefined;
}

export interface OwnedNumber {
  e164: string;
  /** Of the order it was bought by, where the carrier remembers. */
  reference: string | null;
  /** The organisation it was bought for, where the carrier keeps them apart. */
  boughtFor?: string | undefined;
  /** When it was bought, as an RFC 3339 time; null if the carrier does not say. */
  boughtAt: string | null;
}

/** Why a carrier's answer is no answer. */
export class CarrierFault extends Error {
  /**
   * `refused`: it said no, and nothing happened. `not_sent`: it was not asked at all. `unknown`: something may have
   * happened, and only the carrier can tell.
   */
  readonly kind: "refused" | "not_sent" | "unknown";

  constructor(kind: CarrierFault["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CarrierFault";
    this.kind = kind;
  }
}

/** The carriers of this installation. */
export interface Carriers {
  /** Where numbers of a side are ordered. */
  orderingOf(environment: Side["environment"]): OrderingCarrier;
  /** Who a holding or order says it came from; nothing once that carrier is no longer connected. */
  named(name: string): OrderingCarrier | undefined;
}

/** Where numbers of a side are searched and reserved. */
export interface Inventories {
  of(environment: Side["environment"]): Inventory;
}

/** Numbers that can be had: searched, and put aside for a while. */
export interface Inventory {
  /** Its carrier's. */
  name: string;
  /** What is free, in the order of the numbers; one more than `limit` where there are more. */
  search(of: Side, query: InventoryQuery): Promise<OfferedNumber[]>;
  /**
   * Puts numbers aside until then, all of them or none: where one is not available, none stays reserved.
   * What is not restored ends by itself.
   */
  reserve(of: Side, wanted: WantedReservation): Promise<ReservedNumber[]>;
  /** Returns what was put aside under a reference; one that is unknown or over is no mistake. */
  unreserve(reference: string): Promise<void>;
}

export interface InventoryQuery {
  country?: string | undefined;
  type?: string | undefined;
  /** Digits that occur in the number, one after the other. */
  contains?: string | undefined;
  /** Digits it begins with, after the +. */
  prefix?: string | undefined;
  /** The last number of the page before. */
  after?: string | undefined;
  limit: number;
}

export interface OfferedNumber {
  e164: string;
  country: string | null;
  type: string;
  capabilities: string[];
}

export interface WantedReservation {
  /** A UUID of ours; the reservation's name from now on. */
  reference: string;
  e164s: readonly string[];
  until: Date;
}

export interface ReservedNumber {
  e164: string;
  /** Held, reserved by somebody else and never heard of are one answer. */
  outcome: "available" | "not_available";
}
