import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { addressOf, openBench, uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { answerWith, type Manners, type Phone } from "./sip/phone.ts";
import { headerOf, headersOf } from "./sip/sip-message.ts";

/**
 * A webhook's decision applies to all later attempts: another address, the fallback, the gateway's password.
 */
const gatewayAddress = newAddress();
let bench: CallBench;
let agent: Phone;
let callee: Phone;
let beating: NodeJS.Timeout;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dialplane-tries-"));
  writeFileSync(join(folder, "password"), "secret\n");
  const gateway = {
    host: gatewayAddress,
    port: 5080,
    username: "bob",
    password_file: join(folder, "password"),
  };
  bench = await openBench((caller) => ({
    trunks: [
      { name: "carrier", direction: "in", sources: [caller], transport: "udp" },
      { name: "gate", direction: "out", transport: "udp", gateway },
    ],
    forward: { gateway: "gate", prefixes: ["+44"] },
  }));
  agent = await bench.phone({ kind: "tcp", port: bench.kamailio.webhookPort }, "127.0.0.1");
  callee = await bench.phone();
  beating = setInterval(() => void bench.kamailio.control("P", "", []), 500);
  await bench.kamailio.control("P", "", []);
});
afterAll(async () => {
  clearInterval(beating);
  await bench?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const asked = (fallback = "n||"): Promise<string> =>
  bench.number({ mode: "w", argument: "https://hooks.invalid/call", fallback });
async function deadPhone(): Promise<Phone> {
  const dead = await bench.phone();
  await dead.close();
  return dead;
}

test("the second address of a name is called as the program said", async () => {
  const addresses = [await deadPhone(), callee].map(addressOf).join(",");
  const headers: [string, string][] = [
    ["X-Dialplane-Verb", "dial"],
    ["X-Dialplane-To", "sip:chosen@pbx.invalid"],
    ["X-Dialplane-Addresses", addresses],
  ];
  agent.behave(answerWith({ status: "302 Moved", headers }));
  const call = await bench.call(await asked());
  expect(call.status).toBe(200);
  expect(callee.requests("INVITE").at(-1)!.startLine).toBe("INVITE sip:chosen@pbx.invalid SIP/2.0");
  expect(await call.bye()).toBe(200);
});

test("so is the second address of the fallback", async () => {
  await bench.kamailio.set("host", {
    "pbx.example": [await deadPhone(), callee].map(addressOf).join(","),
  });
  agent.behave(answerWith("500 Broken"));
  const call = await bench.call(await asked("u|sip:reserve@pbx.example|pbx.example"));
  expect(call.status).toBe(200);
  expect(callee.requests("INVITE").at(-1)!.startLine).toBe("INVITE sip:reserve@pbx.example SIP/2.0");
  expect(await call.bye()).toBe(200);
});

test("a call that a program forwards says so to a gateway that wants a password, both times", async () => {
  const gateway = await bench.phone({ port: 5080 }, gatewayAddress);
  const guarded: Manners = (request) => {
    if (request.method !== "INVITE" || headerOf(request, "Proxy-Authorization") !== "")
      return [{ status: "200 OK" }];
    return [{ status: "407 Password", headers: [["Proxy-Authenticate", 'Digest realm="g", nonce="n"']] }];
  };
  gateway.behave(guarded);
  const headers: [string, string][] = [
    ["X-Dialplane-Verb", "forward"],
    ["X-Dialplane-To", "+442079460000"],
  ];
  agent.behave(answerWith({ status: "302 Moved", headers }));
  const number = await asked();
  const call = await bench.call(number, { headers: [["Diversion", "<sip:+1555@elsewhere.invalid>"]] });
  expect(call.status).toBe(200);
  const tries = gateway.requests("INVITE");
  expect(tries).toHaveLength(2);
  for (const invite of tries) {
    expect(headersOf(invite, "X-Dialplane-Forwarded")).toEqual(["dialplane"]);
    expect(headersOf(invite, "Diversion")).toEqual([
      `<sip:${number}@${bench.kamailio.at.address}>;reason=unconditional`,
      "<sip:+1555@elsewhere.invalid>",
    ]);
  }
  expect(await call.bye()).toBe(200);
});

test("where the agent cannot be reached the fallback rings as long as any call", async () => {
  await agent.close();
  callee.behave(answerWith("180 Ringing", { status: "200 OK", afterMs: 4_000 }));
  const call = await bench.call(await asked(`u|${uriOf(callee, "fallback")}|`));
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);
});
