import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readStatistics, sippArguments } from "../sip/sipp.ts";
import type { Peer } from "../sip/sip-transport.ts";
import type { Edge, EdgeName } from "./edge.ts";

const HOLD_MS = 2_000;
/** A message that is later has failed its call. */
const REPLY_MS = 5_000;
const MOST_CALLS = 100_000_000;
/** A call that began earlier has ended, and so has the count of it. */
export const SETTLED_MS = HOLD_MS + 2 * REPLY_MS + 1_000;

export interface CallCount {
  successful: number;
  failed: number;
}

/** sipp as the carrier of each switch: it places calls until it ends. */
export class CallLoad implements Disposable {
  readonly #folder: string;
  readonly #children = new Map<EdgeName, ChildProcess>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  start(edge: Edge, from: Peer, of: { numbers: readonly string[]; perSecond: number }): void {
    const numbers = join(this.#folder, `${edge.name}-numbers.csv`);
    writeFileSync(numbers, ["SEQUENTIAL", ...of.numbers.map((one) => `${one};`)].join("\n"));
    const load = `-inf ${numbers} -r ${of.perSecond} -m ${MOST_CALLS} -l 100000 -d ${HOLD_MS}`;
    const end = `-recv_timeout ${REPLY_MS} -trace_stat -stf ${this.#statistics(edge.name)} -fd 1`;
    const errors = `-trace_err -error_file ${join(this.#folder, "logs", `calls-${edge.name}.log`)}`;
    const to = `${edge.at.address}:${edge.at.port}`;
    const args = [to, ...sippArguments("caller", from), ...`${load} ${end} ${errors}`.split(" ")];
    this.#children.set(edge.name, spawn("sipp", args, { stdio: "ignore" }));
  }

  /** Calls that have ended since the start. */
  count(name: EdgeName): CallCount {
    const child = this.#children.get(name)!;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The caller of ${name} has ended`);
    const file = this.#statistics(name);
    return existsSync(file) ? readStatistics(readFileSync(file, "utf8")) : { successful: 0, failed: 0 };
  }

  [Symbol.dispose](): void {
    for (const child of this.#children.values()) child.kill("SIGKILL");
  }

  #statistics(name: EdgeName): string {
    return join(this.#folder, `${name}-calls.csv`);
  }
}
