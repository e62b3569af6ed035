import type { OrganisationTx, Tx } from "../../platform/db/database.ts";
import type { EndUser, RequirementType, StoredStatus } from "./orders.requirements.rules.ts";

export interface RequirementRow {
  requirement_id: string;
  type: RequirementType;
  description: string;
  country: string | null;
  document_kinds: string[];
  status: StoredStatus;
  /** Reference of the last submission. */
  reference: string | null;
  address_id: string | null;
  document_id: string | null;
  end_user: EndUser | null;
  rejected_reason: string | null;
  updated_at: string;
}

interface OfOrder {
  organisation_id: string;
  environment: string;
  id: string;
}

/** Column of an item `i`. */
export const REQUIREMENTS_OF_ITEM = `(
  select coalesce(json_agg(json_build_object('requirement_id', r.requirement_id, 'type', r.type,
      'description', r.description, 'country', r.country, 'document_kinds', r.document_kinds, 'status', r.status,
      'reference', r.reference, 'address_id', r.address_id, 'document_id', r.document_id, 'end_user', r.end_user,
      'rejected_reason', r.rejected_reason, 'updated_at', wire_time(r.updated_at)) order by r.requirement_id), '[]')
  from order_requirements r where r.organisation_id = i.organisation_id and r.environment = i.environment
    and r.order_id = i.order_id and r.position = i.position) as requirements`;

const OF_ORDER = "r.organisation_id = $1 and r.environment = $2 and r.order_id = $3";

/** A requirement as the carrier lists it. */
export type ListedRow = Pick<
  RequirementRow,
  "requirement_id" | "type" | "description" | "country" | "document_kinds" | "status" | "rejected_reason"
> & { position: number };

/** Keeps those that are stored already. */
export async function insertRequirements(
  tx: Tx,
  { organisation_id, environment, id }: OfOrder,
  rows: readonly ListedRow[],
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into order_requirements (organisation_id, environment, order_id, position, requirement_id, type,
       description, country, document_kinds, status, rejected_reason, updated_at)
     select $1, $2, $3, n.position, n.requirement_id, n.type, n.description, n.country, n.document_kinds, n.status,
       n.rejected_reason, $5
     from jsonb_to_recordset($4) n(position smallint, requirement_id text, type text, description text, country text,
       document_kinds text[], status text, rejected_reason text)
     on conflict do nothing`,
    [organisation_id, environment, id, JSON.stringify(rows), at],
  );
}

/** A change of a requirement by the carrier. */
export interface RequirementMove {
  position: number;
  requirement_id: string;
  was: StoredStatus;
  /** Reference of the submission that the carrier decided about. */
  reference: string | null;
  status: StoredStatus;
  rejected_reason: string | null;
}

/** Compare and set: a submission that came in the meantime stays. */
export async function setRequirements(
  tx: Tx,
  { organisation_id, environment, id }: OfOrder,
  moves: readonly RequirementMove[],
  at: Date,
): Promise<void> {
  await tx.query(
    `update order_requirements r set status = n.status, rejected_reason = n.rejected_reason, updated_at = $5
     from jsonb_to_recordset($4) n(position smallint, requirement_id text, was text, reference uuid, status text,
       rejected_reason text)
     where ${OF_ORDER} and r.position = n.position and r.requirement_id = n.requirement_id and r.status = n.was
       and r.reference is not distinct from n.reference`,
    [organisation_id, environment, id, JSON.stringify(moves), at],
  );
}

/** The carrier has sold the numbers, so it needs nothing more. */
export async function setRequirementsMet(
  tx: Tx,
  { organisation_id, environment, id }: OfOrder,
  positions: readonly number[],
  at: Date,
): Promise<void> {
  if (positions.length === 0) return;
  await tx.query(
    `update order_requirements r set status = 'accepted', rejected_reason = null, updated_at = $5
     where ${OF_ORDER} and r.position = any ($4::smallint[]) and r.status <> 'accepted'`,
    [organisation_id, environment, id, positions, at],
  );
}

/** Orders are kept forever, and data of persons only as long as the carrier may need it. */
export async function forgetEndUsers(tx: Tx, { organisation_id, environment, id }: OfOrder): Promise<void> {
  await tx.query(
    `update order_requirements r set end_user = null where ${OF_ORDER} and r.end_user is not null`,
    [organisation_id, environment, id],
  );
}

/** Whether evidence waits to be sent to the carrier. */
export async function hasSubmissions(
  tx: Tx,
  { organisation_id, environment, id }: OfOrder,
): Promise<boolean> {
  const rows = await tx.query(
    `select from order_requirements r where ${OF_ORDER} and r.status = 'submitting' limit 1`,
    [organisation_id, environment, id],
  );
  return rows.length > 0;
}

/** Evidence of the customer for a requirement that is open. */
export interface NewSubmission {
  position: number;
  requirement_id: string;
  reference: string;
  address_id: string | null;
  document_id: string | null;
  end_user: EndUser | null;
}

/** Returns the count of those that were still open. */
export async function setSubmissions(
  tx: OrganisationTx,
  orderId: string,
  submissions: readonly NewSubmission[],
  at: Date,
): Promise<number> {
  const set = await tx.query(
    `update order_requirements r set status = 'submitting', reference = n.reference, address_id = n.address_id,
       document_id = n.document_id, end_user = n.end_user, rejected_reason = null, updated_at = $5
     from jsonb_to_recordset($4) n(position smallint, requirement_id text, reference uuid, address_id uuid,
       document_id uuid, end_user jsonb)
     where ${OF_ORDER} and r.position = n.position and r.requirement_id = n.requirement_id
       and r.status in ('missing', 'rejected')
     returning 1`,
    [tx.organisationId, tx.environment, orderId, JSON.stringify(submissions), at],
  );
  return set.length;
}
