import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { openSuperuser } from "../../../testing/superuser.ts";
import { waitingOrderOf } from "../../../testing/walls/waiting-order.ts";
import { newId } from "../../platform/ids.ts";
import { seedNumbers, seedOperator, seedSession } from "../../seed.ts";
import { sweepEndedProblems, sweepProblems } from "./notifications.sweep.ts";

const MINUTE_MS = 60_000;
let service: Service;
let organisationId: string;
let owner: Person;
let own: LiveSwitch;
let numbers: { id: string; e164: string }[];

beforeAll(async () => {
  service = await startService({ settings: { DATABASE_CONNECTIONS: "12" } });
  own = await LiveSwitch.add(service);
});
afterAll(() => service[Symbol.asyncDispose]());

beforeEach(async () => {
  await service.database.admin("delete from notification_rules; delete from problems; delete from mails");
  organisationId = await service.organisation("Northwind Telecom");
  owner = await service.person({ [organisationId]: "owner" });
  numbers = await seedNumbers(service.app, organisationId, "live", 3);
});

async function setRules(rules: object[], token = owner.token) {
  return service.send("PUT", "/v1/notifications", { headers: bearer(token), body: { rules } });
}

const FAILING = () => ({ kind: "number_failing", webhook: true, emails: [owner.email] });

async function fail(id: string): Promise<void> {
  await service.database.admin(
    `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
     select $1, holding_id, shard, 'route', organisation_id, environment, version, 'failed', 'Out of memory.', $3, now()
     from routings where holding_id = $2`,
    [own.own.id, id, service.clock.now()],
  );
}

async function recover(id: string): Promise<void> {
  await service.database.admin("delete from applied_exceptions where item_id = $1", [id]);
}

/** Some time later, after several sweeps in between as a worker does them. */
async function sweepFor(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10_000) {
    service.clock.advance(10_000);
    await sweepProblems(service.app);
  }
}

const events = async (): Promise<{ type: string; data: Record<string, unknown> }[]> =>
  service.database.admin(
    "select type, data from events where organisation_id = $1 and type like 'problem.%' order by sequence",
    [organisationId],
  );
const mails = async (): Promise<{ kind: string; recipient: string }[]> =>
  service.database.admin("select kind, recipient from mails order by created_at, recipient");

describe("rules", () => {
  test("are empty at first, and replaced as a whole", async () => {
    const headers = bearer(owner.token);
    const { body } = await service.send("GET", "/v1/notifications", { headers });
    expect(body.rules).toHaveLength(6);
    expect(body.rules[0]).toEqual({ kind: "number_failing", webhook: false, emails: [] });

    const set = await setRules([FAILING(), { kind: "order_failed", emails: [owner.email.toUpperCase()] }]);
    expect([set.status, set.body.rules[0], set.body.rules[4].emails]).toEqual([
      200,
      FAILING(),
      [owner.email],
    ]);
    await setRules([{ kind: "order_failed", webhook: true }]);
    const { body: now } = await service.send("GET", "/v1/notifications", { headers });
    expect(now.rules[0].emails).toEqual([]);
    expect(now.rules[4]).toEqual({ kind: "order_failed", webhook: true, emails: [] });
  });

  test("reject addresses of others, kinds that occur twice, and callers who do not manage the organisation", async () => {
    const stranger = await service.person();
    const developer = await service.person({ [organisationId]: "developer" });
    const { status, body } = await setRules([
      FAILING(),
      { kind: "number_failing", emails: [stranger.email] },
    ]);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        pointer: "#/rules/1/kind",
        code: "duplicate",
        detail: "number_failing occurs twice. Use one rule for each kind.",
      },
      {
        pointer: "#/rules/1/emails/0",
        code: "not_allowed",
        detail: `${stranger.email} is not a member of this organisation. Invite the user first.`,
      },
    ]);
    expect((await setRules([], developer.token)).status).toBe(403);
  });

  test("leave an audit entry with both versions, unless nothing changed", async () => {
    await setRules([FAILING()]);
    await setRules([FAILING()]);
    const entries = await service.database.admin<Record<"before" | "after", { rules: object[] }>>(
      "select before, after from audit_entries where organisation_id = $1 and action = 'notifications.changed'",
      [organisationId],
    );
    const [entry, ...others] = entries;
    expect([entry!.before.rules[0], entry!.after.rules[0]]).toEqual([
      { kind: "number_failing", webhook: false, emails: [] },
      FAILING(),
    ]);
    expect(others).toEqual([]);
  });
});

describe("a problem", () => {
  test("that lasts a minute sends one mail and one event when it begins, and one each when it ends", async () => {
    await setRules([FAILING()]);
    await fail(numbers[0]!.id);
    await sweepFor(50_000);
    expect([await events(), await mails()]).toEqual([[], []]);

    await sweepFor(3 * MINUTE_MS);
    expect(await events()).toMatchObject([
      {
        type: "problem.began",
        data: {
          kind: "number_failing",
          subject_id: numbers[0]!.id,
          label: numbers[0]!.e164,
          error: "Out of memory.",
          url: `${service.app.config.baseUrl}/o/${organisationId}/live/numbers/${numbers[0]!.id}`,
        },
      },
    ]);
    expect(await mails()).toEqual([{ kind: "problem_began", recipient: owner.email }]);

    await recover(numbers[0]!.id);
    await sweepFor(50_000);
    expect(await events()).toHaveLength(1);
    await sweepFor(3 * MINUTE_MS);
    expect((await events()).map(({ type }) => type)).toEqual(["problem.began", "problem.ended"]);
    expect((await mails()).map(({ kind }) => kind)).toEqual(["problem_began", "problem_ended"]);

    await fail(numbers[0]!.id);
    await sweepFor(2 * MINUTE_MS);
    expect((await events()).map(({ type }) => type)).toEqual([
      "problem.began",
      "problem.ended",
      "problem.began",
    ]);
    await recover(numbers[0]!.id);
  });

  test("that is gone within a minute, or comes back within a minute, sends nothing more", async () => {
    await setRules([FAILING()]);
    for (let round = 0; round < 4; round++) {
      await fail(numbers[0]!.id);
      await sweepFor(30_000);
      await recover(numbers[0]!.id);
      await sweepFor(10_000);
    }
    expect(await events()).toEqual([]);
    await fail(numbers[0]!.id);
    await sweepFor(2 * MINUTE_MS);
    for (let round = 0; round < 4; round++) {
      await recover(numbers[0]!.id);
      await sweepFor(30_000);
      await fail(numbers[0]!.id);
      await sweepFor(30_000);
    }
    expect((await events()).map(({ type }) => type)).toEqual(["problem.began"]);
    await recover(numbers[0]!.id);
  });

  test("of several numbers is one mail with the dashboard's links, and none to former members", async () => {
    const admin = await service.person({ [organisationId]: "admin" });
    await setRules([{ ...FAILING(), emails: [owner.email, admin.email] }]);
    await service.send("DELETE", `/v1/members/${admin.userId}`, { headers: bearer(owner.token) });
    for (const { id } of numbers) await fail(id);
    await sweepFor(2 * MINUTE_MS);
    expect(await events()).toHaveLength(3);
    expect(await mails()).toEqual([{ kind: "problem_began", recipient: owner.email }]);
    for (const { id } of numbers) await recover(id);
  });

  test("is written as a mail that names it", async () => {
    await using worker = await startService({ worker: true });
    const organisation = await worker.organisation("Northwind Telecom");
    const person = await worker.person({ [organisation]: "owner" });
    const endpointId = newId();
    await worker.send("PUT", "/v1/notifications", {
      headers: bearer(person.token),
      body: { rules: [{ kind: "webhook_endpoint_disabled", emails: [person.email] }] },
    });
    await worker.database.admin(
      `insert into webhook_endpoints (id, organisation_id, environment, url, status, disabled_reason, disabled_at, position, created_at)
       values ($1, $2, 'live', 'https://hooks.northwind.example/', 'disabled', 'gone', now() - interval '5 minutes', 0, now())`,
      [endpointId, organisation],
    );
    const mail = await until(() => worker.mails().find((one) => one.includes(`To: ${person.email}`)));
    expect(mail).toContain(
      "Subject: Northwind Telecom: Deliveries stopped to webhook endpoint https://hooks.northwind.example/",
    );
    expect(mail).toContain(`/o/${organisation}/live/webhooks/${endpointId}`);
  });

  test("of a kind whose rule is removed ends without a notification", async () => {
    await setRules([FAILING()]);
    await fail(numbers[0]!.id);
    await sweepFor(2 * MINUTE_MS);
    await setRules([{ kind: "order_failed", webhook: true }]);
    await recover(numbers[0]!.id);
    await sweepFor(3 * MINUTE_MS);
    expect((await events()).map(({ type }) => type)).toEqual(["problem.began"]);
    expect(await service.database.admin("select 1 from problems")).toEqual([]);
  });

  test("of an order lasts until the customer has submitted the evidence", async () => {
    await setRules([{ kind: "order_action_required", emails: [owner.email], webhook: true }]);
    const order = await waitingOrderOf(service, { organisationId, environment: "live" });
    await service.database.admin("update order_requirements set updated_at = $2 where order_id = $1", [
      order.id,
      service.clock.now(),
    ]);
    await sweepFor(2 * MINUTE_MS);
    expect(await events()).toMatchObject([
      { type: "problem.began", data: { kind: "order_action_required", subject_id: order.id } },
    ]);
    const submitted = await service.send("POST", `/v1/numbers/orders/${order.id}/requirements`, {
      headers: bearer(owner.token),
      body: { submissions: [{ requirement_id: "end_user", end_user: { name: "Ada Lovelace" } }] },
    });
    expect(submitted.status, submitted.text).toBe(202);
    await sweepFor(2 * MINUTE_MS);
    expect((await events()).map(({ type }) => type)).toEqual(["problem.began", "problem.ended"]);
    expect((await mails()).map(({ kind }) => kind)).toEqual(["problem_began", "problem_ended"]);
  });

  test("that ended is deleted after 30 days", async () => {
    await setRules([FAILING()]);
    await fail(numbers[0]!.id);
    await sweepFor(2 * MINUTE_MS);
    await recover(numbers[0]!.id);
    await sweepFor(3 * MINUTE_MS);
    await service.database.admin("update problems set begun_at = '2020-01-01', ended_at = '2020-01-02'");
    await sweepEndedProblems(service.app);
    expect(await service.database.admin("select 1 from problems")).toEqual([]);
  });
});

describe("workers", () => {
  test("that sweep at the same time notify once", async () => {
    await setRules([FAILING()]);
    for (const { id } of numbers) await fail(id);
    await sweepFor(20_000);
    service.clock.advance(2 * MINUTE_MS);
    await Promise.all(Array.from({ length: 6 }, () => sweepProblems(service.app)));
    expect(await events()).toHaveLength(3);
    expect(await mails()).toHaveLength(1);
    for (const { id } of numbers) await recover(id);
  });

  test("that are killed amid a sweep leave nothing, and the next one notifies once", async () => {
    await setRules([FAILING()]);
    await fail(numbers[0]!.id);
    await sweepFor(20_000);
    service.clock.advance(2 * MINUTE_MS);
    await using blocker = await openSuperuser(service.database.url);
    await blocker.admin("begin");
    await blocker.admin("select from event_heads where organisation_id = $1 for update", [organisationId]);
    const killed = sweepProblems(service.app).then(
      () => "finished",
      () => "killed",
    );
    // It has queued its mail by now, and waits to write the event.
    const [backend] = await until(async () => {
      const rows = await service.database.admin<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database()
           and application_name = 'dialplane_system' and wait_event_type = 'Lock'`,
      );
      return rows.length > 0 && rows;
    });
    await service.database.admin("select pg_terminate_backend($1)", [backend!.pid]);
    expect(await killed).toBe("killed");
    await blocker.admin("rollback");
    expect([await events(), await mails()]).toEqual([[], []]);

    await sweepFor(30_000);
    expect(await events()).toHaveLength(1);
    expect(await mails()).toHaveLength(1);
    await recover(numbers[0]!.id);
  });
});

describe("the operator", () => {
  test("gets mail when a switch stops reporting, when it reports again, and when work is late", async () => {
    const operator = await seedOperator(service.app, {
      name: "Margaret",
      email: `${newId()}@dialplane.example`,
    });
    const headers = bearer(await seedSession(service.app, operator, "tool"));
    const body = { rules: ["switch_silent", "backlog"].map((kind) => ({ kind, emails: [operator.email] })) };
    const wrong = { rules: [{ kind: "backlog", emails: [owner.email] }] };
    expect((await service.send("PUT", "/operator/v1/notifications", { headers, body: wrong })).status).toBe(
      400,
    );
    const set = await service.send("PUT", "/operator/v1/notifications", { headers, body });
    expect([set.status, set.body]).toEqual([200, body]);

    await service.database.admin("update switches set last_seen_at = now() - interval '5 minutes'");
    await sweepFor(20_000);
    expect((await mails()).map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ["problem_began", operator.email],
    ]);
    await service.database.admin("update switches set last_seen_at = now() + interval '1 hour'");
    await sweepFor(2 * MINUTE_MS);
    expect((await mails()).map(({ kind }) => kind)).toEqual(["problem_began", "problem_ended"]);

    // No worker sends these mails here, which is a backlog after five minutes.
    await sweepFor(6 * MINUTE_MS);
    const [backlog] = await service.database.admin(
      "select kind, subject, begun_at is not null as has_begun from problems where ended_at is null",
    );
    expect(backlog).toEqual({ kind: "backlog", subject: "mails", has_begun: true });
  });
});
