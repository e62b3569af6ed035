import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import { statusAt } from "./bulk-changes.rules.ts";
import {
  BulkChange,
  type BulkChangeItem,
  BulkChangeItemPage,
  BulkChangeItemsQuery,
  BulkChangePage,
  BulkChangesQuery,
  PlanBulkChange,
} from "./bulk-changes.schema.ts";
import {
  applyBulkChange,
  type BulkChangeRow,
  foreseePlan,
  getBulkChange,
  hasBulkChange,
  type ShownItemRow,
  listBulkChangeItems,
  listBulkChanges,
  planBulkChange,
  rejectChange,
} from "./bulk-changes.ts";

const PEOPLE = { roles: ["owner", "admin", "developer"] } as const;
const PLANNERS = { callers: "organisation", sessions: PEOPLE, keys: ["numbers_write"] } as const;
const READERS = { callers: "organisation", sessions: PEOPLE, keys: ["numbers"] } as const;
/** Callers who may plan may also see progress: counts only, no data of the number list. */
const FOLLOWERS = { ...READERS, keys: ["numbers", "numbers_write"] } as const;

const PATH = "/v1/numbers/bulk";
const OF_BULK_CHANGE = { tag: "Bulk changes", params: ById, notFound: "bulk_change_not_found" } as const;

const planBulkChangeOperation = operation({
  id: "planBulkChange",
  method: "POST",
  path: PATH,
  tag: "Bulk changes",
  summary: "Plan a bulk change",
  description:
    "Records the current values of each selected number without changing them. Review the items, then apply the plan within a day. API keys can plan only routing changes. Only owners and admins can plan changes of `release_lock`.",
  access: PLANNERS,
  idempotency: "optional",
  body: PlanBulkChange,
  answers: { 201: BulkChange },
  errors: [
    "caller_kind_not_allowed",
    "mode_not_allowed",
    "destination_not_allowed",
    "connection_unknown",
    "bulk_change_too_large",
  ],
  precheck: ({ body, actor }) => rejectChange(actor, (body as { change?: unknown } | null)?.change),
  prepare: (app, { body }) => foreseePlan(app, body),
  async change(tx, { actor, body }, app) {
    return located(app, 201, await planBulkChange(tx, app, actor, body));
  },
});

const listBulkChangesOperation = operation({
  id: "listBulkChanges",
  method: "GET",
  path: PATH,
  tag: "Bulk changes",
  summary: "List bulk changes",
  description: "Newest first.",
  access: READERS,
  idempotency: "none",
  query: BulkChangesQuery,
  answers: { 200: BulkChangePage },
  async run(app, { actor, query }) {
    const now = app.clock.now();
    return pageOf(app, { path: PATH, of: actor }, query, {
      rows: (page) => listBulkChanges(app, actor, page),
      item: (row) => shownBulkChange(row, now),
      position: (row) => row.id,
    });
  },
});

const getBulkChangeOperation = operation({
  ...OF_BULK_CHANGE,
  id: "getBulkChange",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Get a bulk change",
  description: "Includes its progress.",
  access: FOLLOWERS,
  idempotency: "none",
  answers: { 200: BulkChange },
  async run(app, { actor, params }) {
    const row = await getBulkChange(app, actor, params.id);
    return { status: 200, body: shownBulkChange(row, app.clock.now()) };
  },
});

const listBulkChangeItemsOperation = operation({
  ...OF_BULK_CHANGE,
  id: "listBulkChangeItems",
  method: "GET",
  path: `${PATH}/{id}/items`,
  summary: "List items of a bulk change",
  description:
    "`from` holds the values at the time of the plan. A number that has changed since then is skipped with the outcome `stale`.",
  access: READERS,
  idempotency: "none",
  query: BulkChangeItemsQuery,
  answers: { 200: BulkChangeItemPage },
  async run(app, { actor, params, query }) {
    const { outcome } = query;
    const list = { path: `${PATH}/${params.id}/items`, of: actor, filters: { outcome } };
    return pageOf(app, list, query, {
      rows: (page) => listBulkChangeItems(app, actor, { id: params.id, outcome }, page),
      item: shownItem,
      position: (row) => row.number_id,
    });
  },
});

const applyBulkChangeOperation = operation({
  ...OF_BULK_CHANGE,
  id: "applyBulkChange",
  method: "POST",
  path: `${PATH}/{id}/apply`,
  summary: "Apply a bulk change",
  description:
    "Responds at once and changes the numbers in the background. Poll the bulk change for its progress.",
  access: PLANNERS,
  idempotency: "optional",
  answers: { 202: BulkChange },
  errors: ["caller_kind_not_allowed", "mode_not_allowed", "bulk_change_not_planned"],
  isVisible: (tx, { params }) => hasBulkChange(tx, params.id),
  async change(tx, { actor, params }, app) {
    return located(app, 202, await applyBulkChange(tx, app, actor, params.id));
  },
});

function located(
  { config, clock }: { config: { baseUrl: string }; clock: { now(): Date } },
  status: number,
  row: BulkChangeRow,
): { status: number; body: BulkChange; headers: Record<string, string> } {
  return {
    status,
    body: shownBulkChange(row, clock.now()),
    headers: { location: `${config.baseUrl}${PATH}/${row.id}` },
  };
}

function shownBulkChange(row: BulkChangeRow, now: Date): BulkChange {
  return {
    id: row.id,
    status: statusAt(row, now),
    change: row.change,
    reason: row.reason,
    progress: {
      total: row.total,
      set: row.set_count,
      unchanged: row.unchanged_count,
      stale: row.stale_count,
      failed: row.failed_count,
    },
    missing: row.missing,
    created_by: {
      kind: row.created_by_kind as BulkChange["created_by"]["kind"],
      id: row.created_by_id,
      name: row.created_by_name,
    },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

function shownItem(row: ShownItemRow): BulkChangeItem {
  return {
    number_id: row.number_id,
    e164: row.e164,
    from: {
      mode: row.from_mode as BulkChangeItem["from"]["mode"],
      generation: Number(row.from_generation),
      desired: row.from_desired,
      tags: row.from_tags,
      release_lock: row.from_release_lock,
    },
    outcome: row.outcome,
    error: row.error_code === null ? null : { code: row.error_code, detail: row.error_detail! },
  };
}

export const bulkChangesOperations = [
  planBulkChangeOperation,
  listBulkChangesOperation,
  getBulkChangeOperation,
  listBulkChangeItemsOperation,
  applyBulkChangeOperation,
];
