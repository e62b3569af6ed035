import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { byeRow, inviteRow, writtenCall } from "../testing/acc-rows.ts";
import { MemoryRecordService } from "../testing/memory-record-service.ts";
import { type CallRecordsSpool, startSpool } from "./call-records-spool.ts";
import type { CallStanding } from "./record-service.ts";
import { RINGING_MS } from "./standing-reports.ts";

const HOUR_MS = 3_600_000;

let home: string;
let service: MemoryRecordService;
let spool: CallRecordsSpool;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "dialplane-standings-"));
  service = new MemoryRecordService();
  spool = startSpool({
    directory: join(home, "records"),
    storePath: join(home, "records.sqlite"),
    service,
    maxCallSeconds: 14_400,
    rotate: async () => {},
    onDiskFull() {},
    log: { info() {}, warn() {}, error() {} },
    timing: {
      readMs: 10,
      standingMs: 5,
      reserveBytes: 1_000,
      minFreeBytes: 1,
      retryMinMs: 10,
      retryMaxMs: 20,
    },
  });
});
afterEach(async () => {
  await spool.stop();
  rmSync(home, { recursive: true, force: true });
});

const write = (text: string): void => appendFileSync(join(home, "records", "acc_1.log"), text);
const until = async (look: (last: CallStanding) => boolean): Promise<CallStanding> => {
  for (const deadline = Date.now() + 20_000; ;) {
    const last = service.standings.at(-1);
    if (last && look(last)) return last;
    if (Date.now() > deadline) throw new Error(`Nothing came: ${JSON.stringify(last)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
const ago = ({ settled_through: settled }: CallStanding): number => Date.now() - Date.parse(settled);

describe("records are said to be complete", () => {
  test("up to what may still be ringing, when there is nothing else", async () => {
    const { open, max_call_seconds: max } = await until(() => true);
    expect([open, max]).toEqual([[], 14_400]);
    const last = await until((one) => ago(one) < RINGING_MS + 5_000);
    expect(ago(last)).toBeGreaterThanOrEqual(RINGING_MS);
  });

  test("except for numbers with an active call since its start; others do not wait for it", async () => {
    const startedUs = (Date.now() - HOUR_MS) * 1000;
    const [older, younger] = [
      writtenCall("older", { startedUs }),
      writtenCall("younger", { startedUs: startedUs + 60_000_000 }),
    ];
    write(inviteRow(younger) + inviteRow(older));
    const last = await until(({ open }) => open.length > 0);
    expect(ago(last)).toBeLessThan(HOUR_MS / 2);
    expect(last.open).toEqual([
      { number_id: older.numberId, oldest_began_at: new Date(startedUs / 1000).toISOString() },
    ]);

    write(byeRow(older));
    await until(({ open }) => open[0]?.oldest_began_at === new Date(startedUs / 1000 + 60_000).toISOString());
    write(byeRow(younger));
    await until(({ open }) => open.length === 0);
  });

  test("not beyond an unacknowledged record", async () => {
    const startedUs = (Date.now() - HOUR_MS) * 1000;
    const call = writtenCall("one", { startedUs });
    service.upload = () => Promise.reject(new Error("No line."));
    write(inviteRow(call) + byeRow(call));
    const waiting = await until((one) => ago(one) > HOUR_MS / 2);
    expect(waiting.settled_through).toBe(new Date(startedUs / 1000).toISOString());
    expect(waiting.open).toEqual([]);

    service.upload = MemoryRecordService.prototype.upload;
    await until((one) => ago(one) < HOUR_MS / 2);
  });

  test("and not while a new epoch has them sent again", async () => {
    const call = writtenCall("one", { startedUs: (Date.now() - HOUR_MS) * 1000 });
    write(inviteRow(call) + byeRow(call));
    await until((one) => service.taken.length === 1 && ago(one) < HOUR_MS / 2);

    service.upload = () => Promise.reject(new Error("No line."));
    spool.enterEpoch("epoch 2");
    await until((one) => ago(one) > HOUR_MS / 2);
  });

  test("with how far the clock here is ahead", async () => {
    service.behindMs = 5_000;
    const { clock_offset_ms: offset } = await until(
      (one) => one.clock_offset_ms !== null && one.clock_offset_ms > 4_000,
    );
    expect(offset).toBeLessThan(6_000);
  });
});

/** Reads what is committed, for neither the switch nor the service is here. */
const committed = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("no call can ring for longer than records wait for it, nor for less than a connection may ask for", () => {
  const timer = (name: string): number =>
    Number(
      new RegExp(`^modparam\\("tm", "${name}", (\\d+)\\)$`, "m").exec(committed("kamailio/kamailio.cfg"))![1],
    );
  const { CreateConnection } = (
    JSON.parse(committed("openapi.json")) as {
      components: { schemas: Record<string, { properties: Record<string, { maximum: number }> }> };
    }
  ).components.schemas;
  const longestRingMs = CreateConnection!.properties.ring_seconds!.maximum * 1000;

  expect(timer("max_inv_lifetime")).toBeGreaterThan(Math.max(longestRingMs, timer("fr_inv_timer")));
  // After the timeout the switch cancels the target, which may take until that times out too. Then it writes
  // the row.
  expect(RINGING_MS).toBeGreaterThan(timer("max_inv_lifetime") + timer("fr_timer") + 5_000);
});
