import type { Database, OrganisationScope } from "../../platform/db/database.ts";
import { CALL_FIELDS, PARTIES_AND_NAMES } from "./calls.json.store.ts";
import type { CallDetail } from "./calls.schema.ts";

export interface CallRow {
  call: Omit<CallDetail, "misrouted">;
  /** Hosts of the connection, if it has not changed since the call. */
  hosts: string[] | null;
}

/** The key of a call starts with its switch, so each switch takes one look-up per partition. */
const ONE = `
  select json_build_object(${CALL_FIELDS}, 'called', p.called, 'received_at', wire_time(c.received_at), 'destination', r.desired) as call,
    (select array_agg(t.host) from connections k
      join connection_targets t on t.organisation_id = $1 and t.environment = $2 and t.connection_id = k.id
      where k.organisation_id = $1 and k.environment = $2 and k.id = c.connection_id and k.updated_at <= c.started_at) as hosts
  from (
    select * from call_records
    where organisation_id = $1 and environment = $2 and switch_id = any (array(select s.id from switches s)) and id = $3
      and result <> 'not_served'
    order by started_at desc limit 1) c
  left join routing_revisions r on r.organisation_id = $1 and r.environment = $2
    and r.holding_id = c.holding_id and r.generation = c.generation
  ${PARTIES_AND_NAMES}`;

export async function findCall(
  db: Database,
  scope: OrganisationScope,
  id: string,
): Promise<CallRow | undefined> {
  const [row] = await db.forOrganisation.readPlanned<CallRow>(scope, ONE, [
    scope.organisationId,
    scope.environment,
    id,
  ]);
  return row;
}
