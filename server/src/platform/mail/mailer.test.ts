import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startSmtpServer } from "../../../testing/smtp-server.ts";
import { type Mailer, openMailer } from "./mailer.ts";

const FROM = "Dialplane <no-reply@example.com>";
const MAIL = {
  id: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
  to: "ada@example.com",
  subject: "Set a new password",
  text: "Here:\nhttps://x.example/#token",
};

function smtp(url: string): Mailer {
  return openMailer({ from: FROM, smtpUrl: url, directory: "" });
}

describe("over SMTP", () => {
  test("sends a mail to its recipient only, with the same ID on every attempt", async () => {
    await using server = await startSmtpServer();
    const mailer = smtp(server.url);

    await mailer.send(MAIL);
    await mailer.send(MAIL);

    expect(server.received).toHaveLength(2);
    for (const { from, to, data } of server.received) {
      expect([from, to]).toEqual(["no-reply@example.com", ["ada@example.com"]]);
      expect(data).toMatch(/^From: Dialplane <no-reply@example\.com>$/m);
      expect(data).toMatch(/^Subject: Set a new password$/m);
      expect(data).toMatch(new RegExp(`^Message-ID: <${MAIL.id}@dialplane>$`, "im"));
      expect(data).toContain("https://x.example/#token");
    }
  });

  test("SS-06 a name with a line break adds no header and no recipient", async () => {
    await using server = await startSmtpServer();

    await smtp(server.url).send({
      ...MAIL,
      subject: "You are invited to Ltd\r\nBcc: thief@example.com\r\n\r\nforged",
    });

    expect(server.received[0]!.to).toEqual(["ada@example.com"]);
    expect(server.received[0]!.data).not.toMatch(/^Bcc:/im);
  });

  test("throws if the server rejects, so that the job is retried", async () => {
    await using server = await startSmtpServer();
    server.refuse(1);
    const mailer = smtp(server.url);

    await expect(mailer.send(MAIL)).rejects.toThrow(/451/);
    await expect(mailer.send(MAIL)).resolves.toBeUndefined();
  });

  test("a server that is not there is an error too", async () => {
    const server = await startSmtpServer();
    await server[Symbol.asyncDispose]();

    await expect(smtp(server.url).send(MAIL)).rejects.toThrow(/ECONNREFUSED/);
  });
});

test("in development a mail is a file only its owner can read; a second copy replaces the first", async () => {
  const directory = join(mkdtempSync(join(tmpdir(), "dialplane-mailer-")), "mail");
  const mailer = openMailer({ from: FROM, smtpUrl: undefined, directory });

  await mailer.send(MAIL);
  await mailer.send(MAIL);

  const [name, ...others] = readdirSync(directory);
  expect(others).toEqual([]);
  expect(readFileSync(join(directory, name!), "utf8")).toBe(
    `From: ${FROM}\nTo: ada@example.com\nSubject: Set a new password\n\n${MAIL.text}\n`,
  );
  expect(statSync(join(directory, name!)).mode & 0o077).toBe(0);
  rmSync(join(directory, ".."), { recursive: true });
});
