import type { Database, Environment, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";

export interface ClosedEpisode {
  kind: "route" | "connection";
  id: string;
  organisationId: string;
  environment: Environment;
  data: Record<string, unknown>;
}

export async function closeEpisodes(tx: Tx, quietBefore: Date, at: Date): Promise<ClosedEpisode[]> {
  return tx.query("select * from close_drift_episodes($1, $2)", [quietBefore, at]);
}

export async function deleteEpisodesClosedBefore(db: Database, before: Date): Promise<void> {
  await sweepTable(db, { table: "drift_episodes", where: "closed_at < $1", values: [before] });
}
