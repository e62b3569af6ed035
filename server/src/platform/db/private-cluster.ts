import { randomInt } from "node:crypto";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Private PostgreSQL server from the installed binaries, for tests, the demo and development. */
export interface PrivateCluster extends AsyncDisposable {
  /** Address of its "postgres" database as the superuser. */
  url: string;
  urlOf(database: string): string;
  pid: number;
  /** Resolves when the server process exits, with its exit code or signal: "1", "SIGKILL". */
  exited: Promise<string>;
}

export interface PrivateClusterOptions {
  /** Kept between runs when given; otherwise a temporary folder that is removed at the end. */
  directory?: string;
  /** The folder of PostgreSQL's programs, where it is not the one that is installed. */
  binaries?: string;
  settings?: Record<string, string>;
  /** Time the server has to become ready, in milliseconds (default: 30,000). */
  readyWithinMs?: number;
  /** If true, Ctrl-C in the terminal does not reach the server: you stop it after its clients. */
  isDetached?: boolean;
  /** Aborts the start and ends the processes it has started. */
  signal?: AbortSignal;
  /** Receives the server's log. */
  onLog?(text: string): void;
}

export async function startPrivateCluster(options: PrivateClusterOptions = {}): Promise<PrivateCluster> {
  const locale = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const how = ["-U", "postgres", "-A", "trust", "-E", "UTF8", `--locale=${locale}`, "--no-sync"];
  return startIn(options, (data) => [binary("initdb", options.binaries), "-D", data, ...how]);
}

/** A copy of a running cluster that follows it until it is promoted. */
export async function startStandby(primary: PrivateCluster): Promise<PrivateCluster> {
  const how = ["-d", primary.url, "--checkpoint=fast", "--write-recovery-conf", "--no-sync"];
  return startIn({}, (data) => [binary("pg_basebackup"), "-D", data, ...how]);
}

/** Starts what a command makes in an empty folder, or what is there from the last time. */
async function startIn(
  options: PrivateClusterOptions,
  make: (data: string) => [command: string, ...args: string[]],
): Promise<PrivateCluster> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "dialplane-postgres-"));
  const data = join(directory, "data");
  const account = unprivilegedAccount();
  mkdirSync(directory, { recursive: true });
  if (account) chownSync(directory, account.uid, account.gid);

  if (!existsSync(join(data, "PG_VERSION"))) {
    await runToEnd(make(data), { ...account, cwd: directory }, options);
  }
  const port = await freePort();
  const server = startServer({ ...options, data, port, directory, account });
  await untilReady(server, options);
  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;

  return {
    url: urlOf("postgres"),
    urlOf,
    pid: server.process.pid!,
    exited: server.exited,
    async [Symbol.asyncDispose]() {
      server.process.kill("SIGINT"); // fast shutdown: ends open connections, loses nothing committed
      await server.exited;
      if (!options.directory) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Stops a server that a killed process left behind: no new server can start on its data before. The caller
 * knows that no other process uses it.
 */
export async function stopLeftCluster(directory: string): Promise<void> {
  const data = join(directory, "data");
  const left = postmasterOf(data);
  if (left === undefined) return;
  try {
    process.kill(left, "SIGINT");
  } catch {} // has exited already
  const deadline = Date.now() + 30_000;
  while (postmasterOf(data) !== undefined) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL, process ${left}, does not let go of ${data}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The PID in the file may belong to another process now, so the command line is checked. */
function postmasterOf(data: string): number | undefined {
  try {
    const [pid = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    const command = existsSync("/proc/self/cmdline")
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8")
      : execFileSync("ps", ["-o", "command=", "-p", pid], { encoding: "utf8" });
    return command.includes(data) ? Number(pid) : undefined;
  } catch {
    return undefined; // no file, or no such process
  }
}

type Account = { uid: number; gid: number } | undefined;

/** Does not block the event loop: initdb takes seconds, and the caller shows progress and handles signals. */
async function runToEnd(
  [command, ...args]: [command: string, ...args: string[]],
  how: { uid?: number; gid?: number; cwd: string },
  { isDetached = false, signal, onLog }: PrivateClusterOptions,
): Promise<void> {
  const child = spawn(command, args, {
    ...how,
    detached: isDetached,
    stdio: ["ignore", "ignore", "pipe"],
    ...(signal ? { signal } : {}),
  });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaints = (complaints + chunk).slice(-20_000);
    onLog?.(String(chunk));
  });
  child.on("error", (error) => (complaints += String(error)));
  // Also after an abort: as long as it runs, it writes to the folder that the caller removes.
  const code = await new Promise((resolve) => child.on("close", resolve));
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(`${command} failed:\n${complaints}`);
}

interface ServerOptions extends PrivateClusterOptions {
  data: string;
  port: number;
  directory: string;
  account: Account;
}

interface Server {
  process: ChildProcess;
  exited: Promise<string>;
  log(): string;
}

function startServer(options: ServerOptions): Server {
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(options.port),
    unix_socket_directories: options.directory,
    max_connections: "200",
    ...options.settings,
  };
  const args = [
    "-D",
    options.data,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  const how = {
    cwd: options.directory,
    detached: options.isDetached ?? false,
    stdio: ["ignore", "ignore", "pipe"] as ["ignore", "ignore", "pipe"],
  };
  const postgres = binary("postgres", options.binaries);
  // The kernel ends the server when this process is killed, however it is killed; where it cannot, the next start does.
  const child = hasSetpriv()
    ? spawn("setpriv", [...identity(options.account), "--pdeathsig", "INT", postgres, ...args], how)
    : spawn(postgres, args, { ...options.account, ...how });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log = (log + chunk).slice(-20_000);
    options.onLog?.(String(chunk));
  });
  const exited = new Promise<string>((resolve) => {
    child.on("exit", (code, signal) => resolve(String(signal ?? code)));
    child.on("error", (error) => resolve((log += String(error))));
  });
  return { process: child, exited, log: () => log };
}

/** Of util-linux, so not on a Mac. */
function hasSetpriv(): boolean {
  return spawnSync("setpriv", ["--version"]).error === undefined;
}

function identity(account: Account): string[] {
  return account ? ["--reuid", String(account.uid), "--regid", String(account.gid), "--clear-groups"] : [];
}

async function untilReady(
  { process: server, exited, log }: Server,
  { readyWithinMs = 30_000, signal }: PrivateClusterOptions,
): Promise<void> {
  let hasExited = false;
  void exited.then(() => (hasExited = true));
  const deadline = Date.now() + readyWithinMs;
  while (!/database system is ready to accept (read-only )?connections/.test(log())) {
    const hasFailed = hasExited;
    if (hasExited || signal?.aborted || Date.now() > deadline) {
      server.kill("SIGQUIT"); // immediate shutdown: no data are lost that a client has seen
      await exited;
      signal?.throwIfAborted();
      const limit = hasFailed ? "" : ` within ${readyWithinMs / 1_000} s`;
      throw new Error(`PostgreSQL did not start${limit}:\n${log()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** PostgreSQL does not run as root. It then runs as the account of Debian's package, or as `nobody`. */
function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync("/etc/passwd", "utf8");
  const line =
    accounts.match(/^postgres:[^:]*:(\d+):(\d+):/m) ?? accounts.match(/^nobody:[^:]*:(\d+):(\d+):/m);
  if (!line)
    throw new Error(
      "PostgreSQL cannot run as root, and this machine has neither the user postgres nor an unprivileged one.",
    );
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

export function isPostgresInstalled(): boolean {
  return spawnSync(binary("initdb"), ["--version"]).error === undefined;
}

/** Debian keeps the server's binaries off the PATH, one folder per version; the newest wins. */
export function binary(name: string, folder?: string): string {
  if (folder) return join(folder, name);
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(root, version, "bin", name)).find((path) => existsSync(path));
  return found ?? name;
}

/**
 * The system gives out ports from 32768 on: below that, no other program is given the same one in the meantime. `fetch` and
 * browsers block 10080.
 */
const FIRST_PORT = 10_081;
const LAST_PORT = 30_000;

/** The wanted one, if it is free. */
export async function freePort(wanted = randomInt(FIRST_PORT, LAST_PORT)): Promise<number> {
  const probe = createServer().listen(wanted, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return freePort();
  }
  probe.close();
  await once(probe, "close");
  return wanted;
}
