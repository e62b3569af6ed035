-- Where switches themselves take calls: no customer's calls are sent there.
alter table switches add column sockets text[] not null default '{}';
comment on column switches.sockets is 'Addresses and ports on which it takes calls, as its agent reports them.';
grant select (sockets), update (sockets) on switches to dialplane_switch;
