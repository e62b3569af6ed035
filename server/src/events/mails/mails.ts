import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import {
  insertMail,
  listOperatorEmails,
  type MailKind,
  type MailRow,
  setMailReference,
} from "./mails.store.ts";

export { type MailKind, type MailRow, setMailReference };
export const SEND_MAIL = "mails.send";

/** Commits with its change. The worker sends the mail, with retries. */
export async function queueMail(
  tx: Tx,
  { jobs, clock }: Pick<App, "jobs" | "clock">,
  mail: { kind: MailKind; recipient: string; reference?: string },
): Promise<void> {
  const id = newId();
  await insertMail(tx, {
    id,
    kind: mail.kind,
    recipient: mail.recipient,
    reference: mail.reference ?? null,
    created_at: clock.now(),
  });
  await jobs.enqueue(tx, SEND_MAIL, { id });
}

export interface Letter {
  subject: string;
  text: string;
}

export async function queueMailToOperators(
  tx: Tx,
  app: Pick<App, "jobs" | "clock">,
  kind: MailKind,
): Promise<void> {
  for (const recipient of await listOperatorEmails(tx)) await queueMail(tx, app, { kind, recipient });
}
