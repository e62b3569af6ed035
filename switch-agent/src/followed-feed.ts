import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type AgentLog, textOf } from "./agent-log.ts";
import type { ControlPlane, FeedMessage, Position } from "./control-plane.ts";
import { isDenied, isMalformed, isRetired } from "./control-plane-error.ts";
import { backOffMs, type Timing } from "./timing.ts";

interface Needs {
  control: ControlPlane;
  timing: Timing;
  log: AgentLog;
  position(): Position;
  take(message: FeedMessage): Promise<void>;
  /** The service rejected the position: it may be of an earlier version. */
  malformed(): void;
  /** Called at each connection attempt of a retired switch, in place of the stream. */
  retired(): void;
}

/** A line that works and ends at once, repeatedly, must not be opened ten times a second. */
const FAILURES_AFTER_READY = 2;

/** A piece of the stream may hold hundreds of messages: timers and reports get their turn in between. */
const TURN_MS = 10;

/** Follows the service forever: a line that ends is opened again from where the store is. */
export class Feed {
  readonly #needs: Needs;
  readonly #stopping = new AbortController();
  #line = new AbortController();
  #heardAtMs = performance.now();
  #failures = 0;
  #ended: Promise<void>;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#ended = this.#follow();
  }

  /** The service speaks at every heartbeat, if only to say that it is there. */
  dropIfSilent(): void {
    if (performance.now() - this.#heardAtMs < this.#needs.timing.heartbeatMs * 3) return;
    this.#heardAtMs = performance.now();
    this.#line.abort(new Error("No message from the service for three heartbeats."));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#line.abort();
    await this.#ended;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const problem = await this.#followOnce();
      if (signal.aborted) return;
      await sleep(this.#delayMs(problem), undefined, { signal }).catch(() => undefined);
    }
  }

  async #followOnce(): Promise<unknown> {
    const { control, position, take, timing } = this.#needs;
    this.#line = new AbortController();
    const openedAtMs = performance.now();
    this.#heardAtMs = openedAtMs;
    let turnAtMs = openedAtMs;
    try {
      for await (const message of control.follow(position(), this.#line.signal)) {
        if (this.#stopping.signal.aborted) return undefined;
        this.#heardAtMs = performance.now();
        await take(message);
        if (performance.now() - turnAtMs > TURN_MS) {
          await nextTurn();
          turnAtMs = performance.now();
        }
        if (message.type === "ready") this.#failures = Math.min(this.#failures, FAILURES_AFTER_READY);
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      if (performance.now() - openedAtMs > timing.heartbeatMs) this.#failures = 0;
    }
  }

  #delayMs(problem: unknown): number {
    const { timing, log } = this.#needs;
    const error = problem === undefined ? "it ended" : textOf(problem);
    if (isMalformed(problem)) this.#needs.malformed();
    if (isRetired(problem)) {
      this.#needs.retired();
      log.error({ error }, "switch retired by the operator; rejecting new calls");
      return timing.deniedMs;
    }
    if (isDenied(problem)) {
      log.error({ error }, "credential rejected by the service; calls keep the last applied routes");
      return timing.deniedMs;
    }
    if (this.#failures === 0)
      log.warn({ error }, "connection to the service lost; calls keep the last applied routes");
    return backOffMs(this.#failures++, timing.reconnectMinMs, timing.reconnectMaxMs);
  }
}
