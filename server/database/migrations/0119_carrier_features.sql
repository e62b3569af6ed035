-- Optional parts that a carrier supports, of a kind whose carriers differ.

alter table carriers add column features text[] not null default '{}' check (cardinality(features) <= 20);
comment on column carriers.features is
  'Optional parts of the carrier protocol that the carrier named when it was connected. Empty for other kinds.';

grant update (features) on carriers to dialplane_system;
