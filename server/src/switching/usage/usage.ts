import type { App } from "../../app.ts";
import type { Actor } from "../../platform/http/access.ts";
import { monthsBefore } from "../../platform/clock.ts";
import { momentIn } from "../../platform/http/window.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { hasNumber } from "../../numbers/numbers/numbers.ts";
import {
  type Counted,
  countCutNumber,
  countCutOrganisation,
  countNumber,
  countOrganisation,
  type Cut,
} from "./usage.counts.ts";
import {
  bucketCount,
  ceiling,
  completeThrough,
  DAY_MS,
  floor,
  type Granularity,
  MAX_BUCKETS,
  type Range,
  widened,
} from "./usage.rules.ts";
import type {
  NumberUsage,
  OrganisationUsage,
  TopNumbers,
  TopNumbersQuery,
  UsageQuery,
} from "./usage.schema.ts";
import { listTopNumbers, standingsOf } from "./usage.store.ts";
import { countIn, timeZoneOf } from "./usage.zones.rules.ts";
import { readUsageStart, type UsageStart } from "./usage.zones.store.ts";

type Needs = Pick<App, "db" | "clock" | "config">;

const MAX_TOP_DAYS = 92;
const ALWAYS: UsageStart = { quarter: 0, hour: 0 };

/** Usage of one number: only calls of this holding, not of earlier or later holders. */
export async function getNumberUsage(
  app: Needs,
  actor: Actor,
  numberId: string,
  query: UsageQuery,
): Promise<NumberUsage> {
  const asked = windowOf(query);
  const cut = cutOf(query);
  const fault = faultOf(asked, query.granularity, cut);
  if (fault) {
    // An unknown number takes precedence over an invalid window.
    if (await app.db.forOrganisation(actor, (tx) => hasNumber(tx, numberId))) throw fault;
    throw noSuchNumber();
  }
  const asOf = app.clock.now();
  const start = await startOf(app, actor, asked, asOf);
  const oldest = { record: oldestRecord(app, asOf).getTime(), hour: start.hour };
  rejectDeletedHours(asked, query, start);
  const scope = { db: app.db, actor, numberId };
  const counted = await (cut?.unit
    ? countCutNumber(scope, { asked, cut, oldest })
    : countNumber(scope, widened(asked, oldest), fixedOf(query)));
  if (!counted.row.is_known) throw noSuchNumber();
  return { number_id: numberId, ...usageOf(counted, asked, asOf) };
}

/** All numbers of an organisation together, by the full hour. In a time zone, by the quarter of an hour. */
export async function getOrganisationUsage(
  app: Needs,
  actor: Actor,
  query: UsageQuery,
): Promise<OrganisationUsage> {
  const asked = windowOf(query);
  const cut = cutOf(query);
  const fault = faultOf(asked, query.granularity, cut);
  if (fault) throw fault;
  const asOf = app.clock.now();
  const scope = { db: app.db, actor };
  const start = await startOf(app, actor, asked, asOf);
  rejectDeletedHours(asked, query, start);
  const window = widened(asked, { record: Infinity, hour: start.hour });
  const counted = await (cut
    ? countCutOrganisation(scope, { asked, cut, start })
    : countOrganisation(scope, window, fixedOf(query), start.hour));
  return usageOf(counted, asked, asOf);
}

/** The numbers with most calls, or most of something else, by the full day. */
export async function getTopNumbers(app: Needs, actor: Actor, query: TopNumbersQuery): Promise<TopNumbers> {
  const asked = windowOf(query);
  const fault = faultOf(asked, undefined, undefined);
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

/** The last 13 months are always stored by the hour: most requests need no look-up. */
async function startOf({ db }: Needs, actor: Actor, { from }: Range, at: Date): Promise<UsageStart> {
  return from < monthsBefore(at, 13).getTime() ? readUsageStart(db, actor) : ALWAYS;
}

function rejectDeletedHours({ from }: Range, { granularity }: UsageQuery, { hour }: UsageStart): void {
  if (granularity !== "hour" || from >= hour) return;
  const since = new Date(hour).toISOString();
  const detail = `Usage by the hour is stored since ${since}. Use a later from, or granularity day.`;
  throw new ApiError("invalid_request", detail, {
    errors: [{ parameter: "from", code: "too_early", detail }],
  });
}

function windowOf(query: { from: string; to: string }): Range {
  return { from: momentIn(query, "from"), to: momentIn(query, "to") };
}

/** Hours and days of UTC are read as they are stored. Other buckets have edges within them. */
function cutOf({ granularity, time_zone: name = "UTC" }: UsageQuery): Cut | undefined {
  if (name === "UTC" && granularity !== "month") return undefined;
  const zone = timeZoneOf(name);
  if (!zone) throw unknownTimeZone(name);
  return granularity === "hour" ? undefined : { zone, unit: granularity };
}

function unknownTimeZone(name: string): ApiError {
  const detail = `No time zone is named ${name}. Allowed: names of the IANA time zone database, such as Europe/Berlin, Asia/Kolkata or UTC.`;
  return new ApiError("invalid_request", detail, {
    errors: [{ parameter: "time_zone", code: "unknown", detail }],
  });
}

function fixedOf({ granularity }: UsageQuery): Granularity | undefined {
  return granularity === "month" ? undefined : granularity;
}

function faultOf(
  window: Range,
  granularity: UsageQuery["granularity"],
  cut: Cut | undefined,
): ApiError | undefined {
  if (window.from >= window.to) return new ApiError("window_empty", "`to` must be later than `from`.");
  if (!granularity) return undefined;
  const count = cut ? countIn(window, cut.unit!, cut.zone) : bucketCount(window, granularity as Granularity);
  if (count <= MAX_BUCKETS) return undefined;
  return new ApiError(
    "window_too_long",
    `With granularity ${granularity} this window has ${count} buckets. The maximum is ${MAX_BUCKETS}.`,
  );
}

function usageOf(
  { row, window, totals, buckets, isExact = true }: Counted,
  asked: Range,
  asOf: Date,
): OrganisationUsage {
  const standings = standingsOf(row.switches);
  const through = completeThrough(standings, asOf.getTime());
  const shown = shownWindow(asked, window);
  return {
    ...shown,
    exact: shown.exact && isExact,
    as_of: asOf.toISOString(),
    complete_through: through === null ? null : new Date(through).toISOString(),
    unreachable_switches: standings.filter(({ isAway }) => isAway).map(({ name }) => name),
    totals,
    ...(buckets && { buckets }),
  };
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
