import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { openBench } from "./sip/call-bench.ts";
import type { Phone } from "./sip/phone.ts";
import { answerWith } from "./sip/phone.ts";
import { calleeDialogOf, writeInDialog } from "./sip/sip-call.ts";
import { headerOf } from "./sip/sip-message.ts";
import { until } from "./sip/until.ts";

let bench: CallBench;
let sets = 30;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.[Symbol.asyncDispose]());

const targetOf = ({ transport }: Phone): string =>
  `sip:${transport.address}:${transport.port};transport=${transport.kind}`;

/** One dispatcher set for each tier. By default all targets of a tier have the same weight. */
async function connect(tiers: Phone[][], row: { most?: number; ring?: number; weights?: number[] } = {}) {
  const ids: number[] = [];
  for (const tier of tiers) {
    sets += 1;
    ids.push(sets);
    for (const [index, target] of tier.entries())
      await bench.kamailio.rpc("dispatcher.add", [
        sets,
        targetOf(target),
        0,
        0,
        `rweight=${row.weights?.[index] ?? 50};duid=c${sets}-${index}`,
      ]);
  }
  const connection = `connection-${ids[0]}`;
  const text = ids.map((id) => `${id}=11`).join(";");
  await bench.kamailio.set("cn", { [connection]: `1|3|${row.most ?? 0}|${row.ring ?? 0}|${text}|x` });
  return { number: await bench.number({ mode: "c", argument: connection }), ids };
}

async function stateOf(target: Phone): Promise<string> {
  interface Listed {
    RECORDS: { SET: { TARGETS: { DEST: { URI: string; FLAGS: string } }[] } }[];
  }
  const { RECORDS } = (await bench.kamailio.rpc("dispatcher.list")) as Listed;
  const all = RECORDS.flatMap(({ SET }) => SET.TARGETS.map(({ DEST }) => DEST));
  return all.find(({ URI }) => URI.startsWith(targetOf(target)))?.FLAGS ?? "none";
}

test("calls are shared among a tier's targets by weight, under the number that was called", async () => {
  const [one, other] = [await bench.phone(), await bench.phone()];
  const { number } = await connect([[one, other]], { weights: [75, 25] });
  for (let calls = 0; calls < 40; calls += 1) {
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    await call.bye();
  }
  const [first, second] = [one.requests("INVITE"), other.requests("INVITE")];
  expect(first.length + second.length).toBe(40);
  expect(first.length).toBeGreaterThan(second.length);
  expect(second.length).toBeGreaterThan(2);
  expect(first[0]!.startLine).toBe(
    `INVITE sip:${number}@${one.transport.address}:${one.transport.port} SIP/2.0`,
  );
});

test("calls the next tier if the first is down, without delay after probes have failed", async () => {
  const [first, second] = [await bench.phone(), await bench.phone()];
  const { number } = await connect([[first], [second]]);
  await first.close();
  const call = await bench.call(number);
  expect(call.status).toBe(200);
  expect(second.requests("INVITE")).toHaveLength(1);
  await call.bye();
  await until("the dead target to be found dead", async () => (await stateOf(first)).startsWith("I"));
  const started = performance.now();
  expect((await bench.call(number)).status).toBe(200);
  expect(performance.now() - started).toBeLessThan(1000);
  const back = await bench.phone({ port: first.transport.port }, first.transport.address);
  await until("the target that is back to be found", async () => (await stateOf(first)).startsWith("A"));
  expect((await bench.call(number)).status).toBe(200);
  expect(back.requests("INVITE")).toHaveLength(1);
});

test("a target that is broken is passed over, one that is busy is not", async () => {
  const [broken, good] = [await bench.phone(), await bench.phone()];
  const { number } = await connect([[broken], [good]]);
  broken.behave(answerWith("503 Service Unavailable"));
  expect((await bench.call(number)).status).toBe(200);
  broken.behave(answerWith("486 Busy Here"));
  expect((await bench.call(number)).status).toBe(486);
  expect(good.requests("INVITE")).toHaveLength(1);
});

test("returns the response of the last target, not of an earlier one", async () => {
  const [late, busy] = [await bench.phone(), await bench.phone()];
  const { number } = await connect([[late], [busy]]);
  late.behave(answerWith("408 Request Timeout"));
  busy.behave(answerWith("486 Busy Here"));
  const call = await bench.call(number);
  expect(call.status).toBe(486);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ code: "486" }]);
});

test("when every target is dead the caller gets 480, at once when that is known", async () => {
  const dead = await bench.phone();
  const { number } = await connect([[dead]]);
  await dead.close();
  const call = await bench.call(number);
  expect(call.status).toBe(480);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ code: "480", kind: "no_answer" }]);
  await until("the dead target to be found dead", async () => (await stateOf(dead)).startsWith("I"));
  const known = await bench.call(number);
  expect(known.status).toBe(480);
  expect(await bench.rowsOf(known.dialog.callId, 1)).toMatchObject([{ kind: "no_target" }]);
});

test("skips a target that rejects connections, and marks it as down", async () => {
  const [dead, alive] = [await bench.phone({ kind: "tcp" }), await bench.phone({ kind: "tcp" })];
  const { number } = await connect([[dead], [alive]]);
  await dead.close();
  const call = await bench.call(number);
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);
  expect(await bench.rowsOf(call.dialog.callId, 2)).toMatchObject([{ code: "200" }, { method: "BYE" }]);
  await until("the dead target to be found dead", async () => /^[IT]/.test(await stateOf(dead)));
});

test("a connection without a target's address gives 480, as does one that the switch does not hold", async () => {
  await bench.kamailio.set("cn", { "connection-empty": "1|3|0|0||x" });
  expect((await bench.call(await bench.number({ mode: "c", argument: "connection-empty" }))).status).toBe(
    480,
  );
  expect((await bench.call(await bench.number({ mode: "c", argument: "connection-none" }))).status).toBe(480);
});

test("a target that rings too long is given up for the next", async () => {
  const [silent, second] = [await bench.phone(), await bench.phone()];
  const { number } = await connect([[silent], [second]], { ring: 1 });
  silent.behave((request) =>
    request.method === "INVITE" ? [{ status: "180 Ringing" }] : [{ status: "200 OK" }],
  );
  expect((await bench.call(number)).status).toBe(200);
  expect(second.requests("INVITE")).toHaveLength(1);
  await until("the end of the ringing", () => silent.requests("CANCEL").length === 1);
});

test("a connection takes as many calls at once as it may, and more when one has ended", async () => {
  const callee = await bench.phone();
  const { number } = await connect([[callee]], { most: 2 });
  const calls = [await bench.call(number), await bench.call(number)];
  expect(calls.map(({ status }) => status)).toEqual([200, 200]);
  const third = await bench.call(number);
  expect(third.status).toBe(486);
  expect(await bench.rowsOf(third.dialog.callId, 1)).toMatchObject([{ kind: "connection_full" }]);
  await calls[0]!.bye();
  await until("room for another", async () => (await bench.call(number)).status === 200);
});

test("targets come and go while calls are up, and the others keep their state", async () => {
  const [stays, goes, comes] = [await bench.phone(), await bench.phone(), await bench.phone()];
  const { number, ids } = await connect([[goes], [stays]]);
  const call = await bench.call(number);
  expect(goes.requests("INVITE")).toHaveLength(1);
  await bench.kamailio.rpc("dispatcher.add", [ids[0]!, targetOf(comes), 0, 0, "rweight=50;duid=new"]);
  await bench.kamailio.rpc("dispatcher.remove", [ids[0]!, targetOf(goes)]);
  expect(await stateOf(goes)).toBe("none");
  expect((await stateOf(stays)).startsWith("A")).toBe(true);
  expect((await bench.call(number)).status).toBe(200);
  expect(comes.requests("INVITE")).toHaveLength(1);
  expect(await call.bye()).toBe(200);
  expect(goes.requests("BYE").map((bye) => headerOf(bye, "Call-ID"))).toEqual([call.dialog.callId]);
});

test("accepts a BYE of another target of the connection, also after its sets were rebuilt", async () => {
  const [up, beside] = [await bench.phone(), await bench.phone()];
  const { number, ids } = await connect([[up]]);
  const call = await bench.call(number);
  expect(call.status).toBe(200);
  const asUp = calleeDialogOf(up.requests("INVITE")[0]!, call.final);
  const info = (): string => writeInDialog(beside, asUp, "INFO");
  expect((await beside.ask(info(), bench.kamailio.at)).status).toBe(403);
  const { ids: anew } = await connect([[up, beside]]);
  await bench.kamailio.set("cn", { [`connection-${ids[0]}`]: `1|3|0|0|${anew[0]}=11|x` });
  await bench.kamailio.rpc("dispatcher.remove", [ids[0]!, targetOf(up)]);
  expect((await beside.ask(info(), bench.kamailio.at)).status).toBe(200);
  expect((await beside.ask(writeInDialog(beside, asUp, "BYE"), bench.kamailio.at)).status).toBe(200);
  expect(await bench.rowsOf(call.dialog.callId, 2)).toMatchObject([{ method: "INVITE" }, { method: "BYE" }]);
});
