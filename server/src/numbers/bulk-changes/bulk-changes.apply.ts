import { setTimeout } from "node:timers/promises";
import type { App } from "../../app.ts";
import type { OrganisationScope, OrganisationTx } from "../../platform/db/database.ts";
import { isLockTimeout } from "../../platform/db/database-error.ts";
import { ApiError } from "../../platform/api-error.ts";
import type { Author } from "../../events/audit/audit.ts";
import { recordChange, recordChanges } from "../../events/events/events.ts";
import { changePlannedNumbers } from "../numbers/numbers.ts";
import { decideRoutings, destinationFault, publishRoutings } from "../routing/routing.ts";
import {
  addProgress,
  findApplying,
  type ItemOutcome,
  listDueShards,
  lockApplying,
  lockDueItems,
  setFinished,
  setOutcome,
} from "./bulk-changes.apply.store.ts";
import { type Change, FIRST_CHUNK, MOST_TAGS, nextChunk, tagsAfter } from "./bulk-changes.rules.ts";
import type { BulkChangeRow } from "./bulk-changes.store.ts";

type Needs = Pick<App, "db" | "clock" | "config" | "names">;
/** Longer than a chunk takes on a healthy machine. */
const MOST_PAUSE_MS = 250;

type DueItem = Awaited<ReturnType<typeof lockDueItems>>[number];

/**
 * Continues a bulk change until it is finished or the time is up. A chunk is one transaction, in which its items get
 * their outcome: stopped anywhere, nothing is lost or done twice. Returns "waiting" if an earlier bulk change of the
 * organisation, or another worker, is still applying.
 */
export async function advanceBulkChange(
  app: Needs,
  id: string,
  withinMs: number,
): Promise<"done" | "more" | "waiting"> {
  const deadline = performance.now() + withinMs;
  const plan = await findApplying(app.db, id);
  if (!plan) return "done";
  if (!plan.is_first) return "waiting";
  const scope = { organisationId: plan.organisation_id, environment: plan.environment };
  // Before any lock: this resolves host names over the network.
  const fault = "routing" in plan.change ? await destinationFault(app, plan.change.routing) : undefined;
  let size = FIRST_CHUNK;
  for (const shard of await app.db.forOrganisation(scope, (tx) => listDueShards(tx, id))) {
    for (;;) {
      const beganAt = performance.now();
      if (beganAt > deadline) return "more";
      const done = await applyChunk(app, scope, { plan, fault, shard, size });
      if (done === "locked") return "waiting";
      size = nextChunk(size, done);
      // Works half of the time, so that a bulk change leaves room for requests on a busy machine.
      await setTimeout(Math.min(MOST_PAUSE_MS, performance.now() - beganAt));
      if (done !== "timed_out" && !done.isMore) break;
    }
  }
  await finish(app, scope, plan);
  return "done";
}

type ChunkResult = { isMore: boolean; heldMs: number } | "timed_out" | "locked";

/** One shard at a time: transactions that lock several lock them in ascending order. */
async function applyChunk(
  app: Needs,
  scope: OrganisationScope,
  chunk: { plan: BulkChangeRow; fault: string | undefined; shard: number; size: number },
): Promise<ChunkResult> {
  const { plan, shard, size } = chunk;
  try {
    let publishedFrom = 0;
    const done = await app.db.forOrganisation(scope, async (tx) => {
      if (!(await lockApplying(tx, plan.id))) return undefined;
      const items = await lockDueItems(tx, plan.id, shard, size);
      if (items.length === 0) return { isMore: false, waitedMs: 0 };
      const { outcomes, publish } = await prepare(tx, app, chunk, items);
      await writeOutcomes(tx, { id: plan.id, shard }, items, outcomes);
      await addProgress(tx, plan.id, countsOf(outcomes), app.clock.now());
      publishedFrom = performance.now();
      return { isMore: items.length === size, waitedMs: await publish() };
    });
    if (!done) return "locked";
    const heldMs = publishedFrom && performance.now() - publishedFrom - done.waitedMs;
    return { isMore: done.isMore, heldMs };
  } catch (error) {
    if (size > 1 && isLockTimeout(error)) return "timed_out";
    throw error;
  }
}

function countsOf(outcomes: readonly ItemOutcome[]): Record<ItemOutcome["outcome"], number> {
  const count = (one: ItemOutcome["outcome"]): number =>
    outcomes.filter(({ outcome }) => outcome === one).length;
  return {
    set: count("set"),
    unchanged: count("unchanged"),
    stale: count("stale"),
    failed: count("failed"),
  };
}

interface Prepared {
  outcomes: ItemOutcome[];
  /** Takes the locks that others wait for. Returns how many milliseconds it waited for them itself. */
  publish(): Promise<number>;
}

async function prepare(
  tx: OrganisationTx,
  app: Needs,
  { plan, fault }: { plan: BulkChangeRow; fault: string | undefined },
  items: readonly DueItem[],
): Promise<Prepared> {
  const { change } = plan;
  const author = authorOfPlan(plan);
  if ("routing" in change) {
    const wanted = {
      desired: change.routing,
      fault,
      author,
      reason: plan.reason ?? `Bulk change ${plan.id}`,
    };
    const due = items.map((item) => ({ numberId: item.number_id, generation: Number(item.from_generation) }));
    const decided = await decideRoutings(tx, wanted, due);
    return {
      outcomes: decided.outcomes.map(outcomeOf),
      publish: async () => (await publishRoutings(tx, app, wanted, decided)).waitedMs,
    };
  }
  const wanted = items.map((item) => ({ item, to: descriptionAfter(item, change) }));
  const fitting = wanted.filter(({ to }) => (to.tags?.length ?? 0) <= MOST_TAGS);
  const { outcomes, changes } = await changePlannedNumbers(
    tx,
    app,
    fitting.map(({ item, to }) => ({
      numberId: item.number_id,
      from: { tags: item.from_tags, release_lock: item.from_release_lock },
      to,
    })),
  );
  const byItem = new Map(fitting.map(({ item }, at) => [item, outcomes[at]!]));
  return {
    outcomes: items.map((item) => outcomeOf(byItem.get(item) ?? TOO_MANY_TAGS)),
    async publish() {
      await recordChanges(tx, author, app.clock.now(), changes);
      return 0;
    },
  };
}

const TOO_MANY_TAGS = new ApiError("invalid_request", `A number can have ${MOST_TAGS} tags at most.`);

function descriptionAfter(
  item: DueItem,
  change: Exclude<Change, { routing: unknown }>,
): { tags?: string[]; release_lock?: boolean } {
  return "tags" in change ? { tags: tagsAfter(item.from_tags, change.tags) } : change;
}

function outcomeOf(done: "set" | "unchanged" | "stale" | ApiError): ItemOutcome {
  if (!(done instanceof ApiError)) return { outcome: done, error: null };
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

/** Does nothing while another worker has items in progress: that worker gets here too. */
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

/** The changes are those of the plan's author, without the address of a request. */
function authorOfPlan(plan: BulkChangeRow): Author {
  return {
    actor_kind: plan.created_by_kind,
    actor_id: plan.created_by_id,
    actor_name: plan.created_by_name,
    request_id: null,
    address: null,
  };
}
