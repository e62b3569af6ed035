import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Actor, Role, SessionCaller } from "../../platform/http/access.ts";
import { keyOf } from "./live.cache.ts";
import type { AskedNumber, LiveRow } from "./live.store.ts";
import type { LiveNumber } from "./live.schema.ts";
import { liveNumbersOf } from "./live.view.ts";

interface Watcher {
  actor: Actor & { caller: SessionCaller };
  ids: readonly string[];
  /** The state that the client reports to have. */
  lastEventId: string | undefined;
}

/** Delay before a client reconnects automatically. */
const RETRY_MS = 1_000;
/** A line on which nothing moves for this long is given up. */
const STALLED_MS = 60_000;

/**
 * One client's stream. Its events show the current state, not each change: a slow or reconnecting client gets only
 * the newest state. The event ID is a hash of the state, so any replica can detect whether a reconnecting client
 * missed a change.
 */
export class LiveStream {
  readonly watcher: Watcher;
  readonly stream: Readable;
  readonly asked: readonly AskedNumber[];
  /** Of `asked`, in the same order. */
  readonly keys: readonly string[];
  readonly #told = new Map<string, string>();
  #eventId: string | undefined;
  #fullSinceMs: number | undefined;

  constructor(watcher: Watcher, onEnd: (stream: LiveStream) => void) {
    const { organisationId, environment } = watcher.actor;
    this.watcher = watcher;
    this.asked = watcher.ids.map((id) => ({ organisationId, environment, id }));
    this.keys = watcher.ids.map((id) => keyOf(organisationId, environment, id));
    this.stream = new Readable({
      read: () => void (this.#fullSinceMs = undefined),
      destroy: (_error, done) => {
        onEnd(this);
        done(null);
      },
    });
  }

  /** The first thing it says: everything, unless the client has it. */
  begin(rows: readonly LiveRow[], at: Date, retryMs = RETRY_MS): void {
    const { ids, lastEventId, actor } = this.watcher;
    const numbers = liveNumbersOf(rows, { ids, role: actor.role, at });
    this.#eventId = this.#idOf(numbers.data);
    for (const number of numbers.data) this.#told.set(number.number_id, stateOf(number));
    const isKnown = lastEventId === this.#eventId;
    this.#write(`retry: ${retryMs}\n${isKnown ? ": nothing has changed\n\n" : this.#event(numbers)}`);
  }

  /** Sends what has changed, as this role may see it. Returns false while the client does not read. */
  offer(rows: readonly LiveRow[], role: Role | null, at: Date): boolean {
    if (this.#fullSinceMs !== undefined) return false;
    const numbers = liveNumbersOf(rows, { ids: this.watcher.ids, role, at });
    const eventId = this.#idOf(numbers.data);
    if (eventId === this.#eventId) return true;
    this.#eventId = eventId;
    const changed = numbers.data.filter((number) => this.#told.get(number.number_id) !== stateOf(number));
    for (const number of changed) this.#told.set(number.number_id, stateOf(number));
    this.#write(this.#event({ ...numbers, data: changed }));
    return true;
  }

  beat(): void {
    if (this.#fullSinceMs === undefined) this.#write(":\n\n");
    else if (performance.now() - this.#fullSinceMs > STALLED_MS) this.end();
  }

  /** Ends the stream after the buffered events. */
  finish(): void {
    this.stream.push(null);
  }

  end(): void {
    this.stream.destroy();
  }

  #event(numbers: object): string {
    return `id: ${this.#eventId}\nevent: live\ndata: ${JSON.stringify(numbers)}\n\n`;
  }

  #idOf(numbers: readonly LiveNumber[]): string {
    const { organisationId, environment } = this.watcher.actor;
    const states = numbers.map((number) => `${number.number_id} ${stateOf(number)}`);
    const text = [organisationId, environment, ...states].join("\n");
    return createHash("sha256").update(text).digest("base64url").slice(0, 22);
  }

  #write(text: string): void {
    if (this.stream.destroyed) return;
    if (!this.stream.push(text)) this.#fullSinceMs ??= performance.now();
  }
}

/** The state that triggers an event if it changes. The time of the reading does not. */
function stateOf(number: LiveNumber): string {
  const { active_calls, calls_last_minute, last_call_at, applied_mode, switch_online } = number;
  return [active_calls, calls_last_minute, last_call_at, applied_mode, switch_online].join(" ");
}
