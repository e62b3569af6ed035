-- The organisation is locked whatever its policy says: one that is being turned on at this moment is not visible yet.
create or replace function keep_single_sign_on() returns trigger language plpgsql as $$
declare
  of_organisation uuid;
  is_required boolean;
begin
  if tg_table_name = 'organisations' then
    of_organisation := new.id;
  else
    of_organisation := old.organisation_id;
    select require_single_sign_on into is_required from organisations where id = of_organisation for no key update;
    if is_required is not true then
      return null;
    end if;
  end if;
  if not exists (select from identity_provider_domains where organisation_id = of_organisation
      and proved_at is not null) then
    raise exception 'single sign-on needs an identity provider with a verified domain'
      using errcode = 'check_violation', constraint = 'organisations_single_sign_on';
  end if;
  return null;
end
$$;

create or replace trigger organisations_single_sign_on after update of require_single_sign_on on organisations
  for each row when (new.require_single_sign_on
      and not old.require_single_sign_on) execute function keep_single_sign_on();

create or replace trigger organisations_single_sign_on after delete on identity_provider_domains
  for each row when (old.proved_at is not null) execute function keep_single_sign_on();
