import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { addressOf, openBench, uriOf } from "./sip/call-bench.ts";
import { answerWith } from "./sip/phone.ts";
import { calleeDialogOf, writeCancel, writeInDialog, writeInvite } from "./sip/sip-call.ts";
import { headerOf, headersOf, parseMessage, writeReply } from "./sip/sip-message.ts";

let bench: CallBench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.[Symbol.asyncDispose]());

test("a call goes to the number's URI and leaves one row when answered and one when ended, under one id", async () => {
  const callee = await bench.phone();
  const number = await bench.numberTo(callee);
  const call = await bench.call(number);
  expect(call.status).toBe(200);
  expect(callee.requests("INVITE")[0]!.startLine).toBe(`INVITE ${uriOf(callee)} SIP/2.0`);
  expect(await call.bye()).toBe(200);
  const rows = await bench.rowsOf(call.dialog.callId, 2);
  expect(rows).toMatchObject([
    { method: "INVITE", code: "200", number, mode: "u", generation: "7", trunk: "carrier", kind: "" },
    { method: "BYE", code: "200", number, mode: "u", generation: "7", trunk: "carrier", kind: "" },
  ]);
  expect(rows[0]).toMatchObject({ caller: "+15550009999", target: uriOf(callee) });
  expect(rows[1]).toMatchObject({ record: rows[0]!.record, numberId: rows[0]!.numberId });
  expect(Number(rows[1]!.us)).toBeGreaterThan(Number(rows[0]!.us));
  expect(rows[0]!.record).toMatch(/^[0-9a-f]{32}$/);
});

test("a callee can end a call too", async () => {
  const callee = await bench.phone();
  const call = await bench.call(await bench.numberTo(callee));
  const invite = callee.requests("INVITE")[0]!;
  const dialog = calleeDialogOf(invite, call.final);
  const answer = await callee.ask(writeInDialog(callee, dialog, "BYE"), bench.kamailio.at);
  expect(answer.status).toBe(200);
  expect(bench.caller.requests("BYE").some((bye) => headerOf(bye, "Call-ID") === dialog.callId)).toBe(true);
  expect(await bench.rowsOf(dialog.callId, 2)).toMatchObject([{ method: "INVITE" }, { method: "BYE" }]);
});

test("accepts a callee that takes three seconds to reply to the BYE", async () => {
  const callee = await bench.phone();
  const call = await bench.call(await bench.numberTo(callee));
  callee.behave(() => [{ status: "200 OK", afterMs: 3_000 }]);
  expect(await call.bye()).toBe(200);
});

test("replies 480 for an unrouted number, with the reason in its row", async () => {
  const call = await bench.call(await bench.number({ mode: "n" }));
  expect(call.status).toBe(480);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([
    { code: "480", kind: "unrouted", mode: "n" },
  ]);
});

test("a call that is given up while it rings leaves one row", async () => {
  const callee = await bench.phone();
  callee.behave((request) =>
    request.method === "INVITE" ? [{ status: "180 Ringing" }] : [{ status: "200 OK" }],
  );
  const number = await bench.numberTo(callee);
  const invite = writeInvite(bench.caller, number);
  await bench.caller.ask(invite, bench.kamailio.at, (status) => status === 180);
  const cancelled = await bench.caller.ask(writeCancel(invite), bench.kamailio.at);
  expect(cancelled.status).toBe(200);
  expect(callee.requests("CANCEL")).toHaveLength(1);
  const rung = callee.requests("INVITE")[0]!;
  const via = callee.received.find(({ message }) => message === rung)!.from;
  await callee.sendText(writeReply(rung, "487 Request Terminated", [], "x"), via);
  const callId = headerOf(parseMessage(invite), "Call-ID");
  expect(await bench.rowsOf(callId, 1)).toMatchObject([{ method: "INVITE", code: "487", number }]);
});

test("a URI with a name is called at the addresses in the table, the next where one is dead", async () => {
  const [dead, alive] = [await bench.phone(), await bench.phone()];
  await dead.close();
  await bench.kamailio.set("host", { "pbx.invalid:5060;udp": `${addressOf(dead)},${addressOf(alive)}` });
  const argument = "sip:alice@pbx.invalid";
  const call = await bench.call(await bench.number({ mode: "u", argument, host: "pbx.invalid:5060;udp" }));
  expect(call.status).toBe(200);
  expect(alive.requests("INVITE")[0]!.startLine).toBe(`INVITE ${argument} SIP/2.0`);
  expect(await call.bye()).toBe(200);
  expect(await bench.rowsOf(call.dialog.callId, 2)).toMatchObject([{ method: "INVITE" }, { method: "BYE" }]);
});

test("tries the next address, or replies 480, if a target rejects the connection", async () => {
  const [dead, alive] = [await bench.phone({ kind: "tcp" }), await bench.phone({ kind: "tcp" })];
  await dead.close();
  const refused = await bench.call(await bench.numberTo(dead));
  expect(refused.status).toBe(480);
  expect(await bench.rowsOf(refused.dialog.callId, 1)).toMatchObject([{ method: "INVITE", code: "480" }]);
  const host = "refusing.invalid:5060;tcp";
  await bench.kamailio.set("host", { [host]: `${addressOf(dead)},${addressOf(alive)}` });
  const argument = "sip:alice@refusing.invalid;transport=tcp";
  const call = await bench.call(await bench.number({ mode: "u", argument, host }));
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);
});

test("rejects a name without an address at once, without a look-up", async () => {
  const number = await bench.number({
    mode: "u",
    argument: "sip:a@missing.invalid",
    host: "missing.invalid:5060;udp",
  });
  await bench.kamailio.set("host", { "nothing.invalid:5060;udp": "" });
  const started = performance.now();
  const call = await bench.call(number);
  expect(call.status).toBe(480);
  expect(performance.now() - started).toBeLessThan(500);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ kind: "no_address" }]);
  // A row that should have named the host and does not.
  const unsaid = await bench.call(await bench.number({ mode: "u", argument: "sip:a@missing.invalid" }));
  expect(unsaid.status).toBe(480);
});

test("follows no redirect of a target", async () => {
  const callee = await bench.phone();
  callee.behave(answerWith({ status: "302 Moved", headers: [["Contact", "<sip:elsewhere@192.0.2.1>"]] }));
  const call = await bench.call(await bench.numberTo(callee));
  expect(call.status).toBe(480);
  expect(headersOf(call.final, "Contact")).toEqual([]);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ code: "480", kind: "redirected" }]);
});

test("returns an error of the target to the caller, except those that would blame the switch", async () => {
  const callee = await bench.phone();
  const number = await bench.numberTo(callee);
  const answers: [string, number][] = [
    ["486 Busy Here", 486],
    ["603 Decline", 603],
    ["404 Not Found", 404],
    ["503 Service Unavailable", 480],
    ["500 Broken", 480],
    ["407 Proxy Authentication Required", 480],
  ];
  for (const [given, expected] of answers) {
    callee.behave(answerWith(given));
    expect((await bench.call(number)).status, given).toBe(expected);
  }
});

test("replies 480 after two seconds without a reply of the target", async () => {
  const callee = await bench.phone();
  callee.behave(() => []);
  const call = await bench.call(await bench.numberTo(callee));
  expect(call.status).toBe(480);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ code: "480", kind: "no_answer" }]);
});

test("a retransmitted INVITE is the same call", async () => {
  const callee = await bench.phone();
  const call = await bench.call(await bench.numberTo(callee));
  for (let times = 0; times < 3; times += 1) await bench.caller.sendText(call.invite, bench.kamailio.at);
  expect(await call.bye()).toBe(200);
  await bench.rowsOf(call.dialog.callId, 2);
  expect(callee.requests("INVITE")).toHaveLength(1);
});

test("calls by TCP go both ways", async () => {
  const callee = await bench.phone({ kind: "tcp" });
  const call = await bench.call(await bench.numberTo(callee));
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);
  expect(callee.requests("BYE")).toHaveLength(1);
});
