import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import { bearer, type Service, startService } from "../../../../testing/service.ts";
import { startTelnyxServer, type TelnyxServer } from "../testing/telnyx-server/telnyx-server.ts";
import type { Side } from "../carrier.ts";

/** Reservations that only Telnyx still has, because it cannot cancel them. */
let telnyx: TelnyxServer;
let service: Service;
beforeEach(async () => {
  telnyx = await startTelnyxServer({ now: () => service.clock.now() });
  const { url, apiKey } = telnyx;
  service = await startService({
    settings: { ORDERING: "telnyx", INVENTORY: "telnyx", TELNYX_URL: url, TELNYX_API_KEY: apiKey },
  });
  telnyx.stock([{ e164: E164 }]);
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await telnyx[Symbol.asyncDispose]();
});

const E164 = "+12015550100";
const PATH = "/v1/numbers/reservations";
const rival: Side = { organisationId: newId(), environment: "live" };

async function outcomeForRival(): Promise<string> {
  const { ordering } = service.app.carriers.openFor("live")[0]!;
  const { items } = await ordering.order(rival, { reference: newId(), e164s: [E164], isFirst: true });
  return items[0]!.outcome;
}

async function reserve(): Promise<{ headers: Record<string, string>; id: string }> {
  const headers = bearer((await service.person({ [await service.organisation()]: "owner" })).token);
  const made = await service.send("POST", PATH, { headers, body: { numbers: [E164] } });
  expect(made.status).toBe(201);
  return { headers, id: made.body.id };
}

test("sells reserved numbers to no other customer, and cancelled ones to any", async () => {
  const { headers, id } = await reserve();
  expect(await outcomeForRival()).toBe("refused");

  expect((await service.send("DELETE", `${PATH}/${id}`, { headers })).status).toBe(204);

  expect(await outcomeForRival()).toBe("bought");
});

test("sells the numbers of a converted reservation to no other customer", async () => {
  const { headers, id } = await reserve();
  const placed = await service.send("POST", "/v1/numbers/orders", {
    headers: { ...headers, "idempotency-key": newId() },
    body: { reservation_id: id },
  });
  expect(placed.status).toBe(202);

  expect(await outcomeForRival()).toBe("refused");
});

test("blocks a number while it is being reserved, for a minute if the outcome is unknown", async () => {
  const wanted = { reference: newId(), e164s: [E164], until: new Date() };
  await service.app.inventory.of("live", [])!.reserve({ ...rival, organisationId: newId() }, wanted);
  expect(await outcomeForRival()).toBe("refused");

  service.clock.advance(60_000);

  expect(await outcomeForRival()).toBe("bought");
});

test("releases the reserved numbers at once if not all could be reserved", async () => {
  const wanted = { reference: newId(), e164s: [E164, "+12025550100"], until: new Date() };
  await service.app.inventory.of("live", [])!.reserve({ ...rival, organisationId: newId() }, wanted);

  expect(await outcomeForRival()).toBe("bought");
});

test("what was reserved in the company's own portal is left alone", async () => {
  await fetch(`${telnyx.url}/v2/number_reservations`, {
    method: "POST",
    headers: { authorization: `Bearer ${telnyx.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ phone_numbers: [{ phone_number: E164 }], customer_reference: "our own desk" }),
  });

  expect(await outcomeForRival()).toBe("refused");
});
