import { execFileSync } from "node:child_process";
import { binary } from "../src/platform/db/private-cluster.ts";

/** Everything a thief of the database would read, as text. */
export function dumpOf(databaseUrl: string): string {
  return execFileSync(binary("pg_dump"), ["--inserts", databaseUrl], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
}

/** Whether a secret can be read in a text: as it is, or as the hex digits PostgreSQL writes bytes in. */
export function isReadableIn(text: string, secret: string): boolean {
  return text.includes(secret) || text.includes(Buffer.from(secret).toString("hex"));
}
