import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const ASIDE = /^acc_\d+\.log\.\d+$/;
const ACTIVE = /^acc_\d+\.log$/;

/** The files into which a switch writes its rows, as its agent puts them aside and removes them. */
export class RecordFiles {
  readonly #folder: string;
  readonly #aside = new Set<string>();

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, "records");
  }

  /** Call it repeatedly: it knows retired files only if it saw them. */
  look(): { withRows: string[]; aside: string[]; gone: string[] } {
    const names = readdirSync(this.#folder);
    for (const name of names) if (ASIDE.test(name)) this.#aside.add(name);
    return {
      withRows: names.filter((name) => ACTIVE.test(name) && this.#sizeOf(name) > 0),
      aside: [...this.#aside],
      gone: [...this.#aside].filter((name) => !names.includes(name)),
    };
  }

  /** It may be gone by now. */
  #sizeOf(name: string): number {
    return statSync(join(this.#folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }
}
