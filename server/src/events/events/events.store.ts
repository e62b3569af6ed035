import { binder, boundedScan, scanKey, type Scanned } from "../../platform/db/bounded-scan.ts";
import type { Database, OrganisationScope, OrganisationTx, Tx } from "../../platform/db/database.ts";

export interface EventRow {
  id: string;
  sequence: string;
  type: string;
  subject: string | null;
  data: Record<string, unknown>;
  created_at: Date;
}

/**
 * Assigns the next sequence numbers of each organisation, in the given order. It locks their rows until the commit,
 * so call it last. For several organisations, lock their heads first.
 */
export async function insertEvents(
  tx: Tx,
  events: readonly (Omit<EventRow, "sequence"> & { organisation_id: string; environment: string | null })[],
): Promise<void> {
  const inserted = await tx.query(
    `with given as (
       select * from json_to_recordset($1) as r(place integer, organisation_id uuid, id uuid, environment text, type text,
         subject text, data jsonb, created_at timestamptz)
     ), next as (
       update event_heads h set head = h.head + g.count
       from (select organisation_id, count(*) as count from given group by organisation_id) g
       where h.organisation_id = g.organisation_id returning h.organisation_id, h.head - g.count as before
     )
     insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
     select g.organisation_id, n.before + row_number() over (partition by g.organisation_id order by g.place), g.id, g.environment,
       g.type, g.subject, g.data, g.created_at
     from given g join next n on n.organisation_id = g.organisation_id returning sequence`,
    [JSON.stringify(events.map((event, place) => ({ ...event, place })))],
  );
  if (inserted.length < events.length) throw new Error("An organisation has no event counter.");
}

/** In one order, so that two who lock several never wait for each other. */
export async function lockEventHeads(tx: Tx, organisationIds: readonly string[]): Promise<void> {
  await tx.query(
    "select head from event_heads where organisation_id = any($1::uuid[]) order by organisation_id for update",
    [organisationIds],
  );
}

export async function insertEventHead(tx: Tx, organisationId: string): Promise<void> {
  await tx.query("insert into event_heads (organisation_id) values ($1)", [organisationId]);
}

/** Sequence of an event in its organisation. */
export async function findEventSequence(tx: OrganisationTx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ sequence: string }>(
    "select sequence from events where organisation_id = $1 and (environment is null or environment = $2) and id = $3",
    [tx.organisationId, tx.environment, id],
  );
  return row?.sequence;
}

/** Sequence of the last deleted event, if this is its ID: nothing behind it was deleted. */
export async function findDeletedSequence(tx: OrganisationTx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ position: string }>(
    `select position from log_floors where organisation_id = $1 and log = 'events'
       and case $2 when 'live' then live_id else test_id end = $3`,
    [tx.organisationId, tx.environment, id],
  );
  return row?.position;
}

export interface EventSearch {
  types?: readonly string[];
  subject_id?: string;
  from?: Date;
  to?: Date;
  order: "oldest" | "newest";
  /** Sequence of the last event of the previous page. */
  after: string;
  limit: number;
}

export type FoundEvent = EventRow & Scanned;

const SLACK_MS = 600_000;
/** Beyond any that is ever counted: the last bigint. */
export const END = "9223372036854775807";
/** More types than this are filtered, not scanned one by one. */
const MOST_SCANS = 20;

export function eventsStatement(
  { organisationId, environment }: OrganisationScope,
  search: EventSearch,
  window?: EventBounds,
): { text: string; values: unknown[] } {
  const { types, subject_id, from, to, order, after, limit } = search;
  const { values, bind } = binder(organisationId, environment);
  const [sign, way] = order === "oldest" ? ([">", ""] as const) : (["<", " desc"] as const);
  const bounds = [
    [sign, bind(after, "bigint")],
    ...(window
      ? [
          [">", bind(window.after, "bigint")],
          ["<", bind(window.before, "bigint")],
        ]
      : []),
  ] as [string, string][];
  const scanOf = (of: { column: string; value: string } | undefined, ...conditions: string[]): string => {
    const key = scanKey("e.sequence", of);
    const range = bounds.map(([compared, sequence]) => key.compare(compared, sequence));
    const own = "e.organisation_id = $1 and (e.environment is null or e.environment = $2)";
    return `select e.id, e.sequence, e.type, e.subject, e.data, e.created_at from events e
      where ${[own, ...key.conditions, ...conditions, ...range].join(" and ")} order by ${key.order(way)}`;
  };
  const matches = [
    ...(types ? [`r.type = any (${bind(types, "text[]")})`] : []),
    ...(from ? [`r.created_at >= ${bind(from, "timestamptz")}`] : []),
    ...(to ? [`r.created_at < ${bind(to, "timestamptz")}`] : []),
  ];
  const scan = (): string => {
    if (subject_id !== undefined) return scanOf({ column: "e.subject", value: bind(subject_id, "text") });
    if (!types || types.length > MOST_SCANS) return scanOf(undefined);
    const scans = types.map((type) => `(${scanOf(undefined, `e.type = ${bind(type, "text")}`)})`);
    return `select e.* from (${scans.join(" union all ")}) e order by e.sequence${way}`;
  };
  return { text: boundedScan(scan(), matches, limit), values };
}

/**
 * Sequences around the events of a window. An event gets its sequence within seconds of its time, so those that are ten
 * minutes older than the window come before all events in it. Row policies keep a subquery from being an index condition,
 * so this is a separate statement.
 */
export function boundsStatement(
  { organisationId }: OrganisationScope,
  { from, to }: Pick<EventSearch, "from" | "to">,
): { text: string; values: unknown[] } {
  const { values, bind } = binder(organisationId);
  const nearest = (sign: string, way: string, at: Date, ms: number): string =>
    `(select b.sequence from events b
      where b.organisation_id = $1 and b.created_at ${sign} ${bind(new Date(at.getTime() + ms), "timestamptz")}
      order by b.organisation_id${way}, b.created_at${way} limit 1)`;
  const first = from ? nearest("<", " desc", from, -SLACK_MS) : "null";
  const end = to ? nearest(">=", "", to, SLACK_MS) : "null";
  return { text: `select coalesce(${first}, 0) as after, coalesce(${end}, ${END}) as before`, values };
}

export interface EventBounds {
  after: string;
  before: string;
}

export async function searchEvents(
  db: Database,
  scope: OrganisationScope,
  search: EventSearch,
): Promise<FoundEvent[]> {
  const { from, to } = search;
  const look = boundsStatement(scope, search);
  const [bounds] =
    from || to ? await db.forOrganisation.readPlanned<EventBounds>(scope, look.text, look.values) : [];
  const { text, values } = eventsStatement(scope, search, bounds);
  return db.forOrganisation.readPlanned<FoundEvent>(scope, text, values);
}
