import { isDeepStrictEqual } from "node:util";
import type { TrunkDriver, TrunkReading } from "../driver.ts";
import type { SentTrunkList, TrunkList } from "../trunk-list.ts";

/** Trunks of a simulated switch, which has no settings file. */
export class SimulatedTrunks implements TrunkDriver {
  readonly features = ["trunks"];
  #desired: SentTrunkList | undefined;
  #held: TrunkList = { trunks: [], forwarding: null };

  desiredTrunks(): TrunkList {
    return this.#desired ?? { trunks: [], forwarding: null };
  }

  async readTrunks(): Promise<TrunkReading> {
    const { trunks, forwarding } = this.desiredTrunks();
    const names = [...new Set([...trunks, ...this.#held.trunks].map(({ name }) => name))];
    const foundOf = (name: string) => this.#held.trunks.find((one) => one.name === name) ?? null;
    return {
      report: {
        etag: this.#desired?.etag ?? null,
        trunks: names.map((name) => ({ name, found: foundOf(name), error: "" })),
        forwarding: { found: this.#held.forwarding, error: "" },
      },
      isAsDesired: isDeepStrictEqual(this.#held, { trunks, forwarding }),
    };
  }

  async setTrunks(list: SentTrunkList): Promise<void> {
    this.#desired = list;
    await this.repairTrunks();
  }

  async repairTrunks(): Promise<void> {
    const { trunks, forwarding } = this.desiredTrunks();
    this.drift({ trunks, forwarding });
  }

  /** Changes the held trunks as if an operator had done so on the switch. */
  drift(held: TrunkList): void {
    this.#held = structuredClone(held);
  }
}
