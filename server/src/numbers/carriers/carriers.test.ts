import { afterEach, expect, test } from "vitest";
import { startService } from "../../../testing/service.ts";
import type { Ordering } from "./carrier.ts";
import { type CarrierSettings, canRestore, openCarriers } from "./carriers.ts";

const TELNYX = { url: "http://127.0.0.1:9", apiKey: "key" };

let stack = new DisposableStack();
afterEach(() => {
  stack.dispose();
  stack = new DisposableStack();
});
const open = async (app: Parameters<typeof openCarriers>[0], settings: CarrierSettings) =>
  stack.use(await openCarriers(app, settings));

test("live numbers are ordered where the settings say, test numbers from the sandbox", async () => {
  await using service = await startService();
  const pool = await open(service.app, { ordering: "pool", inventory: "none", telnyx: undefined });
  const telnyx = await open(service.app, { ordering: "telnyx", inventory: "telnyx", telnyx: TELNYX });

  expect(pool.carriers.openFor("live").map(({ name }) => name)).toEqual(["pool"]);
  expect(telnyx.carriers.openFor("live").map(({ name }) => name)).toEqual(["telnyx"]);
  for (const { carriers } of [pool, telnyx]) expect(carriers.openFor("test")[0]!.name).toBe("sandbox");
  expect(pool.inventory.isConnected()).toBe(false);
  expect(pool.inventory.of("live", [])).toBeUndefined();
  expect(pool.inventory.of("test", [])).toBeUndefined();
  expect(telnyx.inventory.of("live", [])!.name).toBe("telnyx");
  expect(telnyx.inventory.of("test", [])!.name).toBe("sandbox");
});

test("a number goes back to where it came from, though orders go elsewhere now", async () => {
  await using service = await startService();
  const settings = { ordering: "pool", inventory: "pool" } as const;
  const { carriers } = await open(service.app, { ...settings, telnyx: TELNYX });

  expect(["pool", "sandbox", "telnyx"].map((name) => carriers.named(name)?.name)).toEqual([
    "pool",
    "sandbox",
    "telnyx",
  ]);
  expect(carriers.named("acme")).toBeUndefined();
  const without = await open(service.app, { ...settings, telnyx: undefined });
  expect(without.carriers.named("telnyx")).toBeUndefined();
});

test("rejects a carrier that cannot release numbers or is not connected", async () => {
  await using service = await startService();
  const ordering = { order: async () => ({ items: [] }) } as unknown as Ordering;

  expect(() => canRestore({ name: "hoarder", ordering })).toThrow("no release function");
  await expect(
    open(service.app, { ordering: "telnyx", inventory: "none", telnyx: undefined }),
  ).rejects.toThrow("not connected");
});

test("connects the other carriers if the credentials of one cannot be opened", async () => {
  await using service = await startService();
  await service.database.admin(
    `insert into carriers (id, name, kind, sealed_credentials, root_id, credentials_set_at, preference, inventory,
       created_at, updated_at)
     values (gen_random_uuid(), 'broken', 'telnyx', decode(repeat('00', 40), 'hex'), 2, now(), 1, true, now(), now()),
       (gen_random_uuid(), 'unknown', 'acme', null, null, null, 2, true, now(), now()),
       (gen_random_uuid(), 'pool', 'pool', null, null, null, 3, true, now(), now())`,
  );
  const { carriers } = await open(service.app, { ordering: "pool", inventory: "none", telnyx: undefined });

  expect(carriers.openFor("live").map(({ name }) => name)).toEqual(["pool"]);
  expect(carriers.live()).toEqual(["broken", "unknown", "pool"]);
});
