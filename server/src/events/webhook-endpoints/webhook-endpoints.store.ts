import type { Environment, OrganisationTx, Tx } from "../../platform/db/database.ts";

export interface EndpointRow {
  id: string;
  url: string;
  description: string | null;
  event_types: string[];
  status: "active" | "disabled";
  disabled_reason: string | null;
  secret_version: number;
  previous_secrets_until: Date[];
  secret_roots: number[];
  failing_since: Date | null;
  created_at: Date;
}

const COLUMNS =
  "id, url, description, event_types, status, disabled_reason, secret_version, previous_secrets_until, secret_roots, failing_since, created_at";

/** The endpoint receives events from now. */
export async function insertEndpoint(
  tx: OrganisationTx,
  row: Pick<EndpointRow, "id" | "url" | "description" | "event_types" | "secret_roots" | "created_at">,
): Promise<void> {
  await tx.query(
    `insert into webhook_endpoints (id, organisation_id, environment, url, description, event_types, secret_roots, position, created_at)
     select $3, $1, $2, $4, $5, $6, $7, head, $8 from event_heads where organisation_id = $1`,
    [
      tx.organisationId,
      tx.environment,
      row.id,
      row.url,
      row.description,
      row.event_types,
      row.secret_roots,
      row.created_at,
    ],
  );
}

export async function countEndpoints(tx: OrganisationTx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    "select count(*)::integer as count from webhook_endpoints where organisation_id = $1 and environment = $2",
    [tx.organisationId, tx.environment],
  );
  return row!.count;
}

export async function findEndpoint(tx: OrganisationTx, id: string): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoints where organisation_id = $1 and environment = $2 and id = $3`,
    [tx.organisationId, tx.environment, id],
  );
  return row;
}

export async function lockEndpoint(tx: OrganisationTx, id: string): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoints where organisation_id = $1 and environment = $2 and id = $3 for no key update`,
    [tx.organisationId, tx.environment, id],
  );
  return row;
}

export async function listEndpointsAfter(
  tx: OrganisationTx,
  after: string | undefined,
  limit: number,
): Promise<EndpointRow[]> {
  return tx.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoints
     where organisation_id = $1 and environment = $2 and ($3::uuid is null or id > $3) order by id limit $4`,
    [tx.organisationId, tx.environment, after ?? null, limit + 1],
  );
}

export async function setEndpoint(tx: OrganisationTx, row: EndpointRow): Promise<void> {
  await tx.query(
    `update webhook_endpoints set url = $4, description = $5, event_types = $6, status = $7, disabled_reason = $8,
       disabled_at = case when $8::text is not null then disabled_at end, secret_version = $9, previous_secrets_until = $10, failing_since = $11, secret_roots = $12
     where organisation_id = $1 and environment = $2 and id = $3`,
    [
      tx.organisationId,
      tx.environment,
      row.id,
      row.url,
      row.description,
      row.event_types,
      row.status,
      row.disabled_reason,
      row.secret_version,
      row.previous_secrets_until,
      row.failing_since,
      row.secret_roots,
    ],
  );
}

export async function deleteEndpoint(tx: OrganisationTx, id: string): Promise<void> {
  await tx.query(
    "delete from webhook_endpoints where organisation_id = $1 and environment = $2 and id = $3",
    [tx.organisationId, tx.environment, id],
  );
}

/** For the system's door. Undefined if it is disabled already, or not failing since then. */
export async function disableEndpoint(
  tx: Tx,
  id: string,
  { reason, failingSince, at }: { reason: string; failingSince?: Date; at: Date },
): Promise<{ organisation_id: string; environment: Environment } | undefined> {
  const [row] = await tx.query<{ organisation_id: string; environment: Environment }>(
    `update webhook_endpoints set status = 'disabled', disabled_reason = $2, disabled_at = $4
     where id = $1 and status = 'active' and ($3::timestamptz is null or failing_since <= $3)
     returning organisation_id, environment`,
    [id, reason, failingSince ?? null, at],
  );
  return row;
}

/** Waits for those that hold it, and they do not wait for the deliveries that go with it. */
export async function lockEndpointToDelete(tx: OrganisationTx, id: string): Promise<boolean> {
  const rows = await tx.query(
    "select id from webhook_endpoints where organisation_id = $1 and environment = $2 and id = $3 for update",
    [tx.organisationId, tx.environment, id],
  );
  return rows.length === 1;
}

/**
 * Before its deliveries are locked: deleting an endpoint and replaying lock it first and its deliveries after it. A
 * delivery that succeeded only keeps it from being deleted, so that others can still be taken.
 */
export async function holdEndpoint(tx: Tx, id: string, hasFailed: boolean): Promise<void> {
  const strength = hasFailed ? "no key update" : "key share";
  await tx.query(`select from webhook_endpoints where id = $1 for ${strength}`, [id]);
}

export async function setFailingSince(tx: Tx, id: string, at: Date | null): Promise<void> {
  await tx.query(
    at === null
      ? "update webhook_endpoints set failing_since = $2 where id = $1 and failing_since is not null"
      : "update webhook_endpoints set failing_since = $2 where id = $1 and failing_since is null",
    [id, at],
  );
}

/**
 * Without pending deliveries, it is unknown whether the endpoint still fails. The lock comes first, so that the
 * second of two concurrent deliveries sees both.
 */
export async function endFailing(tx: Tx, id: string): Promise<void> {
  await tx.query("select from webhook_endpoints where id = $1 for no key update", [id]);
  await tx.query(
    `update webhook_endpoints e set failing_since = null where e.id = $1 and not exists (
       select from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending')`,
    [id],
  );
}
