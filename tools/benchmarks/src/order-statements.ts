import { type OrderLoad, runOrderLeg } from "./order-leg.ts";
import { type SentStatement, tapWire } from "./wire-tap.ts";

/** Average of the worker's statements for one order. Other work of the worker does not count. */
export interface OrderStatements {
  /** Of orders and of the sandbox, and the queue's share: it takes and ends several jobs with one statement. */
  transactions: { writing: number; reading: number };
  statements: number;
  texts: { text: string; perOrder: number }[];
  mostAtOnce: number;
}

const SYSTEM_ROLE = "dialplane_system";
const TASKS = ["jobs", "sandbox"];
const QUEUE = "orders.advance";

/** Starts a separate worker behind a tap that records its statements. */
export async function watchOrders(load: OrderLoad, orders: number): Promise<OrderStatements> {
  await using tap = await tapWire(load.databaseUrl);
  const workerSettings = { ...load.workerSettings, DATABASE_URL: tap.url };
  const { jobs, mostAtOnce } = await runOrderLeg(
    { ...load, workerSettings, onWarm: () => tap.take(SYSTEM_ROLE) },
    orders,
  );
  return { ...countOf(transactionsOf(tap.take(SYSTEM_ROLE)).filter(isOfOrders), jobs), mostAtOnce };
}

interface SentTransaction {
  isReading: boolean;
  statements: SentStatement[];
}

/** Finished transactions. A statement outside of any counts as one, with the settings before it. */
function transactionsOf(sent: readonly SentStatement[]): SentTransaction[] {
  const ended: SentTransaction[] = [];
  const open = new Map<number, SentTransaction>();
  const settings = new Map<number, SentStatement>();
  for (const statement of sent) {
    const { text, connection } = statement;
    const within = open.get(connection);
    if (text === "begin") open.set(connection, { isReading: false, statements: [] });
    else if (!within && text.includes("set_config")) settings.set(connection, statement);
    else if (!within) {
      const before = settings.get(connection);
      settings.delete(connection);
      const isReading = before?.text.includes("transaction_read_only") ?? false;
      ended.push({ isReading, statements: before ? [before, statement] : [statement] });
    } else if (text === "commit" || text === "rollback") {
      ended.push(within);
      open.delete(connection);
    } else within.statements.push(statement);
  }
  return ended;
}

function isOfOrders({ statements }: SentTransaction): boolean {
  const [first] = statements;
  if (!first) return false;
  const isOfTask = first.text.includes("'app.task'") && TASKS.includes(first.values[0]!);
  return isOfTask || first.text.includes(`'${QUEUE}'`) || first.values.includes(QUEUE);
}

function countOf(
  transactions: readonly SentTransaction[],
  orders: number,
): Omit<OrderStatements, "mostAtOnce"> {
  const perOrder = (list: readonly unknown[]): number => list.length / orders;
  const statements = transactions.flatMap((one) => one.statements);
  const byText = Map.groupBy(statements, ({ text }) => text);
  return {
    transactions: {
      writing: perOrder(transactions.filter(({ isReading }) => !isReading)),
      reading: perOrder(transactions.filter(({ isReading }) => isReading)),
    },
    statements: perOrder(statements),
    texts: [...byText].map(([text, same]) => ({ text, perOrder: perOrder(same) })),
  };
}
