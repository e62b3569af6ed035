import pg from "pg";
import type { Log } from "../log.ts";
import type { Login } from "./door-login.ts";
import { pause } from "../pause.ts";

interface LeadershipOptions {
  login: Login;
  /** Name of the task that only one process runs at a time. */
  name: string;
  log: Log;
  /** Begins the work; what it returns ends it. */
  begin(): Promise<() => Promise<void>>;
}

const ASK_MS = 500;
const RETRY_MS = 500;
/** A leader stops after this time without a response from the database: another may have started. */
const ANSWER_MS = 2_000;

/**
 * Runs a task in one of many processes. The lock belongs to a dedicated connection. If the process or
 * connection dies, the lock is free and another process takes over.
 */
export function lead(options: LeadershipOptions): { close(): Promise<void> } {
  const closing = new AbortController();
  const running = run(options, closing.signal);
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

async function run(options: LeadershipOptions, closing: AbortSignal): Promise<void> {
  let failures = 0;
  while (!closing.aborted) {
    try {
      await serve(options, closing);
      failures = 0;
    } catch (error) {
      if (failures++ % 20 === 0 && !closing.aborted)
        options.log.warn({ err: error, work: options.name }, "leadership lost; retrying");
    }
    await pause(RETRY_MS, closing);
  }
}

async function serve({ login, name, begin, log }: LeadershipOptions, closing: AbortSignal): Promise<void> {
  const client = new pg.Client({
    ...login,
    application_name: `dialplane_lead_${name}`,
    keepAlive: true,
    connectionTimeoutMillis: 2_000,
    query_timeout: ANSWER_MS,
  });
  client.on("error", () => {});
  let end: (() => Promise<void>) | undefined;
  try {
    await client.connect();
    while (!closing.aborted && !(await tryLock(client, name))) await pause(ASK_MS, closing);
    if (closing.aborted) return;
    end = await begin();
    log.info({ work: name }, "leading");
    while (!closing.aborted) {
      await client.query("select 1");
      await pause(ASK_MS, closing);
    }
  } finally {
    await end?.();
    await client.end().catch(() => {});
  }
}

async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_lock(hashtextextended($1, 0)) as locked",
    [`lead/${name}`],
  );
  return rows[0]!.locked;
}
