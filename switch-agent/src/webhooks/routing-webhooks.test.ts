import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type AskedProgram, openProgram, says } from "../testing/asked-program.ts";
import { type AskedCall, AskingSwitch } from "../testing/asking-switch.ts";
import { type DnsServer, openDnsServer } from "../testing/dns-server.ts";
import { type RoutingWebhooks, startRoutingWebhooks } from "./routing-webhooks.ts";
import type { Signer } from "./secret-service.ts";

const secretOf = (name: string): string => `whsec_${Buffer.from(name.padEnd(32, "-")).toString("base64")}`;
const PATIENCE = { timeout: 20_000, interval: 20 };

const folder = mkdtempSync(join(tmpdir(), "dialplane-webhooks-"));
const logged: string[] = [];
const log = { info: note, warn: note, error: note };
function note(fields: object, message: string): void {
  logged.push(JSON.stringify({ ...fields, message }));
}

let program: AskedProgram;
let dns: DnsServer;
let port: number;
let webhooks: RoutingWebhooks;
let kamailio: AskingSwitch;
/** The service: whose numbers are whose, and which secrets sign. */
const organisations = new Map([
  ["number-1", "one"],
  ["number-2", "two"],
]);
let secrets: Signer["secrets"];
let isServiceAway = false;
const service = {
  async signersOf(numberIds: string[]): Promise<Signer[]> {
    if (isServiceAway) throw new Error("away");
    return numberIds.flatMap((id) => {
      const owner = organisations.get(id);
      return owner === undefined ? [] : [{ organisation_id: owner, number_ids: [id], secrets }];
    });
  },
};

beforeAll(async () => {
  [program, dns, port] = [await openProgram(), await openDnsServer(), await freePort()];
});
afterAll(async () => {
  kamailio?.[Symbol.dispose]();
  await webhooks?.close();
  dns.close();
  await program[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  program.questions.length = 0;
  secrets = [{ secret: secretOf("first"), until: null }];
  isServiceAway = false;
  await restart();
});

async function restart(answerMs = 30_000): Promise<void> {
  kamailio?.[Symbol.dispose]();
  await webhooks?.close();
  webhooks = startRoutingWebhooks({
    port,
    storePath: join(folder, "webhooks.sqlite"),
    service,
    listNumbers: () => [...organisations.keys()],
    refreshMs: 50,
    answerMs,
    egressAllow: `127.0.0.1/32:${program.port}, 127.0.0.0/8:5060-5099`,
    dnsServers: [dns.address],
    listForwardPrefixes: () => ["+44"],
    log,
  });
  kamailio = await vi.waitFor(() => AskingSwitch.open(port), PATIENCE);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const free = (server.address() as { port: number }).port;
  server.close();
  await once(server, "close");
  return free;
}

const ask = (call: Partial<AskedCall> = {}) => kamailio.ask({ url: program.url, ...call });

test("sends a request that the standard's library verifies, and dials the response", async () => {
  program.answer = says({ action: "dial", sip_uri: "sip:chosen@127.0.0.9:5070;transport=tcp" });
  const told = await ask();
  expect(told).toMatchObject({
    status: 302,
    headers: {
      "x-dialplane-verb": "dial",
      "x-dialplane-to": "sip:chosen@127.0.0.9:5070;transport=tcp",
      "x-dialplane-addresses": "127.0.0.9:5070;tcp",
    },
  });
  const { body, headers } = program.questions[0]!;
  const said = new Webhook(secretOf("first")).verify(body, headers as Record<string, string>);
  expect(said).toEqual({
    number_id: "number-1",
    to: "+4930901820",
    from: "+442079460000",
    call_id: headers["webhook-id"],
    at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(() => new Webhook(secretOf("other")).verify(body, headers as Record<string, string>)).toThrow();
});

test("WH-02 while a secret of routing webhooks changes, questions verify with both", async () => {
  program.answer = says({ action: "reject", code: 486 });
  await ask();
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const past = new Date(Date.now() - 1_000).toISOString();
  secrets = [
    { secret: secretOf("second"), until: null },
    { secret: secretOf("first"), until: soon },
    { secret: secretOf("oldest"), until: past },
  ];
  await vi.waitFor(async () => {
    await ask();
    expect(String(program.questions.at(-1)!.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  }, PATIENCE);
  const { body, headers } = program.questions.at(-1)!;
  for (const name of ["first", "second"])
    new Webhook(secretOf(name)).verify(body, headers as Record<string, string>);
});

test("signs requests without the service and after a restart of the agent, from a private file", async () => {
  program.answer = says({ action: "reject", code: 603 });
  await ask();
  isServiceAway = true;
  await restart();
  expect((await ask()).status).toBe(603);
  expect((await ask({ numberId: "number-9" })).status).toBe(500);
  expect(statSync(join(folder, "webhooks.sqlite")).mode & 0o077).toBe(0);
  expect(logged.join()).not.toContain("whsec_");
});

test("secrets of organisations without webhooks are forgotten", async () => {
  program.answer = says({ action: "reject", code: 603 });
  organisations.set("number-3", "three");
  expect((await ask({ numberId: "number-3" })).status).toBe(603);
  organisations.delete("number-3");
  await vi.waitFor(async () => expect((await ask({ numberId: "number-3" })).status).toBe(500), PATIENCE);
});

test("a name that the program gives is looked up, and the call goes to its addresses", async () => {
  dns.zone.set("pbx.example", [{ type: "A", address: "127.0.0.7" }]);
  program.answer = says({ action: "dial", sip_uri: "sip:desk@pbx.example:5061;transport=tls" });
  expect((await ask()).headers["x-dialplane-addresses"]).toBe("127.0.0.7:5061;tls");
});

test.each([[403], [404], [410], [480], [486], [600], [603], [604], [607]])(
  "a program can reject a call with %i",
  async (code) => {
    program.answer = says({ action: "reject", code });
    expect((await ask()).status).toBe(code);
  },
);

test("a program can have a call forwarded, but neither to where it came from nor in a circle", async () => {
  program.answer = says({ action: "forward", forward_to: "+442079460000" });
  expect(await ask()).toMatchObject({
    status: 302,
    headers: { "x-dialplane-verb": "forward", "x-dialplane-to": "+442079460000" },
  });
  expect((await ask({ number: "+442079460000" })).status).toBe(500);
  expect((await ask({ lines: ["X-Dialplane-Forwarded: 1"] })).status).toBe(500);
});

test.each([
  ["500", says({ action: "reject", code: 486 }, 500)],
  ["204", says("", 204)],
  ["no JSON", (response) => response.end("dial sip:a@b")],
  ["no object", says(null)],
  ["no action", says({ sip_uri: "sip:a@127.0.0.9:5070" })],
  ["an action nobody knows", says({ action: "record" })],
  ["a code that asks for a password", says({ action: "reject", code: 401 })],
  ["a code by which the switch would look broken", says({ action: "reject", code: 503 })],
  ["a code as text", says({ action: "reject", code: "486" })],
  ["a barred prefix", says({ action: "forward", forward_to: "+8821234567" })],
  ["no number", says({ action: "forward", forward_to: "442079460000" })],
  ["headers in a URI", says({ action: "dial", sip_uri: "sip:a@127.0.0.9:5070?Route=x" })],
  [
    "a line break in a URI",
    says({ action: "dial", sip_uri: "sip:a@127.0.0.9\r\nX-Dialplane-Verb: forward" }),
  ],
  ["no URI", says({ action: "dial" })],
  ["nothing, and hangs up", (response) => response.destroy()],
] as [string, AskedProgram["answer"]][])("uses the fallback for a response of %s", async (_, answer) => {
  program.answer = answer;
  expect((await ask()).status).toBe(500);
});

test("SS-01 a program cannot send calls inside, neither by address nor by name", async () => {
  dns.zone.set("inside.example", [
    { type: "A", address: "127.0.0.7" },
    { type: "A", address: "10.0.0.1" },
  ]);
  for (const host of ["10.0.0.1", "169.254.169.254", "127.0.0.9:22", "[::1]", "inside.example:5060"]) {
    program.answer = says({ action: "dial", sip_uri: `sip:a@${host}` });
    expect([host, (await ask()).status]).toEqual([host, 500]);
  }
});

test("SS-02 sends no request to a private address, by address or name", async () => {
  await using inside = await openProgram();
  dns.zone.set("rebound.example.org", [
    { type: "A", address: "127.0.0.1" },
    { type: "A", address: "127.0.0.2" },
  ]);
  for (const url of [
    inside.url,
    program.url.replace("127.0.0.1", "127.0.0.2"),
    program.url.replace("127.0.0.1", "rebound.example.org"),
    program.url.replace("https", "http"),
    program.url.replace("//", "//user:word@"),
    "https://169.254.169.254/latest/meta-data",
    "https://[::ffff:127.0.0.1]/",
    "file:///etc/passwd",
  ])
    expect([url, (await ask({ url })).status]).toEqual([url, 500]);
  expect([...program.questions, ...inside.questions]).toEqual([]);
  dns.zone.set("hooks.example.org", [{ type: "A", address: "127.0.0.1" }]);
  program.answer = says({ action: "reject", code: 486 });
  expect((await ask({ url: `https://hooks.example.org:${program.port}/` })).status).toBe(486);
});

test("SS-03 the agent follows no redirect of a program", async () => {
  await using inside = await openProgram();
  program.answer = (response) => void response.writeHead(307, { location: inside.url }).end();
  expect((await ask()).status).toBe(500);
  expect(inside.questions).toEqual([]);
});

test("SS-04 silent, dripping and swollen answers of a program are cut off, and delay no other customer", async () => {
  const swollen = JSON.stringify({ action: "reject", code: 486, more: "x".repeat(20_000) });
  program.answer = (response) => void response.end(swollen);
  expect((await ask()).status).toBe(500);
  const dripping = new Set<NodeJS.Timeout>();
  program.answer = (response, { body }) => {
    if (body.includes("number-2"))
      return says({ action: "reject", code: 486 })(response, program.questions[0]!);
    dripping.add(setInterval(() => response.write(" "), 100));
  };
  void ask();
  expect((await ask({ numberId: "number-2" })).status).toBe(486);
  await restart(300);
  expect((await ask()).status).toBe(500);
  for (const timer of dripping) clearInterval(timer);
});

test("uses the fallback at once for an organisation with too many open requests, and serves others", async () => {
  const open: (() => void)[] = [];
  program.answer = (response, question) => {
    const answer = says({ action: "reject", code: 486 });
    if (question.body.includes("number-2")) answer(response, question);
    else open.push(() => answer(response, question));
  };
  const first = Array.from({ length: 50 }, () => ask());
  await vi.waitFor(() => expect(open).toHaveLength(50), PATIENCE);
  expect((await ask()).status).toBe(500);
  expect(logged.at(-1)).toContain("Too many requests of this organisation");
  expect((await ask({ numberId: "number-2" })).status).toBe(486);
  expect(open).toHaveLength(50);
  for (const answer of open) answer();
  for (const { status } of await Promise.all(first)) expect(status).toBe(486);
  program.answer = says({ action: "reject", code: 603 });
  expect((await ask()).status).toBe(603);
});

test("ends the request when the caller hangs up", async () => {
  const gone = Promise.withResolvers<void>();
  program.answer = (response) => void response.on("close", () => gone.resolve());
  const { reply, cancel } = kamailio.start({ url: program.url });
  await vi.waitFor(() => expect(program.questions).toHaveLength(1), PATIENCE);
  cancel();
  expect((await reply).status).toBe(487);
  await gone.promise;
});

test("who does not speak SIP is cut off, and the switch does not notice", async () => {
  program.answer = says({ action: "reject", code: 486 });
  using stranger = await AskingSwitch.open(port);
  stranger.write("GET / HTTP/1.1\r\n\r\n");
  await stranger.closed();
  expect((await ask()).status).toBe(486);
});
