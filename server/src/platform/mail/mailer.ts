import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport } from "nodemailer";

export interface Mail {
  /** The same on every try, so that mail systems can drop a second copy. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
}

interface MailOptions {
  from: string;
  smtpUrl: string | undefined;
  directory: string;
}

export function openMailer(options: MailOptions): Mailer {
  return options.smtpUrl
    ? smtpMailer(options.from, options.smtpUrl)
    : fileMailer(options.from, options.directory);
}

function smtpMailer(from: string, url: string): Mailer {
  const transport = createTransport(
    { url, connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000 },
    { from },
  );
  return {
    async send(mail) {
      await transport.sendMail({
        to: mail.to,
        subject: mail.subject,
        text: mail.text,
        messageId: `<${mail.id}@dialplane>`,
      });
    },
  };
}

/** For development: one file per mail, named so that the newest is last. */
function fileMailer(from: string, directory: string): Mailer {
  return {
    async send(mail) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const text = `From: ${from}\nTo: ${mail.to}\nSubject: ${mail.subject}\n\n${mail.text}\n`;
      writeFileSync(join(directory, `${mail.id}.txt`), text, { mode: 0o600 });
    },
  };
}
