import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { KeyedAnswer } from "../../platform/http/operation.ts";
import type { Page } from "../../platform/http/page.ts";
import type { KeyedRequest } from "../../platform/idempotency/idempotency-key.ts";
import { keptUntil, replay } from "../../platform/idempotency/idempotency.ts";
import { newId } from "../../platform/ids.ts";
import { pause } from "../../platform/pause.ts";
import { ApiError } from "../../platform/api-error.ts";
import { type Author, authorOf } from "../../events/audit/audit.ts";
import { destinationFault, targetFault } from "./routing.destination-fault.ts";
import { noSuchNumber, rejectUnlessDone } from "./routing.outcomes.ts";
import { sourceFault } from "./routing.destinations.ts";
import {
  deniedMode,
  type Destination,
  type Difference,
  differencesBetween,
  destinationOf,
} from "./routing.rules.ts";
import type { SetRouting } from "./routing.destination.schema.ts";
import type { RollBackRouting } from "./routing.schema.ts";
import {
  findRevisions,
  findRouting,
  findRoutingInside,
  listPositions,
  listRevisionsBefore,
  type RevisionRow,
  type RoutingChange,
  type RoutingRecord,
  setRoutingOnce,
  type StoredResponse,
  setRoutingRow,
} from "./routing.store.ts";

export { decideRoutings, publishRoutings } from "./routing.many.ts";
export { rejectDestination } from "./routing.reject-destination.ts";
export { DriftedValue, Generation, RoutingDestination, RoutingDifference, Setter } from "./routing.schema.ts";
export { SetRouting } from "./routing.destination.schema.ts";
export {
  type Destination,
  destinationFault,
  destinationOf,
  type Difference,
  differencesBetween,
  type RevisionRow,
  type RoutingRecord,
  sourceFault,
  targetFault,
};

export async function getRouting(
  { db }: Pick<App, "db">,
  actor: Actor,
  numberId: string,
): Promise<RoutingRecord> {
  return (await findRouting(db, actor, numberId)) ?? missingNumber();
}

export async function hasRouting(tx: OrganisationTx, numberId: string): Promise<boolean> {
  return (await findRoutingInside(tx, numberId)) !== undefined;
}

interface Wanted {
  numberId: string;
  body: SetRouting;
  ifMatch: readonly string[] | undefined;
}

const SET: StoredResponse = {
  status: 200,
  content_type: "application/json; charset=utf-8",
  etag: '"{generation}"',
};

/** Sets the desired route once per key, in one round trip. A rejected request stores nothing. */
export async function setRouting(
  app: Pick<App, "db" | "clock" | "config" | "names" | "feed">,
  actor: Actor,
  wanted: Wanted,
  request: KeyedRequest,
): Promise<KeyedAnswer> {
  const desired = destinationOf(wanted.body);
  const fault = await destinationFault(app, desired);
  const author = authorOf(actor.caller, actor.origin);
  const change = changeOf(app, author, { ...wanted, desired, fault, reason: wanted.body.reason });
  const key = { ...request, keptUntil: keptUntil(change.at), stored: SET };
  const done = await setRoutingOnce(app.db, actor, key, change);
  if (done.outcome === "running" || done.outcome === "earlier") {
    const earlier = {
      ...done,
      is_running: done.outcome === "running",
      fingerprint: done.earlier_fingerprint,
    };
    return { answer: replay(earlier, request), isReplay: true };
  }
  rejectUnlessDone(done.outcome, done.generation, fault);
  app.feed.poke();
  const { status, content_type, body, etag } = done;
  return {
    answer: { status, contentType: content_type, body, location: undefined, etag: etag ?? undefined },
    isReplay: false,
  };
}

/** Looks up the names in a revision, so that a rollback finds them known. */
export async function foreseeRollback(
  app: Pick<App, "db" | "config" | "names">,
  actor: Actor,
  { numberId, generation }: { numberId: string; generation: number },
): Promise<void> {
  const [revision] = await app.db.forOrganisation(actor, (tx) => findRevisions(tx, numberId, [generation]));
  if (revision) await destinationFault(app, revision.desired);
}

/** Desires again what a revision says: a change like any other, with the same checks. */
export async function rollBackRouting(
  tx: OrganisationTx,
  app: Pick<App, "clock" | "config" | "names">,
  actor: Actor,
  wanted: { numberId: string; body: RollBackRouting; ifMatch: readonly string[] | undefined },
): Promise<RoutingRecord> {
  const { numberId, body } = wanted;
  const current = (await findRoutingInside(tx, numberId)) ?? missingNumber();
  const [revision] = await findRevisions(tx, numberId, [body.generation]);
  if (!revision) return noSuchRevision(body.generation);
  rejectModes(actor, revision.desired);
  const reason = body.reason ?? `Rolled back to generation ${body.generation}`;
  const outcome = await changeRouting(tx, app, actor, { ...wanted, desired: revision.desired, reason });
  return outcome === "unchanged" ? current : ((await findRoutingInside(tx, numberId)) ?? missingNumber());
}

/** For other features that change many: the same checks, the same trace, in their transaction. */
export async function changeRouting(
  tx: OrganisationTx,
  app: Pick<App, "clock" | "config" | "names">,
  actor: Actor,
  wanted: {
    numberId: string;
    desired: Destination;
    reason?: string | undefined;
    ifMatch: readonly string[] | undefined;
  },
): Promise<"set" | "unchanged"> {
  const fault = await destinationFault(app, wanted.desired);
  const author = authorOf(actor.caller, actor.origin);
  const { outcome, generation } = await setRoutingRow(tx, changeOf(app, author, { ...wanted, fault }));
  return rejectUnlessDone(outcome, generation, fault);
}

/** Until every switch does what is desired, or `until` says that it has been long enough. */
export async function waitUntilApplied(
  app: Pick<App, "db" | "feed">,
  actor: Actor,
  numberId: string,
  until: AbortSignal,
): Promise<RoutingRecord> {
  await app.feed.waitUntilConfirmed(await listPositions(app.db, actor, numberId), until);
  for (;;) {
    const routing = (await findRouting(app.db, actor, numberId)) ?? missingNumber();
    const { status } = JSON.parse(routing.record) as { status: string };
    if (status === "in_sync" || until.aborted) return routing;
    // Confirmed except for an exception of this number, which ends without a new version.
    await pause(LOOK_AGAIN_MS, until);
  }
}

export async function listRevisions(
  { db }: Pick<App, "db">,
  actor: Actor,
  numberId: string,
  page: Page,
): Promise<RevisionRow[]> {
  const revisions = await db.forOrganisation(actor, (tx) =>
    listRevisionsBefore(tx, numberId, page.after, page.limit),
  );
  // Every number has at least the revision it began with.
  return revisions.length > 0 || page.after !== undefined ? revisions : missingNumber();
}

export async function diffRevisions(
  { db }: Pick<App, "db">,
  actor: Actor,
  numberId: string,
  between: { from: number; to: number },
): Promise<Difference[]> {
  return db.forOrganisation(actor, async (tx) => {
    const found = await findRevisions(tx, numberId, [between.from, between.to]);
    const revision = (generation: number): RevisionRow =>
      found.find((one) => Number(one.generation) === generation) ?? noSuchRevision(generation);
    if (found.length === 0) void ((await findRoutingInside(tx, numberId)) ?? missingNumber());
    return differencesBetween(revision(between.from).desired, revision(between.to).desired);
  });
}

/** Rejects modes that only people set, in each step. `routing` is unvalidated input. */
export function rejectModes({ caller }: Pick<Actor, "caller">, routing: unknown): void {
  const mode = deniedMode(caller, routing);
  if (mode === undefined) return;
  throw new ApiError("mode_not_allowed", `An API key cannot set the mode ${mode}. Sign in as a user.`);
}

const LOOK_AGAIN_MS = 50;

function changeOf(
  { clock }: Pick<App, "clock">,
  { actor_kind, actor_id, actor_name, request_id, address }: Author,
  wanted: {
    numberId: string;
    desired: Destination;
    fault: string | undefined;
    reason?: string | undefined;
    ifMatch: readonly string[] | undefined;
  },
): RoutingChange {
  return {
    numberId: wanted.numberId,
    desired: wanted.desired,
    isForbidden: wanted.fault !== undefined,
    expected: wanted.ifMatch?.filter((tag) => GENERATION.test(tag)).map(Number),
    author: {
      kind: actor_kind,
      id: actor_id,
      name: actor_name,
      request_id,
      address,
      reason: wanted.reason ?? null,
    },
    eventId: newId(),
    auditId: newId(),
    at: clock.now(),
  };
}

const GENERATION = /^[1-9]\d{0,14}$/;

function missingNumber(): never {
  throw noSuchNumber();
}

function noSuchRevision(generation: number): never {
  throw new ApiError("revision_not_found", `This number's routing has no generation ${generation}.`);
}
