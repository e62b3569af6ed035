import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { addressOf, openBench, uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import type { Phone, Reply } from "./sip/phone.ts";
import { answerWith } from "./sip/phone.ts";
import { headerOf, headersOf } from "./sip/sip-message.ts";
import { until } from "./sip/until.ts";

const gatewayAddress = newAddress();
let bench: CallBench;
let agent: Phone;
let callee: Phone;
let beating: NodeJS.Timeout;

beforeAll(async () => {
  bench = await openBench((caller) => ({
    trunks: [
      { name: "carrier", direction: "in", sources: [caller], transport: "udp" },
      { name: "gate", direction: "out", transport: "udp", gateway: { host: gatewayAddress, port: 5080 } },
    ],
    forward: { gateway: "gate", prefixes: ["+44"] },
  }));
  agent = await bench.phone({ kind: "tcp", port: bench.kamailio.webhookPort }, "127.0.0.1");
  callee = await bench.phone();
  startBeating();
  await bench.kamailio.control("P", "", []);
});
afterAll(async () => {
  clearInterval(beating);
  await bench?.[Symbol.asyncDispose]();
});

/** The agent's sign of life on the control line. */
function startBeating(): void {
  beating = setInterval(() => void bench.kamailio.control("P", "", []), 500);
}

const fallback = (): string => `u|${uriOf(callee, "fallback")}|`;
const asked = (more = ""): Promise<string> =>
  bench.number({ mode: "w", argument: "https://hooks.invalid/call%7C1", fallback: more || "n||" });
const dial = (to: Phone): Reply => ({
  status: "302 Moved",
  headers: [
    ["X-Dialplane-Verb", "dial"],
    ["X-Dialplane-To", "sip:chosen@pbx.invalid"],
    ["X-Dialplane-Addresses", addressOf(to)],
  ],
});

test("sends the call to the agent and follows its reply, with one record", async () => {
  agent.behave(answerWith(dial(callee)));
  const number = await asked();
  const call = await bench.call(number);
  expect(call.status).toBe(200);
  const question = agent.requests("INVITE").at(-1)!;
  expect(headerOf(question, "X-Dialplane-Number")).toBe(number);
  expect(headerOf(question, "X-Dialplane-Url")).toBe("https://hooks.invalid/call%7C1");
  expect(headerOf(question, "X-Dialplane-Generation")).toBe("7");
  expect(headerOf(question, "X-Dialplane-Number-Id")).toMatch(/^id-/);
  const invite = callee.requests("INVITE").at(-1)!;
  expect(invite.startLine).toBe("INVITE sip:chosen@pbx.invalid SIP/2.0");
  expect(invite.headers.filter(([name]) => name.startsWith("X-Dialplane"))).toEqual([
    ["X-Dialplane-Record", headerOf(question, "X-Dialplane-Record")],
  ]);
  expect(await call.bye()).toBe(200);
  const rows = await bench.rowsOf(call.dialog.callId, 2);
  expect(rows).toMatchObject([
    { method: "INVITE", code: "200", mode: "w", target: "sip:chosen@pbx.invalid" },
    { method: "BYE", code: "200" },
  ]);
  expect(rows[0]!.record).toBe(headerOf(question, "X-Dialplane-Record"));
});

test("the caller's own headers of that name do not reach the agent", async () => {
  agent.behave(answerWith("486 Busy Here"));
  await bench.call(await asked(), { headers: [["X-Dialplane-Number", "+1555"]] });
  expect(headersOf(agent.requests("INVITE").at(-1)!, "X-Dialplane-Number")).toHaveLength(1);
});

test("rejects with the code of the agent", async () => {
  for (const status of ["486 Busy Here", "603 Decline", "404 Not Found"]) {
    agent.behave(answerWith(status));
    const call = await bench.call(await asked(fallback()));
    expect(call.status).toBe(Number(status.slice(0, 3)));
    expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ kind: "webhook_refused" }]);
  }
});

test("the agent can have a call forwarded, within the operator's rules", async () => {
  const gateway = await bench.phone({ port: 5080 }, gatewayAddress);
  const forward = (to: string): Reply => ({
    status: "302 Moved",
    headers: [
      ["X-Dialplane-Verb", "forward"],
      ["X-Dialplane-To", to],
    ],
  });
  agent.behave(answerWith(forward("+442079460000")));
  const call = await bench.call(await asked());
  expect(call.status).toBe(200);
  expect(gateway.requests("INVITE")[0]!.startLine).toContain("sip:+442079460000@");
  await call.bye();
  agent.behave(answerWith(forward("+8821234567")));
  expect((await bench.call(await asked())).status).toBe(403);
});

test("replies 480, not the agent's 302, if the chosen target is down", async () => {
  const dead = await bench.phone();
  await dead.close();
  agent.behave(answerWith(dial(dead)));
  expect((await bench.call(await asked())).status).toBe(480);
});

test("returns the response of the target that the agent chose", async () => {
  const busy = await bench.phone();
  busy.behave(answerWith("486 Busy Here"));
  agent.behave(answerWith(dial(busy)));
  const call = await bench.call(await asked(fallback()));
  expect(call.status).toBe(486);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ code: "486", kind: "" }]);
});

test.for([
  ["says 500", () => agent.behave(answerWith("500 Broken")), 1000],
  ["is silent", () => agent.behave(() => []), 4000],
] as const)("a call goes to the fallback when the agent %s", async ([, misbehave, withinMs]) => {
  misbehave();
  const started = performance.now();
  const call = await bench.call(await asked(fallback()));
  expect(call.status).toBe(200);
  expect(performance.now() - started).toBeLessThan(withinMs);
  expect(callee.requests("INVITE").at(-1)!.startLine).toBe(`INVITE ${uriOf(callee, "fallback")} SIP/2.0`);
  expect(await call.bye()).toBe(200);
  expect(await bench.rowsOf(call.dialog.callId, 2)).toMatchObject([{ code: "200", mode: "w" }, {}]);
});

test("without the agent a call goes to the fallback at once", async () => {
  clearInterval(beating);
  agent.behave(() => []);
  const number = await asked(fallback());
  await until("the agent to be missed", async () => {
    const started = performance.now();
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    await call.bye();
    return performance.now() - started < 500;
  });
  expect((await bench.call(await asked())).status).toBe(480);
  startBeating();
});

test("an agent that is gone, but was there a moment ago, costs no call", async () => {
  await agent.close();
  await bench.kamailio.control("P", "", []);
  const call = await bench.call(await asked(fallback()));
  expect(call.status).toBe(200);
});
