import type { Database, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";

export interface LinkRow {
  id: string;
  user_id: string;
  purpose: "reset_password" | "change_email";
  new_email: string | null;
  created_at: Date;
  expires_at: Date;
}

/** The same link made twice, by two tries of one mail, is one link. */
export async function insertLink(tx: Tx, link: LinkRow): Promise<void> {
  await tx.query(
    `insert into one_time_links (id, user_id, purpose, new_email, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing`,
    [link.id, link.user_id, link.purpose, link.new_email, link.created_at, link.expires_at],
  );
}

/** Tag of the user's first organisation. 0000 if there is none. */
export async function findTagOfLink(tx: Tx, id: string): Promise<string> {
  const [row] = await tx.query<{ tag: string }>(
    `select coalesce((
       select u.home_tag from one_time_links l join users u on u.id = l.user_id where l.id = $1), '0000') as tag`,
    [id],
  );
  return row!.tag;
}

export async function deleteLink(
  tx: Tx,
  id: string,
  purpose: LinkRow["purpose"],
  now: Date,
): Promise<LinkRow | undefined> {
  const [link] = await tx.query<LinkRow>(
    `delete from one_time_links where id = $1 and purpose = $2 and expires_at > $3
     returning id, user_id, purpose, new_email, created_at, expires_at`,
    [id, purpose, now],
  );
  return link;
}

export async function deleteLinksOf(
  tx: Tx,
  userId: string,
  purpose: LinkRow["purpose"] | undefined,
): Promise<void> {
  await tx.query("delete from one_time_links where user_id = $1 and ($2::text is null or purpose = $2)", [
    userId,
    purpose ?? null,
  ]);
}

export async function deleteLinksBefore(db: Database, now: Date): Promise<void> {
  await sweepTable(db, { table: "one_time_links", where: "expires_at <= $1", values: [now] });
}

/** A sign-in that is half done. */
export interface ChallengeRow {
  id: string;
  purpose: string;
  user_id: string | null;
  reference: string | null;
  created_at: Date;
  expires_at: Date;
}

const CHALLENGE_COLUMNS = "id, purpose, user_id, reference, created_at, expires_at";

export async function insertChallenge(tx: Tx, challenge: ChallengeRow): Promise<void> {
  await tx.query(`insert into challenges (${CHALLENGE_COLUMNS}) values ($1, $2, $3, $4, $5, $6)`, [
    challenge.id,
    challenge.purpose,
    challenge.user_id,
    challenge.reference,
    challenge.created_at,
    challenge.expires_at,
  ]);
}

export async function findChallenge(tx: Tx, id: string, now: Date): Promise<ChallengeRow | undefined> {
  const [found] = await tx.query<ChallengeRow>(
    `select ${CHALLENGE_COLUMNS} from challenges where id = $1 and expires_at > $2`,
    [id, now],
  );
  return found;
}

export async function deleteChallenge(tx: Tx, id: string, now: Date): Promise<ChallengeRow | undefined> {
  const [gone] = await tx.query<ChallengeRow>(
    `delete from challenges where id = $1 and expires_at > $2 returning ${CHALLENGE_COLUMNS}`,
    [id, now],
  );
  return gone;
}

export async function deleteChallengesOf(tx: Tx, userId: string): Promise<void> {
  await tx.query("delete from challenges where user_id = $1", [userId]);
}

export async function deleteChallengesBefore(db: Database, now: Date): Promise<void> {
  await sweepTable(db, { table: "challenges", where: "expires_at <= $1", values: [now] });
}
