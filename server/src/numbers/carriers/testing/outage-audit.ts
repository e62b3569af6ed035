import type { TelnyxServer } from "./telnyx-server/telnyx-server.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";

export interface OrderAudit {
  orders: number;
  /** Orders that have not ended well, or whose number was not bought by them exactly once. */
  wrong: string[];
  /** Orders of test environments go to another carrier. */
  slowestTestOrderMs: number;
}

interface Audited {
  database: Pick<TestDatabase, "admin">;
  telnyx: Pick<TelnyxServer, "owned">;
  ordered: readonly string[];
}

interface AuditedItem {
  e164: string;
  status: string;
  step: string;
  reference: string;
  holdings: number;
}

/** Compares orders with our holdings and the carrier's sales. */
export async function auditOrders({ database, telnyx, ordered }: Audited): Promise<OrderAudit> {
  const items = await database.admin<AuditedItem>(
    `select i.e164, o.status, i.step, i.reference, (select count(*) from holdings h
       where h.e164 = i.e164 and h.order_id = o.id and h.carrier = 'telnyx' and h.status = 'active')::int as holdings
     from orders o join order_items i on i.order_id = o.id where o.environment = 'live'`,
  );
  const [test] = await database.admin<{ ms: number }>(
    `select coalesce(max(extract(epoch from coalesce(finished_at, now()) - created_at)), 0)::float * 1000 as ms
     from orders where environment = 'test'`,
  );
  const wrong = ordered.flatMap((e164) => {
    const found = items.filter((item) => item.e164 === e164);
    const bought = telnyx.owned.filter((one) => one.e164 === e164);
    const [item] = found;
    const isRight =
      found.length === 1 &&
      item!.status === "completed" &&
      item!.step === "active" &&
      item!.holdings === 1 &&
      bought.length === 1 &&
      bought[0]!.reference === item!.reference;
    return isRight ? [] : [JSON.stringify({ e164, found, bought: bought.length })];
  });
  return { orders: ordered.length, wrong, slowestTestOrderMs: Math.round(test!.ms) };
}
