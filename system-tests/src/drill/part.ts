import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { until } from "../sip/until.ts";

export interface PartCommand {
  name: string;
  command: string[];
  environment?: Record<string, string>;
  /** PostgreSQL, Patroni and etcd do not run as root. */
  user?: "postgres";
  /** PIDs of processes that it has started and that are no longer its children. */
  detached?: () => number[];
  logFile: string;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** A part of the installation that can be killed and started again. */
export class Part {
  readonly name: string;
  readonly #of: PartCommand;
  #child: ChildProcess | undefined;

  constructor(of: PartCommand) {
    this.#of = of;
    this.name = of.name;
  }

  start(): this {
    const log = openSync(this.#of.logFile, "a");
    const [program, ...args] = asUser(this.#of.command, this.#of.user);
    this.#child = spawn(program!, args, {
      detached: true,
      stdio: ["ignore", log, log],
      env: { PATH, ...this.#of.environment },
    });
    return this;
  }

  /** Ends it and all its children at once, as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    const tree = [child.pid, ...(this.#of.detached?.() ?? [])].flatMap(treeOf);
    for (const pid of tree) killNow(pid);
    await ended;
    await until(`the end of ${this.name}`, () => !tree.some(isAlive));
  }

  /** Ends it in order, as its unit does. */
  async stop(): Promise<void> {
    const child = this.#child!;
    this.assertRunning();
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }

  assertRunning(): void {
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null)
      throw new Error(`${this.name} has ended:\n${this.log().slice(-2_000)}`);
  }

  log(): string {
    return readFileSync(this.#of.logFile, "utf8");
  }
}

/** Root becomes `user`. Other users start everything as themselves. */
export function asUser(command: string[], user: string | undefined): string[] {
  if (user === undefined || process.getuid?.() !== 0) return command;
  return ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", ...command];
}

/** The process and all that descend from it. */
function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of processes()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

function processes(): { pid: number; parent: number }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = statOf(Number(name));
      return fields ? [{ pid: Number(name), parent: Number(fields[1]) }] : [];
    });
}

function isAlive(pid: number): boolean {
  const state = statOf(pid)?.[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

/** State, parent and the rest; undefined if the process has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  } catch {
    return undefined;
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It had ended.
  }
}
