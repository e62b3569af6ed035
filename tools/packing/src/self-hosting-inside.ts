import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { listenForMail } from "./mail-sink.ts";
import { readBlocks, scriptOf, withValues } from "./page-blocks.ts";
import { MAIL_PORT, VALUES } from "./self-hosting-values.ts";

const SERVICE = "http://127.0.0.1:8080";
const PASSWORD = "the kettle hums at noon";
const LONGEST_MS = 15 * 60_000;

const [root = ""] = process.argv.slice(2);
execFileSync("ip", ["link", "set", "lo", "up"]);
for (const address of [VALUES.ADDRESS, VALUES.CARRIER, VALUES.PBX])
  execFileSync("ip", ["address", "add", `${address}/32`, "dev", "lo"]);

const mails: string[] = [];
// Long lines are broken on the way (RFC 2045, 6.7).
listenForMail(MAIL_PORT, (mail) => mails.push(mail.replaceAll("=\n", "")));

const [values, ...blocks] = readBlocks("docs/self-hosting.md", "docs/backup-and-upgrade.md");
const rest = blocks.filter(({ section }) => section !== "Packages");
const script = withValues(values!, VALUES) + scriptOf(rest);
const shell = spawn("chroot", [root, "/bin/bash", "-c", script], {
  stdio: ["ignore", "pipe", "pipe"],
  timeout: LONGEST_MS,
});
let said = "";
for (const stream of [shell.stdout, shell.stderr])
  stream.on("data", (chunk: Buffer) => {
    said += String(chunk);
    process.stdout.write(chunk);
  });
const ended = once(shell, "exit");
const person = actAsPerson();
person.catch((error: unknown) => {
  console.error(error);
  shell.kill("SIGTERM");
});
const [code] = (await ended) as [number | null];
if (code !== 0) showLogs();
process.exit(code ?? 1);

/** Browser steps of a user: two links from mail or screen, and one code. */
async function actAsPerson(): Promise<void> {
  const [, reset = ""] = await until(() => /\/reset-password#([\w-]+)/.exec(said));
  await post("/v1/password-resets/complete", {
    token: reset,
    new_password: `${PASSWORD}, and the cat sleeps`,
  });
  const [, token = ""] = await until(() => /\/invitation#([\w-]+)/.exec(mails.join("\n")));
  await post("/v1/invitations/accept", { token, account: { name: "Olive", password: PASSWORD } });
  const signedIn = await post("/v1/sessions", { email: VALUES.OWNER, password: PASSWORD });
  const cookie = signedIn.headers.get("set-cookie")!.split(";", 1)[0]!;
  const [, user_code = ""] = await until(() => /type this code:\s+(\S+)\s/.exec(said));
  await post("/v1/device-sign-ins/look-up", { user_code }, cookie);
  await post("/v1/device-sign-ins/approve", { user_code }, cookie);
}

async function until<Found>(look: () => Found | null): Promise<Found> {
  for (;;) {
    const found = look();
    if (found) return found;
    await pause(100);
  }
}

async function post(path: string, body: object, cookie?: string): Promise<Response> {
  const answer = await fetch(`${SERVICE}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      ...(cookie && { cookie }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

function showLogs(): void {
  const folder = join(root, "var/log/units");
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    console.error(`\n${name}\n${readFileSync(join(folder, name), "utf8").slice(-3_000)}`);
}
