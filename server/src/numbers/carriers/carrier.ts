import type { TObject } from "typebox";
import type { CarrierRequirement, SubmissionState, WantedSubmission } from "./carrier-requirements.ts";

export type * from "./carrier-requirements.ts";
export { REQUIREMENT_TYPES } from "./carrier-requirements.ts";

/** Interfaces between the installation and its carriers. Each adapter implements what its carrier supports. */

/** The environment of a request. Requests of test environments never reach a real carrier. */
export interface Side {
  organisationId: string;
  environment: "live" | "test";
}

/** Absent parts are not supported. */
export interface Carrier {
  /** Stored with each order, holding and reservation: they are never looked up at another carrier. */
  name: string;
  inventory?: Inventory;
  ordering?: Ordering;
  delivery?: Delivery;
  requirements?: Requirements;
}

export type OrderingCarrier = Carrier & { ordering: Ordering };

/**
 * Buys and returns numbers. Every call carries our reference. A number is sold only once, so a call that is repeated
 * because its outcome is unknown buys nothing twice.
 *
 * A CarrierFault states whether the call may have had an effect. After any other error it may have had one.
 */
export interface Ordering {
  /**
   * Repeated with the same reference, for all or some of its numbers, it returns the first outcome: rejected numbers
   * stay rejected.
   */
  order(of: Side, wanted: WantedOrder): Promise<CarrierOrder>;
  /** Undefined if the carrier does not know the reference. */
  orderStatus(of: Side, reference: string): Promise<CarrierOrder | undefined>;
  /**
   * Returns a number to the carrier permanently. A number that the carrier no longer has counts as released. If
   * the purchase is pending because of its requirements, this cancels the number, which is never bought then.
   */
  release(of: Side, wanted: WantedRelease): Promise<ReleaseState>;
  /** Undefined if the carrier does not know the release. */
  releaseStatus(of: Side, wanted: WantedRelease): Promise<ReleaseState | undefined>;
  /** Restores a number that was returned a while ago. Absent if a carrier cannot guarantee that. */
  restore?(of: Side, wanted: WantedRelease): Promise<"restored" | "not_available">;
  /** Everything that is paid for, page by page, in an order of the carrier's. */
  list(after: string | undefined): Promise<OwnedPage>;
}

export interface WantedOrder {
  /** Our UUID, which identifies the order afterwards. */
  reference: string;
  e164s: readonly string[];
  /** References of the buyer's own reservations: the numbers may be put aside under these. */
  reservations?: readonly string[] | undefined;
  /** True for the first order with this reference: a rejected number cannot have been bought by an earlier attempt. */
  isFirst?: boolean | undefined;
}

export interface CarrierOrder {
  items: CarrierOrderItem[];
}

export interface CarrierOrderItem {
  e164: string;
  /** Pending: the carrier is still processing it. Poll again later. */
  outcome: "bought" | "pending" | "refused";
  /** Why the number was rejected, in the carrier's words. Absent if it is not available. */
  reason?: string | undefined;
}

export interface WantedRelease {
  /** Our UUID. */
  reference: string;
  e164: string;
  /** The reference it was bought under, where that is known: what was bought under another since is left alone. */
  boughtAs?: string | undefined;
}

export type ReleaseState = "released" | "pending" | "refused";

export interface OwnedPage {
  numbers: OwnedNumber[];
  /** Start of the next page; undefined on the last page. */
  next: string | undefined;
}

export interface OwnedNumber {
  e164: string;
  /** Reference of the order that bought it; null if the carrier does not store it. */
  reference: string | null;
  /** The organisation it was bought for, where the carrier keeps them apart. */
  boughtFor?: string | undefined;
  /** When it was bought, as an RFC 3339 time; null if the carrier does not say. */
  boughtAt: string | null;
}

/** Sets and reads where the carrier sends the calls of a number: to one of the operator's trunks at that carrier. */
export interface Delivery {
  /** The trunks of the account that can receive calls, in an order of the carrier's. */
  trunks(): Promise<CarrierTrunk[]>;
  /**
   * Sends a number's calls to a trunk. A repeat changes nothing. The result is what the carrier reported, which
   * `deliveryOf` confirms later. Rejected if the account does not have the number or the trunk.
   */
  deliver(wanted: WantedDelivery): Promise<DeliveryState>;
  /** Current delivery of the number. Undefined if the account does not have the number. */
  deliveryOf(e164: string): Promise<DeliveryState | undefined>;
  /** The delivery of every number of the account, page by page. */
  listDeliveries(after: string | undefined): Promise<DeliveryPage>;
}

export interface CarrierTrunk {
  /** The carrier's identifier of the trunk. */
  id: string;
  /** Name that the operator gave it at the carrier. */
  name: string;
}

export interface WantedDelivery {
  e164: string;
  /** The carrier's identifier of the trunk. */
  trunk: string;
}

export interface DeliveryState {
  /** Null if the carrier sends the number's calls nowhere, or somewhere that is not a trunk. */
  trunk: string | null;
}

export interface DeliveryPage {
  numbers: { e164: string; trunk: string | null }[];
  /** Start of the next page; undefined on the last page. */
  next: string | undefined;
}

/**
 * Evidence that a carrier wants before it sells some numbers, such as proof of an address. The purchase of such a
 * number is `pending` until the carrier has accepted all of it.
 */
export interface Requirements {
  /**
   * If true, the carrier reviews all evidence for a number together. It gets none while some is missing or rejected,
   * and then all of it in the order of `requirementsOf`.
   */
  isReviewedTogether?: boolean;
  /** Requirements of a pending purchase, in an order of the carrier's. Empty if it has none. */
  requirementsOf(of: Side, order: string): Promise<CarrierRequirement[]>;
  /**
   * Submits evidence for one requirement of one number. Repeated with the same reference, it submits nothing again
   * and returns the current state. Rejected as a call if the carrier does not know the requirement.
   */
  submit(of: Side, wanted: WantedSubmission): Promise<SubmissionState>;
}

/** A carrier call that failed or returned an invalid response. */
export class CarrierFault extends Error {
  /**
   * `refused`: the carrier rejected the request, without effect. `not_sent`: the carrier did not process it.
   * `unknown`: it may have had an effect, which only the carrier knows.
   */
  readonly kind: "refused" | "not_sent" | "unknown";
  /** The carrier's own text, which callers may see. It does not name the carrier. */
  readonly said: string | undefined;

  constructor(kind: CarrierFault["kind"], message: string, options: ErrorOptions & { said?: string } = {}) {
    const { said, ...rest } = options;
    super(message, rest);
    this.name = "CarrierFault";
    this.kind = kind;
    this.said = said;
  }
}

/** Sentence about a rejection, for callers. */
export function rejectionText(what: string, said: string | undefined): string {
  const text = said?.trim() ?? "";
  if (text === "") return `The carrier rejected ${what}.`;
  return `The carrier rejected ${what}: ${text}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Kinds of carriers. `pool`: the numbers of this installation. The others are companies. */
export const CARRIER_KINDS = ["pool", "telnyx", "didww", "http"] as const;
export type CarrierKindName = (typeof CARRIER_KINDS)[number];

/** Optional parts of the carrier protocol. */
export const CARRIER_FEATURES = ["inventory", "restore", "delivery", "requirements"] as const;
export type CarrierFeature = (typeof CARRIER_FEATURES)[number];

/** Requirements for connecting a carrier of this kind. */
export interface CarrierKind {
  /** Schema of the credentials. Undefined if it needs none. */
  credentials: TObject | undefined;
  /** `default`: used unless the operator sets another URL. Undefined if it has no URL. */
  url: { default?: string } | undefined;
  /** Asks a carrier which optional parts it supports. Absent if all carriers of the kind have the same ones. */
  describe?(access: CarrierAccess): Promise<string[]>;
}

export interface CarrierAccess {
  /** Name of the carrier in this installation. */
  name: string;
  /** Empty if the kind has none. */
  url: string;
  /** As the schema of the kind has them. */
  credentials: Record<string, string>;
}

/** Numbers that an order, a search or a reservation is about. */
export interface WantedNumbers {
  /** Null for numbers without a country, such as +800. Undefined: any country. */
  country?: string | null | undefined;
  /** Undefined: any type. */
  type?: string | undefined;
}

/** The carriers of this installation. */
export interface Carriers {
  /** Carriers that take new orders for all of these numbers, the preferred one first. */
  openFor(environment: Side["environment"], wanted?: readonly WantedNumbers[]): readonly OrderingCarrier[];
  /** The carrier that a holding or order names. Undefined if it is closed or not connected. */
  named(name: string): OrderingCarrier | undefined;
  /** Names of the live carriers that are not closed, the preferred one first. */
  live(): readonly string[];
  kinds: Readonly<Record<CarrierKindName, CarrierKind>>;
  /** Applies a change of the table in this process at once. Other processes read it within two seconds. */
  refresh(): Promise<void>;
}

/** The inventories for search and reservation, by environment. */
export interface Inventories {
  isConnected(): boolean;
  /** The preferred inventory that has all of these numbers. */
  of(environment: Side["environment"], wanted: readonly WantedNumbers[]): Inventory | undefined;
  /** The inventory that a reservation names. */
  named(environment: Side["environment"], name: string): Inventory | undefined;
}

/** Available numbers, which can be searched and reserved. */
export interface Inventory {
  /** Name of the carrier. */
  name: string;
  /** Returns free numbers in ascending order, and one more than `limit` if there are more. */
  search(of: Side, query: InventoryQuery): Promise<OfferedNumber[]>;
  /**
   * Reserves all numbers until then, or none if one is not available. A reservation that is not returned expires
   * automatically.
   */
  reserve(of: Side, wanted: WantedReservation): Promise<ReservedNumber[]>;
  /** Releases the numbers reserved under a reference. An unknown or expired reference is not an error. */
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
  /** Our UUID, which identifies the reservation afterwards. */
  reference: string;
  e164s: readonly string[];
  until: Date;
}

export interface ReservedNumber {
  e164: string;
  /** Held, reserved by another organisation and unknown are all `not_available`. */
  outcome: "available" | "not_available";
  /** RFC 3339 time until when the carrier holds it, if that is earlier than requested. */
  until?: string | undefined;
}
