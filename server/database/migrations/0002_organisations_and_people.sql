create table organisations (
  id          uuid primary key,
  name        text not null check (length(name) between 1 and 200),
  created_at  timestamptz not null
);
comment on table organisations is 'Who holds numbers. Everything a tenant has hangs below one of these.';

create table users (
  id                uuid primary key,
  email             text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name              text not null check (length(name) between 1 and 200),
  password_hash     text,
  is_operator       boolean not null default false,
  created_at        timestamptz not null,
  disabled_at       timestamptz
);
comment on column users.password_hash is 'argon2id; null until the person has set one through a mailed link.';
comment on column users.is_operator is 'Runs this installation. Set by the server command only, never over HTTP.';

create table memberships (
  organisation_id  uuid not null references organisations,
  user_id          uuid not null references users,
  role             text not null check (role in ('owner', 'admin', 'developer', 'member')),
  created_at       timestamptz not null,
  primary key (organisation_id, user_id)
);
create index memberships_by_user on memberships (user_id);

-- An organisation never loses its last owner, whoever asks and however many at once: the lock on the
-- organisation makes two leaving owners queue, and the second one counts after the first has left.
create function keep_last_owner() returns trigger language plpgsql as $$
begin
  if old.role = 'owner' and (tg_op = 'DELETE' or new.role <> 'owner') then
    perform from organisations where id = old.organisation_id for update;
    if not exists (select from memberships where organisation_id = old.organisation_id and role = 'owner') then
      raise exception 'an organisation keeps at least one owner'
        using errcode = 'check_violation', constraint = 'memberships_keep_last_owner';
    end if;
  end if;
  return null;
end
$$;
create trigger memberships_keep_last_owner after update or delete on memberships
  for each row execute function keep_last_owner();

create table invitations (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  email            text not null check (email = lower(email) and length(email) between 3 and 254),
  role             text not null check (role in ('owner', 'admin', 'developer', 'member')),
  invited_by       uuid references users,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  unique (organisation_id, email)
);
comment on table invitations is 'Open invitations. Accepting one deletes it; its token is a MAC over the id and is stored nowhere.';
create index invitations_by_inviter on invitations (invited_by);

create table sessions (
  id                   uuid primary key,
  user_id              uuid not null references users,
  token_hash           bytea not null unique,
  kind                 text not null check (kind in ('browser', 'tool')),
  created_at           timestamptz not null,
  last_seen_at         timestamptz not null,
  reauthenticated_at   timestamptz not null,
  expires_at           timestamptz not null,
  address              inet,
  user_agent           text check (length(user_agent) <= 400)
);
comment on column sessions.token_hash is 'SHA-256 of a 256-bit random token; the token itself is never stored.';
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table one_time_links (
  id          uuid primary key,
  user_id     uuid not null references users,
  purpose     text not null check (purpose in ('reset_password', 'change_email')),
  new_email   text check (new_email = lower(new_email)),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  check ((purpose = 'change_email') = (new_email is not null))
);
comment on table one_time_links is 'Mailed links that still work. Using one deletes it.';
create index one_time_links_by_user on one_time_links (user_id);
create index one_time_links_by_expiry on one_time_links (expires_at);

alter table organisations enable row level security;
alter table organisations force row level security;
alter table users enable row level security;
alter table users force row level security;
alter table memberships enable row level security;
alter table memberships force row level security;
alter table invitations enable row level security;
alter table invitations force row level security;
alter table sessions enable row level security;
alter table sessions force row level security;
alter table one_time_links enable row level security;
alter table one_time_links force row level security;

-- The organisation's door: its own row, its people, its invitations.
grant select, update (name) on organisations to dialplane_organisation;
grant select (id, email, name, disabled_at) on users to dialplane_organisation;
grant select, update (role), delete on memberships to dialplane_organisation;
grant select, insert, delete on invitations to dialplane_organisation;
create policy organisation on organisations to dialplane_organisation
  using (id = (select current_organisation_id()));
create policy organisation on memberships to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));
create policy organisation on invitations to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));
create policy organisation on users for select to dialplane_organisation
  using (exists (select from memberships m where m.user_id = users.id));

-- The caller's door: signing in, the caller's own account, and which organisations it belongs to.
grant select on organisations, memberships to dialplane_caller;
grant select, insert, update (email, name, password_hash) on users to dialplane_caller;
grant select, insert, update (token_hash, last_seen_at, reauthenticated_at), delete on sessions to dialplane_caller;
grant select, insert, delete on one_time_links to dialplane_caller;
create policy caller on memberships for select to dialplane_caller
  using (user_id = (select current_user_id()));
create policy caller on users to dialplane_caller using (true);
create policy caller on sessions to dialplane_caller using (true);
create policy caller on one_time_links to dialplane_caller using (true);

-- The system's door: the operator's commands, sweeps, the doctor.
grant select, insert on organisations, memberships to dialplane_system;
grant select, insert, update (is_operator) on users to dialplane_system;
grant select, insert, delete on invitations, one_time_links to dialplane_system;
grant select, delete on sessions to dialplane_system;
create policy system on organisations to dialplane_system using ((select current_task()) is not null);
create policy system on users to dialplane_system using ((select current_task()) is not null);
create policy system on memberships to dialplane_system using ((select current_task()) is not null);
create policy system on invitations to dialplane_system using ((select current_task()) is not null);
create policy system on sessions to dialplane_system using ((select current_task()) is not null);
create policy system on one_time_links to dialplane_system using ((select current_task()) is not null);
