import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { addressOf, openBench, uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import type { Manners, Phone } from "./sip/phone.ts";
import { answerWith, openPhone } from "./sip/phone.ts";
import { acknowledgeRefusal, calleeDialogOf, dialogOf, writeInDialog, writeInvite } from "./sip/sip-call.ts";
import { headerOf, parseMessage, type SipMessage, writeReply } from "./sip/sip-message.ts";
import { makeMutator } from "./sip/sip-mutator.ts";
import { expectUnharmed, lookBefore } from "./sip/unharmed.ts";
import { until } from "./sip/until.ts";

const CALLS = 2_000;
const AT_ONCE = 40;

let bench: CallBench;
/** Named in every Contact, Record-Route and Via of a target. It must never receive a message. */
let victim: Phone;
let folder: string;
let beating: NodeJS.Timeout;
/** One number for each mode. All lead to targets that malform their responses. */
let numbers: string[];
const gatewayAddress = newAddress();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dialplane-replies-"));
  writeFileSync(join(folder, "password"), "secret\n");
  bench = await openBench((caller) => ({
    trunks: [
      { name: "carrier", direction: "in", sources: [caller], transport: "udp" },
      {
        name: "gate",
        direction: "out",
        sources: [gatewayAddress],
        transport: "udp",
        gateway: {
          host: gatewayAddress,
          port: 5080,
          username: "bob",
          password_file: join(folder, "password"),
        },
      },
    ],
    forward: { gateway: "gate", prefixes: ["+44"], calls_per_minute: 6_000, calls_at_once: 500 },
    // Ends calls whose responses were too malformed for the caller to end them.
    max_call_seconds: 5,
    // Its transactions would never end.
    ping_seconds: 60,
  }));
  victim = await bench.phone();
  numbers = await makeNumbers();
  // A call of that second may be from before a restart, for all a switch knows.
  const started = Math.floor(Date.now() / 1000);
  await until("the end of the second in which the switch was started", () => Date.now() / 1000 > started + 1);
  beating = setInterval(() => void bench.kamailio.control("P", "", []), 500);
});
afterAll(async () => {
  clearInterval(beating);
  await bench?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function makeNumbers(): Promise<string[]> {
  let seed = 20_261_116;
  const spoiler = async (port = 0, at = newAddress()): Promise<Phone> => {
    const phone = await bench.phone({ port, contact: uriOf(victim) }, at);
    phone.behave(spoilt((seed += 1)));
    return phone;
  };
  const [direct, first, second, chosen] = [
    await spoiler(),
    await spoiler(),
    await spoiler(),
    await spoiler(),
  ];
  await spoiler(5080, gatewayAddress);
  for (const [set, target] of [first, second].entries())
    await bench.kamailio.rpc("dispatcher.add", [
      31 + set,
      uriOf(target).replace("alice@", ""),
      0,
      0,
      `rweight=1;duid=${set}`,
    ]);
  await bench.kamailio.set("cn", { two: "1|3|0|0|31=11;32=11|x" });
  const agent = await bench.phone({ kind: "tcp", port: bench.kamailio.webhookPort }, "127.0.0.1");
  const dial: [string, string][] = [
    ["X-Dialplane-Verb", "dial"],
    ["X-Dialplane-To", "sip:chosen@pbx.invalid"],
    ["X-Dialplane-Addresses", addressOf(chosen)],
  ];
  agent.behave(answerWith({ status: "302 Moved", headers: dial }));
  return [
    await bench.numberTo(direct),
    await bench.number({ mode: "c", argument: "two" }),
    await bench.number({ mode: "f", argument: "+442079460000" }),
    await bench.number({ mode: "w", argument: "https://hooks.invalid/", fallback: "n||" }),
  ];
}

const PROVISIONAL = ["099 Nothing", "100 Trying", "180 Ringing", "183 Session Progress"];
const FINAL = [
  "200 OK",
  "202 Accepted",
  "302 Moved Temporarily",
  "404 Not Found",
  "407 Proxy Authentication Required",
  "486 Busy Here",
  "503 Service Unavailable",
  "603 Decline",
  "700 Nothing",
];

/** Spoils both answers to a call; what it says in the end is whole, so that every call has one. */
function spoilt(seed: number): Manners {
  const mutate = makeMutator(seed);
  let turn = 0;
  const spoil = (text: string): string => {
    const forged = forge(text, turn);
    return turn % 4 === 0 ? forged : mutate(forged);
  };
  return (request) => {
    if (request.method !== "INVITE") return [{ status: "200 OK" }];
    turn += 1;
    const headers: [string, string][] = [["Proxy-Authenticate", 'Digest realm="g", nonce="n"']];
    return [
      { status: PROVISIONAL[turn % PROVISIONAL.length]!, headers, spoil },
      { status: FINAL[turn % FINAL.length]!, headers, spoil },
      { status: "486 Busy Here", afterMs: 50 },
    ];
  };
}

/** Puts the victim into every header that decides the destination of a response or of later requests. */
function forge(text: string, turn: number): string {
  const there = `${victim.transport.address}:${victim.transport.port}`;
  const route = `Record-Route: <sip:${there};lr>\r\n`;
  const via = `Via: SIP/2.0/UDP ${there};branch=z9hG4bKvictim;received=${victim.transport.address};rport=${victim.transport.port}\r\n`;
  const forgeries: ((text: string) => string)[] = [
    (whole) => whole,
    (whole) => whole.replace("From: ", `${route}From: `),
    (whole) => whole.replace("Record-Route: ", `${route}Record-Route: `),
    (whole) => whole.replace(/Record-Route: .*\r\n/, route),
    (whole) => whole.replace(/Record-Route: .*\r\n/, ""),
    (whole) => whole.replace(/(Via: .*\r\n)/, `$1${via}`),
    (whole) => whole.replace(/(Via: .*\r\n)Via: .*\r\n/, `$1${via}`),
    (whole) => whole.replace(/Via: /, `${via}Via: `),
    // A response without a transaction takes another path through a switch.
    (whole) => whole.replace(/;branch=z9hG4bK/, "$&0"),
    (whole) => whole.replace(/;branch=z9hG4bK/, "$&0").replace(/(Via: .*\r\n)Via: .*\r\n/, `$1${via}`),
  ];
  return forgeries[turn % forgeries.length]!(text);
}

interface Heard {
  number: string;
  callId: string;
  status: number;
}

/**
 * Status of a response to an INVITE whose lines may be malformed too. A phone that had the port before may
 * have sent a BYE.
 */
function statusOf(answer: SipMessage): number {
  const text = JSON.stringify(answer);
  return text.includes(" BYE") ? 0 : Number(/SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? 0);
}

/** Uses a separate phone: a malformed response may not identify its call. */
async function call(number: string): Promise<Heard> {
  await using caller = await openPhone(bench.caller.transport.address);
  const invite = writeInvite(caller, number);
  await caller.sendText(invite, bench.kamailio.at);
  const { message: final } = await until(`an answer to ${invite}`, () =>
    caller.received.find(({ message }) => statusOf(message) >= 200),
  );
  const status = statusOf(final);
  if (status >= 300) {
    await caller.sendText(acknowledgeRefusal(invite, final), bench.kamailio.at);
  } else {
    const dialog = dialogOf(final);
    await caller.sendText(writeInDialog(caller, dialog, "ACK"), bench.kamailio.at);
    await caller.sendText(writeInDialog(caller, { ...dialog, cseq: 2 }, "BYE"), bench.kamailio.at);
  }
  return { number, callId: headerOf(parseMessage(invite), "Call-ID"), status };
}

test("2,000 calls with mutated replies crash nothing, end correctly, are relayed nowhere else, and leak no memory", async () => {
  const before = await lookBefore(bench, 0);
  let begun = 0;
  const heard: Heard[] = [];
  const callOn = async (): Promise<void> => {
    while (begun < CALLS) {
      begun += 1;
      heard.push(await call(numbers[begun % numbers.length]!));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, callOn));
  for (const number of numbers) {
    const statuses = new Set(heard.flatMap((one) => (one.number === number ? [one.status] : [])));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 404, 480, 486, 603]));
  }
  // Other statuses of a target must reach the caller as 480.
  expect(heard.filter(({ status }) => !/^(?!401|407|408)[246]\d\d$/.test(String(status)))).toEqual([]);
  const codes = await until("a row for each", () => {
    const rows = Map.groupBy(bench.kamailio.rows(), ({ callId, method }) => `${method} ${callId}`);
    return heard.every(({ callId }) => rows.has(`INVITE ${callId}`)) && rows;
  });
  const codesOf = ({ callId }: Heard): string[] => codes.get(`INVITE ${callId}`)!.map(({ code }) => code);
  expect(heard.filter((one) => codesOf(one).join() !== String(one.status))).toEqual([]);
  await expectUnharmed(bench, before, { victim, calls: 0 });
});

test("counts no answered call after a target has rejected it", async () => {
  const target = await bench.phone();
  target.behave(answerWith("486 Busy Here"));
  const refused = await bench.call(await bench.numberTo(target));
  expect(refused.status).toBe(486);
  const [invite] = target.requests("INVITE");
  const heard = bench.caller.received.length;
  const late = writeReply(invite!, "200 OK", [["Contact", `<${target.contact}>`]], "late");
  await target.sendText(late.replace(";branch=z9hG4bK", "$&0"), bench.kamailio.at);
  const dialog = calleeDialogOf(invite!, refused.final);
  await target.sendText(writeInDialog(target, dialog, "ACK"), bench.kamailio.at);
  // Answered only when what came before it has been dealt with.
  expect((await bench.call("x")).status).toBe(404);
  const answers = bench.caller.received.slice(heard).map(({ message }) => message.status);
  expect(answers.filter((status) => status === 200)).toEqual([]);
  expect(await bench.rowsOf(refused.dialog.callId, 1)).toMatchObject([{ method: "INVITE", code: "486" }]);
});

test("a call that is too long is ended where its two ends are, and not where a Contact says", async () => {
  const target = await bench.phone({ contact: uriOf(victim) });
  const call = await bench.call(await bench.numberTo(target), { contact: uriOf(victim) });
  expect(call.status).toBe(200);
  const isOf = (bye: SipMessage): boolean => headerOf(bye, "Call-ID") === call.dialog.callId;
  const [atTarget] = await until("its end for the callee", () => found(target.requests("BYE").filter(isOf)));
  const [atCaller] = await until("its end for the caller", () =>
    found(bench.caller.requests("BYE").filter(isOf)),
  );
  expect(atTarget!.startLine).toBe(`BYE ${uriOf(victim)} SIP/2.0`);
  expect([headerOf(atTarget!, "From"), headerOf(atTarget!, "To")]).toEqual([
    call.dialog.local,
    call.dialog.remote,
  ]);
  expect([headerOf(atCaller!, "From"), headerOf(atCaller!, "To")]).toEqual([
    call.dialog.remote,
    call.dialog.local,
  ]);
  expect(victim.received).toEqual([]);
});

const found = <T>(list: T[]): T[] | false => list.length > 0 && list;
