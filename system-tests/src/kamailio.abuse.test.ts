import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { openBench } from "./sip/call-bench.ts";
import type { Phone } from "./sip/phone.ts";
import { openPhone } from "./sip/phone.ts";
import { withResolver } from "./sip/kamailio-process.ts";
import { newAddress } from "./sip/loopback.ts";
import { openSilentNames, type SilentNames } from "./sip/silent-names.ts";
import { placeCall, writeInvite } from "./sip/sip-call.ts";
import { until } from "./sip/until.ts";

let bench: CallBench;
let names: SilentNames;

beforeAll(async () => {
  names = await openSilentNames();
  bench = await openBench({}, names.resolvConf);
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await names?.[Symbol.asyncDispose]();
});

const writeOptions = (phone: Phone): string => writeInvite(phone, "x").replaceAll("INVITE", "OPTIONS");

test("rejects a call with too many hops, with a record", async () => {
  const callee = await bench.phone();
  const call = await bench.call(await bench.numberTo(callee), { maxForwards: 0 });
  expect(call.status).toBe(483);
  expect(callee.received).toEqual([]);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ code: "483", kind: "too_many_hops" }]);
  const spent = writeOptions(bench.caller).replace("Max-Forwards: 70", "Max-Forwards: 0");
  expect((await bench.caller.ask(spent.replaceAll("OPTIONS", "MESSAGE"), bench.kamailio.at)).status).toBe(
    483,
  );
  const stranger = await bench.phone();
  expect((await placeCall(stranger, bench.kamailio.at, "+4930901820", { maxForwards: 0 })).status).toBe(403);
});

test("rejects an unsupported method", async () => {
  for (const method of ["REGISTER", "SUBSCRIBE", "MESSAGE", "PUBLISH", "REFER"]) {
    const text = writeInvite(bench.caller, "+4930901820").replaceAll("INVITE", method);
    expect((await bench.caller.ask(text, bench.kamailio.at)).status, method).toBe(405);
  }
});

test("treats SQL in a number as an invalid number", async () => {
  await bench.kamailio.mark({ synced: "0" });
  const call = await bench.call("+4930'%20or%20'1'='1");
  expect(call.status).toBe(404);
  await bench.kamailio.mark({ synced: "1" });
});

test("columns of a record cannot be forged by what a caller or a callee writes", async () => {
  const callee = await bench.phone();
  callee.behave((request) =>
    request.method === "INVITE" ? [{ status: "486 Busy|x|y|\tz" }] : [{ status: "200 OK" }],
  );
  const callId = "a|b|c%7Cd";
  const call = await bench.call(await bench.numberTo(callee), { callId });
  expect(call.status).toBe(486);
  // Reading fails for a row with more or fewer columns than there are.
  const row = await until("the row", () =>
    bench.kamailio.rows().find(({ callId: id }) => id.startsWith("a%7C")),
  );
  expect(row).toMatchObject({ code: "486", trunk: "carrier" });
  const stranger = await bench.phone();
  for (const phone of [bench.caller, stranger]) {
    const invite = writeInvite(phone, "+4930901820");
    const folded = [
      invite.replace("Call-ID: ", "Call-ID: x\r\n y"),
      invite.replace("sip:+15550009999", "sip:x\r\n y").replace(/;branch=\w+/, ";branch=z9hG4bKfolded"),
    ];
    for (const text of folded) expect((await phone.ask(text, bench.kamailio.at)).status).toBe(400);
  }
});

test("a flood from a stranger is answered for a while and then ignored, and trunks do not notice", async () => {
  const callee = await bench.phone();
  const number = await bench.numberTo(callee);
  const stranger = await bench.phone();
  for (let sent = 0; sent < 1000; sent += 1) {
    await stranger.sendText(writeOptions(stranger), bench.kamailio.at);
    // Slow enough for none to be lost before it is read.
    if (sent % 20 === 19) expect((await bench.call("x")).status).toBe(404);
  }
  const call = await bench.call(number);
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);
  expect(stranger.received.length).toBeGreaterThan(50);
  expect(stranger.received.length).toBeLessThan(500);
});

test("rejects calls to a host with a dead name server at once, without delaying others", async () => {
  const argument = "sip:x@never-answers.invalid:5060";
  const quick = await bench.numberTo(await bench.phone());
  // Known by name alone, and one that the agent should have said an address of, and has not.
  const numbers = [
    await bench.number({ mode: "u", argument, host: "never-answers.invalid:5060;udp" }),
    await bench.number({ mode: "u", argument }),
  ];
  const started = performance.now();
  const refused = Promise.all([...numbers, ...numbers].map((number) => bench.call(number)));
  for (let calls = 0; calls < 10; calls += 1) {
    const call = await bench.call(quick);
    expect(call.status).toBe(200);
    await call.bye();
  }
  expect((await refused).map(({ status }) => status)).toEqual([480, 480, 480, 480]);
  expect(performance.now() - started).toBeLessThan(2000);
});

test("continues calls whose callees have a name as Contact, without delaying others", async () => {
  const contact = "sip:x@never-answers.invalid:5060";
  const [one, other, quick] = [
    await openPhone(newAddress(), { contact }),
    await openPhone(newAddress(), { contact }),
    await bench.phone(),
  ];
  const numbers = [await bench.numberTo(one), await bench.numberTo(other), await bench.numberTo(quick)];
  const slow = [await bench.call(numbers[0]!), await bench.call(numbers[1]!)];
  expect(slow.map(({ dialog }) => dialog.target)).toEqual([contact, contact]);
  const started = performance.now();
  const asking = Promise.all(slow.map((call) => call.ask("INFO")));
  for (let calls = 0; calls < 10; calls += 1) {
    const call = await bench.call(numbers[2]!);
    expect(call.status).toBe(200);
    await call.bye();
  }
  expect(await asking).toEqual([200, 200]);
  expect(await Promise.all(slow.map((call) => call.bye()))).toEqual([200, 200]);
  expect(performance.now() - started).toBeLessThan(2000);
  expect([one.requests("ACK").length, other.requests("ACK").length]).toEqual([1, 1]);
  await Promise.all([one.close(), other.close()]);
});

test("sent no query to the dead name server, which look-ups on this machine would use", async () => {
  expect(names.questions()).toBe(0);
  const [program, ...args] = withResolver(names.resolvConf, ["getent", "ahosts", "never-answers.invalid"]);
  const asking = spawn(program, args);
  await until("a question", () => names.questions() > 0);
  asking.kill("SIGKILL");
});

test("everything that is relayed has an address set as its next hop", () => {
  const file = new URL("../../kamailio/kamailio.cfg", import.meta.url);
  const blocks = readFileSync(file, "utf8").split(/^(?=(?:\w+_)?route(?:\[|\s))/m);
  const relaying = blocks.filter((block) => /\bt_relay|\bt_uac|forward\(/.test(block));
  expect(relaying.map((block) => /^\w+(?:\[\w+\])?/.exec(block)![0])).toEqual([
    // A CANCEL goes where its INVITE went.
    "request_route",
    "route[ASK_WEBHOOK]",
    "route[RELAY]",
    "route[PROBE]",
    "route[TOO_LATE]",
    "route[IN_DIALOG]",
    "route[TOO_LONG]",
  ]);
  expect(relaying[1]).toMatch(/\$du = "sip:127\.0\.0\.1:WEBHOOK_PORT[\s\S]*t_relay/);
  expect(relaying[2]).toMatch(
    /if \(!is_ip\("\$\(var\(leg\)\{s\.select,0,~\}\)"\)\) \{[\s\S]*REFUSE_480[\s\S]*\$du = \$_s\(sip:\$\(var\(leg\)[\s\S]*t_relay/,
  );
  // Also a CANCEL.
  expect(relaying[3]).toMatch(/is_method\("CANCEL"\)\) \{\s+if \(t_check_trans\(\)\) t_relay\(\);/);
  expect(relaying[3]!.match(/t_relay|t_uac/g)).toHaveLength(1);
  expect(relaying[4]).toMatch(/READ_TOKEN[\s\S]*valid\) != 1[\s\S]*\$var\(to\) = \$_s\(sip:\$\(var\(legs\)/);
  expect(relaying[4]!.match(/t_uac_send\("(ACK|BYE)", "[^"]+", "\$var\(to\)"/g)).toHaveLength(2);
  expect(relaying[4]!.match(/t_uac/g)).toHaveLength(2);
  expect(relaying[5]).toMatch(
    /READ_TOKEN[\s\S]*\$var\(to\) = \$_s\(sip:\$\(var\(legs\)[\s\S]*loose_route\(\);\s+\$du = \$var\(to\);[\s\S]*t_relay/,
  );
  expect(
    relaying[6]!.match(
      /\$var\(to\) = \$_s\(sip:\$\(var\(legs\).*\n\s+t_uac_send\("BYE", "[^"]+", "\$var\(to\)"/g,
    ),
  ).toHaveLength(2);
  expect(relaying[6]!.match(/t_uac/g)).toHaveLength(2);
});
