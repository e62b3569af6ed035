import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { openBench, uriOf } from "./sip/call-bench.ts";
import { answerWith, type Phone } from "./sip/phone.ts";
import type { Call } from "./sip/sip-call.ts";
import { calleeDialogOf, dialogOf, writeInDialog, writeInvite } from "./sip/sip-call.ts";
import { headerOf, headersOf, writeMessage, writeReply } from "./sip/sip-message.ts";
import { until } from "./sip/until.ts";

let bench: CallBench;
let callee: Phone;
let stranger: Phone;
/** Must never receive a message. */
let victim: Phone;
let call: Call;

beforeAll(async () => {
  bench = await openBench();
  stranger = await bench.phone();
  victim = await bench.phone();
});
afterAll(() => bench?.[Symbol.asyncDispose]());
beforeEach(async () => {
  callee = await bench.phone();
  call = await bench.call(await bench.numberTo(callee));
  expect(call.status).toBe(200);
  await until("the acknowledgement", () => callee.requests("ACK").length === 1);
});

/** Once this has been answered, everything sent before it has been dealt with. */
async function settle(): Promise<void> {
  for (let times = 0; times < 4; times += 1)
    await bench.caller.ask(writeInvite(bench.caller, "x").replaceAll("INVITE", "OPTIONS"), bench.kamailio.at);
}

async function expectNobodyHeard(seenByCallee: number): Promise<void> {
  await settle();
  expect(victim.received).toEqual([]);
  expect(callee.received).toHaveLength(seenByCallee);
}

test("contains only data of the record, and differs for every branch", () => {
  const [route] = headersOf(callee.requests("INVITE")[0]!, "Record-Route");
  expect(route).toContain(`~${callee.transport.address}~${callee.transport.port}~udp~!`);
});

test("its first part is an HMAC of Call-ID and all the rest, under the key of the switch", () => {
  const [, mac = "", token = ""] = /;tk=([0-9a-f]+)!([^;>]*)/.exec(call.dialog.routes[0]!)!;
  const secret = Buffer.from(readFileSync(join(bench.kamailio.folder, "key"), "utf8").trim(), "hex");
  const key = createHmac("sha512", secret)
    .update("edge-1")
    .digest()
    .map((byte) => byte | 0x80);
  const text = `${call.dialog.callId.length}|${call.dialog.callId}|${token}`;
  expect(mac).toBe(createHmac("sha256", key).update(text).digest("hex").slice(0, 32));
});

test("rejects a stranger who replays it, for any request, and keeps the call active", async () => {
  const seen = callee.received.length;
  const ongoing = await bench.kamailio.rpc("dlg.stats_active");
  expect(ongoing).toMatchObject({ ongoing: expect.toSatisfy((calls) => calls > 0) });
  for (const target of [call.dialog.target, uriOf(victim)])
    for (const method of ["BYE", "INVITE", "INFO", "REFER"]) {
      const text = writeInDialog(stranger, call.dialog, method, { target });
      expect((await stranger.ask(text, bench.kamailio.at)).status, method).toBe(403);
    }
  await expectNobodyHeard(seen);
  expect(await bench.kamailio.rpc("dlg.stats_active")).toEqual(ongoing);
});

test("a stranger's ACK is dropped without a word", async () => {
  const seen = callee.received.length;
  await stranger.sendText(writeInDialog(stranger, call.dialog, "ACK"), bench.kamailio.at);
  await expectNobodyHeard(seen);
  expect(stranger.received.filter(({ message }) => headerOf(message, "CSeq") === "1 ACK")).toEqual([]);
});

test("rejects a stranger who replays it after hang-up with another Request-URI", async () => {
  expect(await call.bye()).toBe(200);
  const seen = callee.received.length;
  const text = writeInDialog(stranger, call.dialog, "INVITE", { target: uriOf(victim) });
  expect((await stranger.ask(text, bench.kamailio.at)).status).toBe(403);
  await expectNobodyHeard(seen);
});

test("sends requests of a leg only to the other leg, regardless of Request-URI and Route", async () => {
  const routes = [...call.dialog.routes, `<${uriOf(victim)};lr>`];
  const text = writeInDialog(bench.caller, call.dialog, "INFO", { target: uriOf(victim), routes });
  expect((await bench.caller.ask(text, bench.kamailio.at)).status).toBe(200);
  expect(callee.requests("INFO")).toHaveLength(1);
  const answered = calleeDialogOf(callee.requests("INVITE")[0]!, call.final);
  const back = writeInDialog(callee, answered, "INFO", { target: uriOf(victim) });
  expect((await callee.ask(back, bench.kamailio.at)).status).toBe(200);
  expect(bench.caller.requests("INFO").at(-1)!.startLine).toContain(uriOf(victim));
  expect(victim.received).toEqual([]);
});

test("rejects a leg that puts another Route before the token's", async () => {
  const routes = [`<${uriOf(victim)};lr>`, ...call.dialog.routes];
  const text = writeInDialog(bench.caller, call.dialog, "INFO", { routes });
  expect((await bench.caller.ask(text, bench.kamailio.at)).status).toBe(481);
  expect(victim.received).toEqual([]);
});

test("nor one that names another place before the token's within one Route", async () => {
  const routes = [[`<${uriOf(victim)};lr>`, ...call.dialog.routes].join(", ")];
  for (const method of ["INFO", "BYE"]) {
    const text = writeInDialog(bench.caller, call.dialog, method, { routes });
    expect((await bench.caller.ask(text, bench.kamailio.at)).status, method).toBe(481);
  }
  expect(victim.received).toEqual([]);
});

test("rejects any token of an unknown call", async () => {
  const [route = ""] = call.dialog.routes;
  const seen = callee.received.length;
  for (const token of ["0", "", "<null>", "%3Cnull%3E", "$null"]) {
    const routes = [route.replace(/tk=[^;>]+/, `tk=${token}`)];
    const text = writeInDialog(bench.caller, call.dialog, "BYE", { routes, callId: "unknown@call" });
    expect((await bench.caller.ask(text, bench.kamailio.at)).status, token).toBe(481);
  }
  await expectNobodyHeard(seen);
});

test("the other places of a Route that begins with the token's are passed on", async () => {
  const routes = [[...call.dialog.routes, `<${uriOf(victim)};lr>`].join(", ")];
  const text = writeInDialog(bench.caller, call.dialog, "INFO", { routes });
  expect((await bench.caller.ask(text, bench.kamailio.at)).status).toBe(200);
  expect(headersOf(callee.requests("INFO")[0]!, "Route")).toEqual([`<${uriOf(victim)};lr>`]);
  expect(victim.received).toEqual([]);
});

test("rejects a forged To-tag without a token, with and without Route", async () => {
  const seen = callee.received.length;
  for (const routes of [[], [`<sip:${bench.kamailio.at.address};lr>`], [`<${uriOf(victim)};lr>`]])
    for (const phone of [bench.caller, stranger]) {
      const text = writeInDialog(phone, call.dialog, "INVITE", { routes, target: uriOf(victim) });
      expect((await phone.ask(text, bench.kamailio.at)).status).toBe(481);
    }
  await expectNobodyHeard(seen);
});

test("no part of the token can be changed", async () => {
  const [route = ""] = call.dialog.routes;
  const [, token = ""] = /tk=([^;>]+)/.exec(route)!;
  const fields = token.split(/([~!])/);
  const seen = callee.received.length;
  for (const [index, field] of fields.entries()) {
    const forged = fields.with(
      index,
      field === "" ? "1" : `${field.slice(0, -1)}${field.endsWith("0") ? "1" : "0"}`,
    );
    const routes = [route.replace(token, forged.join(""))];
    const text = writeInDialog(bench.caller, call.dialog, "BYE", { routes });
    expect((await bench.caller.ask(text, bench.kamailio.at)).status, `field ${index}`).toBe(481);
    // An ACK has no response. No phone must receive it.
    await bench.caller.sendText(
      writeInDialog(bench.caller, call.dialog, "ACK", { routes }),
      bench.kamailio.at,
    );
  }
  const others = [
    writeInDialog(bench.caller, call.dialog, "BYE", { callId: "another@call" }),
    writeInDialog(bench.caller, call.dialog, "BYE", { routes: [route.replace(/~[^~;>]*([;>])/, "$1")] }),
    ...["", token.slice(0, 32), token.slice(0, 33)].map((less) =>
      writeInDialog(bench.caller, call.dialog, "BYE", { routes: [route.replace(token, less)] }),
    ),
  ];
  for (const text of others) expect((await bench.caller.ask(text, bench.kamailio.at)).status).toBe(481);
  await expectNobodyHeard(seen);
  expect(await call.bye()).toBe(200);
});

test("another call's token is none of this one's, not even for an ACK", async () => {
  const neighbour = await bench.phone();
  const { dialog } = await bench.call(await bench.numberTo(neighbour));
  await until("its acknowledgement", () => neighbour.requests("ACK").length === 1);
  const [seen, seenThere] = [callee.received.length, neighbour.received.length];
  const { routes } = dialog;
  for (const method of ["ACK", "BYE"])
    await bench.caller.sendText(
      writeInDialog(bench.caller, call.dialog, method, { routes }),
      bench.kamailio.at,
    );
  await expectNobodyHeard(seen);
  expect(neighbour.received).toHaveLength(seenThere);
});

test("a token that was given to a Call-ID with half a token in it is none of a shorter one's", async () => {
  const { address: from, port } = stranger.transport;
  const { address: to, port: toPort } = victim.transport;
  const call = `${"0".repeat(32)}~id-1~u~1~${Math.floor(Date.now() / 1000)}.0~carrier~+4930901820`;
  const forged = `${from}~${port}~udp~${to}~${toPort}~udp~!${call}`;
  const callId = `short|${forged}`;
  const own = await bench.call(await bench.numberTo(callee), { callId });
  expect(own.status).toBe(200);
  const [, mac = "", token = ""] = /;tk=([0-9a-f]+)!([^;>]*)/.exec(own.dialog.routes[0]!)!;
  const [, tag = ""] = /tag=(\w+)/.exec(own.dialog.local)!;
  const routes = [`<sip:${bench.kamailio.at.address};lr;ftag=${tag};tk=${mac}!${forged}|${token};on>`];
  for (const method of ["INFO", "BYE"]) {
    const text = writeInDialog(stranger, own.dialog, method, { callId: "short", routes });
    expect((await stranger.ask(text, bench.kamailio.at)).status, method).toBe(481);
  }
  await settle();
  expect(victim.received).toEqual([]);
});

test("a BYE whose tags are not the call's is passed on and ends nothing", async () => {
  const answered = calleeDialogOf(callee.requests("INVITE")[0]!, call.final);
  bench.caller.behave((request) =>
    request.method === "BYE" ? [{ status: "481 Call Does Not Exist" }] : [{ status: "200 OK" }],
  );
  const wrong = writeInDialog(callee, { ...answered, local: `${answered.local}x` }, "BYE");
  expect((await callee.ask(wrong, bench.kamailio.at)).status).toBe(481);
  bench.caller.behave(answerWith("200 OK"));
  expect(await call.bye()).toBe(200);
  const rows = await bench.rowsOf(call.dialog.callId, 2);
  expect(rows.map(({ method, code }) => [method, code])).toEqual([
    ["INVITE", "200"],
    ["BYE", "200"],
  ]);
});

test("a Route that a new call brings along is not followed", async () => {
  const headers: [string, string][] = [["Route", `<${uriOf(victim)};lr>`]];
  const other = await bench.call(await bench.numberTo(callee), { headers });
  expect(other.status).toBe(200);
  expect(headersOf(callee.requests("INVITE").at(-1)!, "Route")).toEqual([]);
  expect(victim.received).toEqual([]);
});

test("a reply that answers nothing is not relayed to where its Via says, with or without a token", async () => {
  const [route = ""] = call.dialog.routes;
  const { address, port } = victim.transport;
  for (const from of [stranger, callee])
    for (const routes of [[], [route]])
      await from.sendText(
        writeMessage("SIP/2.0 200 OK", [
          ["Via", `SIP/2.0/UDP ${bench.kamailio.at.address};branch=z9hG4bKx.1`],
          ["Via", `SIP/2.0/UDP ${address}:${port};branch=z9hG4bKy;received=${address};rport=${port}`],
          ...routes.map((value): [string, string] => ["Record-Route", value]),
          ["From", call.dialog.local],
          ["To", call.dialog.remote],
          ["Call-ID", call.dialog.callId],
          ["CSeq", "1 INVITE"],
        ]),
        bench.kamailio.at,
      );
  await settle();
  expect(victim.received).toEqual([]);
});

test.each([
  { what: "nobody acknowledges", isAcknowledged: false },
  { what: "was acknowledged in vain", isAcknowledged: true },
])("passes on a 2xx that $what for longer than the transaction is kept", async (one) => {
  const patient = await bench.phone();
  patient.behave(answerWith("200 OK"));
  const invite = writeInvite(bench.caller, await bench.numberTo(patient));
  const answer = await bench.caller.ask(invite, bench.kamailio.at);
  if (one.isAcknowledged) {
    const acknowledgement = writeInDialog(bench.caller, dialogOf(answer), "ACK");
    await bench.caller.sendText(acknowledgement, bench.kamailio.at);
    await until("the acknowledgement", () => patient.requests("ACK").length === 1);
  }
  await until("the end of the transaction", async () => {
    const { current } = (await bench.kamailio.rpc("tm.stats")) as { current: number };
    return current === 0;
  });
  const heard = bench.caller.received.length;
  const [, tag = ""] = headerOf(answer, "To").split(";tag=");
  const again = writeReply(patient.requests("INVITE")[0]!, "200 OK", [], tag);
  await patient.sendText(again, bench.kamailio.at);
  await until("the answer again", () =>
    bench.caller.received.slice(heard).some(({ message }) => message.startLine === "SIP/2.0 200 OK"),
  );
});

test("ignores a CANCEL of another party", async () => {
  callee.behave((request) =>
    request.method === "INVITE" ? [{ status: "180 Ringing" }] : [{ status: "200 OK" }],
  );
  const invite = writeInvite(bench.caller, await bench.numberTo(callee));
  await bench.caller.ask(invite, bench.kamailio.at, (status) => status === 180);
  const cancel = invite
    .replace(/^INVITE/, "CANCEL")
    .replace("1 INVITE", "1 CANCEL")
    .replace(/^(Via: .*):\d+;branch/m, `$1:${stranger.transport.port};branch`);
  expect((await stranger.ask(cancel, bench.kamailio.at)).status).toBe(403);
  await settle();
  expect(callee.requests("CANCEL")).toEqual([]);
});
