import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { callRecord, momentOf } from "../../../testing/call-record.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";

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
  test("shows who ended each call, its ringing time and attempted targets, but not the asserted caller", async () => {
    const number = await held();
    const attempt = {
      step: 1,
      mode: "connection" as const,
      host: "pbx.example.com",
      address: "203.0.113.9:5060",
      transport: "udp" as const,
      outcome: "answered" as const,
      code: 200,
    };
    const moments = (ms: number) => ({
      started_at: momentOf(ms),
      ringing_at: momentOf(ms + 5),
      ended_at: null,
    });
    const at = Date.now() - 60_000;
    const record = callRecord({
      number_id: number,
      ended_by: "switch",
      why: "max_length",
      setup_ms: 120,
      ring_ms: 3_400,
      q850: 16,
      gateway: "acme",
      caller: "+442079460000",
      caller_raw: "02079460000",
      asserted_caller: "+442079469999",
      attempts: [{ ...attempt, ...moments(at) }],
    });
    await report([record]);
    const { body, text } = await get(`/v1/numbers/${number}/calls`);
    expect(body.data).toMatchObject([
      {
        ended_by: "switch",
        reason: "max_length",
        setup_ms: 120,
        ring_ms: 3_400,
        q850: 16,
        caller: "+442079460000",
        caller_raw: "02079460000",
        sip_call_id: record.sip_call_id,
        attempts: [
          {
            ...attempt,
            started_at: new Date(at).toISOString(),
            ringing_at: new Date(at + 5).toISOString(),
            ended_at: null,
          },
        ],
      },
    ]);
    expect(text).not.toContain("+442079469999");
    const stored = await service.database.admin(
      "select p.asserted_caller, c.gateway from call_parties p join call_records c using (id) where p.holding_id = $1",
      [number],
    );
    expect(stored).toEqual([{ asserted_caller: "+442079469999", gateway: "acme" }]);
  });

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
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="calls.csv"');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^id,started_at,/);
    expect(lines[1]).toContain(`,'=1+1,`);
    expect(lines.map((line) => line.split(",")[0])).toEqual(["id", young.id, old.id]);
  });
});
