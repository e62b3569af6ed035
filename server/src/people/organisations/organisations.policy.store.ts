import type { OrganisationTx, Tx } from "../../platform/db/database.ts";
import type { Role } from "../../platform/http/access.ts";

export interface PolicyRow {
  require_second_factor: boolean;
  require_single_sign_on: boolean;
  max_session_age_hours: number | null;
}

/** The policy of an organisation, and the role of the person it applies to. */
export interface MemberPolicy extends PolicyRow {
  organisation_id: string;
  role: Role;
}

const COLUMNS = "require_second_factor, require_single_sign_on, max_session_age_hours";

export async function findPolicy(tx: OrganisationTx): Promise<PolicyRow> {
  const [policy] = await tx.query<PolicyRow>(`select ${COLUMNS} from organisations where id = $1`, [
    tx.organisationId,
  ]);
  return policy!;
}

export async function lockPolicy(tx: OrganisationTx): Promise<PolicyRow> {
  const [policy] = await tx.query<PolicyRow>(
    `select ${COLUMNS} from organisations where id = $1 for no key update`,
    [tx.organisationId],
  );
  return policy!;
}

export async function setPolicy(tx: OrganisationTx, policy: PolicyRow): Promise<void> {
  await tx.query(
    `update organisations set require_second_factor = $2, require_single_sign_on = $3, max_session_age_hours = $4
     where id = $1`,
    [
      tx.organisationId,
      policy.require_second_factor,
      policy.require_single_sign_on,
      policy.max_session_age_hours,
    ],
  );
}

/** Of every organisation of a person, in the caller's door. */
export async function listPoliciesOf(tx: Tx, userId: string): Promise<MemberPolicy[]> {
  return tx.query<MemberPolicy>(
    `select o.id as organisation_id, m.role, ${COLUMNS}
     from memberships m join organisations o on o.id = m.organisation_id where m.user_id = $1`,
    [userId],
  );
}
