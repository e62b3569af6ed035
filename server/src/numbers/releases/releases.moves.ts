import type { App } from "../../app.ts";
import type { WantedRelease } from "../carriers/carrier.ts";
import type { OrganisationScope, Tx } from "../../platform/db/database.ts";
import type { Author } from "../../events/audit/audit.ts";
import { type EventType, recordChange } from "../../events/events/events.ts";
import { type JobRow, moveJob, pauseMs } from "../jobs/jobs.ts";
import { lockNumber, moveNumber } from "../numbers/numbers.ts";
import { type ReleaseRow, type ReleaseStep, setReleaseStep } from "./releases.store.ts";

/** Next step of a release and status of its number. */
export interface ReleaseMove {
  step: ReleaseStep;
  event: EventType;
  data?: Record<string, unknown>;
  quarantinedUntil?: Date;
  isEnd?: true;
  number: Omit<Parameters<typeof moveNumber>[3], "at">;
}

/**
 * Moves a release and its number, and publishes the route, in one transaction. The lock order is that of all changes
 * to numbers: number, release, event head, shard.
 */
export async function moveRelease(
  tx: Tx,
  release: ReleaseRow,
  { author, at }: { author: Author; at: Date },
  move: ReleaseMove,
): Promise<void> {
  const scope = scopeOf(release);
  await lockNumber(tx, scope, release.holding_id);
  const to = {
    step: move.step,
    ...(move.quarantinedUntil && { quarantinedUntil: move.quarantinedUntil }),
    ...(move.isEnd && { endedAt: at }),
  };
  if (!(await setReleaseStep(tx, release, to))) throw new ReleaseMoved();
  await recordChange(tx, author, at, {
    type: move.event,
    ...scope,
    subject: release.holding_id,
    data: { e164: release.e164, ...move.data },
    before: { status: move.number.from },
    after: {
      status: move.number.to,
      ...(move.number.rest && { restore_until: move.number.rest.restoreUntil?.toISOString() ?? null }),
    },
  });
  await moveNumber(tx, scope, release.holding_id, { ...move.number, at });
}

/** Another worker has moved the release since it was read. */
export class ReleaseMoved extends Error {
  constructor() {
    super("The release has changed concurrently.");
    this.name = "ReleaseMoved";
  }
}

export function scopeOf({ organisation_id, environment }: ReleaseRow): OrganisationScope {
  return { organisationId: organisation_id, environment };
}

/** How the carrier knows it. */
export function wantedOf({ id, e164, bought_as }: ReleaseRow): WantedRelease {
  return { reference: id, e164, ...(bought_as !== null && { boughtAs: bought_as }) };
}

export async function waitFor(app: Pick<App, "db" | "clock">, job: JobRow, reason: string): Promise<void> {
  await app.db.forSystem("releases", (tx) => moveJob(tx, app, job, { waitMs: pauseMs(job.waits), reason }));
}

/** The author of later steps is the requester. The address is no longer known. */
export function askerOf(release: ReleaseRow): Author {
  return {
    actor_kind: release.asked_by_kind,
    actor_id: release.asked_by_id,
    actor_name: release.asked_by_name,
    request_id: null,
    address: null,
  };
}

export function restorerOf(release: ReleaseRow): Author {
  return {
    actor_kind: release.restored_by_kind!,
    actor_id: release.restored_by_id,
    actor_name: release.restored_by_name,
    request_id: null,
    address: null,
  };
}
