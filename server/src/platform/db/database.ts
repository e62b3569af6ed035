import pg from "pg";
import { againIfMoved, type Login } from "./door-login.ts";
import { forPlanned, forReading, SETTINGS } from "./door-settings.ts";
import { FairSlots } from "./fair-slots.ts";
import { queryAfter } from "./scoped-query.ts";
import { statementName } from "./statement-name.ts";
import { returnToPool, query, sendTogether, type Tx, txOn } from "./transaction.ts";

export type { Tx };

/** A transaction of one organisation's side. Every statement names both again: the policies are the second wall. */
export interface OrganisationTx extends Tx, OrganisationScope {
  attempt<Result>(work: (tx: OrganisationTx) => Promise<Result>): Promise<Result>;
}

/** Access to the database under one login role, for a given subject. */
export interface Door<Who, Inside extends Tx = Tx> {
  <Result>(who: Who, work: (tx: Inside) => Promise<Result>): Promise<Result>;
  /** One statement in one round trip, for hot reads. */
  read<Row>(who: Who, text: string, values?: unknown[]): Promise<Row[]>;
  /** The same with a generic plan of index scans, for tables with many partitions: planning takes longer than reading. */
  readPlanned<Row>(who: Who, text: string, values?: unknown[]): Promise<Row[]>;
  /** The same for a change that is one statement. */
  write<Row>(who: Who, text: string, values?: unknown[]): Promise<Row[]>;
}

export type Environment = "live" | "test";
export interface OrganisationScope {
  organisationId: string;
  environment: Environment;
}
export type CallerScope = { userId: string } | { apiKeyId: string } | "unknown";
export interface SwitchScope {
  switchId: string;
  groupId: string;
}
/** Every reason for which rows of many organisations may be touched at once. */
export type SystemTask =
  | "operator"
  | "sweep"
  | "health"
  | "doctor"
  | "root-keys"
  | "limits"
  | "api-key-usage"
  | "refusals"
  | "mail"
  | "invitations"
  | "sign-ins"
  | "feed"
  | "stock"
  | "carriers"
  | "sandbox"
  | "bulk"
  | "jobs"
  | "releases"
  | "webhooks"
  | "reconcile"
  | "calls"
  | "notifications"
  | "forwarding"
  | "probes"
  | "trunks"
  | "live";

export interface Database {
  forOrganisation: Door<OrganisationScope, OrganisationTx>;
  forCaller: Door<CallerScope>;
  forSwitch: Door<SwitchScope>;
  forSystem: Door<SystemTask>;
  /** Runs a function that identifies the caller itself, as the caller's role: one statement, one round trip. */
  authenticate<Row>(text: string, values: unknown[]): Promise<Row[]>;
  /** The same for one credential of many requests. Those beyond its share wait, so that others need not. */
  authenticateFairly<Row>(credential: Buffer, text: string, values: unknown[]): Promise<Row[]>;
  /** Pool usage, for the metrics. */
  pools(): { door: DoorName; total: number; idle: number; waiting: number }[];
  close(): Promise<void>;
}

export const DOORS = ["organisation", "caller", "switch", "system"] as const;
export type DoorName = (typeof DOORS)[number];

/** The login role behind each door; migrations grant to these names. */
export function roleOf(door: DoorName): string {
  return `dialplane_${door}`;
}

export interface DatabaseOptions {
  /** How to sign in as a door's role. */
  loginOf(door: DoorName): Login;
  connections: Record<DoorName, number>;
  /** All of them if left out. */
  connectionsPerOrganisation?: number;
  /** Limit of these for writing transactions. Default: no separate limit. */
  writesPerOrganisation?: number;
  /** For work that looks at everything; requests never wait this long. */
  statementTimeoutMs?: number;
  onError(error: Error): void;
}

/** An organisation's requests wait this long for a connection, then they fail as busy. */
const SLOT_WAIT_MS = 5_000;
/** Its changes wait longer: the one before them can be the plan of a bulk change with 50,000 numbers. */
const WRITE_WAIT_MS = 15_000;
/** A session with many requests at once delays its own requests, and not those of other sessions. */
const LOOKUPS_PER_CREDENTIAL = 2;

export function connect(options: DatabaseOptions): Database {
  const pools = new Map<DoorName, pg.Pool>();
  const poolOf = (door: DoorName): pg.Pool => {
    let pool = pools.get(door);
    if (!pool) {
      pool = openPool(options, door);
      pools.set(door, pool);
    }
    return pool;
  };
  const authenticate = async <Row>(text: string, values: unknown[]): Promise<Row[]> => {
    const query = { name: statementName(text), text, values };
    const { rows } = await againIfMoved(() => poolOf("caller").query(query));
    return rows as Row[];
  };
  const { connections, writes, lookups, waitingFor } = sharesOf(options);

  return {
    forOrganisation: openDoor(() => poolOf("organisation"), {
      takeConnection: ({ organisationId }: OrganisationScope) => connections.take(organisationId),
      takeWrite: ({ organisationId }: OrganisationScope) => writes.take(organisationId),
      settings: SETTINGS.organisation,
      valuesOf: (scope: OrganisationScope) => [scope.organisationId, scope.environment],
      inside: (client, { organisationId, environment }) =>
        txOn<OrganisationTx>(client, { organisationId, environment }),
    }),
    forCaller: openDoor(() => poolOf("caller"), {
      settings: SETTINGS.caller,
      valuesOf: (scope: CallerScope) =>
        scope === "unknown" ? ["", ""] : "userId" in scope ? [scope.userId, ""] : ["", scope.apiKeyId],
      inside: (client) => txOn(client, {}),
    }),
    forSwitch: openDoor(() => poolOf("switch"), {
      settings: SETTINGS.switch,
      valuesOf: (scope: SwitchScope) => [scope.switchId, scope.groupId],
      inside: (client) => txOn(client, {}),
    }),
    forSystem: openDoor(() => poolOf("system"), {
      settings: SETTINGS.system,
      valuesOf: (task: SystemTask) => [task],
      inside: (client) => txOn(client, {}),
    }),
    authenticate,
    async authenticateFairly<Row>(credential: Buffer, text: string, values: unknown[]) {
      using _slot = await lookups.take(credential.toString("base64"));
      return await authenticate<Row>(text, values);
    },
    pools: () =>
      [...pools].map(([door, pool]) => ({
        door,
        total: pool.totalCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount + waitingFor(door),
      })),
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

interface Shares {
  /** By organisation. */
  connections: FairSlots;
  /** By organisation. More at once would wait for each other at the row of its event head, with a connection each. */
  writes: FairSlots;
  /** By credential. */
  lookups: FairSlots;
  waitingFor(door: DoorName): number;
}

function sharesOf({
  connections: { organisation, caller },
  connectionsPerOrganisation,
  writesPerOrganisation,
}: DatabaseOptions): Shares {
  const share = (slots: number, most = slots, waitMs = SLOT_WAIT_MS): FairSlots =>
    new FairSlots({ slots, share: most, waitMs });
  const connections = share(organisation, connectionsPerOrganisation);
  const writes = share(organisation, writesPerOrganisation, WRITE_WAIT_MS);
  const lookups = share(caller, LOOKUPS_PER_CREDENTIAL);
  const waitingFor = (door: DoorName): number => {
    if (door === "organisation") return connections.waiting + writes.waiting;
    return door === "caller" ? lookups.waiting : 0;
  };
  return { connections, writes, lookups, waitingFor };
}

function openPool(options: DatabaseOptions, door: DoorName): pg.Pool {
  const timeoutMs = options.statementTimeoutMs ?? 5_000;
  const pool = new pg.Pool({
    ...options.loginOf(door),
    application_name: roleOf(door),
    max: options.connections[door],
    pipeline: true,
    connectionTimeoutMillis: 2_000,
    // A new connection plans every statement again, and would do so in the middle of the next burst.
    idleTimeoutMillis: 600_000,
    keepAlive: true,
    statement_timeout: timeoutMs,
    // On our side too: a server that has frozen does not time its statements.
    query_timeout: timeoutMs + 3_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 10_000,
  });
  pool.on("error", options.onError);
  // A checked-out client whose backend dies emits "error" too; without a listener that ends the process.
  pool.on("connect", (client) => client.on("error", options.onError));
  pool.on("connect", (client) => prepareSettings(client, door));
  return pool;
}

interface Entrance<Who, Inside extends Tx> {
  /** Waits until a connection may be used. */
  takeConnection?(who: Who): Promise<Disposable>;
  /** Waits, before that, until a transaction may begin that can write. */
  takeWrite?(who: Who): Promise<Disposable>;
  settings: string;
  valuesOf(who: Who): string[];
  inside(client: pg.PoolClient, who: Who): Inside;
}

function openDoor<Who, Inside extends Tx>(
  pool: () => pg.Pool,
  { takeConnection, takeWrite, settings, valuesOf, inside }: Entrance<Who, Inside>,
): Door<Who, Inside> {
  const door = async <Result>(who: Who, work: (tx: Inside) => Promise<Result>): Promise<Result> => {
    using _write = await takeWrite?.(who);
    using _connection = await takeConnection?.(who);
    const client = await againIfMoved(() => pool().connect());
    try {
      sendTogether(client);
      // "begin" and the door's settings travel in one flight with work's first statement. Should either
      // fail, the row-level policies see no setting and show no row.
      const entered = Promise.all([client.query("begin"), query(client, settings, valuesOf(who))]);
      entered.catch(() => {});
      const result = await work(inside(client, who));
      await entered;
      const { command } = await client.query("commit");
      if (command !== "COMMIT")
        throw new Error("The transaction was aborted by an error its work swallowed.");
      client.release();
      return result;
    } catch (error) {
      await returnToPool(client);
      throw error;
    }
  };

  const inOneTrip = async <Row>(
    before: string,
    who: Who,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> => {
    using _connection = await takeConnection?.(who);
    const client = await againIfMoved(() => pool().connect());
    try {
      const rows = await queryAfter<Row>(client, { text: before, values: valuesOf(who) }, { text, values });
      client.release();
      return rows;
    } catch (error) {
      await returnToPool(client);
      throw error;
    }
  };

  const readingSettings = forReading(settings);
  const plannedSettings = forPlanned(settings);
  return Object.assign(door, {
    read: <Row>(who: Who, text: string, values?: unknown[]) =>
      inOneTrip<Row>(readingSettings, who, text, values),
    readPlanned: <Row>(who: Who, text: string, values?: unknown[]) =>
      inOneTrip<Row>(plannedSettings, who, text, values),
    async write<Row>(who: Who, text: string, values?: unknown[]) {
      using _write = await takeWrite?.(who);
      return await inOneTrip<Row>(settings, who, text, values);
    },
  });
}

/** Runs before the first query on this connection. If it fails, the connection is unusable. */
function prepareSettings(client: pg.PoolClient, door: DoorName): void {
  const { connection } = client as unknown as pg.Client;
  for (const text of [SETTINGS[door], forReading(SETTINGS[door]), forPlanned(SETTINGS[door])]) {
    const values = [...text.matchAll(/\$\d/g)].map(() => "");
    query(client, text, values).catch(() => connection.stream.destroy());
  }
}
