import pg from "pg";
import { roleOf } from "../../../platform/db/database.ts";
import { PLANNED } from "../../../platform/db/door-settings.ts";

/** A connection with the role and the settings that the service uses for an organisation. */
export async function openOrganisationClient(
  databaseUrl: string,
  organisationId: string,
): Promise<pg.Client> {
  const url = new URL(databaseUrl);
  url.username = roleOf("organisation");
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(
    "select set_config('app.organisation_id', $1, false), set_config('app.environment', 'live', false)",
    [organisationId],
  );
  for (const [name, value] of PLANNED) await client.query(`set ${name} = ${value}`);
  return client;
}
