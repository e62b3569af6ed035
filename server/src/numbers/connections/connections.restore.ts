import type { OrganisationTx } from "../../platform/db/database.ts";
import { type Author } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import type { Settings } from "./connections.rules.ts";
import {
  findConnection,
  insertConnection,
  lockConnection,
  publishConnection,
  setConnection,
  setGeneration,
} from "./connections.store.ts";

/** Settings that switches have. They know neither name nor metadata. */
export type HeldSettings = Pick<Settings, "targets"> &
  Partial<Pick<Settings, "max_calls" | "ring_seconds" | "sources">>;

interface Restored {
  id: string;
  held: HeldSettings;
  /** Generation that a switch has seen. */
  generation: number;
  at: Date;
}

/**
 * Creates or changes a connection to what switches had before a restore of the database. It was allowed then, so it is
 * not checked again.
 */
export async function restoreConnection(
  tx: OrganisationTx,
  author: Author,
  { id, held, generation, at }: Restored,
): Promise<void> {
  const before = (await lockConnection(tx, id)) ? await findConnection(tx, id) : undefined;
  const settings: Settings = {
    name: before?.name ?? `Restored ${id}`,
    metadata: before?.metadata ?? {},
    targets: held.targets,
    max_calls: held.max_calls ?? null,
    ring_seconds: held.ring_seconds ?? null,
    sources: held.sources ?? [],
  };
  const next = Math.max(before?.generation ?? 0, generation) + 1;
  if (before) await setConnection(tx, id, settings, at);
  else await insertConnection(tx, id, settings, at);
  await setGeneration(tx, id, next);
  await recordChange(tx, author, at, {
    type: before ? "connection.changed" : "connection.created",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: id,
    data: { name: settings.name, generation: next },
    before: before ? { targets: before.targets.map(({ readings: _readings, ...target }) => target) } : null,
    after: { ...settings },
  });
  if (before) await publishConnection(tx, id, at);
}
