import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { ConnectionHealth, TargetState } from "../control-plane.ts";
import { openDnsServer } from "../testing/dns-server.ts";
import { runKamailio } from "../testing/running-kamailio.ts";
import { kamailioSwitch } from "./kamailio-switch.ts";

const ignore = (): void => undefined;
const log = { info: ignore, warn: ignore, error: ignore };

/** Responds 200 to every request, as a SIP target does. */
async function openTarget(address: string, port = 0): Promise<{ port: number; close(): void }> {
  const socket = createSocket("udp4");
  socket.on("message", (question, from) => {
    const lines = question.toString("latin1").split("\r\n").slice(1);
    const kept = lines.filter((line) => /^(via|from|to|call-id|cseq):/i.test(line));
    const answer = ["SIP/2.0 200 OK", ...kept, "Content-Length: 0", "", ""].join("\r\n");
    socket.send(answer, from.port, from.address);
  });
  socket.bind(port, address);
  await once(socket, "listening");
  return { port: socket.address().port, close: () => void socket.close() };
}

test("shows each address of a target as probed, and an unresolved name as down", async () => {
  const kamailio = await runKamailio({ pingSeconds: 1 });
  onTestFinished(() => kamailio[Symbol.asyncDispose]());
  const dns = await openDnsServer();
  onTestFinished(() => dns.close());
  const there = await openTarget("127.0.0.5");
  const { port } = there;
  dns.zone.set("both.example", [
    { type: "A", address: "127.0.0.5" },
    { type: "A", address: "127.0.0.6" },
  ]);
  const options = { dnsServers: [dns.address], egressAllow: "127.0.0.0/8" };
  const driver = kamailioSwitch({ ...kamailio.reached, log, ...options });
  onTestFinished(() => driver.close());
  const targets = ["127.0.0.5", "127.0.0.6", "both.example", "none.example"].map(
    (host) => ({ host, port, transport: "udp", priority: 1, weight: 1 }) as const,
  );
  const want = { kind: "connection", id: "c", shard: 0, generation: 1, value: { targets } } as const;
  const shown = async (): Promise<[string, TargetState, TargetState[]][]> => {
    const [one] = (await driver.health()) as [ConnectionHealth];
    return one.targets.map(({ host, state, addresses }) => [host, state, addresses.map((at) => at.state)]);
  };
  await driver.apply([{ kind: "connection", id: "c", shard: 0, want }], ignore);
  expect((await shown()).at(-1)).toEqual(["none.example", "down", []]);

  const expectShown = (up: TargetState): Promise<void> =>
    expect.poll(shown).toEqual([
      ["127.0.0.5", up, [up]],
      ["127.0.0.6", "down", ["down"]],
      ["both.example", up, [up, "down"]],
      ["none.example", "down", []],
    ]);
  await expectShown("up");
  there.close();
  await expectShown("down");
  const back = await openTarget("127.0.0.5", port);
  onTestFinished(() => back.close());
  await expectShown("up");

  // Every reading between was one of these: a target that owes one answer is not called down, nor a new one up.
  await kamailio.restart();
  expect((await shown())[0]).toEqual(["127.0.0.5", "unknown", ["unknown"]]);
});
