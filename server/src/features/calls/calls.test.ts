import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import { callRecord, momentOf } from "../../testing/call-record.ts";
import type { Sent } from "../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../testing/walls/switch-callers.ts";

type CallRecord = ReturnType<typeof callRecord>;

const DAY_MS = 86_400_000;

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

const get = (path: string, token = owner.token): Promise<Sent> =>
  service.send("GET", path, { headers: bearer(token) });
const report = async (records: CallRecord[]): Promise<void> => {
  const { status } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(own.credential),
    body: { records },
  });
  expect(status).toBe(200);
};
const held = async (): Promise<string> => (await seedNumbers(service.app, organisationId, "live", 1))[0]!.id;

describe("the calls of a number", () => {
  test("come newest first, each once over all pages, also those that began in the same moment", async () => {
    const number = await held();
    const now = Date.now() - 60_000;
    const records = Array.from({ length: 25 }, (_, index) =>
      callRecord({ number_id: number, started_at: momentOf(now - Math.floor(index / 5) * DAY_MS * 10) }),
    );
    const refused503 = { ending: "refused", code: 503, why: "draining" } as const;
    await report([...records.toReversed(), callRecord({ number_id: number, ...refused503 })]);

    const seen: { id: string; started_at: string }[] = [];
    for (let path = `/v1/numbers/${number}/calls?limit=4`; ;) {
      const { status, body } = await get(path);
      expect(status).toBe(200);
      seen.push(...body.data);
      if (body.next_cursor === null) break;
      path = `/v1/numbers/${number}/calls?limit=4&cursor=${body.next_cursor}`;
    }
    expect(seen.map(({ id }) => id).toSorted()).toEqual(records.map(({ id }) => id).toSorted());
    const starts = seen.map(({ started_at: at }) => at);
    expect(starts).toEqual(starts.toSorted().toReversed());

    const window = `from=${new Date(now - 15 * DAY_MS).toISOString()}&to=${new Date(now - 5 * DAY_MS).toISOString()}`;
    expect((await get(`/v1/numbers/${number}/calls?${window}`)).body.data).toHaveLength(5);
    expect((await get(`/v1/numbers/${number}/calls?from=2026-02-30T00:00Z`)).status).toBe(400);
  });

  test("are shown with who called as long as that is kept, and as a table", async () => {
    const number = await held();
    const [young, old] = [
      callRecord({ number_id: number, caller: "=1+1", why: null }),
      callRecord({ number_id: number, started_at: momentOf(Date.now() - 120 * DAY_MS) }),
    ];
    await report([young, old]);
    const { body } = await get(`/v1/numbers/${number}/calls`);
    expect(body.data).toMatchObject([
      {
        id: young.id,
        result: "answered",
        talk_seconds: 30,
        mode: "sip_uri",
        caller: "=1+1",
        target: young.target,
      },
      { id: old.id, caller: null, target: null },
    ]);
    const answer = await fetch(`${service.url}/v1/numbers/${number}/calls/export`, {
      headers: bearer(owner.token),
    });
    const lines = (await answer.text()).trimEnd().split("\r\n");
    expect(answer.headers.get("content-type")).toContain("text/csv");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^id,started_at,/);
    expect(lines[1]).toContain(`,'=1+1,`);
    expect(lines.map((line) => line.split(",")[0])).toEqual(["id", young.id, old.id]);
  });

  test("that somebody else has now are the former holder's: the new one sees nothing of them anywhere", async () => {
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    const record = callRecord({ number_id: number!.id });
    await report([record]);
    await service.database.admin(
      "update holdings set status = 'released', released_at = now() where id = $1",
      [number!.id],
    );
    const next = await service.organisation();
    const buyer = await service.person({ [next]: "owner" });
    const again = newId();
    await service.database.admin(
      `insert into holdings (id, organisation_id, environment, number_id, e164, country, type, capabilities, status, source, acquired_at, created_at, updated_at)
       select $1, $2, environment, number_id, e164, country, type, capabilities, 'active', 'import', now(), now(), now() from holdings where id = $3`,
      [again, next, number!.id],
    );
    await service.database.admin(
      `insert into routings (holding_id, organisation_id, environment, e164, mode, set_at, set_by_kind, group_id, shard, version)
       select $1, $2, environment, e164, 'unrouted', now(), 'system', group_id, shard, version from routings where holding_id = $3`,
      [again, next, number!.id],
    );
    // It still comes late: of the holding it names.
    const late = callRecord({ number_id: number!.id });
    await report([late]);

    const window = "from=2020-01-01T00:00Z&to=2050-01-01T00:00Z";
    const month = `from=${new Date(Date.now() - 30 * DAY_MS).toISOString()}&to=${new Date(Date.now() + DAY_MS).toISOString()}`;
    for (const path of [
      `/v1/numbers/${again}/usage?${window}`,
      `/v1/usage?${window}`,
      `/v1/usage/numbers?${month}`,
      `/v1/numbers/${again}/calls`,
      `/v1/numbers/${again}/calls/export`,
      `/v1/numbers/${again}`,
      "/v1/numbers",
      "/v1/events",
      `/v1/numbers/live?ids=${again}`,
    ]) {
      const answer = await fetch(`${service.url}${path}`, { headers: bearer(buyer.token) });
      const text = await answer.text();
      expect([path, answer.status]).toEqual([path, 200]);
      for (const trace of [record.id, late.id, record.caller!, number!.id]) expect(text).not.toContain(trace);
      if (text.includes('"totals"')) expect(JSON.parse(text).totals.calls).toBe(0);
    }
    for (const path of ["usage", "calls", "calls/export"])
      expect((await get(`/v1/numbers/${number!.id}/${path}?${window}`, buyer.token)).status).toBe(404);
    expect((await get(`/v1/numbers/${number!.id}/usage?${window}`)).body.totals.calls).toBe(2);
  });
});
