-- Servers of the previous version compare this with the epoch that is stored, and call begin_epoch if they differ.
create or replace function found_epoch() returns text language sql volatile
  return (select epoch from feed_epoch);

-- Another epoch than the one recorded: nothing any switch reported before counts any longer.
create or replace function begin_epoch(at timestamptz) returns text language plpgsql as $$
begin
  return (select epoch from feed_epoch);
end
$$;

-- Identifies the running PostgreSQL and the files that it serves: another value after a restart, a promotion, a
-- restored dump or a restored data directory. Readings of a switch count only if it reported them to this instance.
create or replace function database_instance() returns bigint language sql stable
  return hashtextextended(extract(epoch from pg_postmaster_start_time()) || ' ' || pg_relation_filepath('feed_epoch'),
      0);

-- Changes when the database is promoted or restored, but not when it restarts. Agents then send recent call records
-- again, because the database may have lost some that it had acknowledged.
create or replace function database_lineage() returns text language sql volatile
  return (select system_identifier from pg_control_system()) || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    || '-' || 'feed_epoch'::regclass::oid;

-- Identifiers grow with time, so the primary keys find the newest rows.
create or replace function newest_row_at() returns timestamptz language sql stable
  return greatest((select a.at from audit_entries a order by a.id desc limit 1),
      (select e.created_at from events e order by e.id desc limit 1));

create or replace function note_instance(at timestamptz) returns void language plpgsql as $$
begin
  perform from database_instances where instance = database_instance();
  if not found then
    insert into database_instances (instance, first_seen_at, newest_row_at) values (database_instance(), at,
        newest_row_at())
      on conflict do nothing;
  end if;
end
$$;

-- Begins another epoch, unless another process has already ended this one: however many agents notice a rollback, one
-- epoch follows. A rollback that is noticed during a restore is the restore.
create or replace function begin_epoch(at timestamptz, of_cause text, ended text, with_evidence jsonb, as_held boolean)
returns table (new_epoch text, is_new boolean) language plpgsql as $$
begin
  lock table feed_epoch in exclusive mode;
  new_epoch := (select epoch from feed_epoch);
  is_new := new_epoch = ended and not (of_cause = 'rollback' and (select is_restore from feed_epoch));
  if is_new then
    new_epoch := gen_random_uuid();
    insert into feed_epochs (epoch, began_at, cause, newest_row_at, evidence, is_held, resolved_at)
      values (new_epoch, at, of_cause,
          coalesce((select newest_row_at from database_instances where instance = database_instance()),
              newest_row_at()),
        with_evidence, as_held, case when as_held or of_cause = 'rollback' then null else at end);
    update feed_epoch set epoch = new_epoch, began_at = at, is_held = as_held, is_restore = false;
    delete from applied_watermarks;
    delete from applied_exceptions;
    update failed_routes set ended_at = greatest(at, first_at) where ended_at is null;
    update feed_confirmations set version = 0 where version > 0;
  end if;
  return next;
end
$$;
