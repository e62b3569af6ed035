-- Counts addresses and documents. The row of the organisation stays locked until the commit, so concurrent requests
-- cannot exceed its limits together.
create or replace function add_to_evidence(of_organisation uuid, of_environment text, by_addresses integer,
    by_documents integer, by_bytes integer)
returns void language plpgsql as $$
begin
  insert into evidence_totals (organisation_id, environment) values (of_organisation, of_environment)
    on conflict do nothing;
  update evidence_totals t set addresses = t.addresses + by_addresses, documents = t.documents + by_documents,
    document_bytes = t.document_bytes + by_bytes
  where t.organisation_id = of_organisation and t.environment = of_environment;
end
$$;

create or replace function count_address() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_evidence(new.organisation_id, new.environment, 1, 0, 0);
  else
    perform add_to_evidence(old.organisation_id, old.environment, -1, 0, 0);
  end if;
  return null;
end
$$;

create or replace function count_document() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_evidence(new.organisation_id, new.environment, 0, 1, new.size);
  else
    perform add_to_evidence(old.organisation_id, old.environment, 0, -1, -old.size);
  end if;
  return null;
end
$$;

create or replace trigger addresses_are_counted after insert or delete on addresses
  for each row execute function count_address();

create or replace trigger documents_are_counted after insert or delete on documents
  for each row execute function count_document();
