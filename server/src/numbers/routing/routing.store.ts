import type { Database, OrganisationScope, OrganisationTx, Tx } from "../../platform/db/database.ts";
import type { Destination } from "./routing.rules.ts";

export interface RoutingRecord {
  generation: string;
  /** The record of the API as JSON text: sent as it comes. */
  record: string;
}

export async function findRouting(
  db: Database,
  scope: OrganisationScope,
  numberId: string,
): Promise<RoutingRecord | undefined> {
  const [row] = await db.forOrganisation.read<RoutingRecord>(
    scope,
    `select generation, routing_record(holding_id) as record from routings
     where organisation_id = $1 and environment = $2 and holding_id = $3`,
    [scope.organisationId, scope.environment, numberId],
  );
  return row;
}

export async function findRoutingInside(
  tx: OrganisationTx,
  numberId: string,
): Promise<RoutingRecord | undefined> {
  const [row] = await tx.query<RoutingRecord>(
    `select generation, routing_record(holding_id) as record from routings
     where organisation_id = $1 and environment = $2 and holding_id = $3`,
    [tx.organisationId, tx.environment, numberId],
  );
  return row;
}

export interface FeedPosition {
  shard: number;
  version: number;
}

/** Feed versions that switches must confirm before a routing and its connections are in effect. */
export async function listPositions(
  db: Database,
  scope: OrganisationScope,
  numberId: string,
): Promise<FeedPosition[]> {
  const rows = await db.forOrganisation.read<{ shard: number; version: string }>(
    scope,
    `with r as (select * from routings where organisation_id = $1 and environment = $2 and holding_id = $3)
     select shard, version from r
     union all
     select p.shard, p.version from r
     join connection_placements p on p.group_id = r.group_id and p.connection_id in (r.connection_id, r.fallback_connection_id,
       r.last_connection_id)`,
    [scope.organisationId, scope.environment, numberId],
  );
  return rows.map(({ shard, version }) => ({ shard, version: Number(version) }));
}

/** Outcome of a change, as decided by the database. */
export type Outcome =
  | "set"
  | "unchanged"
  | "number_not_found"
  | "generation_mismatch"
  | "number_not_active"
  | "destination_not_allowed"
  | "connection_not_found"
  | "forward_loop"
  | "switches_outdated";

export interface RoutingChange {
  numberId: string;
  desired: Destination;
  isForbidden: boolean;
  /** Generations of which one must be the current one; any will do without. */
  expected: readonly number[] | undefined;
  author: {
    kind: string;
    id: string | null;
    name: string | null;
    request_id: string | null;
    address: string | null;
    reason: string | null;
  };
  eventId: string;
  auditId: string;
  at: Date;
}

function valuesOf(change: RoutingChange): unknown[] {
  const { numberId, desired, isForbidden, expected, author, eventId, auditId, at } = change;
  return [numberId, desired, isForbidden, expected ?? null, author, eventId, auditId, at];
}

export interface RoutingOutcome {
  outcome: Outcome;
  generation: string | null;
}

export async function setRoutingRow(tx: Tx, change: RoutingChange): Promise<RoutingOutcome> {
  const [row] = await tx.query<RoutingOutcome>(
    "select * from set_routing($1, $2, $3, $4, $5, $6, $7, $8)",
    valuesOf(change),
  );
  return row!;
}

export async function listUnknownConnections(tx: OrganisationTx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select wanted.id from unnest($3::uuid[]) as wanted(id) where not exists (
       select from connections where organisation_id = $1 and environment = $2 and id = wanted.id)`,
    [tx.organisationId, tx.environment, ids],
  );
  return rows.map(({ id }) => id);
}

export interface KeyedOutcome {
  outcome: Outcome | "running" | "earlier";
  generation: string | null;
  earlier_fingerprint: Buffer | null;
  status: number;
  content_type: string;
  body: string;
  location: string | null;
  etag: string | null;
}

/** Response that a replay returns, with {generation} in place of the new generation. */
export interface StoredResponse {
  status: number;
  content_type: string;
  etag: string;
}

/** Key, effect and response in one round trip. */
export async function setRoutingOnce(
  db: Database,
  scope: OrganisationScope,
  key: { key: string; fingerprint: Buffer; keptUntil: Date; stored: StoredResponse },
  change: RoutingChange,
): Promise<KeyedOutcome> {
  const [row] = await db.forOrganisation.write<KeyedOutcome>(
    scope,
    "select * from set_routing_once($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    [key.key, key.fingerprint, key.keptUntil, key.stored, ...valuesOf(change)],
  );
  return row!;
}

export interface RevisionRow {
  generation: string;
  desired: Destination;
  reason: string | null;
  set_at: Date;
  set_by_kind: string;
  set_by_id: string | null;
  set_by_name: string | null;
}

const REVISION = "generation, desired, reason, set_at, set_by_kind, set_by_id, set_by_name";

/** Newest first; one row more than asked for. */
export async function listRevisionsBefore(
  tx: OrganisationTx,
  numberId: string,
  before: string | undefined,
  limit: number,
): Promise<RevisionRow[]> {
  return tx.query<RevisionRow>(
    `select ${REVISION} from routing_revisions
     where organisation_id = $1 and environment = $2 and holding_id = $3 and ($4::bigint is null or generation < $4)
     order by generation desc limit $5`,
    [tx.organisationId, tx.environment, numberId, before ?? null, limit + 1],
  );
}

export async function findRevisions(
  tx: OrganisationTx,
  numberId: string,
  generations: readonly number[],
): Promise<RevisionRow[]> {
  return tx.query<RevisionRow>(
    `select ${REVISION} from routing_revisions
     where organisation_id = $1 and environment = $2 and holding_id = $3 and generation = any ($4::bigint[])`,
    [tx.organisationId, tx.environment, numberId, generations],
  );
}
