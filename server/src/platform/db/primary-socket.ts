import { Socket } from "node:net";
import pg from "pg";
import { parseIntoClientConfig } from "pg-connection-string";

/** PostgreSQL servers of one cluster, of which one at a time is the primary. */
export interface DatabaseHost {
  host: string;
  port: number;
}

const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/@]*@)?)([^/?#]+)(.*)$/;
const DEFAULT_PORT = 5432;
const PROBE_MS = 2_000;

/** The hosts of `postgres://user@one:5432,two:5432/database`. */
export function hostsOf(url: string): DatabaseHost[] {
  const [, , list = ""] = HOSTS.exec(url) ?? [];
  return list.split(",").map((entry) => {
    const { hostname, port } = new URL(`postgres://${entry}`);
    return { host: hostname.replace(/^\[|\]$/g, ""), port: port ? Number(port) : DEFAULT_PORT };
  });
}

/** A URL that names only the first host, as libraries understand it. */
export function firstHostUrl(url: string): string {
  return url.replace(HOSTS, (_all, before: string, list: string, after: string) => {
    return `${before}${list.split(",")[0]}${after}`;
  });
}

/** How to connect to the primary among the hosts of a URL. */
export function clientConfigOf(url: string): pg.ClientConfig {
  const config: pg.ClientConfig = parseIntoClientConfig(firstHostUrl(url));
  return { ...config, ...primaryStream(url, [config]) };
}

/** Nothing for a URL with one host. `logins` are tried one after the other, because a password can be changing. */
export function primaryStream(
  url: string,
  logins: readonly pg.ClientConfig[],
): Pick<pg.ClientConfig, "stream"> {
  const hosts = hostsOf(url);
  if (hosts.length < 2) return {};
  const primary = new Primary(hosts, logins);
  return { stream: () => new PrimarySocket(primary) };
}

/** Remembers the primary until a connection to it ends. */
class Primary {
  readonly #hosts: readonly DatabaseHost[];
  readonly #logins: readonly pg.ClientConfig[];
  #found: Promise<DatabaseHost> | undefined;

  constructor(hosts: readonly DatabaseHost[], logins: readonly pg.ClientConfig[]) {
    this.#hosts = hosts;
    this.#logins = logins;
  }

  find(): Promise<DatabaseHost> {
    const found = (this.#found ??= this.#probe());
    found.catch(() => this.forget(found));
    return found;
  }

  /** It may be another one now. */
  forget(found: Promise<DatabaseHost>): void {
    if (this.#found === found) this.#found = undefined;
  }

  async #probe(): Promise<DatabaseHost> {
    try {
      return await Promise.any(this.#hosts.map((host) => this.#assertPrimary(host)));
    } catch (error) {
      const reasons = (error as AggregateError).errors.map(({ message }: Error) => message);
      throw new Error(`None of the database hosts is the primary: ${reasons.join("; ")}`, { cause: error });
    }
  }

  async #assertPrimary(at: DatabaseHost): Promise<DatabaseHost> {
    let failure: unknown;
    for (const login of this.#logins) {
      const client = new pg.Client({
        ...login,
        ...at,
        connectionTimeoutMillis: PROBE_MS,
        query_timeout: PROBE_MS,
      });
      client.on("error", () => {});
      try {
        await client.connect();
        const { rows } = await client.query<{ is_standby: boolean }>(
          "select pg_is_in_recovery() as is_standby",
        );
        if (rows[0]!.is_standby) throw new Error(`${at.host}:${at.port} is a standby`);
        return at;
      } catch (error) {
        failure = error;
      } finally {
        void client.end().catch(() => {});
      }
    }
    throw failure;
  }
}

/** A socket that connects to the primary instead of the given host. */
class PrimarySocket extends Socket {
  readonly #primary: Primary;

  constructor(primary: Primary) {
    super();
    this.#primary = primary;
  }

  override connect(..._given: unknown[]): this {
    const found = this.#primary.find();
    this.once("close", () => this.#primary.forget(found));
    found.then(
      ({ host, port }) => void (this.destroyed || super.connect(port, host)),
      (error: Error) => void this.destroy(error),
    );
    return this;
  }
}
