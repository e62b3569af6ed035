import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { callRecord } from "../../../testing/call-record.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";

let service: Service;
let organisationId: string;
let owner: Person;
let own: TestSwitch;
let numbers: { id: string; e164: string }[];
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  own = await makeSwitch(service);
  numbers = await seedNumbers(service.app, organisationId, "live", 2);
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, token = owner.token): Promise<Sent> =>
  service.send("GET", path, { headers: bearer(token) });
const report = async (...records: ReturnType<typeof callRecord>[]): Promise<void> => {
  const { body } = await service.send("POST", "/switch/v1/call-records", {
    headers: bearer(own.credential),
    body: { records },
  });
  expect(body.acknowledged).toHaveLength(records.length);
};

test("lists calls of all numbers, each with its number, and no call of another organisation", async () => {
  const [first, second] = [
    callRecord({ number_id: numbers[0]!.id }),
    callRecord({ number_id: numbers[1]!.id }),
  ];
  const [foreign] = await seedNumbers(service.app, await service.organisation(), "live", 1);
  await report(first, second, callRecord({ number_id: foreign!.id }), callRecord());
  const { body } = await get("/v1/calls");
  expect((body.data as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(
    [first.id, second.id].toSorted(),
  );
  const { data } = (await get(`/v1/calls?number_id=${numbers[1]!.id}`)).body;
  expect(data).toMatchObject([
    { id: second.id, number_id: numbers[1]!.id, e164: numbers[1]!.e164, connection_id: null },
  ]);
});

test("exports what the filters match", async () => {
  const record = callRecord({ number_id: numbers[0]!.id, sip_call_id: "export@sip.example.com" });
  await report(record);
  const { text, headers } = await get("/v1/calls/export?sip_call_id=export@sip.example.com");
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
  const lines = text.trimEnd().split("\r\n");
  expect(lines.map((line) => line.split(",", 1)[0])).toEqual(["id", record.id]);
  expect(lines[1]).toContain(`,${numbers[0]!.id},`);
});

test("rejects members and invalid filters", async () => {
  const member = await service.person({ [organisationId]: "member" });
  expect(await get("/v1/calls", member.token)).toMatchObject({
    status: 403,
    body: { code: "role_not_allowed" },
  });
  for (const query of [
    "code=99",
    "result=not_served",
    "q=+4",
    "min_seconds=-1",
    "from=2026-02-30T00:00Z",
    "mode=x",
  ])
    expect([query, (await get(`/v1/calls?${query}`)).status]).toEqual([query, 400]);
});

test("rejects a cursor with other filters", async () => {
  await report(callRecord({ number_id: numbers[0]!.id }), callRecord({ number_id: numbers[0]!.id }));
  const { body, headers } = await get("/v1/calls?result=answered&limit=1");
  expect(headers["link"]).toContain("/v1/calls?result=answered&limit=1&cursor=");
  expect((await get(`/v1/calls?code=200&cursor=${body.next_cursor}`)).body.code).toBe("invalid_cursor");
});

test("shows one call with the destination of its generation, and whether it was misrouted", async () => {
  const number = numbers[0]!.id;
  const destination = { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" };
  const set = await service.send("PUT", `/v1/numbers/${number}/routing`, {
    headers: { ...bearer(owner.token), "idempotency-key": "misrouted" },
    body: destination,
  });
  const { generation } = set.body.desired as { generation: number };
  const [right, wrong, unknown] = [
    callRecord({ number_id: number, generation, target: destination.sip_uri, called: "030901820" }),
    callRecord({ number_id: number, generation, target: "sip:old@pbx.example.com" }),
    callRecord({ number_id: number, generation: generation + 1 }),
  ];
  await report(right, wrong, unknown);
  const shown = async ({ id }: { id: string }): Promise<unknown> => (await get(`/v1/calls/${id}`)).body;
  expect(await shown(right)).toMatchObject({
    id: right.id,
    number_id: number,
    called: "030901820",
    destination,
    misrouted: false,
    attempts: [],
  });
  expect(await shown(wrong)).toMatchObject({ destination, misrouted: true });
  expect(await shown(unknown)).toMatchObject({ destination: null, misrouted: null });

  const found = async (query: string): Promise<Record<string, boolean | null>> => {
    const { body } = await get(`/v1/calls?number_id=${number}&${query}`);
    const calls = body.data as { id: string; misrouted: boolean | null }[];
    return Object.fromEntries(calls.map(({ id, misrouted }) => [id, misrouted]));
  };
  expect(await found("limit=3")).toEqual({ [right.id]: false, [wrong.id]: true, [unknown.id]: null });
  expect(await found("misrouted=true")).toEqual({ [wrong.id]: true });
  expect(await found("misrouted=false")).toEqual({ [right.id]: false });
  const { body: ofNumber } = await get(`/v1/numbers/${number}/calls?limit=3`);
  expect(ofNumber.data.map(({ misrouted }: { misrouted: unknown }) => misrouted).toSorted()).toEqual(
    [false, null, true].toSorted(),
  );
  const { text } = await get("/v1/calls/export?misrouted=true");
  const [head, ...lines] = text.trimEnd().split("\r\n");
  expect([head!.split(",").at(-1), lines.map((line) => line.split(",").at(-1))]).toEqual([
    "misrouted",
    ["true"],
  ]);

  const other = await service.person({ [await service.organisation()]: "owner" });
  expect(await get(`/v1/calls/${right.id}`, other.token)).toMatchObject({
    status: 404,
    body: { code: "call_not_found" },
  });
});
