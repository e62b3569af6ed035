import type { SwitchMemory } from "./switch-memory.ts";

/** full: there is no room for their records; draining: the operator wants none here. */
type Reason = "full" | "draining";

/** Why new calls get 503, if they do. The switch forgets it when it restarts, and then hears it again. */
export class CallRefusal {
  readonly #memory: Pick<SwitchMemory, "mark">;
  /** Of draining nothing is said before the service has: somebody may have set it by hand. */
  readonly #wanted = new Map<Reason, boolean>([["full", false]]);
  /** What was said to which start of the switch. At first nothing: an agent before this one may have said something else. */
  readonly #said = new Map<Reason, string>();
  #isSaying = false;

  constructor(memory: Pick<SwitchMemory, "mark">) {
    this.#memory = memory;
  }

  set(reason: Reason, isRefusing: boolean): void {
    this.#wanted.set(reason, isRefusing);
    // Whoever drained by hand while the service was unreachable is overruled by it, though it says what it said before.
    if (reason === "draining") this.#said.delete(reason);
  }

  /** Comes with every sign of life, so what was not heard is said again. */
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
