import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { binary } from "@dialplane/server/private-cluster";

/** Runs all statements as the superuser in one session. Returns the rows of all of them, one per line. */
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
