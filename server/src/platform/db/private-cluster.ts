import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PostgreSQL of one's own, from the installed binaries: for tests, the demo and development. */
export interface PrivateCluster extends AsyncDisposable {
  /** Address of its "postgres" database as the superuser. */
  url: string;
  urlOf(database: string): string;
  pid: number;
}

export interface PrivateClusterOptions {
  /** Kept between runs when given; otherwise a temporary folder that is removed at the end. */
  directory?: string;
  settings?: Record<string, string>;
}

export async function startPrivateCluster(options: PrivateClusterOptions = {}): Promise<PrivateCluster> {
  const how = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];
  return startIn(options, (data) => [binary("initdb"), "-D", data, ...how]);
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
    const [command, ...args] = make(data);
    execFileSync(command, args, { ...account, cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
  }
  const port = await freePort();
  const server = startServer({ data, port, directory, account, settings: options.settings ?? {} });
  await untilReady(server.process, server.log);
  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;

  return {
    url: urlOf("postgres"),
    urlOf,
    pid: server.process.pid!,
    async [Symbol.asyncDispose]() {
      if (server.process.exitCode === null && server.process.signalCode === null) {
        const gone = once(server.process, "exit");
        server.process.kill("SIGINT"); // fast shutdown: ends open connections, loses nothing committed
        await gone;
      }
      if (!options.directory) rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface ServerOptions {
  data: string;
  port: number;
  directory: string;
  account: { uid: number; gid: number } | undefined;
  settings: Record<string, string>;
}

function startServer(options: ServerOptions): { process: ChildProcess; log: () => string } {
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
  // The kernel ends the server when this process is killed, however it is killed.
  const child = spawn(
    "setpriv",
    [...identity(options.account), "--pdeathsig", "INT", binary("postgres"), ...args],
    {
      cwd: options.directory,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log = (log + chunk).slice(-20_000)));
  child.on("error", (error) => (log += String(error)));
  return { process: child, log: () => log };
}

function identity(account: ServerOptions["account"]): string[] {
  return account ? ["--reuid", String(account.uid), "--regid", String(account.gid), "--clear-groups"] : [];
}

async function untilReady(server: ChildProcess, log: () => string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!/database system is ready to accept (read-only )?connections/.test(log())) {
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error(`PostgreSQL did not start:\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** PostgreSQL refuses to run as root; as root it runs under the account Debian's package made. */
function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync("/etc/passwd", "utf8").match(/^postgres:[^:]*:(\d+):(\d+):/m);
  if (!line) throw new Error("There is no user “postgres” to run PostgreSQL as; run ./bootstrap first.");
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

/** Debian keeps the server's binaries off the PATH, one folder per version; the newest wins. */
export function binary(name: string): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(root, version, "bin", name)).find((path) => existsSync(path));
  return found ?? name;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}
