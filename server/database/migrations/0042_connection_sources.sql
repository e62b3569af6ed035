-- Networks beside its targets from which the members of a customer's cluster speak within a call.
alter table connections add column sources text[] not null default '{}' check (cardinality(sources) <= 20);
comment on column connections.sources is 'Requests within a call are taken from these networks too.';
grant update (sources) on connections to dialplane_organisation;

create or replace function connection_value(of_connection uuid) returns jsonb language sql stable
  return (
    select jsonb_strip_nulls(jsonb_build_object('max_calls', c.max_calls, 'ring_seconds', c.ring_seconds, 'targets', (
      select jsonb_agg(jsonb_build_object('host', t.host, 'port', t.port, 'transport', t.transport,
        'priority', t.priority, 'weight', t.weight) order by t.position)
      from connection_targets t
      where t.organisation_id = c.organisation_id and t.environment = c.environment and t.connection_id = c.id),
      'sources', case when c.sources <> '{}' then to_jsonb(c.sources) end))
    from connections c
    where c.organisation_id = current_organisation_id() and c.environment = current_environment() and c.id = of_connection);
