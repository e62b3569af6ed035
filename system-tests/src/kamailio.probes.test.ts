import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { uriOf } from "./sip/call-bench.ts";
import { type GatewayBench, guarded, openGatewayBench, TO } from "./sip/gateway-bench.ts";
import { answerWith, openPhone, type Phone } from "./sip/phone.ts";
import type { RecordRow } from "./sip/record-rows.ts";
import { type Call, type CallOptions, placeCall } from "./sip/sip-call.ts";
import { headerOf } from "./sip/sip-message.ts";

/** A switch ends a probe where it would send the call out, and places the agent's own. */

const CALLER = "+4930555000111";
const END_OF_CALLER = "5000111";
const TOKEN = "the-token-of-the-probe";
let bench: GatewayBench;
let callee: Phone;
/** As the agent of the switch speaks to it. */
let agent: Phone;

beforeAll(async () => {
  bench = await openGatewayBench([{ name: "gate", password: "secret" }]);
  callee = await bench.phone();
  agent = await openPhone("127.0.0.1", { kind: "tcp" });
});
afterAll(async () => {
  await agent?.close();
  await bench?.[Symbol.asyncDispose]();
});
beforeEach(() => callee.behave(answerWith("200 OK")));

const expectProbe = (number: string, end = ""): Promise<void> =>
  bench.kamailio.set("probe", { [number]: `probe-1|${TOKEN}|${end}` });
const place = (number: string, { headers = [], ...more }: CallOptions = {}): Promise<Call> =>
  placeCall(agent, { address: "127.0.0.1", port: bench.kamailio.rpcPort }, number, {
    ...more,
    headers: [["X-Dialplane-Probe", TOKEN], ...headers],
  });
const byGateway = (number: string, name = "gate"): Promise<Call> =>
  place(number, { from: CALLER, headers: [["X-Dialplane-Gateway", name]] });
const rowOf = async ({ dialog }: Call): Promise<RecordRow> => (await bench.rowsOf(dialog.callId, 1))[0]!;

test("a probe that the agent places itself ends where the call would go out, and the target gets nothing", async () => {
  const number = await bench.numberTo(callee);
  await expectProbe(number);
  const call = await place(number);
  expect(call.status).toBe(480);
  const { address, port, kind } = callee.transport;
  const row = await rowOf(call);
  expect(row).toMatchObject({ code: "480", kind: "probe", trunk: "-probe", mode: "u", generation: "7" });
  expect(row.events).toContain(`${address}~${port}~${kind}`);
  expect(callee.requests("INVITE")).toEqual([]);
});

test("a carrier's call is the probe if its caller is, however the carrier writes that; every other call is connected", async () => {
  const number = await bench.numberTo(callee);
  await expectProbe(number, END_OF_CALLER);
  for (const from of [CALLER, "004930555000111", "030555000111", "493055500-0111"]) {
    const call = await bench.call(number, { from });
    expect([from, call.status]).toEqual([from, 480]);
    expect(await rowOf(call)).toMatchObject({ kind: "probe", trunk: "carrier" });
  }
  for (const from of ["+4930555000112", "anonymous", "0111"]) {
    const call = await bench.call(number, { from });
    expect([from, call.status]).toEqual([from, 200]);
    await call.bye();
  }
  await bench.kamailio.set("probe", { [number]: "" });
  const call = await bench.call(number, { from: CALLER });
  expect(call.status).toBe(200);
  await call.bye();
});

test("a probe of a forwarded number counts for no limit, and names the gateway", async () => {
  const payer = "2f0b0f0e-0000-4000-8000-000000000001";
  await bench.kamailio.set("org", { [payer]: "0|0|0|pass|keep|1" });
  const number = await bench.forwarded(TO, payer);
  await expectProbe(number);
  const row = await rowOf(await place(number));
  expect(row).toMatchObject({ kind: "probe", mode: "f" });
  expect(row.events).toMatch(/^t f - .* gate\^$/);
  expect(await bench.sizeOf("forward", number)).toBe(0);
  expect((await bench.call(number)).status).toBe(486);
});

test("a probe starts no failover step", async () => {
  const second = await bench.phone();
  const number = "+4930909902";
  const row = `U|7|0|id-${number}|${uriOf(callee)}||u|${uriOf(second)}||10|unbr||||||`;
  await bench.kamailio.set("rt", { [number]: row });
  await expectProbe(number);
  const call = await place(number);
  expect(call.status).toBe(480);
  expect(await rowOf(call)).toMatchObject({ kind: "probe", mode: "U" });
  expect(second.requests("INVITE")).toEqual([]);
});

test("says why a switch rejects a probe, as of any call", async () => {
  const unknown = "+4930123123";
  await expectProbe(unknown);
  expect(await rowOf(await place(unknown))).toMatchObject({
    code: "404",
    kind: "unknown_number",
    trunk: "-probe",
  });
  const nowhere = await bench.number({ mode: "n" });
  await expectProbe(nowhere);
  expect(await rowOf(await place(nowhere))).toMatchObject({ code: "480", kind: "unrouted" });
});

test("places a call by a gateway with its password, and leaves no row", async () => {
  const gate = bench.gateways["gate"]!;
  gate.behave(guarded("secret", "486 Busy Here"));
  const call = await byGateway("+4930777001");
  expect(call.status).toBe(486);
  const invite = gate.requests("INVITE").at(-1)!;
  expect(invite.startLine).toMatch(/^INVITE sip:\+4930777001@/);
  expect(headerOf(invite, "From")).toContain(`sip:${CALLER}@`);
  expect(headerOf(invite, "X-Dialplane-Probe")).toBe(TOKEN);
  expect(headerOf(invite, "X-Dialplane-Gateway")).toBe("");
  expect((await byGateway("+4930777001", "other")).status).toBe(404);
  expect(bench.kamailio.rows().filter(({ number }) => number === "+4930777001")).toEqual([]);
});

test("asks a target whether it is there", async () => {
  const ping = (uri: string, hop: string): Promise<unknown> => {
    const headers = `From: <sip:probe@dialplane.invalid>\r\nTo: <${uri}>\r\nMax-Forwards: 70\r\n`;
    return bench.kamailio.rpc("tm.t_uac_wait", ["OPTIONS", uri, hop, ".", headers, ""]);
  };
  const { address, port } = callee.transport;
  expect(JSON.stringify(await ping(uriOf(callee), `sip:${address}:${port};transport=udp`))).toContain("200");
  expect(callee.requests("OPTIONS").at(-1)!.startLine).toContain(uriOf(callee));
  const stream = await bench.phone({ kind: "tcp" });
  const hop = `sip:${stream.transport.address}:${stream.transport.port};transport=tcp`;
  expect(JSON.stringify(await ping(uriOf(stream), hop))).toContain("200");
});

test("only the agent's port takes probes", async () => {
  const headers: [string, string][] = [
    ["X-Dialplane-Gateway", "gate"],
    ["X-Dialplane-Probe", TOKEN],
  ];
  const before = bench.gateways["gate"]!.requests("INVITE").length;
  expect((await bench.call("+4930123124", { headers })).status).toBe(404);
  expect(bench.gateways["gate"]!.requests("INVITE")).toHaveLength(before);
});
