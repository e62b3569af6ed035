import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { exceptionOf, shardReport } from "../../../testing/switch-reports.ts";
import { isLong } from "../../../testing/test-size.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { sweepDrift } from "./switches.drift.ts";
import { createSwitch, recordReport } from "./switches.ts";

/** Drift stays on record after its repair, and a switch that drifts repeatedly makes few events. */
const EVERY_MS = 3_000;
/** Half an hour, or five minutes of it in CI: the episodes and their events are the same. */
const TIMES = isLong ? 600 : 100;
const ELEVEN_MINUTES_MS = 11 * 60_000;
const EXPECTED = "sip:desk@8.8.8.8";

let service: Service;
let organisationId: string;
let key: string;
let who: SwitchCaller;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  key = (await service.key(owner, organisationId, ["full"])).secret;
  const { row } = await createSwitch(service.app, systemAuthor("test"), { name: "edge-1" });
  who = { switchId: row.id, groupId: row.group_id, name: row.name, credentialVersion: 1 };
});
afterAll(() => service[Symbol.asyncDispose]());

interface Scene {
  id: string;
  shard: number;
  version: number;
}

async function newNumber(): Promise<Scene> {
  const [number] = await seedNumbers(service.app, organisationId, "live", 1);
  const routed = await service.send("PUT", `/v1/numbers/${number!.id}/routing`, {
    headers: { ...bearer(key), "idempotency-key": number!.id },
    body: { mode: "sip_uri", sip_uri: EXPECTED },
  });
  expect(routed.status, routed.text).toBe(200);
  const [row] = await service.database.admin<{ shard: number; version: string }>(
    "select shard, version from routings where holding_id = $1",
    [number!.id],
  );
  const heads = await service.database.admin<{ id: number; head: string }>(
    "select id, head from feed_shards where group_id = $1",
    [who.groupId],
  );
  await report(
    heads.map(({ id, head }) => shardReport(id, Number(head))),
    true,
  );
  return { id: number!.id, shard: row!.shard, version: Number(row!.version) };
}

async function report(shards: ReturnType<typeof shardReport>[], isComplete = false): Promise<void> {
  const epoch = service.app.feed.epoch()!;
  await recordReport(service.app, who, {
    epoch,
    boot: "boot",
    agent_version: "1",
    is_complete: isComplete,
    shards,
  });
}

/** Found on the switch, then repaired. */
async function drift({ id, shard, version }: Scene, uri: string): Promise<void> {
  const at = service.clock.now();
  const drifted = exceptionOf(id, version, {
    state: "drifted",
    applied: { generation: 2, value: { e164: "+4930901820", mode: "sip_uri", sip_uri: uri } },
    error: `The switch held ${uri} (generation 2) instead of ${EXPECTED} (generation 2).`,
    observed_at: at.toISOString(),
  });
  await report([shardReport(shard, version, [drifted], at)]);
}
const repair = ({ shard, version }: Scene): Promise<void> =>
  report([shardReport(shard, version, [], service.clock.now())]);

const shown = async ({ id }: Scene) =>
  (await service.send("GET", `/v1/numbers/${id}/routing`, { headers: bearer(key) })).body;
const listed = async ({ id }: Scene) =>
  (await service.send("GET", `/v1/numbers/${id}`, { headers: bearer(key) })).body.routing;

const eventsOf = ({ id }: Scene) =>
  service.database.admin<{ type: string; data: Record<string, unknown> }>(
    "select type, data from events where subject = $1 and type like 'routing.%dr%' or subject = $1 and type = 'routing.flapping' order by sequence",
    [id],
  );
const auditedOf = async ({ id }: Scene): Promise<string[]> =>
  (
    await service.database.admin<{ action: string }>(
      "select action from audit_entries where subject = $1 and action ~ 'drift|flap'",
      [id],
    )
  ).map(({ action }) => action);
const episodesOf = ({ id }: Scene) =>
  service.database.admin<{ count: number; is_various: boolean; wrong_ms: string; closed_at: Date | null }>(
    "select * from drift_episodes where item_id = $1 order by first_at, is_various",
    [id],
  );

test("one drift opens an episode with both destinations, which closes after ten quiet minutes", async () => {
  const scene = await newNumber();
  expect(await shown(scene)).toMatchObject({ flapping: false, drift: null, last_error: null });

  await drift(scene, "sip:old@8.8.8.8");
  const found = { mode: "sip_uri", sip_uri: "sip:old@8.8.8.8", generation: 2 };
  const expected = { mode: "sip_uri", sip_uri: EXPECTED, generation: 2 };
  expect(await shown(scene)).toMatchObject({ status: "drifted", drift: { found, expected, count: 1 } });
  service.clock.advance(2_000);
  await repair(scene);
  const error = "The switch held sip:old@8.8.8.8 (generation 2) instead of sip:desk@8.8.8.8 (generation 2).";
  expect(await shown(scene)).toMatchObject({
    status: "in_sync",
    last_error: error,
    flapping: false,
    drift: { switch: "edge-1", found, expected, count: 1, is_various: false },
  });
  await sweepDrift(service.app);
  expect(await eventsOf(scene)).toEqual([
    { type: "routing.drifted", data: { switch: "edge-1", error, found, expected } },
  ]);

  service.clock.advance(ELEVEN_MINUTES_MS);
  await sweepDrift(service.app);
  expect(await eventsOf(scene)).toMatchObject([
    { type: "routing.drifted" },
    { type: "routing.drift_ended", data: { switch: "edge-1", error, found, expected, count: 1 } },
  ]);
  expect(await auditedOf(scene)).toEqual(["routing.drifted"]);
  const [episode, ...others] = await episodesOf(scene);
  expect(others).toEqual([]);
  expect(Number(episode!.wrong_ms)).toBeGreaterThanOrEqual(2_000);
  expect(await shown(scene)).toMatchObject({ last_error: null, flapping: false, drift: null });
});

test.each([
  { what: "one found value", uriOf: () => "sip:old@8.8.8.8", episodes: 1 },
  { what: "a new found value each time", uriOf: (time: number) => `sip:${time}@8.8.8.8`, episodes: 6 },
])(
  "a number that drifts every 3 s for minutes, with $what, makes few events and shows both values at any moment",
  async ({ uriOf, episodes }) => {
    const scene = await newNumber();
    for (let time = 1; time <= TIMES; time += 1) {
      service.clock.advance(EVERY_MS);
      await drift(scene, uriOf(time));
      if (time % 20 === 0) await sweepDrift(service.app);
      const isLooked = time % 15 === 0;
      if (isLooked)
        expect((await shown(scene)).last_error).toContain(
          `${uriOf(time)} (generation 2) instead of ${EXPECTED}`,
        );
      await repair(scene);
      if (!isLooked) continue;
      const between = await shown(scene);
      expect(between).toMatchObject({
        status: "in_sync",
        flapping: true,
        drift: { found: { sip_uri: uriOf(time) }, expected: { sip_uri: EXPECTED } },
      });
      expect(between.last_error).toContain(`${uriOf(time)} (generation 2) instead of ${EXPECTED}`);
      expect(await listed(scene)).toMatchObject({ status: "in_sync", flapping: true });
    }
    service.clock.advance(ELEVEN_MINUTES_MS);
    await sweepDrift(service.app);

    const all = await episodesOf(scene);
    expect(all).toHaveLength(episodes);
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(TIMES);
    expect(all.every(({ closed_at: closedAt }) => closedAt !== null)).toBe(true);
    const events = await eventsOf(scene);
    expect(events.length).toBeLessThanOrEqual(3 * episodes);
    expect(events.filter(({ type }) => type === "routing.drifted")).toHaveLength(episodes);
    expect(events.filter(({ type }) => type === "routing.flapping")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "routing.drift_ended")).toHaveLength(episodes);
    expect(await auditedOf(scene)).toHaveLength(episodes);
    expect(await listed(scene)).toMatchObject({ flapping: false });
  },
);
