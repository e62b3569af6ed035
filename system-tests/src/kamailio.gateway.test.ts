import { expect, test } from "vitest";
import { openBench } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { answerWith } from "./sip/phone.ts";
import { headersOf } from "./sip/sip-message.ts";

test("a gateway takes so many calls at once, whichever numbers forward them", async () => {
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

test("without a gateway nothing is forwarded, and the record says why", async () => {
  await using bench = await openBench();
  const call = await bench.call(await bench.number({ mode: "f", argument: "+442079460000" }));
  expect(call.status).toBe(480);
  expect(await bench.rowsOf(call.dialog.callId, 1)).toMatchObject([{ mode: "f", kind: "no_gateway" }]);
});

test("what cannot be sent at all is refused, and the record says so", async () => {
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
