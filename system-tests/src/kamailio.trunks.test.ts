import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { openBench, uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import type { Phone } from "./sip/phone.ts";
import { placeCall, writeInvite } from "./sip/sip-call.ts";
import { headerOf, headersOf, parseMessage } from "./sip/sip-message.ts";
import type { CertificateFiles } from "./sip/test-certificate.ts";
import { makeCertificate } from "./sip/test-certificate.ts";

let bench: CallBench;
let callee: Phone;
let certificate: CertificateFiles;
const [american, outward, stream, secure, switchTls] = Array.from({ length: 5 }, newAddress) as [
  string,
  string,
  string,
  string,
  string,
];
/** An address in a separate network. */
const danishNetwork = `127.201.${1 + Math.floor(Math.random() * 250)}`;
const danish = `${danishNetwork}.${1 + Math.floor(Math.random() * 250)}`;

const trunk = (name: string, source: string, more: object = {}): object => ({
  name,
  direction: "in",
  sources: [source],
  transport: "udp",
  ...more,
});
const format = (international_prefix: string, national_prefix: string, country_code: string): object => ({
  international_prefix,
  national_prefix,
  country_code,
});

beforeAll(async () => {
  certificate = makeCertificate();
  bench = await openBench((german) => ({
    trunks: [
      trunk("german", german, {
        number_format: { ...format("00", "0", "49"), technical_prefix: "77#" },
        trusts_identity: true,
      }),
      trunk("american", american, { number_format: format("011", "1", "1"), max_calls: 1 }),
      trunk("danish", `${danishNetwork}.0/24`, { number_format: format("00", "", "45") }),
      trunk("outward", outward, { direction: "out", gateway: { host: "127.0.0.1" } }),
      trunk("stream", stream, { transport: "tcp" }),
      trunk("secure", secure, { transport: "tls" }),
    ],
    tls: {
      listen: `tls:${switchTls}:5061`,
      certificate: certificate.certFile,
      key: certificate.keyFile,
    },
  }));
  callee = await bench.phone();
  const row = `u|1|0|id|${uriOf(callee)}||||`;
  await bench.kamailio.set("rt", { "+4930901820": row, "+15552345678": row, "+4545123456": row });
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  certificate?.[Symbol.dispose]();
});

test.for([
  "+4930901820",
  "004930901820",
  "030901820",
  "4930901820",
  "30901820",
  "77#+4930901820",
  "77#030901820",
  "+4930901820;npdi",
])("the German trunk's %s is +4930901820", async (called) => {
  const call = await bench.call(called);
  expect(call.status).toBe(200);
  await call.bye();
  expect(await bench.rowsOf(call.dialog.callId, 2)).toMatchObject([{ number: "+4930901820" }, {}]);
});

test("each trunk's own spelling is understood: 011, ten digits, national numbers without a prefix", async () => {
  const spellings: [string, string[]][] = [
    [american, ["+15552345678", "01115552345678", "15552345678", "5552345678", "0114930901820"]],
    [danish, ["004545123456", "45123456", "+4930901820"]],
  ];
  for (const [address, numbers] of spellings) {
    const phone = await bench.phone({}, address);
    for (const number of numbers) {
      const call = await placeCall(phone, bench.kamailio.at, number);
      expect(call.status, number).toBe(200);
      await call.bye();
    }
    await phone.close();
  }
});

test.for(["abc", "0", "+0123456789", "+49309018201234567", "anonymous", "00", "77#", "%2B4930901820x"])(
  "replies 404 to the invalid number %s, with a record for the operator",
  async (called) => {
    const call = await bench.call(called);
    expect(call.status).toBe(404);
    const [row] = await bench.rowsOf(call.dialog.callId, 1);
    expect(row).toMatchObject({ code: "404", kind: "not_a_number", trunk: "german" });
  },
);

test("a call that names neither a number nor a caller leaves a record too", async () => {
  const invite = writeInvite(bench.caller, "x")
    .replace("INVITE sip:x@", "INVITE sip:")
    .replace("sip:+15550009999@carrier.invalid", "sip:carrier.invalid");
  expect((await bench.caller.ask(invite, bench.kamailio.at)).status).toBe(404);
  const [row] = await bench.rowsOf(headerOf(parseMessage(invite), "Call-ID"), 1);
  expect(row).toMatchObject({ kind: "not_a_number", number: "", caller: "" });
});

test("records a call to a number without a holder for the operator", async () => {
  const call = await bench.call("0309999999");
  expect(call.status).toBe(404);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([
    { code: "404", kind: "unknown_number", number: "+49309999999", trunk: "german", numberId: "" },
  ]);
});

test("records a call to a quarantined number for the operator", async () => {
  await bench.kamailio.set("rt", { "+4930901821": "n|4|0|id-of-former-holding|resting||||" });
  const call = await bench.call("+4930901821");
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([
    { code: String(call.status), kind: "unrouted", number: "+4930901821", trunk: "german", numberId: "" },
  ]);
});

test("rejects a stranger's call, with a record without a trunk", async () => {
  const stranger = await bench.phone();
  const call = await placeCall(stranger, bench.kamailio.at, "+4930901820");
  expect(call.status).toBe(403);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([
    { code: "403", kind: "unknown_source", trunk: "", number: "+4930901820" },
  ]);
  const options = writeInvite(stranger, "x").replaceAll("INVITE", "OPTIONS");
  expect((await stranger.ask(options, bench.kamailio.at)).status).toBe(403);
});

test("a trunk that only takes calls cannot send any", async () => {
  const phone = await bench.phone({}, outward);
  expect((await placeCall(phone, bench.kamailio.at, "+4930901820")).status).toBe(403);
});

const identity: [string, string][] = [
  ["P-Asserted-Identity", '"A. Caller" <sip:+15550001111@carrier.invalid>'],
  ["Remote-Party-ID", "<sip:+15550001111@carrier.invalid>;party=calling;screen=yes"],
  ["Privacy", "none"],
  ["Identity", "eyJhbGciOiJFUzI1NiJ9..x;info=<https://certificates.invalid/1>;alg=ES256;ppt=shaken"],
  ["History-Info", "<sip:+15550002222@carrier.invalid>;index=1"],
  ["Diversion", "<sip:+15550003333@carrier.invalid>;reason=user-busy"],
];

async function identityThatArrives(from: Phone): Promise<[string, string[]][]> {
  const before = callee.requests("INVITE").length;
  const call = await placeCall(from, bench.kamailio.at, "+4930901820", { headers: identity });
  expect(call.status).toBe(200);
  await call.bye();
  const invite = callee.requests("INVITE")[before]!;
  return identity.map(([name]) => [name, headersOf(invite, name)]);
}

test("what a trusted trunk says of the caller arrives unchanged", async () => {
  expect(await identityThatArrives(bench.caller)).toEqual(identity.map(([name, value]) => [name, [value]]));
});

test("an identity asserted by a trunk that is not trusted is dropped, the rest arrives", async () => {
  const phone = await bench.phone({}, danish);
  const [asserted, claimed, ...rest] = await identityThatArrives(phone);
  expect(asserted).toEqual(["P-Asserted-Identity", []]);
  expect(claimed).toEqual(["Remote-Party-ID", []]);
  expect(rest).toEqual(identity.slice(2).map(([name, value]) => [name, [value]]));
});

test("a trunk has as many calls at once as it may; one more gets 503, for the carrier has other ways", async () => {
  const phone = await bench.phone({}, american);
  const first = await placeCall(phone, bench.kamailio.at, "+4930901820");
  expect(first.status).toBe(200);
  const second = await placeCall(phone, bench.kamailio.at, "+4930901820");
  expect(second.status).toBe(503);
  expect(await bench.rowsOf(second.dialog.callId, 1)).toMatchObject([{ kind: "trunk_full" }]);
  expect((await bench.call("+4930901820")).status).toBe(200);
  await first.bye();
});

test("a trunk that speaks TCP is known by its connection: its address on a datagram is not enough", async () => {
  const forger = await bench.phone({}, stream);
  const forged = await placeCall(forger, bench.kamailio.at, "+4930901820");
  expect(forged.status).toBe(403);
  expect(await bench.rowsOf(forged.dialog.callId, 1)).toMatchObject([{ kind: "unknown_source", trunk: "" }]);
  const tls = { address: switchTls, port: 5061 };
  for (const [kind, at] of [
    ["tcp", bench.kamailio.at],
    ["tls", tls],
  ] as const) {
    const phone = await bench.phone({ kind, certificate }, stream);
    const call = await placeCall(phone, at, "+4930901820");
    expect(call.status, kind).toBe(200);
    expect(await call.bye()).toBe(200);
    expect(await bench.rowsOf(call.dialog.callId, 2)).toMatchObject([{ trunk: "stream" }, {}]);
  }
});

test("a trunk that speaks TLS is known by it: its address on a datagram is not enough, nor on a connection of another kind", async () => {
  for (const kind of ["udp", "tcp"] as const) {
    const forger = await bench.phone({ kind }, secure);
    expect((await placeCall(forger, bench.kamailio.at, "+4930901820")).status, kind).toBe(403);
  }
  const phone = await bench.phone({ kind: "tls", certificate }, secure);
  const call = await placeCall(phone, { address: switchTls, port: 5061 }, "+4930901820");
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);
  expect(await bench.rowsOf(call.dialog.callId, 2)).toMatchObject([{ trunk: "secure" }, { trunk: "secure" }]);
});

test("a target is called by TLS where the number says so", async () => {
  const target = await bench.phone({ kind: "tls", certificate });
  const { address, port } = target.transport;
  const secured = await bench.number({ mode: "u", argument: `sips:alice@${address}:${port}` });
  for (const number of [await bench.numberTo(target), secured]) {
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    expect(await call.bye()).toBe(200);
  }
  expect(target.requests("BYE")).toHaveLength(2);
});
