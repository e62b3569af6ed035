import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Actor, Caller, Origin, SessionCaller } from "../../platform/http/access.ts";
import { newId } from "../../platform/ids.ts";
import type { ApiError } from "../../platform/api-error.ts";
import { type AuditRow, insertAuditEntries } from "./audit.store.ts";

export type { AuditRow };

export type Author = Pick<AuditRow, "actor_kind" | "actor_id" | "actor_name" | "request_id" | "address">;

/** An action, completed or rejected, for the audit log. */
export interface Act {
  action: string;
  subject?: string;
  organisationId?: string;
  environment?: Actor["environment"];
  detail?: Record<string, unknown>;
  outcome?: "done" | "refused";
  /** Changed settings, without secrets. */
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

export function authorOf(caller: Caller | undefined, origin: Origin): Author {
  const where = { request_id: origin.requestId, address: origin.address };
  if (!caller) return { actor_kind: "nobody", actor_id: null, actor_name: null, ...where };
  const id = caller.kind === "session" ? caller.userId : caller.id;
  return { actor_kind: caller.kind, actor_id: id, actor_name: caller.name, ...where };
}

/** The operator acts as such, not as a member of anything. */
export function operatorOf(caller: SessionCaller, origin: Origin): Author {
  return { ...authorOf(caller, origin), actor_kind: "operator" };
}

/** For what the server's own commands and sweeps do. */
export function systemAuthor(name: string): Author {
  return { actor_kind: "system", actor_id: null, actor_name: name, request_id: null, address: null };
}

export async function recordAct(tx: Tx, author: Author, at: Date, act: Act): Promise<void> {
  await recordActs(tx, author, at, [act]);
}

/** The same for many at once, in one statement. */
export async function recordActs(tx: Tx, author: Author, at: Date, acts: readonly Act[]): Promise<void> {
  await insertAuditEntries(
    tx,
    acts.map((act) => rowOf(author, at, act)),
  );
}

export interface RejectionJournal {
  add(apiError: ApiError, to: { caller?: Caller; actor?: Actor; origin: Origin }): void;
  close(): Promise<void>;
}

/** A flood of errors must not become a flood of writes: beyond this many between two flushes they are only counted. */
const MOST_WAITING = 1_000;
const FLUSH_MS = 500;
/** Limit for unauthenticated callers: entries are permanent, and any client can cause them. */
const STRANGERS_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Records errors a little later, because a rejected request has no transaction to join. */
export function openRejectionJournal({
  db,
  clock,
  log,
}: Pick<App, "db" | "clock" | "log">): RejectionJournal {
  let waiting: AuditRow[] = [];
  let dropped = 0;
  let [strangers, minute] = [0, 0];
  const isOneStrangerTooMany = (): boolean => {
    const now = Math.floor(clock.now().getTime() / MINUTE_MS);
    if (now !== minute) [strangers, minute] = [0, now];
    return ++strangers > STRANGERS_A_MINUTE;
  };

  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    if (dropped > 0) log.warn({ dropped }, "audit entries of rejected requests dropped: queue full");
    dropped = 0;
    await db
      .forSystem("refusals", (tx) => insertAuditEntries(tx, rows))
      .catch((error: unknown) => {
        log.error({ err: error, lost: rows.length }, "audit entries of rejected requests not stored");
      });
  };
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();

  return {
    add(apiError, { caller, actor, origin }) {
      const policy = apiError.options.members?.["policy"];
      const isThrottledSignIn = typeof policy === "string" && policy.startsWith("sign_in_");
      if (apiError.status !== 403 && !isThrottledSignIn) return;
      if (waiting.length >= MOST_WAITING || (!caller && isOneStrangerTooMany())) return void dropped++;
      const act: Act = { action: "request.refused", outcome: "refused", detail: { code: apiError.code } };
      if (actor) Object.assign(act, { organisationId: actor.organisationId, environment: actor.environment });
      waiting.push(rowOf(authorOf(caller, origin), clock.now(), act));
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

function rowOf(author: Author, at: Date, act: Act): AuditRow {
  return {
    id: newId(),
    organisation_id: act.organisationId ?? null,
    environment: act.environment ?? null,
    action: act.action,
    outcome: act.outcome ?? "done",
    subject: act.subject ?? null,
    detail: act.detail ?? {},
    before: act.before ?? null,
    after: act.after ?? null,
    at,
    ...author,
  };
}
