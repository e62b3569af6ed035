import { afterEach, describe, expect, test } from "vitest";
import { attemptsIn, type GatewayBench, guarded, openGatewayBench, TO } from "./sip/gateway-bench.ts";
import { answerWith, type Manners } from "./sip/phone.ts";
import { calleeDialogOf, writeCancel, writeInDialog, writeInvite } from "./sip/sip-call.ts";
import { headerOf } from "./sip/sip-message.ts";
import { until } from "./sip/until.ts";

let bench: GatewayBench;
afterEach(() => bench?.[Symbol.asyncDispose]());

const silent: Manners = () => [];
const unpinged = { ping: false };
const invitesAt = (name: string): number => bench.gateways[name]!.requests("INVITE").length;
const two = (more: object = {}) =>
  openGatewayBench([
    { name: "one", priority: 1, ...unpinged, ...more },
    { name: "two", priority: 2, ...unpinged },
  ]);

describe("the next gateway", () => {
  test.for([
    ["503 Service Unavailable", "503"],
    ["500 Server Error", "500"],
    ["408 Timeout", "408"],
  ] as const)("takes a call after %s", async ([status, code]) => {
    bench = await two();
    bench.gateways["one"]!.behave(answerWith(status));
    const call = await bench.call(await bench.forwarded());
    expect(call.status).toBe(200);
    const [at] = bench.gateways["two"]!.requests("INVITE");
    expect(at!.startLine).toBe(`INVITE sip:${TO}@${bench.gateways["two"]!.transport.address}:5080 SIP/2.0`);
    expect([await bench.sizeOf("trunk", "one"), await bench.sizeOf("trunk", "two")]).toEqual([0, 1]);
    expect(await call.bye()).toBe(200);
    const [row] = await bench.rowsOf(call.dialog.callId, 2);
    expect(attemptsIn(row!)).toEqual([`one ${code}`, "two"]);
    await until("no calls", async () => (await bench.sizeOf("trunk", "two")) === 0);
  });

  test("takes a call after silence, and its BYE comes from its own trunk only", async () => {
    bench = await two();
    bench.gateways["one"]!.behave(silent);
    const call = await bench.call(await bench.forwarded());
    expect(call.status).toBe(200);
    const dialog = calleeDialogOf(bench.gateways["two"]!.requests("INVITE")[0]!, call.final);
    const bye = (name: string) =>
      bench.gateways[name]!.ask(writeInDialog(bench.gateways[name]!, dialog, "BYE"), bench.kamailio.at);
    expect((await bye("one")).status).toBe(403);
    expect((await bye("two")).status).toBe(200);
    const [row] = await bench.rowsOf(call.dialog.callId, 2);
    expect(attemptsIn(row!)).toEqual(["one s", "two"]);
  });

  test("takes a call that the first rejects by TCP, and each counts only its own", async () => {
    bench = await two({ transport: "tcp" });
    await bench.gateways["one"]!.close();
    const call = await bench.call(await bench.forwarded());
    expect(call.status).toBe(200);
    expect([await bench.sizeOf("trunk", "one"), await bench.sizeOf("trunk", "two")]).toEqual([0, 1]);
    await call.bye();
    const [row] = await bench.rowsOf(call.dialog.callId, 2);
    expect(attemptsIn(row!)).toEqual(["one n", "two"]);
  });

  test("takes a long request by UDP after the first was tried by TCP and UDP", async () => {
    bench = await two();
    bench.gateways["one"]!.behave(silent);
    const call = await bench.call(await bench.forwarded(), { headers: [["Subject", "x".repeat(700)]] });
    expect(call.status).toBe(200);
    await call.bye();
    const [row] = await bench.rowsOf(call.dialog.callId, 2);
    expect(attemptsIn(row!)).toEqual(["one n", "one s", "two n", "two"]);
  });

  test.for(["486 Busy Here", "603 Decline", "404 Not Found"])(
    "does not get a call after %s",
    async (status) => {
      bench = await two();
      bench.gateways["one"]!.behave(answerWith(status));
      const call = await bench.call(await bench.forwarded());
      expect(call.status).toBe(Number(status.slice(0, 3)));
      expect(invitesAt("two")).toBe(0);
    },
  );

  test("does not get a call that rang and then timed out at the first", async () => {
    bench = await two();
    bench.gateways["one"]!.behave(answerWith("180 Ringing", "408 Timeout"));
    const call = await bench.call(await bench.forwarded());
    expect(call.status).toBe(480);
    expect(invitesAt("two")).toBe(0);
  });

  test("does not get a call whose caller has hung up", async () => {
    bench = await two();
    bench.gateways["one"]!.behave((request) =>
      request.method === "INVITE"
        ? [{ status: "180 Ringing" }, { status: "503 Later", afterMs: 600 }]
        : [{ status: "200 OK" }],
    );
    const invite = writeInvite(bench.caller, await bench.forwarded());
    await bench.caller.ask(invite, bench.kamailio.at, (status) => status === 180);
    await bench.caller.ask(writeCancel(invite), bench.kamailio.at, () => true);
    expect((await bench.caller.ask(invite, bench.kamailio.at)).status).toBe(487);
    expect(invitesAt("two")).toBe(0);
  });

  test("gets a call after a late 200 of the first, which is hung up", async () => {
    bench = await two();
    bench.gateways["one"]!.behave((request) =>
      request.method === "INVITE" ? [{ status: "200 Late", afterMs: 2_600 }] : [{ status: "200 OK" }],
    );
    const call = await bench.call(await bench.forwarded());
    expect(call.status).toBe(200);
    await until("the late answer's end", () => bench.gateways["one"]!.requests("BYE").length > 0);
    expect(invitesAt("two")).toBe(1);
    await call.bye();
  });
});

test("each gateway gets its own password, once", async () => {
  bench = await openGatewayBench([
    { name: "one", priority: 1, password: "first", ...unpinged },
    { name: "two", priority: 2, password: `sec$o"nd\\|`, ...unpinged },
    { name: "three", priority: 3, ...unpinged },
  ]);
  bench.gateways["one"]!.behave(guarded("first", "503 Full"));
  bench.gateways["two"]!.behave(guarded(`sec$o"nd\\|`));
  const call = await bench.call(await bench.forwarded());
  expect(call.status).toBe(200);
  expect([invitesAt("one"), invitesAt("two"), invitesAt("three")]).toEqual([2, 2, 0]);
  const [, last] = bench.gateways["two"]!.requests("INVITE");
  expect(last!.startLine).toContain(`@${bench.gateways["two"]!.transport.address}:5080`);
  expect(await call.bye()).toBe(200);
});

test("shares calls by weight among gateways of one priority", async () => {
  bench = await openGatewayBench([
    { name: "one", weight: 75, ...unpinged },
    { name: "two", weight: 25, ...unpinged },
    { name: "three", priority: 2, weight: 100, ...unpinged },
  ]);
  const number = await bench.forwarded();
  for (let calls = 0; calls < 200; calls += 1) await (await bench.call(number)).bye();
  expect(invitesAt("one") + invitesAt("two")).toBe(200);
  // 150 is expected. The limits are six standard deviations away.
  expect(invitesAt("one")).toBeGreaterThan(113);
  expect(invitesAt("one")).toBeLessThan(187);
});

test("fills each gateway to its limit and not beyond, however many calls come at once", async () => {
  bench = await openGatewayBench(
    [
      { name: "one", priority: 1, max_calls: 7, ...unpinged },
      { name: "two", priority: 2, max_calls: 5, ...unpinged },
    ],
    { workers: 4 },
  );
  const number = await bench.forwarded();
  const calls = await Promise.all(Array.from({ length: 40 }, () => bench.call(number)));
  const answered = calls.filter(({ status }) => status === 200);
  expect(answered).toHaveLength(12);
  expect([invitesAt("one"), invitesAt("two")]).toEqual([7, 5]);
  const full = calls.find(({ status }) => status !== 200)!;
  expect(full.status).toBe(480);
  expect(await bench.rowsOf(full.dialog.callId, 1)).toMatchObject([{ kind: "gateway_full" }]);
  expect(await answered[0]!.bye()).toBe(200);
  await until(
    "room",
    async () => (await bench.sizeOf("trunk", "one")) + (await bench.sizeOf("trunk", "two")) < 12,
  );
  expect((await bench.call(number)).status).toBe(200);
});

describe("pings", () => {
  test("skip a gateway that does not reply, until it does", async () => {
    bench = await openGatewayBench([
      { name: "one", priority: 1 },
      { name: "two", priority: 2 },
    ]);
    const number = await bench.forwarded();
    bench.gateways["one"]!.behave(silent);
    const stateOf = async (): Promise<string> => {
      const text = JSON.stringify(await bench.kamailio.rpc("dispatcher.list"));
      return new RegExp(`${bench.gateways["one"]!.transport.address}:5080[^}]*?"FLAGS":"(\\w+)"`).exec(
        text,
      )![1]!;
    };
    await until("one is down", async () => (await stateOf()).startsWith("I"));
    const before = invitesAt("one");
    expect((await bench.call(number)).status).toBe(200);
    expect(invitesAt("one")).toBe(before);
    bench.gateways["two"]!.behave(silent);
    bench.gateways["one"]!.behave(answerWith("200 OK"));
    await until("one is up", async () => (await stateOf()) === "AP");
    expect((await bench.call(number)).status).toBe(200);
    expect(invitesAt("one")).toBe(before + 1);
  });

  test("find no gateway if all are down", async () => {
    bench = await openGatewayBench([{ name: "one" }]);
    bench.gateways["one"]!.behave(silent);
    await until("one is down", async () =>
      JSON.stringify(await bench.kamailio.rpc("dispatcher.list")).includes('"FLAGS":"IP"'),
    );
    const call = await bench.call(await bench.forwarded());
    expect(call.status).toBe(480);
    expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ kind: "no_gateway" }]);
  });

  test("do not go to a gateway without them, which stays in use however often it is silent", async () => {
    bench = await openGatewayBench([
      { name: "one", priority: 1, ping: false },
      { name: "two", priority: 2 },
    ]);
    const number = await bench.forwarded();
    bench.gateways["one"]!.behave(silent);
    await until("pings", () => bench.gateways["two"]!.requests("OPTIONS").length > 2);
    for (let calls = 1; calls <= 4; calls += 1) {
      expect((await bench.call(number)).status).toBe(200);
      expect(invitesAt("one")).toBe(calls);
    }
    expect(bench.gateways["one"]!.requests("OPTIONS")).toEqual([]);
    bench.gateways["one"]!.behave(answerWith("200 OK"));
    await (await bench.call(number)).bye();
    expect([invitesAt("one"), invitesAt("two")]).toEqual([5, 4]);
  });

  test("take a gateway out of use after two calls without a response", async () => {
    bench = await openGatewayBench(
      [
        { name: "one", priority: 1 },
        { name: "two", priority: 2 },
      ],
      {
        ping_seconds: 60,
      },
    );
    const number = await bench.forwarded();
    bench.gateways["one"]!.behave(silent);
    for (let calls = 0; calls < 3; calls += 1) expect((await bench.call(number)).status).toBe(200);
    expect([invitesAt("one"), invitesAt("two")]).toEqual([2, 3]);
  });
});

test("a forward step tries all its gateways before the call fails over", async () => {
  bench = await two();
  const number = await bench.forwarded();
  for (const name of ["one", "two"]) bench.gateways[name]!.behave(answerWith("503 Down"));
  const last = await bench.phone();
  const { address, port } = last.transport;
  const uri = `sip:a@${address}:${port};transport=udp`;
  await bench.kamailio.set("rt", { [number]: `F|7|1|id|${TO}||u|${uri}|||u||||||` });
  const call = await bench.call(number);
  expect(call.status).toBe(200);
  expect([invitesAt("one"), invitesAt("two")]).toEqual([1, 1]);
  expect(headerOf(last.requests("INVITE")[0]!, "X-Dialplane-Forwarded")).toBe("");
  expect([await bench.sizeOf("trunk", "one"), await bench.sizeOf("trunk", "two")]).toEqual([0, 0]);
  expect(await bench.sizeOf("forward", number)).toBe(0);
  await call.bye();
});
