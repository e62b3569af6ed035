import { loadavg } from "node:os";
import { readConfig, type Settings } from "@dialplane/server/config";
import { startPrivateCluster } from "@dialplane/server/private-cluster";
import { migrateDatabase } from "@dialplane/server/start";
import { runBareLoopLeg } from "./bare-loop-leg.ts";
import type { BareLoop } from "./bare-loop.ts";
import { type Machine, machineOf } from "./bench-conditions.ts";
import { startApi } from "./bench-processes.ts";
import { inAHurry, organisationSettings, settingsOf } from "./bench-settings.ts";
import { rotated } from "./cost-of-a-request.ts";
import { type Backlog, placeOrders, plainNumbers, seedBuyers } from "./order-backlog.ts";
import { type OrderLoad, type OrdersWorkedOff, runOrderLeg, type WorkedOff } from "./order-leg.ts";
import { type OrderStatements, watchOrders } from "./order-statements.ts";
import { psql } from "./psql.ts";

export interface ThroughputOptions {
  rounds: number;
  /** Of each round. */
  orders: number;
  signal: AbortSignal;
  onProgress(text: string): void;
}

const ORDER_LEGS = ["orders", "bare", "bare_alike"] as const;
export type OrderRound = { orders: OrdersWorkedOff } & Record<"bare" | "bare_alike", WorkedOff>;

export interface Throughput {
  rounds: OrderRound[];
  conditions: Machine & { loadAverage: number[]; orders: number };
  /** Statements of an order. */
  anatomy: OrderStatements;
  /** How many jobs the bare loops work on at once, and how many transactions each has in the loop that is alike. */
  bare: Pick<BareLoop, "atOnce" | "transactions">;
}

/** A bare loop has ended before it can be measured if it has as few jobs as we have orders. */
const BARE_JOBS_PER_ORDER = { bare: 5, bare_alike: 2 };
const WATCHED_ORDERS = 300;

/** Runs on a private PostgreSQL server, which is deleted afterwards. */
export async function measureThroughput(options: ThroughputOptions): Promise<Throughput> {
  const { orders, signal, onProgress } = options;
  const loadAverage = loadavg();
  await using cluster = await startPrivateCluster();
  const common: Settings = {
    ...settingsOf(cluster.url),
    LIMIT_ORDERS_PER_SECOND: "1000000000",
    LIMIT_ORDERED_NUMBERS_PER_DAY: "1000000000",
  };
  const placing = { ...common, DATABASE_URL: inAHurry(cluster.url) };
  await migrateDatabase(readConfig(common));
  const tokens = await seedBuyers(readConfig(placing));
  await using api = await startApi(await organisationSettings(placing), signal);
  const backlog: Backlog = { api, tokens, numbers: plainNumbers(), signal };
  const postgres = { databaseUrl: cluster.url, clusterPid: cluster.pid };
  const load: OrderLoad = { ...postgres, workerSettings: common, signal };
  const place = async (count: number): Promise<void> => {
    await placeOrders(backlog, count);
    await psql(cluster.url, ["vacuum analyze", "checkpoint"], signal);
  };

  onProgress("watching what an order is made of");
  const watched = Math.min(orders, WATCHED_ORDERS);
  await place(watched);
  const anatomy = await watchOrders(load, watched);
  const bare = { atOnce: anatomy.mostAtOnce, transactions: wholeTransactions(anatomy) };
  const runBare = (name: "bare" | "bare_alike"): Promise<WorkedOff> => {
    const transactions = name === "bare" ? { writing: 1, reading: 0 } : bare.transactions;
    const loop = { ...postgres, atOnce: bare.atOnce, transactions };
    return runBareLoopLeg(loop, orders * BARE_JOBS_PER_ORDER[name], signal);
  };

  const rounds: OrderRound[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const legs: Partial<OrderRound> = {};
    for (const name of rotated(ORDER_LEGS, round)) {
      signal.throwIfAborted();
      if (name === "orders") {
        await place(orders);
        legs.orders = await runOrderLeg(load, orders);
      } else legs[name] = await runBare(name);
      onProgress(`round ${round + 1} of ${options.rounds}, ${name}: ${Math.round(legs[name]!.perSecond)}/s`);
    }
    rounds.push(legs as OrderRound);
  }
  const conditions = { ...(await machineOf(cluster.url)), loadAverage, orders };
  return { rounds, conditions, anatomy, bare };
}

/** The queue's are shared by a batch; one of them at least is the order's own. */
function wholeTransactions({ transactions }: OrderStatements): BareLoop["transactions"] {
  return {
    writing: Math.max(1, Math.round(transactions.writing)),
    reading: Math.round(transactions.reading),
  };
}
