import { type AgentLog, textOf } from "../agent-log.ts";
import type { ConnectionValue, RouteValue } from "../control-plane.ts";
import type { HeldItem } from "../held-item.ts";
import { CalledNumbers } from "../records/called-numbers.ts";
import type { CallRecord } from "../records/call-join.ts";
import { LiveCalls } from "../records/live-calls.ts";
import type { RecordService } from "../records/record-service.ts";
import { CALLED_MS, MAGIC_NUMBERS } from "./magic-numbers.ts";
import type { SimulatedForwarding } from "./simulated-forwarding.ts";
import { placeSimulatedCall, recordOf, type SimulatedCall } from "./simulated-call.ts";
import { OUTCOMES, type Outcome, randomOutcome } from "./simulated-outcome.ts";

interface Needs {
  /** Everything the switch holds. */
  held(): Iterable<HeldItem>;
  /** Limits of forwarded calls. Without them there are none. */
  forwarding?: SimulatedForwarding;
  service: Pick<RecordService, "upload" | "reportLive">;
  /** Over all numbers that lead somewhere. */
  callsPerHour: number;
  /** How often the magic number is called. */
  calledMs?: number;
  log: AgentLog;
}

const TURN_MS = 500;
const SNAPSHOT_MS = 60_000;
const BATCH = 500;
/** Limit of records that wait for an unreachable service. The oldest are dropped. */
const MOST_WAITING = 10_000;

/**
 * Simulates calls to the switch's numbers. They count while they are active, and are recorded when they end.
 */
export function startSimulatedCalls(needs: Needs): { stop(): Promise<void> } {
  return new RunningCalls(needs);
}

class RunningCalls {
  readonly #needs: Needs;
  readonly #live: LiveCalls;
  readonly #called = new CalledNumbers();
  readonly #open = new Set<SimulatedCall>();
  readonly #active = new Map<string, number>();
  readonly #forwarded = new Map<SimulatedCall, { payer: string; seconds: number; calls: number }>();
  /** When the magic number of each test environment is called next, and how that ends. */
  readonly #next = new Map<string, { atMs: number; turn: number }>();
  #waiting: CallRecord[] = [];
  #due = 0;
  #lookedAtMs = Date.now();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isFailing = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    const live = () => this.#called.list(Date.now(), this.#active);
    this.#live = new LiveCalls({ service: needs.service, live, snapshotMs: SNAPSHOT_MS });
    this.#runIn(TURN_MS);
  }

  /** Ends all active calls. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    const now = Date.now();
    for (const call of this.#open) call.endsAtMs = Math.min(call.endsAtMs, now);
    this.#advance(now);
    await this.#send();
  }

  #runIn(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#turn().then(() => this.#runIn(TURN_MS));
    }, delayMs);
    this.#timer.unref();
  }

  async #turn(): Promise<void> {
    const now = Date.now();
    this.#place(now);
    this.#advance(now);
    await this.#send();
  }

  #place(now: number): void {
    const routes = [...this.#needs.held()].filter(isRouted);
    this.#placeMagic(routes, now);
    this.#due += ((now - this.#lookedAtMs) * this.#needs.callsPerHour) / 3_600_000;
    this.#lookedAtMs = now;
    const others = routes.filter(({ value }) => value.e164 !== MAGIC_NUMBERS.called.e164);
    if (others.length === 0) this.#due = 0;
    for (; this.#due >= 1; this.#due -= 1) {
      const route = others[Math.floor(Math.random() * others.length)]!;
      this.#begin(route, randomOutcome(), now);
    }
  }

  #placeMagic(routes: readonly HeldRoute[], now: number): void {
    const magic = routes.filter(({ value }) => value.e164 === MAGIC_NUMBERS.called.e164);
    const ids = new Set(magic.map(({ id }) => id));
    for (const id of this.#next.keys()) if (!ids.has(id)) this.#next.delete(id);
    for (const route of magic) {
      const { atMs, turn } = this.#next.get(route.id) ?? { atMs: now, turn: 0 };
      if (now < atMs) continue;
      this.#begin(route, OUTCOMES[turn % OUTCOMES.length]!, now);
      this.#next.set(route.id, { atMs: now + (this.#needs.calledMs ?? CALLED_MS), turn: turn + 1 });
    }
  }

  #begin(route: HeldRoute, outcome: Outcome, startedMs: number): void {
    const isMagic = route.value.e164 === MAGIC_NUMBERS.called.e164;
    const connectionWith = (id: string): ConnectionValue | undefined => this.#connection(id);
    const { forwarding } = this.#needs;
    const { payer } = route;
    const call = placeSimulatedCall(route, {
      startedMs,
      connectionWith,
      outcome,
      isMagic,
      ...(forwarding && payer && { forward: (afterMs) => forwarding.begin(payer, startedMs + afterMs) }),
    });
    if (forwarding && payer) this.#limit(call, payer, forwarding);
    this.#open.add(call);
  }

  /** Ends a forwarded call when the day's seconds are used up, and counts its seconds when it ends. */
  #limit(call: SimulatedCall, payer: string, forwarding: SimulatedForwarding): void {
    const forwards = call.attempts.filter(({ target }) => target.mode === "forward");
    if (forwards.length === 0) return;
    const isForwarded = call.outcome.isAnswered && call.attempts.at(-1)!.target.mode === "forward";
    if (isForwarded) {
      const leftMs = forwarding.secondsLeft(payer, call.startedMs) * 1000;
      call.limitedAtMs = call.decidedAtMs + leftMs;
      call.endsAtMs = Math.min(call.endsAtMs, call.limitedAtMs);
    }
    const seconds = isForwarded ? Math.ceil((call.endsAtMs - call.decidedAtMs) / 1000) : 0;
    this.#forwarded.set(call, { payer, seconds, calls: forwards.length });
  }

  #endForwarded(call: SimulatedCall): void {
    const { payer, seconds, calls } = this.#forwarded.get(call) ?? { payer: "", seconds: 0, calls: 0 };
    for (let ended = 0; ended < calls; ended++)
      this.#needs.forwarding!.end(payer, call.endsAtMs, ended === 0 ? seconds : 0);
    this.#forwarded.delete(call);
  }

  #connection(id: string): ConnectionValue | undefined {
    for (const item of this.#needs.held()) if (item.id === id && "targets" in item.value) return item.value;
    return undefined;
  }

  /** As on a real switch, a call is known once it is answered or rejected. */
  #advance(now: number): void {
    for (const call of this.#open) {
      const hasEnded = now >= call.endsAtMs;
      if (!call.isDecided && (hasEnded || now >= call.decidedAtMs)) {
        call.isDecided = true;
        this.#called.add(call.numberId, call.startedMs);
        if (call.outcome.isAnswered) this.#count(call.numberId, 1);
      }
      if (!hasEnded) continue;
      this.#open.delete(call);
      if (call.outcome.isAnswered) this.#count(call.numberId, -1);
      this.#endForwarded(call);
      this.#waiting.push(recordOf(call));
    }
  }

  #count(numberId: string, by: number): void {
    const calls = (this.#active.get(numberId) ?? 0) + by;
    if (calls > 0) this.#active.set(numberId, calls);
    else this.#active.delete(numberId);
  }

  async #send(): Promise<void> {
    try {
      await this.#live.report();
      while (this.#waiting.length > 0) {
        await this.#needs.service.upload(this.#waiting.slice(0, BATCH));
        this.#waiting = this.#waiting.slice(BATCH);
      }
      this.#isFailing = false;
    } catch (error) {
      this.#waiting = this.#waiting.slice(-MOST_WAITING);
      if (!this.#isFailing)
        this.#needs.log.warn({ error: textOf(error) }, "simulated calls not uploaded; retrying");
      this.#isFailing = true;
    }
  }
}

type HeldRoute = HeldItem & { value: RouteValue };

function isRouted(item: HeldItem): item is HeldRoute {
  return "mode" in item.value && item.value.mode !== "unrouted";
}
