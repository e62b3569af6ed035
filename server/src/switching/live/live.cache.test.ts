import { randomInt, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import { bearer, startService } from "../../../testing/service.ts";
import { keyOf, LiveCache } from "./live.cache.ts";
import { type AskedNumber, listWatched } from "./live.store.ts";

const STEPS = 60;

/** The cache reads a share of all numbers at every look, so there are more than a round of looks reads by chance. */
const COUNT = 400;

test("shows after any change what a full read shows", async () => {
  await using service = await startService();
  const { app, database } = service;
  const organisationId = await service.organisation();
  const { token } = await service.person({ [organisationId]: "owner" });
  const ids = (await seedNumbers(app, organisationId, "live", COUNT)).map(({ id }) => id);
  const switches = [await LiveSwitch.add(service), await LiveSwitch.add(service)];
  await switches[0]!.confirmAll();
  const some = (): string => ids[randomInt(COUNT)]!;
  const sip = (at: number): object => ({ mode: "sip_uri", sip_uri: `sip:${at}@pbx.example.com` });
  const send = (method: string, path: string, body?: object): Promise<unknown> =>
    service.send(method, path, { headers: { ...bearer(token), "idempotency-key": randomUUID() }, body });
  const own = (): LiveSwitch => switches[randomInt(2)]!;
  const exception = (kind: string): Promise<unknown> =>
    database.admin(
      `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, applied, error, since, observed_at)
       select $1, holding_id, shard, 'route', organisation_id, environment, version, $3, '{"mode": "forward"}', 'Planted', now(), now()
       from routings where holding_id = $2 on conflict (switch_id, item_id) do update set state = excluded.state`,
      [own().own.id, some(), kind],
    );
  const steps: Record<string, (at: number) => Promise<unknown>> = {
    "calls begin": (at) => own().tell({ [some()]: 1 + (at % 3), [some()]: 1 }),
    "calls end": () => own().tell(Object.fromEntries(ids.map((id) => [id, 0]))),
    snapshot: () => own().tell({ [some()]: 2 }, { isSnapshot: true }),
    "routing set": (at) => send("PUT", `/v1/numbers/${some()}/routing`, sip(at)),
    "routings confirmed": () => switches[0]!.confirmAll(),
    "number drifts": () => exception("drifted"),
    "number fails": () => exception("failed"),
    "exceptions end": () => database.admin("delete from applied_exceptions"),
    "switch silent": () => database.admin("update switches set last_seen_at = now() - interval '1 hour'"),
    "switch back": () => database.admin("update switches set last_seen_at = now() + interval '1 hour'"),
    "reports old": () =>
      database.admin("update live_reports set observed_at = observed_at - interval '2 minutes'"),
    "number released": () => send("POST", `/v1/numbers/${some()}/release`),
  };
  const asked = new Map(
    [...ids, randomUUID()].map((id): [string, AskedNumber] => [
      keyOf(organisationId, "live", id),
      { organisationId, environment: "live", id },
    ]),
  );
  const cache = new LiveCache();

  const names = Object.keys(steps);
  for (let at = 0; at < STEPS; at++) {
    const name = at < names.length ? names[at]! : names[randomInt(names.length)]!;
    await steps[name]!(at);
    const [changed, rows] = await app.db.forSystem("live", async (tx) => [
      await cache.refresh(tx, asked),
      await listWatched(tx, [...asked.values()]),
    ]);
    const cached = rows.map((row) => cache.get(keyOf(organisationId, "live", row.number_id)));
    expect([name, cached]).toEqual([name, rows]);
    expect(rows).toHaveLength(COUNT);
    if (at === names.indexOf("switch silent")) expect(changed.size).toBeGreaterThanOrEqual(COUNT);
  }
}, 60_000);
