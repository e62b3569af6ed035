import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runKamailio } from "../testing/running-kamailio.ts";
import { kamailioSwitch } from "./kamailio-switch.ts";

const ignore = (): void => undefined;
const log = { info: ignore, warn: ignore, error: ignore };
const gateway = "sip:127.0.0.9:5080;transport=udp";

test("keeps gateways of the settings in the dispatcher and its list, whatever connections do", async () => {
  const out = {
    name: "gate",
    direction: "out",
    transport: "udp",
    gateway: { host: "127.0.0.9", port: 5080 },
  };
  const forward = { gateways: [{ trunk: "gate", weight: 7 }], prefixes: [] };
  const kamailio = await runKamailio({ changed: { trunks: [out], forward } });
  onTestFinished(() => kamailio[Symbol.asyncDispose]());
  const listed = async (): Promise<string> => JSON.stringify(await kamailio.rpc("dispatcher.list"));
  const isInFile = (): boolean =>
    readFileSync(join(kamailio.settings.data_dir, "dispatcher.list"), "utf8").includes(
      `1000000001 ${gateway} 0 0 rweight=7;duid=1000000001-127.0.0.9:5080;trunk=gate\n`,
    );
  const driver = kamailioSwitch({ ...kamailio.reached, log, egressAllow: "127.0.0.0/8" });
  onTestFinished(() => driver.close());
  const targets = [{ host: "127.0.0.5", port: 5060, transport: "udp", priority: 1, weight: 1 } as const];
  const want = { kind: "connection", id: "c", shard: 0, generation: 1, value: { targets } } as const;
  const change = { kind: "connection", id: "c", shard: 0 } as const;

  await driver.refill();
  await driver.apply([{ ...change, want }], ignore);
  await driver.digests();
  expect(await driver.health()).toMatchObject([{ id: "c", targets: [{ host: "127.0.0.5" }] }]);
  expect(isInFile()).toBe(true);
  expect(await listed()).toContain(gateway);

  await kamailio.restart();
  await kamailio.rpc("dispatcher.remove", [1_000_000_001, gateway]);
  await kamailio.rpc("dispatcher.add", [1_000_000_001, "sip:127.0.0.8:5080", 0, 0, "rweight=7;duid=8"]);
  await driver.refill();
  expect(await listed()).toContain(gateway);
  expect(await listed()).not.toContain("127.0.0.8");

  await driver.apply([{ ...change, want: null }], ignore);
  await driver.digests();
  expect(await listed()).toContain(gateway);
  expect(await listed()).not.toContain("127.0.0.5");
  expect(isInFile()).toBe(true);
});
