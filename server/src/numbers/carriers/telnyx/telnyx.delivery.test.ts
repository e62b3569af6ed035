import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import type { Side } from "../carrier.ts";
import { describeDelivery } from "../testing/delivery-contract.ts";
import { startTelnyxServer, type TelnyxServer } from "../testing/telnyx-server/telnyx-server.ts";
import { openTelnyx } from "./telnyx.ts";

const LIVE: Side = { organisationId: newId(), environment: "live" };

async function buy(server: TelnyxServer, e164: string): Promise<void> {
  server.stock([{ e164 }]);
  const wanted = { reference: newId(), e164s: [e164], isFirst: true };
  const { items } = await openTelnyx(server).ordering.order(LIVE, wanted);
  expect(items).toEqual([{ e164, outcome: "bought" }]);
}

describeDelivery("telnyx", async () => {
  const server = await startTelnyxServer();
  let bought = 0;
  return {
    delivery: openTelnyx(server).delivery,
    async number() {
      const e164 = `+1201555${String(1000 + ++bought)}`;
      await buy(server, e164);
      return e164;
    },
    foreign: "+12015559999",
    trunks: [server.connection("fra-1"), server.connection("fra-2")],
    changeByHand: async (e164, trunk) => server.connect(e164, trunk),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

const E164 = "+12015550100";
let server: TelnyxServer;
let delivery: ReturnType<typeof openTelnyx>["delivery"];
beforeEach(async () => {
  server = await startTelnyxServer();
  ({ delivery } = openTelnyx({ ...server, timeoutMs: 500 }));
});
afterEach(() => server[Symbol.asyncDispose]());

test("lists connections of all pages, and no inactive one", async () => {
  for (let nth = 0; nth < 251; nth++) server.connection(`trunk ${String(nth).padStart(3, "0")}`);
  server.connection("off", false);

  const trunks = await delivery.trunks();
  expect(trunks).toHaveLength(251);
  expect(trunks[0]!.name).toBe("trunk 000");
});

test.each([
  ["500_after", "unknown"],
  ["cut_after", "unknown"],
  ["malformed_after", "unknown"],
  ["redirect", "unknown"],
  [{ status: 429, code: "10011" }, "not_sent"],
  [{ status: 404, code: "10005" }, "refused"],
] as const)("a change that meets %j is %s, and a repeat succeeds", async (trouble, kind) => {
  await buy(server, E164);
  const trunk = server.connection("fra-1");
  server.trouble("PATCH /phone_numbers/{id}", trouble);

  await expect(delivery.deliver({ e164: E164, trunk })).rejects.toMatchObject({ kind });
  expect(await delivery.deliver({ e164: E164, trunk })).toEqual({ trunk });
});

test("counts an empty connection as none", async () => {
  await buy(server, E164);
  server.connect(E164, "");
  expect(await delivery.deliveryOf(E164)).toEqual({ trunk: null });
  expect((await delivery.listDeliveries(undefined)).numbers).toEqual([{ e164: E164, trunk: null }]);
});

test("the imitation rejects what Telnyx does not document", async () => {
  await buy(server, E164);
  const { id } = server.owned[0]!;
  const patch = async (body: unknown) =>
    (
      await fetch(`${server.url}/v2/phone_numbers/${id}`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    ).status;

  expect(await patch({ connection: "1" })).toBe(422);
  expect(await patch({ connection_id: 1 })).toBe(422);
  expect(await patch({ connection_id: "1" })).toBe(422);
  expect(await patch({ connection_id: server.connection("fra-1") })).toBe(200);
});
