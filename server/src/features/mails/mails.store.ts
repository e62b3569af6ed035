import type { Tx } from "../../platform/db/database.ts";

export const MAIL_KINDS = [
  "invitation",
  "reset_password",
  "change_email",
  "password_changed",
  "email_changed",
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

export async function findUnsentMail(tx: Tx, id: string): Promise<MailRow | undefined> {
  const [mail] = await tx.query<MailRow>(
    "select id, kind, recipient, reference, created_at from mails where id = $1 and sent_at is null",
    [id],
  );
  return mail;
}

/** From now on this mail is about that link, also when it has to be sent once more. */
export async function setMailReference(tx: Tx, id: string, reference: string): Promise<void> {
  await tx.query("update mails set reference = $2 where id = $1", [id, reference]);
}

export async function setMailSent(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query("update mails set sent_at = $2 where id = $1 and sent_at is null", [id, at]);
}

export async function listUnsentMails(tx: Tx, before: Date): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    "select id from mails where sent_at is null and created_at < $1 order by created_at limit 500",
    [before],
  );
  return rows.map((row) => row.id);
}

export async function deleteMailsSentBefore(tx: Tx, before: Date): Promise<void> {
  await tx.query("delete from mails where sent_at < $1", [before]);
}
