import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MemoryRecordService } from "../testing/memory-record-service.ts";
import type { CallRecord } from "./call-join.ts";
import type { CallStanding, LiveReport } from "./record-service.ts";

const KILLS = 12;

let home: string;
const children = new Set<ChildProcess>();
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "dialplane-kill-"));
  mkdirSync(join(home, "records"));
});
afterEach(async () => {
  for (const child of children) await kill(child);
  rmSync(home, { recursive: true, force: true });
});

const ROW_WRITER = new URL("../testing/row-writer.ts", import.meta.url);
const SPOOL = new URL("../testing/spool-process.ts", import.meta.url);

function run(script: URL, ...given: string[]): ChildProcess {
  const command = [fileURLToPath(script), ...given];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "ignore", "inherit"] });
  children.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
  children.delete(child);
}

/** Loses one answer in five: what was taken is then sent again. */
async function serve(service: MemoryRecordService): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    void json(request)
      .then(async (body) => {
        const answer =
          request.url === "/switch/v1/live"
            ? { is_taken: await service.reportLive(body as LiveReport) }
            : request.url === "/switch/v1/call-standing"
              ? await service.reportStanding(body as CallStanding)
              : await service.upload((body as { records: CallRecord[] }).records);
        if (Math.random() < 0.2) response.destroy();
        else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
      })
      .catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("creates exactly one record per call while the switch's processes and the agent are killed repeatedly", async () => {
  const service = new MemoryRecordService();
  const { url, close } = await serve(service);
  const records = join(home, "records");
  const writer = (process: number, life: number): ChildProcess =>
    run(ROW_WRITER, records, String(process), `${process}-${life}`, join(home, `told-${process}`));
  const spool = (): ChildProcess => run(SPOOL, records, join(home, "records.sqlite"), url, "credential");
  let writers = [writer(1, 0), writer(2, 0)];
  let agent = spool();
  for (let life = 1; life <= KILLS; life++) {
    await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 700));
    if (life % 3 !== 0) {
      await kill(agent);
      agent = spool();
    } else {
      await Promise.all(writers.map(kill));
      writers = [writer(1, life), writer(2, life)];
    }
  }
  await Promise.all(writers.map(kill));
  const told = ["told-1", "told-2"].flatMap((name) =>
    readFileSync(join(home, name), "utf8").split("\n").filter(Boolean),
  );
  const written = new Map<string, Set<string>>();
  for (const [kind, rid] of told.map((line) => line.split(" ") as [string, string]))
    written.set(rid, (written.get(rid) ?? new Set()).add(kind));
  // A call whose BYE was being written when the switch was killed is up, for hours: all others have their record.
  const ended = [...written].filter(([, kinds]) => kinds.has("bye")).map(([rid]) => rid);
  const deadline = Date.now() + 60_000;
  const areThere = (): boolean => {
    const taken = new Set(service.taken.map(({ id }) => id));
    return ended.every((rid) => taken.has(rid));
  };
  while (!areThere() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 200));
  close();

  const byId = service.records();
  expect(ended.length).toBeGreaterThan(500);
  expect(ended.filter((rid) => !byId.has(rid))).toEqual([]);
  for (const rid of ended) expect(byId.get(rid)).toMatchObject({ ending: "hung_up" });
  // Other records are only those written at the moment of a kill, before they were logged.
  const known = new Set(ended);
  const beyond = [...byId.keys()].filter((rid) => !known.has(rid));
  expect(beyond.length).toBeLessThanOrEqual(2 * KILLS);
  expect(readdirSync(records).filter((name) => name.includes(".log.")).length).toBeLessThan(6);
}, 150_000);
