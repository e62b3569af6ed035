import fc from "fast-check";
import { expect, test } from "vitest";
import {
  byeRow,
  endBySwitchRow,
  inviteRow,
  lateAnswerRow,
  type WrittenCall,
  writtenCall,
} from "../testing/acc-rows.ts";
import { SpoolScene, WritingProcess } from "../testing/spool-scene.ts";
import { readRow } from "./acc-row.ts";
import { callerNumbers } from "./caller-numbers.ts";
import { join, type OpenCall, recordOf } from "./call-join.ts";

const PROCESSES = [1, 2, 3];

/** One thing that happens: to the switch, to the tailer or to the line. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("call" as const),
      rows: fc.constantFrom("answered", "answered", "by switch", "refused", "late", "all", "endless"),
      process: fc.constantFrom(...PROCESSES),
      byeProcess: fc.constantFrom(...PROCESSES),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("flush" as const),
      process: fc.constantFrom(...PROCESSES),
      bytes: fc.integer({ min: 1, max: 900 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("kill" as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("read" as const), chunks: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("freeze" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("send" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("tidy" as const),
      isAnswered: fc.boolean(),
      afterMs: fc.constantFrom(0, 200, 900, 2_500),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("line" as const), line: fc.constantFrom("up", "down", "lost") }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("epoch" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Pending rows of the switch's processes, and the rows in the files. */
class Switch {
  readonly #waiting = new Map<number, string[]>(PROCESSES.map((process) => [process, []]));
  /** Written part of the current row. */
  readonly #begun = new Map<number, string>();
  readonly writers: Map<number, WritingProcess>;
  readonly whole: string[] = [];
  /** When it was last asked to rotate; a process goes to its new file with the next row it begins. */
  readonly rotation = { atSecond: 0 };

  constructor(directory: string) {
    this.writers = new Map(
      PROCESSES.map((process) => [process, new WritingProcess(directory, process, this.rotation)]),
    );
  }

  queue(process: number, row: string): void {
    this.#waiting.get(process)!.push(row);
  }

  flush(process: number, bytes: number): void {
    const rows = this.#waiting.get(process)!;
    let left = bytes;
    while (left > 0 && rows.length > 0) {
      const begun = this.#begun.get(process) ?? "";
      const piece = rows[0]!.slice(begun.length, begun.length + left);
      if (begun === "") this.writers.get(process)!.begin(piece);
      else this.writers.get(process)!.goOn(piece);
      left -= piece.length;
      if (begun + piece === rows[0]) {
        this.whole.push(rows.shift()!);
        this.#begun.delete(process);
      } else this.#begun.set(process, begun + piece);
    }
  }

  /** kill -9: what was begun is never ended; the next process with that number continues behind it. */
  kill(): void {
    for (const process of PROCESSES) {
      if (this.#begun.delete(process)) this.#waiting.get(process)!.shift();
      this.writers.get(process)!.close();
    }
  }

  close(): void {
    for (const writer of this.writers.values()) writer.close();
  }
}

function queueCall(
  on: Switch,
  at: number,
  { rows, process, byeProcess }: Extract<Step, { do: "call" }>,
): void {
  const call: WrittenCall = writtenCall(`${at}`, {
    startedUs: 1_794_737_945_277_656 + at,
    // Every other call is in its second step.
    ...(at % 2 === 0 && { mode: "C2", events: "t c2 - 192.0.2.2~5060~udp host=pbx.example^" }),
  });
  if (rows === "refused") on.queue(process, inviteRow({ ...call, code: 486 }));
  if (["answered", "by switch", "all", "endless"].includes(rows)) on.queue(process, inviteRow(call));
  if (rows === "late" || rows === "all") on.queue(process, lateAnswerRow(call, 9_000, call.events));
  if (rows === "by switch") on.queue(byeProcess, endBySwitchRow(call));
  else if (rows !== "refused" && rows !== "endless") on.queue(byeProcess, byeRow(call));
}

async function run(steps: Step[]): Promise<void> {
  using scene = new SpoolScene({ rotateBytes: 800, chunkBytes: 1_500, retireMs: 1_000_000 });
  const on = new Switch(scene.directory);
  let epochs = 1;
  for (const [at, one] of steps.entries()) {
    if (one.do === "call") queueCall(on, at, one);
    if (one.do === "flush") on.flush(one.process, one.bytes);
    if (one.do === "kill") on.kill();
    if (one.do === "restart") scene.restart();
    if (one.do === "freeze") scene.freeze();
    if (one.do === "line") scene.service.line = one.line as "up";
    if (one.do === "epoch") scene.service.epoch = `epoch ${++epochs}`;
    if (one.do === "send") await scene.send().catch(() => {});
    if (one.do === "read") {
      let left = one.chunks;
      await scene.tail.read(() => --left <= 0);
    }
    if (one.do === "tidy") {
      scene.rotate = async () => {
        on.rotation.atSecond = Math.floor(scene.nowMs / 1000);
        if (!one.isAnswered) throw new Error("No answer.");
      };
      await scene.tidy(one.afterMs);
    }
  }
  for (const process of PROCESSES) on.flush(process, Infinity);
  scene.service.line = "up";
  await scene.read();
  scene.freeze(true);
  await scene.send();
  expect(Object.fromEntries(scene.service.records())).toEqual(expectedOf(on.whole));
  expect(scene.store.counts().anomalies).toBe(0);
  expect(scene.store.backlog()).toEqual({ open: 0, unsent: 0 });
  on.close();
}

function expectedOf(rows: string[]): Record<string, unknown> {
  const calls = new Map<string, OpenCall>();
  for (const line of rows) {
    const { row } = readRow(line.trimEnd())!;
    calls.set(row.rid, join(calls.get(row.rid), row));
  }
  return Object.fromEntries(
    [...calls].map(([rid, call]) => [
      rid,
      recordOf(
        call,
        callerNumbers(() => []),
      ),
    ]),
  );
}

test("every row that reached a file is in exactly one record, whatever crashed in between", async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80, size: "max" }), run), {
    numRuns: 60,
    endOnFailure: true,
  });
});
