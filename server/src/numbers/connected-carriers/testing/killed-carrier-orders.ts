import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { examineWith } from "../../../doctor.ts";
import { seedMembership, seedOrganisation, seedPerson, seedSession } from "../../../seed.ts";
import { openApp } from "../../../start.ts";
import { randomFrom } from "../../../../testing/random.ts";
import { send, type Sent } from "../../../../testing/send.ts";
import { startProcess } from "../../../../testing/server-process.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";
import { type DidwwServer, startDidwwServer } from "../../carriers/testing/didww-server/didww-server.ts";
import { startTelnyxServer, type TelnyxServer } from "../../carriers/testing/telnyx-server/telnyx-server.ts";

export interface TwoCarriersPlan {
  orders: number;
  kills: number;
  withinMs: number;
}

export interface TwoCarriersReport {
  seed: number;
  orders: number;
  /** Kills while an order was unfinished. */
  amidWork: number;
  /** Orders that have not ended. */
  open: number;
  /** Numbers that were not bought exactly once, not by the carrier of their country, or not delivered to its trunk. */
  wrong: string[];
  broken: string[];
}

interface Side {
  name: string;
  kind: string;
  country: string;
  start: number;
  /** Address and key of the account. */
  server: { url: string; apiKey: string; stock(numbers: { e164: string; country: string }[]): void };
  trunk: string;
  /** Sales of a number to the account. */
  salesOf(e164: string): { isActive: boolean; trunk: string | null }[];
}

interface Run {
  database: TestDatabase;
  url: string;
  token: string;
  sides: readonly Side[];
  plan: TwoCarriersPlan;
  random: () => number;
}

/** Orders at Telnyx and at DIDWW by turns, while the worker is killed at random moments. */
export async function orderFromTwoWhileKilling(
  database: TestDatabase,
  plan: TwoCarriersPlan,
): Promise<TwoCarriersReport> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  await using us = await startTelnyxServer();
  await using gb = await startDidwwServer();
  const settings = { LIMIT_ORDERS_PER_SECOND: "100000", LIMIT_ORDERED_NUMBERS_PER_DAY: "1000000" };
  await using api = await startProcess({ databaseUrl: database.url, settings });
  const sides = [sideAtTelnyx(us), sideAtDidww(gb)];
  const token = await operatorOf(database);
  const run: Run = { database, url: api.url, token, sides, plan, random: randomFrom(seed) };
  for (const side of sides) await connect(run, side);
  const placed: Placed[] = [];
  const amidWork = await killWorkers(run, placed, () =>
    startProcess({ databaseUrl: database.url, role: "worker", settings }),
  );
  {
    await using _worker = await startProcess({ databaseUrl: database.url, role: "worker", settings });
    await untilEnded(run);
  }
  const open = await database.admin("select from orders where finished_at is null");
  const broken = (await examineWith(testConfig(database.url))).filter(({ rows }) => rows.length > 0);
  return {
    seed,
    orders: plan.orders,
    amidWork,
    open: open.length,
    wrong: await wrongNumbers(run, placed),
    broken: broken.map(({ says }) => says),
  };
}

function sideAtTelnyx(server: TelnyxServer): Side {
  return {
    name: "us",
    kind: "telnyx",
    country: "US",
    start: 12_012_000_000,
    server,
    trunk: server.connection("us"),
    salesOf: (e164) =>
      server.owned
        .filter((one) => one.e164 === e164)
        .map(({ status, connectionId }) => ({ isActive: status === "active", trunk: connectionId })),
  };
}

function sideAtDidww(server: DidwwServer): Side {
  return {
    name: "gb",
    kind: "didww",
    country: "GB",
    start: 442_071_000_000,
    server,
    trunk: server.trunk("gb"),
    salesOf: (e164) =>
      server.owned
        .filter(({ number }) => `+${number}` === e164)
        .map(({ isTerminated, trunk }) => ({ isActive: !isTerminated, trunk: trunk?.id ?? null })),
  };
}

async function operatorOf(database: TestDatabase): Promise<string> {
  const app = await openApp(testConfig(database.url));
  const organisation = await seedOrganisation(app, "Killed");
  const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
  await seedMembership(app, organisation, owner.userId, "owner");
  await database.admin("update users set is_operator = true where id = $1", [owner.userId]);
  const token = await seedSession(app, owner, "tool");
  await app.close();
  return token;
}

async function connect(run: Run, { name, kind, country, start, server, trunk }: Side): Promise<void> {
  const { url, token, plan, database } = run;
  server.stock(Array.from({ length: plan.orders }, (_, at) => ({ e164: `+${start + at}`, country })));
  const headers = { authorization: `Bearer ${token}` };
  const { status, text, body } = await send(url, "POST", "/operator/v1/carriers", {
    headers,
    body: {
      name,
      kind,
      url: server.url,
      credentials: { api_key: server.apiKey },
      countries: [country],
    },
  });
  if (status !== 201) throw new Error(text);
  const [group] = await database.admin<{ id: string }>(
    "select id from switch_groups where is_default and environment = 'live'",
  );
  const changed = await send(url, "PATCH", `/operator/v1/carriers/${body.id}`, {
    headers,
    body: { deliveries: [{ switch_group_id: group!.id, trunk }] },
  });
  if (changed.status !== 200) throw new Error(changed.text);
}

interface Placed {
  e164: string;
  side: Side;
}

const CLIENTS = 4;

/** Places orders until there are `count`, at each carrier by turns. */
async function placeOrders({ url, token, sides }: Run, placed: Placed[], count: number): Promise<void> {
  const place = async (): Promise<void> => {
    while (placed.length < count) {
      const nth = placed.length;
      const side = sides[nth % sides.length]!;
      const e164 = `+${side.start + nth}`;
      placed.push({ e164, side });
      const headers = { authorization: `Bearer ${token}`, "idempotency-key": randomUUID() };
      const body = { numbers: [e164] };
      await untilPlaced(() => send(url, "POST", "/v1/numbers/orders", { headers, body }));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, place));
}

/** Repeats a request that a busy machine could not serve. Its key makes that safe. */
async function untilPlaced(place: () => Promise<Sent>): Promise<void> {
  for (;;) {
    const { status, text } = await place();
    if (status === 202) return;
    // A test process that gets no processor time sends its body too late.
    if (status !== 503 && !text.includes("did not arrive in time")) throw new Error(text);
    await sleep(50);
  }
}

/** As long as an order takes. */
const LONGEST_AIM_MS = 100;

/** Each kill has its share of the orders, and comes while the worker carries out one of them. */
async function killWorkers(
  run: Run,
  placed: Placed[],
  start: () => Promise<{ kill(): Promise<void> }>,
): Promise<number> {
  const { database, plan, random } = run;
  const running = "select from jobs where status = 'running' limit 1";
  let amidWork = 0;
  for (let nth = 1; nth <= plan.kills; nth++) {
    const worker = await start();
    const placing = placeOrders(run, placed, Math.round((nth * plan.orders) / plan.kills));
    const deadline = performance.now() + 20_000;
    while ((await database.admin(running)).length === 0 && performance.now() < deadline) await sleep(2);
    await sleep(random() * LONGEST_AIM_MS);
    await worker.kill();
    if ((await database.admin(running)).length > 0) amidWork++;
    await placing;
    // Its leases would last half a minute.
    await database.admin("update jobs set next_check_at = now() where status = 'running'");
  }
  return amidWork;
}

async function untilEnded({ database, plan }: Run): Promise<void> {
  const deadline = performance.now() + plan.withinMs;
  const open = "select from orders where finished_at is null limit 1";
  while ((await database.admin(open)).length > 0 && performance.now() < deadline) await sleep(100);
}

interface HeldNumber {
  e164: string;
  carrier: string;
  status: string;
  /** Status of its delivery. */
  delivery: string | null;
  applied: string | null;
}

async function wrongNumbers({ database, sides }: Run, placed: readonly Placed[]): Promise<string[]> {
  const held = await database.admin<HeldNumber>(
    `select h.e164, h.carrier, o.status, d.status as delivery, d.applied from holdings h
     join orders o on o.id = h.order_id and o.carrier = h.carrier left join deliveries d on d.holding_id = h.id`,
  );
  return placed.flatMap(({ e164, side }) => {
    const holdings = held.filter((one) => one.e164 === e164);
    const bought = sides.filter(({ salesOf }) => salesOf(e164).some(({ isActive }) => isActive));
    const sales = sides.flatMap(({ salesOf }) => salesOf(e164));
    const isRight =
      holdings.length === 1 &&
      holdings[0]!.carrier === side.name &&
      holdings[0]!.status === "completed" &&
      bought.length === 1 &&
      bought[0] === side &&
      sales.length === 1 &&
      sales[0]!.trunk === side.trunk &&
      holdings[0]!.delivery === "in_sync" &&
      holdings[0]!.applied === side.trunk;
    return isRight ? [] : [JSON.stringify({ e164, holdings, sales })];
  });
}
