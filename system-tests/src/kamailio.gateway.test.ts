import { expect, test } from "vitest";
import { addressOf, openBench, uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { answerWith } from "./sip/phone.ts";
import { headersOf } from "./sip/sip-message.ts";

test("limits the concurrent calls of a gateway across numbers", async () => {
  const gatewayAddress = newAddress();
  await using bench = await openBench((caller) => ({
    trunks: [
      { name: "carrier", direction: "in", sources: [caller], transport: "udp" },
      {
        name: "gate",
        direction: "out",
        sources: [gatewayAddress],
        transport: "udp",
        max_calls: 1,
        gateway: { host: gatewayAddress, port: 5080 },
      },
    ],
    forward: { gateway: "gate", prefixes: ["+44"] },
  }));
  const gateway = await bench.phone({ port: 5080 }, gatewayAddress);
  gateway.behave(answerWith("200 OK"));
  const forwarded = (): Promise<string> => bench.number({ mode: "f", argument: "+442079460000" });

  const first = await bench.call(await forwarded());
  expect(first.status).toBe(200);
  const second = await bench.call(await forwarded());
  expect(second.status).toBe(480);
  expect(await bench.rowsOf(second.dialog.callId, 1)).toMatchObject([{ kind: "gateway_full" }]);
  expect(await first.bye()).toBe(200);
  expect((await bench.call(await forwarded())).status).toBe(200);
});

test("no customer's target is a gateway, nor another address of its trunk: what goes there is forwarded", async () => {
  const [gatewayAddress, beside] = [newAddress(), newAddress()];
  await using bench = await openBench((caller) => ({
    trunks: [
      { name: "carrier", direction: "in", sources: [caller], transport: "udp" },
      {
        name: "gate",
        direction: "out",
        sources: [beside],
        transport: "udp",
        gateway: { host: gatewayAddress, port: 5080 },
      },
    ],
  }));
  const phones = [await bench.phone({ port: 5080 }, gatewayAddress), await bench.phone({}, beside)];
  for (const phone of phones) {
    const uri = uriOf(phone, "+8821234567");
    await bench.kamailio.set("host", { "gate.example": addressOf(phone) });
    await bench.kamailio.rpc("dispatcher.add", [
      7,
      uriOf(phone).replace("alice@", ""),
      0,
      0,
      "rweight=1;duid=7",
    ]);
    await bench.kamailio.set("cn", { gate: "1|0|0|0|7=11|" });
    const numbers = [
      await bench.number({ mode: "u", argument: uri }),
      await bench.number({ mode: "u", argument: "sip:+8821234567@gate.example", host: "gate.example" }),
      await bench.number({ mode: "c", argument: "gate" }),
    ];
    for (const number of numbers) {
      const call = await bench.call(number);
      expect(call.status).toBe(480);
      expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ kind: "gateway_barred" }]);
    }
    expect(phone.requests("INVITE")).toEqual([]);
  }
});

test("without a gateway nothing is forwarded, and the record says why", async () => {
  await using bench = await openBench();
  const call = await bench.call(await bench.number({ mode: "f", argument: "+442079460000" }));
  expect(call.status).toBe(480);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ mode: "f", kind: "no_gateway" }]);
});

test("rejects a call that cannot be sent, with a record", async () => {
  await using bench = await openBench();
  // This switch speaks no TLS.
  const number = await bench.number({ mode: "u", argument: "sip:alice@127.0.0.1:5061;transport=tls" });
  const call = await bench.call(number);
  expect(call.status).toBe(480);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ code: "480", kind: "not_sent" }]);
});

test("a switch behind another address says that address to those it calls", async () => {
  await using bench = await openBench({ advertise: "192.0.2.80" });
  const callee = await bench.phone();
  callee.behave(answerWith("200 OK"));
  expect((await bench.call(await bench.numberTo(callee))).status).toBe(200);
  const [invite] = callee.requests("INVITE");
  expect(headersOf(invite!, "Via")[0]).toContain(" 192.0.2.80:");
  expect(headersOf(invite!, "Record-Route")[0]).toMatch(/^<sip:192\.0\.2\.80[:;]/);
});
