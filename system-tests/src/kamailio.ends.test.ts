import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { openBench } from "./sip/call-bench.ts";
import { answerWith, type Manners, type Phone } from "./sip/phone.ts";
import {
  acknowledgeRefusal,
  calleeDialogOf,
  dialogOf,
  writeCancel,
  writeInDialog,
  writeInvite,
} from "./sip/sip-call.ts";
import { headerOf, parseMessage, type SipMessage } from "./sip/sip-message.ts";
import { until } from "./sip/until.ts";

/** Longer than the switch remembers a call that was rejected. */
const FORGOTTEN_MS = 7_000;
const RINGS_MS = 600;
/** At once and after 0.5, 1.5 and 3.5 seconds. */
const SAID_IN_FOUR_SECONDS = 4;

let bench: CallBench;
let callee: Phone;

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.[Symbol.asyncDispose]());
beforeEach(async () => {
  callee = await bench.phone();
  bench.caller.behave(() => [{ status: "481 Call Does Not Exist" }]);
});

const givingUp: Manners = answerWith("180 Ringing", { status: "487 Request Terminated", afterMs: RINGS_MS });
const isRinging = (status: number): boolean => status === 180;
const shown = async (callId: string, count: number): Promise<string[]> =>
  (await bench.rowsOf(callId, count)).map(({ method, code }) => `${method} ${code}`);

test("ignores a BYE of the callee before the 2xx", async () => {
  callee.behave(answerWith("180 Ringing", { status: "200 OK", afterMs: RINGS_MS }));
  const invite = writeInvite(bench.caller, await bench.numberTo(callee));
  const early = await bench.caller.ask(invite, bench.kamailio.at, isRinging);
  const asCallee = calleeDialogOf(callee.requests("INVITE")[0]!, early);
  const hasty = await callee.ask(writeInDialog(callee, asCallee, "BYE"), bench.kamailio.at);
  expect(hasty.status).toBe(481);
  const dialog = dialogOf(await bench.caller.ask(invite, bench.kamailio.at));
  await bench.caller.sendText(writeInDialog(bench.caller, dialog, "ACK"), bench.kamailio.at);
  const bye = writeInDialog(bench.caller, { ...dialog, cseq: 2 }, "BYE");
  expect((await bench.caller.ask(bye, bench.kamailio.at)).status).toBe(200);
  expect(await shown(dialog.callId, 2)).toEqual(["INVITE 200", "BYE 200"]);
});

test("does not repeat an acknowledged error response to a call with a Route", async () => {
  const headers: [string, string][] = [["Route", `<sip:${bench.kamailio.at.address};lr>`]];
  const { dialog } = await bench.call("+4930000000", { headers });
  await sleep(1_500);
  const refusals = bench.caller.received.filter(
    ({ message }) => message.status === 404 && headerOf(message, "Call-ID") === dialog.callId,
  );
  expect(refusals).toHaveLength(1);
});

test("repeats an error response until it is acknowledged", async () => {
  const [silent, busy, ringing] = [await bench.phone(), await bench.phone(), await bench.phone()];
  silent.behave(() => []);
  busy.behave(answerWith("486 Busy Here"));
  ringing.behave(givingUp);
  const refused = async (number: string, status: number): Promise<void> => {
    const invite = writeInvite(bench.caller, number);
    const callId = headerOf(parseMessage(invite), "Call-ID");
    await bench.caller.ask(invite, bench.kamailio.at, (one) => one === status || isRinging(one));
    if (status === 487) await bench.caller.ask(writeCancel(invite), bench.kamailio.at);
    const said = (): SipMessage[] =>
      bench.caller.received.flatMap(({ message }) =>
        message.status === status && headerOf(message, "Call-ID") === callId ? [message] : [],
      );
    await until(`${status} again and again`, () => said().length >= SAID_IN_FOUR_SECONDS);
    await bench.caller.sendText(acknowledgeRefusal(invite, said()[0]!), bench.kamailio.at);
    expect(await shown(callId, 1)).toEqual([`INVITE ${status}`]);
  };
  await Promise.all([
    refused("+4930000000", 404),
    refused(await bench.numberTo(silent), 480),
    refused(await bench.numberTo(busy), 486),
    refused(await bench.numberTo(ringing), 487),
  ]);
});

test.each(["503 Service Unavailable", "302 Moved", "486 Busy Here"])(
  "replies 487 to a caller who hangs up while it rings, although the callee sends %s",
  async (status) => {
    callee.behave(answerWith("180 Ringing", { status, afterMs: RINGS_MS }));
    const invite = writeInvite(bench.caller, await bench.numberTo(callee));
    await bench.caller.ask(invite, bench.kamailio.at, isRinging);
    expect((await bench.caller.ask(writeCancel(invite), bench.kamailio.at)).status).toBe(200);
    const final = await bench.caller.ask(invite, bench.kamailio.at);
    await bench.caller.sendText(acknowledgeRefusal(invite, final), bench.kamailio.at);
    expect(final.status).toBe(487);
    expect(await shown(headerOf(final, "Call-ID"), 1)).toEqual(["INVITE 487"]);
  },
);

test("rejects a REFER of the callee", async () => {
  const call = await bench.call(await bench.numberTo(callee));
  await until("the acknowledgement", () => callee.requests("ACK").length === 1);
  const asCallee = calleeDialogOf(callee.requests("INVITE")[0]!, call.final);
  const refer = writeInDialog(callee, asCallee, "REFER");
  expect((await callee.ask(refer, bench.kamailio.at)).status).toBe(403);
  expect(bench.caller.requests("REFER")).toEqual([]);
  expect(await call.ask("REFER")).toBe(200);
  expect(await call.bye()).toBe(200);
});

test("a URI that asks for TLS is not called without it", async () => {
  const { address, port } = callee.transport;
  for (const uri of [`sips:a@${address}:${port}`, `sips:a@${address}:${port};transport=tcp`]) {
    const call = await bench.call(await bench.number({ mode: "u", argument: uri }));
    expect(call.status).toBe(480);
  }
  expect(callee.received).toEqual([]);
});

test("replies to OPTIONS with the last hop", async () => {
  const options = writeInvite(bench.caller, "x", { maxForwards: 0 }).replaceAll("INVITE", "OPTIONS");
  expect(parseMessage(options).method).toBe("OPTIONS");
  expect((await bench.caller.ask(options, bench.kamailio.at)).status).toBe(200);
  await bench.kamailio.mark({ draining: "1" });
  const again = writeInvite(bench.caller, "x", { maxForwards: 0 }).replaceAll("INVITE", "OPTIONS");
  expect((await bench.caller.ask(again, bench.kamailio.at)).status).toBe(503);
  await bench.kamailio.mark({ draining: "0" });
});

// Last, because a call that began in the second in which the switch did could be one from before.
test("a call that its carrier rings at two numbers is two here, and the one that is answered has an end", async () => {
  const other = await bench.phone();
  other.behave(givingUp);
  const [rung, answered] = [await bench.numberTo(other), await bench.numberTo(callee)];
  const invite = writeInvite(bench.caller, rung);
  const fork = invite.replaceAll(rung, answered).replace(/branch=z9hG4bK/, "branch=z9hG4bKfork");
  await bench.caller.ask(invite, bench.kamailio.at, isRinging);
  const final = await bench.caller.ask(fork, bench.kamailio.at);
  expect(final.status).toBe(200);
  const dialog = dialogOf(final);
  await bench.caller.sendText(writeInDialog(bench.caller, dialog, "ACK"), bench.kamailio.at);
  await bench.caller.ask(writeCancel(invite), bench.kamailio.at);
  await until("the other's end", () => other.requests("CANCEL").length === 1);
  await sleep(FORGOTTEN_MS);
  const bye = writeInDialog(bench.caller, { ...dialog, cseq: 2 }, "BYE");
  expect((await bench.caller.ask(bye, bench.kamailio.at)).status).toBe(200);

  const rows = await bench.rowsOf(dialog.callId, 2);
  const ofAnswered = rows.filter(({ number }) => number === answered);
  expect(ofAnswered.map(({ method, code }) => `${method} ${code}`)).toEqual(["INVITE 200", "BYE 200"]);
  expect(new Set(ofAnswered.map(({ record }) => record)).size).toBe(1);
});
