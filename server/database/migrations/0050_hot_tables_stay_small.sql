-- A switch that is dead and not retired confirms nothing, so every version of every route used to stay. A number's switches
-- need two kinds of versions only: the newest, and the one that each switch holds. Removes the others, if they were published
-- before `published_before`: an agent that is catching up may still be at a younger one. Returns how many it removed.
create function prune_superseded(of_shard integer, published_before timestamptz, most integer) returns integer language plpgsql
  set plan_cache_mode = force_custom_plan
as $$
declare
  pruned integer;
begin
  with versions as (
    select version, created_at, lead(version) over (partition by item_id order by version) as next_version
    from feed_items where shard = of_shard
  ), superseded as (
    select v.version from versions v
    where v.next_version is not null and v.created_at < published_before and not exists (
      select from applied_watermarks w where w.shard = of_shard and w.version >= v.version and w.version < v.next_version)
    limit most
  )
  delete from feed_items i using superseded s where i.shard = of_shard and i.version = s.version;
  get diagnostics pruned = row_count;
  return pruned;
end
$$;

-- Small tables whose rows change all the time. By default autovacuum waits until a fifth of a table is dead and then sleeps
-- between pages; after a long transaction that leaves hundreds of dead pages in front of a poll that reads every 20 ms.
alter table event_heads set (fillfactor = 50);
alter table switches set (fillfactor = 50);
alter table feed_epoch set (fillfactor = 50);
alter table event_heads set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
alter table feed_shards set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
alter table feed_confirmations set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
alter table applied_watermarks set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table switches set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
alter table live_calls set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table live_changes set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table live_reports set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
alter table call_standings set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
alter table open_calls set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table webhook_endpoints set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
