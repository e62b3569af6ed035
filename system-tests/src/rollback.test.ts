import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Customer, signUp } from "./service/customer.ts";
import { MovableDatabase } from "./service/movable-database.ts";
import type { Program } from "./service/program.ts";
import { type RunningService, startService } from "./service/running-service.ts";
import { isLong } from "./service/test-length.ts";
import { untilQuiet, watchForStarvation } from "./sip/fair-measure.ts";
import { newAddress } from "./sip/loopback.ts";
import { startSwitch, type SwitchProcess } from "./sip/switch-process.ts";
import { until } from "./sip/until.ts";

/** After a rollback of the database, the API never shows a switch in sync with a route that it does not hold. */
const [NUMBER, OTHER] = ["+4930901830", "+4930901831"];
const READS = isLong ? 500 : 150;
const CONVERGED_MS = 10_000;
const SETUP_MS = 300_000;
const uri = (user: string): string => `sip:${user}@127.0.0.1:5090`;

let database: MovableDatabase;
let service: RunningService;
let kamailio: SwitchProcess;
let customer: Customer;
let agent: Program;
let credential: string;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  database = running.use(await MovableDatabase.start());
  const roles: ("api" | "worker")[] = ["api", "worker"];
  [service, kamailio] = await Promise.all([
    startService({ roles, databaseUrl: database.url }).then((one) => running.use(one)),
    startSwitch([newAddress()]).then((one) => running.use(one)),
  ]);
  const [created] = await Promise.all([
    service.operator("create-switch", "edge-1"),
    signUp(service, NUMBER, [OTHER]).then((one) => (customer = one)),
  ]);
  credential = /svc_switch_\S+/.exec(created)![0];
  agent = service.startAgent(credential, kamailio.folder);
  running.defer(() => agent[Symbol.asyncDispose]());
}, SETUP_MS);
afterAll(() => running.disposeAsync(), SETUP_MS);

/** Kamailio's row of a number. */
async function held(number: string): Promise<string> {
  const { item } = (await kamailio.rpc("htable.get", ["rt", number])) as { item: { value: string } };
  return item.value;
}

interface Observed {
  reads: number;
  /** Responses that showed the switch in sync with a route that it held neither before nor after. */
  lies: string[];
}

/** Polls a number's routing over HTTP and the switch, until `stop` and for a minimum number of reads. */
function watch(number: string): { stop(): Promise<Observed> } {
  let isStopped = false;
  const observe = async (): Promise<Observed> => {
    const lies: string[] = [];
    let reads = 0;
    while (!isStopped || reads < READS) {
      const before = await held(number);
      const shown = await customer.routing(number).catch(() => undefined);
      const after = await held(number);
      if (!shown) continue;
      reads += 1;
      const applied = shown.applied?.sip_uri ?? "";
      if (shown.status === "in_sync" && !before.includes(applied) && !after.includes(applied))
        lies.push(`${applied} (generation ${shown.applied?.generation}), but the switch held ${after}`);
    }
    return { reads, lies };
  };
  const observed = observe();
  return {
    stop: () => {
      isStopped = true;
      return observed;
    },
  };
}

/** Writes past the service, before it can look at the restored database: as often as was written in the history that is lost. */
function writeInStep(count: number): void {
  for (let at = 1; at <= count; at += 1)
    database.run(`
      select set_config('app.organisation_id', '${customer.organisationId}', false), set_config('app.environment', 'live', false);
      select outcome from set_routing('${customer.numberId}', '{"mode": "sip_uri", "sip_uri": "${uri(`in-step-${at}`)}"}', false,
        array(select generation from routings where holding_id = '${customer.numberId}'), '{"kind": "system"}',
        gen_random_uuid(), gen_random_uuid(), now())`);
}

const LOST_WRITES = 3;

/** Each prepares a rollback and returns how to do it. */
const ROLLBACKS: Record<string, () => () => void> = {
  "a dump restored into the same cluster": () => database.dump(),
  "a data directory put back from a snapshot": () => database.snapshot(),
  "a snapshot, and new writes that reach equal versions": () => {
    const putBack = database.snapshot();
    return () => putBack(() => writeInStep(LOST_WRITES));
  },
  "a backup on the timeline of the promoted standby": () => database.failOver(),
};

/** In CI each rollback is tried once, with one of the variants; the long form tries every combination. */
const VARIANTS = [
  { agentRestarts: false, isSameNumber: true },
  { agentRestarts: true, isSameNumber: true },
  { agentRestarts: false, isSameNumber: false },
  { agentRestarts: true, isSameNumber: false },
];
const CASES = Object.entries(ROLLBACKS).flatMap(([name, prepare], place) =>
  (isLong ? VARIANTS : [VARIANTS[place]!]).map((variant) => ({ name, prepare, ...variant })),
);

const epochs = (): Promise<{ cause: string; evidence: object }[]> =>
  service.query("select cause, evidence from feed_epochs where cause <> 'first'");

describe.each(CASES)("$name, agent restarts: $agentRestarts, same number: $isSameNumber", (scene) => {
  test("never shows a route as applied that the switch does not hold", async () => {
    const isInSync = async (number: string): Promise<boolean> =>
      (await customer.routing(number).catch(() => undefined))?.status === "in_sync";
    await customer.routeTo(uri("kept"));
    await until("the switch to hold what is kept", () => isInSync(NUMBER));
    const epochsBefore = (await epochs()).length;
    const rollBack = scene.prepare();
    await until("the database to be used again", () => isInSync(NUMBER));
    for (let at = 1; at <= LOST_WRITES; at += 1) await customer.routeTo(uri(`lost-${at}`));
    await until("the switch to hold what will be lost", async () =>
      (await held(NUMBER)).includes(`lost-${LOST_WRITES}`),
    );

    await untilQuiet();
    if (scene.agentRestarts) await agent.kill();
    rollBack();
    const answersFrom = performance.now();
    using host = watchForStarvation();
    if (scene.agentRestarts) agent = service.startAgent(credential, kamailio.folder);
    await sleep(1_000);
    const watched = watch(NUMBER);
    const written = scene.isSameNumber ? NUMBER : OTHER;
    const after = await customer.route(written, { mode: "sip_uri", sip_uri: uri("new-after-restore") }, 0);
    expect(after.status).toBe(200);

    await until(
      "the switch to hold what is desired",
      async () => (await isInSync(NUMBER)) && (await isInSync(OTHER)),
    );
    const convergedMs = Math.round(performance.now() - answersFrom);
    const isVoid = host.isStarved();
    const { reads, lies } = await watched.stop();
    const desired = scene.isSameNumber ? "new-after-restore" : (await customer.routing()).desired.sip_uri;
    console.log(
      `${scene.name}: ${reads} reads, ${lies.length} lies, converged after ${convergedMs} ms${isVoid ? " (void: the host withheld processors)" : ""}`,
    );
    expect(lies).toEqual([]);
    expect(reads).toBeGreaterThanOrEqual(READS);
    expect(await held(NUMBER)).toContain(desired);
    if (!isVoid) expect(convergedMs).toBeLessThanOrEqual(CONVERGED_MS);

    // Exactly one epoch, and an alarm that stays until an operator has looked.
    const begun = (await epochs()).slice(epochsBefore);
    expect(begun).toHaveLength(1);
    expect(begun[0]).toMatchObject({ cause: "rollback" });
    expect(service.log()).toContain("the database was rolled back");
    await expect(service.server("doctor")).rejects.toThrow(/BROKEN .*rollback/);
    await service.server("resolve-epoch");
    await expect(service.server("doctor")).resolves.toContain("checks passed");
  });
});
