-- Fills the searched destinations of routes from before 0107, which did not see them: row-level security applies to
-- the owner too. As a role that sees all routes.
grant dialplane_system to current_user;
set local role dialplane_system;
select set_config('app.task', 'search', true);
insert into routing_destinations (holding_id, organisation_id, environment, destination)
  select holding_id, organisation_id, environment,
    lower(concat_ws(' ', sip_uri, forward_to, webhook_url, fallback_sip_uri))
  from routings where mode in ('sip_uri', 'forward', 'webhook')
  on conflict (holding_id) do nothing;
select set_config('app.task', '', true);
set local role none;
revoke dialplane_system from current_user;
