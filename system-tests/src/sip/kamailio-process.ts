import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { isGroupAlive } from "./process-group.ts";
import { until } from "./until.ts";

const started = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of started) endNow(child);
});

/** Runs a program for which this file, in the place of the machine's own, says who knows the names. */
const WITH_RESOLVER = ["--mount", "sh", "-c", 'mount --bind "$0" /etc/resolv.conf && exec "$@"'];

export const withResolver = (resolvConf: string, command: string[]): [string, ...string[]] => [
  "unshare",
  ...WITH_RESOLVER,
  resolvConf,
  ...command,
];

/** In a separate process group, so that all its processes end together. */
export function startKamailio(
  settings: string,
  logFile: string,
  { memoryMb, resolvConf }: { memoryMb: number; resolvConf?: string | undefined },
): ChildProcess {
  const log = openSync(logFile, "a");
  const memory = ["-x", "tlsf", "-X", "tlsf", "-m", String(memoryMb), "-M", "64"];
  const command = ["/usr/sbin/kamailio", "-f", settings, ...memory, "-DD", "-E"];
  const [program, ...args] = resolvConf === undefined ? command : withResolver(resolvConf, command);
  const child = spawn(program!, args, {
    detached: true,
    stdio: ["ignore", log, log],
  });
  started.add(child);
  child.once("exit", () => started.delete(child));
  return child;
}

/** Ends all of it at once, as a power cut would. */
export async function endKamailio(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
  endNow(child);
  await ended;
  await until("the end of Kamailio's processes", () => !isGroupAlive(child.pid!));
}

function endNow(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // All of them had ended.
  }
}
