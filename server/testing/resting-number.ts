import { publishRoute } from "../src/numbers/numbers/numbers.store.ts";
import type { Environment } from "../src/platform/db/database.ts";
import { newId } from "../src/platform/ids.ts";
import type { Service } from "./service.ts";
import { holdNumber } from "./stock.ts";

/** A number that was released a while ago and can be restored until then; as a release would leave it. */
export async function restingNumber(
  { app, database }: Pick<Service, "app" | "database">,
  of: { organisationId: string; environment: Environment },
  restoreUntil: string | null,
): Promise<string> {
  const { id, e164 } = await holdNumber(app, of.organisationId, of.environment);
  await database.admin(
    `insert into releases (id, organisation_id, environment, holding_id, e164, job_id, step, previous_status, asked_by_kind, quarantined_until, created_at)
     values ($1, $2, $3, $4, $5, $1, 'quarantined', 'active', 'system', '2999-01-01', now())`,
    [newId(), of.organisationId, of.environment, id, e164],
  );
  await database.admin("update holdings set status = 'quarantined', restore_until = $2 where id = $1", [
    id,
    restoreUntil,
  ]);
  await app.db.forSystem("stock", (tx) => publishRoute(tx, id, app.clock.now()));
  return id;
}
