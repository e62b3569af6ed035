import { expect, test } from "vitest";
import { signUp } from "./service/customer.ts";
import { startService } from "./service/running-service.ts";
import { holdCalls } from "./sip/held-calls.ts";
import { newAddress } from "./sip/loopback.ts";
import { startCallees } from "./sip/sipp.ts";
import { startSwitch } from "./sip/switch-process.ts";
import { until } from "./sip/until.ts";

const NUMBER = "+4930901821";
const CALLS = 60;
const PER_SECOND = 30;
const HOLD_MS = 45_000;
/** Maximum lag of the shown calls behind sipp. */
const BEHIND_MS = 2_000;
/** How often a switch says that nothing has changed. */
const SILENCE_MS = 5_000;
const PATIENCE_MS = 90_000;

interface Shown {
  active_calls: number;
  observed_at: string;
}

test("live shows what sipp has in progress within two seconds, also after switch and API were killed", async () => {
  await using running = new AsyncDisposableStack();
  const [from, callees] = [newAddress(), newAddress()].map((address) => ({ address, port: 5060 }));
  const [service, kamailio] = await Promise.all([startService(), startSwitch([from!.address])]);
  running.use(service);
  running.use(kamailio);
  const told = await service.operator("create-switch", "edge-1");
  const customer = await signUp(service, NUMBER);
  running.use(service.startAgent(/svc_switch_\S+/.exec(told)![0], kamailio.folder));
  running.use(startCallees(callees!));
  const { routing } = await customer.routeTo(`sip:desk@${callees!.address}:${callees!.port}`);
  expect(routing.status).toBe("in_sync");
  const look = async (): Promise<Shown> =>
    (await customer.asPerson<{ data: Shown[] }>("GET", `/v1/numbers/live?ids=${customer.numberId}`)).data[0]!;
  /** Time from sipp's count until the calls are shown. */
  const behind = async (calls: number): Promise<number> => {
    await until(`sipp to have ${calls} calls`, () => sipp.inProgress() === calls, PATIENCE_MS);
    const sinceMs = performance.now();
    await until("them to be shown", async () => (await look()).active_calls === calls, PATIENCE_MS);
    return performance.now() - sinceMs;
  };
  const sipp = running.use(
    holdCalls(NUMBER, { from: from!, to: kamailio.at, calls: CALLS, perSecond: PER_SECOND, holdMs: HOLD_MS }),
  );

  const shownMs = await behind(CALLS);
  await kamailio.kill();
  await kamailio.start();
  const afterSwitchMs = await behind(CALLS);
  await service.killServer();
  const killedAt = new Date();
  service.startServer();
  await service.ready();
  const readyAtMs = performance.now();
  const afterApiMs = await behind(CALLS);
  await until("a report since", async () => new Date((await look()).observed_at) > killedAt, PATIENCE_MS);
  const heardMs = performance.now() - readyAtMs;
  expect((await look()).active_calls).toBe(sipp.inProgress());
  const endedMs = await behind(0);

  console.log(
    `live behind sipp, in ms: ${JSON.stringify({ shownMs, afterSwitchMs, afterApiMs, heardMs, endedMs })}`,
  );
  expect(sipp.failed()).toBe(0);
  for (const ms of [shownMs, afterSwitchMs, afterApiMs, endedMs]) expect(ms).toBeLessThan(BEHIND_MS);
  expect(heardMs).toBeLessThan(SILENCE_MS + BEHIND_MS);
});
