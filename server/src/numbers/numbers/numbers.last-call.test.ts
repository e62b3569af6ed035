import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { callRecord, momentOf } from "../../../testing/call-record.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";

const BEGAN = Date.parse("2026-11-01T12:00:00Z");

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

async function report(numberId: string, ...startedAt: number[]): Promise<void> {
  const records = startedAt.map((at) =>
    callRecord({
      number_id: numberId,
      started_at: momentOf(at, 0),
      answered_at: momentOf(at + 1_000, 0),
      ended_at: momentOf(at + 9_000, 0),
    }),
  );
  const headers = bearer(own.credential);
  const { status } = await service.send("POST", "/switch/v1/call-records", { headers, body: { records } });
  expect(status).toBe(200);
}

async function lastCallOf(numberId: string): Promise<string | null> {
  const headers = bearer(owner.token);
  const { body } = await service.send("GET", `/v1/numbers/${numberId}`, { headers });
  const { body: list } = await service.send("GET", "/v1/numbers", { headers });
  expect(list.data.find(({ id }: { id: string }) => id === numberId)).toEqual(body);
  return body.last_call_at;
}

const textOf = (at: number): string => new Date(at).toISOString();

test("a number shows the start of its newest call, whichever record comes first", async () => {
  const [number] = await seedNumbers(service.app, organisationId, "live", 1);
  expect(await lastCallOf(number!.id)).toBeNull();

  await report(number!.id, BEGAN, BEGAN - 600_000);
  expect(await lastCallOf(number!.id)).toBe(textOf(BEGAN));

  await report(number!.id, BEGAN - 60_000);
  expect(await lastCallOf(number!.id)).toBe(textOf(BEGAN));

  await report(number!.id, BEGAN + 60_000);
  expect(await lastCallOf(number!.id)).toBe(textOf(BEGAN + 60_000));
});

test("calls within a minute write it once, and holdings not at all", async () => {
  const [number] = await seedNumbers(service.app, organisationId, "live", 1);
  const versions = (): Promise<unknown> =>
    service.database.admin(
      "select l.xmin::text as last, h.xmin::text as holding from holdings h left join last_calls l on l.holding_id = h.id where h.id = $1",
      [number!.id],
    );
  await report(number!.id, BEGAN);
  const before = await versions();

  for (let at = 1; at <= 5; at++) await report(number!.id, BEGAN + at * 10_000);

  expect(await versions()).toEqual(before);
});
