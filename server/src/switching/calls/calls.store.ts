import type { Database, OrganisationScope } from "../../platform/db/database.ts";
import { type CallPosition, PARTIES_AND_NAMES, positionIn, SHOWN_CALL } from "./calls.json.store.ts";

export interface CallsOf {
  numberId: string;
  from?: Date;
  to?: Date;
  /** Start, switch and id of the last one shown. */
  after: CallPosition | undefined;
  limit: number;
}

/** A page as the text of a JSON array, newest first; `last` says after which call, where there is more. */
export interface CallPageRow {
  is_known: boolean;
  data: string;
  last: string | null;
}

/** Calls that the service could not accept are not the customer's. */
const PAGE = `
  with page as (
    select c.*, row_number() over (order by c.started_at desc, c.switch_id desc, c.id desc) as n from (
      select * from call_records
      where organisation_id = $1 and environment = $2 and holding_id = $3 and result <> 'not_served'
        and started_at >= coalesce($4::timestamptz, '-infinity') and started_at < coalesce($5::timestamptz, 'infinity')
        and started_at <= coalesce($6::timestamptz, 'infinity')
        and ($6::timestamptz is null or (started_at, switch_id, id) < ($6::timestamptz, $7::uuid, $8::uuid))
      order by started_at desc, switch_id desc, id desc limit $9::integer + 1) c
  )
  select exists (select from holdings where organisation_id = $1 and environment = $2 and id = $3) as is_known,
    '[' || coalesce(string_agg(${SHOWN_CALL}, ',' order by c.n) filter (where c.n <= $9), '') || ']' as data,
    max(${positionIn("c")}) filter (where c.n = $9 and exists (select from page where n > $9)) as last
  from page c ${PARTIES_AND_NAMES}`;

export async function findCallPage(
  db: Database,
  scope: OrganisationScope,
  { numberId, from, to, after, limit }: CallsOf,
): Promise<CallPageRow> {
  const [row] = await db.forOrganisation.read<CallPageRow>(scope, PAGE, [
    scope.organisationId,
    scope.environment,
    numberId,
    from ?? null,
    to ?? null,
    after?.startedAt ?? null,
    after?.switchId ?? null,
    after?.id ?? null,
    limit,
  ]);
  return row!;
}
