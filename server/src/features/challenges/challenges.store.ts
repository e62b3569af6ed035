import type { Database, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";

export interface ChallengeRow {
  id: string;
  purpose: string;
  user_id: string | null;
  reference: string | null;
  created_at: Date;
  expires_at: Date;
}

const COLUMNS = "id, purpose, user_id, reference, created_at, expires_at";

export async function insertChallenge(tx: Tx, challenge: ChallengeRow): Promise<void> {
  await tx.query(`insert into challenges (${COLUMNS}) values ($1, $2, $3, $4, $5, $6)`, [
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
    `select ${COLUMNS} from challenges where id = $1 and expires_at > $2`,
    [id, now],
  );
  return found;
}

export async function deleteChallenge(tx: Tx, id: string, now: Date): Promise<ChallengeRow | undefined> {
  const [gone] = await tx.query<ChallengeRow>(
    `delete from challenges where id = $1 and expires_at > $2 returning ${COLUMNS}`,
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
