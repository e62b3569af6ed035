import type { SwitchMemory } from "./switch-memory.ts";

/** full: there is no room for their records; draining: the operator wants none here. */
type Reason = "full" | "draining";

/** Reasons why new calls get 503. The switch loses them when it restarts, so they are sent again. */
export class CallRejection {
  readonly #memory: Pick<SwitchMemory, "mark">;
  /** Draining is not set before the service sends it: an operator may have set it on the switch. */
  readonly #wanted = new Map<Reason, boolean>([["full", false]]);
  /**
   * Last value sent per reason, with the boot ID. Empty at first: a previous agent may have sent another
   * value.
   */
  readonly #said = new Map<Reason, string>();
  #isSaying = false;

  constructor(memory: Pick<SwitchMemory, "mark">) {
    this.#memory = memory;
  }

  set(reason: Reason, isRefusing: boolean): void {
    this.#wanted.set(reason, isRefusing);
    // The service overrides an operator's change on the switch, even if its own value has not changed.
    if (reason === "draining") this.#said.delete(reason);
  }

  /** Called at each heartbeat, so a failed update is retried. */
  async settle(boot: string): Promise<void> {
    if (this.#isSaying) return;
    this.#isSaying = true;
    for (const [reason, isRefusing] of this.#wanted) await this.#say(boot, reason, isRefusing);
    this.#isSaying = false;
  }

  async #say(boot: string, reason: Reason, isRefusing: boolean): Promise<void> {
    const wanted = `${boot} ${isRefusing}`;
    if (this.#said.get(reason) === wanted) return;
    await this.#memory.mark(boot, reason, isRefusing).then(
      () => this.#said.set(reason, wanted),
      () => undefined,
    );
  }
}
