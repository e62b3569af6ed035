import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";

let service: Service;
let own: TestSwitch;
let numbers: string[];
beforeAll(async () => {
  service = await startService();
  numbers = (await seedNumbers(service.app, await service.organisation(), "live", 3)).map(({ id }) => id);
});
afterAll(() => service[Symbol.asyncDispose]());

const report = async (
  session: string,
  sequence: number,
  isSnapshot: boolean,
  counts: Record<string, number>,
): Promise<boolean> => {
  const { status, body } = await service.send("POST", "/switch/v1/live", {
    headers: bearer(own.credential),
    body: {
      session,
      sequence,
      is_snapshot: isSnapshot,
      numbers: Object.entries(counts).map(([id, calls]) => ({ number_id: id, active_calls: calls })),
    },
  });
  expect(status).toBe(200);
  return body.is_taken;
};
const shown = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await service.database.admin<{ id: string; calls: number }>(
        "select holding_id as id, active_calls as calls from live_calls where switch_id = $1",
        [own.id],
      )
    ).map(({ id, calls }) => [id, calls]),
  );

describe("the active calls", () => {
  test("are what the last snapshot and every change since say; a number without any has no row", async () => {
    own = await makeSwitch(service);
    const [a, b, c] = numbers as [string, string, string];
    const session = newId();

    expect(await report(session, 1, true, { [a]: 2, [b]: 1 })).toBe(true);
    expect(await shown()).toEqual({ [a]: 2, [b]: 1 });
    expect(await report(session, 2, false, { [a]: 3, [b]: 0, [c]: 1 })).toBe(true);
    expect(await shown()).toEqual({ [a]: 3, [c]: 1 });
    expect(await report(session, 3, true, { [b]: 1 })).toBe(true);
    expect(await shown()).toEqual({ [b]: 1 });
  });

  test("may be counted as far as a number goes", async () => {
    own = await makeSwitch(service);
    const [a] = numbers as [string];
    const session = newId();
    for (const limit of [2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expect(await report(session, limit - 1, true, {})).toBe(true);
      expect(await report(session, limit, false, { [a]: 1 })).toBe(true);
    }
    expect(await shown()).toEqual({ [a]: 1 });
  });

  test("ignore a change after a gap, a late one, and one of another session", async () => {
    own = await makeSwitch(service);
    const [a] = numbers as [string];
    const session = newId();
    expect(await report(session, 1, false, { [a]: 9 })).toBe(false);
    await report(session, 1, true, { [a]: 1 });
    await report(session, 2, false, { [a]: 2 });

    for (const [of, sequence] of [
      [session, 4],
      [session, 2],
      [session, 1],
      [newId(), 3],
    ] as const)
      expect(await report(of, sequence, false, { [a]: 9 })).toBe(false);
    expect(await report(session, 2, true, { [a]: 9 })).toBe(false);
    expect(await shown()).toEqual({ [a]: 2 });
    expect(await report(newId(), 0, true, {})).toBe(true);
    expect(await shown()).toEqual({});
  });

  test("of numbers that the switch's group does not have are left out", async () => {
    own = await makeSwitch(service, { environment: "test" });
    const [a] = numbers as [string];
    expect(await report(newId(), 0, true, { [a]: 1, [newId()]: 1 })).toBe(true);
    expect(await shown()).toEqual({});
  });
});
