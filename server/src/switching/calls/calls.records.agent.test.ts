import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallRecordsSpool, httpRecordService, startSpool } from "@dialplane/switch-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { type Service, startService, until } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";

const CALLS = 1_200;
const BASE = Math.floor(Date.now() / 1000);

let service: Service;
let home: string;
let own: TestSwitch;
let numbers: string[];
let organisationId: string;
beforeAll(async () => {
  service = await startService();
  home = mkdtempSync(join(tmpdir(), "dialplane-calls-"));
  mkdirSync(join(home, "records"));
  organisationId = await service.organisation();
  own = await makeSwitch(service);
  numbers = (await seedNumbers(service.app, organisationId, "live", 3)).map(({ id }) => id);
  await until(() => service.app.feed.epoch());
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

function open(store: string): CallRecordsSpool {
  return startSpool({
    directory: join(home, "records"),
    storePath: join(home, store),
    service: httpRecordService({ url: service.url, credential: own.credential }),
    maxCallSeconds: 14_400,
    rotate: async () => {},
    onDiskFull() {},
    log: { info() {}, warn() {}, error() {} },
    timing: { readMs: 20, retryMinMs: 20, reserveBytes: 1_000, minFreeBytes: 1 },
  });
}

/** As Kamailio's acc and db_flatstore leave it; `code` 0 for a BYE. */
function row(call: number, code: number, numberId: string): string {
  const started = `${BASE - 100}.${String(call).padStart(6, "0")}`;
  const at = `${BASE - (code === 0 ? 20 : 90)}.000001`;
  const rid = createHash("sha256").update(String(call)).digest("hex").slice(0, 32);
  const head = [code === 0 ? "BYE" : "INVITE", "tag", "tag", `${call}@192.0.2.3`, String(code || 200), "OK"];
  const all = [rid, numberId, "u", "7", started, "acme", "+4930901820"].join("~");
  return `${[...head, at.split(".")[0], at, all, "+15550009999", "sip:a@192.0.2.9:5080", "boot", ""].join("|")}\n`;
}

const count = async (): Promise<Record<string, number>> => {
  const rows = await service.database.admin<{ result: string; count: number }>(
    "select result, count(*)::int from call_records where switch_id = $1 and organisation_id = $2 group by 1",
    [own.id, organisationId],
  );
  return Object.fromEntries(rows.map((one) => [one.result, one.count]));
};

test("from the files of a switch to the service: every call counts once, even when the agent has forgotten everything", async () => {
  const write = (process: number, text: string): void =>
    appendFileSync(join(home, "records", `acc_${process}.log`), text);
  const moment = Array.from({ length: CALLS }, (_, call) => ({ call, numberId: numbers[call % 3]! }));
  const invites = moment.map(({ call, numberId }) => row(call, call % 4 === 3 ? 486 : 200, numberId));
  const byes = moment.filter(({ call }) => call % 4 < 2).map(({ call, numberId }) => row(call, 0, numberId));
  const spool = open("first.sqlite");
  for (const [at, text] of invites.entries()) write(at % 3, text);
  for (const [at, text] of byes.entries()) write(at % 3, text);

  await until(async () => (await count())["answered"] === CALLS / 2);
  const live = async (): Promise<number> =>
    (
      await service.database.admin<{ calls: number }>(
        "select coalesce(sum(active_calls), 0)::int as calls from live_calls where switch_id = $1",
        [own.id],
      )
    )[0]!.calls;
  await until(async () => (await live()) === CALLS / 4);
  expect(await count()).toEqual({ answered: CALLS / 2, busy: CALLS / 4 });
  await spool.stop();

  const forgetful = open("second.sqlite");
  await until(() => forgetful.status().open === CALLS / 4 && forgetful.status().unsent === 0);
  expect(await count()).toEqual({ answered: CALLS / 2, busy: CALLS / 4 });
  forgetful.enterEpoch("another");
  await until(() => forgetful.status().unsent === 0);
  expect(await count()).toEqual({ answered: CALLS / 2, busy: CALLS / 4 });
  const rest = moment.filter(({ call }) => call % 4 === 2);
  for (const { call, numberId } of rest) write(1, row(call, 0, numberId));
  await until(async () => (await count())["answered"] === (CALLS * 3) / 4);
  await until(async () => (await live()) === 0);
  await forgetful.stop();
});
