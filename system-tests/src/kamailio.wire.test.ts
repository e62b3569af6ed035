import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallBench, openBench, uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { answerWith, type Phone } from "./sip/phone.ts";
import { writeInDialog, writeInvite } from "./sip/sip-call.ts";
import { headerOf, headersOf, type SipMessage } from "./sip/sip-message.ts";
import { openUdp } from "./sip/sip-transport.ts";
import { until } from "./sip/until.ts";

/** Messages on the wire, header by header. */
const gatewayAddress = newAddress();
let bench: CallBench;
beforeAll(async () => {
  bench = await openBench((caller) => ({
    trunks: [
      {
        name: "carrier",
        direction: "in",
        sources: [caller],
        transport: "udp",
        trusts_identity: true,
        number_format: { international_prefix: "00", national_prefix: "0", country_code: "49" },
      },
      {
        name: "gate",
        direction: "out",
        sources: [gatewayAddress],
        transport: "udp",
        gateway: { host: gatewayAddress, port: 5080, in_trust_domain: true },
      },
    ],
    forward: { gateway: "gate", prefixes: ["+44"] },
  }));
});
afterAll(() => bench?.[Symbol.asyncDispose]());

async function inviteAt(
  callee: Phone,
  number: string,
  headers: [string, string][] = [],
): Promise<SipMessage> {
  const before = callee.requests("INVITE").length;
  const call = await bench.call(number, { headers });
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);
  return callee.requests("INVITE")[before]!;
}

const ASSERTED: [string, string] = ["P-Asserted-Identity", "<sip:+4930123456@carrier.invalid>"];
const PREFERRED: [string, string] = ["P-Preferred-Identity", "<sip:+4930123457@carrier.invalid>"];
const remoteParty = (privacy: string): [string, string] => [
  "Remote-Party-ID",
  `<sip:+4930123456@carrier.invalid>;party=calling;privacy=${privacy}`,
];
const identitiesOf = (invite: SipMessage): string[] =>
  ["P-Asserted-Identity", "P-Preferred-Identity", "Remote-Party-ID"].flatMap((name) =>
    headersOf(invite, name),
  );

describe("a caller who withholds the number", () => {
  let callee: Phone;
  let number: string;
  beforeAll(async () => {
    callee = await bench.phone();
    number = await bench.numberTo(callee);
  });

  test.each<[string, [string, string][]]>([
    ["Privacy: id", [["Privacy", "id"]]],
    ["Privacy: user;id", [["Privacy", "user;id"]]],
    ["Privacy: header", [["Privacy", "header"]]],
    ["Remote-Party-ID with privacy=full", [remoteParty("full")]],
    ["Remote-Party-ID with privacy=uri", [remoteParty('"uri"')]],
  ])("does so towards customers: %s", async (_, headers) => {
    const invite = await inviteAt(callee, number, [ASSERTED, PREFERRED, ...headers]);
    expect(identitiesOf(invite)).toEqual([]);
    expect(headersOf(invite, "Privacy")).toEqual(
      headers.flatMap(([name, value]) => (name === "Privacy" ? [value] : [])),
    );
  });

  test.each<[string, [string, string][]]>([
    ["nothing", []],
    ["Privacy: none", [["Privacy", "none"]]],
    ["Remote-Party-ID with privacy=off", [remoteParty("off")]],
  ])("is not one who says %s", async (_, headers) => {
    const invite = await inviteAt(callee, number, [ASSERTED, ...headers]);
    expect(headersOf(invite, "P-Asserted-Identity")).toEqual([ASSERTED[1]]);
  });

  test("is known to a gateway in the trust domain, and to the operator", async () => {
    const gateway = await bench.phone({ port: 5080 }, gatewayAddress);
    const forwarded = await bench.number({ mode: "f", argument: "+442079460000" });
    const invite = await inviteAt(gateway, forwarded, [ASSERTED, ["Privacy", "id"]]);
    expect(headersOf(invite, "P-Asserted-Identity")).toEqual([ASSERTED[1]]);
    expect(headersOf(invite, "X-Dialplane-Record")).toEqual([]);
    const [row] = await bench.rowsOf(headerOf(invite, "Call-ID"), 1);
    expect(row!.events).toMatch(/^a (\+|%2[Bb])4930123456\^/);
  });
});

test("customers learn which record a call has, and callers cannot choose it", async () => {
  const callee = await bench.phone();
  const invite = await inviteAt(callee, await bench.numberTo(callee), [["X-Dialplane-Record", "chosen"]]);
  const [row] = await bench.rowsOf(headerOf(invite, "Call-ID"), 1);
  expect(headersOf(invite, "X-Dialplane-Record")).toEqual([row!.record]);
});

describe("a request that is too long for a datagram", () => {
  const LONG: [string, string][] = [["Subject", "x".repeat(700)]];

  test("goes by TCP, and so does what follows", async () => {
    const callee = await bench.phone();
    const { address, port } = callee.transport;
    const byTcp = await bench.phone({ kind: "tcp", port }, address);
    const number = await bench.numberTo(callee);
    const invite = await inviteAt(byTcp, number, LONG);
    expect(headerOf(invite, "Via")).toContain("SIP/2.0/TCP");
    expect(byTcp.requests("ACK")).toHaveLength(1);
    expect(byTcp.requests("BYE")).toHaveLength(1);
    expect(callee.requests("INVITE")).toEqual([]);
    await inviteAt(callee, number);
  });

  test("uses UDP if TCP fails, and at once for the next hour", async () => {
    const callee = await bench.phone();
    // Without the delay the switch's workers may handle the 200 before the 180.
    callee.behave(answerWith("180 Ringing", { status: "200 OK", afterMs: 200 }));
    const number = await bench.numberTo(callee);
    const invite = await inviteAt(callee, number, LONG);
    expect(headerOf(invite, "Via")).toContain("SIP/2.0/UDP");
    const [first] = await bench.rowsOf(headerOf(invite, "Call-ID"), 1);
    expect(first!.events.split("^").map((entry) => entry[0])).toEqual(["t", "e", "t", "r", undefined]);
    const [again] = await bench.rowsOf(headerOf(await inviteAt(callee, number, LONG), "Call-ID"), 1);
    expect(again!.events.split("^").map((entry) => entry[0])).toEqual(["t", "r", undefined]);
  });

  test("goes by UDP where TCP meets silence", async () => {
    const callee = await bench.phone();
    const { address, port } = callee.transport;
    const deaf = await bench.phone({ kind: "tcp", port }, address);
    deaf.behave(() => []);
    const invite = await inviteAt(callee, await bench.numberTo(callee), LONG);
    expect(invite.startLine).toBe(`INVITE ${uriOf(callee)} SIP/2.0`);
    expect(deaf.requests("INVITE")).toHaveLength(1);
  });
});

describe("answers by UDP go", () => {
  const answersTo = async (rport: string): Promise<"port of the Via" | "port of the sender"> => {
    const callee = await bench.phone();
    const number = await bench.numberTo(callee);
    const { address } = bench.caller.transport;
    const got: string[] = [];
    const named = await openUdp(address, 0, () => got.push("port of the Via"));
    const sender = await openUdp(address, 0, () => got.push("port of the sender"));
    const invite = writeInvite(bench.caller, number).replace(
      /^Via: .*$/m,
      (via) => via.replace(/:\d+;branch/, `:${named.port};branch`) + rport,
    );
    await sender.send(invite, bench.kamailio.at);
    await until("an answer", () => got.length > 1);
    await named.close();
    await sender.close();
    expect(new Set(got).size).toBe(1);
    return got[0] as "port of the Via";
  };

  test("to the port that the Via names", async () => {
    expect(await answersTo("")).toBe("port of the Via");
  });

  test("to the source port if the Via has rport", async () => {
    expect(await answersTo(";rport")).toBe("port of the sender");
  });
});

test("sends responses to the source port of a trunk behind NAT", async () => {
  await using other = await openBench((caller) => ({
    trunks: [{ name: "carrier", direction: "in", sources: [caller], transport: "udp", nat: true }],
  }));
  const callee = await other.phone();
  const number = await other.number({ mode: "u", argument: uriOf(callee) });
  const unreachable = (text: string): string => text.replace(/^(Via: [^\n]*):\d+;branch/m, "$1:9;branch");
  const final = await other.caller.ask(unreachable(writeInvite(other.caller, number)), other.kamailio.at);
  expect(final.status).toBe(200);
});

test.each(["OPTIONS", "SUBSCRIBE"])("lists the allowed methods in the response to %s", async (method) => {
  const request = writeInvite(bench.caller, "x").replaceAll("INVITE", method);
  const reply = await bench.caller.ask(request, bench.kamailio.at);
  expect(reply.status).toBe(method === "OPTIONS" ? 200 : 405);
  expect(headerOf(reply, "Allow").split(", ")).toEqual(
    expect.arrayContaining(["INVITE", "ACK", "CANCEL", "BYE", "OPTIONS"]),
  );
});

test("visual separators in the called number make no difference", async () => {
  const callee = await bench.phone();
  const number = await bench.numberTo(callee);
  const national = `0${number.slice(3)}`;
  for (const spelt of [
    `${number.slice(0, 3)}-${number.slice(3, 5)}.${number.slice(5)}`,
    `${national.slice(0, 3)}-${national.slice(3)}`,
    `(${national.slice(0, 3)})${national.slice(3)}`,
  ]) {
    const call = await bench.call(spelt);
    expect([spelt, call.status]).toEqual([spelt, 200]);
    await call.bye();
    expect((await bench.rowsOf(call.dialog.callId, 1))[0]!.number).toBe(number);
  }
});

test("two switches with one key do not take each other's calls for their own", async () => {
  const callee = await bench.phone();
  const call = await bench.call(await bench.numberTo(callee));
  await using other = await openBench({ name: "edge-2" });
  const bye = writeInDialog(bench.caller, { ...call.dialog, cseq: 2 }, "BYE");
  expect((await bench.caller.ask(bye, other.kamailio.at)).status).toBe(481);
  expect(other.kamailio.rows()).toEqual([]);
  expect(await call.bye()).toBe(200);
});
