import type { Clock } from "../clock.ts";
import type { Database, OrganisationScope, OrganisationTx } from "../db/database.ts";
import { sweepTable } from "../db/sweep.ts";
import { ApiError } from "../api-error.ts";
import type { KeyedRequest } from "./idempotency-key.ts";

/** Response as sent, so that a replay is identical to the byte. */
export interface WireAnswer {
  status: number;
  contentType: string;
  body: string;
  location: string | undefined;
  etag: string | undefined;
}

/** As long as jobs are kept, so that a replay never points at a job that is gone. */
const KEPT_DAYS = 30;

export function keptUntil(now: Date): Date {
  return new Date(now.getTime() + KEPT_DAYS * 86_400_000);
}

/** Errors that are a decision about the request, not about the moment or the key, are remembered like successes. */
function isRemembered({ status, code }: ApiError): boolean {
  return (status === 409 || status === 422) && !code.startsWith("idempotency_");
}

/** Stored response to an earlier request with the same key. */
export interface EarlierAnswer {
  is_running: boolean;
  fingerprint: Buffer | null;
  status: number;
  content_type: string;
  body: string;
  location: string | null;
  etag: string | null;
}

interface KeyedWork {
  run(tx: OrganisationTx): Promise<WireAnswer>;
  responseOf(apiError: ApiError): WireAnswer;
  /** Called if another request has used the key: a missing resource takes precedence over the reused key. */
  rejectUnseen?(tx: OrganisationTx): Promise<void>;
}

/**
 * Does the work of a key at most once. Key, effect and response are one transaction: a crash leaves all of
 * them or none. A transaction lock shows whether the first request still runs.
 */
export async function once(
  needs: { db: Database; clock: Clock },
  scope: OrganisationScope,
  request: KeyedRequest,
  work: KeyedWork,
): Promise<{ answer: WireAnswer; isReplay: boolean }> {
  return needs.db.forOrganisation(scope, async (tx) => {
    const now = needs.clock.now();
    const [earlier] = await tx.query<EarlierAnswer>("select * from claim_idempotency_key($1, $2)", [
      request.key,
      now,
    ]);
    if (earlier) {
      if (!isSame(earlier, request)) await work.rejectUnseen?.(tx);
      return { answer: replay(earlier, request), isReplay: true };
    }

    const answer = await tx
      .attempt((inner) => work.run(inner))
      .catch((error: unknown) => {
        if (error instanceof ApiError && isRemembered(error)) return work.responseOf(error);
        throw error;
      });
    await remember(tx, request, answer, now);
    return { answer, isReplay: false };
  });
}

export function replay(earlier: EarlierAnswer, request: KeyedRequest): WireAnswer {
  if (earlier.is_running) {
    throw new ApiError("idempotency_in_progress", "The first request with this key is still in progress.", {
      retryAfterSeconds: 1,
    });
  }
  if (!isSame(earlier, request)) {
    throw new ApiError(
      "idempotency_key_reused",
      "This Idempotency-Key was already used for a different request. Send a new key for a new request.",
    );
  }
  return {
    status: earlier.status,
    contentType: earlier.content_type,
    body: earlier.body,
    location: earlier.location ?? undefined,
    etag: earlier.etag ?? undefined,
  };
}

function isSame({ fingerprint }: EarlierAnswer, request: KeyedRequest): boolean {
  return fingerprint?.equals(request.fingerprint) ?? false;
}

/** An expired row of the same key may still be there; the sweep has not come by yet. */
async function remember(
  tx: OrganisationTx,
  request: KeyedRequest,
  answer: WireAnswer,
  now: Date,
): Promise<void> {
  const where = [tx.organisationId, tx.environment, request.key];
  const expiresAt = keptUntil(now);
  await Promise.all([
    tx.query(
      "delete from idempotency_keys where organisation_id = $1 and environment = $2 and key = $3",
      where,
    ),
    tx.query(
      `insert into idempotency_keys (organisation_id, environment, key, fingerprint, status, content_type, body, location, etag, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        ...where,
        request.fingerprint,
        answer.status,
        answer.contentType,
        answer.body,
        answer.location ?? null,
        answer.etag ?? null,
        now,
        expiresAt,
      ],
    ),
  ]);
}

export async function sweepIdempotencyKeys({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  await sweepTable(db, { table: "idempotency_keys", where: "expires_at <= $1", values: [clock.now()] });
}
