import type { SwitchChange } from "../driver.ts";
import type { Answered } from "./switch-changes.ts";

const CHANGES_A_TURN = 1_000;

interface Waiting {
  changes: SwitchChange[];
  answer: Answered;
  sent: PromiseWithResolvers<void>;
}

/** Changes that arrive during an update of the switch, to be sent together. */
export class WaitingChanges {
  readonly #waiting: Waiting[] = [];

  /** Resolves once they are sent. */
  async add(changes: SwitchChange[], answer: Answered): Promise<void> {
    const sent = Promise.withResolvers<void>();
    this.#waiting.push({ changes, answer, sent });
    await sent.promise;
  }

  async send(apply: (changes: SwitchChange[], answer: Answered) => Promise<void>): Promise<void> {
    const taken: Waiting[] = [];
    for (let count = 0; count < CHANGES_A_TURN && this.#waiting.length > 0;) {
      taken.push(this.#waiting.shift()!);
      count += taken.at(-1)!.changes.length;
    }
    if (taken.length === 0) return;
    const answers = new Map(
      taken.flatMap(({ changes, answer }) => changes.map((change) => [change, answer])),
    );
    try {
      await apply([...answers.keys()], (change, ...rest) => answers.get(change)!(change, ...rest));
      for (const { sent } of taken) sent.resolve();
    } catch (error) {
      for (const { sent } of taken) sent.reject(error);
    }
  }
}
