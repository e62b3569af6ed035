import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../../testing/service.ts";
import { holdNumber } from "../../../testing/stock.ts";
import { HAPPENED, openWebhookDesk, type WebhookDesk } from "./testing/webhook-desk.ts";
import { receiveWebhooks, type WebhookReceiver } from "../../../testing/webhook-receiver.ts";

let desk: WebhookDesk;
beforeAll(async () => void (desk = await openWebhookDesk()));
afterAll(() => desk[Symbol.asyncDispose]());

const types = (receiver: WebhookReceiver): string[] => receiver.received.map(({ body }) => body.type);

describe("an endpoint", () => {
  test("receives later events, signed, with the event's own ID", async () => {
    await using receiver = await receiveWebhooks();
    const home = await desk.home();
    await desk.happen(home);
    const id = await desk.listen(home, receiver, {});
    await desk.happen(home);

    await until(() => receiver.received.length >= 2);
    expect(types(receiver)).toEqual(["webhook_endpoint.created", HAPPENED]);
    const { body } = await home.call("GET", "/v1/events");
    expect(receiver.received.map((one) => one.id)).toEqual(
      body.data.slice(-2).map((event: { id: string }) => event.id),
    );
    // Has the listed fields, with organisation and environment. The list also looks up the label of the subject.
    const { organisationId } = home;
    const { subject_ref: _, ...listed } = body.data.at(-1) as Record<string, unknown>;
    const [first, second] = receiver.received.map((one) => one.body);
    expect(second!.sequence).toBe(first!.sequence + 1);
    expect(second).toEqual({
      ...listed,
      organisation_id: organisationId,
      environment: "live",
    });
    await until(async () => (await desk.deliveries(home, id)).every(({ status }) => status === "delivered"));
  });

  test("receives only its event types", async () => {
    await using receiver = await receiveWebhooks();
    const home = await desk.home();
    await desk.listen(home, receiver, { event_types: ["number.added"] });
    await desk.happen(home);
    await holdNumber(desk.service.app, home.organisationId, "live");

    await until(() => receiver.received.length > 0);
    expect(types(receiver)).toEqual(["number.added"]);
  });

  test("gets every type of a noun that ends with .*, and can ask only for types that exist", async () => {
    await using receiver = await receiveWebhooks();
    const home = await desk.home();
    const id = await desk.listen(home, receiver, { event_types: ["number.*"] });
    await home.call("PATCH", `/v1/webhook-endpoints/${id}`, { description: "Numbers" });
    await holdNumber(desk.service.app, home.organisationId, "live");
    await desk.happen(home);

    await until(() => receiver.received.length >= 2);
    expect(types(receiver).toSorted()).toEqual(["number.added", HAPPENED]);
    for (const event_types of [
      ["number.added", "number.vanished"],
      ["number.added", "numbers.*"],
    ]) {
      const refused = await home.call("PATCH", `/v1/webhook-endpoints/${id}`, { event_types });
      expect(refused).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ pointer: "#/event_types/1", code: "not_allowed" }] },
      });
    }
  });

  test("receives no events of another organisation or environment", async () => {
    await using receiver = await receiveWebhooks();
    const [home, other] = [await desk.home(), await desk.home()];
    await desk.listen(home, receiver, { event_types: ["number.added"] });
    await holdNumber(desk.service.app, other.organisationId, "live");
    await holdNumber(desk.service.app, home.organisationId, "test");
    const { id } = await holdNumber(desk.service.app, home.organisationId, "live");

    await until(() => receiver.received.length > 0);
    expect(receiver.received.map(({ body }) => body.subject)).toEqual([id]);
  });

  test("that fails is retried with the same ID until it succeeds", async () => {
    await using receiver = await receiveWebhooks();
    receiver.answer = (_, count) => (count === 1 ? 500 : count === 2 ? "cut" : 200);
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home);
    for (const pauseMs of [6_000, 34_000]) {
      await until(async () => (await desk.deliveries(home, id))[0]?.error != null);
      const tries = receiver.received.length;
      desk.service.clock.advance(pauseMs);
      await until(() => receiver.received.length > tries);
    }

    await until(async () => (await desk.deliveries(home, id))[0].status === "delivered");
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
    expect((await desk.deliveries(home, id))[0]).toMatchObject({ attempts: 3, answered: 200, error: null });
  });

  test("that returns 410 is disabled and shows the reason", async () => {
    await using receiver = await receiveWebhooks();
    receiver.answer = () => 410;
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home);

    await until(
      async () => (await home.call("GET", `/v1/webhook-endpoints/${id}`)).body.status === "disabled",
    );
    expect((await home.call("GET", `/v1/webhook-endpoints/${id}`)).body.disabled_reason).toBe("gone");
    const { body } = await home.call("GET", "/v1/events");
    expect(body.data.at(-1)).toMatchObject({ type: "webhook_endpoint.disabled", data: { reason: "gone" } });
  });

  test("that was disabled receives the missed events after it is enabled", async () => {
    await using receiver = await receiveWebhooks();
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await home.call("PATCH", `/v1/webhook-endpoints/${id}`, { status: "disabled" });
    await desk.happen(home, 3);
    await home.call("PATCH", `/v1/webhook-endpoints/${id}`, { status: "active" });

    await until(() => receiver.received.length === 3);
  });

  test("is sent again what it asks for, under the same ids", async () => {
    await using receiver = await receiveWebhooks();
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home, 2);
    await until(
      async () => (await desk.deliveries(home, id)).filter((one) => one.status === "delivered").length === 2,
    );
    const first = receiver.received.map((one) => one.id);

    const { body } = await home.call("POST", `/v1/webhook-endpoints/${id}/replay`, { status: "delivered" });
    expect(body).toEqual({ replayed: 2 });
    await until(() => receiver.received.length === 4);
    expect(
      receiver.received
        .slice(2)
        .map((one) => one.id)
        .toSorted(),
    ).toEqual(first.toSorted());
  });

  test("with a new secret gets both signatures for a day, then one", async () => {
    await using receiver = await receiveWebhooks();
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    const rotated = (await home.call("POST", `/v1/webhook-endpoints/${id}/rotate`)).body.secret;
    expect(rotated).not.toBe(receiver.secret);
    await desk.happen(home);
    await until(() => receiver.received.length === 1);
    expect(receiver.received[0]!.signatures).toBe(2);

    // Not by moving the clock: the library believes no signature that is minutes from its own time.
    await desk.service.database.admin(
      "update webhook_endpoints set previous_secrets_until = array[now()] where id = $1",
      [id],
    );
    receiver.secret = rotated;
    await desk.happen(home);
    await until(() => receiver.received.length + receiver.forged === 2);
    expect(receiver.received.map((one) => one.signatures)).toEqual([2, 1]);
  });
});

describe("an address inside", () => {
  test.each([
    "http://hooks.example.com/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "https://localhost/",
    "https://user:password@hooks.example.com/",
  ])("rejects %s", async (url) => {
    const home = await desk.home();
    expect(await home.call("POST", "/v1/webhook-endpoints", { url })).toMatchObject({
      status: 422,
      body: { code: "destination_not_allowed", errors: [{ pointer: "#/url" }] },
    });
  });

  test("is not reached by a redirect", async () => {
    await using inside = await receiveWebhooks();
    await using receiver = await receiveWebhooks();
    receiver.answer = () => ({ redirect: inside.url });
    const home = await desk.home();
    const id = await desk.listen(home, receiver);
    await desk.happen(home);

    await until(async () => (await desk.deliveries(home, id))[0]?.answered === 302);
    expect(inside.received.length + inside.forged).toBe(0);
    expect((await desk.deliveries(home, id))[0].status).toBe("pending");
  });
});
