create table passkeys (
  id             uuid primary key,
  user_id        uuid not null references users,
  credential_id  text not null unique check (length(credential_id) between 1 and 1400),
  public_key     bytea not null,
  sign_count     bigint not null,
  transports     text[] not null,
  name           text not null check (length(name) between 1 and 200),
  is_synced      boolean not null,
  created_at     timestamptz not null,
  last_used_at   timestamptz
);
comment on table passkeys is 'Credentials of WebAuthn: the public half of a key that a device keeps.';
comment on column passkeys.credential_id is 'The name the device gave it, in base64url.';
comment on column passkeys.sign_count is 'What the device counted last; one that counts backwards has been copied. Zero for devices that do not count.';
comment on column passkeys.is_synced is 'Whether it can be on several devices of its owner.';
create index passkeys_by_user on passkeys (user_id, id);

alter table passkeys enable row level security;
alter table passkeys force row level security;

grant select, insert, update (sign_count, name, last_used_at), delete on passkeys to dialplane_caller;
create policy caller on passkeys to dialplane_caller using (user_id = (select current_user_id()));
