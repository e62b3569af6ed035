import type { Environment } from "../../src/platform/db/database.ts";
import { newId } from "../../src/platform/ids.ts";
import type { Service } from "../service.ts";

/** An order that waits for the data of the end user. No worker continues it. */
export async function waitingOrderOf(
  { database: { admin } }: Service,
  { organisationId, environment }: { organisationId: string; environment: Environment },
): Promise<{ id: string }> {
  const id = newId();
  await admin(
    `insert into jobs (id, organisation_id, environment, type, total, order_id, request_id, created_at, next_check_at,
       queued_at)
     values ($3, $1, $2, 'number_order', 1, $3, 'walls', now(), now() + interval '1 day', now())`,
    [organisationId, environment, id],
  );
  await admin(
    `insert into orders (organisation_id, environment, id, job_id, status, carrier, idempotency_key, quantity,
       all_or_nothing, tags, created_by_kind, created_at)
     values ($1, $2, $3, $3, 'processing', 'walls', $3::uuid::text, 1, false, '{}', 'session', now())`,
    [organisationId, environment, id],
  );
  await admin(
    `insert into order_items (organisation_id, environment, order_id, position, e164, step, reference)
     values ($1, $2, $3, 1, $4, 'submitted', $3)`,
    [organisationId, environment, id, `+16285${String(++ordered).padStart(6, "0")}`],
  );
  await admin(
    `insert into order_requirements (organisation_id, environment, order_id, position, requirement_id, type,
       description, document_kinds, status, updated_at)
     values ($1, $2, $3, 1, 'end_user', 'end_user', 'Person who uses the number.', '{}', 'missing', now())`,
    [organisationId, environment, id],
  );
  return { id };
}
let ordered = 0;
