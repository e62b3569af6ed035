import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "./database.ts";

export type PartitionedTable = "call_records" | "call_parties" | "usage_hours" | "usage_days";

/** Lock timeout and deadlock: statements of the service hold the locks. */
const BUSY = new Set(["55P03", "40P01"]);
const MAX_ATTEMPTS = 60;
const MOST_PAUSE_MS = 2_000;

/**
 * Drops the partitions that end before this day, oldest first, each in its own transaction. `prepare` runs before each
 * drop. The partition is kept if it throws or returns false.
 */
export async function dropPartitions(
  db: Database,
  { table, before }: { table: PartitionedTable; before: string },
  prepare: (partition: string) => Promise<boolean> = async () => true,
): Promise<void> {
  for (;;) {
    const [oldest] = await db.forSystem.read<{ name: string | null }>(
      "calls",
      "select oldest_partition($1, $2::date) as name",
      [table, before],
    );
    if (!oldest?.name) return;
    if (!(await prepare(oldest.name))) return;
    await dropOne(db, { table, part: oldest.name, before });
  }
}

/** A drop needs exclusive locks. It waits for them a moment at a time, because other statements queue behind it. */
async function dropOne(
  db: Database,
  { table, part, before }: { table: PartitionedTable; part: string; before: string },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.forSystem("calls", (tx) =>
        tx.query("select drop_partition($1, $2, $3::date)", [table, part, before]),
      );
      return;
    } catch (error) {
      if (!BUSY.has(String((error as { code?: unknown }).code)) || attempt === MAX_ATTEMPTS) throw error;
      await pause(Math.min(MOST_PAUSE_MS, 50 * attempt));
    }
  }
}
