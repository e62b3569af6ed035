import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ControlLine } from "./control-line.ts";

/** A switch that sends these words in response to each keep-alive. */
async function openSwitch(words: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (data) => {
      for (const [, id] of data.toString().matchAll(/:P (\d+),/g)) {
        const frame = `P ${id} ${words}`;
        socket.write(`${frame.length}:${frame},`);
      }
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

test.each([
  ["boot-1 1", []],
  ["boot-1 1 cfg=1", []],
  ["boot-1 1 cfg=2", ["failover"]],
  ["boot-1 1 cfg=3", ["failover", "forwarding"]],
  ["boot-1 1 cfg=4", ["failover", "forwarding", "trunks"]],
  ["boot-1 0 cfg=10", ["failover", "forwarding", "trunks", "probes"]],
])("a switch that says %s has the abilities %j", async (words, features) => {
  const line = new ControlLine(await openSwitch(words), () => undefined);
  onTestFinished(() => line.close());
  expect(await line.beat()).toEqual({ boot: "boot-1", isSynced: words.startsWith("boot-1 1") });
  expect(line.features).toEqual(features);
});
