import type { PgbenchScript } from "./pgbench-script.ts";

/** The one statement of a request with a session; cost-of-a-request.ts makes sure that the API sends this text. */
export const SESSION_SQL = "select * from authenticate_session($1, $2, $3)";

const SESSION_IDLE_DAYS = 7;

/**
 * pgbench can draw numbers by chance, but not texts. So each person is named after the hash of another's
 * session (bench-population.ts): what one execution returns as "name" is what the next one asks for. \gset
 * also makes pgbench stop unless exactly one session is found.
 * Needs the hashes of as many sessions as there are connections, as text: where each begins.
 */
export function sessionScript(firstHashes: readonly string[]): PgbenchScript {
  const now = Date.now();
  const start = `(array[${firstHashes.map((hash) => `'${hash}'`).join(", ")}])[:client_id + 1]`;
  const statement = SESSION_SQL.replace("$1", ":name").replace("$2", ":at").replace("$3", ":seen_since");
  const lines = [
    "\\if :is_first",
    `select ${start} as name \\gset`,
    "\\set is_first 0",
    "\\endif",
    `${statement} \\gset`,
    "",
  ];
  return {
    text: lines.join("\n"),
    variables: {
      is_first: "1",
      at: new Date(now).toISOString(),
      seen_since: new Date(now - SESSION_IDLE_DAYS * 86_400_000).toISOString(),
    },
  };
}
