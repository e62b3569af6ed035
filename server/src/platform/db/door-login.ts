import pg from "pg";
import { parseIntoClientConfig } from "pg-connection-string";

/** How to sign in as a door's role: all that a connection needs but its own settings. */
export type Login = Pick<pg.ClientConfig, "host" | "port" | "database" | "user" | "password" | "ssl">;

/**
 * While MASTER_SECRET changes, the roles have the passwords of the one before until `migrate` or `reseal` sets the new ones.
 * So each new connection first finds out which password is right, until it has seen the current one accepted.
 */
export function loginOf(url: string, role: string, [current, previous]: readonly [string, string?]): Login {
  const login = { ...parseIntoClientConfig(url), user: role };
  if (previous === undefined) return { ...login, password: current };
  let isMoved = false;
  return {
    ...login,
    async password() {
      isMoved ||= await isAccepted({ ...login, password: current });
      return isMoved ? current : previous;
    },
  };
}

const WRONG_PASSWORD = "28P01";

/** A role may have no password yet, or that of another secret; poolers say so in words of their own. */
export function isWrongPassword(error: unknown): boolean {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code === WRONG_PASSWORD || /(password|SASL) authentication failed/.test(message);
}

/** Passwords can move between the look at them and the connection that uses them; the second time they are right. */
export function againIfMoved<Result>(connect: () => Promise<Result>): Promise<Result> {
  return connect().catch((error: unknown) => (isWrongPassword(error) ? connect() : Promise.reject(error)));
}

async function isAccepted(login: Login): Promise<boolean> {
  const client = new pg.Client({ ...login, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (isWrongPassword(error)) return false;
    throw error;
  } finally {
    void client.end().catch(() => {});
  }
}
