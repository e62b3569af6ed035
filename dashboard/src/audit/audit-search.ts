const WINDOWS = ["day", "week", "month"] as const;
const OUTCOMES = ["done", "refused"] as const;

/** Filters in the URL: a link shows the same list. */
export interface AuditSearch {
  q?: string;
  who?: "all";
  outcome?: (typeof OUTCOMES)[number];
  time?: (typeof WINDOWS)[number];
  action?: string;
  subject?: string;
  actor?: string;
  /** Entry whose details are open. */
  entry?: string;
}

/** Ignores unknown parameters. */
export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const text = (name: string): string | undefined => {
    const value = raw[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const read = {
    q: text("q"),
    who: raw["who"] === "all" ? "all" : undefined,
    outcome: OUTCOMES.find((one) => one === raw["outcome"]),
    time: WINDOWS.find((one) => one === raw["time"]),
    action: text("action"),
    subject: text("subject"),
    actor: text("actor"),
    entry: text("entry"),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

const DAY_MS = 86_400_000;
const SPANS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS };

/** Query of the service. */
export function auditQueryOf({ q, who, outcome, time, action, subject, actor }: AuditSearch, now: number) {
  return {
    limit: 100,
    q,
    outcome,
    action,
    subject_id: subject,
    actor_id: actor,
    include_system: who === "all",
    from: time && new Date(now - SPANS[time]).toISOString(),
  };
}
