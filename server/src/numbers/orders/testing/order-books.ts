import { orderMannerOf, releaseMannerOf, saleable } from "../../carriers/sandbox/sandbox.rules.ts";
import type { TestDatabase } from "../../../../testing/test-database.ts";

export interface PlacedOrder {
  numbers: string[];
  isAllOrNothing: boolean;
}

/** Our orders compared with the sales of the sandbox. */
export interface Books {
  orders: number;
  items: number;
  purchases: number;
  /** Claims of orders after the first. */
  repeats: number;
  /** Orders and jobs that have not ended. */
  open: string[];
  /** Items that did not end as the scripts of their numbers require, or with a wrong count of purchases. */
  wrong: string[];
  /** Numbers that the sandbox has sold without a holding of that order. */
  orphans: string[];
}

const SIZES = [1, 2, 3, 4];

/** Each number once; a tenth of them have endings that are scripted for orders. */
export function* scriptedOrders(count: number): Generator<string[]> {
  const numbers = fictionalNumbers();
  for (let made = 0; made < count; made++)
    yield Array.from({ length: SIZES[made % SIZES.length]! }, () => numbers.next().value!);
}

/** A number whose return the sandbox rejects would wait forever. */
function* fictionalNumbers(): Generator<string, undefined> {
  for (let nth = 0; ; nth++) {
    const e164 = `+1${300 + Math.floor(nth / 100)}55501${String((10 + nth * 11) % 100).padStart(2, "0")}`;
    if (releaseMannerOf(e164) !== "refused") yield e164;
  }
}

interface ItemBooks {
  e164: string;
  step: string;
  bought: number;
  kept: number;
}

export async function compareBooks({ admin }: TestDatabase, placed: readonly PlacedOrder[]): Promise<Books> {
  const items = await admin<ItemBooks>(
    `select i.e164, i.step, count(p.bought_at)::int as bought,
       count(*) filter (where p.bought_at is not null and p.returned_at is null)::int as kept
     from order_items i left join sandbox_purchases p on p.e164 = i.e164 and p.test_side_of = i.organisation_id
     group by i.order_id, i.position, i.e164, i.step`,
  );
  const orphans = await admin<{ e164: string }>(
    `select p.e164 from sandbox_purchases p where p.bought_at is not null and p.returned_at is null and not exists (
       select from order_items i join holdings h on h.id = i.number_id and h.order_id = i.order_id and h.e164 = i.e164
       where i.reference = p.reference and i.e164 = p.e164 and h.organisation_id = p.test_side_of and h.environment = 'test')`,
  );
  const open = await admin<{ id: string }>(
    "select id from orders where finished_at is null union all select id from jobs where is_open",
  );
  const [totals] = await admin<Pick<Books, "orders" | "purchases" | "repeats">>(
    `select (select count(*) from orders)::int as orders, (select sum(attempts - 1) from jobs)::int as repeats,
       (select count(*) from sandbox_purchases where bought_at is not null)::int as purchases`,
  );
  return {
    ...totals!,
    items: items.length,
    open: open.map(({ id }) => id),
    wrong: wrongItems(items, placed),
    orphans: orphans.map(({ e164 }) => e164),
  };
}

function wrongItems(items: readonly ItemBooks[], placed: readonly PlacedOrder[]): string[] {
  const found = new Map(items.map((item) => [item.e164, item]));
  return placed.flatMap((order) => {
    const sold = new Set(saleable(order.numbers).filter((e164) => orderMannerOf(e164) !== "sold_meanwhile"));
    const isKept = !order.isAllOrNothing || sold.size === order.numbers.length;
    return order.numbers.flatMap((e164) => {
      const step = sold.has(e164) ? (isKept ? "active" : "returned") : "refused";
      const expected = { e164, step, bought: sold.has(e164) ? 1 : 0, kept: step === "active" ? 1 : 0 };
      const actual = found.get(e164);
      return JSON.stringify(actual) === JSON.stringify(expected)
        ? []
        : [`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];
    });
  });
}
