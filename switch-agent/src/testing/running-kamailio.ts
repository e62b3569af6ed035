import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KamailioOptions } from "../kamailio/kamailio-switch.ts";
import { trunkPlaceOf } from "../kamailio/own-trunks.ts";
import { writeSettings } from "../kamailio/render-settings.ts";
import { checkSwitchSettings, type SwitchSettings } from "../kamailio/switch-settings.ts";

const START_MS = 60_000;

/** A real Kamailio with the project's configuration, on addresses of this machine alone. */
export async function runKamailio({
  sharedMb = 64,
  workers = 1,
  pingSeconds = 60,
  changed = {},
} = {}): Promise<RunningKamailio> {
  const folder = mkdtempSync(join(tmpdir(), "kamailio-"));
  // All of 127.0.0.0/8 is this machine: a separate address has all ports free.
  const sipAddress = `127.${1 + Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.1`;
  writeFileSync(join(folder, "secret"), "00112233445566778899aabbccddeeff".repeat(2));
  const settings = checkSwitchSettings({
    name: "test",
    listen: [`udp:${sipAddress}:5060`, `tcp:${sipAddress}:5060`],
    data_dir: join(folder, "data"),
    run_dir: join(folder, "run"),
    control_port: await freePort(),
    rpc_port: await freePort(),
    secrets_file: join(folder, "secret"),
    workers,
    shared_memory_mb: sharedMb,
    ping_seconds: pingSeconds,
    trunks: [{ name: "acme", direction: "in", transport: "udp", sources: ["127.0.0.1"] }],
    ...changed,
  });
  const kamailio = new RunningKamailio(settings, folder, sipAddress);
  await kamailio.start();
  return kamailio;
}

export class RunningKamailio {
  readonly settings: SwitchSettings;
  /** Address for calls, on port 5060. */
  readonly sipAddress: string;
  readonly #folder: string;
  readonly #file: string;
  #running: ChildProcess | undefined;
  #said = "";

  constructor(settings: SwitchSettings, folder: string, sipAddress: string) {
    this.settings = settings;
    this.sipAddress = sipAddress;
    this.#folder = folder;
    this.#file = writeSettings(settings);
  }

  get pid(): number {
    return this.#running!.pid!;
  }

  /** How its agent reaches it. */
  get reached(): Pick<KamailioOptions, "dataDir" | "controlPort" | "rpcPort" | "trunks"> {
    const { data_dir: dataDir, control_port: controlPort, rpc_port: rpcPort } = this.settings;
    return { dataDir, controlPort, rpcPort, trunks: trunkPlaceOf(this.settings) };
  }

  async start(): Promise<void> {
    const memory = ["-x", "tlsf", "-X", "tlsf", "-m", String(this.settings.shared_memory_mb), "-M", "64"];
    const stdio: StdioOptions = ["ignore", "pipe", "pipe"];
    const child = spawn("/usr/sbin/kamailio", ["-f", this.#file, ...memory, "-DD", "-E"], {
      stdio,
      detached: true,
    });
    this.#running = child;
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (chunk: Buffer) => (this.#said += chunk.toString("latin1")));
    const deadlineMs = performance.now() + START_MS;
    while ((await this.rpc("core.uptime").catch(() => undefined)) === undefined) {
      if (child.exitCode !== null || performance.now() > deadlineMs)
        throw new Error(`Kamailio did not start:\n${this.#said.slice(-4_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Without a chance to say good-bye. */
  async kill(): Promise<void> {
    const child = this.#running;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    // Its workers are in a separate process group.
    process.kill(-child.pid!, "SIGKILL");
    await gone;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  async rpc(method: string, params: unknown[] = []): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(`http://127.0.0.1:${this.settings.rpc_port}/rpc`, { method: "POST", body });
    return ((await response.json()) as { result?: unknown }).result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Below those that the system gives to outgoing connections, which come and go. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
