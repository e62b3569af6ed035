import type { ReadBacks } from "./read-backs.ts";
import { send } from "../../../../testing/send.ts";

/** Observations of a client that polls the routing of numbers, and those that cannot be true. */
export interface Sightings {
  looks: number;
  /** Looks that showed something as applied. */
  shown: number;
  /** How often what was shown as applied was gone at the next look. */
  lost: number;
  lies: string[];
}

interface Needs {
  url: string;
  secret: string;
  readBacks: ReadBacks;
  /** Sent to the service so far: the sip_uri of each generation, index 0 being generation 2. */
  wanted: ReadonlyMap<string, readonly string[]>;
  /** How often the switch has lost its memory so far. */
  memoryLosses(): number;
}

interface Memory {
  /** The newest generation that was ever shown. */
  newest: number;
  isShown: boolean;
  /** How often the switch had lost its memory by the last look. */
  losses: number;
  /** The last memory loss that explains why nothing was shown. */
  explainedBy: number;
}

export class RoutingWatcher {
  readonly sightings: Sightings = { looks: 0, shown: 0, lost: 0, lies: [] };
  readonly #needs: Needs;
  readonly #memories = new Map<string, Memory>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** False without a response. */
  async look(id: string): Promise<boolean> {
    const { url, secret, memoryLosses } = this.#needs;
    const losses = memoryLosses();
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await send(url, "GET", `/v1/numbers/${id}/routing`, { headers }).catch(() => undefined);
    if (answer?.status !== 200) return false;
    this.sightings.looks++;
    const memory = this.#memories.get(id) ?? { newest: 0, isShown: false, losses: 0, explainedBy: 0 };
    this.#memories.set(id, memory);
    const lies =
      answer.body.applied === null ? this.#liesOfNothing(memory) : this.#liesOf(id, answer.body, memory);
    this.sightings.lies.push(...lies.map((lie) => `${lie}: ${answer.text}`));
    memory.losses = losses;
    return true;
  }

  /** A switch that lost its memory explains once why nothing is shown any longer. */
  #liesOfNothing(memory: Memory): string[] {
    if (!memory.isShown) return [];
    memory.isShown = false;
    this.sightings.lost++;
    memory.explainedBy = Math.max(memory.explainedBy + 1, memory.losses);
    return memory.explainedBy > this.#needs.memoryLosses()
      ? ["vanished, though the switch lost nothing"]
      : [];
  }

  #liesOf(id: string, { desired, applied, status }: Shown, memory: Memory): string[] {
    const { readBacks, wanted } = this.#needs;
    const { generation, sip_uri: sipUri } = applied;
    this.sightings.shown++;
    const faults = {
      "went back": generation < memory.newest,
      "is ahead of what is desired": generation > desired.generation,
      "was never desired": sipUri !== wanted.get(id)![generation - 2],
      "was never read back": !readBacks.has({ id, generation, sipUri }),
      "is not in sync": status === "in_sync" && generation !== desired.generation,
    };
    memory.newest = Math.max(memory.newest, generation);
    memory.isShown = true;
    return Object.entries(faults).flatMap(([lie, isFound]) => (isFound ? [lie] : []));
  }
}

interface Shown {
  desired: { generation: number };
  applied: { generation: number; sip_uri?: string };
  status: string;
}
