import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REPOSITORY } from "../src/site-pages.ts";
import { listSnippets } from "./snippets.ts";

const SECRET = `whsec_${Buffer.from("a secret of twenty-four").toString("base64")}`;
const folder = mkdtempSync(join(tmpdir(), "dialplane-js-"));
beforeAll(() => symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The one program of a page, as a file. */
function save(page: string, change: (code: string) => string): string {
  const [snippet, ...others] = listSnippets(REPOSITORY).filter(
    (one) => one.page === page && one.language === "js",
  );
  expect(others).toEqual([]);
  const file = join(folder, `${page.replaceAll(/\W/g, "-")}.mjs`);
  writeFileSync(file, change(snippet!.code));
  return file;
}

function signed(body: string): Record<string, string> {
  const at = new Date();
  const signature = new Webhook(SECRET).sign("msg_1", at, body);
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": signature,
  };
}

test("runs the server of docs/routing-webhooks.md, which rejects unsigned requests", async () => {
  const file = save("docs/routing-webhooks.md", (code) =>
    code.replace(/\.listen\(8080\)/, ".listen(0, function () { console.log(this.address().port); })"),
  );
  const env = { ROUTING_SECRET: SECRET };
  const program = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [port] = (await once(program.stdout, "data")) as [Buffer];
    const ask = async (call: object, headers?: Record<string, string>) => {
      const body = JSON.stringify(call);
      const url = `http://127.0.0.1:${Number(port)}/`;
      const answer = await fetch(url, { method: "POST", body, headers: headers ?? signed(body) });
      return answer.ok ? answer.json() : answer.status;
    };
    expect(await ask({ from: "+12025550100", to: "+4930901820" })).toEqual({
      action: "dial",
      sip_uri: "sip:+4930901820@pbx.example.com",
    });
    expect(await ask({ from: "anonymous", to: "+4930901820" })).toEqual({ action: "reject", code: 603 });
    expect(await ask({ from: "anonymous", to: "+4930901820" }, signed("{}"))).toBe(401);
  } finally {
    program.kill();
  }
});

test("runs the lines of docs/webhooks.md, which read an event and reject unsigned ones", async () => {
  const body = JSON.stringify({ type: "number.changed" });
  const run = async (headers: Record<string, string>): Promise<string> => {
    const given = `const [secret, rawBody, request] = ${JSON.stringify([SECRET, body, { headers }])};\n`;
    const file = save("docs/webhooks.md", (code) => `${given}${code}\nconsole.log(event.type);`);
    return (await promisify(execFile)(process.execPath, [file])).stdout;
  };
  expect(await run(signed(body))).toBe("number.changed\n");
  await expect(run(signed("{}"))).rejects.toThrow("No matching signature found");
});
