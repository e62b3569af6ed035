import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Peer } from "../sip/sip-transport.ts";
import { until } from "../sip/until.ts";

const ATTEMPT_MS = 10_000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [100, 1_000];
/** Requests in flight. More would turn a slow machine into one that only repeats requests. */
const MOST_AT_ONCE = 50;
const TICK_MS = 10;
/** The last one is for a retry whose first attempt still runs. */
const EXPECTED = new Set(["503 unavailable", "503 busy", "409 idempotency_in_progress"]);
/** The drill ends if no write succeeds for longer. */
const OUTAGE_MS = 300_000;

/** A number whose route is counted up: its destination's user is `w` and the count. */
export interface CountedNumber {
  e164: string;
  sent: number;
  acknowledged: number;
  isBusy: boolean;
}

/** Since the last reset. */
export interface LoadFigures {
  acknowledged: number;
  reads: number;
  failedWrites: number;
  failedReads: number;
  /** Times of the first and the last failed attempt of a write. */
  firstFailure: number | undefined;
  lastFailure: number | undefined;
  worstWriteMs: number;
  /** Reads that returned a route older than one acknowledged before. */
  staleReads: number;
  /** How often the load was due and could not start: too many requests were in flight. */
  skipped: number;
  /** Errors that an outage does not explain, or without a problem in JSON. */
  wrongResponses: number;
  reasons: Record<string, number>;
}

export const countOf = (text: string | undefined): number => Number(/sip:w(\d+)@/.exec(text ?? "")?.[1] ?? 0);

/** Writes and reads at a steady rate, over the name of the service, retried with the same key as a program should. */
export class RouteLoad {
  readonly numbers: CountedNumber[];
  figures: LoadFigures = noFigures();
  readonly #service: { url: string; key: string };
  readonly #callee: Peer;
  readonly #running: Promise<void>[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  #readsInFlight = 0;
  #writesInFlight = 0;
  #turn = 0;
  #isOver = false;
  #isPaused = false;

  constructor(service: { url: string; key: string }, numbers: readonly string[], callee: Peer) {
    this.#service = service;
    this.#callee = callee;
    this.numbers = numbers.map((e164) => ({ e164, sent: 0, acknowledged: 0, isBusy: false }));
  }

  start({ writes, reads }: { writes: number; reads: number }): void {
    this.#running.push(
      this.#pace(writes, () => this.#startWrite()),
      this.#pace(reads, () => this.#startRead()),
    );
  }

  /** Sets each number once, a few at a time. */
  async setAll(): Promise<void> {
    const waiting = [...this.numbers];
    const work = async (): Promise<void> => {
      for (let number = waiting.shift(); number; number = waiting.shift()) await this.#write(number);
    };
    await Promise.all(Array.from({ length: 8 }, work));
  }

  /** Begins no writes and reads until `resume`, and waits for those in flight. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  resume(): void {
    this.#isPaused = false;
  }

  /** Begins no more work, and waits for the rest. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
    await Promise.all(this.#inFlight);
  }

  resetFigures(): LoadFigures {
    const before = this.figures;
    this.figures = noFigures();
    return before;
  }

  /** Resolves when a write that begins now or later is acknowledged. */
  async nextAcknowledged(): Promise<void> {
    const sent = new Map(this.numbers.map((number) => [number, number.sent]));
    const isAcknowledged = (): boolean =>
      this.numbers.some((number) => number.acknowledged > sent.get(number)!);
    await until("an acknowledged write", isAcknowledged, OUTAGE_MS);
  }

  async #pace(perSecond: number, begin: () => Promise<void> | undefined): Promise<void> {
    const started = performance.now();
    for (let due = 0; !this.#isOver; await sleep(TICK_MS))
      for (; due < ((performance.now() - started) * perSecond) / 1000; due += 1) {
        const work = this.#isPaused ? undefined : begin();
        if (!work) this.figures.skipped += 1;
        else {
          this.#inFlight.add(work);
          void work.finally(() => this.#inFlight.delete(work));
        }
      }
  }

  #startWrite(): Promise<void> | undefined {
    this.#turn = (this.#turn + 1) % this.numbers.length;
    const number = this.numbers[this.#turn]!;
    if (number.isBusy || this.#writesInFlight >= MOST_AT_ONCE) return undefined;
    return this.#write(number);
  }

  async #write(number: CountedNumber): Promise<void> {
    number.isBusy = true;
    this.#writesInFlight += 1;
    number.sent += 1;
    const { address, port } = this.#callee;
    const sip_uri = `sip:w${number.sent}@${address}:${port};transport=udp`;
    const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
    const request = { method: "PUT", headers, body: JSON.stringify({ mode: "sip_uri", sip_uri }) };
    const began = performance.now();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const failure = await this.#attempt(number, request).then(
        () => undefined,
        (error: Error) => error,
      );
      if (!failure) break;
      this.figures.failedWrites += 1;
      this.figures.lastFailure = performance.now();
      this.figures.firstFailure ??= this.figures.lastFailure;
      this.#note(failure);
      await sleep(pause * (0.5 + Math.random() / 2));
    }
    number.acknowledged = number.sent;
    number.isBusy = false;
    this.#writesInFlight -= 1;
    this.figures.acknowledged += 1;
    this.figures.worstWriteMs = Math.max(this.figures.worstWriteMs, performance.now() - began);
  }

  #startRead(): Promise<void> | undefined {
    if (this.#readsInFlight >= MOST_AT_ONCE) return undefined;
    return this.#read(this.numbers[Math.floor(Math.random() * this.numbers.length)]!);
  }

  async #read(number: CountedNumber): Promise<void> {
    this.#readsInFlight += 1;
    const { acknowledged } = number;
    try {
      const { desired } = await this.#attempt(number, { method: "GET" });
      this.figures.reads += 1;
      if (countOf(desired?.sip_uri) < acknowledged) this.figures.staleReads += 1;
    } catch (error) {
      this.figures.failedReads += 1;
      this.#note(error as Error);
    }
    this.#readsInFlight -= 1;
  }

  async #attempt(
    number: CountedNumber,
    request: { method: string; headers?: Record<string, string>; body?: string },
  ): Promise<{ desired?: { sip_uri?: string } }> {
    const path = `/v1/numbers/${encodeURIComponent(number.e164)}/routing`;
    const response = await fetch(`${this.#service.url}${path}`, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${this.#service.key}` },
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as { desired?: { sip_uri?: string } };
    const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json");
    const code = isProblem ? (JSON.parse(text) as { code: string }).code : text;
    if (!isProblem || !EXPECTED.has(`${response.status} ${code}`)) this.figures.wrongResponses += 1;
    throw new Error(`${response.status} ${code}`);
  }

  #note(error: Error): void {
    const cause = error.cause as { code?: string; message?: string } | undefined;
    const reason = cause?.code ?? cause?.message ?? error.message;
    this.figures.reasons[reason] = (this.figures.reasons[reason] ?? 0) + 1;
  }
}

function noFigures(): LoadFigures {
  return {
    acknowledged: 0,
    reads: 0,
    failedWrites: 0,
    failedReads: 0,
    firstFailure: undefined,
    lastFailure: undefined,
    worstWriteMs: 0,
    staleReads: 0,
    skipped: 0,
    wrongResponses: 0,
    reasons: {},
  };
}
