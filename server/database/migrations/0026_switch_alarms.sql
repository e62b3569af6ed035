alter table call_standings add column is_disk_full boolean not null default false;
comment on column call_standings.is_disk_full is 'The switch has no room left for records: it refuses calls, or takes them unrecorded.';
