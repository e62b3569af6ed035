import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../sip/loopback.ts";

const DATABASE = "dialplane";
const LISTENING = "-c listen_addresses=127.0.0.1";

/** A PostgreSQL on one port, whose data directory is replaced while everything else runs: restored, or by another cluster's. */
export class MovableDatabase implements AsyncDisposable {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  #data: string;

  static async start(): Promise<MovableDatabase> {
    const folder = mkdtempSync(join(tmpdir(), "dialplane-movable-"));
    if (process.getuid?.() === 0) execFileSync("chown", ["postgres:", folder]);
    const [port = 0] = await freePorts(1);
    const database = new MovableDatabase(folder, port);
    postgres(
      "initdb",
      "-D",
      database.#data,
      "-U",
      "postgres",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
      "--no-sync",
    );
    database.#serve();
    database.#psql("postgres", `create database ${DATABASE}`);
    return database;
  }

  private constructor(folder: string, port: number) {
    this.url = `postgres://postgres@127.0.0.1:${port}/${DATABASE}`;
    this.#folder = folder;
    this.#port = port;
    this.#data = join(folder, "data");
  }

  run(sql: string): string {
    return this.#psql(DATABASE, sql);
  }

  /**
   * Returns a function that restores the data directory to this state. `beforeOthers` runs before other
   * clients can connect.
   */
  snapshot(): (beforeOthers?: () => void) => void {
    const copy = join(this.#folder, "snapshot");
    this.#stop();
    cpSync(this.#data, copy, { recursive: true, preserveTimestamps: true });
    this.#own(copy);
    this.#serve();
    return (beforeOthers) => {
      this.#stop();
      rmSync(this.#data, { recursive: true });
      execFileSync("mv", [copy, this.#data]);
      if (beforeOthers) {
        // Listens on a socket only, before the service's connections are accepted.
        this.#serve("-c listen_addresses=");
        beforeOthers();
        this.#stop();
      }
      this.#serve();
    };
  }

  /**
   * Takes a base backup, and archives the WAL from now on. Returns how to restore the data directory to a point in time
   * after that, while no other program uses the database.
   */
  archive(): (to: Date) => void {
    const [archive, backup] = [join(this.#folder, "archive"), join(this.#folder, "base-backup")];
    mkdirSync(archive);
    this.#own(archive);
    this.#stop();
    this.#serve(`${LISTENING} -c archive_mode=on -c "archive_command=cp %p ${archive}/%f"`);
    postgres("pg_basebackup", "-D", backup, "--checkpoint=fast", "--no-sync", ...this.#at());
    return (to) => {
      this.run("select pg_switch_wal()");
      // The end of the server waits until the last file is archived.
      this.#stop();
      rmSync(this.#data, { recursive: true });
      execFileSync("mv", [backup, this.#data]);
      writeFileSync(join(this.#data, "recovery.signal"), "");
      const time = to.toISOString().replace("T", " ").replace("Z", "+00");
      const target = `-c "recovery_target_time=${time}" -c recovery_target_action=promote`;
      this.#serve(`${LISTENING} -c "restore_command=cp ${archive}/%f %p" ${target}`);
    };
  }

  /** Returns how to restore the dump into the same cluster. */
  dump(): () => void {
    const file = join(this.#folder, "dump");
    postgres("pg_dump", "-Fc", "-f", file, ...this.#at(DATABASE));
    return () => {
      this.#psql("postgres", `drop database ${DATABASE} with (force)`);
      this.#psql("postgres", `create database ${DATABASE}`);
      postgres("pg_restore", "--exit-on-error", ...this.#at(DATABASE), file);
    };
  }

  /** Promotes a standby; returns how to restore and promote the old primary's base backup in its place, on the same timeline. */
  failOver(): () => void {
    const copies = ["standby", "backup"].map((name) => {
      const copy = join(this.#folder, `${name}-${readdirSync(this.#folder).length}`);
      postgres("pg_basebackup", "-D", copy, "--checkpoint=fast", "--no-sync", ...this.#at());
      return copy;
    });
    const promote = (data: string): void => {
      this.#stop();
      writeFileSync(join(data, "standby.signal"), "");
      this.#data = data;
      this.#serve();
      postgres("pg_ctl", "promote", "-w", "-D", data);
    };
    promote(copies[0]!);
    return () => promote(copies[1]!);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #serve(more = LISTENING): void {
    const settings = `-p ${this.#port} -c unix_socket_directories=${this.#folder} -c max_connections=200 ${more}`;
    postgres("pg_ctl", "start", "-w", "-D", this.#data, "-o", settings, "-l", join(this.#folder, "log"));
  }

  #stop(): void {
    postgres("pg_ctl", "stop", "-w", "-m", "fast", "-D", this.#data);
  }

  #own(path: string): void {
    execFileSync("chown", ["-R", "--reference", this.#folder, path]);
    execFileSync("chmod", ["700", path]);
  }

  #at(database?: string): string[] {
    return [
      "-h",
      this.#folder,
      "-p",
      String(this.#port),
      "-U",
      "postgres",
      ...(database ? ["-d", database] : []),
    ];
  }

  #psql(database: string, sql: string): string {
    return postgres("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", ...this.#at(database), "-c", sql);
  }
}

/** One of PostgreSQL's programs, which do not run as root. */
function postgres(program: string, ...args: string[]): string {
  const [newest] = readdirSync("/usr/lib/postgresql").toSorted((one, other) => Number(other) - Number(one));
  const command = [`/usr/lib/postgresql/${newest}/bin/${program}`, ...args];
  const [file, ...rest] =
    process.getuid?.() === 0
      ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", ...command]
      : command;
  return execFileSync(file!, rest, { encoding: "utf8", cwd: tmpdir(), stdio: ["ignore", "pipe", "pipe"] });
}
