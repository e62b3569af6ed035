import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { promisify } from "node:util";

export type Environment = Record<string, string>;

/** One of the project's programs while it runs. */
export interface Program extends AsyncDisposable {
  output(): string;
  /** Throws what it wrote, where it has ended. */
  assertRunning(): void;
  signal(name: NodeJS.Signals): void;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

const started = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of started) child.kill("SIGKILL");
});

/** Starts it as an operator does, with these settings and no others. */
export function startProgram(file: string, args: string[] = [], settings: Environment = {}): Program {
  const child = spawn(process.execPath, [file, ...args], {
    env: withCompileCache(settings),
    stdio: ["pipe", "pipe", "pipe"],
  });
  started.add(child);
  child.once("exit", () => started.delete(child));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    if (hasEnded()) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  return {
    output: () => output,
    assertRunning: () => {
      if (hasEnded()) throw new Error(`${basename(file)} has ended:\n${output}`);
    },
    signal: (name) => void child.kill(name),
    kill: () => end("SIGKILL"),
    [Symbol.asyncDispose]: () => end("SIGTERM"),
  };
}

/** Runs it to its end; returns what it printed. */
export async function runProgram(file: string, args: string[], settings: Environment): Promise<string> {
  const all = [file, ...args];
  const ran = promisify(execFile)(process.execPath, all, {
    env: withCompileCache(settings),
    timeout: 150_000,
  });
  const { stdout } = await ran.catch((cause: Error & { stdout: string }) => {
    throw new Error(`${cause.message}\n${cause.stdout}`, { cause });
  });
  return stdout;
}

/** Compiled code of earlier starts, of other files if the run keeps it: a program is the same with it, and starts in half the processor time. */
function withCompileCache(settings: Environment): NodeJS.ProcessEnv {
  const ofThisRun = process.env["NODE_COMPILE_CACHE"];
  return { ...settings, ...(ofThisRun && { NODE_COMPILE_CACHE: ofThisRun }) };
}
