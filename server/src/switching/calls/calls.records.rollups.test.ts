import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import { callRecord, momentOf } from "../../../testing/call-record.ts";
import { randomFrom } from "../../../testing/random.ts";
import { bearer, type Service, startService, until } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";
import type { CallRecord } from "./calls.records.schema.ts";

let service: Service;
let organisationId: string;
let switches: TestSwitch[];
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  switches = [await makeSwitch(service), await makeSwitch(service), await makeSwitch(service)];
});
afterAll(() => service[Symbol.asyncDispose]());

/** As an agent does: a busy database makes it try again. */
const post = (by: TestSwitch, records: unknown[]): Promise<unknown> =>
  until(async () => {
    const { status } = await service.send("POST", "/switch/v1/call-records", {
      headers: bearer(by.credential),
      body: { records },
    });
    expect([200, 503]).toContain(status);
    return status === 200;
  }, 60_000);
const held = async (count: number): Promise<string[]> =>
  (await seedNumbers(service.app, organisationId, "live", count)).map(({ id }) => id);
const hoursOf = (number: string): Promise<Record<string, unknown>[]> =>
  service.database.admin(
    `select to_jsonb(u) - '{organisation_id,environment,holding_id}'::text[] as hour from usage_hours u where holding_id = $1 order by hour`,
    [number],
  );

/** Rows that the tables of usage and the records disagree about. */
const DISAGREEMENTS = `
  with raw as (
    select holding_id, switch_id, organisation_id, environment, started_at, result, case when ended_at > answered_at then ceil(extract(epoch from ended_at - answered_at)) else 0 end as talk
    from call_records where holding_id is not null and result <> 'not_served'
  )
  (select holding_id::text, date_trunc('hour', started_at, 'UTC')::text, count(*)::bigint, sum(talk)::bigint from raw group by 1, 2
   except select holding_id::text, hour::text, calls, talk_seconds from usage_hours)
  union all (select holding_id::text, hour::text, calls, talk_seconds from usage_hours
   except select holding_id::text, date_trunc('hour', started_at, 'UTC')::text, count(*)::bigint, sum(talk)::bigint from raw group by 1, 2)
  union all (select holding_id::text, (started_at at time zone 'UTC')::date::text, count(*)::bigint, sum(talk)::bigint from raw group by 1, 2
   except select holding_id::text, day::text, calls, talk_seconds from usage_days)
  union all (select switch_id::text, date_trunc('hour', started_at, 'UTC')::text, count(*)::bigint, sum(talk)::bigint from raw group by 1, 2
   except select switch_id::text, hour::text, calls, talk_seconds from organisation_usage_hours)
  union all (select switch_id::text, date_bin('15 minutes', started_at, '2000-01-01T00:00Z')::text, count(*)::bigint, sum(talk)::bigint from raw group by 1, 2
   except select switch_id::text, quarter::text, calls, talk_seconds from organisation_usage_quarters)`;

describe("usage", () => {
  test("counts each call once, in the hour it began, with its seconds rounded up", async () => {
    const [number] = await held(1);
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 2 * 3_600_000;
    const call = (ms: number, rest: Partial<CallRecord>): CallRecord =>
      callRecord({ number_id: number!, started_at: momentOf(hour + ms, 0), ...rest });
    const refused = (ms: number, code: number, why: string | null = null): CallRecord =>
      call(ms, { ending: "refused", answered_at: null, ended_at: momentOf(hour + ms), code, why });
    const sent = [
      // From the last moment of the hour into the next one: 10.000001 s are 11.
      call(3_599_999, {
        answered_at: momentOf(hour + 3_600_500, 0),
        ended_at: momentOf(hour + 3_610_500, 1),
      }),
      call(0, {
        mode: "forward",
        answered_at: momentOf(hour + 1_000, 0),
        ended_at: momentOf(hour + 4_000, 0),
      }),
      // A customer's program said where to: one was forwarded, the other not.
      call(1, {
        mode: "webhook",
        target: "+442079460000",
        answered_at: momentOf(hour + 1_000, 0),
        ended_at: momentOf(hour + 6_000, 0),
      }),
      call(2, {
        mode: "webhook",
        target: "sip:desk@pbx.example.com",
        answered_at: momentOf(hour + 1_000, 0),
        ended_at: momentOf(hour + 2_000, 0),
      }),
      // The end was not observed.
      call(5, { ending: "unknown", answered_at: momentOf(hour + 10), ended_at: null }),
      refused(1, 486),
      refused(2, 487),
      refused(3, 480),
      refused(4, 403),
      refused(5, 500),
      // The service could not accept it, so it counts for no organisation.
      refused(6, 503, "draining"),
    ];
    for (let time = 0; time < 3; time++) await post(switches[0]!, sent.toReversed());

    expect(await hoursOf(number!)).toEqual([
      {
        hour: {
          hour: momentOf(hour).replace(".000123Z", "+00:00"),
          calls: 10,
          answered: 5,
          busy: 1,
          cancelled: 1,
          no_answer: 1,
          rejected: 1,
          failed: 1,
          talk_seconds: 20,
          forwarded_seconds: 8,
        },
      },
    ]);
    const owner = await service.person({ [organisationId]: "owner" });
    const window = `from=${new Date(hour - 1).toISOString()}&to=${new Date(hour + 4_000).toISOString()}`;
    const { body } = await service.send("GET", `/v1/numbers/${number}/usage?${window}`, {
      headers: bearer(owner.token),
    });
    expect(body.totals).toMatchObject({ talk_seconds: 9, forwarded_seconds: 8 });
  });

  test("is exact when many switches send, twice and in any order, calls of the same numbers at once", async () => {
    const numbers = await held(20);
    const random = randomFrom(7);
    const batches = switches.flatMap((by) =>
      Array.from({ length: 6 }, () => ({
        by,
        records: Array.from({ length: 150 }, () => {
          const startedAt = Date.now() - Math.floor(random() * 5 * 86_400_000);
          return callRecord({
            number_id: random() < 0.05 ? newId() : numbers[Math.floor(random() * 20)]!,
            started_at: momentOf(startedAt),
            answered_at: momentOf(startedAt + 1_000),
            ended_at: momentOf(startedAt + 1_000 + Math.floor(random() * 300_000)),
          });
        }),
      })),
    );
    const again = batches.map(({ by, records }) => ({ by, records: records.toReversed() }));
    await Promise.all([...batches, ...again].map(({ by, records }) => post(by, records)));

    expect(await service.database.admin(DISAGREEMENTS)).toEqual([]);
    expect(
      await service.database.admin(
        "select deadlocks::int from pg_stat_database where datname = current_database()",
      ),
    ).toEqual([{ deadlocks: 0 }]);
    const [{ calls } = { calls: 0 }] = await service.database.admin<{ calls: number }>(
      "select sum(calls)::int as calls from usage_hours where holding_id = any ($1)",
      [numbers],
    );
    expect(calls).toBe(
      batches.flatMap(({ records }) => records).filter(({ number_id: id }) => numbers.includes(id!)).length,
    );
  }, 120_000);

  test("of a batch that fails is not there either", async () => {
    const [number] = await held(1);
    await service.database.admin(
      `create function refuse_parties() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse before insert on call_parties for each row execute function refuse_parties()`,
    );
    const { status } = await service.send("POST", "/switch/v1/call-records", {
      headers: bearer(switches[0]!.credential),
      body: { records: [callRecord({ number_id: number! })] },
    });
    await service.database.admin("drop trigger refuse on call_parties");
    expect(status).toBe(500);
    expect(await hoursOf(number!)).toEqual([]);
  });
});
