import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "./bundle-program.ts";

/**
 * Starts the units of switch and agent under a separate systemd, with all their sandbox options. Only a real
 * start shows whether the programs run with them. Runs as root. Changes to the machine's files are in
 * temporary layers.
 */
const UNITS = ["dialplane-switch", "dialplane-agent"];
const RPC_PORT = 18_449;
const PATIENCE_MS = 30_000;
const NAMESPACES = "--mount --pid --uts --ipc --cgroup --fork --kill-child --mount-proc".split(" ");

const folder = mkdtempSync(join(tmpdir(), "dialplane-units-"));
let systemd: ChildProcess | undefined;
try {
  writeScene();
  systemd = spawn("unshare", [...NAMESPACES, "sh", "-e", join(folder, "enter.sh")], { stdio: "ignore" });
  const first = await until("the agent's sign of life in the switch", bootWithAgent);
  console.log("switch and agent run under their units");
  inside(["systemctl", "kill", "--signal=KILL", "dialplane-switch"]);
  await until("another start of the switch", async () => {
    const boot = await bootWithAgent();
    return boot !== undefined && boot !== first;
  });
  console.log("a switch that was killed is back, and its agent speaks with it");
} catch (error) {
  for (const unit of UNITS)
    if (existsSync(logOf(unit))) console.error(readFileSync(logOf(unit), "utf8").slice(-2_000));
  throw error;
} finally {
  systemd?.kill("SIGKILL"); // and with it all of its processes
  await sleep(500);
  rmSync(folder, { recursive: true, force: true });
}

function logOf(unit: string): string {
  return join(folder, `${unit}.log`);
}

function writeScene(): void {
  for (const layer of ["etc", "opt", "lib", "project"])
    for (const part of ["upper", "work"]) mkdirSync(join(folder, layer, part), { recursive: true });
  const settings = {
    name: "edge-1",
    listen: ["udp:127.71.7.1:5060", "tcp:127.71.7.1:5060"],
    data_dir: "/var/lib/dialplane",
    run_dir: "/run/dialplane",
    control_port: RPC_PORT - 1,
    rpc_port: RPC_PORT,
    webhook_port: RPC_PORT + 1,
    secrets_file: "/etc/dialplane/switch.secret",
    workers: 2,
    shared_memory_mb: 64,
    trunks: [{ name: "carrier", direction: "in", transport: "udp", sources: ["127.71.7.2"] }],
  };
  const agent = [
    "DIALPLANE_URL=http://127.0.0.1:9",
    "SWITCH_CREDENTIAL=svc_switch_nobody",
    "STORE_PATH=/var/lib/dialplane/agent.sqlite",
    "DRIVER=kamailio",
    "SWITCH_SETTINGS=/etc/dialplane/switch.json",
  ];
  writeFileSync(join(folder, "switch.json"), JSON.stringify(settings));
  writeFileSync(join(folder, "switch.secret"), "0123456789abcdef".repeat(4));
  writeFileSync(join(folder, "agent.environment"), agent.join("\n"));
  for (const unit of UNITS) {
    const output = ["StandardOutput", "StandardError"].map((name) => `${name}=append:${logOf(unit)}`);
    // Nothing else of the machine is started for them.
    const text = ["[Unit]", "DefaultDependencies=no", "[Service]", ...output];
    writeFileSync(join(folder, `${unit}.conf`), text.join("\n"));
  }
  const wants = UNITS.map((unit) => `${unit}.service`).join(" ");
  writeFileSync(join(folder, "try.target"), `[Unit]\nDefaultDependencies=no\nWants=${wants}\n`);
  writeFileSync(join(folder, "enter.sh"), enter());
}

function enter(): string {
  const layer = (name: string, lower: string, at = lower): string =>
    `mount -t overlay overlay -o lowerdir=${lower},upperdir=${folder}/${name}/upper,workdir=${folder}/${name}/work ${at}`;
  return [
    "mount --make-rprivate /",
    layer("etc", "/etc"),
    layer("opt", "/opt"),
    layer("lib", "/var/lib"),
    "mkdir -p /opt/dialplane /etc/dialplane",
    layer("project", ROOT.replace(/\/$/, ""), "/opt/dialplane"),
    "mkdir -p /opt/dialplane/bin",
    "ln -sfn ../.toolchain/node/bin/node /opt/dialplane/bin/node",
    "id dialplane > /dev/null 2>&1 || adduser --quiet --system --group --no-create-home dialplane",
    `cp ${folder}/switch.json ${folder}/switch.secret ${folder}/agent.environment /etc/dialplane/`,
    "chown -R dialplane:dialplane /etc/dialplane",
    "mount -t tmpfs tmpfs /run",
    ...UNITS.flatMap((unit) => [
      `mkdir -p /run/systemd/system/${unit}.service.d`,
      `cp /opt/dialplane/deploy/systemd/${unit}.service /run/systemd/system/`,
      `cp ${folder}/${unit}.conf /run/systemd/system/${unit}.service.d/`,
    ]),
    `cp ${folder}/try.target /run/systemd/system/`,
    "export container=other",
    "exec /lib/systemd/systemd --system --unit=try.target --show-status=no",
  ].join("\n");
}

/** Boot ID of the switch, once its agent has sent a heartbeat. */
async function bootWithAgent(): Promise<string | undefined> {
  const ask = async (method: string, params: string[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await fetch(`http://127.0.0.1:${RPC_PORT}/rpc`, { method: "POST", body });
    return ((await answer.json()) as { result?: unknown }).result;
  };
  try {
    const beat = (await ask("htable.get", ["sys", "hb"])) as { item: { value: number } };
    const boot = (await ask("pv.shvGet", ["boot"])) as { value: string };
    return beat.item.value > 0 ? boot.value : undefined;
  } catch {
    return undefined;
  }
}

function inside(command: string[]): void {
  const [pid] = spawnSync("pgrep", ["-P", String(systemd!.pid)], { encoding: "utf8" }).stdout.split("\n");
  const { status, stderr } = spawnSync("nsenter", ["-t", pid!, "-m", "-p", ...command], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
}

async function until<Value>(what: string, look: () => Promise<Value>): Promise<NonNullable<Value>> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadlineMs) throw new Error(`Waited in vain for ${what}.`);
    await sleep(100);
  }
}
