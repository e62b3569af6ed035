import type { App } from "../../app.ts";
import { endEvents, listOrganisationsWithEventsBefore } from "./events.retention.store.ts";

type Needs = Pick<App, "db" | "clock" | "config">;

/** Deletes events that are older than EVENTS_DAYS, with their webhook deliveries. */
export async function sweepEvents({ db, clock, config }: Needs, stopping: AbortSignal): Promise<void> {
  const before = new Date(clock.now().getTime() - config.eventsDays * 86_400_000);
  for (const organisationId of await listOrganisationsWithEventsBefore(db, before))
    await endEvents(db, { organisationId, before }, stopping);
}
