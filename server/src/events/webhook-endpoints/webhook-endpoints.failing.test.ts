import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureLog } from "../../../testing/captured-log.ts";
import type { Sent } from "../../../testing/send.ts";
import { until } from "../../../testing/service.ts";
import { openSuperuser } from "../../../testing/superuser.ts";
import { openWebhookDesk, type WebhookDesk, type WebhookHome } from "./testing/webhook-desk.ts";
import { receiveWebhooks } from "../../../testing/webhook-receiver.ts";

let desk: WebhookDesk;
beforeAll(async () => void (desk = await openWebhookDesk()));
afterAll(() => desk[Symbol.asyncDispose]());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Not by moving the clock: the library believes no signature that is minutes from its own time. */
const setEndpoint = (assignments: string, id: string): Promise<unknown> =>
  desk.service.database.admin(`update webhook_endpoints set ${assignments} where id = $1`, [id]);
const setDeliveries = (assignments: string, endpointId: string): Promise<unknown> =>
  desk.service.database.admin(`update webhook_deliveries set ${assignments} where endpoint_id = $1`, [
    endpointId,
  ]);
const firstDelivery = async (home: WebhookHome, id: string): Promise<Sent["body"]> =>
  (await desk.deliveries(home, id))[0];
/** The first delivery once a try has failed. */
const failed = (home: WebhookHome, id: string): Promise<Sent["body"]> =>
  until(async () => {
    const one = await firstDelivery(home, id);
    return one?.error != null && one;
  });

describe("a yes", () => {
  test.each([
    ["with a long body", { status: 200, body: "x".repeat(300_000) }],
    ["whose body never ends", { status: 200, isEndless: true }],
  ])("counts %s as success at once, and delivers once", async (_, answer) => {
    await using receiver = await receiveWebhooks();
    receiver.answer = () => answer;
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home);

    await until(async () => (await firstDelivery(home, id))?.status === "delivered", 5_000);
    expect(await firstDelivery(home, id)).toMatchObject({ attempts: 1, answered: 200 });
    await until(() => receiver.open === 0);
  });
});

describe("a receiver that fails", () => {
  test("has failed after the last of its tries", async () => {
    await using receiver = await receiveWebhooks();
    receiver.answer = () => 500;
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home);
    await failed(home, id);
    await setDeliveries("attempts = 12, next_attempt_at = now()", id);
    await until(async () => (await firstDelivery(home, id)).attempts === 13 && receiver.open === 0);
    await until(async () => Date.parse((await firstDelivery(home, id)).next_attempt_at) > Date.now() + HOUR);
    await setDeliveries("next_attempt_at = now()", id);

    await until(async () => (await firstDelivery(home, id)).status === "failed");
    expect(await firstDelivery(home, id)).toMatchObject({
      attempts: 14,
      answered: 500,
      next_attempt_at: null,
    });
  });

  test("is disabled once it has taken nothing for five days", async () => {
    await using receiver = await receiveWebhooks();
    receiver.answer = () => 500;
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home);
    await failed(home, id);
    await setEndpoint("failing_since = now() - interval '4 days 23 hours'", id);
    await setDeliveries("next_attempt_at = now()", id);
    await until(async () => (await firstDelivery(home, id)).attempts === 2 && receiver.open === 0);
    expect((await desk.endpoint(home, id)).status).toBe("active");
    await setEndpoint("failing_since = now() - interval '5 days 1 minute'", id);
    await until(
      async () => Date.parse((await firstDelivery(home, id)).next_attempt_at) > Date.now() + 26_000,
    );
    await setDeliveries("next_attempt_at = now()", id);

    await until(async () => (await desk.endpoint(home, id)).status === "disabled");
    expect((await desk.endpoint(home, id)).disabled_reason).toBe("unreachable");
    const { body } = await home.call("GET", "/v1/events");
    expect(body.data.at(-1)).toMatchObject({
      type: "webhook_endpoint.disabled",
      subject: id,
      data: { reason: "unreachable" },
    });
  });

  test("restarts the count after a success: one failure weeks later disables no endpoint", async () => {
    await using receiver = await receiveWebhooks();
    receiver.answer = () => 500;
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home);
    await failed(home, id);
    await setEndpoint("failing_since = now() - interval '4 days'", id);
    await setDeliveries("attempts = 13, next_attempt_at = now()", id);
    await until(async () => (await firstDelivery(home, id)).status === "failed");
    expect((await desk.endpoint(home, id)).failing_since).toBeNull();

    await desk.happen(home);
    await until(async () => (await desk.deliveries(home, id)).length === 2);
    await failed(home, id);
    const { status, failing_since } = await desk.endpoint(home, id);
    expect(status).toBe("active");
    expect(Date.now() - Date.parse(failing_since)).toBeLessThan(DAY);
  });

  test.each([
    ["in seconds", () => "600", 600],
    ["as a date", () => new Date(Date.now() + 600_000).toUTCString(), 598],
    ["for days, an hour later at most", () => "999999", 3_600],
  ])("and wants to be left alone %s is", async (_, retryAfter, seconds) => {
    await using receiver = await receiveWebhooks();
    receiver.answer = () => ({ status: 503, headers: { "retry-after": retryAfter() } });
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home);

    const { next_attempt_at } = await failed(home, id);
    const pauseSeconds = (Date.parse(next_attempt_at) - Date.now()) / 1000;
    expect(pauseSeconds).toBeGreaterThan(seconds - 10);
    expect(pauseSeconds).toBeLessThan(seconds * 1.1 + 10);
  });

  test("restarts the count with a new address", async () => {
    await using receiver = await receiveWebhooks();
    receiver.answer = () => 500;
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home);
    await failed(home, id);
    expect((await desk.endpoint(home, id)).failing_since).not.toBeNull();

    await home.call("PATCH", `/v1/webhook-endpoints/${id}`, { url: `${receiver.url}/other` });
    expect((await desk.endpoint(home, id)).failing_since).toBeNull();
  });
});

test.each([
  { what: "deleted", method: "DELETE", path: "", body: undefined, status: 204 },
  { what: "replayed", method: "POST", path: "/replay", body: {}, status: 200 },
])("an endpoint can be $what while the outcome of a delivery to it is stored", async (change) => {
  const { log, text } = captureLog("warn");
  const own = await openWebhookDesk({ log });
  const receiver = await receiveWebhooks();
  receiver.answer = () => "hang";
  const home = await own.home();
  const id = await own.listen(home, receiver);
  await own.happen(home);
  await until(() => receiver.open > 0);
  const { url, admin } = own.service.database;
  const waiting = (count: number): Promise<boolean> =>
    until(async () => {
      const rows = await admin(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length >= count;
    });
  await using other = await openSuperuser(url);
  await other.admin("begin");
  await other.admin("select from webhook_deliveries where endpoint_id = $1 for update", [id]);

  await receiver[Symbol.asyncDispose]();
  await waiting(1);
  const changed = home.call(change.method, `/v1/webhook-endpoints/${id}${change.path}`, change.body);
  await waiting(2);
  await other.admin("commit");

  expect((await changed).status).toBe(change.status);
  await own[Symbol.asyncDispose]();
  expect(text()).not.toContain("deadlock");
});
