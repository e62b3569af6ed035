-- Claims an idempotency key and returns the stored response, if any. The claim is a lock until the end of the
-- transaction, so a crash frees it. The look-up is a separate statement, so it sees the commit of the previous lock
-- holder.
create or replace function claim_idempotency_key(wanted_key text, at timestamptz)
returns table (is_running boolean, fingerprint bytea, status smallint, content_type text, body text, location text,
    etag text)
language plpgsql as $$
#variable_conflict use_column
begin
  if not pg_try_advisory_xact_lock(hashtextextended(
    current_organisation_id() || '/' || current_environment() || '/' || wanted_key, 0)) then
    return query select true, null::bytea, null::smallint, null::text, null::text, null::text, null::text;
    return;
  end if;
  return query
    select false, k.fingerprint, k.status, k.content_type, k.body, k.location, k.etag
    from idempotency_keys k
    where k.organisation_id = current_organisation_id() and k.environment = current_environment()
      and k.key = wanted_key and k.expires_at > at;
end
$$;
