import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT } from "./bundle-program.ts";
import { IMAGE_USER, layOutImage } from "./image-root.ts";

/** Builds the image without a registry and tries it: as a stranger's orchestrator would run it, with no right it does not need. */
const LIMIT_BYTES = 300_000_000;
const HEALTHY_WITHIN_MS = 20_000;
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const IMAGE = `localhost/dialplane:${version}`;
const ARCHIVE = join(ROOT, `dist/dialplane-${version}.oci.tar`);
const [API_PORT, API_METRICS, WORKER_METRICS] = [18080, 19464, 19465];
const PODMAN = ["--cgroup-manager=cgroupfs", "--runtime=runc"];

await layOutImage(join(ROOT, "dist/image"));
const from = ["--isolation=chroot", "--format=docker", "--quiet", "--file", join(ROOT, "deploy/Dockerfile")];
execFileSync("buildah", ["build", ...from, "--tag", IMAGE, join(ROOT, "dist/image")], { stdio: "inherit" });
const size = Number(podman("image", "inspect", "--format", "{{.Size}}", IMAGE));
if (!(size < LIMIT_BYTES)) throw new Error(`The image has ${size} bytes.`);
tell(`${IMAGE}, ${(size / 1e6).toFixed(0)} MB`);

const cluster = await startCluster();
const containers = { api: `dialplane-api-${process.pid}`, worker: `dialplane-worker-${process.pid}` };
try {
  const applied = podman(...runArgs("migrate"), IMAGE, "migrate");
  if (!/Applied 0001/.test(applied)) throw new Error(applied);
  await tryRole("api", [`${API_PORT}/readyz`]);
  await tryRole("worker", [`${WORKER_METRICS}/metrics`]);
  stop("worker");
  stop("api");
} finally {
  for (const name of Object.values(containers)) spawnSync("podman", [...PODMAN, "rm", "--force", name]);
  cluster.process.kill("SIGTERM");
}
spawnSync("rm", ["-f", ARCHIVE]);
podman("save", "--quiet", "--format=oci-archive", "--output", ARCHIVE, IMAGE);
tell(`saved as dist/dialplane-${version}.oci.tar`);

async function tryRole(role: "api" | "worker", healthy: string[]): Promise<void> {
  const name = containers[role];
  const started = performance.now();
  podman(...runArgs(role), "--detach", "--name", name, IMAGE, role);
  const ask = ["exec", name, "/usr/bin/node", "/opt/dialplane/healthy.js", ...healthy];
  while (spawnSync("podman", [...PODMAN, ...ask]).status !== 0) {
    if (performance.now() - started > HEALTHY_WITHIN_MS) throw new Error(podman("logs", name));
    await pause(100);
  }
  tell(`${role}: healthy after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  const look = `console.log(process.getuid(), (() => { try { require("fs").writeFileSync("/opt/dialplane/x", ""); } catch (e) { return e.code; } })())`;
  const seen = podman("exec", name, "/usr/bin/node", "-e", look).trim();
  if (seen !== `${IMAGE_USER} EROFS`) throw new Error(`It is not locked in: ${seen}`);
  tell(`${role}: user ${IMAGE_USER}, read-only root`);
}

function stop(role: "api" | "worker"): void {
  const started = performance.now();
  podman("stop", "--time", "30", containers[role]);
  const code = podman("inspect", "--format", "{{.State.ExitCode}}", containers[role]).trim();
  const log = podman("logs", containers[role]);
  if (code !== "0" || !log.includes('"stopped"')) throw new Error(`It ended with ${code}:\n${log}`);
  tell(`${role}: stopped in order after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}

/** The limits are those of machines that allow no others. */
function runArgs(role: "migrate" | "api" | "worker"): string[] {
  const settings = {
    BASE_URL: "https://numbers.example.com",
    SMTP_URL: "smtp://127.0.0.1:25",
    MASTER_SECRET: cluster.secret,
    DATABASE_URL: cluster.url,
    HOST: "127.0.0.1",
    PORT: String(API_PORT),
    METRICS_HOST: "127.0.0.1",
    METRICS_PORT: String(role === "worker" ? WORKER_METRICS : API_METRICS),
  };
  return [
    "run",
    "--read-only",
    "--cap-drop=all",
    "--security-opt=no-new-privileges",
    "--network=host",
    "--ulimit=nofile=1024:1024",
    "--ulimit=nproc=1024:1024",
    "--no-healthcheck",
    ...(role === "migrate" ? ["--rm"] : []),
    ...Object.entries(settings).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
  ];
}

/** Starts PostgreSQL for the test, in a separate process. */
async function startCluster() {
  const program = join(ROOT, "server/testing/cluster-process.ts");
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { process: child, url, secret: randomBytes(48).toString("base64") };
}

function podman(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("podman", [...PODMAN, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`podman ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout + (args[0] === "logs" ? stderr : "");
}

function tell(what: string): void {
  console.log(what);
}
