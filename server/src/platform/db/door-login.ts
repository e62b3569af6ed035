import pg from "pg";
import { parseIntoClientConfig } from "pg-connection-string";
import { firstHostUrl, primaryStream } from "./primary-socket.ts";

/** Where to connect, and as which role. */
export type Login = Pick<
  pg.ClientConfig,
  "host" | "port" | "database" | "user" | "password" | "ssl" | "stream"
>;

/**
 * While you change MASTER_SECRET, the roles keep the passwords of the previous secret until `reseal` sets the new ones. Until
 * the current password has been accepted once, each new connection first tries which of the two is right.
 */
export function loginOf(url: string, role: string, [current, previous]: readonly [string, string?]): Login {
  const own = { ...parseIntoClientConfig(firstHostUrl(url)), user: role };
  const passwords = previous === undefined ? [current] : [current, previous];
  const probes = passwords.map((password) => ({ ...own, password }));
  const login = { ...own, ...primaryStream(url, probes) };
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

/** PostgreSQL has a code for it; connection poolers only a message. */
export function isWrongPassword(error: unknown): boolean {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code === WRONG_PASSWORD || /(password|SASL) authentication failed/.test(message);
}

/** `reseal` can change a password after it was chosen and before it is used. The second attempt chooses again. */
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
