import { randomUUID } from "node:crypto";
import { TelnyxError } from "./telnyx-errors.ts";

export interface TelnyxStock {
  e164: string;
  country: string;
  type: string;
  reservable: boolean;
}

export interface TelnyxOwned {
  id: string;
  e164: string;
  status: "purchase-pending" | "purchase-failed" | "active" | "deleted" | "ported-out";
  reference: string | undefined;
  isLocked: boolean;
  country: string;
  type: string;
  at: Date;
  connectionId: string | null;
}

export interface TelnyxConnection {
  id: string;
  name: string;
  active: boolean;
  at: Date;
}

export interface TelnyxReserved {
  id: string;
  e164: string;
  status: "success" | "failure";
  until: Date;
}

export interface TelnyxReservation {
  id: string;
  reference: string | undefined;
  at: Date;
  /** How often it still says that it is pending. */
  pendingReads: number;
  numbers: TelnyxReserved[];
}

export interface TelnyxOrder {
  id: string;
  reference: string | undefined;
  at: Date;
  /** How often it still says that it is pending. */
  pendingReads: number;
  numbers: { id: string; e164: string; owned: TelnyxOwned; fate: "success" | "failure" }[];
}

/** Scripted outcome of an accepted order. */
export type Fate = "sold_meanwhile" | "partial" | undefined;

const RESERVED_MS = 30 * 60_000;
/** The documentation says "recent". */
const SEARCHED_MS = 30 * 60_000;

/** The state of one Telnyx account, and its numbers for sale. */
export class TelnyxAccount {
  readonly owned: TelnyxOwned[] = [];
  readonly orders: TelnyxOrder[] = [];
  readonly reservations: TelnyxReservation[] = [];
  readonly connections: TelnyxConnection[] = [];
  readonly #stock = new Map<string, TelnyxStock>();
  readonly #searched = new Map<string, number>();
  readonly #now: () => Date;
  #ids = 1_293_384_261_075_731_499n;

  constructor(now: () => Date) {
    this.#now = now;
  }

  stock(numbers: readonly TelnyxStock[]): void {
    for (const number of numbers) this.#stock.set(number.e164, number);
  }

  /** Sells a number to another account. */
  sellElsewhere(e164: string): void {
    this.#stock.delete(e164);
  }

  search(filter: (number: TelnyxStock, isHeld: boolean) => boolean, limit: number): TelnyxStock[] {
    const found = [...this.#stock.values()]
      .filter((number) => filter(number, this.#holder(number.e164) !== undefined))
      .slice(0, limit);
    for (const { e164 } of found) this.#searched.set(e164, this.#now().getTime());
    return found;
  }

  reserve(e164s: readonly string[], reference: string | undefined, pendingReads: number): TelnyxReservation {
    const at = this.#now();
    const numbers = e164s.map((e164): TelnyxReserved => {
      const isFree = this.#stock.get(e164)?.reservable && this.#holder(e164) === undefined;
      const until = new Date(at.getTime() + RESERVED_MS);
      return { id: randomUUID(), e164, status: isFree ? "success" : "failure", until };
    });
    const reservation = { id: randomUUID(), reference, at, pendingReads, numbers };
    this.reservations.push(reservation);
    return reservation;
  }

  extend(reservation: TelnyxReservation): void {
    for (const number of reservation.numbers) number.until = new Date(number.until.getTime() + RESERVED_MS);
  }

  order(
    e164s: readonly string[],
    reference: string | undefined,
    pendingReads: number,
    fate: Fate,
  ): TelnyxOrder {
    const at = this.#now();
    for (const e164 of e164s) this.#refuseUnsearched(e164, at);
    const missing = e164s.filter((e164) => !this.#stock.has(e164));
    if (missing.length > 0)
      throw new TelnyxError(422, "85001", `Not available: ${missing.join(", ")}.`, {
        pointer: "/phone_numbers",
      });

    const numbers = e164s.map((e164, place) => {
      const { country, type } = this.#stock.get(e164)!;
      const fails = fate === "sold_meanwhile" || (fate === "partial" && place > 0);
      this.#stock.delete(e164);
      const owned: TelnyxOwned = {
        id: String(this.#ids++),
        e164,
        status: "purchase-pending",
        reference,
        isLocked: false,
        country,
        type,
        at,
        connectionId: null,
      };
      this.owned.push(owned);
      return { id: randomUUID(), e164, owned, fate: fails ? ("failure" as const) : ("success" as const) };
    });
    const order = { id: randomUUID(), reference, at, pendingReads, numbers };
    this.orders.push(order);
    this.#settle(order);
    return order;
  }

  /** Reads a single order. The last pending read decides it. */
  readOrder(order: TelnyxOrder): TelnyxOrder {
    const seen = { ...order };
    if (order.pendingReads > 0) order.pendingReads--;
    this.#settle(order);
    return seen.pendingReads > 0 ? seen : order;
  }

  delete(owned: TelnyxOwned): void {
    if (owned.isLocked)
      throw new TelnyxError(422, "10015", "Deletion lock is enabled for this number.", { pointer: "/base" });
    owned.status = "deleted";
    const { e164, country, type } = owned;
    this.#stock.set(e164, { e164, country, type, reservable: true });
  }

  connection(name: string, active = true): TelnyxConnection {
    const connection = { id: String(this.#ids++), name, active, at: this.#now() };
    this.connections.push(connection);
    return connection;
  }

  connect(owned: TelnyxOwned, connectionId: string): void {
    if (!this.connections.some(({ id }) => id === connectionId))
      throw new TelnyxError(422, "10015", "Connection is invalid.", { pointer: "/connection_id" });
    owned.connectionId = connectionId;
  }

  #settle({ pendingReads, numbers }: TelnyxOrder): void {
    if (pendingReads > 0) return;
    for (const { owned, fate } of numbers)
      if (owned.status === "purchase-pending")
        owned.status = fate === "success" ? "active" : "purchase-failed";
  }

  #refuseUnsearched(e164: string, at: Date): void {
    const searchedAt = this.#searched.get(e164);
    if (searchedAt !== undefined && at.getTime() - searchedAt <= SEARCHED_MS) return;
    throw new TelnyxError(422, "85000", `${e164} must be searched for before it is bought.`, {
      pointer: "/phone_numbers",
    });
  }

  #holder(e164: string): TelnyxReservation | undefined {
    const now = this.#now();
    return this.reservations.find(({ numbers }) =>
      numbers.some((one) => one.e164 === e164 && one.status === "success" && one.until > now),
    );
  }
}
