import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import { isRestoring } from "../../platform/restoring.ts";
import { type Letter, SEND_MAIL } from "./mails.ts";
import {
  claimMail,
  deleteMailsSentBefore,
  listUnsentMails,
  type MailRow,
  setMailSent,
  setMailUnclaimed,
} from "./mails.store.ts";

const OVERDUE_MS = 60_000;
const KEPT_MS = 30 * 86_400_000;

/** Longer than a mail server may take to answer. */
const CLAIMED_MS = 90_000;

/** Returns undefined if there is no longer anyone to write to. */
type WriteLetter = (app: App, tx: Tx, mail: MailRow) => Promise<Letter | undefined>;

/** Sends a mail at least once. A second copy has the same message ID and the same link. */
export const sendMailJob = (writeLetter: WriteLetter) => ({
  name: SEND_MAIL,
  async run(app: App, { id }: { id: string }): Promise<void> {
    const now = app.clock.now();
    const written = await app.db.forSystem("mail", async (tx) => {
      const isHeld = await isRestoring(tx);
      const mail = await claimMail(tx, id, { now, until: new Date(now.getTime() + CLAIMED_MS), isHeld });
      return mail && { mail, letter: await writeLetter(app, tx, mail) };
    });
    if (!written) return;
    const { mail, letter } = written;
    try {
      if (letter) await app.mailer.send({ id: mail.id, to: mail.recipient, ...letter });
    } catch (error) {
      await app.db.forSystem("mail", (tx) => setMailUnclaimed(tx, id));
      throw error;
    }
    await app.db.forSystem("mail", (tx) => setMailSent(tx, id, app.clock.now()));
  },
});

/** Queues again whatever should have gone out by now: the queue itself may be lost. */
export const sweepMailsJob = {
  name: "mails.sweep",
  every: "* * * * *",
  async run(app: App): Promise<void> {
    const now = app.clock.now().getTime();
    await app.db.forSystem("sweep", async (tx) => {
      for (const id of await listUnsentMails(tx, new Date(now - OVERDUE_MS), new Date(now)))
        await app.jobs.enqueue(tx, SEND_MAIL, { id });
    });
    await deleteMailsSentBefore(app.db, new Date(now - KEPT_MS));
  },
};
