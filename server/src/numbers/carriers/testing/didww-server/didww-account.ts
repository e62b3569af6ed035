import { randomUUID } from "node:crypto";
import { DidwwError, invalid } from "./didww-errors.ts";
import type {
  Available,
  Country,
  Did,
  Group,
  GroupType,
  HistoryEntry,
  Hold,
  Order,
  RequirementOptions,
  Trunk,
} from "./didww-records.ts";
import type { DidwwPlan } from "./didww-plan.ts";
import { DidwwRegulation } from "./didww-regulation.ts";

export interface DidwwStock {
  e164: string;
  country: string;
  /** Name of the group type: Local, Mobile, Toll-free and others. */
  type: string;
  /** Evidence that a number needs. Null: none. Undefined: DIDWW does not describe it. */
  requirement: RequirementOptions | null | undefined;
  /** Whether numbers of the group can be chosen one by one. */
  isSelectable: boolean;
}

export type Fate = "canceled" | "awaiting_registration" | undefined;

/** One item of an order. */
export interface Wanted {
  skuId: string;
  availableId?: string;
  holdId?: string;
}

/** The state of one DIDWW account, and the numbers that are for sale. */
export class DidwwAccount {
  readonly countries: Country[] = [];
  readonly types: GroupType[] = [];
  readonly groups: Group[] = [];
  readonly orders: Order[] = [];
  readonly trunks: Trunk[] = [];
  readonly regulation: DidwwRegulation;
  readonly history: HistoryEntry[] = [];
  /** Every number the account has or had. */
  readonly everOwned: Did[] = [];
  readonly #removed = new Set<Did>();
  readonly #holds: Hold[] = [];
  readonly #available = new Map<string, Available>();
  readonly #now: () => Date;
  readonly plan: DidwwPlan;
  balance = Number.POSITIVE_INFINITY;

  constructor(now: () => Date, plan: DidwwPlan) {
    this.#now = now;
    this.plan = plan;
    this.regulation = new DidwwRegulation(now);
  }

  get dids(): Did[] {
    return this.everOwned.filter((did) => !this.#removed.has(did));
  }

  get holds(): Hold[] {
    return this.#holds.filter(({ until }) => until > this.#now());
  }

  /** Numbers on sale to the account. */
  get available(): Available[] {
    return this.plan.listsHeld ? [...this.#available.values()] : this.#free;
  }

  get #free(): Available[] {
    const held = new Set(this.holds.map(({ available }) => available));
    return [...this.#available.values()].filter((one) => !held.has(one));
  }

  stock(numbers: readonly DidwwStock[]): void {
    for (const { e164, ...of } of numbers) {
      const number = e164.slice(1);
      const isKnown = [...this.#available.values()].some((one) => one.number === number);
      if (!isKnown) this.#offer(number, this.#groupOf(of));
    }
  }

  /** Sells a number to another account. */
  sellElsewhere(e164: string): void {
    for (const { id, number } of this.#available.values())
      if (number === e164.slice(1)) this.#available.delete(id);
  }

  hold(availableId: string, description: string | null): Hold {
    const available = this.#free.find(({ id }) => id === availableId);
    if (!available) throw invalid("/data/relationships/available_did", "available_did");
    if (this.holds.length >= this.plan.mostHeld)
      throw invalid("/data", "did_reservation", "limit of reservations is reached");
    const at = this.#now();
    const until = new Date(at.getTime() + this.plan.holdMs);
    const hold = { id: randomUUID(), available, description, at, until };
    this.#holds.push(hold);
    return hold;
  }

  release(hold: Hold): void {
    this.#holds.splice(this.#holds.indexOf(hold), 1);
  }

  order(wanted: readonly Wanted[], externalReference: string | null, fate: Fate): Order {
    const bought = wanted.map((one, at) => this.#wantedNumber(one, at));
    const units = bought.map(({ group }, at) => group.units.find(({ id }) => id === wanted[at]!.skuId)!);
    const price = units.reduce((sum, { monthlyPrice }) => sum + Number(monthlyPrice), 0);
    if (price > this.balance)
      throw new DidwwError(400, "400", "Insufficient balance.", { title: "Insufficient balance" });
    for (const { id } of bought) {
      this.#available.delete(id);
      for (const hold of this.holds) if (hold.available.id === id) this.release(hold);
    }
    const order: Order = {
      id: randomUUID(),
      reference: `KTH-${100_000 + this.orders.length}`,
      externalReference,
      status: "pending",
      at: this.#now(),
      pendingReads: this.plan.pendingReads,
      bought,
      units,
    };
    this.orders.push(order);
    if (fate === "canceled") order.status = "canceled";
    else this.#settle(order, fate);
    return order;
  }

  /** The last pending read decides the order. */
  read(order: Order): Order["status"] {
    const { status } = order;
    if (order.pendingReads > 0) order.pendingReads--;
    this.#settle(order, undefined);
    return status;
  }

  terminate(did: Did): void {
    if (did.isLocked) throw invalid("/data/attributes/terminated", "terminated", "is not allowed");
    if (did.isTerminated) return;
    did.isTerminated = true;
    this.#record(did.number, "canceled");
    if (!this.plan.isRemovedAtOnce) return;
    this.#removed.add(did);
    this.#record(did.number, "removed");
    this.#offer(did.number, did.group);
  }

  trunk(name: string, configuration: Trunk["configuration"] = "sip_configurations"): Trunk {
    const trunk = { id: randomUUID(), name, configuration, at: this.#now() };
    this.trunks.push(trunk);
    return trunk;
  }

  #wantedNumber({ skuId, availableId, holdId }: Wanted, at: number): Available {
    const pointer = `/data/attributes/items/${at}`;
    const hold = holdId === undefined ? undefined : this.holds.find(({ id }) => id === holdId);
    const free = this.available.find(({ id }) => id === availableId);
    const number = hold?.available ?? free;
    const name = holdId === undefined ? "available_did_id" : "did_reservation_id";
    if (!number) throw invalid(`${pointer}/${name}`, `items/${at}/${name}`);
    if (!number.group.units.some(({ id }) => id === skuId))
      throw invalid(`${pointer}/sku_id`, `items/${at}/sku_id`);
    return number;
  }

  #settle(order: Order, fate: Fate): void {
    if (order.status !== "pending" || order.pendingReads > 0) return;
    order.status = "completed";
    for (const { number, group } of order.bought) {
      this.everOwned.push({
        id: randomUUID(),
        number,
        group,
        order,
        isTerminated: false,
        isAwaitingRegistration: group.needsRegistration || fate === "awaiting_registration",
        isLocked: false,
        trunk: null,
        trunkGroup: null,
        at: this.#now(),
      });
      this.#record(number, "assigned");
    }
  }

  #record(number: string, action: HistoryEntry["action"]): void {
    this.history.push({ id: randomUUID(), number, action, at: this.#now() });
  }

  #offer(number: string, group: Group): void {
    const id = randomUUID();
    this.#available.set(id, { id, number, group });
  }

  #groupOf(of: Omit<DidwwStock, "e164">): Group {
    const { requirement: options, isSelectable } = of;
    const known = this.groups.find(
      (one) =>
        one.country.iso === of.country &&
        one.type.name === of.type &&
        one.options === options &&
        one.isSelectable === isSelectable,
    );
    if (known) return known;
    const unit = (channels: number, monthlyPrice: string) => ({ id: randomUUID(), channels, monthlyPrice });
    const country = foundOrMade(this.countries, "iso", of.country);
    const type = foundOrMade(this.types, "name", of.type);
    const group = {
      id: randomUUID(),
      country,
      type,
      units: [unit(0, "0.90"), unit(2, "1.50"), unit(10, "9.00")],
      needsRegistration: options !== null,
      requirement: options ? this.regulation.require(options, { country, type }) : null,
      options,
      isSelectable,
    };
    this.groups.push(group);
    return group;
  }
}

function foundOrMade<Key extends string>(
  items: ({ id: string } & Record<Key, string>)[],
  key: Key,
  value: string,
): { id: string } & Record<Key, string> {
  const found = items.find((one) => one[key] === value);
  if (found) return found;
  const made = { id: randomUUID(), [key]: value } as { id: string } & Record<Key, string>;
  items.push(made);
  return made;
}
