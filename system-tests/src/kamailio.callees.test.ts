import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressOf, type CallBench, openBench } from "./sip/call-bench.ts";
import { answerWith, type Phone } from "./sip/phone.ts";
import { type Call, calleeDialogOf, writeInDialog } from "./sip/sip-call.ts";
import { headerOf, headersOf } from "./sip/sip-message.ts";
import { until } from "./sip/until.ts";

let bench: CallBench;
let sets = 60;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.[Symbol.asyncDispose]());

/** A number whose calls go to these targets, one priority each. */
async function numberOver(targets: Phone[], { ring = 0, sources = "" } = {}): Promise<string> {
  const ids = [];
  for (const { transport } of targets) {
    sets += 1;
    ids.push(sets);
    const uri = `sip:${transport.address}:${transport.port};transport=${transport.kind}`;
    await bench.kamailio.rpc("dispatcher.add", [
      sets,
      uri,
      0,
      0,
      `rweight=1;duid=${sets};host=pbx-${sets}.example`,
    ]);
  }
  const id = `connection-${ids[0]}`;
  const row = `1|3|0|${ring}|${ids.map((set) => `${set}=11`).join(";")}|x${sources && `|${sources}`}`;
  await bench.kamailio.set("cn", { [id]: row });
  return bench.number({ mode: "c", argument: id });
}

async function numberByName(name: string, addresses: Phone[]): Promise<string> {
  await bench.kamailio.set("host", { [`${name}:5060;udp`]: addresses.map(addressOf).join(",") });
  const host = `${name}:5060;udp`;
  return bench.number({ mode: "u", argument: `sip:a@${name}:5060;transport=udp`, host });
}

/** Response to a BYE from a member of the callee's cluster. */
async function hangUpFrom(member: Phone, callee: Phone, call: Call): Promise<number> {
  const [invite] = callee.requests("INVITE");
  const asCallee = calleeDialogOf(invite!, call.final);
  return (await member.ask(writeInDialog(member, asCallee, "BYE"), bench.kamailio.at)).status!;
}

const endsOf = async ({ dialog }: Call): Promise<string[]> =>
  (await bench.rowsOf(dialog.callId, 2)).map(({ method, code }) => `${method} ${code}`);

describe("who may hang up for the callee", () => {
  test("the address that the callee names in its Contact", async () => {
    const sibling = await bench.phone();
    const callee = await bench.phone({ contact: sibling.contact });
    const call = await bench.call(await bench.numberTo(callee));
    expect(await hangUpFrom(sibling, callee, call)).toBe(200);
    expect(await endsOf(call)).toEqual(["INVITE 200", "BYE 200"]);
  });

  test("every address of the name that was called", async () => {
    const [callee, sibling, stranger] = [await bench.phone(), await bench.phone(), await bench.phone()];
    const call = await bench.call(await numberByName("cluster.example", [callee, sibling]));
    expect(await hangUpFrom(stranger, callee, call)).toBe(403);
    expect(await hangUpFrom(sibling, callee, call)).toBe(200);
    expect(await endsOf(call)).toEqual(["INVITE 200", "BYE 200"]);
  });

  test("the networks that the connection names as its sources", async () => {
    const [callee, sibling, stranger] = [await bench.phone(), await bench.phone(), await bench.phone()];
    const sources = `192.0.2.0/24,${sibling.transport.address}/32`;
    const call = await bench.call(await numberOver([callee], { sources }));
    expect(await hangUpFrom(stranger, callee, call)).toBe(403);
    expect(await hangUpFrom(sibling, callee, call)).toBe(200);
    expect(await endsOf(call)).toEqual(["INVITE 200", "BYE 200"]);
  });
});

const answersAfter = (afterMs: number) => answerWith("180 Ringing", { status: "200 OK", afterMs });

async function expectHungUp(late: Phone): Promise<void> {
  await until("a BYE for the late answer", () => late.requests("BYE").length === 1);
  const [[ack], [bye]] = [late.requests("ACK"), late.requests("BYE")];
  expect(headerOf(ack!, "CSeq")).toBe("1 ACK");
  expect(headerOf(bye!, "CSeq")).toBe("2 BYE");
  expect(headerOf(bye!, "Reason")).toBe("Q.850;cause=19");
  expect(headerOf(bye!, "To")).toBe(headerOf(ack!, "To"));
}

describe("hangs up on a target that answers too late", () => {
  test("while another has the call", async () => {
    const [late, other] = [await bench.phone(), await bench.phone()];
    late.behave(answersAfter(1_800));
    const call = await bench.call(await numberOver([late, other], { ring: 1 }));
    expect(call.status).toBe(200);
    await expectHungUp(late);
    expect(other.requests("BYE")).toEqual([]);
    expect(await call.bye()).toBe(200);
    expect(await endsOf(call)).toEqual(["INVITE 200", "BYE 200"]);
  });

  test.each([1_800, 9_000])("when the call has failed, after %i ms", async (afterMs) => {
    const late = await bench.phone();
    late.behave(answersAfter(afterMs));
    const call = await bench.call(await numberOver([late], { ring: 1 }));
    expect(call.status).toBe(480);
    await expectHungUp(late);
    expect((await bench.rowsOf(call.dialog.callId, 1)).map(({ kind }) => kind)).toEqual(["no_answer"]);
  });

  test("by way of the proxies behind which it is", async () => {
    const late = await bench.phone();
    const [near, far] = ["<sip:192.0.2.7;lr>", "<sip:192.0.2.8;lr>"];
    const throughProxies = (text: string): string =>
      text.replace("Record-Route:", `Record-Route: ${far}\r\nRecord-Route: ${near}\r\nRecord-Route:`);
    late.behave(answerWith("180 Ringing", { status: "200 OK", afterMs: 1_800, spoil: throughProxies }));
    expect((await bench.call(await numberOver([late], { ring: 1 }))).status).toBe(480);
    await expectHungUp(late);
    expect(headersOf(late.requests("BYE")[0]!, "Route").join(", ")).toBe(`${near}, ${far}`);
  });
});

describe("writes the events of a call to its row", () => {
  /** Entry by entry, without moments. */
  const eventsOf = async (callId: string): Promise<string[]> => {
    const [row] = await bench.rowsOf(callId, 1);
    return row!.events
      .split("^")
      .slice(0, -1)
      .map((entry) => entry.replace(/ (\d{10}\.\d{1,6}|-)/, ""));
  };

  test("every target that was tried, when it rang and how it ended", async () => {
    const [busy, ringing, answering] = [await bench.phone(), await bench.phone(), await bench.phone()];
    const silent = await bench.phone();
    silent.behave(() => []);
    busy.behave(answerWith({ status: "503 Service Unavailable", headers: [["Reason", "Q.850;cause=42"]] }));
    ringing.behave(answersAfter(3_000));
    answering.behave(answersAfter(200));
    const call = await bench.call(await numberOver([silent, busy, ringing, answering], { ring: 1 }));
    expect(call.status).toBe(200);
    await call.bye();
    const [tried, ...events] = await eventsOf(call.dialog.callId);
    const { address, port } = silent.transport;
    expect(tried).toMatch(
      new RegExp(`^t c ${address}~${port}~udp rweight=1;duid=\\d+;host=pbx-\\d+\\.example$`),
    );
    expect(events.map((entry) => (entry.startsWith("t c ") ? "t c" : entry))).toEqual([
      "e s",
      "t c",
      "e 503",
      "t c",
      "r",
      "e t",
      "t c",
      "r",
    ]);
  });

  test("the cause that the target gives, and nothing else that it writes there", async () => {
    const callee = await bench.phone();
    const reason = (value: string) =>
      callee.behave(answerWith({ status: "486 Busy Here", headers: [["Reason", value]] }));
    const number = await bench.numberTo(callee);
    const causesOf = async (value: string): Promise<string[]> => {
      reason(value);
      const events = await eventsOf((await bench.call(number)).dialog.callId);
      return events.slice(events.indexOf("e 486") + 1);
    };
    expect(await causesOf('Q.850;cause=17;text="User busy"')).toEqual(["q 17"]);
    expect(await causesOf("SIP;cause=486")).toEqual([]);
    expect(await causesOf("Q.850;cause=17^t u 1794737945.280000 192.0.2.1~5060~udp x")).toEqual(["q 17"]);
  });

  test("a URI with a name, and one whose host rejects the connection", async () => {
    const callee = await bench.phone();
    callee.behave(answersAfter(200));
    const gone = await bench.phone({ kind: "tcp" });
    await gone.close();
    const name = "pbx.example.com";
    await bench.kamailio.set("host", { [name]: `${addressOf(gone)},${addressOf(callee)}` });
    const number = await bench.number({ mode: "u", argument: `sip:a@${name}`, host: name });
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    await call.bye();
    const legOf = ({ transport: { address, port, kind } }: Phone): string => `${address}~${port}~${kind}`;
    expect(await eventsOf(call.dialog.callId)).toEqual([
      `t u ${legOf(gone)} `,
      "e n",
      `t u ${legOf(callee)} `,
      "r",
    ]);
  });
});

test("never returns a long request to a target that rejected it after trying one without TCP", async () => {
  const headers: [string, string][] = [["Subject", "x".repeat(700)]];
  const [refusing, silent, answering] = [await bench.phone(), await bench.phone(), await bench.phone()];
  const { address, port } = refusing.transport;
  const byTcp = await bench.phone({ kind: "tcp", port }, address);
  byTcp.behave(answerWith("503 Service Unavailable"));
  // That it takes no TCP is known from a call before.
  expect((await bench.call(await bench.numberTo(silent), { headers })).status).toBe(200);
  silent.behave(() => []);
  const call = await bench.call(await numberOver([refusing, silent, answering]), { headers });
  expect(call.status).toBe(200);
  expect(byTcp.requests("INVITE")).toHaveLength(1);
  expect(refusing.requests("INVITE")).toEqual([]);
  expect(answering.requests("INVITE")).toHaveLength(1);
});

test("a long request that goes back to UDP at a connection's second target keeps that target's URI", async () => {
  const headers: [string, string][] = [["Subject", "x".repeat(700)]];
  const [refusing, second] = [await bench.phone(), await bench.phone()];
  refusing.behave(answerWith("503 Service Unavailable"));
  const { address, port } = second.transport;
  const deaf = await bench.phone({ kind: "tcp", port }, address);
  deaf.behave(() => []);
  const number = await numberOver([refusing, second]);
  expect((await bench.call(number, { headers })).status).toBe(200);
  expect(deaf.requests("INVITE")).toHaveLength(1);
  expect(second.requests("INVITE")[0]!.startLine).toBe(`INVITE sip:${number}@${address}:${port} SIP/2.0`);
});
