import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import { styleText } from "node:util";
import { usageFailure } from "./cli-failure.ts";

export interface Streams {
  stdin: Readable & { isTTY?: boolean | undefined };
  stdout: Writable & { isTTY?: boolean | undefined; columns?: number | undefined };
  stderr: Writable & { isTTY?: boolean | undefined; columns?: number | undefined };
}

export type Tone = "good" | "bad" | "odd" | "faint" | "title";
const STYLES = { good: "green", bad: "red", odd: "yellow", faint: "dim", title: "bold" } as const;

export interface Terminal {
  /** How wide a table may be; undefined if it goes into a file or another program and is not cut. */
  width: number | undefined;
  /** A screen that can be drawn again. */
  isScreen: boolean;
  canAsk: boolean;
  /** Data, and nothing but data. */
  write(text: string): Promise<void>;
  /** Everything that is not data. */
  say(line: string): void;
  /** A line that the next one replaces. Not shown without a terminal. */
  progress(line: string): void;
  ask(question: string): Promise<string>;
  tone(text: string, tone: Tone | undefined): string;
}

interface Wishes {
  hasColour: boolean;
  columns: number | undefined;
  isSilent: boolean;
  signal: AbortSignal;
}

const CLEAR_LINE = "\r\u001B[K";
const NARROW = 80;

export function openTerminal({ stdin, stdout, stderr }: Streams, wishes: Wishes): Terminal {
  const paints = wishes.hasColour && stdout.isTTY === true;
  const isWatched = stderr.isTTY === true;
  let shown = "";
  const clear = (): void => {
    if (shown) stderr.write(CLEAR_LINE);
    shown = "";
  };
  return {
    width: wishes.columns ?? (stdout.isTTY ? (stdout.columns ?? NARROW) : undefined),
    isScreen: stdout.isTTY === true,
    canAsk: stdin.isTTY === true && isWatched && !wishes.isSilent,
    async write(text) {
      clear();
      if (!stdout.write(text)) await once(stdout, "drain", { signal: wishes.signal });
    },
    say(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    progress(line) {
      const cut = line.slice(0, (stderr.columns ?? NARROW) - 1);
      if (!isWatched || cut === shown) return;
      stderr.write(`${CLEAR_LINE}${cut}`);
      shown = cut;
    },
    async ask(question) {
      clear();
      const reader = createInterface({ input: stdin, output: stderr, terminal: true });
      // Forwards Ctrl-C, which readline would otherwise consume.
      reader.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
      try {
        const closed = once(reader, "close").then(() =>
          Promise.reject(usageFailure("No input was received. Nothing was changed.")),
        );
        closed.catch(() => undefined);
        return await Promise.race([reader.question(question, { signal: wishes.signal }), closed]);
      } finally {
        reader.close();
      }
    },
    tone: (text, tone) => (paints && tone ? styleText(STYLES[tone], text, { validateStream: false }) : text),
  };
}
