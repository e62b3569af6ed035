import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressOf, uriOf } from "./sip/call-bench.ts";
import {
  dialTo,
  type FailoverBench,
  forwardTo,
  openFailoverBench,
  rowOf,
  toPhone,
  triedIn,
} from "./sip/failover-bench.ts";
import { answerWith, type Manners, type Phone } from "./sip/phone.ts";
import { dialogOf, writeCancel, writeInDialog, writeInvite } from "./sip/sip-call.ts";
import { headerOf, headersOf, writeReply } from "./sip/sip-message.ts";
import { openStore } from "./sip/switch-store.ts";
import { until } from "./sip/until.ts";

let bench: FailoverBench;
beforeAll(async () => {
  bench = await openFailoverBench();
});
afterAll(() => bench?.[Symbol.asyncDispose]());

const behaving = async (...replies: Parameters<typeof answerWith>): Promise<Phone> => {
  const phone = await bench.phone();
  phone.behave(answerWith(...replies));
  return phone;
};
async function goneByTcp(): Promise<Phone> {
  const gone = await bench.phone({ kind: "tcp" });
  await gone.close();
  return gone;
}
const sizeOf = async (profile: string, value: string): Promise<number> =>
  Number(
    JSON.stringify(await bench.kamailio.rpc("dlg.profile_get_size", [profile, value])).match(/\d+/)?.[0],
  );

describe("the calls of a connection or gateway are counted", () => {
  test("only while its step has them", async () => {
    const [busy, answering] = [await behaving("486 Busy Here"), await bench.phone()];
    const [failed, taken] = [await bench.connection([busy]), await bench.connection([answering])];
    const forwarded = bench.forwardTo(answerWith("503 Service Unavailable"));
    const number = await bench.steps([
      { to: `c|${failed}|` },
      { to: `f|${forwarded}|`, on: "b" },
      { to: `c|${taken}|`, on: "u" },
    ]);
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    expect(await sizeOf("connection", failed)).toBe(0);
    expect(await sizeOf("forward", number)).toBe(0);
    expect(await sizeOf("trunk", "gate")).toBe(0);
    expect(await sizeOf("connection", taken)).toBe(1);
    expect(await call.bye()).toBe(200);
    await until("no calls", async () => (await sizeOf("connection", taken)) === 0);
  });

  test("not if it is full, or its transport rejects the connection at once", async () => {
    const [gone, holding] = [await goneByTcp(), await bench.phone()];
    const full = await bench.connection([holding], { most: 1 });
    const held = await bench.call(await bench.number({ mode: "c", argument: full }));
    const unreachable = await bench.connection([gone]);
    const to = bench.forwardTo(answerWith("200 OK"));
    const number = await bench.steps([
      { to: `c|${full}|` },
      { to: `c|${unreachable}|`, on: "b" },
      { to: `f|${to}|`, on: "u" },
    ]);
    const call = await bench.call(number);
    expect(call.status).toBe(200);
    expect(await sizeOf("connection", full)).toBe(1);
    expect(await sizeOf("connection", unreachable)).toBe(0);
    expect(await sizeOf("forward", number)).toBe(1);
    expect([await call.bye(), await held.bye()]).toEqual([200, 200]);
  });
});

test("sends the gateway the reason of the diversion", async () => {
  const reasons = {
    failing: "unavailable",
    busy: "user-busy",
    ringing: "no-answer",
    declining: "unavailable",
  } as const;
  for (const [end, reason] of Object.entries(reasons)) {
    const to = bench.forwardTo(answerWith("200 OK"));
    const { number } = await bench.plan([{ mode: "u", end: end as keyof typeof reasons, ring: 1 }]);
    const [row] = (await bench.kamailio.control("G", "rt", [number])).slice(1);
    const uri = row!.split("|")[4]!;
    const forwarding = await bench.steps([
      { to: `u|${uri}|`, ring: 1 },
      { to: `f|${to}|`, on: "unbr" },
    ]);
    const call = await bench.call(forwarding);
    expect(call.status).toBe(200);
    expect(headersOf(bench.forwardsTo(to)[0]!, "Diversion")).toEqual([
      `<sip:${forwarding}@${bench.kamailio.at.address}>;reason=${reason}`,
    ]);
    await call.bye();
  }
});

test("a forward step that is not the last adds nothing to the requests of later steps", async () => {
  const to = bench.forwardTo(answerWith("486 Busy Here"));
  const answering = await bench.phone();
  const call = await bench.call(await bench.steps([{ to: `f|${to}|` }, { to: toPhone(answering), on: "b" }]));
  expect(call.status).toBe(200);
  expect(headersOf(bench.forwardsTo(to)[0]!, "Diversion")[0]).toMatch(/;reason=unconditional$/);
  const names = answering.requests("INVITE")[0]!.headers.map(([name]) => name);
  expect(names).not.toContain("Diversion");
  expect(names).not.toContain("X-Dialplane-Forwarded");
  expect(names.filter((name) => name === "X-Dialplane-Record")).toHaveLength(1);
  await call.bye();
});

describe("a webhook in a later step", () => {
  test("is sent the call's own number, record and URL, whatever the caller writes", async () => {
    const [busy, chosen] = [await behaving("486 Busy Here"), await bench.phone()];
    const url = bench.webhook(dialTo(addressOf(chosen)));
    const number = await bench.steps([{ to: toPhone(busy) }, { to: `w|${url}|`, on: "b" }]);
    const headers: [string, string][] = [
      ["X-Dialplane-Number", "+1555"],
      ["X-Dialplane-Url", "https://elsewhere.invalid"],
    ];
    const call = await bench.call(number, { headers });
    expect(call.status).toBe(200);
    const question = bench.agent.requests("INVITE").at(-1)!;
    expect(headersOf(question, "X-Dialplane-Number")).toEqual([number]);
    expect(headersOf(question, "X-Dialplane-Url")).toEqual([url]);
    expect(headersOf(question, "X-Dialplane-Generation")).toEqual(["7"]);
    expect(headersOf(question, "X-Dialplane-Number-Id")).toEqual([`id-${number}`]);
    expect(await call.bye()).toBe(200);
    const rows = await bench.rowsOf(call.dialog.callId, 2);
    expect(headersOf(question, "X-Dialplane-Record")).toEqual([rows[0]!.record]);
    expect(rows.map(({ mode, target }) => [mode, target])[0]).toEqual(["U2", "sip:chosen@pbx.invalid"]);
  });

  test("that decides nothing ends the call as unrouted if no step follows", async () => {
    const busy = await behaving("486 Busy Here");
    const url = bench.webhook({ status: "500 Undecided" });
    const call = await bench.call(await bench.steps([{ to: toPhone(busy) }, { to: `w|${url}|`, on: "b" }]));
    expect(call.status).toBe(480);
    expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ kind: "unrouted", mode: "U2" }]);
  });

  test("has the last word if it rejects the call", async () => {
    const [declining, other] = [await behaving("603 Decline"), await bench.phone()];
    const url = bench.webhook({ status: "404 Not Found" });
    const call = await bench.call(
      await bench.steps([
        { to: toPhone(declining) },
        { to: `w|${url}|`, on: "r" },
        { to: toPhone(other), on: "unbr" },
      ]),
    );
    expect(call.status).toBe(404);
    expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ kind: "webhook_refused" }]);
    expect(other.requests("INVITE")).toEqual([]);
  });

  test("may follow another, and forward", async () => {
    const answering = bench.forwardTo(answerWith("200 OK"));
    const busy = await behaving("486 Busy Here");
    const [first, second] = [bench.webhook(dialTo(addressOf(busy))), bench.webhook(forwardTo(answering))];
    const call = await bench.call(
      await bench.steps([{ to: `w|${first}|` }, { to: `w|${second}|`, on: "b" }]),
    );
    expect(call.status).toBe(200);
    expect(headersOf(bench.forwardsTo(answering)[0]!, "Diversion")[0]).toMatch(/;reason=user-busy$/);
    expect(await call.bye()).toBe(200);
    const [row] = await bench.rowsOf(call.dialog.callId, 2);
    expect([row!.mode, ...triedIn(row!)]).toEqual(["W2", 1, 2]);
  });
});

test("leaves each step a share of tm's branches, however many targets the steps before have", async () => {
  const gone = await Promise.all(Array.from({ length: 8 }, goneByTcp));
  const broken = await Promise.all(Array.from({ length: 8 }, () => behaving("503 Service Unavailable")));
  const answering = await bench.phone();
  const number = await bench.steps([
    { to: `c|${await bench.connection(gone)}|` },
    { to: `c|${await bench.connection(broken)}|`, on: "u" },
    { to: toPhone(answering), on: "u" },
  ]);
  const call = await bench.call(number);
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);
  const [row] = await bench.rowsOf(call.dialog.callId, 2);
  expect(row!.mode).toBe("C3");
  const tried = triedIn(row!);
  expect(tried.filter((step) => step === 1).length).toBeGreaterThanOrEqual(5);
  expect(tried.filter((step) => step === 2).length).toBeGreaterThanOrEqual(2);
});

test("never returns to the targets of a step that has failed", async () => {
  const [busy, unused, gone] = [await behaving("486 Busy Here"), await bench.phone(), await goneByTcp()];
  await bench.kamailio.set("host", { "two.example": [busy, unused].map(addressOf).join(",") });
  const both = await bench.connection([busy, unused]);
  const dead = await bench.connection([gone]);
  const numbers = [
    await bench.steps([{ to: `c|${both}|` }, { to: toPhone(gone), on: "b" }]),
    await bench.steps([{ to: "u|sip:a@two.example|two.example" }, { to: `c|${dead}|`, on: "b" }]),
  ];
  for (const number of numbers) {
    const call = await bench.call(number);
    expect(call.status).toBe(480);
    const [row] = await bench.rowsOf(call.dialog.callId, 1);
    expect([row!.kind, ...triedIn(row!)]).toEqual(["not_sent", 1, 2]);
  }
  expect(busy.requests("INVITE")).toHaveLength(2);
  expect(unused.requests("INVITE")).toEqual([]);
});

test("authenticates at the gateway in every forward step", async () => {
  const challenge: [string, string] = ["Proxy-Authenticate", 'Digest realm="g", nonce="n"'];
  const guarded =
    (status: string): Manners =>
    (request) => {
      if (request.method !== "INVITE") return [{ status: "200 OK" }];
      if (headerOf(request, "Proxy-Authorization") !== "") return [{ status }];
      return [{ status: "407 Password", headers: [challenge] }];
    };
  await using own = await openFailoverBench({}, "secret");
  const [first, second] = [own.forwardTo(guarded("486 Busy Here")), own.forwardTo(guarded("200 OK"))];
  const call = await own.call(await own.steps([{ to: `f|${first}|` }, { to: `f|${second}|`, on: "b" }]));
  expect(call.status).toBe(200);
  expect([own.forwardsTo(first).length, own.forwardsTo(second).length]).toEqual([2, 2]);
  expect(await call.bye()).toBe(200);
  expect(triedIn((await own.rowsOf(call.dialog.callId, 2))[0]!)).toEqual([1, 1, 2, 2]);
});

test("a long request that needs UDP again stays in its step", async () => {
  const headers: [string, string][] = [["Subject", "x".repeat(700)]];
  const [busy, second] = [await behaving("486 Busy Here"), await bench.phone()];
  const call = await bench.call(
    await bench.steps([{ to: toPhone(busy) }, { to: toPhone(second), on: "b" }]),
    { headers },
  );
  expect(call.status).toBe(200);
  expect(second.requests("INVITE")[0]!.startLine).toBe(`INVITE ${uriOf(second)} SIP/2.0`);
  expect(await call.bye()).toBe(200);
  expect(triedIn((await bench.rowsOf(call.dialog.callId, 2))[0]!)).toEqual([1, 1, 2, 2]);
});

test("replies 487 to a caller who hangs up, although the phone of the first step rings on", async () => {
  const [deaf, other] = [await behaving("180 Ringing"), await bench.phone()];
  deaf.behave((request) => (request.method === "INVITE" ? [{ status: "180 Ringing" }] : []));
  const number = await bench.steps([
    { to: toPhone(deaf), ring: 1 },
    { to: toPhone(other), on: "unbr" },
  ]);
  const invite = writeInvite(bench.caller, number);
  await bench.caller.ask(invite, bench.kamailio.at, (status) => status === 180);
  await bench.caller.ask(writeCancel(invite), bench.kamailio.at, () => true);
  const final = await bench.caller.ask(invite, bench.kamailio.at);
  expect(final.status).toBe(487);
  expect(other.requests("INVITE")).toEqual([]);
});

describe("a call in its second step", () => {
  test("is answered after the switch was killed, and its rows name the step", async () => {
    await using own = await openFailoverBench();
    const [busy, slow] = [await own.phone(), await own.phone()];
    busy.behave(answerWith("486 Busy Here"));
    slow.behave(answerWith("180 Ringing"));
    const number = "+4930901820";
    using store = openStore(own.kamailio.dataFolder);
    const text = rowOf("id-1", [{ to: toPhone(busy) }, { to: toPhone(slow), on: "b" }]);
    store.put("rt", { [number]: text });
    store.mark("complete", "1");
    const invite = writeInvite(own.caller, number);
    await own.kamailio.set("rt", { [number]: text });
    await own.caller.ask(invite, own.kamailio.at, (status) => status === 180);
    const rung = slow.requests("INVITE")[0]!;
    await own.kamailio.kill();
    await own.kamailio.start();
    const answer = writeReply(rung, "200 OK", [["Contact", `<${slow.contact}>`]], "answered");
    await slow.sendText(answer, own.kamailio.at);
    const { message } = await until("the answer", () =>
      own.caller.received.find((one) => one.message.status === 200),
    );
    const dialog = dialogOf(message);
    await own.caller.sendText(writeInDialog(own.caller, dialog, "ACK"), own.kamailio.at);
    await until("the ACK", () => slow.requests("ACK").length > 0);
    const bye = writeInDialog(own.caller, { ...dialog, cseq: 2 }, "BYE");
    expect((await own.caller.ask(bye, own.kamailio.at)).status).toBe(200);
    const rows = await own.rowsOf(dialog.callId, 2);
    expect(rows.map(({ method, mode }) => `${method} ${mode}`)).toEqual(["ACK U2", "BYE U2"]);
    expect(triedIn(rows[0]!)).toEqual([2]);
    expect(headerOf(rung, "X-Dialplane-Record")).toBe(rows[0]!.record);
  });

  test("ends after the switch was killed, and its rows name the step", async () => {
    await using own = await openFailoverBench();
    const [busy, answering] = [await own.phone(), await own.phone()];
    busy.behave(answerWith("486 Busy Here"));
    const number = await own.steps([{ to: toPhone(busy) }, { to: toPhone(answering), on: "b" }]);
    const call = await own.call(number);
    await own.rowsOf(call.dialog.callId, 1);
    await own.kamailio.kill();
    await own.kamailio.start();
    expect(await call.bye()).toBe(200);
    const rows = await own.rowsOf(call.dialog.callId, 2);
    expect(rows.map(({ method, mode }) => `${method} ${mode}`)).toEqual(["INVITE U2", "BYE U2"]);
  });

  test("is rejected after the switch was killed, and its row names the step", async () => {
    await using own = await openFailoverBench();
    const [busy, slow] = [await own.phone(), await own.phone()];
    busy.behave(answerWith("486 Busy Here"));
    slow.behave(answerWith("180 Ringing"));
    const to = await own.connection([slow]);
    const number = await own.steps([{ to: toPhone(busy) }, { to: `c|${to}|`, on: "b" }]);
    const invite = writeInvite(own.caller, number);
    const ringing = await own.caller.ask(invite, own.kamailio.at, (status) => status === 180);
    await own.kamailio.kill();
    await own.kamailio.start();
    await slow.sendText(writeReply(slow.requests("INVITE")[0]!, "603 Decline", [], "no"), own.kamailio.at);
    const [row] = await own.rowsOf(headerOf(ringing, "Call-ID"), 1);
    expect(row).toMatchObject({ code: "603", mode: "U2" });
    expect(row!.events).toMatch(/^t c2 /);
  });

  test("continues while the agent is down, and a later webhook is undecided", async () => {
    await using own = await openFailoverBench();
    const [answering, busy] = [await own.phone(), await own.phone()];
    busy.behave(answerWith("486 Busy Here"));
    const up = await own.call(await own.steps([{ to: toPhone(busy) }, { to: toPhone(answering), on: "b" }]));
    own.stopBeating();
    await own.agent.close();
    const last = await own.phone();
    const number = await own.steps([
      { to: toPhone(busy) },
      { to: "w|https://hooks.invalid/none|", on: "b" },
      { to: toPhone(last) },
    ]);
    // At first the port rejects the request, then the agent's last sign of life is too old.
    const calls = [await own.call(number)];
    await own.kamailio.mark({ hb: "0" });
    calls.push(await own.call(number));
    for (const call of calls) {
      expect(call.status).toBe(200);
      expect(await call.bye()).toBe(200);
      expect((await own.rowsOf(call.dialog.callId, 2))[0]!.mode).toBe("U3");
    }
    expect(await up.bye()).toBe(200);
  });
});
