import pg from "pg";
import type { Log } from "../log.ts";
import type { Login } from "./door-login.ts";

/**
 * Connection that receives notifications and detects lost ones. Every PING_MS a query uses the same socket.
 * Its result proves that all notifications sent before it have arrived. Without a result for TRUSTED_MS the
 * listener is not trusted, whether the socket is closed, frozen or half open.
 */
export interface Listener {
  isTrusted(): boolean;
  close(): Promise<void>;
}

interface ListenerOptions {
  login: Login;
  channel: string;
  log: Log;
  onNotification(payload: string): void;
  /** Called before trust returns, because notifications may have been lost. */
  onGap(): void;
}

const PING_MS = 150;
const TRUSTED_MS = 600;
const RECONNECT_MS = 250;

export function listen(options: ListenerOptions): Listener {
  let trustedUntil = 0;
  let client: pg.Client | undefined;
  let isClosed = false;

  const distrust = (): void => {
    if (trustedUntil === 0) return;
    trustedUntil = 0;
    options.onGap();
  };

  const run = async (): Promise<void> => {
    while (!isClosed) {
      try {
        client = await subscribe(options, distrust);
        options.onGap();
        while (!isClosed) {
          const sentAt = performance.now();
          await within(TRUSTED_MS, client.query("select 1"));
          trustedUntil = sentAt + TRUSTED_MS;
          await pause(PING_MS);
        }
      } catch (error) {
        distrust();
        if (!isClosed)
          options.log.warn({ err: error, channel: options.channel }, "listener lost; reconnecting");
        void client?.end().catch(() => {});
        await pause(RECONNECT_MS);
      }
    }
  };
  const running = run();

  return {
    isTrusted() {
      if (performance.now() < trustedUntil) return true;
      distrust();
      return false;
    },
    async close() {
      isClosed = true;
      await running;
      await within(1_000, client?.end() ?? Promise.resolve()).catch(() => {});
    },
  };
}

async function subscribe(options: ListenerOptions, onLost: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    ...options.login,
    application_name: `dialplane_listen_${options.channel}`,
    keepAlive: true,
    connectionTimeoutMillis: 2_000,
  });
  client.on("error", onLost);
  client.on("end", onLost);
  try {
    await client.connect();
    // A pooler would swallow LISTEN without a word; hearing oneself once shows that there is none.
    const notified = new Promise<void>((resolve) => client.once("notification", () => resolve()));
    await within(2_000, client.query(`listen ${options.channel}`));
    await within(2_000, client.query("select pg_notify($1, '-')", [options.channel]));
    await within(2_000, notified);
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  client.on("notification", ({ payload }) => {
    if (payload !== "-") options.onNotification(payload ?? "");
  });
  return client;
}

async function within<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
