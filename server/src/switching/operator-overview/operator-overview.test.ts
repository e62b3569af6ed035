import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import type { OperatorOverview } from "./operator-overview.schema.ts";

let service: Service;
let operator: Person;
let own: LiveSwitch;
let organisation: string;
let numbers: { id: string; e164: string }[];

beforeAll(async () => {
  service = await startService();
  operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  organisation = await service.organisation("Northwind");
  numbers = await seedNumbers(service.app, organisation, "live", 3);
  own = await LiveSwitch.add(service);
  await service.database.admin("update switches set state = 'retired' where id <> $1", [own.own.id]);
});
afterAll(() => service[Symbol.asyncDispose]());

beforeEach(async () => {
  await service.database.admin(
    `delete from applied_exceptions; delete from call_standings; delete from reconciliation_findings;
     delete from reconciliations; update organisations set numbers_due = false, suspended_at = null;
     update feed_epochs set resolved_at = now(), resolved_by = 'test', is_held = false where cause = 'rollback';
     update switches set last_seen_at = now() + interval '1 hour' where state <> 'retired'`,
  );
});

async function overview(): Promise<OperatorOverview> {
  const headers = bearer(operator.token);
  const { status, text, body } = await service.send("GET", "/operator/v1/overview", { headers });
  expect(status, text).toBe(200);
  return body;
}

async function exceptNumbers(count: number): Promise<void> {
  await service.database.admin(
    `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
     select $1, holding_id, shard, 'route', organisation_id, environment, version, 'failed', '', '2026-11-01T10:00:00Z', now()
     from routings order by holding_id limit $2`,
    [own.own.id, count],
  );
}

async function reconciliation(carrier: string, status: string, findings: number, minutesAgo: number) {
  const id = newId();
  await service.database.admin(
    `insert into reconciliations (id, carrier, status, error, held, owned, started_at, finished_at)
     values ($1, $2, $3, case $3 when 'failed' then 'No response.' end, case $3 when 'finished' then 0 end,
       case $3 when 'finished' then 0 end, now() - make_interval(mins => $4), now() - make_interval(mins => $4))`,
    [id, carrier, status, minutesAgo],
  );
  await service.database.admin(
    `insert into reconciliation_findings (id, reconciliation_id, kind, e164)
     select gen_random_uuid(), $1, 'not_here', '+44207946000' || n from generate_series(1, $2::integer) n`,
    [id, findings],
  );
  return id;
}

test("has no problems, and the sums of all switches", async () => {
  await own.tell({ [numbers[0]!.id]: 2, [numbers[1]!.id]: 1 }, { isSnapshot: true });
  expect(await overview()).toMatchObject({
    problems: [],
    problems_total: 0,
    switches: { total: 1, reporting: 1, exceptions: 0 },
    active_calls: 3,
  });
});

test("names each problem with its resource, rollbacks and silence first", async () => {
  await exceptNumbers(2);
  await service.database.admin(
    `insert into feed_epochs (epoch, began_at, cause, is_held) values ('e-held', '2026-11-02T10:00:00Z', 'rollback', true);
     update organisations set numbers_due = true, suspended_at = '2026-11-03T10:00:00Z' where id = '${organisation}'`,
  );
  await service.database.admin(
    `insert into call_standings (switch_id, settled_through, max_call_seconds, clock_offset_ms, reported_at, is_disk_full)
     values ($1, now(), 3600, -1500, now(), true)`,
    [own.own.id],
  );
  await reconciliation("acme", "failed", 0, 30);
  const repaired = await reconciliation("acme", "failed", 0, 20);
  const mismatch = await reconciliation("pool", "finished", 3, 10);
  const { problems, problems_total: total } = await overview();
  const { id: switchId, name } = await named();
  expect(problems).toEqual([
    problem("rollback_held", { type: "epoch", id: "e-held", label: null }, "2026-11-02T10:00:00.000Z"),
    problem("switch_clock_wrong", { type: "switch", id: switchId, label: name }, null),
    problem("switch_disk_full", { type: "switch", id: switchId, label: name }, null),
    {
      ...problem(
        "switch_exceptions",
        { type: "switch", id: switchId, label: name },
        "2026-11-01T10:00:00.000Z",
      ),
      count: 2,
    },
    {
      ...problem(
        "reconciliation_failed",
        { type: "reconciliation", id: repaired, label: "acme" },
        expect.any(String),
      ),
      error: "No response.",
    },
    {
      ...problem(
        "carrier_mismatch",
        { type: "reconciliation", id: mismatch, label: "pool" },
        expect.any(String),
      ),
      count: 3,
    },
    problem(
      "organisation_pending",
      { type: "organisation", id: organisation, label: "Northwind" },
      "2026-11-03T10:00:00.000Z",
    ),
  ]);
  expect(total).toBe(7);
});

test("counts a silent switch neither as reporting nor with its exceptions", async () => {
  await exceptNumbers(1);
  await service.database.admin("update switches set last_seen_at = now() - interval '1 hour' where id = $1", [
    own.own.id,
  ]);
  const { problems, switches, active_calls: calls } = await overview();
  expect(problems.map(({ kind }) => kind)).toEqual(["switch_silent"]);
  expect([switches, calls]).toEqual([{ total: 1, reporting: 0, lag: 0, exceptions: 0 }, null]);
});

test("forgets a failed reconciliation when a later one of the carrier succeeds", async () => {
  await reconciliation("acme", "failed", 0, 30);
  await reconciliation("acme", "finished", 0, 10);
  expect((await overview()).problems).toEqual([]);
});

test("rejects users who are not operators", async () => {
  const { token } = await service.person({ [organisation]: "owner" });
  const { status, body } = await service.send("GET", "/operator/v1/overview", { headers: bearer(token) });
  expect([status, body.code]).toEqual([403, "operator_only"]);
});

async function named(): Promise<{ id: string; name: string }> {
  const rows = await service.database.admin<{ id: string; name: string }>(
    "select id, name from switches where id = $1",
    [own.own.id],
  );
  return rows[0]!;
}

function problem(kind: string, subject: object, since: unknown) {
  return { kind, since, subject, count: 1, error: null };
}
