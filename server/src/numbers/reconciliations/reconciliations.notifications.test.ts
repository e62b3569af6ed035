import { afterAll, beforeAll, expect, test } from "vitest";
import { dyingApp, Killed } from "../../../testing/interrupted-app.ts";
import { type Service, startService } from "../../../testing/service.ts";
import { holdNumber } from "../../../testing/stock.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { reconcileJob } from "./reconciliations.jobs.ts";
import { reconcile } from "./reconciliations.ts";

let service: Service;
beforeAll(async () => void (service = await startService()));
afterAll(() => service[Symbol.asyncDispose]());

const AUTHOR = systemAuthor("test");

/** Numbers the pool has never sold, each of another organisation. */
async function missing(count: number): Promise<{ organisationId: string; id: string }[]> {
  // Numbers of earlier tests must not be compared.
  await service.database.admin("update holdings set carrier = null");
  const made = [];
  for (let n = 0; n < count; n++) {
    const organisationId = await service.organisation();
    const { id } = await holdNumber(service.app, organisationId, "live");
    await service.database.admin("update holdings set carrier = 'pool' where id = $1", [id]);
    made.push({ organisationId, id });
  }
  return made;
}

async function countNotifications(numbers: readonly { id: string }[]): Promise<number[]> {
  const counts = [];
  for (const { id } of numbers) {
    const events = await service.database.admin(
      "select from events where type = 'number.missing_at_carrier' and subject = $1",
      [id],
    );
    counts.push(events.length);
  }
  return counts;
}

test("notifies each holder once if it is killed after any step and retried", async () => {
  for (let step = 1; ; step++) {
    const numbers = await missing(3);
    const dying = dyingApp(service.app, step);
    const died = await reconcile(dying.app, AUTHOR, "pool").then(
      () => false,
      (error: unknown) => error instanceof Killed || dying.isInterrupted(),
    );
    if (!dying.isInterrupted()) {
      expect(step).toBeGreaterThan(8);
      return;
    }
    await reconcileJob.run(service.app);
    expect([step, died, await countNotifications(numbers)]).toEqual([step, true, [1, 1, 1]]);
  }
});

test("notifies the other holders and finishes the report if one notification fails", async () => {
  const numbers = await missing(3);
  const { organisationId } = numbers[1]!;
  const [head] = await service.database.admin<{ head: string }>(
    "delete from event_heads where organisation_id = $1 returning head",
    [organisationId],
  );
  await expect(reconcile(service.app, AUTHOR, "pool")).rejects.toThrow("Not every holder");
  const [report] = await service.database.admin("select status, error from reconciliations order by id desc");
  expect(report).toEqual({ status: "finished", error: null });
  expect(await countNotifications(numbers)).toEqual([1, 0, 1]);

  await service.database.admin("insert into event_heads (organisation_id, head) values ($1, $2)", [
    organisationId,
    head!.head,
  ]);
  await reconcileJob.run(service.app);
  expect(await countNotifications(numbers)).toEqual([1, 1, 1]);
});

test("notifies a holder once in two concurrent runs, and again a day later", async () => {
  const numbers = await missing(1);
  await Promise.all([reconcile(service.app, AUTHOR, "pool"), reconcile(service.app, AUTHOR, "pool")]);
  await reconcile(service.app, AUTHOR, "pool");
  expect(await countNotifications(numbers)).toEqual([1]);

  service.clock.advance(24 * 3_600_000);
  await reconcileJob.run(service.app);
  expect(await countNotifications(numbers)).toEqual([2]);
});
