-- An owner who leaves no longer deadlocks with other changes of the organisation. They hold a key share lock on the
-- organisation, from a foreign key, and wait for the lock of its events; a leaving owner takes the two locks in the
-- other order. "for no key update" does not conflict with key share locks, and two leaving owners still queue.
create or replace function keep_last_owner() returns trigger language plpgsql as $$
begin
  if old.role = 'owner' and (tg_op = 'DELETE' or new.role <> 'owner') then
    perform from organisations where id = old.organisation_id for no key update;
    if not exists (select from memberships where organisation_id = old.organisation_id and role = 'owner') then
      raise exception 'an organisation keeps at least one owner'
        using errcode = 'check_violation', constraint = 'memberships_keep_last_owner';
    end if;
  end if;
  return null;
end
$$;

create or replace trigger memberships_keep_last_owner after update or delete on memberships
  for each row execute function keep_last_owner();
