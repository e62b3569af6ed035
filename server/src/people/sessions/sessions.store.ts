import type { Database, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";
import type { Membership, Role } from "../../platform/http/access.ts";

export interface SessionRow {
  id: string;
  user_id: string;
  kind: "browser" | "tool";
  created_at: Date;
  last_seen_at: Date;
  reauthenticated_at: Date;
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
}

/** How a session was opened; policies of organisations depend on it. */
export interface SessionOrigin {
  method: "password" | "passkey" | "provider";
  has_second_factor: boolean;
  /** When the person signed in: for a tool's session, earlier than it was created. */
  signed_in_at: Date;
  identity_organisation_id: string | null;
  identity_provider_id: string | null;
}

export interface AuthenticatedSession {
  session_id: string;
  kind: "browser" | "tool";
  reauthenticated_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  user_id: string;
  name: string;
  email: string;
  is_operator: boolean;
  memberships: Membership[];
}

const COLUMNS =
  "id, user_id, kind, created_at, last_seen_at, reauthenticated_at, expires_at, host(address) as address, user_agent";

/** Hot path of every session: one statement, which sets the policies' settings itself. */
export async function authenticateSession(
  db: Database,
  tokenHash: Buffer,
  now: Date,
  seenSince: Date,
): Promise<AuthenticatedSession | undefined> {
  const [found] = await db.authenticateFairly<AuthenticatedSession>(
    tokenHash,
    "select * from authenticate_session($1, $2, $3)",
    [tokenHash, now, seenSince],
  );
  return found;
}

export async function insertSession(
  tx: Tx,
  session: SessionRow & SessionOrigin & { token_hash: Buffer },
): Promise<void> {
  await tx.query(
    `insert into sessions (id, user_id, token_hash, kind, created_at, last_seen_at, reauthenticated_at, expires_at, address, user_agent,
       method, has_second_factor, signed_in_at, identity_organisation_id, identity_provider_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      session.id,
      session.user_id,
      session.token_hash,
      session.kind,
      session.created_at,
      session.last_seen_at,
      session.reauthenticated_at,
      session.expires_at,
      session.address,
      session.user_agent,
      session.method,
      session.has_second_factor,
      session.signed_in_at,
      session.identity_organisation_id,
      session.identity_provider_id,
    ],
  );
}

export async function findSessionOrigin(tx: Tx, id: string): Promise<SessionOrigin | undefined> {
  const [origin] = await tx.query<SessionOrigin>(
    `select method, has_second_factor, coalesce(signed_in_at, created_at) as signed_in_at,
       identity_organisation_id, identity_provider_id
     from sessions where id = $1`,
    [id],
  );
  return origin;
}

export interface Standing {
  session_id: string;
  reauthenticated_at: Date;
  organisation_id: string;
  role: Role;
}

/**
 * Valid sessions among these, with each membership of their users in an organisation that accepts the
 * session.
 */
export async function listStandings(
  tx: Tx,
  ids: readonly string[],
  now: Date,
  seenSince: Date,
): Promise<Standing[]> {
  return tx.query<Standing>(
    `select s.id as session_id, s.reauthenticated_at, m.organisation_id, m.role
     from sessions s join users u on u.id = s.user_id join memberships m on m.user_id = s.user_id
       join organisations o on o.id = m.organisation_id
     where s.id = any ($1) and s.expires_at > $2 and s.last_seen_at > $3
       and u.disabled_at is null and o.suspended_at is null and unmet_policy(s, o, m.role, $2) is null`,
    [ids, now, seenSince],
  );
}

interface SessionName {
  id: string;
  userId: string;
}

export async function setSessionSeen(tx: Tx, { id, userId }: SessionName, at: Date): Promise<void> {
  await tx.query(
    "update sessions set last_seen_at = greatest(last_seen_at, $3) where id = $1 and user_id = $2",
    [id, userId, at],
  );
}

/** Replaces the session's token. The old one becomes invalid. */
export async function setSessionToken(
  tx: Tx,
  { id, userId }: SessionName,
  tokenHash: Buffer,
  at: Date,
): Promise<boolean> {
  const changed = await tx.query(
    "update sessions set token_hash = $3, reauthenticated_at = $4 where id = $1 and user_id = $2 returning id",
    [id, userId, tokenHash, at],
  );
  return changed.length === 1;
}

/** Returns false if the value is unchanged, or if the session has ended. */
export async function setSessionFactor(
  tx: Tx,
  { id, userId }: SessionName,
  hasSecondFactor: boolean,
): Promise<boolean> {
  const changed = await tx.query(
    "update sessions set has_second_factor = $3 where id = $1 and user_id = $2 and has_second_factor <> $3 returning id",
    [id, userId, hasSecondFactor],
  );
  return changed.length === 1;
}

export async function listSessionsOf(
  tx: Tx,
  userId: string,
  now: Date,
  seenSince: Date,
): Promise<SessionRow[]> {
  return tx.query<SessionRow>(
    `select ${COLUMNS} from sessions where user_id = $1 and expires_at > $2 and last_seen_at > $3 order by id desc limit 500`,
    [userId, now, seenSince],
  );
}

export async function deleteSession(tx: Tx, id: string, userId: string): Promise<boolean> {
  const gone = await tx.query("delete from sessions where id = $1 and user_id = $2 returning id", [
    id,
    userId,
  ]);
  return gone.length === 1;
}

export async function deleteSessionsOf(tx: Tx, userId: string, except: string | undefined): Promise<void> {
  await tx.query("delete from sessions where user_id = $1 and ($2::uuid is null or id <> $2)", [
    userId,
    except ?? null,
  ]);
}

export async function deleteSessionsBefore(db: Database, now: Date, seenSince: Date): Promise<void> {
  await sweepTable(db, {
    table: "sessions",
    where: "expires_at <= $1 or last_seen_at <= $2",
    values: [now, seenSince],
  });
}
