import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "../sip/until.ts";
import { ADDRESSES, DATABASE_NODES, type DrillFolder, ownedByPostgres } from "./drill-folder.ts";
import { asUser, Part } from "./part.ts";
import { filledIn, readEnvironment, type Values, writeFilledIn } from "./reference-files.ts";

const START_MS = 180_000;
const RECOVERY_MS = 300_000;

/** Patroni 4 renames the role. */
const PRIMARY = ["master", "primary"];

/** A node as its own Patroni sees it. */
interface NodeState {
  state: string;
  role: string;
  /** Present on a primary with standbys. */
  replication?: { application_name: string; state: string; sync_state: string }[];
}

export interface DatabaseNode {
  name: string;
  address: string;
  etcd: Part;
  patroni: Part;
  patroniFile: string;
  values: Values;
}

/** Three nodes of PostgreSQL with Patroni and etcd. */
export class DatabaseCluster {
  readonly nodes: DatabaseNode[];
  readonly #values: Values;

  constructor(folder: DrillFolder) {
    this.#values = folder.values;
    const addresses = [ADDRESSES.DB1, ADDRESSES.DB2, ADDRESSES.DB3];
    this.nodes = DATABASE_NODES.map((name, at) => prepareNode(folder, name, addresses[at]!));
  }

  async start(): Promise<void> {
    for (const { etcd } of this.nodes) etcd.start();
    for (const node of this.nodes) await this.waitForEtcd(node);
    for (const { patroni } of this.nodes) patroni.start();
    await this.waitUntilWhole(START_MS);
    await this.#createStanza();
    const proxied = `postgres://postgres:${this.#values["SUPERUSER_PASSWORD"]}@${this.addresses()}/postgres`;
    const sql = filledIn("database.sql", this.#values);
    await promisify(execFile)("psql", [
      `${proxied}?target_session_attrs=read-write`,
      "-Xqv",
      "ON_ERROR_STOP=1",
      ...sql.split(";\n").flatMap((statement) => (statement.trim() ? ["-c", statement] : [])),
    ]);
  }

  addresses(): string {
    return this.nodes.map(({ address }) => `${address}:5432`).join(",");
  }

  /** Rows of the primary, as its superuser. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    const url = `postgres://postgres:${this.#values["SUPERUSER_PASSWORD"]}@${this.addresses()}/dialplane`;
    const asJson = `select coalesce(json_agg(found), '[]') from (${sql}) found`;
    const { stdout } = await promisify(execFile)(
      "psql",
      [`${url}?target_session_attrs=read-write&connect_timeout=5`, "-XAtc", asJson],
      { maxBuffer: 2 ** 28 },
    );
    return JSON.parse(stdout) as Row[];
  }

  async primary(): Promise<DatabaseNode> {
    return until("a primary", async () => (await this.#primaryState())?.node);
  }

  /** The one that would become primary. */
  async standby(): Promise<DatabaseNode> {
    return until("a synchronous standby", async () => {
      const { state } = (await this.#primaryState()) ?? {};
      const found = state?.replication?.find(({ sync_state }) => sync_state === "sync")?.application_name;
      return this.nodes.find(({ name }) => name === found);
    });
  }

  /** One node is the primary, and both others follow it, one of them synchronously. */
  async waitUntilWhole(patienceMs = RECOVERY_MS): Promise<void> {
    await until(
      "three database nodes",
      async () => {
        const states = await Promise.all(this.nodes.map(stateOf));
        const { state } = (await this.#primaryState()) ?? {};
        const followers = state?.replication?.filter((one) => one.state === "streaming") ?? [];
        const kinds = followers.map(({ sync_state }) => sync_state).toSorted();
        return states.every((one) => one?.state === "running") && kinds.join() === "async,sync";
      },
      patienceMs,
    );
  }

  /** The primary archives a file of WAL that ends now. A failover can break that without any other sign. */
  async waitForArchive(): Promise<void> {
    const [begun] = await this.query<{ at: string }>("select clock_timestamp() as at, pg_switch_wal()::text");
    const isArchived = `last_archived_time > '${begun!.at}'`;
    const isWorking = "(last_failed_time is null or last_archived_time > last_failed_time)";
    await until(
      "the archive of WAL",
      async () => {
        const sql = `select ${isArchived} and ${isWorking} as works from pg_stat_archiver`;
        return (await this.query<{ works: boolean | null }>(sql))[0]?.works === true;
      },
      RECOVERY_MS,
    );
  }

  async waitForEtcd({ name, address, etcd }: DatabaseNode): Promise<void> {
    await until(`etcd of ${name}`, async () => {
      etcd.assertRunning();
      const found = await fetch(`http://${address}:2379/health`).catch(() => undefined);
      const { health } = ((await found?.json().catch(() => undefined)) ?? {}) as { health?: string };
      return health === "true";
    });
  }

  async #primaryState(): Promise<{ node: DatabaseNode; state: NodeState } | undefined> {
    for (const node of this.nodes) {
      const state = await stateOf(node);
      if (state && PRIMARY.includes(state.role)) return { node, state };
    }
    return undefined;
  }

  async #createStanza(): Promise<void> {
    const { values } = await this.primary();
    const command = `pgbackrest --config=${values["PGBACKREST_CONFIG"]} --stanza=dialplane stanza-create`;
    const [program, ...args] = asUser(command.split(" "), "postgres");
    await promisify(execFile)(program!, args, { cwd: "/" });
  }
}

/** Undefined while its Patroni does not respond. */
async function stateOf({ address }: DatabaseNode): Promise<NodeState | undefined> {
  const signal = AbortSignal.timeout(2_000);
  const found = await fetch(`http://${address}:8008/patroni`, { signal }).catch(() => undefined);
  return (await found?.json().catch(() => undefined)) as NodeState | undefined;
}

/** The PID of PostgreSQL, which is not a child of Patroni. */
function postmasterOf(values: Values): number[] {
  const file = join(values["POSTGRES_DATA"]!, "postmaster.pid");
  return existsSync(file) ? [Number(readFileSync(file, "utf8").split("\n", 1)[0])] : [];
}

function prepareNode(folder: DrillFolder, name: string, address: string): DatabaseNode {
  const values = folder.machine(name, address);
  const at = join(folder.path, name);
  for (const path of [values["ETCD_DATA"]!, values["POSTGRES_DATA"]!]) {
    mkdirSync(path, { mode: 0o700 });
    ownedByPostgres(path);
  }
  const patroniFile = writeFilledIn("patroni.yml", values, join(at, "patroni.yml"));
  for (const file of [patroniFile, writeFilledIn("pgbackrest.conf", values, values["PGBACKREST_CONFIG"]!)])
    ownedByPostgres(file);
  return {
    name,
    address,
    values,
    patroniFile,
    etcd: new Part({
      name: `etcd of ${name}`,
      command: ["etcd"],
      environment: readEnvironment(filledIn("etcd.environment", values)),
      user: "postgres",
      logFile: folder.log(`etcd-${name}`),
    }),
    patroni: new Part({
      name: `Patroni and PostgreSQL of ${name}`,
      command: ["patroni", patroniFile],
      environment: { HOME: at, LC_ALL: "C.UTF-8" },
      user: "postgres",
      detached: () => postmasterOf(values),
      logFile: folder.log(`patroni-${name}`),
    }),
  };
}
