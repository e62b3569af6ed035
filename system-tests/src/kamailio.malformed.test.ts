import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "./service/test-length.ts";
import type { CallBench } from "./sip/call-bench.ts";
import { openBench, uriOf } from "./sip/call-bench.ts";
import type { Phone } from "./sip/phone.ts";
import { type Call, writeInDialog, writeInvite } from "./sip/sip-call.ts";
import { headerOf, parseMessage, type SipMessage, writeMessage } from "./sip/sip-message.ts";
import { makeMutator } from "./sip/sip-mutator.ts";
import { expectUnharmed, lookBefore } from "./sip/unharmed.ts";

const MESSAGES = isLong ? 5_000 : 1_500;
const COUNT = MESSAGES.toLocaleString("en");

let bench: CallBench;
/** Named in every Route, Via and URI of an attacker. It must never receive a message. */
let victim: Phone;
/** One from a trunk's address, one from nowhere. */
let attackers: [Phone, Phone];
/** Target of a number, and the other end of an active call: it may receive its own messages. */
let callee: Phone;
let held: string;
let up: Call;

beforeAll(async () => {
  bench = await openBench();
  victim = await bench.phone();
  attackers = [await bench.phone({}, bench.caller.transport.address), await bench.phone()];
  callee = await bench.phone();
  held = await bench.numberTo(callee);
  up = await bench.call(held);
  expect(up.status).toBe(200);
  // No call of an attacker stays up, for it would take memory; and what is no INFO through and through is none.
  callee.behave((request) => {
    if (request.method === "INVITE") return [{ status: "486 Busy Here" }];
    return [{ status: headerOf(request, "CSeq").endsWith(" INFO") ? "200 OK" : "400 Bad Request" }];
  });
});
afterAll(() => bench?.[Symbol.asyncDispose]());

/** Initial messages of the fuzzer: every kind, with the victim in every address that a switch could use. */
function seeds(from: Phone): string[] {
  const there = `${victim.transport.address}:${victim.transport.port}`;
  const forged = {
    callId: "forged@call",
    local: "<sip:a@b>;tag=1",
    remote: "<sip:c@d>;tag=2",
    routes: [
      `<sip:${bench.kamailio.at.address};lr;ftag=1;tk=${"a".repeat(32)}!${there}~udp~${there}~udp~!a~b~u~1~1~x~+1>`,
    ],
    target: uriOf(victim),
    cseq: 1,
  };
  const headers: [string, string][] = [
    ["Route", `<sip:${there};lr>`],
    ["P-Asserted-Identity", `<sip:a@${there}>`],
    ["Diversion", `<sip:a@${there}>`],
  ];
  const invite = writeInvite(from, "+4930777777", { headers, contact: uriOf(victim) });
  const toHeld = writeInvite(from, held, { headers, contact: uriOf(victim) });
  const within = (method: string) => writeInDialog(from, up.dialog, method, { target: uriOf(victim) });
  const toVictim = invite.replace("@switch.invalid SIP/2.0", `@${there} SIP/2.0`);
  return [
    invite,
    toVictim,
    toVictim.replace(
      /;branch=/,
      `;maddr=${victim.transport.address};received=${victim.transport.address};branch=`,
    ),
    toVictim.replaceAll("INVITE", "OPTIONS"),
    toVictim.replaceAll("INVITE", "CANCEL"),
    toHeld,
    toHeld.replace("@switch.invalid SIP/2.0", `@${there} SIP/2.0`),
    within("INFO"),
    within("ACK"),
    ...["ACK", "BYE", "INVITE", "REFER"].map((method) => writeInDialog(from, forged, method)),
    writeMessage("SIP/2.0 200 OK", [
      ["Via", `SIP/2.0/UDP ${bench.kamailio.at.address};branch=z9hG4bKa`],
      ["Via", `SIP/2.0/UDP ${there};branch=z9hG4bKb;received=${victim.transport.address}`],
      ["Record-Route", forged.routes[0]!],
      ["From", forged.local],
      ["To", forged.remote],
      ["Call-ID", forged.callId],
      ["CSeq", "1 INVITE"],
    ]),
  ];
}

/** Answered only when what came before it has been dealt with. */
async function settle(): Promise<void> {
  const options = writeInvite(bench.caller, "x").replaceAll("INVITE", "OPTIONS");
  expect((await bench.caller.ask(options, bench.kamailio.at)).status).toBe(200);
}

/**
 * Uses a separate connection, because a message that is shorter than its Content-Length would swallow the
 * next. Returns the responses.
 */
async function sendByTcp(text: string, localAddress: string): Promise<SipMessage[]> {
  const { address: host, port } = bench.kamailio.at;
  const socket = connect({ host, port, localAddress });
  let heard = "";
  socket.on("error", () => socket.destroy()).on("data", (data) => (heard += data.toString("latin1")));
  const closed = once(socket, "close");
  socket.end(text, "latin1");
  setTimeout(() => socket.destroy(), 500).unref();
  await closed;
  return heard.split(/(?=^SIP\/2\.0 \d)/m).map(parseMessage);
}

/** Responses to an attacker, as method and status. */
function answersIn(heard: SipMessage[]): string[] {
  const answers = heard.flatMap((message) =>
    message.status === null ? [] : `${headerOf(message, "CSeq").split(" ").at(-1)} ${message.status}`,
  );
  return [...new Set(answers)].toSorted();
}

function expectRightAnswers(known: string[], stranger: string[]): void {
  // A trunk may send OPTIONS, and requests within a call of its address. Other requests must not set up or
  // end a call.
  expect(known.filter((answer) => /^(?!OPTIONS|INFO)\w+ 2\d\d$/.test(answer))).toEqual([]);
  expect(known).toEqual(
    expect.arrayContaining([
      "INVITE 404",
      "INVITE 486",
      "CANCEL 481",
      "BYE 481",
      "OPTIONS 200",
      // Few mutations change Max-Forwards and nothing before it.
      ...(isLong ? ["INVITE 483"] : []),
    ]),
  );
  // For as long as it is not taken for a flood.
  expect(stranger).toContain("INVITE 403");
  expect(stranger.filter((answer) => !/ (400|403|405|481|483|505)$/.test(answer))).toEqual([]);
  // A message that an attacker has malformed is not the switch's fault.
  expect([...known, ...stranger].filter((answer) => / 5(?!05)\d\d$/.test(answer))).toEqual([]);
}

test("a request in a call that stops before the end of its headers is rejected, and does not end the call", async () => {
  const cutOff = (method: string): string => {
    up.dialog.cseq += 1;
    const whole = writeInDialog(bench.caller, up.dialog, method);
    return whole.slice(0, whole.indexOf("\r\nContent-Length") + 2);
  };
  for (const method of ["INFO", "BYE"]) {
    expect([method, (await bench.caller.ask(cutOff(method), bench.kamailio.at)).status]).toEqual([
      method,
      400,
    ]);
  }
  expect(await up.ask("INFO")).toBe(200);
});

test(`${COUNT} mutated messages over UDP crash nothing, get the right replies, are relayed nowhere, and leak no memory`, async () => {
  const mutate = makeMutator(20_261_115);
  const send = async (messages: number): Promise<void> => {
    for (let sent = 0; sent < messages; sent += 1) {
      const attacker = attackers[sent % 5 === 0 ? 1 : 0];
      const texts = seeds(attacker);
      await attacker.sendText(mutate(texts[sent % texts.length]!), bench.kamailio.at);
      if (sent % 100 === 99) await settle();
    }
  };
  // Allocations that happen once are done after these.
  await send(MESSAGES / 10);
  const before = await lookBefore(bench, 1);
  await send(MESSAGES);
  const [known, stranger] = attackers.map(({ received }) => received.map(({ message }) => message));
  expectRightAnswers(answersIn(known!), answersIn(stranger!));
  expect(await up.ask("INFO")).toBe(200);
  await expectUnharmed(bench, before, { victim, calls: 1 });
});

test(`${COUNT} mutated messages over TCP crash nothing, get the right replies, are relayed nowhere, and leak no memory`, async () => {
  const mutate = makeMutator(20_261_116);
  const heard: [SipMessage[], SipMessage[]] = [[], []];
  const send = async (messages: number): Promise<void> => {
    for (let sent = 0; sent < messages; sent += 50) {
      const batch = Array.from({ length: 50 }, async (_, at) => {
        const who = at % 5 === 0 ? 1 : 0;
        const texts = seeds(attackers[who]).map((text) => text.replace("SIP/2.0/UDP", "SIP/2.0/TCP"));
        const text = mutate(texts[(sent + at) % texts.length]!);
        heard[who].push(...(await sendByTcp(text, attackers[who].transport.address)));
      });
      await Promise.all(batch);
      await settle();
    }
  };
  await send(MESSAGES / 10);
  const before = await lookBefore(bench, 1);
  await send(MESSAGES);
  expectRightAnswers(answersIn(heard[0]), answersIn(heard[1]));
  expect(await up.ask("INFO")).toBe(200);
  await expectUnharmed(bench, before, { victim, calls: 1 });
});
