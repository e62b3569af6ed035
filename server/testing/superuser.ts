import pg from "pg";
import type { TestDatabase } from "./test-database.ts";

/** Superuser connection to a server without the template, such as a standby. */
export async function openSuperuser(url: string): Promise<Pick<TestDatabase, "admin"> & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return {
    admin: async <Row extends object>(sql: string, values: unknown[] = []) =>
      (await client.query<Row>(sql, values)).rows,
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  };
}
