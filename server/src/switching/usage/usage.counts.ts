import type { Actor } from "../../platform/http/access.ts";
import type { Database } from "../../platform/db/database.ts";
import {
  bucketsOf,
  DAY_MS,
  floor,
  type Granularity,
  HOUR_MS,
  type Oldest,
  partsOf,
  type Range,
  sizeAt,
} from "./usage.rules.ts";
import type { OrganisationUsage, UsageTotals } from "./usage.schema.ts";
import { numberUsageStatement, organisationUsageStatement, type UsageRow } from "./usage.store.ts";
import {
  cutHours,
  edgesIn,
  QUARTER_MS,
  rangesBetween,
  roundedEdges,
  type TimeZone,
} from "./usage.zones.rules.ts";
import {
  type CutRow,
  cutNumberUsageStatement,
  cutOrganisationUsageStatement,
  readUsageStart,
  type UsageStart,
} from "./usage.zones.store.ts";

/** Buckets of a calendar: days or months of a time zone. Without `unit`, only the window's edges. */
export interface Cut {
  zone: TimeZone;
  unit: "day" | "month" | undefined;
}

export interface Counted {
  row: Pick<UsageRow, "is_known" | "switches">;
  window: Range;
  totals: UsageTotals;
  buckets?: OrganisationUsage["buckets"];
  /** False if a day or month does not begin where the calendar says. */
  isExact?: boolean;
}

interface Scope {
  db: Database;
  actor: Actor;
}

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

export async function countNumber(
  { db, actor, numberId }: Scope & { numberId: string },
  window: Range,
  granularity: Granularity | undefined,
): Promise<Counted> {
  const parts = partsOf(window, granularity === "hour" ? "hours" : "days");
  const { text, values } = numberUsageStatement(actor, numberId, parts, granularity);
  const [row] = await db.forOrganisation.read<UsageRow>(actor, text, values);
  return counted(row!, window, granularity);
}

export async function countOrganisation(
  { db, actor }: Scope,
  window: Range,
  granularity: Granularity | undefined,
  oldestHour: number,
): Promise<Counted> {
  const { text, values } = organisationUsageStatement(actor, window, granularity, oldestHour);
  const [row] = await db.forOrganisation.read<UsageRow>(actor, text, values);
  return counted(row!, window, granularity);
}

/** An edge within an hour reads the calls of this hour, or moves to a full hour or day if they may be deleted. */
export async function countCutNumber(
  { db, actor, numberId }: Scope & { numberId: string },
  { asked, cut, oldest }: { asked: Range; cut: Cut; oldest: Oldest },
): Promise<Counted> {
  const wanted = edgesIn(asked, cut.unit, cut.zone);
  const edges = roundedEdges(wanted, (at) => sizeAt(at, oldest));
  const cutWindow = { edges, hours: cutHours(edges), oldestHour: oldest.hour };
  const { text, values } = cutNumberUsageStatement(actor, numberId, cutWindow);
  const [row] = await db.forOrganisation.read<CutRow>(actor, text, values);
  return countedBetween(row!, { wanted, edges }, cut.unit);
}

/** An edge within an hour reads its quarters, or moves to a full hour if it is from before they were counted. */
export async function countCutOrganisation(
  { db, actor }: Scope,
  { asked, cut, start }: { asked: Range; cut: Cut; start: UsageStart },
): Promise<Counted> {
  const wanted = edgesIn(asked, cut.unit, cut.zone);
  const { quarter } = cutHours(wanted).length > 0 ? await readUsageStart(db, actor) : start;
  const edges = roundedEdges(wanted, (at) =>
    Math.max(QUARTER_MS, sizeAt(at, { record: quarter, hour: start.hour })),
  );
  const hours = cutHours(edges);
  const quarters = hours
    .flatMap((hour) => [0, 1, 2, 3].map((nth) => hour + nth * QUARTER_MS))
    .filter((at) => at >= edges[0]! && at < edges.at(-1)!);
  const { text, values } = cutOrganisationUsageStatement(
    actor,
    { edges, hours, oldestHour: start.hour },
    quarters,
  );
  const [row] = await db.forOrganisation.read<CutRow>(actor, text, values);
  return countedBetween(row!, { wanted, edges }, cut.unit);
}

function counted(row: UsageRow, window: Range, granularity: Granularity | undefined): Counted {
  const usage = row.usage ?? [];
  return {
    row,
    window,
    totals: totalOf(usage),
    ...(granularity && { buckets: filledBuckets(window, granularity, usage) }),
  };
}

function filledBuckets(
  window: Range,
  granularity: Granularity,
  usage: NonNullable<UsageRow["usage"]>,
): NonNullable<OrganisationUsage["buckets"]> {
  const size = granularity === "hour" ? HOUR_MS : DAY_MS;
  const byStart = new Map(usage.map(({ at, ...counts }) => [Date.parse(at!), counts]));
  return bucketsOf(window, granularity).map((range) => shown(range, byStart.get(floor(range.from, size))));
}

function countedBetween(
  row: CutRow,
  { wanted, edges }: { wanted: readonly number[]; edges: readonly number[] },
  unit: Cut["unit"],
): Counted {
  const usage = row.usage ?? [];
  const byIndex = new Map(usage.map(({ bucket, ...counts }) => [bucket, counts]));
  const ranges = rangesBetween(edges);
  const isExact = wanted.length === edges.length && wanted.every((at, index) => at === edges[index]);
  return {
    row,
    window: { from: edges[0]!, to: edges.at(-1)! },
    totals: totalOf(usage),
    isExact,
    ...(unit && { buckets: ranges.map((range, index) => shown(range, byIndex.get(index + 1))) }),
  };
}

function shown(
  { from, to }: Range,
  counts: UsageTotals | undefined,
): NonNullable<OrganisationUsage["buckets"]>[number] {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...NOTHING, ...counts };
}

function totalOf(usage: readonly UsageTotals[]): UsageTotals {
  const total = { ...NOTHING };
  for (const one of usage)
    for (const name of Object.keys(NOTHING) as (keyof UsageTotals)[]) total[name] += one[name];
  return total;
}
