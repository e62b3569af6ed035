import { expect, test } from "vitest";
import { startService } from "../../../testing/service.ts";
import type { Ordering } from "./carrier.ts";
import { canRestore, openCarriers } from "./carriers.ts";

const TELNYX = { url: "http://127.0.0.1:9", apiKey: "key" };

test("live numbers are ordered where the operator says, test numbers from the sandbox", async () => {
  await using service = await startService();
  const pool = openCarriers(service.app, { ordering: "pool", inventory: "none", telnyx: undefined });
  const telnyx = openCarriers(service.app, { ordering: "telnyx", inventory: "telnyx", telnyx: TELNYX });

  expect(pool.carriers.openFor("live")[0]!.name).toBe("pool");
  expect(telnyx.carriers.openFor("live")[0]!.name).toBe("telnyx");
  for (const { carriers } of [pool, telnyx]) expect(carriers.openFor("test")[0]!.name).toBe("sandbox");
  expect(pool.inventory).toBeUndefined();
  expect(telnyx.inventory.of("live", [])!.name).toBe("telnyx");
  expect(telnyx.inventory!.of("test").name).toBe("sandbox");
});

test("a number goes back to where it came from, though orders go elsewhere now", async () => {
  await using service = await startService();
  const settings = { ordering: "pool", inventory: "pool" } as const;
  const { carriers } = openCarriers(service.app, { ...settings, telnyx: TELNYX });

  expect(["pool", "sandbox", "telnyx"].map((name) => carriers.named(name)?.name)).toEqual([
    "pool",
    "sandbox",
    "telnyx",
  ]);
  expect(carriers.named("acme")).toBeUndefined();
  expect(
    openCarriers(service.app, { ...settings, telnyx: undefined }).carriers.named("telnyx"),
  ).toBeUndefined();
});

test("rejects a carrier that cannot release numbers or is not connected", async () => {
  await using service = await startService();
  const ordering = { order: async () => ({ items: [] }) } as unknown as Ordering;

  expect(() => canRestore({ name: "hoarder", ordering })).toThrow("no release function");
  expect(() =>
    openCarriers(service.app, { ordering: "telnyx", inventory: "none", telnyx: undefined }),
  ).toThrow("not connected");
});
