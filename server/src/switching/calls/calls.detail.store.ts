import type { Database, OrganisationScope } from "../../platform/db/database.ts";
import { callDetail } from "./calls.json.store.ts";
import type { OperatorCallDetail } from "./calls.operator.schema.ts";
import type { CallDetail } from "./calls.schema.ts";

/** The key of a call starts with its switch, so each switch takes one look-up per partition. */
const EVERY_SWITCH = "switch_id = any (array(select s.id from switches s))";

const OWN = callDetail((alias) => `${alias}.organisation_id = $1 and ${alias}.environment = $2`, {
  isOperator: false,
});
const ONE = `
  select ${OWN.columns}
  from (
    select * from call_records
    where organisation_id = $1 and environment = $2 and ${EVERY_SWITCH} and id = $3 and result <> 'not_served'
    order by started_at desc limit 1) c
  ${OWN.joins}`;

export async function findCall(
  db: Database,
  scope: OrganisationScope,
  id: string,
): Promise<CallDetail | undefined> {
  const [row] = await db.forOrganisation.readPlanned<{ call: CallDetail }>(scope, ONE, [
    scope.organisationId,
    scope.environment,
    id,
  ]);
  return row?.call;
}

const OF_CALL = callDetail(
  (alias) => `${alias}.organisation_id = c.organisation_id and ${alias}.environment = c.environment`,
  { isOperator: true },
);
const ONE_OF_ALL = `
  select ${OF_CALL.columns}
  from (select * from call_records where ${EVERY_SWITCH} and id = $1 order by started_at desc limit 1) c
  ${OF_CALL.joins}`;

export async function findCallOfAll(db: Database, id: string): Promise<OperatorCallDetail | undefined> {
  const [row] = await db.forSystem.readPlanned<{ call: OperatorCallDetail }>("operator", ONE_OF_ALL, [id]);
  return row?.call;
}
