import type { OrganisationTx, Tx } from "../../platform/db/database.ts";
import type { Role } from "../../platform/http/access.ts";

export interface InvitationRow {
  id: string;
  organisation_id: string;
  email: string;
  role: Role;
  invited_by: string | null;
  created_at: Date;
  expires_at: Date;
}

const COLUMNS = "id, organisation_id, email, role, invited_by, created_at, expires_at";

export async function insertInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  await tx.query(`insert into invitations (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)`, [
    row.id,
    row.organisation_id,
    row.email,
    row.role,
    row.invited_by,
    row.created_at,
    row.expires_at,
  ]);
}

export async function listInvitationsAfter(
  tx: OrganisationTx,
  after: string | undefined,
  limit: number,
  now: Date,
): Promise<InvitationRow[]> {
  return tx.query<InvitationRow>(
    `select ${COLUMNS} from invitations
     where organisation_id = $1 and expires_at > $4 and ($2::uuid is null or id > $2) order by id limit $3`,
    [tx.organisationId, after ?? null, limit + 1, now],
  );
}

export async function findInvitation(
  tx: OrganisationTx,
  id: string,
  now: Date,
): Promise<InvitationRow | undefined> {
  const [row] = await tx.query<InvitationRow>(
    `select ${COLUMNS} from invitations where organisation_id = $1 and id = $2 and expires_at > $3`,
    [tx.organisationId, id, now],
  );
  return row;
}

export async function deleteInvitation(tx: OrganisationTx, id: string): Promise<InvitationRow | undefined> {
  const [row] = await tx.query<InvitationRow>(
    `delete from invitations where organisation_id = $1 and id = $2 returning ${COLUMNS}`,
    [tx.organisationId, id],
  );
  return row;
}

/** An expired invitation makes room for a new one to the same address. */
export async function deleteExpiredInvitation(
  tx: Tx,
  organisationId: string,
  email: string,
  now: Date,
): Promise<void> {
  await tx.query("delete from invitations where organisation_id = $1 and email = $2 and expires_at <= $3", [
    organisationId,
    email,
    now,
  ]);
}

/** Finds an invitation by email address, under any database role. The caller must have verified the address. */
export async function findInvitationTo(
  tx: Tx,
  organisationId: string,
  email: string,
  now: Date,
): Promise<InvitationRow | undefined> {
  const [row] = await tx.query<InvitationRow>(
    `select ${COLUMNS} from invitations where organisation_id = $1 and email = $2 and expires_at > $3`,
    [organisationId, email, now],
  );
  return row;
}

/** Found by the ID in its token, which only the recipient has. */
interface OpenInvitation extends InvitationRow {
  organisation_name: string;
  /** Tag of the organisation. */
  tag: string;
}

export async function findOpenInvitation(tx: Tx, id: string, now: Date): Promise<OpenInvitation | undefined> {
  const [row] = await tx.query<OpenInvitation>(
    `select i.id, i.organisation_id, i.email, i.role, i.invited_by, i.created_at, i.expires_at, o.name as organisation_name,
       o.tag
     from invitations i join organisations o on o.id = i.organisation_id where i.id = $1 and i.expires_at > $2`,
    [id, now],
  );
  return row;
}

export async function deleteOpenInvitation(tx: Tx, id: string, now: Date): Promise<boolean> {
  const gone = await tx.query("delete from invitations where id = $1 and expires_at > $2 returning id", [
    id,
    now,
  ]);
  return gone.length === 1;
}
