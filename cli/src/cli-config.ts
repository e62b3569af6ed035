import { homedir } from "node:os";
import { join } from "node:path";

/** Settings from the environment. Flags override them, and they override the choices that `orgs use` stored. */
export interface CliConfig {
  apiKey: string | undefined;
  /** Secret that `webhooks listen` signs with. */
  webhookSecret: string | undefined;
  url: string | undefined;
  organisation: string | undefined;
  environment: string | undefined;
  /** File of the stored sign-ins. */
  credentialsPath: string;
  /** Directory of a demo's data. */
  demoDirectory: string;
  /** Directory of downloaded programs. */
  cacheDirectory: string;
  /** Width of tables if the terminal does not report one. */
  columns: number | undefined;
  hasColour: boolean;
  /** The program that opens an address, where the person has named one. */
  browser: string | undefined;
}

export function readCliConfig(env: NodeJS.ProcessEnv = process.env): CliConfig {
  const home = env["HOME"] || homedir();
  const folder = env["XDG_CONFIG_HOME"] || join(home, ".config");
  const data = env["XDG_DATA_HOME"] || join(home, ".local/share");
  const columns = Number(env["COLUMNS"]);
  return {
    apiKey: env["DIALPLANE_API_KEY"] || undefined,
    webhookSecret: env["DIALPLANE_WEBHOOK_SECRET"] || undefined,
    url: env["DIALPLANE_URL"] || undefined,
    organisation: env["DIALPLANE_ORGANISATION"] || undefined,
    environment: env["DIALPLANE_ENVIRONMENT"] || undefined,
    credentialsPath: join(folder, "dialplane", "credentials.json"),
    // Root's own folders are closed to the account that PostgreSQL then has to run under.
    demoDirectory: process.getuid?.() === 0 ? "/var/lib/dialplane-demo" : join(data, "dialplane", "demo"),
    cacheDirectory: join(env["XDG_CACHE_HOME"] || join(home, ".cache"), "dialplane"),
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
    // https://no-color.org: set to anything but nothing.
    hasColour: !env["NO_COLOR"] && env["TERM"] !== "dumb",
    browser: env["BROWSER"] || undefined,
  };
}
