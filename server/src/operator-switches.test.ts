import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { runOperator } from "./operator.ts";
import { bearer, type Service, startService, until } from "../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

let said: string[];
beforeEach(() => {
  said = [];
  for (const channel of ["log", "error"] as const)
    vi.spyOn(console, channel).mockImplementation((line: string) => void said.push(line));
});
afterEach(() => vi.restoreAllMocks());

const operator = (...args: string[]): Promise<number> => runOperator(service.app.config, args);
const report = async (credential: string): Promise<number> =>
  (
    await service.send("POST", "/switch/v1/reports", {
      headers: bearer(credential),
      body: {
        epoch: await until(() => service.app.feed.epoch()),
        boot: "boot",
        agent_version: "9.8.7",
        is_complete: false,
        shards: [],
      },
    })
  ).status;

test("a switch is registered from the command line, reports with the credential printed, is listed and retired", async () => {
  expect(await operator("create-switch", "fra-1")).toBe(0);
  const credential = said.at(-1)!;
  expect(await report(credential)).toBe(204);

  said = [];
  expect(await operator("switches")).toBe(0);
  expect(said[0]).toMatch(/^NAME +GROUP +STATE +BEHIND +EXCEPTIONS +LAST SEEN +AGENT$/);
  expect(said[1]).toMatch(/^fra-1 +default +active +0 +0 +\d{4}-\S+Z +9\.8\.7$/);

  expect(await operator("retire-switch", "fra-1")).toBe(0);
  await until(async () => (await report(credential)) === 403);
  said = [];
  await operator("switches");
  expect(said[1]).toMatch(/^fra-1 +default +retired /);
});

test("reports taken, unknown and ambiguous names and unknown groups in a sentence", async () => {
  await operator("create-switch", "one");

  expect(await operator("create-switch", "one")).toBe(1);
  expect(said.at(-1)).toBe("This name is already taken.");
  expect(await operator("create-switch", "two", "nowhere")).toBe(1);
  expect(said.at(-1)).toBe("No switch group with this ID in the live environment.");
  expect(await operator("create-switch", "two", "simulated")).toBe(1);
  expect(await operator("retire-switch", "nobody")).toBe(1);
  expect(said.at(-1)).toBe("No switch nobody.");
  await service.database.admin(
    "select add_switch_group(gen_random_uuid(), 'second', 'live', false, 1, now())",
  );
  expect(await operator("create-switch", "one", "second")).toBe(0);
  expect(await operator("retire-switch", "one")).toBe(1);
  expect(said.at(-1)).toBe("Several groups have a switch one.");
});
