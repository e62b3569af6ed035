import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT } from "./bundle-program.ts";
import { layOutImage } from "./image-root.ts";
import { layOutPostgres } from "./postgres-root.ts";

/**
 * Starts compose.yaml as described in docs/self-hosting.md, sends requests, and stops it. Uses a separate
 * image store, because PostgreSQL's image is built here under its usual name without a registry.
 */
const HEALTHY_WITHIN_MS = 180_000;
/** Not every version of podman-compose takes it from the file. */
const PROJECT = "dialplane";
const SERVER = ["/usr/bin/node", "/opt/dialplane/server.js"];
const EMAIL = "ops@example.com";
const PASSWORD = "the kettle hums at noon";
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const folder = mkdtempSync(join(tmpdir(), "dialplane-compose-"));
const STORE = ["--root", join(folder, "store"), "--runroot", join(folder, "run")];
const podmanPath = writePodman();
const port = await freePort();
const composeFile = writeCompose();
const env = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: folder,
  CONTAINERS_CONF: join(folder, "containers.conf"),
  BASE_URL: "https://numbers.example.com",
  MASTER_SECRET: randomBytes(48).toString("base64"),
  SMTP_URL: "smtp://mail.example.com:25",
  OWNER_PASSWORD: randomBytes(24).toString("hex"),
};

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    clearAway();
    process.exit(1);
  });
try {
  await layOutImage(join(ROOT, "dist/image"));
  build(join(ROOT, "dist/image"), join(ROOT, "deploy/Dockerfile"), `localhost/dialplane:${version}`);
  layOutPostgres(join(folder, "postgres"));
  build(join(folder, "postgres"), join(folder, "postgres/Dockerfile"), "docker.io/library/postgres:15");
  const started = performance.now();
  compose("up", "--detach");
  for (const name of ["postgres", "api", "worker"]) await untilHealthy(name, started);
  await askOperator();
  const findings = podman("exec", containerOf("api"), ...SERVER, "doctor");
  tell(`the doctor: ${findings.trim().split("\n").at(-1)}`);
  compose("stop");
  for (const name of ["api", "worker"]) requireOrder(name);
} catch (error) {
  for (const name of ["postgres", "migrate", "api", "worker"])
    console.error(`-- ${name}\n${spawnPodman("logs", "--tail", "20", containerOf(name)).output}`);
  throw error;
} finally {
  clearAway();
}

function clearAway(): void {
  compose("down", "--volumes");
  spawnPodman("network", "rm", "--force", `${PROJECT}_default`);
  spawnSync("umount", ["--lazy", join(folder, "store/overlay")]);
  rmSync(folder, { recursive: true, force: true });
}

/** podman-compose takes a program; ours keeps to the store. The limits are those of machines that allow no others. */
function writePodman(): string {
  writeFileSync(
    join(folder, "containers.conf"),
    `[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[network]\nnetwork_backend = "netavark"
[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\n`,
  );
  const path = join(folder, "podman");
  writeFileSync(path, `#!/bin/sh\nexec podman ${STORE.join(" ")} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** The file as it is, but for the port of this machine, which may be taken. */
function writeCompose(): string {
  const text = readFileSync(join(ROOT, "deploy/compose.yaml"), "utf8");
  const [usual, free] = ['"127.0.0.1:8080:8080"', `"127.0.0.1:${port}:8080"`];
  if (!text.includes(usual)) throw new Error(`deploy/compose.yaml does not publish ${usual}.`);
  const path = join(folder, "compose.yaml");
  writeFileSync(path, text.replace(usual, free));
  return path;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: found } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return found;
}

function build(context: string, file: string, tag: string): void {
  const options = ["--isolation=chroot", "--format=docker", "--quiet", "--file", file, "--tag", tag];
  execFileSync("buildah", [...STORE, "build", ...options, context], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  tell(`${tag} is built`);
}

function compose(...words: string[]): void {
  const options = ["--podman-path", podmanPath, "--project-name", PROJECT, "--file", composeFile];
  const { status, stdout, stderr } = spawnSync("podman-compose", [...options, ...words], {
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`podman-compose ${words.join(" ")}\n${stdout}${stderr}`);
}

function containerOf(service: string): string {
  return `${PROJECT}_${service}_1`;
}

/** Asked by hand: the timers are systemd's. */
async function untilHealthy(service: string, started: number): Promise<void> {
  for (;;) {
    const { status, output } = spawnPodman("healthcheck", "run", containerOf(service));
    if (status === 0) break;
    if (performance.now() - started > HEALTHY_WITHIN_MS)
      throw new Error(`${service} is not healthy: ${output}`);
    await pause(250);
  }
  tell(`${service}: healthy after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}

/** The first operator, as the page describes: a link, a password, a sign-in, and a request that only operators may send. */
async function askOperator(): Promise<void> {
  const link = podman("exec", containerOf("api"), ...SERVER, "operator", "grant", EMAIL);
  const token = /#(\S+)/.exec(link)?.[1];
  await send("POST", "/v1/password-resets/complete", { token, new_password: PASSWORD });
  const { headers } = await send("POST", "/v1/sessions", { email: EMAIL, password: PASSWORD });
  const [cookie = ""] = headers.getSetCookie()[0]!.split(";");
  const pool = await fetch(`http://127.0.0.1:${port}/operator/v1/pool`, { headers: { cookie } });
  const { code } = (await pool.json()) as { code: string };
  if (code !== "second_factor_required") throw new Error(`The operator was refused otherwise: ${code}`);
  tell("the operator is asked to add a second factor");
}

async function send(method: string, path: string, body?: object): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      "sec-fetch-site": "same-origin",
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

function requireOrder(service: string): void {
  const code = podman("inspect", "--format", "{{.State.ExitCode}}", containerOf(service)).trim();
  if (code !== "0") throw new Error(`${service} ended with ${code}.`);
  tell(`${service}: stopped in order`);
}

function podman(...args: string[]): string {
  const { status, output } = spawnPodman(...args);
  if (status !== 0) throw new Error(`podman ${args.join(" ")}\n${output}`);
  return output;
}

function spawnPodman(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(podmanPath, args, { env, encoding: "utf8" });
  return { status, output: stdout + (status === 0 && args[0] !== "logs" ? "" : stderr) };
}

function tell(what: string): void {
  console.log(what);
}
