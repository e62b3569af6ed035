import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { changedMetadata } from "../../platform/http/metadata.ts";
import { newId } from "../../platform/ids.ts";
import { canonicalNetwork } from "../../platform/networks.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { type Change, lockChanges, recordChange } from "../../events/events/events.ts";
import { sourceFault, targetFault } from "../routing/routing.ts";
import { isSame, type Settings, settingsAfter, type Target, targetOf } from "./connections.rules.ts";
import type { ChangeConnection, CreateConnection, SetTarget } from "./connections.schema.ts";
import {
  type ConnectionRow,
  deleteConnectionRow,
  findConnection,
  insertConnection,
  listConnectionsAfter,
  lockConnection,
  publishConnection,
  setConnection,
  setMetadata,
  withdrawConnection,
} from "./connections.store.ts";

export { type HeldSettings, restoreConnection } from "./connections.restore.ts";
export type { ConnectionRow };
type Needs = Pick<App, "clock" | "config" | "names">;

export async function listConnections(
  { db }: Pick<App, "db">,
  actor: Actor,
  page: Page,
): Promise<ConnectionRow[]> {
  return db.forOrganisation(actor, (tx) => listConnectionsAfter(tx, page.after, page.limit));
}

export async function getConnection(
  { db }: Pick<App, "db">,
  actor: Actor,
  id: string,
): Promise<ConnectionRow> {
  return (await db.forOrganisation(actor, (tx) => findConnection(tx, id))) ?? noSuchConnection();
}

/** Resolves the names of targets beforehand, so that the change finds them in the cache. */
export async function foreseeTargets(
  app: Pick<App, "config" | "names">,
  targets: readonly SetTarget[] = [],
): Promise<void> {
  await Promise.all(targets.map((target) => targetFault(app, targetOf(target))));
}

/** Switches get the connection once a number routes to it. */
export async function createConnection(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  wanted: CreateConnection,
): Promise<ConnectionRow> {
  const settings: Settings = {
    name: wanted.name,
    targets: wanted.targets.map(targetOf),
    max_calls: wanted.max_calls ?? null,
    ring_seconds: wanted.ring_seconds ?? null,
    sources: (wanted.sources ?? []).map(sourceOf),
    metadata: wanted.metadata ?? {},
  };
  await rejectTargets(app, settings.targets);
  rejectSources(app, settings.sources);
  const at = app.clock.now();
  const id = newId();
  await insertConnection(tx, id, settings, at).catch(rejectTakenName);
  await record(tx, actor, at, {
    verb: "created",
    id,
    name: settings.name,
    generation: 1,
    after: settingsOf(settings),
  });
  return { id, ...settings, generation: 1, in_use_by: 0, created_at: at, updated_at: at };
}

/** Creates a generation and publishes it to the switches that have it. The numbers that use it do not change. */
export async function changeConnection(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  wanted: { id: string; change: ChangeConnection; ifMatch: readonly string[] | undefined },
): Promise<ConnectionRow> {
  const { id, change, ifMatch } = wanted;
  const before = await lockedConnection(tx, id);
  if (ifMatch && !ifMatch.includes(String(before.generation))) {
    throw new ApiError(
      "generation_mismatch",
      `The connection is now at generation ${before.generation}. Read it again, then repeat your change.`,
      {
        members: { generation: before.generation },
        headers: { etag: `"${before.generation}"` },
      },
    );
  }
  const { metadata, ...others } = change;
  const after = settingsAfter(before, {
    ...others,
    ...(change.sources && { sources: change.sources.map(sourceOf) }),
    ...(metadata && { metadata: changedMetadata(before.metadata, metadata) }),
  });
  if (change.targets) await rejectTargets(app, after.targets);
  if (change.sources) rejectSources(app, after.sources);
  if (isSame(before, after)) return changeMetadata(tx, app, actor, { before, after });
  const at = app.clock.now();
  const generation = before.generation + 1;
  await setConnection(tx, id, after, at).catch(rejectTakenName);
  await record(tx, actor, at, {
    verb: "changed",
    id,
    name: after.name,
    generation,
    ...changedSettings(before, after),
  });
  const changed = await findConnection(tx, id);
  await publishConnection(tx, id, at);
  return changed!;
}

/** Switches do not have metadata, so a change of it alone makes no generation. */
async function changeMetadata(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  { before, after }: { before: ConnectionRow; after: Settings },
): Promise<ConnectionRow> {
  if (isDeepStrictEqual(before.metadata, after.metadata)) return before;
  const { id, name, generation } = before;
  const at = clock.now();
  await setMetadata(tx, id, after, at);
  await record(tx, actor, at, { verb: "changed", id, name, generation, ...changedSettings(before, after) });
  return (await findConnection(tx, id))!;
}

export async function deleteConnection(
  tx: OrganisationTx,
  app: Pick<App, "clock">,
  actor: Actor,
  id: string,
): Promise<void> {
  await lockedConnection(tx, id);
  // Routings change behind this lock too. Looked at before it, one that is about to name the connection would
  // be missed, and the foreign key would wait for what waits for us.
  await lockChanges(tx, [tx.organisationId]);
  const row = (await findConnection(tx, id)) ?? noSuchConnection();
  const { name, generation, in_use_by } = row;
  if (in_use_by > 0) throw inUse();
  const at = app.clock.now();
  await record(tx, actor, at, { verb: "deleted", id, name, generation, before: settingsOf(row) });
  await withdrawConnection(tx, id, at);
  await deleteConnectionRow(tx, id).catch((error: unknown) => {
    throw violatedConstraint(error)?.startsWith("routings_") ? inUse() : error;
  });
}

async function lockedConnection(tx: OrganisationTx, id: string): Promise<ConnectionRow> {
  // Two statements: what is read next to a lock is as it was before the wait.
  if (!(await lockConnection(tx, id))) return noSuchConnection();
  return (await findConnection(tx, id)) ?? noSuchConnection();
}

async function record(
  tx: OrganisationTx,
  actor: Actor,
  at: Date,
  change: Pick<Change, "before" | "after"> & {
    verb: "created" | "changed" | "deleted";
    id: string;
    name: string;
    generation: number;
  },
): Promise<void> {
  const { verb, id, name, generation, before = null, after = null } = change;
  await recordChange(tx, authorOf(actor.caller, actor.origin), at, {
    type: `connection.${verb}`,
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: id,
    data: { name, generation },
    before,
    after,
  });
}

function settingsOf({
  name,
  targets,
  max_calls,
  ring_seconds,
  sources,
  metadata,
}: Settings): Settings & Record<string, unknown> {
  return { name, targets, max_calls, ring_seconds, sources, metadata };
}

/** Only the settings that differ. */
function changedSettings(before: Settings, after: Settings): Required<Pick<Change, "before" | "after">> {
  const [was, is] = [settingsOf(before), settingsOf(after)];
  const names = Object.keys(is).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  const only = (of: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, of[name]]));
  return { before: only(was), after: only(is) };
}

async function rejectTargets(app: Pick<App, "config" | "names">, targets: readonly Target[]): Promise<void> {
  const faults = await Promise.all(targets.map((target) => targetFault(app, target)));
  const errors = faults.flatMap((fault, at) =>
    fault ? [{ pointer: `#/targets/${at}/host`, code: "not_allowed", detail: fault }] : [],
  );
  const [first] = errors;
  if (first) throw new ApiError("destination_not_allowed", first.detail, { errors });
}

/** One spelling per network: its first address and its length. An invalid network stays as it is, to be rejected. */
function sourceOf(given: string): string {
  return canonicalNetwork(given) ?? given;
}

function rejectSources({ config }: Pick<App, "config">, sources: readonly string[]): void {
  const errors = sources.flatMap((source, at) => {
    const detail = sourceFault(config.egress, source);
    return detail ? [{ pointer: `#/sources/${at}`, code: "not_allowed", detail }] : [];
  });
  const [first] = errors;
  if (first) throw new ApiError("destination_not_allowed", first.detail, { errors });
}

function rejectTakenName(error: unknown): never {
  if (violatedConstraint(error) !== "connections_organisation_id_environment_name_key") throw error;
  throw new ApiError("connection_name_taken", "A connection with this name already exists.", {
    errors: [{ pointer: "#/name", code: "taken", detail: "Another connection has this name." }],
  });
}

function inUse(): ApiError {
  return new ApiError("connection_in_use", "At least one number is routed to this connection.");
}

function noSuchConnection(): never {
  throw notFound("connection_not_found");
}
