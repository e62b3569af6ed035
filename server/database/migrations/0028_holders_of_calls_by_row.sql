-- Whose a call is was asked with a function that is planned anew for each row: two thirds of the cost of a batch of records.
-- This one is planned once for a connection.
grant dialplane_calls to current_user;
grant create on schema public to dialplane_calls;
create function is_holder_of_calls(of_holding uuid, of_organisation uuid, of_environment text) returns boolean
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return exists (
    select from routings r
    where r.holding_id = of_holding and r.organisation_id = of_organisation and r.environment = of_environment
      and r.group_id = current_switch_group_id());
end
$$;
comment on function is_holder_of_calls is 'Whether a number of the switch''s group is held so: what a switch says of its calls may be written.';
revoke execute on function is_holder_of_calls from public;
grant execute on function is_holder_of_calls to dialplane_switch;
alter function is_holder_of_calls owner to dialplane_calls;

alter policy switch on call_records with check (switch_id = (select current_switch_id()) and case
  when holding_id is null then environment = (select g.environment from switch_groups g where g.id = current_switch_group_id())
  else is_holder_of_calls(holding_id, organisation_id, environment) end);
alter policy switch on call_parties with check (switch_id = (select current_switch_id()) and case
  when holding_id is null then environment = (select g.environment from switch_groups g where g.id = current_switch_group_id())
  else is_holder_of_calls(holding_id, organisation_id, environment) end);
alter policy switch on live_calls
  with check (switch_id = (select current_switch_id()) and is_holder_of_calls(holding_id, organisation_id, environment));
alter policy switch on open_calls
  with check (switch_id = (select current_switch_id()) and is_holder_of_calls(holding_id, organisation_id, environment));
revoke create on schema public from dialplane_calls;
revoke dialplane_calls from current_user;
