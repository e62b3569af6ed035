create table authorisation_codes (
  id              uuid primary key,
  user_id         uuid not null references users,
  session_id      uuid not null references sessions on delete cascade,
  client_name     text not null check (length(client_name) between 1 and 200),
  redirect_uri    text not null check (length(redirect_uri) <= 500),
  code_challenge  text not null check (length(code_challenge) = 43),
  created_at      timestamptz not null,
  expires_at      timestamptz not null
);
comment on table authorisation_codes is 'Tools that were let in and have not fetched their session yet (RFC 8252). Redeeming one deletes it; the code is a MAC over the id.';
comment on column authorisation_codes.code_challenge is 'SHA-256 of what only the tool knows (RFC 7636).';
comment on column authorisation_codes.session_id is 'The session it was agreed in: when that ends, so does the code.';
create index authorisation_codes_by_session on authorisation_codes (session_id);
create index authorisation_codes_by_user on authorisation_codes (user_id);
create index authorisation_codes_by_expiry on authorisation_codes (expires_at);

create table device_sign_ins (
  id                uuid primary key,
  user_code_mac     bytea not null unique,
  status            text not null check (status in ('pending', 'approved', 'denied')),
  user_id           uuid references users,
  session_id        uuid references sessions on delete cascade,
  client_name       text not null check (length(client_name) between 1 and 200),
  address           inet,
  user_agent        text check (length(user_agent) <= 400),
  interval_seconds  integer not null check (interval_seconds between 1 and 3600),
  polled_at         timestamptz,
  created_at        timestamptz not null,
  expires_at        timestamptz not null,
  check (status <> 'approved' or user_id is not null)
);
comment on table device_sign_ins is 'Tools without a browser that wait to be let in (RFC 8628). Redeeming one deletes it.';
comment on column device_sign_ins.user_code_mac is 'Of the code that a person types; the code of the device is a MAC over the id.';
comment on column device_sign_ins.user_id is 'Who has typed the code first: nobody else can let the tool in.';
comment on column device_sign_ins.session_id is 'The session it was typed in: when that ends, so does the waiting.';
create index device_sign_ins_by_session on device_sign_ins (session_id);
create index device_sign_ins_by_user on device_sign_ins (user_id);
create index device_sign_ins_by_expiry on device_sign_ins (expires_at);

alter table authorisation_codes enable row level security;
alter table authorisation_codes force row level security;
alter table device_sign_ins enable row level security;
alter table device_sign_ins force row level security;

-- Tools hold a code and nothing else: rows are found by it before anybody knows whose they are.
grant select, insert, delete on authorisation_codes to dialplane_caller;
create policy caller on authorisation_codes to dialplane_caller using (true);
grant select, insert, update (status, user_id, session_id, interval_seconds, polled_at), delete on device_sign_ins to dialplane_caller;
create policy caller on device_sign_ins to dialplane_caller using (true);

-- Sweeping what has ended.
grant select, delete on authorisation_codes, device_sign_ins to dialplane_system;
create policy system on authorisation_codes to dialplane_system using ((select current_task()) is not null);
create policy system on device_sign_ins to dialplane_system using ((select current_task()) is not null);
