import type { App } from "../../app.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { type Destination, differencesBetween, getRouting } from "../routing/routing.ts";
import type { TimelineEntry, TimelineQuery } from "./timeline.schema.ts";
import { listTimelineRows, type TimelinePosition, type TimelineRow } from "./timeline.store.ts";

/** An entry, and the position after which the next page starts. */
export interface PlacedEntry {
  entry: TimelineEntry;
  position: string;
}

export async function listTimeline(
  app: Pick<App, "db" | "clock">,
  actor: Actor,
  of: { numberId: string; kind: TimelineQuery["kind"] },
  page: Page,
): Promise<PlacedEntry[]> {
  const after = page.after === undefined ? undefined : (JSON.parse(page.after) as TimelinePosition);
  const wanted = { ...of, after, limit: page.limit, now: app.clock.now() };
  const rows = await listTimelineRows(app.db, actor, wanted);
  // A number without entries of a kind is an empty list. A missing number is an error.
  if (rows.length === 0) await getRouting(app, actor, of.numberId);
  let below = after?.below;
  return rows.map((row) => {
    if (row.kind === "set") below = row.generation!;
    const { position: at, rank, key } = row;
    return { entry: entryOf(row), position: JSON.stringify({ at, rank, key, below }) };
  });
}

const NONE = {
  until: null,
  switch: null,
  state: null,
  actor: null,
  reason: null,
  found: null,
  expected: null,
  error: null,
  count: null,
  took_ms: null,
  wrong_ms: null,
} as const;

function entryOf({ kind, at, generation, body }: TimelineRow): TimelineEntry {
  const { desired, before, ...fields } = body as Partial<TimelineEntry> & {
    desired?: Destination;
    before?: Destination | null;
  };
  return {
    ...NONE,
    ...fields,
    kind: kind as TimelineEntry["kind"],
    at: at.toISOString(),
    revision: generation === null ? null : Number(generation),
    changes: desired ? differencesBetween(before ?? ({} as Destination), desired) : [],
  };
}
