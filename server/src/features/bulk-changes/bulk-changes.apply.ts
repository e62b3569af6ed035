import type { App } from "../../app.ts";
import type { OrganisationScope, OrganisationTx } from "../../platform/db/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Author } from "../audit/audit.ts";
import { recordChange } from "../events/events.ts";
import { changePlannedNumbers } from "../numbers/numbers.ts";
import { destinationFault, setPlannedRoutings } from "../routing/routing.ts";
import {
  addProgress,
  findApplying,
  type ItemOutcome,
  listDueShards,
  lockDueItems,
  setFinished,
  setOutcome,
} from "./bulk-changes.apply.store.ts";
import { type Change, MOST_TAGS, tagsAfter } from "./bulk-changes.rules.ts";
import type { BulkChangeRow } from "./bulk-changes.store.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "names">;
type DueItem = Awaited<ReturnType<typeof lockDueItems>>[number];

/** Other changes of the organisation wait while a chunk is written: some tenths of a second. */
const CHUNK = 200;

/**
 * Goes on with a bulk change until it is finished or the time is up; says whether there may be more to do. A chunk
 * is one transaction, in which its items get their outcome: stopped anywhere, nothing is lost or done twice.
 */
export async function advanceBulkChange(app: Needs, id: string, withinMs: number): Promise<"done" | "more"> {
  const deadline = performance.now() + withinMs;
  const plan = await findApplying(app.db, id);
  if (!plan) return "done";
  const scope = { organisationId: plan.organisation_id, environment: plan.environment };
  // Before any lock: names are looked up in the network.
  const fault = "routing" in plan.change ? await destinationFault(app, plan.change.routing) : undefined;
  for (const shard of await app.db.forOrganisation(scope, (tx) => listDueShards(tx, id))) {
    for (let isMore = true; isMore;) {
      if (performance.now() > deadline) return "more";
      isMore = await applyChunk(app, scope, { plan, fault, shard });
    }
  }
  await finish(app, scope, plan);
  return "done";
}

/** One shard at a time: whoever needs several locks them in ascending order. */
async function applyChunk(
  app: Needs,
  scope: OrganisationScope,
  { plan, fault, shard }: { plan: BulkChangeRow; fault: string | undefined; shard: number },
): Promise<boolean> {
  return app.db.forOrganisation(scope, async (tx) => {
    const items = await lockDueItems(tx, plan.id, shard, CHUNK);
    if (items.length === 0) return false;
    const outcomes = await applyTo(tx, app, { plan, fault }, items);
    await writeOutcomes(tx, { id: plan.id, shard }, items, outcomes);
    const count = (one: ItemOutcome["outcome"]): number =>
      outcomes.filter(({ outcome }) => outcome === one).length;
    const done = {
      set: count("set"),
      unchanged: count("unchanged"),
      stale: count("stale"),
      failed: count("failed"),
    };
    await addProgress(tx, plan.id, done, app.clock.now());
    return items.length === CHUNK;
  });
}

async function applyTo(
  tx: OrganisationTx,
  app: Needs,
  { plan, fault }: { plan: BulkChangeRow; fault: string | undefined },
  items: readonly DueItem[],
): Promise<ItemOutcome[]> {
  const { change } = plan;
  const author = authorOfPlan(plan);
  if ("routing" in change) {
    const reason = plan.reason ?? `Bulk change ${plan.id}`;
    const due = items.map((item) => ({ numberId: item.number_id, generation: Number(item.from_generation) }));
    const done = await setPlannedRoutings(tx, app, { desired: change.routing, fault, author, reason }, due);
    return done.map(outcomeOf);
  }
  const wanted = items.map((item) => ({ item, to: descriptionAfter(item, change) }));
  const fitting = wanted.filter(({ to }) => (to.tags?.length ?? 0) <= MOST_TAGS);
  const done = await changePlannedNumbers(
    tx,
    app,
    author,
    fitting.map(({ item, to }) => ({
      numberId: item.number_id,
      from: { tags: item.from_tags, release_lock: item.from_release_lock },
      to,
    })),
  );
  const byItem = new Map(fitting.map(({ item }, at) => [item, done[at]!]));
  return items.map((item) => outcomeOf(byItem.get(item) ?? TOO_MANY_TAGS));
}

const TOO_MANY_TAGS = new Refusal("invalid_request", `A number can have ${MOST_TAGS} tags at most.`);

function descriptionAfter(
  item: DueItem,
  change: Exclude<Change, { routing: unknown }>,
): { tags?: string[]; release_lock?: boolean } {
  return "tags" in change ? { tags: tagsAfter(item.from_tags, change.tags) } : change;
}

function outcomeOf(done: "set" | "unchanged" | "stale" | Refusal): ItemOutcome {
  if (!(done instanceof Refusal)) return { outcome: done, error: null };
  if (done.code === "generation_mismatch") return { outcome: "stale", error: null };
  return { outcome: "failed", error: { code: done.code, detail: done.message } };
}

async function writeOutcomes(
  tx: OrganisationTx,
  of: { id: string; shard: number },
  items: readonly DueItem[],
  outcomes: readonly ItemOutcome[],
): Promise<void> {
  const alike = Map.groupBy(items.keys(), (at) => JSON.stringify(outcomes[at]));
  for (const places of alike.values()) {
    const numberIds = places.map((at) => items[at]!.number_id);
    await setOutcome(tx, { ...of, numberIds }, outcomes[places[0]!]!);
  }
}

/** Not yet where another worker still has items in hand: it comes by here too. */
async function finish(app: Needs, scope: OrganisationScope, plan: BulkChangeRow): Promise<void> {
  await app.db.forOrganisation(scope, async (tx) => {
    const now = app.clock.now();
    const finished = await setFinished(tx, plan.id, now);
    if (!finished) return;
    const { set_count: set, unchanged_count: unchanged, stale_count: stale, failed_count: failed } = finished;
    await recordChange(tx, authorOfPlan(plan), now, {
      type: "bulk_change.finished",
      ...scope,
      subject: plan.id,
      data: { total: finished.total, set, unchanged, stale, failed },
    });
  });
}

/** Whoever planned it is the author of its changes, from no address any more. */
function authorOfPlan(plan: BulkChangeRow): Author {
  return {
    actor_kind: plan.created_by_kind,
    actor_id: plan.created_by_id,
    actor_name: plan.created_by_name,
    request_id: null,
    address: null,
  };
}
