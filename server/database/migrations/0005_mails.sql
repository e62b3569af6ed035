create table mails (
  id          uuid primary key,
  kind        text not null check (kind in ('invitation', 'reset_password', 'change_email', 'password_changed', 'email_changed')),
  recipient   text not null check (length(recipient) between 3 and 254),
  reference   uuid,
  created_at  timestamptz not null,
  claimed_until timestamptz,
  sent_at     timestamptz
);
comment on table mails is 'Mail to be sent, committed with what it is about. The queue only says when to look.';
comment on column mails.reference is 'The invitation or link it is about; never the secret of the link.';
comment on column mails.claimed_until is 'Until when one worker has it in hand; after that, another may take it up.';
create index mails_unsent on mails (created_at) where sent_at is null;

alter table mails enable row level security;
alter table mails force row level security;

grant insert on mails to dialplane_organisation, dialplane_caller;
create policy organisation on mails for insert to dialplane_organisation with check (true);
create policy caller on mails for insert to dialplane_caller with check (true);

grant select, insert, update (reference, claimed_until, sent_at), delete on mails to dialplane_system;
create policy system on mails to dialplane_system using ((select current_task()) is not null);
