import type { Database, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";

export const MAIL_KINDS = [
  "invitation",
  "reset_password",
  "change_email",
  "password_changed",
  "email_changed",
  "authenticator_added",
  "authenticator_removed",
  "recovery_codes_renewed",
  "recovery_code_used",
  "passkey_added",
  "passkey_removed",
  "tool_signed_in",
  "browser_signed_in",
  "identity_linked",
  "database_rolled_back",
  "break_glass_used",
  "domain_proof_missing",
  "domain_proof_lapsed",
  "problem_began",
  "problem_ended",
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

export interface MailRow {
  id: string;
  kind: MailKind;
  recipient: string;
  reference: string | null;
  created_at: Date;
}

export async function insertMail(tx: Tx, mail: MailRow): Promise<void> {
  await tx.query(
    "insert into mails (id, kind, recipient, reference, created_at) values ($1, $2, $3, $4, $5)",
    [mail.id, mail.kind, mail.recipient, mail.reference, mail.created_at],
  );
}

/** Kinds that may have been sent after the backup from which the database is being restored. */
const HELD_KINDS: readonly MailKind[] = [
  "invitation",
  "domain_proof_missing",
  "domain_proof_lapsed",
  "problem_began",
  "problem_ended",
];

/**
 * Claims a mail for one worker. Undefined if another worker has the lease, if the mail was sent, or if mails of its
 * kind wait for the end of a restore.
 */
export async function claimMail(
  tx: Tx,
  id: string,
  { now, until, isHeld }: { now: Date; until: Date; isHeld: boolean },
): Promise<MailRow | undefined> {
  const [mail] = await tx.query<MailRow>(
    `update mails set claimed_until = $3
     where id = $1 and sent_at is null and (claimed_until is null or claimed_until <= $2) and kind <> all ($4)
     returning id, kind, recipient, reference, created_at`,
    [id, now, until, isHeld ? HELD_KINDS : []],
  );
  return mail;
}

export async function setMailUnclaimed(tx: Tx, id: string): Promise<void> {
  await tx.query("update mails set claimed_until = null where id = $1 and sent_at is null", [id]);
}

/** From now on this mail is about that link, also when it has to be sent again. */
export async function setMailReference(tx: Tx, id: string, reference: string): Promise<void> {
  await tx.query("update mails set reference = $2 where id = $1", [id, reference]);
}

export async function setMailSent(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query("update mails set sent_at = $2 where id = $1 and sent_at is null", [id, at]);
}

export async function listUnsentMails(tx: Tx, before: Date, now: Date): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from mails where sent_at is null and created_at < $1 and (claimed_until is null or claimed_until <= $2)
     order by created_at limit 500`,
    [before, now],
  );
  return rows.map((row) => row.id);
}

export async function deleteMailsSentBefore(db: Database, before: Date): Promise<void> {
  await sweepTable(db, { table: "mails", where: "sent_at < $1", values: [before] });
}

export async function listOperatorEmails(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ email: string }>(
    "select email from users where is_operator and disabled_at is null order by email",
  );
  return rows.map(({ email }) => email);
}
