import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { randomFrom } from "../../../testing/random.ts";
import { bearer, startService, until } from "../../../testing/service.ts";
import { receiveWebhooks, type WebhookReceiver } from "../../../testing/webhook-receiver.ts";
import { recordChange } from "../events/events.ts";
import { systemAuthor } from "../audit/audit.ts";
import { startWebhooks } from "./webhook-endpoints.deliver.ts";
import { isLong } from "../../../testing/test-size.ts";

const EVENTS = isLong ? 1_000 : 400;
const TYPE = "number.changed";

test("WH-01 hundreds of events reach a receiver that fails at random and stops for a while, each under one id", async () => {
  const seed = randomInt(2 ** 31);
  const random = randomFrom(seed);
  console.log(`seed ${seed}`);
  await using service = await startService({ settings: { EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" } });
  await using receiver = await receiveWebhooks();
  await using gone = await receiveWebhooks();
  await using inside = await receiveWebhooks();
  await using redirecting = await receiveWebhooks();
  const organisationId = await service.organisation();
  const { token } = await service.person({ [organisationId]: "owner" });
  const listen = async (to: WebhookReceiver): Promise<string> => {
    const body = { url: to.url, event_types: [TYPE] };
    const answer = await service.send("POST", "/v1/webhook-endpoints", { headers: bearer(token), body });
    to.secret = answer.body.secret;
    return answer.body.id;
  };
  const taken = new Set<string>();
  let isStopped = false;
  receiver.answer = ({ id }, count) => {
    if (count === EVENTS * 0.3) isStopped = true;
    if (isStopped) return "cut";
    const chance = random();
    if (chance < 0.15) return 500;
    if (chance < 0.25) return "cut";
    taken.add(id);
    return 200;
  };
  gone.answer = () => 410;
  redirecting.answer = () => ({ redirect: inside.url });
  const endpoints = [await listen(receiver), await listen(gone), await listen(redirecting)];

  const happened = new Set<string>();
  for (let done = 0; done < EVENTS; done++)
    await service.app.db.forSystem("operator", (tx) =>
      recordChange(tx, systemAuthor("storm"), service.clock.now(), {
        type: TYPE,
        organisationId,
        environment: "live",
        subject: String(done),
      }),
    );
  for (const { id } of await service.database.admin<{ id: string }>(
    "select id from events where type = $1 order by sequence",
    [TYPE],
  ))
    happened.add(id);

  const webhooks = startWebhooks(service.app);
  // One at a time while it fails, so this takes a while.
  await until(() => isStopped);
  await until(() => receiver.received.length >= EVENTS * 0.3 + 20);
  isStopped = false;
  // At most one more failure each: after two, the backoff exceeds the time for which the library accepts a signature.
  const refused = new Set<string>();
  receiver.answer = ({ id }) => {
    if (random() < 0.2 && !refused.has(id)) {
      refused.add(id);
      return 503;
    }
    taken.add(id);
    return 200;
  };
  while (taken.size < EVENTS) {
    service.clock.advance(5_500);
    await until(async () => (await pendingTries(endpoints[0]!)) === 0);
  }
  await webhooks.close();

  expect(happened.size).toBe(EVENTS);
  expect(taken).toEqual(happened);
  // However they came, their order can be restored.
  const sequences = new Map(receiver.received.map(({ id, body }) => [id, body.sequence]));
  expect([...taken].toSorted((one, other) => sequences.get(one)! - sequences.get(other)!)).toEqual([
    ...happened,
  ]);
  expect(receiver.forged).toBe(0);
  expect(new Set(receiver.received.map(({ id, body }) => `${id}/${body.id}`)).size).toBe(EVENTS);
  expect(inside.received.length + inside.forged).toBe(0);
  expect(gone.received.length).toBeLessThan(100);
  const states = await service.database.admin("select id, status from webhook_endpoints order by id", []);
  expect(states).toEqual(
    [
      { id: endpoints[0], status: "active" },
      { id: endpoints[1], status: "disabled" },
      { id: endpoints[2], status: "active" },
    ].toSorted((one, other) => (one.id! < other.id! ? -1 : 1)),
  );

  /** How many are due or under way now. */
  async function pendingTries(endpoint: string): Promise<number> {
    const [row] = await service.database.admin<{ count: number }>(
      `select count(*)::integer as count from webhook_deliveries where endpoint_id = $1 and status = 'pending'
         and (next_attempt_at <= $2 or error is null)`,
      [endpoint, service.clock.now()],
    );
    return row!.count;
  }
}, 240_000);
