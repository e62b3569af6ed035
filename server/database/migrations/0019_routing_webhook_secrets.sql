create table routing_webhook_secrets (
  organisation_id         uuid not null references organisations,
  environment             text not null check (environment in ('live', 'test')),
  secret_version          integer not null,
  previous_secrets_until  timestamptz[] not null check (cardinality(previous_secrets_until) < 10),
  primary key (organisation_id, environment)
);
comment on table routing_webhook_secrets is 'Which secret signs the questions put to an organisation''s routing webhooks. No row until the first change: the first secret then.';
comment on column routing_webhook_secrets.secret_version is 'The secret follows from it and the organisation; it is stored nowhere.';
comment on column routing_webhook_secrets.previous_secrets_until is 'How long each earlier secret still signs, the last one first.';

-- Whose secrets sign for a number, for switches of its group.
create function signers_of_calls(of_holdings uuid[])
returns table (holding_id uuid, organisation_id uuid, environment text, secret_version integer, previous_secrets_until timestamptz[])
language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.holding_id, r.organisation_id, r.environment, coalesce(s.secret_version, 1), coalesce(s.previous_secrets_until, '{}')
    from routings r
    left join routing_webhook_secrets s on s.organisation_id = r.organisation_id and s.environment = r.environment
    where r.holding_id = any (of_holdings) and r.group_id = current_switch_group_id();
  end;

alter table routing_webhook_secrets enable row level security;
alter table routing_webhook_secrets force row level security;

grant select, insert, update (secret_version, previous_secrets_until) on routing_webhook_secrets to dialplane_organisation;
create policy organisation on routing_webhook_secrets to dialplane_organisation
  using (organisation_id = (select current_organisation_id()) and environment = (select current_environment()));

grant select on routing_webhook_secrets to dialplane_calls;
create policy calls on routing_webhook_secrets for select to dialplane_calls
  using (exists (select from routings r where r.organisation_id = routing_webhook_secrets.organisation_id
    and r.environment = routing_webhook_secrets.environment and r.group_id = (select current_switch_group_id())));

revoke execute on function signers_of_calls from public;
grant execute on function signers_of_calls to dialplane_switch;
-- It takes membership and the right to create to give something away.
grant dialplane_calls to current_user;
grant create on schema public to dialplane_calls;
alter function signers_of_calls owner to dialplane_calls;
revoke create on schema public from dialplane_calls;
revoke dialplane_calls from current_user;
