create table challenges (
  id          uuid primary key,
  purpose     text not null check (purpose ~ '^[a-z_]+$'),
  user_id     uuid references users,
  reference   uuid,
  created_at  timestamptz not null,
  expires_at  timestamptz not null
);
comment on table challenges is 'Sign-ins that are half done. Finishing one deletes it; its token is a MAC over purpose and id and is stored nowhere.';
comment on column challenges.user_id is 'Null while nobody knows who is signing in.';
comment on column challenges.reference is 'What it leads through, where there is more than one way: an identity provider.';
create index challenges_by_user on challenges (user_id);
create index challenges_by_expiry on challenges (expires_at);

create table authenticators (
  id            uuid primary key,
  user_id       uuid not null unique references users,
  last_step     bigint not null default 0,
  created_at    timestamptz not null,
  confirmed_at  timestamptz
);
comment on table authenticators is 'Authenticator apps (RFC 6238), one a person. The secret is a MAC over the id and is stored nowhere.';
comment on column authenticators.last_step is 'The newest time step a code was taken for: neither it nor an older one counts again.';
comment on column authenticators.confirmed_at is 'Null until a first code has shown that the app has the secret; until then signing in does not ask for codes.';

create table recovery_codes (
  user_id   uuid not null references users,
  code_mac  bytea not null,
  primary key (user_id, code_mac)
);
comment on table recovery_codes is 'Codes for the day the app is lost, as MACs. Using one deletes it.';

alter table challenges enable row level security;
alter table challenges force row level security;
alter table authenticators enable row level security;
alter table authenticators force row level security;
alter table recovery_codes enable row level security;
alter table recovery_codes force row level security;

-- A challenge is found by its token before anybody knows whose it is; the rest only by its owner.
grant select, insert, delete on challenges to dialplane_caller;
create policy caller on challenges to dialplane_caller using (true);
grant select, insert, update (id, last_step, created_at, confirmed_at), delete on authenticators to dialplane_caller;
create policy caller on authenticators to dialplane_caller using (user_id = (select current_user_id()));
grant select, insert, delete on recovery_codes to dialplane_caller;
create policy caller on recovery_codes to dialplane_caller using (user_id = (select current_user_id()));

-- Sweeping what has ended.
grant select, delete on challenges to dialplane_system;
create policy system on challenges to dialplane_system using ((select current_task()) is not null);

-- The kinds of mail are listed once, in the code that writes them.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind check (kind ~ '^[a-z_]+$') not valid;
