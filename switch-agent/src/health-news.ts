import type { ConnectionHealth } from "./control-plane.ts";

/** A connection with 20 targets of 8 addresses makes 10 KB, and the service takes 8 MiB. */
const MAX_CONNECTIONS = 500;

/** Health of connections that the service has not acknowledged yet. */
export class HealthNews {
  #read = new Map<string, ConnectionHealth>();
  #isNew = false;
  /** By connection, what the service took last. */
  readonly #reported = new Map<string, string>();
  readonly #due = new Set<string>();

  /** Returns whether any health differs from the last acknowledged report. */
  take(read: ConnectionHealth[]): boolean {
    this.#read = new Map(read.map((one) => [one.id, one]));
    this.#isNew = true;
    this.#due.clear();
    for (const one of read) if (this.#reported.get(one.id) !== JSON.stringify(one)) this.#due.add(one.id);
    for (const id of this.#reported.keys()) if (!this.#read.has(id)) this.#due.add(id);
    return this.#due.size > 0;
  }

  /** For the next report; undefined if nothing was read since the last. */
  next(): { connections: ConnectionHealth[] } | undefined {
    if (!this.#isNew && this.#due.size === 0) return undefined;
    this.#isNew = false;
    const ids = [...this.#due].slice(0, MAX_CONNECTIONS);
    return { connections: ids.map((id) => this.#read.get(id) ?? { id, targets: [] }) };
  }

  hasDue(): boolean {
    return this.#due.size > 0;
  }

  /** The service has acknowledged these. Newer readings may differ already. */
  committed(connections: ConnectionHealth[]): void {
    for (const one of connections) {
      if (one.targets.length > 0) this.#reported.set(one.id, JSON.stringify(one));
      else this.#reported.delete(one.id);
      const now = this.#read.get(one.id);
      if (now === undefined ? one.targets.length === 0 : JSON.stringify(now) === JSON.stringify(one))
        this.#due.delete(one.id);
    }
  }

  /** A new receiver may know nothing: the next reading reports all connections. */
  startOver(): void {
    this.#reported.clear();
  }
}
