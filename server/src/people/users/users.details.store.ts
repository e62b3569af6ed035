import type { Tx } from "../../platform/db/database.ts";
import type { Role } from "../../platform/http/access.ts";

export interface UserDetails {
  id: string;
  email: string;
  name: string;
  is_operator: boolean;
  created_at: Date;
  disabled_at: Date | null;
  has_authenticator: boolean;
  session_count: number;
  api_key_count: number;
  organisations: { id: string; name: string; role: Role }[];
}

/** Which sessions have not ended. */
interface Lasting {
  now: Date;
  seenSince: Date;
}

const DETAILS = `u.id, u.email, u.name, u.is_operator, u.created_at, u.disabled_at,
  exists (select from authenticators a where a.user_id = u.id and a.confirmed_at is not null) as has_authenticator,
  (select count(*)::integer from sessions s
     where s.user_id = u.id and s.expires_at > $1 and s.last_seen_at > $2) as session_count,
  (select count(*)::integer from api_keys k
     where k.created_by = u.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > $1)) as api_key_count,
  coalesce((select json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role) order by o.name, o.id)
     from memberships m join organisations o on o.id = m.organisation_id where m.user_id = u.id), '[]') as organisations`;

export async function listUserDetails(
  tx: Tx,
  { now, seenSince }: Lasting,
  { email, after, limit }: { email: string | undefined; after: string | undefined; limit: number },
): Promise<UserDetails[]> {
  return tx.query<UserDetails>(
    `select ${DETAILS} from users u
     where ($3::text is null or u.email = $3) and ($4::uuid is null or u.id > $4) order by u.id limit $5`,
    [now, seenSince, email ?? null, after ?? null, limit + 1],
  );
}

export async function findUserDetails(
  tx: Tx,
  { now, seenSince }: Lasting,
  id: string,
): Promise<UserDetails | undefined> {
  const [user] = await tx.query<UserDetails>(`select ${DETAILS} from users u where u.id = $3`, [
    now,
    seenSince,
    id,
  ]);
  return user;
}

/** False if the account was disabled, or enabled, already. */
export async function setDisabled(tx: Tx, id: string, at: Date | null): Promise<boolean> {
  const changed = await tx.query(
    "update users set disabled_at = $2 where id = $1 and (disabled_at is null) = ($2::timestamptz is not null) returning id",
    [id, at],
  );
  return changed.length === 1;
}
