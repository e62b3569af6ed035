import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { openBench } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import type { Manners, Phone } from "./sip/phone.ts";
import { answerWith } from "./sip/phone.ts";
import { calleeDialogOf, writeInDialog } from "./sip/sip-call.ts";
import { headerOf, headersOf } from "./sip/sip-message.ts";

// Every character that a configuration language likes to take for its own.
const password = `pa$s"w\\o|r:d#!`;
const [gatewayAddress, otherGateway] = [newAddress(), newAddress()];
let bench: CallBench;
let gateway: Phone;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dialplane-forward-"));
  writeFileSync(join(folder, "password"), `${password}\n`);
  bench = await openBench((caller) => ({
    trunks: [
      { name: "carrier", direction: "in", sources: [caller], transport: "udp" },
      {
        name: "gate",
        direction: "out",
        sources: [gatewayAddress, otherGateway],
        transport: "udp",
        gateway: {
          host: gatewayAddress,
          port: 5080,
          username: "bob",
          password_file: join(folder, "password"),
        },
      },
    ],
    forward: { gateway: "gate", prefixes: ["+44", "+4930"], calls_per_minute: 5, calls_at_once: 2 },
  }));
  gateway = await bench.phone({ port: 5080 }, gatewayAddress);
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => gateway.behave(answerWith("200 OK")));

const forwarded = (to = "+442079460000"): Promise<string> => bench.number({ mode: "f", argument: to });

test("a forwarded call goes to the operator's gateway and says who forwarded it", async () => {
  const number = await forwarded();
  const call = await bench.call(number, { headers: [["Diversion", "<sip:+1555@elsewhere.invalid>"]] });
  expect(call.status).toBe(200);
  const invite = gateway.requests("INVITE").at(-1)!;
  expect(invite.startLine).toBe(`INVITE sip:+442079460000@${gatewayAddress}:5080 SIP/2.0`);
  expect(headersOf(invite, "Diversion")).toEqual([
    `<sip:${number}@${bench.kamailio.at.address}>;reason=unconditional`,
    "<sip:+1555@elsewhere.invalid>",
  ]);
  await call.bye();
  expect(await bench.rowsOf(call.dialog.callId, 2)).toMatchObject([
    { mode: "f", target: "+442079460000", number },
    { method: "BYE" },
  ]);
});

/** Wants a password, and knows it. */
const guarded: Manners = (request) => {
  if (request.method !== "INVITE") return [{ status: "200 OK" }];
  const given = headerOf(request, "Proxy-Authorization");
  const challenge = 'Digest realm="gate.invalid", nonce="n0nce", algorithm=MD5';
  if (given === "") return [{ status: "407 Password", headers: [["Proxy-Authenticate", challenge]] }];
  const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
  const uri = /uri="([^"]*)"/.exec(given)?.[1] ?? "";
  const expected = md5(`${md5(`bob:gate.invalid:${password}`)}:n0nce:${md5(`INVITE:${uri}`)}`);
  return [{ status: given.includes(`response="${expected}"`) ? "200 OK" : "403 Wrong Password" }];
};

test("authenticates at a gateway, without counting a second call", async () => {
  gateway.behave(guarded);
  const before = gateway.requests("INVITE").length;
  const call = await bench.call(await forwarded());
  expect(call.status).toBe(200);
  expect(gateway.requests("INVITE")).toHaveLength(before + 2);
  expect(await call.bye()).toBe(200);
  const rows = await bench.rowsOf(call.dialog.callId, 2);
  expect(rows.map(({ method, code }) => `${method} ${code}`)).toEqual(["INVITE 200", "BYE 200"]);
  expect(rows[0]!.events).not.toMatch(/\^e /);
});

test("sends two requests to a gateway that rejects the password, and replies 480", async () => {
  gateway.behave(
    answerWith({ status: "407 Password", headers: [["Proxy-Authenticate", 'Digest realm="g", nonce="n"']] }),
  );
  const before = gateway.requests("INVITE").length;
  expect((await bench.call(await forwarded())).status).toBe(480);
  expect(gateway.requests("INVITE")).toHaveLength(before + 2);
});

test("a number outside the operator's prefixes is not reached, and the record says so", async () => {
  const before = gateway.requests("INVITE").length;
  for (const to of ["+8821234567", "+4989123456", "+4", "442079460000"]) {
    const call = await bench.call(await forwarded(to));
    expect(call.status, to).toBe(403);
    expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ kind: "prefix_barred" }]);
  }
  expect(gateway.requests("INVITE")).toHaveLength(before);
});

test("a call that comes round is not sent round again", async () => {
  const number = await forwarded();
  const before = gateway.requests("INVITE").length;
  const loops: [string, string][] = [
    ["X-Dialplane-Forwarded", "dialplane"],
    ["Diversion", `"A" <sip:${number}@carrier.invalid>;reason=unconditional`],
  ];
  for (const header of loops) {
    const call = await bench.call(number, { headers: [["Diversion", "<sip:+1555@a.invalid>"], header] });
    expect(call.status, header[0]).toBe(482);
    expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ kind: "forward_loop" }]);
  }
  expect(gateway.requests("INVITE")).toHaveLength(before);
});

test("limits the forwarded calls of a number per minute", async () => {
  const number = await forwarded();
  for (let calls = 0; calls < 5; calls += 1) {
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    await call.bye();
  }
  const call = await bench.call(number);
  expect(call.status).toBe(480);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ kind: "forward_rate" }]);
  expect((await bench.call(await forwarded())).status).toBe(200);
});

test("limits the concurrent forwarded calls of a number", async () => {
  const number = await forwarded();
  const calls = [await bench.call(number), await bench.call(number)];
  const third = await bench.call(number);
  expect(third.status).toBe(486);
  expect(await bench.rowsOf(third.dialog.callId, 1)).toMatchObject([{ kind: "forwards_at_once" }]);
  for (const call of calls) await call.bye();
});

test("the gateway may end a call from another address of its trunk, a stranger may not", async () => {
  const call = await bench.call(await forwarded());
  const dialog = calleeDialogOf(gateway.requests("INVITE").at(-1)!, call.final);
  const stranger = await bench.phone();
  expect((await stranger.ask(writeInDialog(stranger, dialog, "BYE"), bench.kamailio.at)).status).toBe(403);
  const other = await bench.phone({}, otherGateway);
  expect((await other.ask(writeInDialog(other, dialog, "BYE"), bench.kamailio.at)).status).toBe(200);
});
