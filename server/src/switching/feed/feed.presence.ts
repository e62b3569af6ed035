import type { Database } from "../../platform/db/database.ts";
import type { Log } from "../../platform/log.ts";
import { setSwitchesSeen } from "./feed.store.ts";

const FLUSH_MS = 2_000;

/** Collects reports of switches and records their time together, so that a heartbeat costs no separate statement. */
export class Presence {
  readonly #needs: { db: Database; log: Log };
  readonly #timer: NodeJS.Timeout;
  readonly #said = new Map<string, string>();
  /** Whether it said, too, that it read how its targets are. */
  #seen = new Map<string, boolean>();

  constructor(needs: { db: Database; log: Log }) {
    this.#needs = needs;
    this.#timer = setInterval(() => void this.#flush(), FLUSH_MS).unref();
  }

  seen(switchId: string, said: string, hasRead: boolean): void {
    this.#seen.set(switchId, hasRead || this.#seen.get(switchId) === true);
    this.#said.set(switchId, said);
  }

  lastHeard(switchId: string): string | undefined {
    return this.#said.get(switchId);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#seen.size === 0) return;
    const ids = [...this.#seen.keys()];
    const readers = ids.filter((id) => this.#seen.get(id));
    this.#seen.clear();
    await setSwitchesSeen(this.#needs.db, ids, readers).catch((error: unknown) => {
      this.#needs.log.warn({ err: error, switches: ids.length }, "last-seen times of switches not stored");
    });
  }
}
