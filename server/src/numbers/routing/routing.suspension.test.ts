import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { bearer, type Service, startService, until } from "../../../testing/service.ts";
import { suspendNumber } from "../numbers/numbers.ts";

const OPERATOR = {
  actor_kind: "operator",
  actor_id: null,
  actor_name: "Operator",
  request_id: null,
  address: null,
} as const;

const suspend = ({ app }: Service, e164: string): Promise<boolean> =>
  suspendNumber(app, OPERATOR, e164, true);
const resume = ({ app }: Service, e164: string): Promise<boolean> =>
  suspendNumber(app, OPERATOR, e164, false);

test("waits for a concurrent routing change, and loses neither", async () => {
  await using service = await startService();
  const organisation = await service.organisation();
  const [number] = await seedNumbers(service.app, organisation, "live", 1);
  const { promise: suspended, resolve } = Promise.withResolvers<boolean>();

  await service.app.db.forOrganisation({ organisationId: organisation, environment: "live" }, async (tx) => {
    await tx.query("select from routings where holding_id = $1 for update", [number!.id]);
    resolve(suspend(service, number!.e164));
    await until(async () => (await waiting()) === 1);
    await tx.query("select from event_heads where organisation_id = $1 for update nowait", [organisation]);
    await tx.query("select from feed_shards order by id for no key update nowait");
  });
  expect(await suspended).toBe(true);

  async function waiting(): Promise<number> {
    const [row] = await service.database.admin<{ count: number }>(
      "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return row!.count;
  }
});

test("suspends and resumes during routing changes without a deadlock", async () => {
  await using service = await startService();
  const organisation = await service.organisation();
  const { token } = await service.person({ [organisation]: "owner" });
  const [number] = await seedNumbers(service.app, organisation, "live", 1);
  let hasEnded = false;
  const writers = Array.from({ length: 2 }, async (_, writer) => {
    const statuses = new Set<number>();
    for (let at = 0; !hasEnded; at++) {
      const { status } = await service.send("PUT", `/v1/numbers/${number!.id}/routing`, {
        headers: { ...bearer(token), "idempotency-key": randomUUID() },
        body: { mode: "sip_uri", sip_uri: `sip:${writer}-${at}@pbx.example.com` },
      });
      statuses.add(status);
    }
    return statuses;
  });

  for (let round = 0; round < 50; round++) {
    expect(await suspend(service, number!.e164)).toBe(true);
    expect(await resume(service, number!.e164)).toBe(true);
  }
  hasEnded = true;

  for (const statuses of await Promise.all(writers))
    expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
});
