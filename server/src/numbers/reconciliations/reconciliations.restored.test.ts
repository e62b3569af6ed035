import { expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { backUp } from "../../../testing/back-up.ts";
import { openFeedStream, untilReady } from "../../../testing/feed-stream.ts";
import { onlyCarrier, scriptedCarrier } from "../../../testing/scripted-carrier.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, startService, until } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";

const [EARLIER, ORDERED] = ["+442079460301", "+442079460302"] as const;

test("after a backup is restored, a number ordered since then is not returned to the carrier, but adopted", async () => {
  const carrier = scriptedCarrier();
  await using service = await startService({ worker: true, overrides: { carriers: onlyCarrier(carrier) } });
  const home = await service.organisation();
  const operator = await service.person({ [home]: "owner" });
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  const call = (method: string, path: string, body?: unknown): Promise<Sent> =>
    service.send(method, path, { headers: { ...bearer(operator.token), "idempotency-key": newId() }, body });
  // Bought before the backup in the carrier's portal, without a holder here.
  for (const e164 of [EARLIER, ORDERED]) carrier.stock(e164);
  await carrier.ordering.order(
    { organisationId: home, environment: "live" },
    { reference: newId(), e164s: [EARLIER] },
  );
  await call("POST", "/v1/connections", { name: "Office", targets: [{ host: "pbx.example.com" }] });
  const { credential } = await makeSwitch(service);
  const restore = backUp(service.database.url);

  const ordered = await call("POST", "/v1/numbers/orders", { numbers: [ORDERED] });
  expect(ordered.status, ordered.text).toBe(202);
  const isHeld = async (): Promise<boolean> =>
    (await service.database.admin("select from holdings where e164 = $1 and is_held", [ORDERED])).length ===
    1;
  await until(isHeld);
  const stream = await openFeedStream(service.url, credential);
  await untilReady(stream);
  const position = stream.position();
  await stream[Symbol.asyncDispose]();

  await restore();
  const resume = async (): Promise<boolean> => {
    await using resumed = await openFeedStream(service.url, credential, position);
    await untilReady(resumed);
    return true;
  };
  await until(() => resume().catch(() => false));
  expect(await service.database.admin("select from feed_epochs where cause = 'rollback'")).toHaveLength(1);

  const { body: reconciled } = await call("POST", "/operator/v1/reconciliations", { carrier: carrier.name });
  const { body: findings } = await call("GET", `/operator/v1/reconciliations/${reconciled.id}/findings`);
  const idOf = (e164: string): string =>
    findings.data.find((one: { e164: string; kind: string }) => one.e164 === e164 && one.kind === "not_here")
      .id;
  const isOwned = (e164: string) =>
    carrier.ledger.some((one) => one.e164 === e164 && one.returnedBy === null);

  const refused = await call("POST", `/operator/v1/findings/${idOf(ORDERED)}/repair`);
  expect(refused).toMatchObject({ status: 409, body: { code: "bought_after_rollback" } });
  expect(refused.body.detail).toContain(ORDERED);
  expect(isOwned(ORDERED)).toBe(true);
  const adopted = await call("POST", `/operator/v1/findings/${idOf(ORDERED)}/adopt`, {
    organisation_id: home,
  });
  expect(adopted, adopted.text).toMatchObject({ status: 200, body: { repaired_at: expect.any(String) } });
  const { body: numbers } = await call("GET", "/v1/numbers");
  expect(numbers.data).toMatchObject([{ e164: ORDERED, status: "active", routing: { mode: "unrouted" } }]);
  expect(isOwned(ORDERED)).toBe(true);

  const repaired = await call("POST", `/operator/v1/findings/${idOf(EARLIER)}/repair`);
  expect(repaired.status, repaired.text).toBe(200);
  expect(isOwned(EARLIER)).toBe(false);
});
