import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { bearer, until } from "../../../testing/service.ts";
import { holdNumber } from "../../../testing/stock.ts";
import { openWebhookDesk, type WebhookDesk } from "./testing/webhook-desk.ts";
import { receiveWebhooks } from "../../../testing/webhook-receiver.ts";

let desk: WebhookDesk;
beforeAll(async () => void (desk = await openWebhookDesk()));
afterAll(() => desk[Symbol.asyncDispose]());

test("one delivery is sent again, or those made out in a while", async () => {
  await using receiver = await receiveWebhooks();
  const home = await desk.home();
  const id = await desk.listen(home, receiver);
  await desk.happen(home, 3);
  const areDelivered = async () => (await desk.deliveries(home, id, "?status=delivered")).length === 3;
  await until(areDelivered);
  const [third, second, first] = await desk.deliveries(home, id);
  for (const [day, { id: deliveryId }] of [first, second, third].entries())
    await desk.service.database.admin("update webhook_deliveries set created_at = $2 where id = $1", [
      deliveryId,
      new Date(Date.UTC(2026, 0, day + 1)),
    ]);
  const replayed = async (wanted: object): Promise<string[]> => {
    const before = receiver.received.length;
    const { body } = await home.call("POST", `/v1/webhook-endpoints/${id}/replay`, wanted);
    await until(areDelivered);
    const again = receiver.received.slice(before).map((one) => one.id);
    expect(again).toHaveLength(body.replayed);
    return again.toSorted();
  };

  const [from, to] = ["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"];
  expect(await replayed({ delivery_id: second.id })).toEqual([second.event_id]);
  expect(await replayed({ from })).toEqual([second.event_id, third.event_id].toSorted());
  expect(await replayed({ to: from })).toEqual([first.event_id]);
  expect(await replayed({ from, to })).toEqual([second.event_id]);
  for (const wrong of [{ from: "x" }, { from: "" }, { to: "2026-13-45T00:00:00Z" }, { to: "2026" }])
    expect(await home.call("POST", `/v1/webhook-endpoints/${id}/replay`, wrong)).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
});

test("WH-02 a secret that was renewed twice in a day still signs, and there is an end to how many do", async () => {
  await using receiver = await receiveWebhooks();
  const home = await desk.home();
  const id = await desk.listen(home, receiver);
  const rotate = async (): Promise<string> =>
    (await home.call("POST", `/v1/webhook-endpoints/${id}/rotate`)).body.secret;
  for (const count of [2, 3]) {
    await rotate();
    await desk.happen(home);
    await until(() => receiver.received.length + receiver.forged === count - 1);
    expect(receiver.received.at(-1)?.signatures).toBe(count);
  }

  for (let times = 0; times < 10; times++) receiver.secret = await rotate();
  await desk.happen(home);
  await until(() => receiver.received.length + receiver.forged === 3);
  expect(receiver.received.at(-1)?.signatures).toBe(10);
});

test("of those who make endpoints at once, none goes past the limit", async () => {
  const home = await desk.home();
  const make = () => home.call("POST", "/v1/webhook-endpoints", { url: "https://hooks.example.com/" });
  for (let made = 0; made < 48; made++) expect((await make()).status).toBe(201);
  const last = await Promise.all(Array.from({ length: 8 }, make));
  expect(last.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(last.filter(({ body }) => body.code === "webhook_endpoint_limit_reached")).toHaveLength(6);
});

test("queues no job for a routing change, with or without endpoints", async () => {
  await using receiver = await receiveWebhooks();
  const home = await desk.home();
  await desk.listen(home, receiver, {});
  const { id } = await holdNumber(desk.service.app, home.organisationId, "live");
  const queued = () => desk.service.database.admin("select id from pgboss.job order by id");
  const before = await queued();
  const { status } = await desk.service.send("PUT", `/v1/numbers/${id}/routing`, {
    headers: { ...bearer(home.owner.token), "idempotency-key": newId() },
    body: { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" },
  });
  expect(status).toBeLessThan(300);
  await until(() => receiver.received.some(({ body }) => body.type === "routing.changed"));
  expect(await queued()).toEqual(before);
});
