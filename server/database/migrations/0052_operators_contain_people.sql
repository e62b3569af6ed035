-- Operators disable people and remove their authenticators.
grant update (disabled_at) on users to dialplane_system;

grant select, delete on authenticators, recovery_codes to dialplane_system;
create policy system on authenticators to dialplane_system using ((select current_task()) is not null);
create policy system on recovery_codes to dialplane_system using ((select current_task()) is not null);
