import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buffersOf } from "../../../testing/visits.ts";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { seedNumbers } from "../../seed.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { KINDS, type TimelineEntry } from "./timeline.schema.ts";
import { type TimelinePosition, type TimelineRow, timelineStatement } from "./timeline.store.ts";
import { openOrganisationClient } from "./testing/organisation-client.ts";

/** Pages of long timelines: complete and in order at every size, and no dearer for a longer list. */
let service: Service;
let organisationId: string;
let token: string;
let switchIds: string[];

beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  ({ token } = await service.person({ [organisationId]: "owner" }));
  switchIds = [(await makeSwitch(service)).id, (await makeSwitch(service)).id];
});
afterAll(() => service[Symbol.asyncDispose]());

/** `count` rows of each source, `step` seconds apart. `jitter` seconds put generations and times out of order. */
async function newTimeline(
  count: number,
  { step, jitter }: { step: number; jitter: number },
): Promise<string> {
  const [number] = await seedNumbers(service.app, organisationId, "live", 1);
  const { id } = number!;
  const at = `timestamptz '2026-11-01' + make_interval(secs => floor(n * ${step} + random() * ${jitter}))`;
  const scope = `'${organisationId}', 'live'`;
  const bySwitch = `(array['${switchIds.join("','")}'])[1 + n % 2]::uuid`;
  const rows = `from generate_series(2, ${count}) n`;
  for (const sql of [
    `insert into routing_revisions (organisation_id, environment, holding_id, generation, desired, set_at, set_by_kind)
     select ${scope}, '${id}', n, jsonb_build_object('mode', 'sip_uri', 'sip_uri', 'sip:' || n || '@8.8.8.8'), ${at}, 'system' ${rows}`,
    `insert into applied_routes (organisation_id, environment, holding_id, at, switch_id, version, generation, mode, published_at)
     select ${scope}, '${id}', ${at}, ${bySwitch}, n, n, 'sip_uri', '2026-11-01' ${rows}`,
    `insert into failed_routes (organisation_id, environment, id, holding_id, shard, switch_id, version, generation, error, first_at, ended_at)
     select ${scope}, gen_random_uuid(), '${id}', 0, ${bySwitch}, n, n, 'it refused', ${at}, now() + interval '1 year' ${rows}`,
    `insert into drift_episodes (organisation_id, environment, id, item_id, shard, kind, switch_id, error, first_at, last_at, closed_at)
     select ${scope}, gen_random_uuid(), '${id}', 0, 'route', ${bySwitch}, 'drift', x.at, x.at, x.at from (select ${at} as at, n ${rows}) x`,
    `insert into audit_entries (organisation_id, environment, id, action, outcome, subject, actor_kind, detail, at)
     select ${scope}, gen_random_uuid(), 'number.suspended', 'done', '${id}', 'system', '{}', ${at} ${rows}`,
  ])
    await service.database.admin(sql);
  return id;
}

async function pages(id: string, limit: number, kind?: string): Promise<TimelineEntry[]> {
  const found: TimelineEntry[] = [];
  for (let cursor: string | undefined; ;) {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(kind && { kind }),
      ...(cursor && { cursor }),
    });
    const { status, text, body } = await service.send(
      "GET",
      `/v1/numbers/${id}/timeline?${query.toString()}`,
      {
        headers: bearer(token),
      },
    );
    expect(status, text).toBe(200);
    found.push(...body.data);
    if (body.next_cursor === null) return found;
    expect(body.data).toHaveLength(limit);
    cursor = body.next_cursor;
  }
}

describe("order", () => {
  test("pages of any size and kind are parts of one list, also where times are equal or out of order", async () => {
    const id = await newTimeline(12, { step: 1, jitter: 3 });
    const whole = await pages(id, 1_000);
    const counts = Object.fromEntries(
      KINDS.map((kind) => [kind, whole.filter((one) => one.kind === kind).length]),
    );
    expect(counts).toEqual({ set: 12, applied: 11, failed: 11, drifted: 11, state: 12 });
    const timed = whole.filter(({ kind }) => kind !== "set").map(({ at }) => at);
    expect(timed).toEqual(timed.toSorted().toReversed());
    const generations = whole.flatMap(({ kind, revision }) => (kind === "set" ? [revision!] : []));
    expect(generations).toEqual(generations.toSorted((one, other) => other - one));

    for (const limit of [1, 7, randomInt(2, 40)]) {
      const parts = await pages(id, limit);
      expect(parts.map(textOf).toSorted(), `limit ${limit}`).toEqual(whole.map(textOf).toSorted());
      const partsTimed = parts.filter(({ kind }) => kind !== "set");
      expect(partsTimed).toEqual(whole.filter(({ kind }) => kind !== "set"));
    }
    for (const kind of KINDS)
      expect(await pages(id, 7, kind)).toEqual(whole.filter((one) => one.kind === kind));
  });
  const textOf = (entry: TimelineEntry): string => JSON.stringify(entry);
});

describe("cost", () => {
  const LIMIT = 50;
  let client: Awaited<ReturnType<typeof openOrganisationClient>>;
  beforeAll(async () => {
    client = await openOrganisationClient(service.database.url, organisationId);
  });
  afterAll(() => client.end());

  /** The 2,500th minute. */
  const MIDDLE = { at: "2026-11-02T17:40:00Z", rank: 5, key: "g", below: "2501" };

  async function read(numberId: string, kind?: string, after?: TimelinePosition): Promise<TimelineRow[]> {
    const { text, values } = timelineStatement(
      { organisationId, environment: "live" },
      { numberId, kind, after, limit: LIMIT, now: new Date() },
    );
    return (await client.query<TimelineRow>(text, values)).rows;
  }

  async function buffers(work: () => Promise<unknown>): Promise<number> {
    await client.query("begin");
    const counted = await buffersOf(async (sql) => (await client.query<{ counted: string }>(sql)).rows, work);
    await client.query("commit");
    return counted;
  }

  test("a page in the middle of 25,000 entries touches as few buffers as the first of 250", async () => {
    const short = await newTimeline(50, { step: 60, jitter: 0 });
    const long = await newTimeline(5_000, { step: 60, jitter: 0 });
    await service.database.admin("vacuum (analyze)");
    const small = await buffers(() => read(short));
    expect((await read(long, undefined, MIDDLE))[0]).toMatchObject({
      position: "2026-11-02T17:40:00.000000Z",
    });
    expect(await buffers(() => read(long))).toBeLessThan(2 * small);
    for (const kind of [undefined, ...KINDS])
      expect(await buffers(() => read(long, kind, MIDDLE)), kind).toBeLessThan(2 * small);
  });
});
