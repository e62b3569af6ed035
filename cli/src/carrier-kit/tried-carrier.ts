import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { checkResponse } from "./check-response.ts";
import type { CarrierClient } from "./carrier-client.ts";
import { described, expectEqual, NotChecked, TooFewNumbers, Violation } from "./violation.ts";

export type Outcomes = Record<string, string>;

interface OwnedNumber {
  number: string;
  reference: string | null;
  organisation: string | null;
  bought_at: string | null;
}

export interface TryOptions {
  features: readonly string[];
  /** Numbers on sale, for a carrier without inventory. */
  numbers: readonly string[];
  /** Numbers on sale that need evidence. */
  regulated?: readonly string[];
  /** Country of the numbers to search. */
  country: string | undefined;
  /** How long a pending order or release may take. */
  patienceMs: number;
}

const BETWEEN_LOOKS_MS = 250;

/** The operations of a carrier as the checks need them. It remembers what it bought, so that everything can be returned. */
export class TriedCarrier {
  readonly client: CarrierClient;
  readonly #options: TryOptions;
  readonly #used = new Set<string>();
  readonly #spare: string[];
  readonly #regulated: string[];
  readonly #isRegulated: ReadonlySet<string>;
  /** Two customers. */
  readonly one: string = randomUUID();
  readonly other: string = randomUUID();

  constructor(client: CarrierClient, options: TryOptions) {
    this.client = client;
    this.#options = options;
    this.#spare = [...options.numbers];
    this.#regulated = [...(options.regulated ?? [])];
    this.#isRegulated = new Set(this.#regulated);
  }

  /** Every reply is checked against the specification. */
  async ask<Answer>(method: string, target: string, operation: string, body?: object): Promise<Answer> {
    const reply = await this.client.send(method, target, body);
    if (reply.status !== 200)
      throw new Violation(`${method} ${target} returned ${described(reply)}, not 200.`);
    checkResponse(operation, method, target, reply.body);
    return reply.body as Answer;
  }

  /** Numbers on sale that no other check has used. */
  async take(count: number): Promise<string[]> {
    while (this.#spare.length < count && this.#options.features.includes("inventory")) {
      const found = await this.search({ after: this.#lastUsed(), limit: String(Math.max(count, 20)) });
      const fresh = found.filter((number) => !this.#used.has(number) && !this.#spare.includes(number));
      if (fresh.length === 0) break;
      // Those that need evidence are passed over, so that the search continues behind them.
      for (const number of fresh.filter((one) => this.#isRegulated.has(one))) this.#used.add(number);
      this.#spare.push(...fresh.filter((one) => !this.#isRegulated.has(one)));
    }
    if (this.#spare.length < count)
      throw new TooFewNumbers("Not enough numbers are on sale. Name more with --numbers-file.");
    const taken = this.#spare.splice(0, count);
    for (const number of taken) this.#used.add(number);
    return taken;
  }

  /** A number on sale that needs evidence, and that no other check has used. */
  takeRegulated(): string {
    const number = this.#regulated.shift();
    if (number === undefined)
      throw new NotChecked("Name enough numbers that need evidence with --regulated-number.");
    return number;
  }

  /** Numbers on sale, in the order given. */
  async search(query: Record<string, string | undefined> = {}): Promise<string[]> {
    const { numbers } = await this.ask<{ numbers: { number: string }[] }>(
      "GET",
      `/available${queryOf({ country: this.#options.country, limit: "100", ...query })}`,
      "searchNumbers",
    );
    return numbers.map(({ number }) => number);
  }

  async order(
    numbers: readonly string[],
    { reference = randomUUID(), organisation = this.one, reservations = [] as string[] } = {},
  ): Promise<Outcomes> {
    const body = { organisation, numbers, reservations };
    const order = await this.ask<Items>("PUT", `/orders/${reference}`, "order", body);
    const named = order.items.map(({ number }) => number);
    expectEqual(
      named.toSorted(),
      numbers.toSorted(),
      `the numbers in the response to PUT /orders/${reference}`,
    );
    return this.settle(reference, outcomesOf(order));
  }

  /** Waits until no number is pending. */
  async settle(reference: string, first: Outcomes): Promise<Outcomes> {
    const outcomes = { ...first };
    const end = Date.now() + this.#options.patienceMs;
    while (Object.values(outcomes).includes("pending")) {
      if (Date.now() > end)
        throw new Violation(`The order ${reference} is pending after ${this.#options.patienceMs / 1_000} s.`);
      await sleep(BETWEEN_LOOKS_MS);
      const current = outcomesOf(await this.ask<Items>("GET", `/orders/${reference}`, "getOrder"));
      for (const number of Object.keys(outcomes)) outcomes[number] = current[number] ?? "pending";
    }
    return outcomes;
  }

  async release(
    number: string,
    { reference = randomUUID(), boughtAs = null as string | null, organisation = this.one } = {},
  ): Promise<string> {
    const body = { organisation, number, bought_as: boughtAs };
    let { state } = await this.ask<{ state: string }>("PUT", `/releases/${reference}`, "release", body);
    const end = Date.now() + this.#options.patienceMs;
    while (state === "pending") {
      if (Date.now() > end)
        throw new Violation(
          `The release ${reference} is pending after ${this.#options.patienceMs / 1_000} s.`,
        );
      await sleep(BETWEEN_LOOKS_MS);
      ({ state } = await this.ask<{ state: string }>("GET", `/releases/${reference}`, "getRelease"));
    }
    return state;
  }

  async reserve(
    numbers: readonly string[],
    { reference = randomUUID(), organisation = this.one, forMs = 600_000 } = {},
  ): Promise<Outcomes> {
    const until = new Date(Date.now() + forMs).toISOString();
    const body = { organisation, numbers, until };
    return outcomesOf(await this.ask<Items>("PUT", `/reservations/${reference}`, "reserve", body));
  }

  async deliveryOf(number: string): Promise<string | null> {
    const target = `/deliveries/${encodeURIComponent(number)}`;
    return (await this.ask<{ trunk: string | null }>("GET", target, "getDelivery")).trunk;
  }

  async deliver(number: string, trunk: string): Promise<string | null> {
    const target = `/deliveries/${encodeURIComponent(number)}`;
    return (await this.ask<{ trunk: string | null }>("PUT", target, "deliver", { trunk })).trunk;
  }

  owned(limit = 100): Promise<OwnedNumber[]> {
    return this.pages<OwnedNumber>("/numbers", "listNumbers", limit);
  }

  /** Purchases of one number. */
  async ownedAs(number: string): Promise<OwnedNumber[]> {
    return (await this.owned()).filter((one) => one.number === number);
  }

  async pages<Item>(
    path: string,
    operation: string,
    limit: number,
    between?: (soFar: Item[]) => Promise<void>,
  ) {
    const items: Item[] = [];
    const seen = new Set<string>();
    for (let after: string | null | undefined = undefined; after !== null;) {
      const target: string = path + queryOf({ limit: String(limit), after });
      const page: { numbers: Item[]; next: string | null } = await this.ask("GET", target, operation);
      if (page.numbers.length > limit)
        throw new Violation(`GET ${target} returned ${page.numbers.length} numbers.`);
      items.push(...page.numbers);
      after = page.next;
      if (after !== null && seen.has(after)) throw new Violation(`${path} returned the page ${after} twice.`);
      if (after !== null) seen.add(after);
      await between?.(items);
    }
    return items;
  }

  /** Returns everything that the two customers still have. The numbers that could not be returned. */
  async giveEverythingBack(): Promise<string[]> {
    const theirs = (await this.owned()).filter(({ organisation }) =>
      [this.one, this.other].includes(organisation ?? ""),
    );
    const kept: string[] = [];
    for (const { number, reference, organisation } of theirs) {
      const state = await this.release(number, { boughtAs: reference, organisation: organisation! }).catch(
        () => "failed",
      );
      if (state !== "released") kept.push(number);
    }
    return kept;
  }

  #lastUsed(): string | undefined {
    return [...this.#used, ...this.#spare].toSorted().at(-1);
  }
}

interface Items {
  items: { number: string; outcome: string }[];
}

function outcomesOf({ items }: Items): Outcomes {
  return Object.fromEntries(items.map(({ number, outcome }) => [number, outcome]));
}

export function allOf(numbers: readonly string[], outcome: string): Outcomes {
  return Object.fromEntries(numbers.map((number) => [number, outcome]));
}

function queryOf(query: Record<string, string | null | undefined>): string {
  const given = Object.entries(query).filter((one): one is [string, string] => typeof one[1] === "string");
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : "";
}
