import type pg from "pg";
import { againIfMoved } from "./door-login.ts";
import { type DatabaseOptions, type DoorName, openPool } from "./door-pool.ts";
import { forPlanned, forReading, SETTINGS } from "./door-settings.ts";
import { FairSlots } from "./fair-slots.ts";
import { queryAfter } from "./scoped-query.ts";
import { statement, type StatementMode } from "./statement-name.ts";
import { returnToPool, query, sendTogether, type Tx, txOn } from "./transaction.ts";

export { DOORS, roleOf, TIMEOUTS_MS } from "./door-pool.ts";
export type { DatabaseOptions, DoorName, Tx };

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

/** An organisation's requests wait this long for a connection, then they fail as busy. */
const SLOT_WAIT_MS = 5_000;
/** Its changes wait longer: the one before them can be the plan of a bulk change with 50,000 numbers. */
const WRITE_WAIT_MS = 15_000;
/** A session with many requests at once delays its own requests, and not those of other sessions. */
const LOOKUPS_PER_CREDENTIAL = 2;

export function connect(options: DatabaseOptions): Database {
  const mode = options.statements ?? "named";
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
    const { rows } = await againIfMoved(() => poolOf("caller").query(statement(mode, text, values)));
    return rows as Row[];
  };
  const { connections, writes, lookups, waitingFor } = sharesOf(options);

  return {
    forOrganisation: openDoor(() => poolOf("organisation"), mode, {
      takeConnection: ({ organisationId }: OrganisationScope) => connections.take(organisationId),
      takeWrite: ({ organisationId }: OrganisationScope) => writes.take(organisationId),
      settings: SETTINGS.organisation,
      valuesOf: (scope: OrganisationScope) => [scope.organisationId, scope.environment],
      scopeOf: ({ organisationId, environment }) => ({ organisationId, environment }),
    }),
    forCaller: openDoor(() => poolOf("caller"), mode, {
      settings: SETTINGS.caller,
      valuesOf: (scope: CallerScope) =>
        scope === "unknown" ? ["", ""] : "userId" in scope ? [scope.userId, ""] : ["", scope.apiKeyId],
      scopeOf: () => ({}),
    }),
    forSwitch: openDoor(() => poolOf("switch"), mode, {
      settings: SETTINGS.switch,
      valuesOf: (scope: SwitchScope) => [scope.switchId, scope.groupId],
      scopeOf: () => ({}),
    }),
    forSystem: openDoor(() => poolOf("system"), mode, {
      settings: SETTINGS.system,
      valuesOf: (task: SystemTask) => [task],
      scopeOf: () => ({}),
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

interface Entrance<Who, Inside extends Tx> {
  /** Waits until a connection may be used. */
  takeConnection?(who: Who): Promise<Disposable>;
  /** Waits, before that, until a transaction may begin that can write. */
  takeWrite?(who: Who): Promise<Disposable>;
  settings: string;
  valuesOf(who: Who): string[];
  scopeOf(who: Who): Omit<Inside, keyof Tx>;
}

function openDoor<Who, Inside extends Tx>(
  pool: () => pg.Pool,
  mode: StatementMode,
  { takeConnection, takeWrite, settings, valuesOf, scopeOf }: Entrance<Who, Inside>,
): Door<Who, Inside> {
  const door = async <Result>(who: Who, work: (tx: Inside) => Promise<Result>): Promise<Result> => {
    using _write = await takeWrite?.(who);
    using _connection = await takeConnection?.(who);
    const client = await againIfMoved(() => pool().connect());
    try {
      sendTogether(client);
      // "begin" and the door's settings travel in one flight with work's first statement. Should either
      // fail, the row-level policies see no setting and show no row.
      const scope = statement(mode, settings, valuesOf(who));
      const entered = Promise.all([client.query("begin"), query(client, scope)]);
      entered.catch(() => {});
      const result = await work(txOn<Inside>(client, mode, scopeOf(who)));
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
    const scope = { text: before, values: valuesOf(who) };
    using _connection = await takeConnection?.(who);
    const client = await againIfMoved(() => pool().connect());
    try {
      const rows = await queryAfter<Row>(client, mode, [scope, { text, values }]);
      client.release();
      return rows;
    } catch (error) {
      await returnToPool(client);
      throw error;
    }
  };

  const [reading, planned] = [forReading(settings), forPlanned(settings)];
  return Object.assign(door, {
    read: <Row>(who: Who, text: string, values?: unknown[]) => inOneTrip<Row>(reading, who, text, values),
    readPlanned: <Row>(who: Who, text: string, values?: unknown[]) =>
      inOneTrip<Row>(planned, who, text, values),
    async write<Row>(who: Who, text: string, values?: unknown[]) {
      using _write = await takeWrite?.(who);
      return await inOneTrip<Row>(settings, who, text, values);
    },
  });
}
