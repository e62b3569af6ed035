import { appendFileSync, closeSync, openSync, readSync } from "node:fs";
import type { FeedItem } from "@dialplane/switch-agent";

/** A number's route, as a switch answered that it holds it. */
export interface ReadBack {
  id: string;
  generation: number;
  sipUri: string | undefined;
}

/** Written to the file when this returns, so that it survives a kill. */
export function writeReadBacks(
  path: string,
  held: readonly (Pick<FeedItem, "id" | "generation" | "value"> | null)[],
): void {
  const lines = held.flatMap((item) => {
    if (!item?.value || !("mode" in item.value)) return [];
    return [`${lineOf({ id: item.id, generation: item.generation, sipUri: item.value.sip_uri })}\n`];
  });
  if (lines.length > 0) appendFileSync(path, lines.join(""));
}

/** The line between what a switch answered before and after it lost its memory. */
const LOSS = "lost";

/** All that the agents of one switch were answered, over all their lives. */
export class ReadBacks {
  readonly #path: string;
  readonly #file: number;
  readonly #ever = new Set<string>();
  readonly #sinceLoss = new Set<string>();
  readonly #chunk = Buffer.alloc(1 << 16);
  #offset = 0;
  #rest = "";

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "a+");
  }

  /** Each generation of a route counts once. */
  get size(): number {
    return this.#ever.size;
  }

  has(readBack: ReadBack): boolean {
    const line = lineOf(readBack);
    if (!this.#ever.has(line)) this.#readOn();
    return this.#ever.has(line);
  }

  hasSinceLoss(readBack: ReadBack): boolean {
    this.#readOn();
    return this.#sinceLoss.has(lineOf(readBack));
  }

  /** Call it while no agent runs. A killed agent may have left half a line. */
  markLoss(): void {
    appendFileSync(this.#path, `\n${LOSS}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }

  #readOn(): void {
    for (;;) {
      const length = readSync(this.#file, this.#chunk, 0, this.#chunk.length, this.#offset);
      if (length === 0) return;
      this.#offset += length;
      const lines = (this.#rest + this.#chunk.toString("latin1", 0, length)).split("\n");
      this.#rest = lines.pop()!;
      for (const line of lines) this.#take(line);
    }
  }

  #take(line: string): void {
    if (line === LOSS) return this.#sinceLoss.clear();
    this.#ever.add(line);
    this.#sinceLoss.add(line);
  }
}

function lineOf({ id, generation, sipUri }: ReadBack): string {
  return `${id} ${generation} ${sipUri ?? "-"}`;
}
