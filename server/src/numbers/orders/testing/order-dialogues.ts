import fc from "fast-check";
import { expect } from "vitest";
import { dyingApp, Killed, overtakenApp } from "../../../../testing/interrupted-app.ts";
import { type OrderDesk, openOrderDesk } from "../../../../testing/order-desk.ts";
import type { Call, Manner } from "../../../../testing/scripted-carrier.ts";

/** Orders of two organisations for the same few numbers, with the behaviour of carrier and workers. */
interface Dialogue {
  stock: number;
  orders: [OrderPlan, OrderPlan];
  manners: Record<Call, Manner[]>;
  turns: TurnPlan[];
}

interface OrderPlan {
  kind: "numbers" | "criteria";
  /** Places among the numbers; one that is not in stock among them. */
  places: number[];
  isWhole: boolean;
  isRouted: boolean;
}

interface TurnPlan {
  order: 0 | 1;
  interruption: "none" | "dies" | "overtaken" | "crossed";
  step: number;
}

const anyManner = (...manners: Manner[]) =>
  fc.array(fc.constantFrom<Manner>("well", ...manners), { maxLength: 5 });
const order = fc.record<OrderPlan>({
  kind: fc.constantFrom("numbers", "criteria"),
  places: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }),
  isWhole: fc.boolean(),
  isRouted: fc.boolean(),
});
const dialogue = fc.record<Dialogue>({
  stock: fc.integer({ min: 1, max: 5 }),
  orders: fc.tuple(order, order),
  manners: fc.record({
    order: anyManner("unheard", "lost", "failed", "not_sent", "refused", "pending", "sold"),
    orderStatus: anyManner("unheard", "lost", "failed", "not_sent", "refused", "partial"),
    release: anyManner("unheard", "lost", "failed", "not_sent", "refused", "pending"),
    releaseStatus: anyManner("unheard", "lost", "failed", "not_sent", "refused"),
    search: anyManner("unheard", "lost", "not_sent", "refused"),
  }),
  turns: fc.array(
    fc.record<TurnPlan>({
      order: fc.constantFrom(0, 1),
      interruption: fc.constantFrom("none", "dies", "overtaken", "crossed"),
      step: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 6 },
  ),
});

interface Buyer {
  token: string;
  organisation: string;
}

/** Each dialogue takes minutes of the test's clock, and a session expires. */
const DIALOGUES_PER_SESSION = 500;

/** Plays dialogues and holds what came of them against the carrier's ledger. */
export async function tryDialogues(runs: number, seed: number): Promise<void> {
  await using desk = await openOrderDesk();
  const organisations = [desk.organisation, await desk.service.organisation()];
  let buyers: Buyer[] = [];
  let played = 0;
  const playNext = async (given: Dialogue): Promise<void> => {
    if (played++ % DIALOGUES_PER_SESSION === 0) buyers = await signIn(desk, organisations);
    await play(desk, buyers, `44${100_000 + played}`, given);
  };
  await fc.assert(fc.asyncProperty(dialogue, playNext), { numRuns: runs, seed, endOnFailure: true });
}

async function signIn({ service }: OrderDesk, organisations: readonly string[]): Promise<Buyer[]> {
  const buyers: Buyer[] = [];
  for (const organisation of organisations)
    buyers.push({ ...(await service.person({ [organisation]: "owner" })), organisation });
  return buyers;
}

interface Ended {
  id: string;
  job_id: string;
  status: string;
  items: { e164: string | null; status: string; number_id: string | null }[];
}

async function play(
  desk: OrderDesk,
  buyers: readonly Buyer[],
  prefix: string,
  given: Dialogue,
): Promise<void> {
  const { carrier } = desk;
  const numbers = Array.from({ length: 5 }, (_, at) => `+${prefix}0${at}`);
  const before = carrier.ledger.length;
  carrier.behave();
  carrier.stock(...numbers.slice(0, given.stock));
  const orders: Ended[] = [];
  for (const [at, plan] of given.orders.entries())
    orders.push((await desk.post(bodyOf(plan, numbers, prefix), buyers[at])).body);
  for (const [call, manners] of Object.entries(given.manners)) carrier.script(call as Call, ...manners);
  for (const turn of given.turns) await takeTurn(desk, orders, turn);
  carrier.behave();
  // The carrier now responds to everything, so a few runs must be enough.
  for (const order of orders) await desk.finish(order);

  const sold = carrier.ledger.slice(before);
  for (const [at, plan] of given.orders.entries()) {
    const { token, organisation } = buyers[at]!;
    const ended: Ended = await desk.read(orders[at]!.id, { token });
    const bought = sold.filter(({ organisationId }) => organisationId === organisation);
    expectEnd(ended, plan);
    expectLedger(ended, bought);
    await expectHoldings(desk, ended);
  }
}

function bodyOf({ kind, places, isWhole, isRouted }: OrderPlan, numbers: readonly string[], prefix: string) {
  const wanted =
    kind === "numbers"
      ? { numbers: places.map((at) => numbers[at]!) }
      : { criteria: { country: "GB", prefix }, quantity: places.length };
  return { ...wanted, all_or_nothing: isWhole, ...(isRouted && { routing: SIP }) };
}

const SIP = { mode: "sip_uri", sip_uri: "sip:a@pbx.example.com" };

/** A worker's turn; half-way it may die, or find that another has taken its place or continues with the other order. */
async function takeTurn(desk: OrderDesk, orders: readonly Ended[], turn: TurnPlan): Promise<void> {
  const { app, clock } = desk.service;
  const [mine, others] = turn.order === 0 ? orders : orders.toReversed();
  const advance = (one: Ended) => async (): Promise<void> => {
    clock.advance(61_000);
    await desk.advance(one);
  };
  const interrupted = {
    none: { app },
    dies: dyingApp(app, turn.step),
    overtaken: overtakenApp(app, turn.step, advance(mine!)),
    crossed: overtakenApp(app, turn.step, advance(others!)),
  }[turn.interruption];
  clock.advance(61_000);
  await desk.advance(mine!, interrupted.app).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
}

function expectEnd({ status, items }: Ended, { isWhole }: OrderPlan): void {
  expect(status).toMatch(/^(completed|partially_completed|failed)$/);
  for (const item of items) expect(item.status).toMatch(/^(succeeded|failed)$/);
  if (isWhole) expect(new Set(items.map((item) => item.status)).size).toBe(1);
}

/** Each number was sold to the order once at most, and not to more items than it has; what was not kept went back. */
function expectLedger({ items }: Ended, sold: readonly { e164: string; returnedBy: string | null }[]): void {
  expect(new Set(sold.map(({ e164 }) => e164)).size).toBe(sold.length);
  expect(sold.length).toBeLessThanOrEqual(items.length);
  const kept = sold.filter(({ returnedBy }) => returnedBy === null).map(({ e164 }) => e164);
  const shown = items.filter(({ status }) => status === "succeeded").map(({ e164 }) => e164!);
  expect(kept.toSorted()).toEqual(shown.toSorted());
}

async function expectHoldings({ service }: OrderDesk, order: Ended): Promise<void> {
  const holdings = await service.database.admin<{ id: string; e164: string }>(
    "select id, e164 from holdings where order_id = $1 and status = 'active'",
    [order.id],
  );
  const shown = order.items
    .filter(({ status }) => status === "succeeded")
    .map(({ number_id, e164 }) => `${number_id} ${e164}`);
  expect(holdings.map(({ id, e164 }) => `${id} ${e164}`).toSorted()).toEqual(shown.toSorted());
  const jobs = await service.database.admin("select from jobs where id = $1 and is_open", [order.job_id]);
  expect(jobs).toEqual([]);
}
