import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { binary } from "@dialplane/server/private-cluster";

/** As the superuser, all in one session; answers the rows of all statements, one a line. */
export async function psql(
  databaseUrl: string,
  statements: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const running = promisify(execFile)(
    binary("psql"),
    ["-XqAt", "-v", "ON_ERROR_STOP=1", "-f", "-", databaseUrl],
    { signal },
  );
  running.child.stdin!.end(statements.map((statement) => `${statement};\n`).join(""));
  return (await running).stdout;
}
