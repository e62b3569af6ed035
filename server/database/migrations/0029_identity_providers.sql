create table identity_providers (
  id               uuid primary key,
  organisation_id  uuid not null references organisations,
  name             text not null check (length(name) between 1 and 200),
  issuer           text not null check (length(issuer) between 1 and 500),
  client_id        text not null check (length(client_id) between 1 and 500),
  sealed_secret    bytea not null check (length(sealed_secret) between 29 and 2100),
  created_at       timestamptz not null,
  unique (organisation_id, id)
);
comment on table identity_providers is 'Where an organisation lets its people sign in (OpenID Connect). Issuer and client never change: what a subject means depends on both.';
comment on column identity_providers.sealed_secret is 'The client secret, which is the provider''s and must be sent to it: AES-256-GCM under a key of the installation, bound to the id.';

create table identity_provider_domains (
  organisation_id  uuid not null,
  provider_id      uuid not null,
  domain           text not null check (domain = lower(domain) and length(domain) between 3 and 253),
  created_at       timestamptz not null,
  proved_at        timestamptz,
  primary key (provider_id, domain),
  foreign key (organisation_id, provider_id) references identity_providers (organisation_id, id) on delete cascade
);
comment on table identity_provider_domains is 'Domains of the e-mail addresses a provider may speak for. What its TXT record has to say is a MAC over organisation and domain, stored nowhere.';
comment on column identity_provider_domains.proved_at is 'Null until the TXT record was seen: whoever only claims a domain neither has it nor is in anybody''s way.';
create unique index identity_provider_domains_proved on identity_provider_domains (domain) where proved_at is not null;
create index identity_provider_domains_by_organisation on identity_provider_domains (organisation_id, provider_id);

create table identities (
  organisation_id  uuid not null,
  provider_id      uuid not null,
  subject          text not null check (length(subject) between 1 and 255),
  user_id          uuid not null,
  created_at       timestamptz not null,
  primary key (provider_id, subject),
  unique (provider_id, user_id),
  foreign key (organisation_id, provider_id) references identity_providers (organisation_id, id) on delete cascade,
  foreign key (organisation_id, user_id) references memberships (organisation_id, user_id) on delete cascade
);
comment on table identities is 'Whom a provider means by a subject. It ends with the membership; an account has one at each provider.';
create index identities_by_member on identities (organisation_id, user_id);
create index identities_by_provider on identities (organisation_id, provider_id);

alter table identity_providers enable row level security;
alter table identity_providers force row level security;
alter table identity_provider_domains enable row level security;
alter table identity_provider_domains force row level security;
alter table identities enable row level security;
alter table identities force row level security;

-- The secret goes in by this door and does not come out by it.
grant select (id, organisation_id, name, issuer, client_id, created_at), insert, update (name, sealed_secret), delete on identity_providers to dialplane_organisation;
grant select, insert, update (proved_at), delete on identity_provider_domains to dialplane_organisation;
grant select on identities to dialplane_organisation;
create policy organisation on identity_providers to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));
create policy organisation on identity_provider_domains to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));
create policy organisation on identities to dialplane_organisation
  using (organisation_id = (select current_organisation_id()));

-- Signing in: nobody knows yet whose they are.
grant select on identity_providers, identity_provider_domains to dialplane_system;
grant select, insert on identities to dialplane_system;
create policy system on identity_providers for select to dialplane_system using ((select current_task()) is not null);
create policy system on identity_provider_domains for select to dialplane_system using ((select current_task()) is not null);
create policy system on identities to dialplane_system using ((select current_task()) is not null);
