import { newId } from "../../../platform/ids.ts";
import { bearer, type Service, until } from "../../../../testing/service.ts";
import { stockNumbers } from "../../../../testing/stock.ts";

export interface RaceReport {
  /** How many orders got each number. */
  winners: number[];
  /** Errors of the orders that lost. */
  losses: Set<string>;
  /** Numbers the pool has sold and no organisation holds, or the other way round. */
  strays: string[];
}

let stocked = 0;

/** Several organisations order the same fresh numbers of the pool at the same moment. */
export async function raceForNumbers(
  service: Service,
  tokens: readonly string[],
  count: number,
): Promise<RaceReport> {
  const numbers = Array.from({ length: count }, () => `+44203${9_000_000 + ++stocked}`);
  await stockNumbers(
    service.database,
    "live",
    numbers.map((e164) => ({ e164 })),
  );
  const placed = await Promise.all(
    tokens.map(async (token, at) => ({
      token,
      id: await placeOrder(service, token, at % 2 ? numbers : numbers.toReversed()),
    })),
  );
  const items = await Promise.all(placed.map((order) => endedItems(service, order)));
  const won = items.flat().filter(({ status }) => status === "succeeded");
  const lost = items.flat().filter(({ status }) => status !== "succeeded");
  return {
    winners: numbers.map((number) => won.filter(({ e164 }) => e164 === number).length),
    losses: new Set(lost.map(({ status, error }) => `${status} ${error?.code} ${error?.detail}`)),
    strays: await straysOf(service),
  };
}

/** As clients do: again with the same key while the service has too much to do. */
function placeOrder(service: Service, token: string, numbers: string[]): Promise<string> {
  const headers = { ...bearer(token), "idempotency-key": newId() };
  return until(async () => {
    const { status, body } = await service.send("POST", "/v1/numbers/orders", { headers, body: { numbers } });
    if (status !== 202 && status !== 503) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return status === 202 && (body.id as string);
  }, 120_000);
}

interface Item {
  e164: string;
  status: string;
  error: { code: string; detail: string } | null;
}

function endedItems(service: Service, { token, id }: { token: string; id: string }): Promise<Item[]> {
  return until(async () => {
    const { body } = await service.send("GET", `/v1/numbers/orders/${id}`, { headers: bearer(token) });
    return body.finished_at !== null && (body.items as Item[]);
  }, 120_000);
}

async function straysOf({ database }: Service): Promise<string[]> {
  const rows = await database.admin<{ e164: string }>(
    `select coalesce(n.e164, h.e164) as e164
     from (select n.e164 from pool_purchases p join numbers n on n.id = p.number_id where p.returned_at is null) n
     full join (select e164 from holdings where carrier = 'pool' and status <> 'released') h on h.e164 = n.e164
     where n.e164 is null or h.e164 is null`,
  );
  return rows.map(({ e164 }) => e164);
}
