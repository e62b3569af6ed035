import assert from "node:assert/strict";
import type { CallBench } from "./call-bench.ts";
import type { Phone } from "./phone.ts";
import { headerOf } from "./sip-message.ts";
import { until } from "./until.ts";

/** State that an attack must not change. */
export interface Before {
  boot: string;
  sharedMemory: number;
}

const MIB = 1024 * 1024;

/** `calls` are up, and stay so. */
export async function lookBefore(bench: CallBench, calls: number): Promise<Before> {
  return { boot: await bootOf(bench), sharedMemory: await sharedMemory(bench, calls) };
}

/** The victim was named in every address that a switch could use, and must not have received a message. */
export async function expectUnharmed(
  bench: CallBench,
  before: Before,
  { victim, calls }: { victim: Phone; calls: number },
): Promise<void> {
  const kept = (await sharedMemory(bench, calls)) - before.sharedMemory;
  assert(kept < MIB, `${kept} bytes more than before`);
  // Reading fails for a row with more or fewer columns than there are.
  assert(bench.kamailio.rows().length > 0);
  const other = await bench.phone();
  const call = await bench.call(await bench.numberTo(other));
  assert.equal(call.status, 200);
  assert.equal(await call.bye(), 200);
  assert(bench.kamailio.isRunning());
  assert.equal(await bootOf(bench), before.boot);
  assert.deepEqual(
    victim.received.map(({ message }) => message.startLine),
    [],
  );
  const heard = other.received.map(({ message }) => headerOf(message, "Call-ID"));
  assert.deepEqual(new Set(heard), new Set([call.dialog.callId]));
  const lines = bench.kamailio.log().split("\n");
  // For the dialog module two messages of one call at the same moment are critical; what came of them is counted above.
  assert.deepEqual(
    lines.filter((line) => /CRITICAL(?!: dialog)|signal 11|exited by a signal/.test(line)),
    [],
  );
}

const bootOf = async ({ kamailio }: CallBench): Promise<string> =>
  (await kamailio.control("P", "", []))[0]!.split(" ")[2]!;

/** Shared memory of all its processes, once all transactions and calls have ended. */
async function sharedMemory({ kamailio }: CallBench, calls: number): Promise<number> {
  await until("the end of all transactions and calls", async () => {
    const { current } = (await kamailio.rpc("tm.stats")) as { current: number };
    const { all } = (await kamailio.rpc("dlg.stats_active")) as { all: number };
    return current === 0 && all === calls;
  });
  return ((await kamailio.rpc("core.shmmem", ["b"])) as { used: number }).used;
}
