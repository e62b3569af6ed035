import pg from "pg";
import type { Login } from "./door-login.ts";
import { forPlanned, forReading, SETTINGS } from "./door-settings.ts";
import { statement, type StatementMode } from "./statement-name.ts";
import { query } from "./transaction.ts";

export const DOORS = ["organisation", "caller", "switch", "system"] as const;
export type DoorName = (typeof DOORS)[number];

/** The login role behind each door; migrations grant to these names. */
export function roleOf(door: DoorName): string {
  return `dialplane_${door}`;
}

export interface DatabaseOptions {
  /** How to sign in as a door's role. */
  loginOf(door: DoorName): Login;
  /** Default: named. */
  statements?: StatementMode;
  connections: Record<DoorName, number>;
  /** All of them if left out. */
  connectionsPerOrganisation?: number;
  /** Limit of these for writing transactions. Default: no separate limit. */
  writesPerOrganisation?: number;
  /** Replaces the limit of the role, for work that reads whole tables. Does not work through a pooler. */
  statementTimeoutMs?: number;
  onError(error: Error): void;
}

/** `migrate` sets them for each role, in milliseconds. */
export const TIMEOUTS_MS = {
  statement_timeout: 5_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** The connections of one role. */
export function openPool(options: DatabaseOptions, door: DoorName): pg.Pool {
  const { statementTimeoutMs, statements = "named" } = options;
  const pool = new pg.Pool({
    ...options.loginOf(door),
    application_name: roleOf(door),
    max: options.connections[door],
    pipeline: true,
    connectionTimeoutMillis: 2_000,
    // A new connection plans every statement again, and would do so in the middle of the next burst.
    idleTimeoutMillis: 600_000,
    keepAlive: true,
    // Poolers reject settings at the start of a session, so the usual ones belong to the roles.
    ...(statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs }),
    // On our side too: a server that has frozen does not time its statements.
    query_timeout: (statementTimeoutMs ?? TIMEOUTS_MS.statement_timeout) + 3_000,
  });
  pool.on("error", options.onError);
  // A checked-out client whose backend dies emits "error" too; without a listener that ends the process.
  pool.on("connect", (client) => client.on("error", options.onError));
  if (statements === "named") pool.on("connect", (client) => prepareSettings(client, door));
  return pool;
}

/** Runs before the first query on this connection. If it fails, the connection is unusable. */
function prepareSettings(client: pg.PoolClient, door: DoorName): void {
  const { connection } = client as unknown as pg.Client;
  for (const text of [SETTINGS[door], forReading(SETTINGS[door]), forPlanned(SETTINGS[door])]) {
    const values = [...text.matchAll(/\$\d/g)].map(() => "");
    query(client, statement("named", text, values)).catch(() => connection.stream.destroy());
  }
}
