import type { App } from "../../app.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { type Change, recordChanges } from "../../events/events/events.ts";
import { closeEpisodes, deleteEpisodesClosedBefore } from "./switches.drift.store.ts";

/** An episode ends when its switch has held what it should for this long. */
const QUIET_MS = 10 * 60_000;
const KEPT_MS = 90 * 86_400_000;

export const sweepDriftJob = {
  name: "drift.sweep",
  every: "* * * * *",
  run: (app: App): Promise<void> => sweepDrift(app),
};

export async function sweepDrift({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const at = clock.now();
  await db.forSystem("feed", async (tx) => {
    const closed = await closeEpisodes(tx, new Date(at.getTime() - QUIET_MS), at);
    const changes = closed.map(({ kind, id, organisationId, environment, data }): Change => ({
      type: `${kind === "route" ? "routing" : "connection"}.drift_ended`,
      organisationId,
      environment,
      subject: id,
      data,
      isAudited: false,
    }));
    if (changes.length > 0) await recordChanges(tx, systemAuthor("worker"), at, changes);
  });
  await deleteEpisodesClosedBefore(db, new Date(at.getTime() - KEPT_MS));
}
