import type pg from "pg";
import { statement, type StatementMode } from "./statement-name.ts";

export interface Tx {
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** For work that no request waits for: time for each of the following statements, in milliseconds. */
  extendTimeout(ms: number): Promise<void>;
  /** Runs work behind a savepoint: when it throws, only what it did is undone and the transaction lives on. */
  attempt<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

/** node-postgres gives up after this time. It is missing in its types. */
interface Limit {
  query_timeout?: number;
}

/** Sends all queries of this tick in one packet: each packet wakes PostgreSQL. */
export function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as pg.Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

export async function returnToPool(client: pg.PoolClient): Promise<void> {
  try {
    await client.query("rollback");
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}

export function txOn<Inside extends Tx>(
  client: pg.PoolClient,
  mode: StatementMode,
  scope: Omit<Inside, keyof Tx>,
): Inside {
  let limit: Limit = {};
  const tx = {
    ...scope,
    query: <Row>(text: string, values: unknown[] = []) =>
      query<Row>(client, { ...statement(mode, text, values), ...limit }),
    async extendTimeout(ms: number): Promise<void> {
      await client.query(`set local statement_timeout = ${ms}`);
      limit = { query_timeout: ms + 3_000 };
    },
    async attempt<Result>(work: (tx: Inside) => Promise<Result>): Promise<Result> {
      await client.query("savepoint attempt");
      try {
        const result = await work(tx);
        await client.query("release savepoint attempt");
        return result;
      } catch (error) {
        await client.query("rollback to savepoint attempt");
        await client.query("release savepoint attempt");
        throw error;
      }
    },
  } as unknown as Inside;
  return tx;
}

export async function query<Row>(client: pg.PoolClient, sent: pg.QueryConfig & Limit): Promise<Row[]> {
  const { rows } = await client.query(sent);
  return rows as Row[];
}
