import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import { callRecord, momentOf } from "../../../testing/call-record.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";
import { standing } from "../../../testing/walls/switch-requests.ts";

type CallRecord = ReturnType<typeof callRecord>;
type CallStanding = ReturnType<typeof standing>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;

let service: Service;
let organisationId: string;
let owner: Person;
let own: TestSwitch;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  own = await makeSwitch(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const held = async (of = organisationId): Promise<string> =>
  (await seedNumbers(service.app, of, "live", 1))[0]!.id;
const get = (path: string, token = owner.token): Promise<Sent> =>
  service.send("GET", path, { headers: bearer(token) });
const usage = (number: string, from: number | string, to: number | string, rest = ""): Promise<Sent> =>
  get(`/v1/numbers/${number}/usage?from=${textOf(from)}&to=${textOf(to)}${rest}`);
const textOf = (at: number | string): string => (typeof at === "string" ? at : new Date(at).toISOString());
const report = async (records: CallRecord[], by = own): Promise<void> => {
  const { status } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(by.credential),
    body: { records },
  });
  expect(status).toBe(200);
};
const call = (number: string, startedAt: number, seconds = 10, rest: Partial<CallRecord> = {}): CallRecord =>
  callRecord({
    number_id: number,
    started_at: momentOf(startedAt, 0),
    answered_at: momentOf(startedAt + 1_000, 0),
    ended_at: momentOf(startedAt + 1_000 + seconds * 1000, 0),
    ...rest,
  });

describe("the usage of a number", () => {
  test("is what its calls add up to, with calls counted where they began, and says of which window", async () => {
    const number = await held();
    const from = TODAY - 40 * DAY_MS + 123;
    const to = TODAY - 2 * DAY_MS - 1;
    const inside = [from, from + 1, TODAY - 30 * DAY_MS, TODAY - 3 * DAY_MS + 5, to - 1];
    await report([...inside, from - 1, to, to + 1].map((at) => call(number, at)));

    const { status, body } = await usage(number, from, to);

    expect(status).toBe(200);
    expect(body).toEqual({
      number_id: number,
      from: textOf(from),
      to: textOf(to),
      exact: true,
      as_of: expect.any(String),
      complete_through: expect.any(String),
      unreachable_switches: [],
      totals: {
        calls: 5,
        answered: 5,
        busy: 0,
        no_answer: 0,
        cancelled: 0,
        rejected: 0,
        failed: 0,
        talk_seconds: 50,
        forwarded_seconds: 0,
      },
    });
  });

  test.each(["hour", "day"] as const)("by the %s has a bucket for every one, empty or not", async (by) => {
    const number = await held();
    const from = TODAY - 5 * DAY_MS + 90 * 60_000;
    const to = TODAY - 3 * DAY_MS + 30 * 60_000;
    await report([from, from + HOUR_MS, from + 20 * HOUR_MS, to - 1].map((at) => call(number, at)));
    await report([from - 1, to].map((at) => call(number, at)));

    const { body } = await usage(number, from, to, `&granularity=${by}`);

    const buckets: { from: string; to: string; calls: number }[] = body.buckets;
    expect(buckets).toHaveLength(by === "hour" ? 48 : 3);
    expect([buckets[0]!.from, buckets.at(-1)!.to]).toEqual([textOf(from), textOf(to)]);
    for (const [index, bucket] of buckets.slice(1).entries()) expect(bucket.from).toBe(buckets[index]!.to);
    expect(buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(4);
    expect(body.totals.calls).toBe(4);
    expect(buckets.filter(({ calls }) => calls > 0)).toHaveLength(by === "hour" ? 4 : 2);
  });

  test("rejects more than 1,500 buckets, but not totals of any window", async () => {
    const number = await held();
    await report([call(number, TODAY - DAY_MS)]);
    const first = TODAY - 1_499 * HOUR_MS;
    expect((await usage(number, first, first + 1_500 * HOUR_MS, "&granularity=hour")).status).toBe(200);
    const refused = await usage(number, first, first + 1_500 * HOUR_MS + 1, "&granularity=hour");
    expect([refused.status, refused.body.code]).toEqual([422, "window_too_long"]);
    const all = await usage(number, "0000-01-01T00:00Z", "9999-12-31T23:59:59.999999999Z");
    expect([all.status, all.body.totals.calls]).toEqual([200, 1]);
  });

  test.each([
    ["2026-11-01T00:00Z", 200],
    ["2026-11-01T00:00:00Z", 200],
    ["2026-11-01T00:00:00.1Z", 200],
    ["2026-11-01T00:00:00.123456789Z", 200],
    ["2024-02-29T00:00:00Z", 200],
    ["2026-02-29T00:00:00Z", 400],
    ["2026-11-01T24:00:00Z", 400],
    ["2026-11-01T00:00:60Z", 400],
    ["2026-11-01T00:00:00.1234567890Z", 400],
    ["2026-11-01T00:00:00+00:00", 400],
    ["2026-11-01T00:00:00", 400],
    ["2026-11-01", 400],
    ["", 400],
  ])("from %s returns %i", async (from, status) => {
    const sent = await usage(await held(), encodeURIComponent(from), "2027-01-01T00:00:00Z");
    expect(sent.status).toBe(status);
    if (status === 400)
      expect(new Set(sent.body.errors.map((one: { parameter: string }) => one.parameter))).toEqual(
        new Set(["from"]),
      );
  });

  test("needs both ends, the first of them earlier", async () => {
    const number = await held();
    for (const query of ["", "?from=2026-01-01T00:00Z", "?to=2026-01-01T00:00Z"])
      expect((await get(`/v1/numbers/${number}/usage${query}`)).body.code).toBe("invalid_request");
    const same = await usage(number, TODAY, TODAY);
    expect([same.status, same.body.code]).toEqual([422, "window_empty"]);
    expect((await usage(newId(), TODAY, TODAY)).status).toBe(404);
  });

  test("is widened to the full hour where single records are gone, and says so", async () => {
    const number = await held();
    const old = Date.UTC(new Date().getUTCFullYear() - 3, 1, 28, 23);
    await service.database.admin("select make_call_partitions(array[$1::date])", [textOf(old)]);
    await service.database.admin(
      `insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, ending, result, received_at)
       values ($1, $1, $2, $3, 'live', $4, 'refused', 'busy', now())`,
      [newId(), textOf(old + 60_000), organisationId, number],
    );
    await service.database.admin("delete from call_records where holding_id = $1", [number]);
    const { body } = await usage(number, old + HOUR_MS / 2, TODAY + 5);
    expect(body).toMatchObject({
      from: textOf(old),
      to: textOf(TODAY + 5),
      exact: false,
      totals: { busy: 1 },
    });
    expect((await usage(number, old, TODAY + 5)).body).toMatchObject({ exact: true, totals: { busy: 1 } });
  });
});

describe("complete_through", () => {
  const tell = (by: TestSwitch, rest: Partial<CallStanding>): Promise<Sent> =>
    service.send("PUT", "/switch/v1/call-standing", {
      headers: bearer(by.credential),
      body: standing(rest),
    });
  const through = async (
    number: string,
  ): Promise<{ complete_through: string; unreachable_switches: string[] }> =>
    (await usage(number, TODAY - DAY_MS, TODAY)).body;

  test("is as far as the switch that is furthest behind, and for a number with an open call as far as that", async () => {
    const groupId = newId();
    await service.database.admin("select add_switch_group($1, 'standing', 'live', false, 4, now())", [
      groupId,
    ]);
    const [one, two] = [await makeSwitch(service, { groupId }), await makeSwitch(service, { groupId })];
    const [number, sibling] = [await held(), await held()];
    await service.database.admin("update routings set group_id = $1 where holding_id = any ($2)", [
      groupId,
      [number, sibling],
    ]);
    const seen = (id: string, at: string): Promise<unknown> =>
      service.database.admin(`update switches set last_seen_at = ${at} where id = $1`, [id]);

    // No switch has ever reported, so no call can have gone through them.
    const { complete_through: nothing, unreachable_switches: none } = await through(number);
    expect([Date.now() - Date.parse(nothing) < HOUR_MS, none]).toEqual([true, []]);
    for (const { id } of [one, two]) await seen(id, "now()");
    expect((await through(number)).complete_through).toBeNull();

    const settled = textOf(Date.now() - 5 * 60_000);
    const behind = textOf(Date.now() - 9 * 60_000);
    await tell(one, { settled_through: settled });
    await tell(two, { settled_through: behind });
    expect((await through(number)).complete_through).toBe(behind);

    const began = textOf(Date.now() - 4 * HOUR_MS);
    await tell(two, { settled_through: settled, open: [{ number_id: number, oldest_began_at: began }] });
    expect((await through(number)).complete_through).toBe(began);
    expect((await through(sibling)).complete_through).toBe(settled);

    // It died, an hour more than the longest call ago.
    const longAgo = textOf(Date.now() - 5 * HOUR_MS - 60_000);
    await tell(two, { settled_through: settled, open: [{ number_id: number, oldest_began_at: longAgo }] });
    await seen(two.id, "now() - interval '2 minutes'");
    const [row] = await service.database.admin<{ name: string }>("select name from switches where id = $1", [
      two.id,
    ]);
    expect(await through(number)).toMatchObject({
      complete_through: settled,
      unreachable_switches: [row!.name],
    });

    await tell(two, { settled_through: settled });
    expect((await through(number)).complete_through).toBe(settled);
  });

  test("reports a wrong clock to the operator", async () => {
    const lines: string[] = [];
    await using logged = await startService({
      overrides: {
        log: Object.assign(Object.create(service.app.log), {
          error: (...args: unknown[]) => lines.push(JSON.stringify(args)),
        }),
      },
    });
    const by = await makeSwitch(logged);
    for (const offset of [999, -1_001])
      await logged.send("PUT", "/switch/v1/call-standing", {
        headers: bearer(by.credential),
        body: standing({ clock_offset_ms: offset }),
      });
    expect(lines.filter((line) => line.includes("clock"))).toHaveLength(1);
    expect(lines.join()).toContain("-1001");
  });
});

describe("an organisation's usage", () => {
  test("is that of all its numbers, in full hours, and names those with most of it", async () => {
    const organisation = await service.organisation();
    const person = await service.person({ [organisation]: "member" });
    const [busy, quiet] = [await held(organisation), await held(organisation)];
    const at = TODAY - 3 * DAY_MS + 10 * HOUR_MS;
    await report([at, at + 1, at + HOUR_MS].map((one) => call(busy, one, 1)));
    await report([call(quiet, at + 2 * HOUR_MS, 100)], await makeSwitch(service));
    const window = `from=${textOf(at + 1)}&to=${textOf(at + 3 * HOUR_MS)}`;

    const all = await get(`/v1/usage?${window}&granularity=hour`, person.token);
    expect(all.body).toMatchObject({
      from: textOf(at),
      exact: false,
      totals: { calls: 4, talk_seconds: 103 },
    });
    expect(all.body.buckets.map((one: { calls: number }) => one.calls)).toEqual([2, 1, 1]);
    const day = await get(
      `/v1/usage?from=${textOf(TODAY - 4 * DAY_MS)}&to=${textOf(TODAY)}&granularity=day`,
      person.token,
    );
    expect(day.body).toMatchObject({ exact: true, totals: { calls: 4 } });
    expect(day.body.buckets.map((one: { calls: number }) => one.calls)).toEqual([0, 4, 0, 0]);

    const top = await get(`/v1/usage/numbers?${window}`, person.token);
    expect(top.body.data).toMatchObject([
      { number_id: busy, calls: 3, talk_seconds: 3 },
      { number_id: quiet, calls: 1 },
    ]);
    const talk = await get(`/v1/usage/numbers?${window}&by=talk_seconds&limit=1`, person.token);
    expect(talk.body.data.map((one: { number_id: string }) => one.number_id)).toEqual([quiet]);
  });
});
