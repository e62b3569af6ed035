import { afterAll, beforeAll, expect, test } from "vitest";
import { type Customer, signUp } from "./service/customer.ts";
import { MovableDatabase } from "./service/movable-database.ts";
import { type RunningService, startService } from "./service/running-service.ts";
import { LoadCallee } from "./sip/load-callee.ts";
import { LoadCaller } from "./sip/load-caller.ts";
import { newAddress } from "./sip/loopback.ts";
import { startSwitch, type SwitchProcess } from "./sip/switch-process.ts";
import { until } from "./sip/until.ts";

/** A restore of the database to a point in time, while the switch takes calls: it routes them as before throughout. */
const [MOVED, RELEASED, STAYED, ORDERED] = [
  "+4930901840",
  "+4930901841",
  "+4930901842",
  "+4930901843",
] as const;
const PER_SECOND = 10;
const SETUP_MS = 300_000;
const PATIENCE_MS = 180_000;

let database: MovableDatabase;
let service: RunningService;
let kamailio: SwitchProcess;
let customer: Customer;
let [before, after]: [LoadCallee, LoadCallee] = [] as never;
let load: LoadCaller;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  database = running.use(await MovableDatabase.start());
  const address = newAddress();
  [service, kamailio] = await Promise.all([
    startService({ roles: ["api", "worker"], databaseUrl: database.url }).then((one) => running.use(one)),
    startSwitch([address]).then((one) => running.use(one)),
  ]);
  const plan = { ringMs: 0, talkMs: 500, hangsUp: "caller" } as const;
  before = running.use(await LoadCallee.open(newAddress(), () => plan));
  after = running.use(await LoadCallee.open(newAddress(), () => plan));
  load = running.use(await LoadCaller.open(address, () => plan));
  const [created] = await Promise.all([
    service.operator("create-switch", "edge-1"),
    signUp(service, MOVED, [RELEASED, STAYED]).then((one) => (customer = one)),
  ]);
  const agent = service.startAgent(/svc_switch_\S+/.exec(created)![0], kamailio.folder);
  running.defer(() => agent[Symbol.asyncDispose]());
}, SETUP_MS);
afterAll(() => running.disposeAsync(), SETUP_MS);

async function rowOf(number: string): Promise<string | undefined> {
  const row = (await kamailio.rpc("htable.get", ["rt", number]).catch(() => undefined)) as
    | { item: { value: string } }
    | undefined;
  return row?.item.value;
}
const rows = (): Promise<(string | undefined)[]> =>
  Promise.all([MOVED, RELEASED, STAYED, ORDERED].map(rowOf));
const leadsTo = async (number: string, { at: { address, port } }: LoadCallee): Promise<boolean> =>
  (await rowOf(number))?.includes(`${address}:${port}`) === true;
const route = (number: string, { contact }: LoadCallee): Promise<boolean> =>
  until(
    "the route to be set",
    async () => {
      const set = customer.route(number, { mode: "sip_uri", sip_uri: contact }, 0);
      return set.then(
        ({ status }) => status === 200,
        () => false,
      );
    },
    PATIENCE_MS,
  );
const restore = (...words: string[]): Promise<string> => service.server("restore", ...words);

/** Places calls until its end. */
function call(numbers: string[]): () => Promise<void> {
  let isOver = false;
  const placed = (async () => {
    while (!isOver) await load.place({ to: kamailio.at, numbers, perSecond: PER_SECOND, calls: PER_SECOND });
  })();
  return () => {
    isOver = true;
    return placed;
  };
}

test(
  "after a restore to a point in time, what happened since is named and adopted, and no call fails",
  async () => {
    const restoreTo = database.archive();
    await service.ready();
    for (const number of [MOVED, RELEASED, STAYED]) await route(number, before);
    await until("routes", () => leadsTo(STAYED, before), PATIENCE_MS);
    database.run(`insert into numbers (id, environment, e164, country, type, group_id, shard, is_stock, is_free, created_at)
      select gen_random_uuid(), 'live', '${ORDERED}', 'DE', 'local', group_id, shard, true, true, now()
      from numbers where e164 = '${MOVED}'`);
    const hangUp = call([MOVED, STAYED]);
    running.defer(hangUp);
    const point = new Date(database.run("select now()").trim().split("\n").at(-1)!);

    await route(MOVED, after);
    await customer.asPerson("POST", "/v1/numbers/orders", { numbers: [ORDERED] });
    await route(ORDERED, after);
    await customer.asPerson("POST", `/v1/numbers/${RELEASED}/release`);
    await until(
      "routes",
      async () =>
        (await leadsTo(MOVED, after)) &&
        (await leadsTo(ORDERED, after)) &&
        !(await leadsTo(RELEASED, before)),
      PATIENCE_MS,
    );
    const held = await rows();

    await service.killServer();
    restoreTo(point);
    expect(await restore("begin", "--to", point.toISOString())).toContain("switch edge-1: missing");
    service.startServer();
    await service.ready();
    const difference = await until(
      "the state of the switch",
      async () => {
        const text = await restore("diff");
        return text.includes("switch edge-1: compared") ? text : undefined;
      },
      PATIENCE_MS,
    );
    expect(difference).toContain(`newer_on_switch  ${MOVED}  edge-1`);
    expect(difference).toContain(`newer_on_switch  ${RELEASED}  edge-1`);
    expect(difference).toContain(`only_on_switch  ${ORDERED}  edge-1`);
    expect(await rows()).toEqual(held);

    expect(await restore("adopt", "--all")).toContain("3 findings adopted.");
    await restore("finish");
    await until(
      "the switch to hold the database",
      async () => {
        const [open] = await service.query<{ count: number }>(
          "select count(*)::int as count from routing_states where status <> 'in_sync'",
        );
        return open!.count === 0;
      },
      PATIENCE_MS,
    );
    await until(
      "the release",
      async () => {
        const [number] = await service.query<{ status: string }>(
          `select status from holdings where e164 = '${RELEASED}'`,
        );
        return number!.status === "quarantined";
      },
      PATIENCE_MS,
    );
    expect(await leadsTo(MOVED, after)).toBe(true);
    expect(await leadsTo(ORDERED, after)).toBe(true);
    expect(await leadsTo(STAYED, before)).toBe(true);

    await hangUp();
    await until("calls to end", async () => load.up().length === 0, PATIENCE_MS);
    const invites = kamailio.rows().filter(({ method }) => method === "INVITE");
    const failed = invites.filter(({ code }) => code !== "200");
    console.log(`${invites.length} calls during the restore, ${failed.length} failed`);
    expect(failed).toEqual([]);
    expect(invites.length).toBeGreaterThan(PER_SECOND * 5);
  },
  SETUP_MS * 2,
);
