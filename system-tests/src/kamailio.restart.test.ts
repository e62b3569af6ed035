import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { openBench, uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { answerWith, type Phone } from "./sip/phone.ts";
import { calleeDialogOf, dialogOf, placeCall, writeInDialog, writeInvite } from "./sip/sip-call.ts";
import { headerOf, parseMessage, writeReply } from "./sip/sip-message.ts";
import { openStore } from "./sip/switch-store.ts";
import { startSwitch } from "./sip/switch-process.ts";
import { until } from "./sip/until.ts";

const number = "+4930901820";
let bench: CallBench;
let callee: Phone;

async function begin(settings: Record<string, unknown> = {}): Promise<void> {
  bench = await openBench(settings);
  callee = await bench.phone();
  using store = openStore(bench.kamailio.dataFolder);
  store.put("rt", { [number]: `u|7|0|id-1|${uriOf(callee)}||||` });
  store.mark("complete", "1");
  await bench.kamailio.set("rt", { [number]: `u|7|0|id-1|${uriOf(callee)}||||` });
}

afterEach(() => bench?.[Symbol.asyncDispose]());

async function restart(): Promise<void> {
  await bench.kamailio.kill();
  await bench.kamailio.start();
}

test("a call that rang when the switch was killed is answered after its restart, and leaves one record", async () => {
  await begin();
  callee.behave((request) =>
    request.method === "INVITE" ? [{ status: "180 Ringing" }] : [{ status: "200 OK" }],
  );
  const invite = writeInvite(bench.caller, number);
  await bench.caller.ask(invite, bench.kamailio.at, (status) => status === 180);
  const rung = callee.requests("INVITE")[0]!;
  await restart();

  const answer = writeReply(rung, "200 OK", [["Contact", `<${callee.contact}>`]], "answered");
  await callee.sendText(answer, bench.kamailio.at);
  const isAnswer = (status: number | null): boolean => status === 200;
  const { message } = await until("the answer", () =>
    bench.caller.received.find((one) => isAnswer(one.message.status)),
  );
  const dialog = dialogOf(message);
  for (let times = 0; times < 3; times += 1)
    await bench.caller.sendText(writeInDialog(bench.caller, dialog, "ACK"), bench.kamailio.at);
  await until("the acknowledgements", () => callee.requests("ACK").length === 3);
  const bye = writeInDialog(bench.caller, { ...dialog, cseq: 2 }, "BYE");
  expect((await bench.caller.ask(bye, bench.kamailio.at)).status).toBe(200);

  const rows = await bench.rowsOf(dialog.callId, 2);
  expect(rows).toMatchObject([
    {
      method: "ACK",
      code: "200",
      kind: "late_answer",
      number,
      numberId: "id-1",
      mode: "u",
      trunk: "carrier",
    },
    { method: "BYE", code: "200", number, numberId: "id-1" },
  ]);
  expect(new Set(rows.map(({ record }) => record)).size).toBe(1);
  expect(Number(rows[0]!.started)).toBeLessThan(Number(rows[0]!.us));
  expect(bench.kamailio.rows()).toHaveLength(2);
});

test("drops a late answer that is not from the callee", async () => {
  await begin();
  callee.behave((request) =>
    request.method === "INVITE" ? [{ status: "180 Ringing" }] : [{ status: "200 OK" }],
  );
  const invite = writeInvite(bench.caller, number);
  await bench.caller.ask(invite, bench.kamailio.at, (status) => status === 180);
  const rung = callee.requests("INVITE")[0]!;
  await restart();
  const stranger = await bench.phone();
  await stranger.sendText(writeReply(rung, "200 OK", [], "forged"), bench.kamailio.at);
  await callee.sendText(writeReply(rung, "200 OK", [], "answered"), bench.kamailio.at);
  await until("the answer", () => bench.caller.received.some(({ message }) => message.status === 200));
  const answers = bench.caller.received.filter(({ message }) => message.status === 200);
  expect(answers.map(({ message }) => headerOf(message, "To").split("tag=")[1])).toEqual(["answered"]);
});

test("passes on an error for a call that rang before a restart, with one record", async () => {
  await begin();
  callee.behave(answerWith("180 Ringing"));
  const invite = writeInvite(bench.caller, number);
  await bench.caller.ask(invite, bench.kamailio.at, (status) => status === 180);
  const rung = callee.requests("INVITE")[0]!;
  await restart();
  const stranger = await bench.phone();
  await stranger.sendText(writeReply(rung, "603 Decline", [], "forged"), bench.kamailio.at);
  for (let times = 0; times < 3; times += 1)
    await callee.sendText(writeReply(rung, "486 Busy Here", [], "busy"), bench.kamailio.at);
  const heard = (): number[] =>
    bench.caller.received.flatMap(({ message }) => (message.status! >= 300 ? [message.status!] : []));
  await until("the refusal, as often as it is said", () => heard().length === 3);
  expect(heard()).toEqual([486, 486, 486]);
  const rows = await bench.rowsOf(headerOf(rung, "Call-ID"), 1);
  expect(rows).toMatchObject([{ method: "INVITE", code: "486", number, numberId: "id-1" }]);
  expect(bench.kamailio.rows()).toHaveLength(1);
});

test("sends a BYE to a caller over TCP whose connection ended with the switch", async () => {
  await begin();
  const caller = await bench.phone({ kind: "tcp" }, bench.caller.transport.address);
  const call = await placeCall(caller, bench.kamailio.at, number);
  expect(call.status).toBe(200);
  await restart();
  const bye = writeInDialog(callee, calleeDialogOf(callee.requests("INVITE")[0]!, call.final), "BYE");
  expect((await callee.ask(bye, bench.kamailio.at)).status).toBe(200);
  expect(caller.requests("BYE")).toHaveLength(1);
});

test("passes on a 2xx after a restart to a caller over TCP", async () => {
  await begin();
  callee.behave(answerWith("180 Ringing"));
  const caller = await bench.phone({ kind: "tcp" }, bench.caller.transport.address);
  await caller.ask(writeInvite(caller, number), bench.kamailio.at, (status) => status === 180);
  const rung = callee.requests("INVITE")[0]!;
  await restart();
  // Connections that have the numbers of those that are gone, as the agent's would.
  await Promise.all(Array.from({ length: 8 }, () => bench.kamailio.rpc("core.uptime")));
  await callee.sendText(writeReply(rung, "200 OK", [], "answered"), bench.kamailio.at);
  await until("the answer", () => caller.received.some(({ message }) => message.status === 200));
});

test("ends active calls from before a restart in order, from either party, with both rows", async () => {
  await begin();
  const calls = [];
  for (let count = 0; count < 10; count += 1) calls.push(await bench.call(number));
  await restart();
  for (const [index, call] of calls.entries()) {
    if (index % 2 === 0) {
      expect(await call.bye()).toBe(200);
    } else {
      const invite = callee
        .requests("INVITE")
        .find((one) => headerOf(one, "Call-ID") === call.dialog.callId)!;
      const bye = writeInDialog(callee, calleeDialogOf(invite, call.final), "BYE");
      expect((await callee.ask(bye, bench.kamailio.at)).status).toBe(200);
    }
    const rows = await bench.rowsOf(call.dialog.callId, 2);
    expect(rows).toMatchObject([
      { method: "INVITE", number },
      { method: "BYE", number, numberId: "id-1" },
    ]);
    expect(rows[1]!.record).toBe(rows[0]!.record);
    expect(rows[1]!.boot).not.toBe(rows[0]!.boot);
  }
});

test("an INVITE that is repeated to the restarted switch has the record it had before", async () => {
  await begin();
  const invite = writeInvite(bench.caller, number);
  await bench.caller.ask(invite, bench.kamailio.at);
  const callId = headerOf(parseMessage(invite), "Call-ID");
  await bench.rowsOf(callId, 1);
  await restart();
  await bench.caller.sendText(invite, bench.kamailio.at);
  const rows = await bench.rowsOf(callId, 2);
  expect(rows[0]!.record).toBe(rows[1]!.record);
});

test("ends a call at its maximum duration, with a row, and rejects its token afterwards", async () => {
  await begin({ max_call_seconds: 5 });
  const call = await bench.call(number);
  // However much is said within it.
  await until("the end of the call", async () => {
    await call.ask("INFO");
    return callee.requests("BYE").length === 1;
  });
  await until("its end for the caller", () => bench.caller.requests("BYE").length === 1);
  const ended = await until("the row", () => bench.kamailio.rows().find(({ kind }) => kind === "max_length"));
  expect(ended.record).toBe((await bench.rowsOf(call.dialog.callId, 1))[0]!.record);
  await until("the token to be too old", async () => (await call.ask("INFO")) === 481);
});

test("a switch that cannot start all of it ends soon, so that it is started again", async () => {
  await using busy = createServer().listen(0, "127.0.0.1");
  await once(busy, "listening");
  const { port } = busy.address() as AddressInfo;
  // One of its processes fails. The others must not stay for a minute, alive but unresponsive.
  await expect(startSwitch([newAddress()], { control_port: port })).rejects.toThrow("Kamailio ended");
});
