import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in these parts of a second. */
const TICKS_PER_SECOND = 100;

interface Member {
  state: string;
  cpuSeconds: number;
}

function membersOf(group: number): Member[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
        if (Number(fields[2]) !== group) return [];
        const ticks = Number(fields[11]) + Number(fields[12]);
        return [{ state: fields[0]!, cpuSeconds: ticks / TICKS_PER_SECOND }];
      } catch {
        // It ended while the list was read.
        return [];
      }
    });
}

/** An exited process holds no sockets, even if its parent has not reaped it yet. */
export const isGroupAlive = (group: number): boolean =>
  membersOf(group).some(({ state }) => state !== "Z" && state !== "X");

export const cpuSecondsOf = (group: number): number =>
  membersOf(group).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
