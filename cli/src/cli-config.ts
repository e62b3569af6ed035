import { homedir } from "node:os";
import { join } from "node:path";

/** What the program takes from its surroundings. Flags come before these, what `orgs use` remembered after them. */
export interface CliConfig {
  apiKey: string | undefined;
  url: string | undefined;
  organisation: string | undefined;
  environment: string | undefined;
  /** Where sign-ins are kept. */
  credentialsPath: string;
  /** Where a demo keeps its data. */
  demoDirectory: string;
  /** Where programs are put that were fetched. */
  cacheDirectory: string;
  /** How wide tables may be where nobody can tell. */
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
