create or replace function set_home_tag() returns trigger language plpgsql as $$
begin
  update users set home_tag = (select o.tag from organisations o where o.id = new.organisation_id)
    where id = new.user_id and home_tag is null;
  return null;
end
$$;

create or replace trigger memberships_set_home_tag after insert on memberships for each row
    execute function set_home_tag();
