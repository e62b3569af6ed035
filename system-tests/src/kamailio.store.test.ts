import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CallBench } from "./sip/call-bench.ts";
import { addressOf, openBench, uriOf } from "./sip/call-bench.ts";
import type { Phone } from "./sip/phone.ts";
import { writeInvite } from "./sip/sip-call.ts";
import { openStore } from "./sip/switch-store.ts";
import { until } from "./sip/until.ts";

let bench: CallBench;
let callee: Phone;

beforeEach(async () => {
  bench = await openBench();
  callee = await bench.phone();
  await bench.kamailio.mark({ synced: "0" });
});
afterEach(() => bench?.[Symbol.asyncDispose]());

const askOptions = async (): Promise<number> =>
  (await bench.caller.ask(writeInvite(bench.caller, "x").replaceAll("INVITE", "OPTIONS"), bench.kamailio.at))
    .status!;
const statusOf = async (number: string): Promise<number> => (await bench.call(number)).status;

test("without the agent's file the switch starts, says that it cannot tell, and reads the file once it is there", async () => {
  const unknown = await bench.call("+4930901820");
  expect(unknown.status).toBe(503);
  expect(await bench.rowsOf(unknown.dialog.callId, 1)).toMatchObject([{ code: "503", kind: "cannot_tell" }]);
  expect(await askOptions()).toBe(503);

  using store = openStore(bench.kamailio.dataFolder);
  store.put("rt", { "+4930901820": `u|7|0|id|${uriOf(callee)}||||` });
  await until("the file to be seen", async () => (await statusOf("+4930901820")) === 200);
});

test("memory that holds everything needs no file", async () => {
  await bench.kamailio.mark({ synced: "1" });
  expect(await statusOf("+4930901820")).toBe(404);
  expect(await askOptions()).toBe(200);
});

test("after a restart calls go as the agent's file says, without the agent, to URIs, hosts and connections", async () => {
  {
    using store = openStore(bench.kamailio.dataFolder);
    store.put("rt", {
      "+4930901820": `u|7|0|id-1|${uriOf(callee)}||||`,
      "+4930901821": "u|7|0|id-2|sip:a@pbx.invalid|pbx.invalid:5060;udp|||",
      "+4930901822": "c|7|0|id-3|connection-1||||",
      "+4930901823": "n|7|0|id-4|||||",
    });
    store.put("host", { "pbx.invalid:5060;udp": addressOf(callee) });
    store.put("cn", { "connection-1": "1|0|0|0|31=11|x" });
  }
  await bench.kamailio.kill();
  await bench.kamailio.start();
  const added = [31, uriOf(callee).replace("alice@", ""), 0, 0, "rweight=50;duid=d"];
  await bench.kamailio.rpc("dispatcher.add", added);
  expect(await statusOf("+4930901820")).toBe(200);
  expect(await statusOf("+4930901821")).toBe(200);
  expect(await statusOf("+4930901822")).toBe(200);
  expect(await statusOf("+4930901823")).toBe(480);
  // Some numbers are in it, but not known to be all: another may be missing for want of time.
  expect(await statusOf("+4930901829")).toBe(503);
  expect(await askOptions()).toBe(503);
  {
    using store = openStore(bench.kamailio.dataFolder);
    store.mark("complete", "1");
  }
  expect(await statusOf("+4930901829")).toBe(404);
  expect(await askOptions()).toBe(200);
  // The file's value is not cached: the agent may be setting a newer one.
  expect((await bench.kamailio.control("G", "rt", ["+4930901820"]))[1]).toBe("+4930901820");
});

test("memory counts before the file", async () => {
  using store = openStore(bench.kamailio.dataFolder);
  store.put("rt", { "+4930901820": "n|7|0|id|||||" });
  await bench.kamailio.set("rt", { "+4930901820": `u|8|0|id|${uriOf(callee)}||||` });
  expect(await statusOf("+4930901820")).toBe(200);
});

test("waits for a briefly locked file, as during a checkpoint", async () => {
  {
    using store = openStore(bench.kamailio.dataFolder);
    store.put("rt", { "+4930901820": `u|7|0|id|${uriOf(callee)}||||` });
  }
  await until("the file to be seen", async () => (await statusOf("+4930901820")) === 200);
  await bench.kamailio.kill();
  const other = new DatabaseSync(join(bench.kamailio.dataFolder, "switch.sqlite"));
  other.exec("pragma locking_mode = exclusive; begin immediate; commit");
  await bench.kamailio.start();
  setTimeout(() => other.close(), 100);
  expect(await statusOf("+4930901820")).toBe(200);
  expect(bench.kamailio.log()).toContain("database is locked");
});

test("continues calls while another process writes the file", async () => {
  using store = openStore(bench.kamailio.dataFolder);
  store.put("rt", { "+4930901820": `u|7|0|id|${uriOf(callee)}||||` });
  await until("the file to be seen", async () => (await statusOf("+4930901820")) === 200);
  for (let rows = 0; rows < 50; rows += 1) {
    store.put("rt", { [`+1555000${1000 + rows}`]: "n|1|0|id|||||" });
    expect(await statusOf("+4930901820")).toBe(200);
  }
});

test("a file that is gone while the switch starts again means 503, to calls and to OPTIONS", async () => {
  openStore(bench.kamailio.dataFolder)[Symbol.dispose]();
  await bench.kamailio.kill();
  for (const file of ["switch.sqlite", "switch.sqlite-wal", "switch.sqlite-shm"])
    rmSync(join(bench.kamailio.dataFolder, file), { force: true });
  await bench.kamailio.start();
  expect(await statusOf("+4930901820")).toBe(503);
  expect(await askOptions()).toBe(503);
});

test("takes no new call while draining, and continues active ones", async () => {
  await bench.kamailio.mark({ synced: "1" });
  const number = await bench.numberTo(callee);
  const call = await bench.call(number);
  expect(call.status).toBe(200);
  await bench.kamailio.mark({ draining: "1" });
  const refused = await bench.call(number);
  expect(refused.status).toBe(503);
  expect(await bench.rowsOf(refused.dialog.callId, 1)).toMatchObject([{ code: "503", kind: "draining" }]);
  expect(await askOptions()).toBe(503);
  expect(await call.ask("INFO")).toBe(200);
  expect(await call.bye()).toBe(200);
  await bench.kamailio.mark({ draining: "0", full: "1" });
  expect(await askOptions()).toBe(503);
  await bench.kamailio.mark({ full: "0" });
  expect(await statusOf(number)).toBe(200);
});
