import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { appOf } from "../../../server/testing/authenticator-app.ts";
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

/** Browser steps of the operator and of a customer: two links from mail or screen, an authenticator app, and two codes. */
async function actAsPerson(): Promise<void> {
  const operator = { email: VALUES.OPERATOR, password: `${PASSWORD}, and the cat sleeps` };
  const [, reset = ""] = await until(() => /\/reset-password#([\w-]+)/.exec(said));
  await post("/v1/password-resets/complete", { body: { token: reset, new_password: operator.password } });
  await typeCode(0, async () => {
    const cookie = await signIn(operator);
    const enrolled = await post("/v1/me/authenticator", { cookie });
    const { otpauth_uri: uri } = (await enrolled.json()) as { otpauth_uri: string };
    const { code } = appOf(uri, () => new Date());
    await post("/v1/me/authenticator/confirm", { cookie, body: { code: code() } });
    return cookie;
  });
  const [, token = ""] = await until(() => /\/invitation#([\w-]+)/.exec(mails.join("\n")));
  const account = { name: "Olive", password: PASSWORD };
  await post("/v1/invitations/accept", { body: { token, account } });
  await typeCode(1, () => signIn({ email: VALUES.OWNER, password: PASSWORD }));
}

async function signIn(body: { email: string; password: string }): Promise<string> {
  const { headers } = await post("/v1/sessions", { body });
  return headers.get("set-cookie")!.split(";", 1)[0]!;
}

/** Authorises the nth tool that shows a code. */
async function typeCode(nth: number, enter: () => Promise<string>): Promise<void> {
  const codes = () => [...said.matchAll(/type this code:\s+(\S+)\s/g)].map(([, code]) => code!);
  const user_code = await until(() => codes()[nth] ?? null);
  const cookie = await enter();
  await post("/v1/device-sign-ins/look-up", { cookie, body: { user_code } });
  await post("/v1/device-sign-ins/approve", { cookie, body: { user_code } });
}

async function until<Found>(look: () => Found | null): Promise<Found> {
  for (;;) {
    const found = look();
    if (found) return found;
    await pause(100);
  }
}

async function post(path: string, { body, cookie }: { body?: object; cookie?: string }): Promise<Response> {
  const answer = await fetch(`${SERVICE}${path}`, {
    method: "POST",
    headers: {
      "sec-fetch-site": "same-origin",
      ...(body && { "content-type": "application/json" }),
      ...(cookie && { cookie }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

function showLogs(): void {
  const folder = join(root, "var/log/units");
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    console.error(`\n${name}\n${readFileSync(join(folder, name), "utf8").slice(-3_000)}`);
}
