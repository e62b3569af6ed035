-- A short name for each organisation, inside its API keys, its people's sessions and its links. With several installations
-- behind one address it says where a request belongs. Nothing uses it yet: adding it later would break keys.
create function new_tag() returns text language plpgsql as $$
declare
  symbols constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  made text;
begin
  loop
    select string_agg(substr(symbols, 1 + floor(random() * 62)::integer, 1), '') into made from generate_series(1, 4);
    -- 0000 is for what belongs to no organisation.
    exit when made <> '0000' and not exists (select from organisations where tag = made);
  end loop;
  return made;
end
$$;

alter table organisations add column tag text check (tag ~ '^[0-9A-Za-z]{4}$');
alter table users add column home_tag text check (home_tag ~ '^[0-9A-Za-z]{4}$');
comment on column users.home_tag is 'Tag of the first organisation the person joined, for ever.';
-- squawk-ignore-file require-concurrent-index-creation, adding-not-nullable-field
create unique index organisations_tag_key on organisations (tag);

grant update (tag) on organisations to dialplane_system;
grant update (home_tag) on users to dialplane_system;
-- It takes membership to act as another role, and row policies hold for the owner too.
grant dialplane_system to current_user;
set local role dialplane_system;
select set_config('app.task', 'migration', true);
do $$
declare
  one uuid;
begin
  for one in select id from organisations loop
    update organisations set tag = new_tag() where id = one;
  end loop;
end
$$;
update users u set home_tag = (
  select o.tag from memberships m join organisations o on o.id = m.organisation_id
  where m.user_id = u.id order by m.created_at, m.organisation_id limit 1);
select set_config('app.task', '', true);
reset role;
revoke dialplane_system from current_user;
revoke update (tag) on organisations from dialplane_system;

alter table organisations alter column tag set default new_tag();
alter table organisations alter column tag set not null;

create function set_home_tag() returns trigger language plpgsql as $$
begin
  update users set home_tag = (select o.tag from organisations o where o.id = new.organisation_id)
    where id = new.user_id and home_tag is null;
  return null;
end
$$;
create trigger memberships_set_home_tag after insert on memberships for each row execute function set_home_tag();
