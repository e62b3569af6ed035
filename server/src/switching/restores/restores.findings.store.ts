import type { Environment, Tx } from "../../platform/db/database.ts";
import type { FindingKind, FindingState } from "./restores.rules.ts";

/** Value of a route or connection, as the feed has it. */
export type ItemValue = Record<string, unknown>;

export interface RestoreFindingRow {
  id: string;
  restore_id: string;
  kind: FindingKind;
  item_kind: "route" | "connection";
  item_id: string | null;
  e164: string | null;
  organisation_id: string | null;
  environment: Environment;
  here: ItemValue | null;
  there: ItemValue | null;
  generation_here: string | null;
  generation_there: string | null;
  switches: string[];
  carrier: string | null;
  finding_id: string | null;
  state: FindingState;
  decided_at: Date | null;
  decided_by: string | null;
}

const COLUMNS = `id, restore_id, kind, item_kind, item_id, e164, holder_id as organisation_id, environment, here, there,
  generation_here, generation_there, switches, carrier, finding_id, state, decided_at, decided_by`;

export interface FindingFilter {
  kind?: FindingKind | undefined;
  state?: FindingState | undefined;
}

/** Connections first, because routes name them. */
const RANK = "(item_kind || ' ' || id)";

export async function listFindingsAfter(
  tx: Tx,
  restoreId: string,
  { kind, state }: FindingFilter,
  page: { after: string | undefined; limit: number },
): Promise<RestoreFindingRow[]> {
  return tx.query(
    `select ${COLUMNS} from restore_findings
     where restore_id = $1 and ($2::text is null or kind = $2) and ($3::text is null or state = $3)
       and ($4::text is null or ${RANK} > $4)
     order by ${RANK} limit $5`,
    [restoreId, kind ?? null, state ?? null, page.after ?? null, page.limit + 1],
  );
}

export async function findFinding(tx: Tx, id: string): Promise<RestoreFindingRow | undefined> {
  const [row] = await tx.query<RestoreFindingRow>(`select ${COLUMNS} from restore_findings where id = $1`, [
    id,
  ]);
  return row;
}

/** Undefined if it was decided in the meantime. */
export async function setDecided(
  tx: Tx,
  id: string,
  decision: { state: FindingState; at: Date; by: string },
): Promise<RestoreFindingRow | undefined> {
  const [row] = await tx.query<RestoreFindingRow>(
    `update restore_findings set state = $2, decided_at = $3, decided_by = $4
     where id = $1 and state = 'open' returning ${COLUMNS}`,
    [id, decision.state, decision.at, decision.by],
  );
  return row;
}

export async function countFindings(
  tx: Tx,
  restoreId: string,
): Promise<{ kind: FindingKind; state: FindingState; count: number }[]> {
  return tx.query(
    `select kind, state, count(*)::int as count from restore_findings where restore_id = $1
     group by kind, state order by kind, state`,
    [restoreId],
  );
}

/** A change here since the restore began is the newest decision about an item. */
export async function closeOutdated(tx: Tx, restoreId: string, at: Date): Promise<void> {
  await tx.query(
    `update restore_findings f set state = 'outdated', decided_at = $2, decided_by = 'change'
     where restore_id = $1 and state = 'open' and item_id is not null and changed_since_restore(item_id)`,
    [restoreId, at],
  );
}

/** Numbers that differ at carriers, from reconciliations. Those that a switch shows too get the carrier's name. */
export async function takeCarrierFindings(
  tx: Tx,
  restoreId: string,
  { since, at }: { since: Date; at: Date },
): Promise<void> {
  await tx.query(
    `update restore_findings f set carrier = r.carrier, finding_id = x.id
     from reconciliation_findings x join reconciliations r on r.id = x.reconciliation_id
     where f.restore_id = $1 and r.started_at >= $2 and f.e164 = x.e164 and f.item_kind = 'route'
       and f.environment = 'live' and x.kind in ('not_at_carrier', 'not_here')`,
    [restoreId, since],
  );
  await tx.query(
    `insert into restore_findings (id, restore_id, kind, item_kind, item_id, e164, holder_id, carrier, finding_id)
     select gen_random_uuid(), $1, x.kind, 'route', x.holding_id, x.e164, coalesce(h.organisation_id, x.bought_for),
       r.carrier, x.id
     from reconciliation_findings x join reconciliations r on r.id = x.reconciliation_id
     left join holdings h on h.id = x.holding_id
     where r.started_at >= $2 and x.repaired_at is null and x.kind in ('not_at_carrier', 'not_here')
       and not exists (select from restore_findings f where f.restore_id = $1 and f.e164 = x.e164
         and f.environment = 'live' and f.switches <> '{}')
     on conflict do nothing`,
    [restoreId, since],
  );
  // A switch was compared later than the carrier.
  await tx.query(
    `update restore_findings c set state = 'outdated', decided_at = $2, decided_by = 'switch'
     where restore_id = $1 and state = 'open' and switches = '{}' and exists (select from restore_findings f
       where f.restore_id = $1 and f.e164 = c.e164 and f.environment = 'live' and f.switches <> '{}')`,
    [restoreId, at],
  );
}

export async function restoreRouting(
  tx: Tx,
  routing: {
    numberId: string;
    /** Undefined: the one it has. */
    value?: ItemValue;
    seenGeneration: number;
    author: Record<string, unknown>;
    eventId: string;
    auditId: string;
    at: Date;
  },
): Promise<void> {
  const { numberId, value, seenGeneration, author, eventId, auditId, at } = routing;
  await tx.query("select restore_routing($1, $2, $3, $4, $5, $6, $7)", [
    numberId,
    value ?? null,
    seenGeneration,
    author,
    eventId,
    auditId,
    at,
  ]);
}

/** The unfinished order of the organisation for this number, which will find it bought. */
export async function findOrderOf(
  tx: Tx,
  { organisationId, e164 }: { organisationId: string; e164: string },
): Promise<{ id: string; carrier: string | null } | undefined> {
  const [row] = await tx.query<{ id: string; carrier: string | null }>(
    `select o.id, o.carrier from order_items i join orders o on o.organisation_id = i.organisation_id
       and o.environment = i.environment and o.id = i.order_id
     where i.environment = 'live' and i.organisation_id = $1 and i.e164 = $2
       and i.step in ('chosen', 'submitted', 'unknown', 'bought') limit 1`,
    [organisationId, e164],
  );
  return row;
}

export async function organisationExists(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query("select from organisations where id = $1", [id])).length > 0;
}
