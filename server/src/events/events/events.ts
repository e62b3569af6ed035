import type { App } from "../../app.ts";
import type { Environment, Tx } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { ApiError } from "../../platform/api-error.ts";
import { type Author, recordActs } from "../audit/audit.ts";
import { type EventType, isEventSelector } from "./events.catalogue.ts";
import {
  type EventRow,
  findEventSequence,
  insertEvents,
  insertEventHead,
  lockEventHeads,
  listEventsAfter,
  listEventsBefore,
} from "./events.store.ts";

export type { EventRow, EventType };
export { isEventSelector };

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
  const acts = audited.map(({ type, organisationId, environment, subject, data = {} }) => ({
    action: type,
    subject,
    organisationId,
    detail: data,
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

/** Beyond any that is ever counted: a bigint's last. */
const END = "9223372036854775807";

/** Events after the cursor, or all. Returns one row more than requested. */
export async function listEvents(
  { db }: Pick<App, "db">,
  actor: Actor,
  page: Page & { order: "oldest" | "newest" },
): Promise<EventRow[]> {
  return db.forOrganisation(actor, async (tx) => {
    const edge = page.order === "oldest" ? "0" : END;
    const sequence = page.after === undefined ? edge : await findEventSequence(tx, page.after);
    if (sequence === undefined) {
      throw new ApiError(
        "invalid_cursor",
        "after is not the ID of an event in this organisation and environment.",
        {
          errors: [{ parameter: "after", code: "unknown", detail: "Use the ID of an event from this list." }],
        },
      );
    }
    const list = page.order === "oldest" ? listEventsAfter : listEventsBefore;
    return list(tx, sequence, page.limit);
  });
}
