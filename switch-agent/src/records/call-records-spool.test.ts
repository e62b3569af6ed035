import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ControlPlaneError, NO_CODE } from "../control-plane-error.ts";
import { byeRow, inviteRow, lateAnswerRow, writtenCall } from "../testing/acc-rows.ts";
import { MemoryRecordService } from "../testing/memory-record-service.ts";
import { type CallRecordsSpool, type SpoolOptions, startSpool } from "./call-records-spool.ts";

const HOUR_US = 3_600_000_000;

let home: string;
let service: MemoryRecordService;
let spool: CallRecordsSpool | undefined;
let lines: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "dialplane-spool-"));
  service = new MemoryRecordService();
  lines = [];
});
afterEach(async () => {
  await spool?.stop();
  rmSync(home, { recursive: true, force: true });
});

function start({ timing, ...rest }: Partial<SpoolOptions> = {}): CallRecordsSpool {
  const keep = (fields: object, msg: string): void => void lines.push(JSON.stringify({ ...fields, msg }));
  spool = startSpool({
    directory: join(home, "records"),
    storePath: join(home, "records.sqlite"),
    service,
    maxCallSeconds: 14_400,
    rotate: async () => {},
    onDiskFull() {},
    log: { info: keep, warn: keep, error: keep },
    timing: {
      readMs: 10,
      liveMs: 10,
      partialMs: 100,
      reserveBytes: 1_000,
      minFreeBytes: 1,
      retryMinMs: 10,
      retryMaxMs: 20,
      ...timing,
    },
    ...rest,
  });
  return spool;
}
const write = (process: number, text: string): void =>
  appendFileSync(join(home, "records", `acc_${process}.log`), text);
function keptRecords(): number {
  using store = new DatabaseSync(join(home, "records.sqlite"), { readOnly: true });
  return Number(store.prepare("select count(*) as count from records").get()!["count"]);
}
const until = async (look: () => boolean): Promise<void> => {
  for (const deadline = Date.now() + 15_000; !look();) {
    if (Date.now() > deadline) throw new Error(`Nothing came: ${lines.join("\n")}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

describe("a call", () => {
  test("is uploaded when it has ended, and not before", async () => {
    start();
    const call = writtenCall("one");
    write(1, inviteRow(call));
    await until(() => spool!.status().open === 1);
    expect(spool!.live()).toEqual(new Map([[call.numberId, 1]]));
    expect(service.taken).toEqual([]);
    write(2, byeRow(call));
    await until(() => service.taken.length === 1);
    expect(service.taken[0]).toMatchObject({ id: call.rid, ending: "hung_up" });
    expect(spool!.live().size).toBe(0);
  });

  test("is uploaded at once although the clock was set back since its end", async () => {
    const call = writtenCall("one");
    mkdirSync(join(home, "records"));
    write(1, inviteRow(call) + byeRow(call));
    const later = Date.now() + 9 * 86_400_000;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => later);
    start({ timing: { readMs: 3_600_000 } });
    await vi.waitFor(() => expect(spool!.status().open).toBe(1));
    await spool!.stop();
    clock.mockRestore();
    start();
    await until(() => service.taken.length === 1);
    expect(service.taken[0]).toMatchObject({ id: call.rid, ending: "hung_up" });
  });

  test("with only a BYE waits a while for the rest, and is uploaded without it", async () => {
    start();
    const call = writtenCall("one");
    write(1, byeRow(call));
    await until(() => service.taken.length === 1);
    expect(service.taken[0]).toMatchObject({ ending: "hung_up", code: null, number_id: call.numberId });
  });

  test("without an end is closed an hour after the longest a call can be, and counts as up until then", async () => {
    start();
    const nowUs = Date.now() * 1000;
    const old = writtenCall("old", { startedUs: nowUs - 5 * HOUR_US - 1_000_000 });
    const young = writtenCall("young", { startedUs: nowUs - 5 * HOUR_US + 60_000_000 });
    write(1, inviteRow(old) + lateAnswerRow(young));
    await until(() => service.taken.length === 1);
    expect(service.taken[0]).toMatchObject({ id: old.rid, ending: "unknown", ended_at: null });
    expect(spool!.live()).toEqual(new Map([[young.numberId, 1]]));
  });

  test("that is frozen never changes; later rows are counted and logged without phone numbers", async () => {
    start();
    const call = writtenCall("one", { startedUs: Date.now() * 1000 - 6 * HOUR_US });
    write(1, inviteRow(call));
    await until(() => service.taken.length === 1);
    write(1, byeRow(call));
    await until(() => spool!.status().anomalies === 1);
    service.epoch = "epoch 2";
    spool!.enterEpoch("epoch 2");
    await until(() => service.taken.length === 2);
    expect(service.records().get(call.rid)).toMatchObject({ ending: "unknown" });
    expect(lines.join()).toContain(call.rid);
    expect(lines.join()).not.toContain(call.caller);
  });
});

describe("what is not acknowledged", () => {
  test("is uploaded again, over days and restarts, with the same content", async () => {
    service.line = "lost";
    start();
    const calls = Array.from({ length: 20 }, (_, at) => writtenCall(at, { code: 486 }));
    write(1, calls.map((call) => inviteRow(call)).join(""));
    await until(() => service.taken.length >= 40);
    await spool!.stop();
    service.line = "up";
    const before = service.taken.length;
    start();
    await until(() => spool!.status().unsent === 0);
    expect(service.taken.length).toBe(before + 20);
    expect(service.records().size).toBe(20);
  });

  test("is sent again after a promotion or restore of the database, and not after a restart of it", async () => {
    start();
    spool!.enterEpoch("epoch 1", "one");
    write(1, inviteRow(writtenCall("one", { code: 486 })));
    await until(() => service.taken.length === 1 && spool!.status().unsent === 0);
    spool!.enterEpoch("epoch 1", "one");
    spool!.enterEpoch("epoch 1");
    expect(spool!.status().unsent).toBe(0);
    spool!.enterEpoch("epoch 1", "two");
    await until(() => service.taken.length === 2 && spool!.status().unsent === 0);
    expect(service.records().size).toBe(1);
  });

  test("stays while another epoch begins in the middle of it", async () => {
    start();
    const upload = service.upload.bind(service);
    service.upload = async (records) => {
      const receipt = await upload(records);
      if (service.taken.length === 1) spool!.enterEpoch((service.epoch = "epoch 2"));
      return { ...receipt, epoch: "epoch 1" };
    };
    spool!.enterEpoch("epoch 1");
    write(1, inviteRow(writtenCall("one", { code: 486 })));
    await until(() => service.taken.length === 2);
  });

  test("and never will be does not hold up the rest", async () => {
    const poison = writtenCall("poison", { code: 486 });
    const upload = service.upload.bind(service);
    service.upload = async (records) => {
      if (records.some(({ id }) => id === poison.rid))
        throw new ControlPlaneError(400, "invalid_request", "It is poison.");
      return upload(records);
    };
    start();
    const calls = Array.from({ length: 30 }, (_, at) => writtenCall(at, { code: 486 }));
    write(1, [...calls.slice(0, 15), poison, ...calls.slice(15)].map((call) => inviteRow(call)).join(""));
    await until(() => spool!.status().unsent === 0 && service.records().size === 30);
    expect(service.taken).toHaveLength(30);
  });

  test.for([400, 413, 422])(
    "on the word of a proxy that says %i is kept until the service takes it",
    async (status) => {
      const upload = service.upload.bind(service);
      let asked = 0;
      service.upload = async () => {
        asked += 1;
        throw new ControlPlaneError(status, NO_CODE, "");
      };
      start();
      const calls = Array.from({ length: 30 }, (_, at) => writtenCall(at, { code: 486 }));
      write(1, calls.map((call) => inviteRow(call)).join(""));
      await until(() => asked > 8);
      expect(spool!.status().unsent).toBe(30);
      service.upload = upload;
      await until(() => spool!.status().unsent === 0 && service.records().size === 30);
    },
  );
});

test("a service that does not know the details of a record gets it without them", async () => {
  const sent: object[][] = [];
  service.upload = async (records) => {
    sent.push(records);
    const isOld = (record: object): boolean => !("attempts" in record);
    return {
      epoch: "epoch 1",
      acknowledged: records.filter(isOld).map(({ id }) => id),
      rejected: records.flatMap((record, index) =>
        isOld(record) ? [] : [{ index, code: "malformed", detail: "It is no CallRecord." }],
      ),
    };
  };
  start();
  write(1, inviteRow(writtenCall("one", { code: 486, caller: "anonymous" })));
  await until(() => sent.length === 2 && spool!.status().unsent === 0);
  expect(sent[1]).toMatchObject([{ sip_call_id: "one@192.0.2.3", caller: "anonymous" }]);
  expect(lines.join()).not.toContain("rejected");
});

test("acknowledged records are kept for a database that turns out to have lost them, and then go", async () => {
  start({ timing: { keepMs: 1_000 } });
  write(1, inviteRow(writtenCall("one", { code: 486 })));
  await until(() => service.taken.length === 1);
  service.epoch = "epoch 2";
  spool!.enterEpoch("epoch 2");
  await until(() => service.taken.length === 2);
  // The service's response shows the epoch too, even if the feed has not sent it.
  service.epoch = "epoch 3";
  write(1, inviteRow(writtenCall("two", { code: 486 })));
  await until(() => service.taken.filter(({ sip_call_id: id }) => id === "one@192.0.2.3").length === 3);
  await until(() => keptRecords() === 0);
  const before = service.taken.length;
  service.epoch = "epoch 4";
  spool!.enterEpoch("epoch 4");
  write(1, inviteRow(writtenCall("three", { code: 486 })));
  await until(() => service.taken.length > before);
  await until(() => spool!.status().unsent === 0);
  expect(service.taken.slice(before).map(({ sip_call_id: id }) => id)).toEqual(["three@192.0.2.3"]);
});

describe("live calls", () => {
  const shown = (): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { is_snapshot: isSnapshot, numbers } of service.live) {
      if (isSnapshot) counts.clear();
      for (const { number_id: id, active_calls: calls } of numbers)
        if (calls > 0) counts.set(id, calls);
        else counts.delete(id);
    }
    return counts;
  };
  const a = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11";
  const b = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b22";

  test("are reported as they change, one report after the other, and kept over a restart", async () => {
    start();
    const [one, two] = [writtenCall(1, { numberId: a }), writtenCall(2, { numberId: a })];
    const three = writtenCall(3, { numberId: b });
    write(1, inviteRow(one) + inviteRow(two));
    await until(() => shown().get(a) === 2);
    write(2, inviteRow(three) + byeRow(one));
    await until(() => shown().get(a) === 1 && shown().get(b) === 1);
    expect(service.live.map(({ sequence }) => sequence)).toEqual(service.live.map((_, at) => at + 1));
    expect(service.live.map(({ is_snapshot: isSnapshot }) => isSnapshot).indexOf(true, 1)).toBe(-1);
    await spool!.stop();
    const before = service.live.length;
    start();
    await until(() => service.live.length > before);
    expect(service.live[before]).toMatchObject({ is_snapshot: true, sequence: 1 });
    expect(shown()).toEqual(
      new Map([
        [a, 1],
        [b, 1],
      ]),
    );
    write(1, byeRow(two) + byeRow(three));
    await until(() => shown().size === 0);
  });

  test("are reported with the count of the last minute and the newest start, without unserved numbers", async () => {
    start();
    await spool!.stop();
    const began = (secondsAgo: number) => ({
      numberId: a,
      startedUs: (Date.now() - secondsAgo * 1000) * 1000,
    });
    const said = (): unknown =>
      service.live.flatMap(({ numbers }) => numbers).findLast((one) => one.number_id === a);
    const newest = began(1);
    write(
      1,
      inviteRow(writtenCall(1, began(3_000))) +
        inviteRow(writtenCall(2, began(30))) +
        inviteRow(writtenCall(3, newest)),
    );
    write(
      2,
      inviteRow(writtenCall(4, { ...began(0), code: 503, why: "trunk_full" })) +
        inviteRow(writtenCall(5, { ...began(20), code: 486 })),
    );
    const expected = {
      active_calls: 3,
      calls_last_minute: 3,
      last_call_at: new Date(newest.startedUs / 1000).toISOString(),
    };
    start();
    await until(() => service.taken.length === 2);
    await expect.poll(said).toMatchObject(expected);
    await spool!.stop();
    service.live.length = 0;
    start();
    await expect.poll(said).toMatchObject(expected);
  });

  test("are reported completely after a lost or rejected report, and periodically", async () => {
    start({ timing: { liveSnapshotMs: 200 } });
    await until(() => service.live.filter(({ is_snapshot: isSnapshot }) => isSnapshot).length >= 3);
    service.isLiveTaken = false;
    write(1, inviteRow(writtenCall(1)));
    const before = service.live.length;
    await until(() => service.live.length > before + 4);
    const since = service.live.slice(before + 1);
    expect(since.every(({ is_snapshot: isSnapshot }) => isSnapshot)).toBe(true);
  });
});

describe("a disk that is full", () => {
  test("is reported with the reserve deleted, and again when space is free", async () => {
    let free = 1e9;
    const told: boolean[] = [];
    const reserve = join(home, "records", "reserve");
    start({
      freeBytes: async () => free,
      onDiskFull: (isFull) => told.push(isFull),
      timing: { reserveBytes: 3_000_000, minFreeBytes: 64e6, standingMs: 10 },
    });
    await until(() => existsSync(reserve));
    free = 63e6;
    await until(() => told.length === 1);
    expect([told[0], existsSync(reserve), spool!.status().isDiskFull]).toEqual([true, false, true]);
    expect(lines.join()).toContain("record disk full");
    await until(() => service.standings.at(-1)?.is_disk_full === true);
    // The freed reserve gives some space, but not enough.
    free = 66e6;
    write(1, inviteRow(writtenCall("one", { code: 486 })));
    await until(() => service.taken.length === 1);
    expect(told).toEqual([true]);
    free = 80e6;
    await until(() => told.length === 2);
    expect([told[1], spool!.status().isDiskFull]).toEqual([false, false]);
    await until(() => service.standings.at(-1)?.is_disk_full === false);
    await until(() => existsSync(reserve));
  });
});
