import { until } from "./service.ts";
import type { TestDatabase } from "./test-database.ts";

/** A statement that runs until it is ended, and so holds its snapshot. */
export async function holdSnapshot({ admin }: TestDatabase): Promise<{ end(): Promise<void> }> {
  const running = admin("select pg_sleep(600) as held_snapshot").catch(() => {});
  const [session] = await until(async () => {
    const found = await admin<{ pid: number }>(
      "select pid from pg_stat_activity where query like '%as held_snapshot' and wait_event = 'PgSleep' and datname = current_database()",
    );
    return found.length > 0 && found;
  });
  return {
    async end() {
      await admin("select pg_terminate_backend($1)", [session!.pid]);
      await running;
    },
  };
}
