import { expect, test } from "vitest";
import { startServer } from "../../start.ts";
import { mailTo, tokenIn } from "../../../testing/account.ts";
import { captureLog } from "../../../testing/captured-log.ts";
import { bearer, type Service, startService, until } from "../../../testing/service.ts";
import { startSmtpServer } from "../../../testing/smtp-server.ts";
import type { Mail } from "../../platform/mail/mailer.ts";
import { writeLetter } from "../../people/letters/letters.ts";
import { sendMailJob, sweepMailsJob } from "./mails.jobs.ts";

async function invite(service: Service, ...emails: string[]): Promise<void> {
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });
  for (const email of emails) {
    const { status } = await service.send("POST", "/v1/invitations", {
      headers: bearer(owner.token),
      body: { email, role: "member" },
    });
    expect(status).toBe(201);
  }
}

async function unsent(service: Service): Promise<number> {
  return (await service.database.admin("select 1 from mails where sent_at is null")).length;
}

test("deleting the whole queue loses no mail: the sweep queues again what is due", async () => {
  await using service = await startService();
  const emails = Array.from({ length: 20 }, (_, at) => `lost-${at}@example.com`);
  await invite(service, ...emails);
  await service.database.admin("truncate pgboss.job, pgboss.schedule cascade");
  expect(await service.database.admin("select 1 from pgboss.job")).toEqual([]);

  const worker = await startServer(service.app.config, "worker", { clock: service.clock });
  try {
    await sweepMailsJob.run(service.app);
    expect(await service.database.admin("select 1 from pgboss.job where name = 'mails.send'")).toEqual([]);
    service.clock.advance(61_000);
    await sweepMailsJob.run(service.app);

    await until(async () => (await unsent(service)) === 0);
    expect(
      service
        .mails()
        .map((mail) => /^To: (.+)$/m.exec(mail)![1])
        .toSorted(),
    ).toEqual(emails.toSorted());
  } finally {
    await worker.stop();
  }
});

test("retries a mail that the server rejects, with the same ID and link", async () => {
  const captured = captureLog("error");
  await using smtp = await startSmtpServer();
  smtp.refuse(1);
  await using service = await startService({
    worker: true,
    settings: { SMTP_URL: smtp.url },
    overrides: { log: captured.log },
  });

  await invite(service, "patient@example.com");
  const [mail] = await until(() => smtp.received.length > 0 && smtp.received);

  await until(async () => (await unsent(service)) === 0);
  expect(mail!.to).toEqual(["patient@example.com"]);
  expect(captured.lines()).toMatchObject([{ msg: "job failed; it will be retried", job: "mails.send" }]);
  expect(captured.text()).not.toMatch(/invitation#/);
});

test("a mail sent twice by accident carries the same link both times, and is one link", async () => {
  await using service = await startService({ worker: true });
  await invite(service, "twice@example.com");
  const first = await mailTo(service, "twice@example.com", "You are invited");
  await until(async () => (await unsent(service)) === 0);

  await service.database.admin("update mails set sent_at = null");
  // By then the lease of the mail has expired.
  service.clock.advance(5 * 60_000 + 1_000);
  await sweepMailsJob.run(service.app);
  await until(async () => (await unsent(service)) === 0);

  expect(service.mails()).toHaveLength(1);
  expect(tokenIn(service.mails()[0]!)).toBe(tokenIn(first));
});

test("five jobs of one mail at once send it once, and one that fails leaves it to the next", async () => {
  const sent: Mail[] = [];
  let isDown = true;
  await using service = await startService({
    settings: { DATABASE_CONNECTIONS: "8" },
    overrides: {
      mailer: {
        async send(mail) {
          sent.push(mail);
          // As long as sending takes: the other workers have looked for the mail by then.
          for (let word = 0; word < 20; word++) await service.database.admin("select 1");
          if (isDown) throw new Error("busy, come again");
        },
      },
    },
  });
  await invite(service, "once@example.com");
  const [mail] = await service.database.admin<{ id: string }>("select id from mails");

  await expect(sendMailJob(writeLetter).run(service.app, mail!)).rejects.toThrow("busy, come again");
  expect(await unsent(service)).toBe(1);
  isDown = false;
  sent.length = 0;
  await Promise.all(Array.from({ length: 5 }, () => sendMailJob(writeLetter).run(service.app, mail!)));

  expect(sent.map(({ id, to }) => [id, to])).toEqual([[mail!.id, "once@example.com"]]);
  expect(await unsent(service)).toBe(0);
});

test("mail that was sent is forgotten after 30 days, mail that was not is kept", async () => {
  await using service = await startService();
  await invite(service, "sent@example.com", "unsent@example.com");
  await service.database.admin("update mails set sent_at = created_at where recipient = 'sent@example.com'");

  service.clock.advance(30 * 86_400_000 + 1_000);
  await sweepMailsJob.run(service.app);

  expect(await service.database.admin("select recipient from mails")).toEqual([
    { recipient: "unsent@example.com" },
  ]);
});

test("the mail and what it is about commit together or not at all", async () => {
  await using service = await startService();
  await service.database.admin("revoke insert on mails from dialplane_organisation");
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });

  const answer = await service.send("POST", "/v1/invitations", {
    headers: bearer(owner.token),
    body: { email: "ada@example.com", role: "member" },
  });

  expect(answer.status).toBe(500);
  expect(
    await service.database.admin("select 1 from invitations union all select 1 from pgboss.job"),
  ).toEqual([]);
});
