import type { App } from "../../app.ts";
import type { Environment, Tx } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/http/access.ts";
import { madeAtMs, newId } from "../../platform/ids.ts";
import { ApiError } from "../../platform/api-error.ts";
import { type Author, recordActs } from "../audit/audit.ts";
import { pageOfScan } from "../../platform/db/bounded-scan.ts";
import { edgesOf } from "../../platform/http/window.ts";
import { referToSubjects, type SubjectRef } from "../subjects/subjects.ts";
import { EVENT_TYPES, type EventType, isEventSelector } from "./events.catalogue.ts";
import type { EventsQuery } from "./events.schema.ts";
import {
  END,
  type EventRow,
  findDeletedSequence,
  findEventSequence,
  insertEvents,
  insertEventHead,
  lockEventHeads,
  searchEvents,
} from "./events.store.ts";

export type { EventRow, EventType };
export { isEventSelector };

type Needs = Pick<App, "db" | "clock" | "config">;

const DAY_MS = 86_400_000;

/** A change of something an organisation has. */
export interface Change {
  /** Also the action in the audit. */
  type: EventType;
  organisationId: string;
  /** Absent if the change concerns both environments. */
  environment?: Environment;
  subject: string;
  /** Data for readers of the event: never a secret, never an email address of a non-member. */
  data?: Record<string, unknown>;
  /** Changed settings, without secrets: for the audit entry. */
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  /** Default: true. An event that repeats an existing audit entry needs no other. */
  isAudited?: boolean;
}

/** The event and the audit entry of a change, in the transaction that makes it. Call it last. */
export async function recordChange(tx: Tx, author: Author, at: Date, change: Change): Promise<void> {
  await recordChanges(tx, author, at, [change]);
}

/** The same for many changes in a few statements. Each organisation's events keep the given order. */
export async function recordChanges(
  tx: Tx,
  author: Author,
  at: Date,
  changes: readonly Change[],
): Promise<void> {
  const audited = changes.filter(({ isAudited = true }) => isAudited);
  const acts = audited.map(({ type, organisationId, environment, subject, data = {}, before, after }) => ({
    action: type,
    subject,
    organisationId,
    detail: data,
    before: before ?? null,
    after: after ?? null,
    ...(environment && { environment }),
  }));
  const events = changes.map(({ type, organisationId, environment, subject, data = {} }) => ({
    id: newId(),
    organisation_id: organisationId,
    environment: environment ?? null,
    type,
    subject,
    data,
    created_at: at,
  }));
  const organisationIds = new Set(changes.map(({ organisationId }) => organisationId));
  await Promise.all([
    acts.length > 0 && recordActs(tx, author, at, acts),
    organisationIds.size > 1 && lockEventHeads(tx, [...organisationIds]),
    insertEvents(tx, events),
  ]);
}

/** Makes changes of these organisations queue from this point, where counting or listing must not be overtaken. */
export async function lockChanges(tx: Tx, organisationIds: readonly string[]): Promise<void> {
  await lockEventHeads(tx, organisationIds);
}

/** Every organisation counts its own events from 1. */
export async function startEvents(tx: Tx, organisationId: string): Promise<void> {
  await insertEventHead(tx, organisationId);
}

export type ListedEvent = EventRow & { subject_ref: SubjectRef | null };

/** Events after the cursor that match all filters. `last` is the ID of the event after which the list continues. */
export async function listEvents(
  app: Needs,
  actor: Actor,
  query: EventsQuery & { limit: number; order: "oldest" | "newest" },
): Promise<{ events: ListedEvent[]; last: string | null }> {
  const { after, type, subject_id, from, to, order, limit } = query;
  const selected = type && typesOf(type);
  const edges = edgesOf({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
  const found = await searchEvents(app.db, actor, {
    ...(selected && { types: selected }),
    ...(subject_id !== undefined && { subject_id }),
    ...edges,
    order,
    after: await sequenceAfter(app, actor, after, order),
    limit,
  });
  const { matches, last } = pageOfScan(found, limit);
  const references = await referToSubjects(
    app,
    actor,
    matches.map((event) => ({ ...event, action: event.type })),
  );
  const events = matches.map((event, at) => ({ ...event, subject_ref: references[at]! }));
  return { events, last: last?.id ?? null };
}

async function sequenceAfter(
  { db, clock, config }: Needs,
  actor: Actor,
  after: string | undefined,
  order: "oldest" | "newest",
): Promise<string> {
  if (after === undefined) return order === "oldest" ? "0" : END;
  const sequence = await db.forOrganisation(
    actor,
    async (tx) => (await findEventSequence(tx, after)) ?? (await findDeletedSequence(tx, after)),
  );
  if (sequence !== undefined) return sequence;
  const days = config.eventsDays;
  if (madeAtMs(after) < clock.now().getTime() - days * DAY_MS)
    throw new ApiError(
      "invalid_cursor",
      `after is older than ${days} days, and events are kept for ${days} days. Events behind it may be deleted.`,
      {
        errors: [
          { parameter: "after", code: "expired", detail: "Start without after, at the oldest stored event." },
        ],
      },
    );
  throw new ApiError(
    "invalid_cursor",
    "after is not the ID of an event in this organisation and environment.",
    {
      errors: [{ parameter: "after", code: "unknown", detail: "Use the ID of an event from this list." }],
    },
  );
}

/** Selectors name types that exist, so that a misspelt one is not an empty list. */
function typesOf(selectors: readonly string[]): string[] {
  const errors = selectors.flatMap((selector) =>
    isEventSelector(selector)
      ? []
      : [{ parameter: "type", code: "not_allowed", detail: `No events have the type ${selector}.` }],
  );
  if (errors.length > 0)
    throw new ApiError("invalid_request", errors.map(({ detail }) => detail).join(" "), { errors });
  return EVENT_TYPES.filter((type) =>
    selectors.some((selector) => selector === type || selector === `${type.slice(0, type.indexOf("."))}.*`),
  );
}
