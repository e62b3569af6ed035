import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import type { Side } from "../carrier.ts";
import { describeDelivery } from "../testing/delivery-contract.ts";
import { type DidwwServer, startDidwwServer } from "../testing/didww-server/didww-server.ts";
import { openDidww } from "./didww.ts";

const LIVE: Side = { organisationId: newId(), environment: "live" };
const open = (server: DidwwServer) =>
  openDidww({ ...server, requestsPerSecond: Number.POSITIVE_INFINITY, timeoutMs: 500 });

async function buy(server: DidwwServer, e164: string): Promise<void> {
  server.stock([{ e164 }]);
  const wanted = { reference: newId(), e164s: [e164], isFirst: true };
  const { items } = await open(server).ordering.order(LIVE, wanted);
  expect(items).toEqual([{ e164, outcome: "bought" }]);
}

describeDelivery("didww", async () => {
  const server = await startDidwwServer();
  let bought = 0;
  return {
    delivery: open(server).delivery,
    async number() {
      const e164 = `+1201555${String(1000 + ++bought)}`;
      await buy(server, e164);
      return e164;
    },
    foreign: "+12015559999",
    trunks: [server.trunk("fra-1"), server.trunk("fra-2")],
    changeByHand: async (e164, trunk) => server.deliver(e164, trunk),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

const E164 = "+12015550100";
let server: DidwwServer;
let delivery: ReturnType<typeof openDidww>["delivery"];
beforeEach(async () => {
  server = await startDidwwServer();
  ({ delivery } = open(server));
});
afterEach(() => server[Symbol.asyncDispose]());

test("lists SIP trunks of all pages, and none that forwards to a phone number", async () => {
  for (let nth = 0; nth < 101; nth++) server.trunk(`trunk ${String(nth).padStart(3, "0")}`);
  server.trunk("a phone", "pstn_configurations");

  const trunks = await delivery.trunks();
  expect(trunks).toHaveLength(101);
  expect(trunks[0]!.name).toBe("trunk 000");
});

test.each([
  ["500_after", "unknown"],
  ["cut_after", "unknown"],
  ["malformed_after", "unknown"],
  ["redirect", "unknown"],
  [{ status: 404, code: "404" }, "refused"],
  [{ status: 422, code: "100" }, "refused"],
] as const)("a change that meets %j is %s, and a repeat succeeds", async (trouble, kind) => {
  await buy(server, E164);
  const trunk = server.trunk("fra-1");
  server.trouble("PATCH /dids/{id}", trouble);

  await expect(delivery.deliver({ e164: E164, trunk })).rejects.toMatchObject({ kind });
  expect(await delivery.deliver({ e164: E164, trunk })).toEqual({ trunk });
});

test("a number with a group of trunks is delivered nowhere, and a delivery removes the group", async () => {
  await buy(server, E164);
  const trunk = server.trunk("fra-1");
  server.owned[0]!.trunkGroup = { id: newId() };
  expect(await delivery.deliveryOf(E164)).toEqual({ trunk: null });

  expect(await delivery.deliver({ e164: E164, trunk })).toEqual({ trunk });
  expect(server.owned[0]!.trunkGroup).toBeNull();
});

test("does not deliver a cancelled number", async () => {
  await buy(server, E164);
  await open(server).ordering.release(LIVE, { reference: newId(), e164: E164 });

  expect(await delivery.deliveryOf(E164)).toBeUndefined();
  expect(await delivery.listDeliveries(undefined)).toEqual({ numbers: [], next: undefined });
  const deliver = delivery.deliver({ e164: E164, trunk: server.trunk("fra-1") });
  await expect(deliver).rejects.toMatchObject({ kind: "refused" });
});
