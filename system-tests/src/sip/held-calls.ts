import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Peer } from "./sip-transport.ts";

const CALLER = fileURLToPath(new URL("../../../kamailio/scenarios/caller.xml", import.meta.url));

export interface HeldCalls extends Disposable {
  /** Calls in progress by sipp's own count, which it writes every second. */
  inProgress(): number;
  failed(): number;
}

/** Calls a number several times, and holds the calls for the given time. */
export function holdCalls(
  number: string,
  {
    from,
    to,
    calls,
    perSecond,
    holdMs,
  }: { from: Peer; to: Peer; calls: number; perSecond: number; holdMs: number },
): HeldCalls {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-held-"));
  const [numbers, statistics] = [join(folder, "numbers.csv"), join(folder, "statistics.csv")];
  writeFileSync(numbers, `SEQUENTIAL\n${number};\n`);
  const args = ["-sf", CALLER, "-i", from.address, "-p", String(from.port), "-inf", numbers];
  const load = ["-r", String(perSecond), "-m", String(calls), "-d", String(holdMs), "-l", "100000"];
  const end = ["-trace_stat", "-stf", statistics, "-fd", "1", "-timeout", "300", "-nostdin", "-skip_rlimit"];
  const child = spawn("sipp", [`${to.address}:${to.port}`, ...args, ...load, ...end], { stdio: "ignore" });
  const count = (column: string): number => {
    const [names = "", ...lines] = existsSync(statistics)
      ? readFileSync(statistics, "utf8").trim().split("\n")
      : [];
    return Number(lines.at(-1)?.split(";")[names.split(";").indexOf(column)] ?? 0);
  };
  return {
    inProgress: () => count("CurrentCall"),
    failed: () => count("FailedCall(C)"),
    [Symbol.dispose]: () => {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
