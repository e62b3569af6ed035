import { readFileSync } from "node:fs";

/** Linux reports hundredths of a second to programs, regardless of the kernel's own tick: proc(5), utime. */
const TICK_MICROSECONDS = 10_000;

interface CpuTimes {
  own: number;
  /** Of children that have ended and were waited for. */
  reaped: number;
}

/** Microseconds a process has spent so far, in all its threads. */
export function cpuOf(pid: number): number {
  return timesOf(pid).own;
}

/** The whole of a PostgreSQL: its first process, the living ones below it, and those that have ended. */
export function cpuOfCluster(pid: number): number {
  for (;;) {
    const before = timesOf(pid);
    const living = childrenOf(pid).map((child) => timesIfThere(child));
    const after = timesOf(pid);
    // One that ended in between would be counted twice, or not at all.
    if (before.reaped === after.reaped && living.every((times) => times !== undefined)) {
      return after.own + after.reaped + living.reduce((sum, times) => sum + times.own, 0);
    }
  }
}

function timesIfThere(pid: number): CpuTimes | undefined {
  try {
    return timesOf(pid);
  } catch {
    return undefined;
  }
}

function timesOf(pid: number): CpuTimes {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name, which may itself hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
  return { own: (utime! + stime!) * TICK_MICROSECONDS, reaped: (cutime! + cstime!) * TICK_MICROSECONDS };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}
