import { randomUUID } from "node:crypto";
import type { App } from "../../../app.ts";
import { examineWith } from "../../../doctor.ts";
import { seedMembership, seedOrganisation, seedPerson, seedSession } from "../../../seed.ts";
import { openApp } from "../../../start.ts";
import { type Books, compareBooks, type PlacedOrder, scriptedOrders } from "./order-books.ts";
import { randomFrom } from "../../../../testing/random.ts";
import { send, type Sent } from "../../../../testing/send.ts";
import { type ServerProcess, startProcess } from "../../../../testing/server-process.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";

export interface OrderKillReport extends Books {
  seed: number;
  kills: number;
  /** Kills while orders were in progress. */
  amidWork: number;
  /** Purchases that a kill left bought by the carrier and not known to us. */
  unwritten: number;
  ordersAtLastKill: number;
  /** Requests sent for the orders, repeated ones included. */
  requests: number;
  /** From the last kill until every order and job had ended, or until the timeout. */
  endedMs: number;
  broken: string[];
}

export interface OrderKillPlan {
  orders: number;
  kills: number;
  clients: number;
  withinMs: number;
  /** Killed with SIGKILL, and there again afterwards. Left out: the worker. */
  killDatabase?: () => Promise<void>;
  /** Held by the dead until then otherwise, which is half a minute. */
  areLeasesCut?: true;
  seed?: number;
}

const LEASE_MS = 30_000;
/** About as long as the worker has something to do after it was started, and the database after it came back. */
const LONGEST_AIM_MS = { worker: 100, database: 1_000 };

/**
 * Orders by clients that repeat a request until it is answered, while the worker or the database is killed at random
 * moments; half of them as soon as the carrier has sold something that we have not recorded yet.
 */
export async function orderWhileKilling(
  database: TestDatabase,
  plan: OrderKillPlan,
): Promise<OrderKillReport> {
  const seed = plan.seed ?? Math.floor(Math.random() * 2 ** 31);
  const settings = { LIMIT_ORDERS_PER_SECOND: "100000", LIMIT_ORDERED_NUMBERS_PER_DAY: "1000000" };
  const token = await withApp(database, furnish);
  const orders = scriptedOrders(plan.orders);
  await using api = await startProcess({ databaseUrl: database.url, settings });
  const run: Run = {
    plan,
    random: randomFrom(seed),
    database,
    client: { url: api.url, token },
    progress: { released: 0, placed: [], requests: 0 },
    kills: { amidWork: 0, unwritten: new Set(), lastAtMs: 0, ordersAtLast: 0 },
  };
  let endedMs: number;
  {
    await using worker = careFor(() => startProcess({ databaseUrl: database.url, role: "worker", settings }));
    const clients = Array.from({ length: plan.clients }, () => placeOrders(run, orders));
    await Promise.all([killAgainAndAgain(run, worker), ...clients]);
    endedMs = await untilEnded(run);
  }
  const { amidWork, unwritten, ordersAtLast } = run.kills;
  return {
    seed,
    kills: plan.kills,
    amidWork,
    unwritten: unwritten.size,
    ordersAtLastKill: ordersAtLast,
    requests: run.progress.requests,
    endedMs,
    ...(await compareBooks(database, run.progress.placed)),
    broken: (await examineWith(testConfig(database.url)))
      .filter(({ rows }) => rows.length > 0)
      .map(({ says }) => says),
  };
}

interface Run {
  plan: OrderKillPlan;
  random: () => number;
  database: TestDatabase;
  client: { url: string; token: string };
  progress: { released: number; placed: PlacedOrder[]; requests: number };
  kills: { amidWork: number; unwritten: Set<string>; lastAtMs: number; ordersAtLast: number };
}

async function withApp<Made>(database: TestDatabase, work: (app: App) => Promise<Made>): Promise<Made> {
  const app = await openApp(testConfig(database.url));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

async function furnish(app: App): Promise<string> {
  const organisationId = await seedOrganisation(app, "Killed");
  const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
  await seedMembership(app, organisationId, owner.userId, "owner");
  return seedSession(app, owner, "tool");
}

interface Worker extends AsyncDisposable {
  kill(): Promise<void>;
}

/** Whatever it ended of, it is started again, as in production. */
function careFor(start: () => Promise<ServerProcess>): Worker {
  let hasEnded = false;
  const begin = async (): Promise<ServerProcess> => {
    const started = await start();
    started.process.once("exit", () => {
      if (!hasEnded) running = begin();
    });
    return started;
  };
  let running = begin();
  return {
    kill: async () => (await running).kill(),
    async [Symbol.asyncDispose]() {
      hasEnded = true;
      await (await running).kill();
    },
  };
}

async function placeOrders({ client, progress }: Run, orders: Iterator<string[]>): Promise<void> {
  for (let next = orders.next(); !next.done; next = orders.next()) {
    const numbers = next.value;
    const order = { numbers, isAllOrNothing: progress.placed.length % 10 === 9 };
    const key = randomUUID();
    while (progress.placed.length >= progress.released) await pause(2);
    progress.placed.push(order);
    const answer = await untilAnswered(() => {
      progress.requests++;
      return send(client.url, "POST", "/v1/numbers/orders", {
        headers: {
          authorization: `Bearer ${client.token}`,
          "x-service-environment": "test",
          "idempotency-key": key,
        },
        body: { numbers, all_or_nothing: order.isAllOrNothing },
      });
    });
    if (answer.status !== 202) throw new Error(`Unexpected ${answer.status}: ${answer.text}`);
  }
}

/** Each kill has its share of the orders and comes somewhere among them. */
async function killAgainAndAgain(run: Run, worker: Worker): Promise<void> {
  const { plan, kills, progress } = run;
  const share = plan.orders / plan.kills;
  let since = Date.now();
  for (let nth = 1; nth <= plan.kills; nth++) {
    while (progress.placed.length < progress.released) await pause(2);
    const turns = await turnsTaken(run);
    progress.released = Math.round(nth * share);
    while ((await turnsTaken(run)) === turns) await pause(2);
    await aim(run);
    kills.ordersAtLast = progress.placed.length;
    kills.lastAtMs = performance.now();
    const at = Date.now();
    await (plan.killDatabase ?? worker.kill)();
    if (await hadWork(run, since, at)) kills.amidWork++;
    for (const reference of await unwritten(run)) kills.unwritten.add(reference);
    since = at;
  }
  if (plan.areLeasesCut) await look(run, "update jobs set next_check_at = now() where status = 'running'");
}

async function aim(run: Run): Promise<void> {
  const { plan, random, kills } = run;
  const ms = random() * LONGEST_AIM_MS[plan.killDatabase ? "database" : "worker"];
  if (random() < 0.5) return pause(ms);
  const deadline = performance.now() + 1_000;
  while (performance.now() < deadline) {
    if ((await unwritten(run)).some((reference) => !kills.unwritten.has(reference))) return;
    await pause(1);
  }
}

async function turnsTaken(run: Run): Promise<number> {
  return (await look<{ turns: number }>(run, "select coalesce(sum(attempts), 0)::int as turns from jobs"))[0]!
    .turns;
}

/** Held since a moment between the two, and not let go. */
async function hadWork(run: Run, from: number, to: number): Promise<boolean> {
  const held = "select from jobs where status = 'running' and next_check_at > $1 and next_check_at <= $2";
  return (await look(run, held, [new Date(from + LEASE_MS), new Date(to + LEASE_MS)])).length > 0;
}

async function unwritten(run: Run): Promise<string[]> {
  const rows = await look<{ reference: string }>(
    run,
    `select distinct i.reference from order_items i join sandbox_purchases p using (reference, e164)
     where i.step = 'submitted' and p.bought_at = p.asked_at`,
  );
  return rows.map(({ reference }) => reference);
}

async function untilEnded(run: Run): Promise<number> {
  const elapsedMs = (): number => Math.round(performance.now() - run.kills.lastAtMs);
  const open = `select from orders where finished_at is null union all select from jobs where is_open limit 1`;
  while ((await look(run, open)).length > 0 && elapsedMs() < run.plan.withinMs) await pause(50);
  return elapsedMs();
}

/** Past the moments at which there is no database. */
async function look<Row extends object>({ database }: Run, sql: string, values?: unknown[]): Promise<Row[]> {
  for (const deadline = performance.now() + 30_000; ; await pause(20)) {
    try {
      return await database.admin<Row>(sql, values);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

/** Dead sockets, a first try that still runs, 503 while there is no database: again. */
async function untilAnswered(attempt: () => Promise<Sent>): Promise<Sent> {
  for (;;) {
    const answer = await attempt().catch(() => undefined);
    const isPassing = answer?.status === 503 || answer?.body?.code === "idempotency_in_progress";
    if (answer && !isPassing) return answer;
    await pause(20);
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
