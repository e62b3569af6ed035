import { execFile } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { programPath } from "../../../sdk/src/testing/program-path.ts";
import type { ControlClient } from "./control-client.ts";
import { openControlLine } from "./control-client.ts";
import { endKamailio, startKamailio } from "./kamailio-process.ts";
import { freePorts, newAddress } from "./loopback.ts";
import { cpuSecondsOf } from "./process-group.ts";
import type { RecordRow } from "./record-rows.ts";
import { readRows } from "./record-rows.ts";
import type { Peer } from "./sip-transport.ts";
import { until } from "./until.ts";

const RENDER = programPath("switch-agent/src/render-kamailio.ts");

/** A real Kamailio with the project's routes, on a separate address. */
export interface SwitchProcess extends AsyncDisposable {
  /** Address for calls. */
  at: Peer;
  folder: string;
  dataFolder: string;
  controlPort: number;
  rpcPort: number;
  webhookPort: number;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  isRunning(): boolean;
  control(op: string, table: string, lines: string[]): Promise<string[]>;
  /** Puts rows into a table; an empty value takes one away. */
  set(table: "rt" | "cn" | "host" | "org" | "probe", rows: Record<string, string>): Promise<void>;
  mark(marks: Record<string, string>): Promise<void>;
  rpc(method: string, params?: (string | number)[]): Promise<unknown>;
  get(path: string): Promise<string>;
  rows(): RecordRow[];
  /** Processor time of all its processes since the start. */
  cpuSeconds(): number;
  log(): string;
}

/**
 * `settings` are added to what every switch here has: one trunk, `carrier`, for calls from `callers`. `resolvConf` is a
 * file that takes the place of the machine's own.
 */
export async function startSwitch(
  callers: string[],
  settings: Record<string, unknown> = {},
  resolvConf?: string,
): Promise<SwitchProcess> {
  const host = await prepareHost(callers, settings);
  const { at, folder, dataFolder, controlPort, rpcPort, webhookPort } = host;
  const logFile = join(folder, "kamailio.log");
  let child: ChildProcess | null = null;
  let line: ControlClient | null = null;
  const start = async (): Promise<void> => {
    child = startKamailio(host.settingsFile, logFile, { memoryMb: host.memoryMb, resolvConf });
    line = await connectWhenUp(child, controlPort, logFile);
  };
  const kill = async (): Promise<void> => {
    line?.close();
    if (child !== null) await endKamailio(child);
    child = null;
  };
  const control: SwitchProcess["control"] = (op, table, lines) => line!.ask(op, table, lines);
  const pairs = (values: Record<string, string>): string[] =>
    Object.entries(values).map(([key, value]) => `${key} ${value}`.trim());
  await start();
  return {
    at,
    folder,
    dataFolder,
    controlPort,
    rpcPort,
    webhookPort,
    start,
    kill,
    isRunning: () => child !== null && child.exitCode === null && child.signalCode === null,
    control,
    set: async (table, rows) => void (await control("S", table, pairs(rows))),
    mark: async (marks) => void (await control("M", "", pairs(marks))),
    rpc: (method, params = []) => callRpc(rpcPort, method, params),
    get: async (path) => (await fetch(`http://127.0.0.1:${rpcPort}${path}`)).text(),
    rows: () => readRows(join(dataFolder, "records")),
    cpuSeconds: () => cpuSecondsOf(child!.pid!),
    log: () => readFileSync(logFile, "utf8"),
    [Symbol.asyncDispose]: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface SwitchHost {
  at: Peer;
  folder: string;
  dataFolder: string;
  settingsFile: string;
  memoryMb: number;
  controlPort: number;
  rpcPort: number;
  webhookPort: number;
}

/** Files, address and ports of a switch, as an operator would prepare them. */
async function prepareHost(callers: string[], settings: Record<string, unknown>): Promise<SwitchHost> {
  const address = newAddress();
  const folder = mkdtempSync(join(tmpdir(), "dialplane-switch-"));
  const [controlPort = 0, rpcPort = 0, webhookPort = 0] = await freePorts(3);
  const given = {
    name: "edge-1",
    listen: [`udp:${address}:5060`, `tcp:${address}:5060`],
    data_dir: join(folder, "data"),
    run_dir: join(folder, "run"),
    control_port: controlPort,
    rpc_port: rpcPort,
    webhook_port: webhookPort,
    secrets_file: join(folder, "key"),
    workers: 2,
    shared_memory_mb: 64,
    ping_seconds: 1,
    trunks: [{ name: "carrier", direction: "in", sources: callers, transport: "udp", trusts_identity: true }],
    ...settings,
  };
  writeFileSync(join(folder, "key"), `${"00112236445c66778899aabbccddeeff".repeat(2)}\n`);
  writeFileSync(join(folder, "switch.json"), JSON.stringify(given, null, 2));
  const { stdout } = await promisify(execFile)(process.execPath, [RENDER, join(folder, "switch.json")]);
  return {
    folder,
    dataFolder: given.data_dir,
    controlPort,
    rpcPort,
    webhookPort,
    at: { address, port: 5060 },
    settingsFile: stdout.trim(),
    memoryMb: given.shared_memory_mb,
  };
}

function connectWhenUp(child: ChildProcess, port: number, logFile: string): Promise<ControlClient> {
  return until("Kamailio to start", async () => {
    if (child.exitCode !== null) throw new Error(`Kamailio ended:\n${readFileSync(logFile, "utf8")}`);
    const line = await openControlLine(port).catch(() => undefined);
    if (line === undefined) return undefined;
    // The line is open before all workers are; this answer comes from a process that is ready.
    await line.ask("P", "", []);
    return line;
  });
}

async function callRpc(port: number, method: string, params: (string | number)[]): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/rpc`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}
