import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { callRecord, momentOf } from "../../../testing/call-record.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = new Date("2026-11-20T12:00:00Z");

interface Bucket {
  from: string;
  to: string;
  calls: number;
}

let service: Service;
let organisationId: string;
let owner: Person;
let own: TestSwitch;
beforeAll(async () => {
  service = await startService({ overrides: { clock: { now: () => NOW } } });
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  own = await makeSwitch(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const at = (text: string): number => Date.parse(text);
const held = async (): Promise<string> => (await seedNumbers(service.app, organisationId, "live", 1))[0]!.id;
const get = (path: string): Promise<Sent> => service.send("GET", path, { headers: bearer(owner.token) });
const shown = (buckets: Bucket[]): string[] =>
  buckets.map(({ from, to, calls }) => `${(at(to) - at(from)) / HOUR_MS} h: ${calls}`);

async function report(number: string, times: readonly number[]): Promise<void> {
  const records = times.map((time) =>
    callRecord({
      number_id: number,
      started_at: momentOf(time, 0),
      answered_at: momentOf(time + 1_000, 0),
      ended_at: momentOf(time + 11_000, 0),
    }),
  );
  const { status } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(own.credential),
    body: { records },
  });
  expect(status).toBe(200);
}

/** The same request for a number and for its organisation, which has no other calls in the window. */
async function usages(number: string, query: string): Promise<Sent[]> {
  return Promise.all([get(`/v1/numbers/${number}/usage?${query}`), get(`/v1/usage?${query}`)]);
}

describe("usage in a time zone", () => {
  test.each<[zone: string, window: [from: string, to: string], calls: string[], buckets: string[]]>([
    [
      "Europe/Berlin",
      ["2026-03-27T23:00:00Z", "2026-03-30T22:00:00Z"],
      ["2026-03-28T22:59:59.999Z", "2026-03-28T23:00Z", "2026-03-29T21:59:59.999Z", "2026-03-29T22:00Z"],
      ["24 h: 1", "23 h: 2", "24 h: 1"],
    ],
    [
      "Europe/Berlin",
      ["2026-10-23T22:00:00Z", "2026-10-26T23:00:00Z"],
      ["2026-10-24T21:59:59.999Z", "2026-10-24T22:00Z", "2026-10-25T22:59:59.999Z", "2026-10-25T23:00Z"],
      ["24 h: 1", "25 h: 2", "24 h: 1"],
    ],
    [
      "Asia/Kolkata",
      ["2026-11-02T18:30:00Z", "2026-11-05T18:30:00Z"],
      [
        "2026-11-02T18:29:59.999Z",
        "2026-11-02T18:30Z",
        "2026-11-03T18:29:59.999Z",
        "2026-11-03T18:30Z",
        "2026-11-03T19:30Z",
        "2026-11-05T18:29:59.999Z",
        "2026-11-05T18:30Z",
      ],
      ["24 h: 2", "24 h: 2", "24 h: 1"],
    ],
    [
      "Asia/Kathmandu",
      ["2026-11-08T18:15:00Z", "2026-11-10T18:15:00Z"],
      ["2026-11-08T18:14:59.999Z", "2026-11-08T18:15Z", "2026-11-09T18:16Z", "2026-11-10T18:15Z"],
      ["24 h: 1", "24 h: 1"],
    ],
  ])("days of %s in %j", async (zone, [from, to], calls, buckets) => {
    const number = await held();
    await report(number, calls.map(at));
    const query = `from=${from}&to=${to}&granularity=day&time_zone=${zone}`;
    for (const { status, body } of await usages(number, query)) {
      expect(status).toBe(200);
      expect(shown(body.buckets)).toEqual(buckets);
      expect(body).toMatchObject({ exact: true, from: new Date(from).toISOString() });
      const total = body.buckets.reduce((sum: number, one: Bucket) => sum + one.calls, 0);
      expect(body.totals).toMatchObject({ calls: total, answered: total, talk_seconds: 10 * total });
    }
  });

  test("months begin at midnight of the time zone", async () => {
    const number = await held();
    await report(number, [at("2026-05-31T21:59Z"), at("2026-05-31T22:00Z"), at("2026-06-30T21:59Z")]);
    const window = "from=2026-04-30T22:00:00Z&to=2026-06-30T22:00:00Z&granularity=month";
    for (const { body } of await usages(number, `${window}&time_zone=Europe/Berlin`))
      expect(body.buckets.map(({ calls }: Bucket) => calls)).toEqual([1, 2]);
    for (const { body } of await usages(number, window))
      expect(body.buckets.map(({ from, calls }: Bucket) => [from.slice(0, 10), calls])).toEqual([
        ["2026-04-30", 0],
        ["2026-05-01", 2],
        ["2026-06-01", 1],
      ]);
  });

  test("hours stay those of UTC, and days of UTC are the default", async () => {
    const number = await held();
    await report(number, [at("2026-11-12T10:45Z")]);
    const window = "from=2026-11-12T10:00:00Z&to=2026-11-12T12:00:00Z";
    const [hours] = await usages(number, `${window}&granularity=hour&time_zone=Asia/Kolkata`);
    expect(shown(hours!.body.buckets)).toEqual(["1 h: 1", "1 h: 0"]);
    const plain = await get(`/v1/numbers/${number}/usage?${window}&granularity=day`);
    const utc = await get(`/v1/numbers/${number}/usage?${window}&granularity=day&time_zone=UTC`);
    expect(utc.body).toEqual(plain.body);
  });

  test("totals of an organisation are exact to the quarter of an hour", async () => {
    const number = await held();
    await report(number, [at("2026-11-14T18:29Z"), at("2026-11-14T18:30Z"), at("2026-11-14T18:44Z")]);
    const window = "from=2026-11-14T18:30:00Z&to=2026-11-14T18:40:00Z&time_zone=Asia/Kolkata";
    const { body } = await get(`/v1/usage?${window}`);
    expect(body).toMatchObject({ to: "2026-11-14T18:45:00.000Z", exact: false, totals: { calls: 2 } });
    expect(body).not.toHaveProperty("buckets");
  });

  test("moves days to full hours where quarters were not counted yet, and says so", async () => {
    const number = await held();
    await report(number, [at("2026-01-01T18:10Z"), at("2026-01-01T18:40Z")]);
    const since = (time: string): Promise<unknown> =>
      service.database.admin("update usage_quarters_start set since = $1", [time]);
    const window = "from=2026-01-01T00:00:00Z&to=2026-01-03T00:00:00Z&granularity=day";
    const query = `/v1/usage?${window}&time_zone=Asia/Kolkata`;
    expect(shown((await get(query)).body.buckets)).toEqual(["18.5 h: 1", "24 h: 1", "5.5 h: 0"]);
    await since("2026-02-01T00:00:00Z");
    try {
      const { body } = await get(query);
      expect(shown(body.buckets)).toEqual(["18 h: 0", "24 h: 2", "6 h: 0"]);
      expect(body.exact).toBe(false);
    } finally {
      await since("2000-01-01T00:00:00Z");
    }
  });

  test.each(["Europe/Atlantis", "Berlin", "%2B01:00", ""])("rejects the time zone “%s”", async (zone) => {
    const number = await held();
    const query = `from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z&granularity=day&time_zone=${zone}`;
    for (const { status, body } of await usages(number, query)) {
      expect([status, body.code]).toEqual([400, "invalid_request"]);
      expect(body.errors[0]).toMatchObject({ parameter: "time_zone" });
    }
  });

  test("accepts the former name of a time zone, which browsers report", async () => {
    const window = "from=2026-11-01T00:00:00Z&to=2026-11-03T00:00:00Z&granularity=day";
    const usage = async (zone: string) => (await get(`/v1/usage?${window}&time_zone=${zone}`)).body.buckets;
    expect(await usage("Asia/Calcutta")).toEqual(await usage("Asia/Kolkata"));
  });

  test("names what is allowed", async () => {
    const query = "from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z&time_zone=Europe/Atlantis";
    const { body } = await get(`/v1/usage?${query}`);
    expect(body.errors[0].detail).toContain("IANA time zone database, such as Europe/Berlin");
  });

  test("rejects more than 1,500 days", async () => {
    const { status, body } = await get(
      "/v1/usage?from=0000-01-01T00:00Z&to=9999-12-31T00:00Z&granularity=day&time_zone=Asia/Kolkata",
    );
    expect([status, body.code]).toEqual([422, "window_too_long"]);
  });
});
