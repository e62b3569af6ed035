import { expect, test } from "vitest";
import { seedNumbers, type SeededNumber } from "../../seed.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import type { NumberRecord } from "./numbers.schema.ts";

test("filters exactly by the status of the switches", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  const [failed, drifted, pending, behind, fine] = await seedNumbers(service.app, organisationId, "live", 5);
  await oneSwitchInSync(service);
  for (const [number, state] of [
    [failed, "failed"],
    [drifted, "drifted"],
    [pending, "pending"],
  ] as const)
    await deviate(service, number!, state);
  await service.app.db.forSystem("stock", (tx) => tx.query("select publish_route($1, now())", [behind!.id]));
  const found = (sync: string) => numbersOf(service, owner, sync);

  expect(await found("failed")).toEqual([failed!.e164]);
  expect(await found("drifted")).toEqual([drifted!.e164]);
  expect(await found("pending")).toEqual([pending!.e164, behind!.e164]);
  expect(await found("in_sync")).toEqual([fine!.e164]);
  expect(await found("unknown")).toEqual([]);

  await service.database.admin("update switches set last_seen_at = now() - interval '1 hour'");
  expect(await found("failed")).toEqual([failed!.e164]);
  expect(await found("unknown")).toEqual([pending!.e164, behind!.e164, fine!.e164]);
  expect(await found("in_sync")).toEqual([]);

  await service.database.admin(
    "update switches set last_seen_at = now() + interval '1 hour', synced_epoch = null",
  );
  expect(await found("pending")).toEqual([pending!.e164, behind!.e164, fine!.e164]);
});

test("a connection that no switch could take makes every number that uses it a failed one", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  const [first, second, other] = await seedNumbers(service.app, organisationId, "live", 3);
  const made = await service.send("POST", "/v1/connections", {
    headers: bearer(owner.token),
    body: { name: "PBX", targets: [{ host: "8.8.8.8" }] },
  });
  expect([made.status, made.text]).toEqual([201, made.text]);
  for (const number of [first!, second!]) {
    const set = await service.send("PUT", `/v1/numbers/${number.id}/routing`, {
      headers: { ...bearer(owner.token), "idempotency-key": number.id },
      body: { mode: "connection", connection_id: made.body.id },
    });
    expect([set.status, set.text]).toEqual([200, set.text]);
  }
  await oneSwitchInSync(service);
  await service.database.admin(
    `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
     select w.id, p.connection_id, p.shard, 'connection', p.organisation_id, 'live', p.version, 'failed', '', now(), now()
     from connection_placements p, switches w`,
  );

  expect(await numbersOf(service, owner, "failed")).toEqual([first!.e164, second!.e164]);
  expect(await numbersOf(service, owner, "in_sync")).toEqual([other!.e164]);
});

async function numbersOf(service: Service, person: Person, sync: string): Promise<string[]> {
  const sent = await service.send("GET", `/v1/numbers?sync=${sync}&sort=e164`, {
    headers: bearer(person.token),
  });
  return sent.body.data.map(({ e164 }: NumberRecord) => e164);
}

/** One switch of the live group that has read back everything so far. */
async function oneSwitchInSync({ database }: Service): Promise<void> {
  await database.admin(
    "delete from switches where group_id = (select id from switch_groups where name = 'default')",
  );
  await database.admin(
    `insert into switches (id, group_id, name, synced_epoch, proved_in, last_seen_at, created_at)
     select gen_random_uuid(), id, 'one', (select epoch from feed_epoch), database_instance(), now() + interval '1 hour', now()
     from switch_groups where name = 'default'`,
  );
  await database.admin(
    "update feed_confirmations c set version = s.head from feed_shards s where s.id = c.shard",
  );
}

async function deviate({ database }: Service, number: SeededNumber, state: string): Promise<void> {
  await database.admin(
    `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
     select w.id, r.holding_id, r.shard, 'route', r.organisation_id, 'live', r.version, $2, '', now(), now()
     from routings r join switches w on w.group_id = r.group_id where r.holding_id = $1`,
    [number.id, state],
  );
}
