import type { Json } from "./contract.schemas.ts";
import { AT, ID } from "./example-story.ids.ts";

/** Count of calls in the ten minutes before ten o'clock, and what is usual then. */
const LAST = { value: 15, usual: { low: 18, high: 29 } };

const overview = {
  as_of: AT.now,
  numbers: {
    total: 1204,
    in_sync: 1118,
    pending: 0,
    failed: 0,
    drifted: 0,
    unknown: 0,
    unreachable: 86,
    unrouted: 31,
    is_complete: true,
  },
  problems: [
    {
      kind: "connection_unreachable",
      since: "2026-11-15T09:31:40.000Z",
      subject: { type: "connection", id: ID.hamburg, label: "Hamburg office" },
      switch: "fra-1",
      found: null,
      expected: null,
      error: "None of 1 targets responds: pbx.hamburg.northwind.example",
      times_found: null,
      count: 1,
      numbers_affected: 86,
      calls_failed: 14,
      calls_misrouted: null,
    },
  ],
  switches: [{ name: "fra-1", state: "reporting", observed_at: "2026-11-15T09:59:58.000Z", active_calls: 6 }],
  calls: {
    active: { value: 6, usual: { low: 5.2, high: 9 } },
    last_10_minutes: LAST,
    today: { value: 812, usual: { low: 760, high: 905 } },
    answered: { value: 0.71, usual: { low: 0.76, high: 0.83 } },
    buckets: [{ from: "2026-11-15T09:50:00.000Z", calls: LAST.value, answered: 11, usual: LAST.usual }],
  },
};

const quiet = (kind: string) => ({ kind, webhook: false, emails: [] });
const failing = { kind: "number_failing", webhook: true, emails: ["ada@northwind.example"] };
const silent = { kind: "switch_silent", emails: ["margaret@dialplane.example"] };

const view = { page: "numbers", name: "Failing in Berlin", query: "sync=failed&tag=berlin", is_shared: true };
const operatorOverview = {
  as_of: AT.now,
  problems: [
    {
      kind: "switch_exceptions",
      since: "2026-11-15T09:52:10.000Z",
      subject: { type: "switch", id: ID.switch, label: "fra-1" },
      count: 1,
      error: null,
    },
  ],
  problems_total: 1,
  switches: { total: 2, reporting: 2, lag: 0, exceptions: 1 },
  active_calls: 37,
};

const viewAt = "2026-11-15T09:45:00.000Z";

export const OVERVIEW_EXAMPLES: Record<string, Json> = {
  Overview: overview,
  OperatorOverview: operatorOverview,
  Notifications: {
    rules: [
      failing,
      quiet("number_flapping"),
      quiet("connection_unreachable"),
      quiet("webhook_endpoint_disabled"),
      quiet("order_failed"),
    ],
  },
  SetNotifications: { rules: [failing] },
  OperatorNotifications: { rules: [silent, { kind: "backlog", emails: [] }] },
  View: { id: ID.view, ...view, created_at: viewAt, updated_at: viewAt },
  CreateView: view,
  ChangeView: { name: "Failing" },
  SetOperatorNotifications: { rules: [silent] },
};
