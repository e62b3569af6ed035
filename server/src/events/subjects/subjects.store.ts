import type { Database, OrganisationScope } from "../../platform/db/database.ts";

/** Current names of resources `s`, by type. Row policies hide those of other organisations. */
const LABELS: Readonly<Record<string, string>> = {
  number: "select h.e164 from holdings h where h.organisation_id = $1 and h.environment = $2 and h.id = s.id",
  connection:
    "select c.name from connections c where c.organisation_id = $1 and c.environment = $2 and c.id = s.id",
  webhook_endpoint:
    "select w.url from webhook_endpoints w where w.organisation_id = $1 and w.environment = $2 and w.id = s.id",
  user: `select u.name from memberships m join users u on u.id = m.user_id where m.organisation_id = $1 and m.user_id = s.id`,
  api_key: `select k.name from api_key_organisations o join api_keys k on k.id = o.api_key_id
    where o.organisation_id = $1 and o.api_key_id = s.id`,
  identity_provider: "select p.name from identity_providers p where p.organisation_id = $1 and p.id = s.id",
  organisation: "select o.name from organisations o where o.id = $1 and o.id = s.id",
};

export const LABELLED: ReadonlySet<string> = new Set(Object.keys(LABELS));

const FIND = `select s.type, s.id, case s.type ${Object.entries(LABELS)
  .map(([type, sql]) => `when '${type}' then (${sql} limit 1)`)
  .join(" ")} end as label
  from unnest($3::text[], $4::uuid[]) as s (type, id)`;

export interface Labelled {
  type: string;
  id: string;
  label: string | null;
}

export async function findLabels(
  db: Database,
  { organisationId, environment }: OrganisationScope,
  subjects: readonly { type: string; id: string }[],
): Promise<Labelled[]> {
  return db.forOrganisation.read<Labelled>({ organisationId, environment }, FIND, [
    organisationId,
    environment,
    subjects.map(({ type }) => type),
    subjects.map(({ id }) => id),
  ]);
}
