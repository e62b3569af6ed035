import { randomUUID } from "node:crypto";
import type { Check, Checks } from "./carrier-check.ts";
import { expectError, expectUnknown } from "./expected-errors.ts";
import type { TriedCarrier } from "./tried-carrier.ts";
import { described, expectEqual, expectTrue, NotChecked } from "./violation.ts";

interface Trunk {
  id: string;
}

async function trunksOf(tried: TriedCarrier): Promise<string[]> {
  const { trunks } = await tried.ask<{ trunks: Trunk[] }>("GET", "/trunks", "listTrunks");
  if (trunks.length === 0) throw new NotChecked("The account has no trunk.");
  return trunks.map(({ id }) => id);
}

async function buy(tried: TriedCarrier): Promise<string> {
  const [number] = (await tried.take(1)) as [string];
  expectEqual(await tried.order([number]), { [number]: "bought" }, "the order");
  return number;
}

const pathOf = (number: string): string => `/deliveries/${encodeURIComponent(number)}`;

const PROMISES: Record<string, Check["run"]> = {
  async "names each trunk once"(tried) {
    const trunks = await trunksOf(tried);
    expectEqual(new Set(trunks).size, trunks.length, "the count of different trunks");
  },

  async "delivers to a trunk, and reads the same trunk back"(tried) {
    const number = await buy(tried);
    for (const trunk of await trunksOf(tried)) {
      expectEqual(await tried.deliver(number, trunk), trunk, "the trunk in the response");
      expectEqual(await tried.deliveryOf(number), trunk, "the trunk that was read back");
      const listed = await tried.pages<{ number: string; trunk: string | null }>(
        "/deliveries",
        "listDeliveries",
        100,
      );
      expectEqual(
        listed.filter((one) => one.number === number).map((one) => one.trunk),
        [trunk],
        "the trunk in the list",
      );
    }
  },

  async "delivers if the response is lost and the request repeated"(tried) {
    const number = await buy(tried);
    const [trunk] = (await trunksOf(tried)) as [string];
    for (let times = 0; times < 2; times++) await tried.client.lose("PUT", pathOf(number), { trunk });
    expectEqual(await tried.deliver(number, trunk), trunk, "the trunk in the response");
    expectEqual(await tried.deliveryOf(number), trunk, "the trunk that was read back");
  },

  async "changes only the number that was named"(tried) {
    const [one, other] = [await buy(tried), await buy(tried)];
    const trunks = await trunksOf(tried);
    await tried.deliver(one, trunks[0]!);
    await tried.deliver(other, trunks.at(-1)!);
    expectEqual(await tried.deliveryOf(one), trunks[0], "the trunk of the first number");
  },

  async "rejects a trunk that it does not have, and changes nothing"(tried) {
    const number = await buy(tried);
    const [trunk] = (await trunksOf(tried)) as [string];
    await tried.deliver(number, trunk);
    const reply = await tried.client.send("PUT", pathOf(number), { trunk: randomUUID() });
    expectTrue([400, 409, 422].includes(reply.status), `Expected 422, got ${described(reply)}.`);
    expectError(reply.body);
    expectEqual(await tried.deliveryOf(number), trunk, "the trunk afterwards");
  },

  async "does not know numbers that it does not have"(tried) {
    const [number] = (await tried.take(1)) as [string];
    const [trunk] = (await trunksOf(tried)) as [string];
    await expectUnknown(tried, "GET", pathOf(number));
    await expectUnknown(tried, "PUT", pathOf(number), { trunk });
  },

  async "forgets the trunk of a returned number"(tried) {
    const number = await buy(tried);
    const [trunk] = (await trunksOf(tried)) as [string];
    await tried.deliver(number, trunk);
    await tried.release(number);
    await expectUnknown(tried, "GET", pathOf(number));
    const again = await tried.order([number], { organisation: tried.other });
    if (again[number] !== "bought") return;
    expectEqual(await tried.deliveryOf(number), null, "the trunk of the number after its next purchase");
  },
};

export const DELIVERY_CHECKS: Checks = Object.fromEntries(
  Object.entries(PROMISES).map(([promise, run]) => [promise, { needs: "delivery", run }]),
);
