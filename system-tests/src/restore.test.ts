import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Customer, signUp } from "./service/customer.ts";
import { MovableDatabase } from "./service/movable-database.ts";
import { type RunningService, startService } from "./service/running-service.ts";
import { isLong } from "./service/test-length.ts";
import { LoadCallee } from "./sip/load-callee.ts";
import { LoadCaller } from "./sip/load-caller.ts";
import { newAddress } from "./sip/loopback.ts";
import { startSwitch, type SwitchProcess } from "./sip/switch-process.ts";
import { until } from "./sip/until.ts";

/** A restore of the database to a point in time, while the switch takes calls: it routes them as before throughout. */
const SIZES = isLong
  ? { moved: 200, released: 20, ordered: 20, revoked: 5 }
  : { moved: 1, released: 1, ordered: 1, revoked: 1 };
/** One customer writes as fast as it can. */
const FAST = {
  LIMIT_REQUESTS_PER_SECOND: "100000",
  LIMIT_REQUEST_BURST: "100000",
  LIMIT_WRITES_PER_SECOND: "100000",
  LIMIT_FLOOD_PER_SECOND: "100000",
};
const PER_SECOND = 10;
const SETUP_MS = 300_000;
const PATIENCE_MS = 300_000;

const numbersFrom = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `+49309018${first + at}`);
const STAYED = "+4930901839";
const MOVED = numbersFrom(4000, SIZES.moved);
const RELEASED = numbersFrom(5000, SIZES.released);
const ORDERED = numbersFrom(6000, SIZES.ordered);
const ALL = [STAYED, ...MOVED, ...RELEASED, ...ORDERED];

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
    startService({ roles: ["api", "worker"], databaseUrl: database.url, more: FAST }).then((one) =>
      running.use(one),
    ),
    startSwitch([address]).then((one) => running.use(one)),
  ]);
  const plan = { ringMs: 0, talkMs: 500, hangsUp: "caller" } as const;
  before = running.use(await LoadCallee.open(newAddress(), () => plan));
  after = running.use(await LoadCallee.open(newAddress(), () => plan));
  load = running.use(await LoadCaller.open(address, () => plan));
  const [created] = await Promise.all([
    service.operator("create-switch", "edge-1"),
    signUp(service, STAYED, [...MOVED, ...RELEASED]).then((one) => (customer = one)),
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
const rows = async (): Promise<(string | undefined)[]> => {
  const found: (string | undefined)[] = [];
  for (const number of ALL) found.push(await rowOf(number));
  return found;
};
const leadsTo = async (numbers: readonly string[], callee: LoadCallee): Promise<boolean> => {
  const { address, port } = callee.at;
  for (const number of numbers) if (!(await rowOf(number))?.includes(`${address}:${port}`)) return false;
  return true;
};
const restore = (...words: string[]): Promise<string> => service.server("restore", ...words);

async function route(numbers: readonly string[], { contact }: LoadCallee): Promise<void> {
  for (const number of numbers)
    await until(
      "the route to be set",
      () =>
        customer.route(number, { mode: "sip_uri", sip_uri: contact }, 0).then(
          ({ status }) => status === 200,
          () => false,
        ),
      PATIENCE_MS,
    );
}

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

interface Key {
  id: string;
  secret: string;
}
const createKey = (name: string, scopes: string[]): Promise<Key> =>
  customer.asPerson("POST", "/v1/api-keys", { name, scopes });
const statusOf = async ({ secret }: Key, path = "/v1/numbers"): Promise<number> =>
  (await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${secret}` } })).status;

/** Entries that the audit export has, as a file with one per line. */
async function exportAudit(audit: Key, revocations: number): Promise<string> {
  const lines = await until(
    "the audit export",
    async () => {
      const answer = await fetch(`${service.url}/v1/audit/committed?limit=1000`, {
        headers: { authorization: `Bearer ${audit.secret}` },
      });
      const { data } = (await answer.json()) as { data: { action: string }[] };
      return data.filter(({ action }) => action === "api_key.revoked").length === revocations
        ? data.map((entry) => JSON.stringify(entry))
        : undefined;
    },
    PATIENCE_MS,
  );
  const file = join(service.mailFolder, "..", "audit.ndjson");
  writeFileSync(file, lines.join("\n"));
  return file;
}

/** Everything that the restore will lose. */
async function goOn(revoked: readonly Key[]): Promise<void> {
  await route(MOVED, after);
  await customer.asPerson("POST", "/v1/numbers/orders", { numbers: ORDERED });
  await route(ORDERED, after);
  for (const number of RELEASED) await customer.asPerson("POST", `/v1/numbers/${number}/release`);
  for (const { id } of revoked)
    await fetch(`${service.url}/v1/api-keys/${id}`, {
      method: "DELETE",
      headers: { cookie: customer.credentials.cookie, "sec-fetch-site": "same-origin" },
    });
  await until(
    "the switch to hold all of it",
    async () =>
      (await leadsTo([...MOVED, ...ORDERED], after)) &&
      (await rows()).every((row) => row !== undefined) &&
      !(await leadsTo(RELEASED.slice(-1), before)),
    PATIENCE_MS,
  );
  await until(
    "releases to rest",
    async () => {
      const [left] = await service.query<{ count: number }>(
        "select count(*)::int as count from holdings where status = 'releasing'",
      );
      return left!.count === 0;
    },
    PATIENCE_MS,
  );
}

test(
  "after a restore to a point in time, everything since is named and adopted, and no call fails",
  async () => {
    const restoreTo = database.archive();
    await service.ready();
    await route([STAYED, ...MOVED, ...RELEASED], before);
    await until("routes", () => leadsTo([STAYED, ...RELEASED], before), PATIENCE_MS);
    const kept = await createKey("kept", ["numbers"]);
    const audit = await createKey("audit", ["audit"]);
    const revoked: Key[] = [];
    for (let at = 0; at < SIZES.revoked; at += 1) revoked.push(await createKey(`key ${at}`, ["numbers"]));
    database.run(`insert into numbers (id, environment, e164, country, type, group_id, shard, is_stock, is_free, created_at)
      select gen_random_uuid(), 'live', w.number, 'DE', 'local', group_id, shard, true, true, now()
      from unnest(array['${ORDERED.join("','")}']) w(number) cross join numbers n where n.e164 = '${STAYED}'`);
    const hangUp = call([MOVED[0]!, STAYED]);
    running.defer(hangUp);
    const point = new Date(database.run("select now()").trim().split("\n").at(-1)!);
    await goOn(revoked);
    const held = await rows();
    const exported = await exportAudit(audit, SIZES.revoked);

    await service.killServer();
    restoreTo(point);
    expect(await restore("begin", "--to", point.toISOString())).toContain("switch edge-1: missing");
    service.startServer();
    await service.ready();
    expect(await statusOf(revoked[0]!)).toBe(200);
    expect(await restore("revocations", "--from", exported)).toMatch(
      new RegExp(`^${SIZES.revoked} revocations? replayed`, "m"),
    );
    for (const key of revoked)
      await until("the key to be rejected", async () => (await statusOf(key)) === 401, PATIENCE_MS);
    expect(await statusOf(kept)).toBe(200);

    const difference = await until(
      "the state of the switch",
      async () => {
        const text = await restore("diff");
        return text.includes("switch edge-1: compared") ? text : undefined;
      },
      PATIENCE_MS,
    );
    for (const number of MOVED)
      expect(difference).toContain(
        `newer_on_switch  ${number}  edge-1  here: sip_uri ${before.contact}  there: sip_uri ${after.contact}`,
      );
    for (const number of RELEASED)
      expect(difference).toContain(
        `newer_on_switch  ${number}  edge-1  here: sip_uri ${before.contact}  there: in quarantine`,
      );
    for (const number of ORDERED) expect(difference).toContain(`only_on_switch  ${number}  edge-1`);
    expect(await rows()).toEqual(held);

    const findings = MOVED.length + RELEASED.length + ORDERED.length;
    expect(await restore("adopt", "--all")).toContain(`${findings} findings adopted.`);
    await restore("finish");
    await until(
      "the switch to hold the database",
      async () => {
        const [open] = await service.query<{ count: number }>(
          `select count(*)::int as count from holdings h join routing_states r on r.holding_id = h.id
           where r.status <> 'in_sync' or h.status = 'releasing'`,
        );
        return open!.count === 0;
      },
      PATIENCE_MS,
    );
    const resting = await service.query<{ e164: string }>(
      "select e164 from holdings where status = 'quarantined' order by e164",
    );
    expect(resting.map(({ e164 }) => e164)).toEqual(RELEASED);
    expect(await leadsTo([...MOVED, ...ORDERED], after)).toBe(true);
    expect(await leadsTo([STAYED], before)).toBe(true);

    await hangUp();
    await until("calls to end", async () => load.up().length === 0, PATIENCE_MS);
    const invites = kamailio.rows().filter(({ method }) => method === "INVITE");
    const failed = invites.filter(({ code }) => code !== "200");
    console.log(`${invites.length} calls during the restore, ${failed.length} failed`);
    expect(failed).toEqual([]);
    expect(invites.length).toBeGreaterThan(PER_SECOND * 5);
  },
  SETUP_MS * (isLong ? 12 : 2),
);
