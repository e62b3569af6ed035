import type { App } from "../../app.ts";
import type { Actor } from "../../platform/http/access.ts";
import { momentIn } from "../../platform/http/window.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { hasNumber } from "../../numbers/numbers/numbers.ts";
import {
  bucketCount,
  bucketsOf,
  ceiling,
  completeThrough,
  DAY_MS,
  floor,
  type Granularity,
  HOUR_MS,
  MAX_BUCKETS,
  partsOf,
  type Range,
  widened,
} from "./usage.rules.ts";
import type {
  NumberUsage,
  OrganisationUsage,
  TopNumbers,
  TopNumbersQuery,
  UsageQuery,
  UsageTotals,
} from "./usage.schema.ts";
import {
  listTopNumbers,
  numberUsageStatement,
  organisationUsageStatement,
  standingsOf,
  type UsageRow,
} from "./usage.store.ts";

type Needs = Pick<App, "db" | "clock" | "config">;

const MAX_TOP_DAYS = 92;
const NOTHING: UsageTotals = {
  calls: 0,
  answered: 0,
  busy: 0,
  no_answer: 0,
  cancelled: 0,
  rejected: 0,
  failed: 0,
  talk_seconds: 0,
  forwarded_seconds: 0,
};

/** Usage of one number: only calls of this holding, not of earlier or later holders. */
export async function getNumberUsage(
  app: Needs,
  actor: Actor,
  numberId: string,
  query: UsageQuery,
): Promise<NumberUsage> {
  const asked = windowOf(query);
  const { granularity } = query;
  const fault = faultOf(asked, granularity);
  if (fault) {
    // An unknown number takes precedence over an invalid window.
    if (await app.db.forOrganisation(actor, (tx) => hasNumber(tx, numberId))) throw fault;
    throw noSuchNumber();
  }
  const asOf = app.clock.now();
  const window = widened(asked, oldestRecord(app, asOf).getTime());
  const parts = partsOf(window, granularity === "hour" ? "hours" : "days");
  const { text, values } = numberUsageStatement(actor, numberId, parts, granularity);
  const [row] = await app.db.forOrganisation.read<UsageRow>(actor, text, values);
  if (!row!.is_known) throw noSuchNumber();
  return { number_id: numberId, ...usageOf({ asked, window, granularity, asOf }, row!) };
}

/** All numbers of an organisation together, by the full hour. */
export async function getOrganisationUsage(
  app: Needs,
  actor: Actor,
  query: UsageQuery,
): Promise<OrganisationUsage> {
  const asked = windowOf(query);
  const { granularity } = query;
  const fault = faultOf(asked, granularity);
  if (fault) throw fault;
  const window = { from: floor(asked.from, HOUR_MS), to: ceiling(asked.to, HOUR_MS) };
  const asOf = app.clock.now();
  const { text, values } = organisationUsageStatement(actor, window, granularity);
  const [row] = await app.db.forOrganisation.read<UsageRow>(actor, text, values);
  return usageOf({ asked, window, granularity, asOf }, row!);
}

/** The numbers with most calls, or most of something else, by the full day. */
export async function getTopNumbers(app: Needs, actor: Actor, query: TopNumbersQuery): Promise<TopNumbers> {
  const asked = windowOf(query);
  const fault = faultOf(asked, undefined);
  if (fault) throw fault;
  const window = { from: floor(asked.from, DAY_MS), to: ceiling(asked.to, DAY_MS) };
  if (window.to - window.from > MAX_TOP_DAYS * DAY_MS)
    throw new ApiError("window_too_long", `At most ${MAX_TOP_DAYS} days can be compared at once.`);
  const { by = "calls", limit = 20 } = query;
  return {
    ...shownWindow(asked, window),
    as_of: app.clock.now().toISOString(),
    data: await listTopNumbers(app.db, actor, window, { by, limit }),
  };
}

function windowOf(query: { from: string; to: string }): Range {
  return { from: momentIn(query, "from"), to: momentIn(query, "to") };
}

function faultOf(window: Range, granularity: Granularity | undefined): ApiError | undefined {
  if (window.from >= window.to) return new ApiError("window_empty", "`to` must be later than `from`.");
  if (granularity && bucketCount(window, granularity) > MAX_BUCKETS)
    return new ApiError(
      "window_too_long",
      `With granularity ${granularity} this window has ${bucketCount(window, granularity)} buckets. The maximum is ${MAX_BUCKETS}.`,
    );
  return undefined;
}

function usageOf(
  of: { asked: Range; window: Range; granularity: Granularity | undefined; asOf: Date },
  { usage, switches }: UsageRow,
): OrganisationUsage {
  const { asked, window, granularity, asOf } = of;
  const standings = standingsOf(switches);
  const through = completeThrough(standings, asOf.getTime());
  return {
    ...shownWindow(asked, window),
    as_of: asOf.toISOString(),
    complete_through: through === null ? null : new Date(through).toISOString(),
    unreachable_switches: standings.filter(({ isAway }) => isAway).map(({ name }) => name),
    totals: totalOf(usage ?? []),
    ...(granularity && { buckets: filledBuckets(window, granularity, usage ?? []) }),
  };
}

function filledBuckets(
  window: Range,
  granularity: Granularity,
  counted: NonNullable<UsageRow["usage"]>,
): NonNullable<OrganisationUsage["buckets"]> {
  const size = granularity === "hour" ? HOUR_MS : DAY_MS;
  const byStart = new Map(counted.map(({ at, ...counts }) => [Date.parse(at!), counts]));
  return bucketsOf(window, granularity).map(({ from, to }) => ({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...NOTHING,
    ...byStart.get(floor(from, size)),
  }));
}

function totalOf(counted: readonly UsageTotals[]): UsageTotals {
  const total = { ...NOTHING };
  for (const one of counted)
    for (const name of Object.keys(NOTHING) as (keyof UsageTotals)[]) total[name] += one[name];
  return total;
}

function shownWindow(asked: Range, used: Range): { from: string; to: string; exact: boolean } {
  return {
    from: new Date(used.from).toISOString(),
    to: new Date(used.to).toISOString(),
    exact: asked.from === used.from && asked.to === used.to,
  };
}

function noSuchNumber(): ApiError {
  return notFound("number_not_found");
}

/** Start of the first month whose call records are stored. Older ones are dropped by the month. */
export function oldestRecord({ config }: Pick<App, "config">, at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - config.callRecordsMonths, 1));
}
