import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newId } from "./platform/ids.ts";
import { runOperator } from "./operator.ts";
import { type Service, startService } from "../testing/service.ts";
import { stockNumbers } from "../testing/stock.ts";
import {
  startTelnyxServer,
  type TelnyxServer,
} from "./numbers/carriers/testing/telnyx-server/telnyx-server.ts";

let service: Service;
let telnyx: TelnyxServer;
beforeAll(async () => {
  telnyx = await startTelnyxServer();
  service = await startService({ settings: { TELNYX_URL: telnyx.url, TELNYX_API_KEY: telnyx.apiKey } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await telnyx[Symbol.asyncDispose]();
});

let said: string[];
let complained: string[];
beforeEach(() => {
  said = [];
  complained = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => void complained.push(line));
});
afterEach(() => vi.restoreAllMocks());

const operator = (...args: string[]): Promise<number> => runOperator(service.app.config, args);

test("comparing ends with 0 where both agree, with 3 where they differ, and a finding is repaired", async () => {
  expect(await operator("reconcile")).toBe(0);
  expect(said).toEqual(["pool: 0 held here, 0 there, 0 differ."]);

  const e164 = "+442079460123";
  await stockNumbers(service.database, "live", [{ e164 }]);
  const of = { organisationId: await service.organisation(), environment: "live" } as const;
  await service.app.carriers.named("pool")!.ordering.order(of, { reference: newId(), e164s: [e164] });
  expect(await operator("reconcile", "pool")).toBe(3);
  expect(said.slice(1)).toEqual([
    "pool: 0 held here, 1 there, 1 differ.",
    expect.stringMatching(/^[0-9a-f-]{36} {2}not_here {8}\+442079460123$/),
  ]);

  const [id] = said.at(-1)!.split(" ");
  expect(await operator("repair-finding", id!)).toBe(0);
  expect(said.at(-1)).toBe("+442079460123 is returned to the carrier.");
  expect(await operator("repair-finding", id!)).toBe(1);
  expect(complained.at(-1)).toBe("The finding is already repaired.");
  expect(await operator("reconcile")).toBe(0);
});

test("exits with 1 if the carrier is unreachable, unknown or the sandbox", async () => {
  telnyx.outage(() => "cut_after");
  expect(await operator("reconcile", "telnyx")).toBe(1);
  expect(complained.at(-1)).toMatch(/^telnyx could not be queried: /);
  telnyx.outage(undefined);
  expect(await operator("reconcile", "telnyx")).toBe(0);

  expect(await operator("reconcile", "nobody")).toBe(1);
  expect(complained.at(-1)).toBe("No carrier nobody is connected.");
  expect(await operator("reconcile", "sandbox")).toBe(1);
  expect(complained.at(-1)).toBe("sandbox has only numbers of test environments, which are not reconciled.");
  expect(await operator("repair-finding", newId())).toBe(1);
});
