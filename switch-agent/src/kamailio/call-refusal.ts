import type { SwitchMemory } from "./switch-memory.ts";

/** Whether new calls get 503 for want of room; `draining` is the operator's own mark. The switch forgets it when it restarts, and then hears it again. */
export class CallRefusal {
  readonly #memory: Pick<SwitchMemory, "mark">;
  #isRefusing = false;
  /** To which start of the switch it was said. At first to none: an agent before this one may have said something else. */
  #said: string | undefined;
  #isSaying = false;

  constructor(memory: Pick<SwitchMemory, "mark">) {
    this.#memory = memory;
  }

  set(isRefusing: boolean): void {
    this.#isRefusing = isRefusing;
  }

  /** Comes with every sign of life, so what was not heard is said again. */
  async settle(boot: string): Promise<void> {
    const wanted = `${boot} ${this.#isRefusing}`;
    if (this.#isSaying || this.#said === wanted) return;
    this.#isSaying = true;
    const isHeard = await this.#memory.mark("full", this.#isRefusing).then(
      () => true,
      () => false,
    );
    this.#isSaying = false;
    if (isHeard) this.#said = wanted;
  }
}
