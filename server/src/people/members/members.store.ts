import type { OrganisationTx, Tx } from "../../platform/db/database.ts";
import type { Role } from "../../platform/http/access.ts";

export interface MemberRow {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  created_at: Date;
}

export async function listMembersAfter(
  tx: OrganisationTx,
  after: string | undefined,
  limit: number,
): Promise<MemberRow[]> {
  return tx.query<MemberRow>(
    `select m.user_id, u.name, u.email, m.role, m.created_at from memberships m join users u on u.id = m.user_id
     where m.organisation_id = $1 and ($2::uuid is null or m.user_id > $2) order by m.user_id limit $3`,
    [tx.organisationId, after ?? null, limit + 1],
  );
}

export async function findMemberByEmail(tx: OrganisationTx, email: string): Promise<MemberRow | undefined> {
  const [member] = await tx.query<MemberRow>(
    `select m.user_id, u.name, u.email, m.role, m.created_at from memberships m join users u on u.id = m.user_id
     where m.organisation_id = $1 and u.email = $2`,
    [tx.organisationId, email],
  );
  return member;
}

export async function isMember(tx: Tx, organisationId: string, userId: string): Promise<boolean> {
  const rows = await tx.query("select user_id from memberships where organisation_id = $1 and user_id = $2", [
    organisationId,
    userId,
  ]);
  return rows.length === 1;
}

/** Works under any database role. Null if the user is not a member. */
export async function findRole(tx: Tx, organisationId: string, userId: string): Promise<Role | null> {
  const [row] = await tx.query<{ role: Role }>(
    "select role from memberships where organisation_id = $1 and user_id = $2",
    [organisationId, userId],
  );
  return row?.role ?? null;
}

/** Over all organisations: for the system's door only. */
export async function listOwnerEmails(tx: Tx, organisationId: string, except?: string): Promise<string[]> {
  const rows = await tx.query<{ email: string }>(
    `select u.email from memberships m join users u on u.id = m.user_id
     where m.organisation_id = $1 and m.role = 'owner' and u.disabled_at is null and m.user_id is distinct from $2
     order by u.email`,
    [organisationId, except ?? null],
  );
  return rows.map(({ email }) => email);
}

/** Locks the membership, so that two changes of one member queue. */
export async function lockMember(tx: OrganisationTx, userId: string): Promise<MemberRow | undefined> {
  const [member] = await tx.query<MemberRow>(
    `select m.user_id, u.name, u.email, m.role, m.created_at from memberships m join users u on u.id = m.user_id
     where m.organisation_id = $1 and m.user_id = $2 for update of m`,
    [tx.organisationId, userId],
  );
  return member;
}

export async function insertMember(
  tx: Tx,
  organisationId: string,
  member: { userId: string; role: Role; at: Date },
): Promise<boolean> {
  const added = await tx.query(
    `insert into memberships (organisation_id, user_id, role, created_at) values ($1, $2, $3, $4)
     on conflict do nothing returning user_id`,
    [organisationId, member.userId, member.role, member.at],
  );
  return added.length === 1;
}

export async function setRole(tx: OrganisationTx, userId: string, role: Role): Promise<void> {
  await tx.query("update memberships set role = $3 where organisation_id = $1 and user_id = $2", [
    tx.organisationId,
    userId,
    role,
  ]);
}

export async function deleteMember(tx: OrganisationTx, userId: string): Promise<void> {
  await tx.query("delete from memberships where organisation_id = $1 and user_id = $2", [
    tx.organisationId,
    userId,
  ]);
}
