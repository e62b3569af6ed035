import { type Beat, ControlLine } from "./control-line.ts";
import type { Row, SwitchTable } from "./route-text.ts";
import type { SwitchRpc } from "./switch-rpc.ts";

/** Large enough to be rare, small enough that a response with long values fits the switch's buffer. */
const MAX_ASKED_BYTES = 1_500;

/** The request was for the memory before the switch's restart. */
export class RestartedError extends Error {
  constructor() {
    super("The switch restarted during the operation.");
  }
}

/** The table `used` counts calls. The switch writes it, and it is in no file. */
type MemoryTable = SwitchTable | "used" | "trunk" | "probe";

/** The tables in the switch's memory, and its marks. */
export class SwitchMemory {
  readonly #line: ControlLine;
  readonly #rpc: SwitchRpc;

  constructor(line: ControlLine, rpc: SwitchRpc) {
    this.#line = line;
    this.#rpc = rpc;
  }

  beat(): Promise<Beat> {
    return this.#line.beat();
  }

  /** Said to one start of the switch: another has another memory. */
  async mark(boot: string, name: "synced" | "complete" | "full" | "draining", isSet: boolean): Promise<void> {
    const [answer] = await this.#line.ask("M", boot, [`${name} ${isSet ? 1 : 0}`]);
    if (answer === "other") throw new RestartedError();
  }

  /** `settled` gets the result of each chunk: its first and last row, and the error. */
  async set(
    table: MemoryTable,
    rows: { key: string; text: string | null }[],
    settled?: (from: number, to: number, error: unknown) => void,
  ): Promise<void> {
    const lines = rows.map(({ key, text }) => (text === null ? key : `${key} ${text}`));
    const pieces: Promise<void>[] = [];
    for (let from = 0; from < lines.length;) {
      const end = ControlLine.fit(lines, from);
      pieces.push(this.#setPiece(table, lines, { from, end }, settled));
      from = end;
    }
    await Promise.all(pieces);
  }

  /** In the order of the keys; undefined for nothing. */
  async get(table: MemoryTable, keys: string[]): Promise<(string | undefined)[]> {
    const asked: Promise<(string | undefined)[]>[] = [];
    for (let from = 0; from < keys.length;) {
      const end = ControlLine.fit(keys, from, MAX_ASKED_BYTES);
      const piece = keys.slice(from, end);
      asked.push(this.#line.ask("G", table, piece).then((lines) => textsOf(piece, lines)));
      from = end;
    }
    return (await Promise.all(asked)).flat();
  }

  /** For each shard, the sum of its rows' hashes. Garbage in the table counts as of shard 0. */
  async digests(table: "rt" | "cn"): Promise<Map<number, number>> {
    const words = await this.#rpc.get(`/digest?tbl=${table}`);
    const lines = words.split("\n").filter((line) => line !== "");
    return new Map(
      lines.map((line) => {
        const [shard, , sum] = line.split(" ").map(Number);
        return [shard!, sum!];
      }),
    );
  }

  async #setPiece(
    table: MemoryTable,
    lines: string[],
    { from, end }: { from: number; end: number },
    settled?: (from: number, to: number, error: unknown) => void,
  ): Promise<void> {
    try {
      await this.#line.ask("S", table, lines.slice(from, end));
      settled?.(from, end, null);
    } catch (error) {
      if (!settled) throw error;
      settled(from, end, error);
    }
  }

  /** Scans the whole table for a shard's rows: slow, but finds rows that the agent did not set. */
  async search(table: "rt" | "cn", shard: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = 0, skip = 0, isMore = true; isMore; page++) {
      // A switch that has not been restarted since it was upgraded counts pages of a thousand rows.
      const words = await this.#rpc.get(`/shard?tbl=${table}&shard=${shard}&page=${page}&skip=${skip}`);
      const lines = words.split("\n");
      const more = /^more(?: (\d+))?$/.exec(lines.at(-2) ?? "");
      isMore = more !== null;
      skip = Number(more?.[1] ?? 0);
      for (const line of lines.slice(0, isMore ? -2 : -1)) {
        const space = line.indexOf(" ");
        rows.push({ key: line.slice(0, space), text: line.slice(space + 1) });
      }
    }
    return rows;
  }
}

/**
 * Each line has a key and, after a space, its text. Other lines come from texts with line breaks that an
 * operator set by hand.
 */
function textsOf(keys: string[], lines: string[]): (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  for (const line of lines) {
    const key = keys[texts.length];
    if (line === key) texts.push(undefined);
    else if (key !== undefined && line.startsWith(`${key} `)) texts.push(line.slice(key.length + 1));
  }
  if (texts.length !== keys.length) throw new Error("The switch returned an unexpected response.");
  return texts;
}
