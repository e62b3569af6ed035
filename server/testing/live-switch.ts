import { expect } from "vitest";
import { newId } from "../src/platform/ids.ts";
import { bearer, type Service } from "./service.ts";
import { makeSwitch, type TestSwitch } from "./walls/switch-callers.ts";

/** A switch that only reports active calls. */
export class LiveSwitch {
  readonly own: TestSwitch;
  readonly #service: Service;
  #session = newId();
  #sequence = 0;

  private constructor(service: Service, own: TestSwitch) {
    this.#service = service;
    this.own = own;
  }

  static async add(service: Service): Promise<LiveSwitch> {
    const own = await makeSwitch(service);
    await service.database.admin(
      "update switches set last_seen_at = now() + interval '1 hour' where id = $1",
      [own.id],
    );
    return new LiveSwitch(service, own);
  }

  /** As though every switch had all that is wanted of it. */
  async confirmAll(): Promise<void> {
    const { admin } = this.#service.database;
    await admin(
      "update switches set synced_epoch = (select epoch from feed_epoch), proved_in = database_instance()",
    );
    await admin("update feed_confirmations c set version = s.head from feed_shards s where s.id = c.shard");
  }

  /** Reports the active calls of these numbers. Others are unchanged, or with a snapshot have none. */
  async tell(calls: Record<string, number>, { isSnapshot = this.#sequence === 0 } = {}): Promise<void> {
    const lastAt = new Date().toISOString();
    const { status, body } = await this.#service.send("POST", "/switch/v1/live", {
      headers: bearer(this.own.credential),
      body: {
        session: this.#session,
        sequence: ++this.#sequence,
        is_snapshot: isSnapshot,
        numbers: Object.entries(calls).map(([id, count]) => ({
          number_id: id,
          active_calls: count,
          calls_last_minute: count,
          last_call_at: count > 0 ? lastAt : null,
        })),
      },
    });
    expect([status, body]).toEqual([200, { is_taken: true }]);
  }
}
