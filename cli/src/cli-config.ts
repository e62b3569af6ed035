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
  /** How wide tables may be where nobody can tell. */
  columns: number | undefined;
  hasColour: boolean;
  /** The program that opens an address, where the person has named one. */
  browser: string | undefined;
}

export function readCliConfig(env: NodeJS.ProcessEnv = process.env): CliConfig {
  const folder = env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
  const columns = Number(env["COLUMNS"]);
  return {
    apiKey: env["DIALPLANE_API_KEY"] || undefined,
    url: env["DIALPLANE_URL"] || undefined,
    organisation: env["DIALPLANE_ORGANISATION"] || undefined,
    environment: env["DIALPLANE_ENVIRONMENT"] || undefined,
    credentialsPath: join(folder, "dialplane", "credentials.json"),
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
    // https://no-color.org: set to anything but nothing.
    hasColour: !env["NO_COLOR"] && env["TERM"] !== "dumb",
    browser: env["BROWSER"] || undefined,
  };
}
