import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { openBench, uriOf } from "./sip/call-bench.ts";
import type { Phone } from "./sip/phone.ts";
import { type Call, writeInDialog, writeInvite } from "./sip/sip-call.ts";
import { headerOf, writeMessage } from "./sip/sip-message.ts";
import { makeMutator } from "./sip/sip-mutator.ts";
import { until } from "./sip/until.ts";

const MESSAGES = 5_000;
const MIB = 1024 * 1024;

let bench: CallBench;
/** Named in every Route, Via and URI that an attacker writes; must never hear a word. */
let victim: Phone;
/** One from a trunk's address, one from nowhere. */
let attackers: [Phone, Phone];
/** Where a number leads, and the other end of a call that is up: it may hear what is meant for it. */
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

/** What an attacker would begin with: every kind of message, with the victim wherever a switch could look. */
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

/** A connection of its own, for a message that promises more than it brings would swallow the next. */
async function sendByTcp(text: string, localAddress: string): Promise<void> {
  const { address: host, port } = bench.kamailio.at;
  const socket = connect({ host, port, localAddress });
  socket.on("error", () => socket.destroy()).resume();
  const closed = once(socket, "close");
  socket.end(text, "latin1");
  setTimeout(() => socket.destroy(), 500).unref();
  await closed;
}

/** Of all its processes together, once no transaction is left that will go by itself. */
async function sharedMemory(): Promise<number> {
  await until(
    "the end of all transactions",
    async () => {
      const { current } = (await bench.kamailio.rpc("tm.stats")) as { current: number };
      return current === 0;
    },
    60_000,
  );
  return ((await bench.kamailio.rpc("core.shmmem", ["b"])) as { used: number }).used;
}

const bootOf = async (): Promise<string> => (await bench.kamailio.control("P", "", []))[0]!.split(" ")[2]!;

/** What was said to each attacker, as method and status. */
function answersTo({ received }: Phone): string[] {
  const answers = received.flatMap(({ message }) =>
    message.status === null ? [] : `${headerOf(message, "CSeq").split(" ").at(-1)} ${message.status}`,
  );
  return [...new Set(answers)].toSorted();
}

async function expectUnharmed(boot: string): Promise<void> {
  const [known, stranger] = attackers.map(answersTo) as [string[], string[]];
  // A trunk may ask whether the switch is there, and speak within a call of its address; nobody may have a call or end one.
  expect(known.filter((answer) => /^(?!OPTIONS|INFO)\w+ 2\d\d$/.test(answer))).toEqual([]);
  expect(known).toEqual(
    expect.arrayContaining([
      "INVITE 404",
      "INVITE 486",
      "INVITE 483",
      "CANCEL 481",
      "BYE 481",
      "OPTIONS 200",
    ]),
  );
  expect(stranger.filter((answer) => !/ (400|403|405|481|483|505)$/.test(answer))).toEqual([]);
  // What somebody else has spoilt is not the switch's fault.
  expect([...known, ...stranger].filter((answer) => / 5(?!05)\d\d$/.test(answer))).toEqual([]);
  // Reading fails for a row with more or fewer columns than there are.
  expect(bench.kamailio.rows().length).toBeGreaterThan(0);
  expect(await up.ask("INFO")).toBe(200);
  const other = await bench.phone();
  const call = await bench.call(await bench.numberTo(other));
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);
  expect(bench.kamailio.isRunning()).toBe(true);
  expect(await bootOf()).toBe(boot);
  expect(victim.received.map(({ message }) => message.startLine)).toEqual([]);
  const heard = other.received.map(({ message }) => headerOf(message, "Call-ID"));
  expect(new Set(heard)).toEqual(new Set([call.dialog.callId]));
  expect(bench.kamailio.log()).not.toMatch(/CRITICAL|signal 11|exited by a signal/);
}

test("5,000 mutated messages by UDP crash nothing, are answered as they should be, relayed nowhere, and leave no memory taken", async () => {
  const boot = await bootOf();
  const mutate = makeMutator(20_261_115);
  const send = async (messages: number): Promise<void> => {
    for (let sent = 0; sent < messages; sent += 1) {
      const attacker = attackers[sent % 5 === 0 ? 1 : 0];
      const texts = seeds(attacker);
      await attacker.sendText(mutate(texts[sent % texts.length]!), bench.kamailio.at);
      if (sent % 100 === 99) await settle();
    }
  };
  // What is made once and kept is there after these.
  await send(MESSAGES / 10);
  const before = await sharedMemory();
  await send(MESSAGES);
  expect((await sharedMemory()) - before).toBeLessThan(MIB);
  await expectUnharmed(boot);
});

test("5,000 mutated messages by TCP crash nothing, are answered as they should be, relayed nowhere, and leave no memory taken", async () => {
  const boot = await bootOf();
  const mutate = makeMutator(20_261_116);
  const send = async (messages: number): Promise<void> => {
    for (let sent = 0; sent < messages; sent += 50) {
      const batch = Array.from({ length: 50 }, (_, at) => {
        const attacker = attackers[at % 5 === 0 ? 1 : 0];
        const texts = seeds(attacker).map((text) => text.replace("SIP/2.0/UDP", "SIP/2.0/TCP"));
        return sendByTcp(mutate(texts[(sent + at) % texts.length]!), attacker.transport.address);
      });
      await Promise.all(batch);
      await settle();
    }
  };
  await send(MESSAGES / 10);
  const before = await sharedMemory();
  await send(MESSAGES);
  expect((await sharedMemory()) - before).toBeLessThan(MIB);
  await expectUnharmed(boot);
}, 240_000);
