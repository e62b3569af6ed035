import type { Service } from "../../server/testing/service.ts";

const STATES = `(values (1, 'failed', 'Out of memory.', null), (2, 'drifted', 'It held another value.', 14),
  (3, null, 'It held another value.', 2)) s (place, state, error, count)`;
const ITEMS = `with items as (
  select r.holding_id as id, r.shard, r.organisation_id, r.environment, r.version, w.id as switch_id, s.*,
    '{"mode": "sip_uri", "sip_uri": "sip:somebody@else.example"}'::jsonb as found,
    '{"mode": "sip_uri", "sip_uri": "sip:reception@pbx.northwind.example"}'::jsonb as expected
  from (select *, row_number() over (order by holding_id) as place from routings where organisation_id = $2) r
  join ${STATES} on s.place = r.place join switches w on w.name = $1)`;

/** Up to three numbers of an organisation: one that the switch rejected, one that drifts, one that was repaired. */
export async function seedExceptions(
  { database: { admin } }: Pick<Service, "database">,
  switchName: string,
  organisationId: string,
): Promise<void> {
  await admin(
    `${ITEMS} update feed_items f set value = f.value || items.expected from items where f.item_id = items.id`,
    [switchName, organisationId],
  );
  await admin(
    `${ITEMS} insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, applied, applied_generation, error, since, observed_at)
     select switch_id, id, shard, 'route', organisation_id, environment, version, state, found, 1, error,
       now() - interval '26 minutes', now() from items where state is not null`,
    [switchName, organisationId],
  );
  await admin(
    `${ITEMS} insert into drift_episodes (id, switch_id, item_id, shard, kind, organisation_id, environment, error, found, found_generation, expected, expected_generation, first_at, last_at, count)
     select gen_random_uuid(), switch_id, id, shard, 'route', organisation_id, environment, error, found, 1, expected, 2,
       now() - interval '26 minutes', now(), count from items where count is not null`,
    [switchName, organisationId],
  );
}
