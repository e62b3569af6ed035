import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Peer } from "./sip-transport.ts";

const MOST_ERRORS = 4_000;
const SCENARIOS = fileURLToPath(new URL("../../../kamailio/scenarios/", import.meta.url));

export interface Load {
  from: Peer;
  to: Peer;
  numbers: string[];
  perSecond: number;
  calls: number;
  /** How long a call lasts. */
  holdMs?: number;
  /** All of it; what is in progress then has failed. */
  withinSeconds?: number;
}

export interface LoadResult {
  successful: number;
  failed: number;
  retransmissions: number;
  /** Beginning of the caller's log about failed calls. */
  errors: string;
}

/**
 * Accepts every call until it is disposed of. `callee-of-number` accepts only calls that match their number.
 */
export function startCallees(at: Peer, scenario: "callee" | "callee-of-number" = "callee"): Disposable {
  const child = spawn("sipp", [...sippArguments(scenario, at), "-aa"], { stdio: "ignore" });
  return { [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

export async function placeCalls({
  from,
  to,
  numbers,
  perSecond,
  calls,
  holdMs = 0,
  withinSeconds = 300,
}: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-sipp-"));
  try {
    writeFileSync(join(folder, "numbers.csv"), ["SEQUENTIAL", ...numbers.map((one) => `${one};`)].join("\n"));
    const [statistics, errors] = [join(folder, "statistics.csv"), join(folder, "errors.log")];
    const load = [
      "-inf",
      join(folder, "numbers.csv"),
      "-r",
      `${perSecond}`,
      "-m",
      `${calls}`,
      "-d",
      `${holdMs}`,
    ];
    const end = [
      "-trace_stat",
      "-stf",
      statistics,
      "-fd",
      "1",
      "-trace_err",
      "-error_file",
      errors,
      "-timeout",
      `${withinSeconds}`,
      "-l",
      "100000",
    ];
    const child = spawn(
      "sipp",
      [`${to.address}:${to.port}`, ...sippArguments("caller", from), ...load, ...end],
      {
        stdio: "ignore",
      },
    );
    await once(child, "exit");
    const noted = existsSync(errors) ? readFileSync(errors, "utf8").slice(0, MOST_ERRORS) : "";
    return { ...readStatistics(readFileSync(statistics, "utf8")), errors: noted };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Arguments of each sipp: its part of the call, and its own address. */
export function sippArguments(scenario: string, { address, port }: Peer): string[] {
  const local = ["-i", address, "-p", String(port)];
  return ["-sf", `${SCENARIOS}${scenario}.xml`, ...local, "-nostdin", "-skip_rlimit"];
}

/** The last line has the sums; columns that end in (C) count from the start. */
export function readStatistics(text: string): Omit<LoadResult, "errors"> {
  const [names = "", ...lines] = text.trim().split("\n");
  const values = (lines.at(-1) ?? "").split(";");
  const count = (name: string): number => Number(values[names.split(";").indexOf(`${name}(C)`)] ?? 0);
  return {
    successful: count("SuccessfulCall"),
    failed: count("FailedCall"),
    retransmissions: count("Retransmissions"),
  };
}
