-- Generated from server/database/migrations by npm run generate; changes made here are lost.

CREATE FUNCTION public.announce_credential() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  -- The argument names the column that holds the key's id; without one every key may be concerned.
  if tg_nargs = 0 then
    perform pg_notify('credentials', '');
  else
    perform pg_notify('credentials', to_jsonb(case when tg_op = 'DELETE' then old else new end) ->> tg_argv[0]);
  end if;
  return null;
end
$$;

CREATE FUNCTION public.authenticate_api_key(presented_mac bytea) RETURNS TABLE(id uuid, name text, environment text, hint text, scopes text[], allowed_networks text[], expires_at timestamp with time zone, revoked_at timestamp with time zone, memberships json)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
  found_key api_keys;
begin
  select * into found_key from api_keys k where k.secret_mac = presented_mac;
  if not found then
    return;
  end if;
  perform set_config('app.api_key_id', found_key.id::text, true);
  return query
    select found_key.id, found_key.name, found_key.environment, found_key.hint, found_key.scopes,
      found_key.allowed_networks::text[], found_key.expires_at, found_key.revoked_at,
      coalesce((
        select json_agg(json_build_object('organisationId', o.id, 'organisationName', o.name, 'role', null) order by o.name, o.id)
        from api_key_organisations a join organisations o on o.id = a.organisation_id
        where a.api_key_id = found_key.id), '[]');
end
$$;

CREATE FUNCTION public.authenticate_session(presented_hash bytea, at timestamp with time zone, seen_since timestamp with time zone) RETURNS TABLE(session_id uuid, kind text, reauthenticated_at timestamp with time zone, last_seen_at timestamp with time zone, expires_at timestamp with time zone, user_id uuid, name text, email text, is_operator boolean, memberships json)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
  found_session sessions;
begin
  select * into found_session from sessions s
    where s.token_hash = presented_hash and s.expires_at > at and s.last_seen_at > seen_since;
  if not found then
    return;
  end if;
  perform set_config('app.user_id', found_session.user_id::text, true);
  return query
    select found_session.id, found_session.kind, found_session.reauthenticated_at, found_session.last_seen_at,
      found_session.expires_at, u.id, u.name, u.email, u.is_operator,
      coalesce((
        select json_agg(json_build_object('organisationId', o.id, 'organisationName', o.name, 'role', m.role) order by o.name, o.id)
        from memberships m join organisations o on o.id = m.organisation_id
        where m.user_id = u.id), '[]')
    from users u
    where u.id = found_session.user_id and u.disabled_at is null;
end
$$;

CREATE FUNCTION public.claim_idempotency_key(wanted_key text, at timestamp with time zone) RETURNS TABLE(is_running boolean, fingerprint bytea, status smallint, content_type text, body text, location text, etag text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
begin
  if not pg_try_advisory_xact_lock(hashtextextended(
    current_organisation_id() || '/' || current_environment() || '/' || wanted_key, 0)) then
    return query select true, null::bytea, null::smallint, null::text, null::text, null::text, null::text;
    return;
  end if;
  return query
    select false, k.fingerprint, k.status, k.content_type, k.body, k.location, k.etag
    from idempotency_keys k
    where k.organisation_id = current_organisation_id() and k.environment = current_environment()
      and k.key = wanted_key and k.expires_at > at;
end
$$;

CREATE FUNCTION public.count_api_key_organisations() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' then
    update api_keys set organisation_count = organisation_count + 1 where id = new.api_key_id;
  else
    -- Before the row goes: without its link the organisation no longer sees the key.
    update api_keys set organisation_count = organisation_count - 1 where id = old.api_key_id;
    return old;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.current_api_key_id() RETURNS uuid
    LANGUAGE sql STABLE
    RETURN (NULLIF(current_setting('app.api_key_id'::text, true), ''::text))::uuid;

CREATE FUNCTION public.current_environment() RETURNS text
    LANGUAGE sql STABLE
    RETURN NULLIF(current_setting('app.environment'::text, true), ''::text);

CREATE FUNCTION public.current_organisation_id() RETURNS uuid
    LANGUAGE sql STABLE
    RETURN (NULLIF(current_setting('app.organisation_id'::text, true), ''::text))::uuid;

CREATE FUNCTION public.current_task() RETURNS text
    LANGUAGE sql STABLE
    RETURN NULLIF(current_setting('app.task'::text, true), ''::text);

CREATE FUNCTION public.current_user_id() RETURNS uuid
    LANGUAGE sql STABLE
    RETURN (NULLIF(current_setting('app.user_id'::text, true), ''::text))::uuid;

CREATE FUNCTION public.keep_last_owner() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if old.role = 'owner' and (tg_op = 'DELETE' or new.role <> 'owner') then
    perform from organisations where id = old.organisation_id for update;
    if not exists (select from memberships where organisation_id = old.organisation_id and role = 'owner') then
      raise exception 'an organisation keeps at least one owner'
        using errcode = 'check_violation', constraint = 'memberships_keep_last_owner';
    end if;
  end if;
  return null;
end
$$;

CREATE TABLE public.api_key_organisations (
    api_key_id uuid NOT NULL,
    organisation_id uuid NOT NULL
);

ALTER TABLE ONLY public.api_key_organisations FORCE ROW LEVEL SECURITY;

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    name text NOT NULL,
    environment text NOT NULL,
    secret_mac bytea NOT NULL,
    pepper_version integer NOT NULL,
    hint text NOT NULL,
    scopes text[] NOT NULL,
    allowed_networks inet[] DEFAULT '{}'::inet[] NOT NULL,
    organisation_count integer DEFAULT 0 NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    replaces_id uuid,
    last_used_at timestamp with time zone,
    last_used_from inet,
    CONSTRAINT api_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT api_keys_hint_check CHECK ((length(hint) = 4)),
    CONSTRAINT api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT api_keys_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['numbers'::text, 'numbers_write'::text, 'full'::text])))
);

ALTER TABLE ONLY public.api_keys FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.api_keys.secret_mac IS 'HMAC-SHA256 of the key under the pepper of that version; the key itself is shown once and never stored.';

COMMENT ON COLUMN public.api_keys.organisation_count IS 'Kept by a trigger: an organisation cannot see the others a key belongs to, only that there are some.';

CREATE TABLE public.audit_entries (
    id uuid NOT NULL,
    organisation_id uuid,
    environment text,
    action text NOT NULL,
    outcome text NOT NULL,
    subject text,
    actor_kind text NOT NULL,
    actor_id uuid,
    actor_name text,
    detail jsonb NOT NULL,
    request_id text,
    address inet,
    at timestamp with time zone NOT NULL,
    CONSTRAINT audit_entries_action_check CHECK ((action ~ '^[a-z_]+\.[a-z_]+$'::text)),
    CONSTRAINT audit_entries_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['session'::text, 'api_key'::text, 'operator'::text, 'system'::text, 'nobody'::text]))),
    CONSTRAINT audit_entries_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT audit_entries_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text])))
);

ALTER TABLE ONLY public.audit_entries FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.audit_entries IS 'Who did what, or was refused, from where. Append-only: no role may change or remove a row.';

COMMENT ON COLUMN public.audit_entries.organisation_id IS 'Null for what concerns an account or the installation, such as signing in.';

CREATE TABLE public.event_heads (
    organisation_id uuid NOT NULL,
    head bigint DEFAULT 0 NOT NULL
);

ALTER TABLE ONLY public.event_heads FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.event_heads IS 'The last event number of each organisation. Its row is locked last in a transaction, so numbers follow the order of commits without gaps.';

CREATE TABLE public.events (
    organisation_id uuid NOT NULL,
    sequence bigint NOT NULL,
    id uuid NOT NULL,
    environment text,
    type text NOT NULL,
    subject text,
    data jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT events_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT events_type_check CHECK ((type ~ '^[a-z_]+\.[a-z_]+$'::text))
);

ALTER TABLE ONLY public.events FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.events IS 'What happened in an organisation, written in the transaction that did it.';

COMMENT ON COLUMN public.events.environment IS 'Null where the change concerns both sides, such as members.';

CREATE TABLE public.idempotency_keys (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    content_type text NOT NULL,
    body text NOT NULL,
    location text,
    etag text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotency_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);

ALTER TABLE ONLY public.idempotency_keys FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.idempotency_keys IS 'The answer to each keyed request, committed together with its effect and replayed byte for byte.';

CREATE TABLE public.invitations (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    invited_by uuid,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT invitations_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'member'::text])))
);

ALTER TABLE ONLY public.invitations FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.invitations IS 'Open invitations. Accepting one deletes it; its token is a MAC over the id and is stored nowhere.';

CREATE UNLOGGED TABLE public.limit_counters (
    name text NOT NULL,
    subject text NOT NULL,
    window_start timestamp with time zone NOT NULL,
    used integer NOT NULL
);

ALTER TABLE ONLY public.limit_counters FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.limit_counters IS 'Limits that must be exact over all replicas. Unlogged: a crash forgives what was used.';

CREATE TABLE public.mails (
    id uuid NOT NULL,
    kind text NOT NULL,
    recipient text NOT NULL,
    reference uuid,
    created_at timestamp with time zone NOT NULL,
    claimed_until timestamp with time zone,
    sent_at timestamp with time zone,
    CONSTRAINT mails_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'reset_password'::text, 'change_email'::text, 'password_changed'::text, 'email_changed'::text]))),
    CONSTRAINT mails_recipient_check CHECK (((length(recipient) >= 3) AND (length(recipient) <= 254)))
);

ALTER TABLE ONLY public.mails FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.mails IS 'Mail to be sent, committed with what it is about. The queue only says when to look.';

COMMENT ON COLUMN public.mails.reference IS 'The invitation or link it is about; never the secret of the link.';

COMMENT ON COLUMN public.mails.claimed_until IS 'Until when one worker has it in hand; after that, another may take it up.';

CREATE TABLE public.memberships (
    organisation_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'member'::text])))
);

ALTER TABLE ONLY public.memberships FORCE ROW LEVEL SECURITY;

CREATE TABLE public.one_time_links (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    purpose text NOT NULL,
    new_email text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT one_time_links_check CHECK (((purpose = 'change_email'::text) = (new_email IS NOT NULL))),
    CONSTRAINT one_time_links_new_email_check CHECK ((new_email = lower(new_email))),
    CONSTRAINT one_time_links_purpose_check CHECK ((purpose = ANY (ARRAY['reset_password'::text, 'change_email'::text])))
);

ALTER TABLE ONLY public.one_time_links FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.one_time_links IS 'Mailed links that still work. Using one deletes it.';

CREATE TABLE public.organisations (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT organisations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

ALTER TABLE ONLY public.organisations FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.organisations IS 'Who holds numbers. Everything a tenant has hangs below one of these.';

CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    kind text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    reauthenticated_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    address inet,
    user_agent text,
    CONSTRAINT sessions_kind_check CHECK ((kind = ANY (ARRAY['browser'::text, 'tool'::text]))),
    CONSTRAINT sessions_user_agent_check CHECK ((length(user_agent) <= 400))
);

ALTER TABLE ONLY public.sessions FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.sessions.token_hash IS 'SHA-256 of a 256-bit random token; the token itself is never stored.';

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    is_operator boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    disabled_at timestamp with time zone,
    CONSTRAINT users_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
    CONSTRAINT users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

ALTER TABLE ONLY public.users FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.users.password_hash IS 'argon2id; null until the person has set one through a mailed link.';

COMMENT ON COLUMN public.users.is_operator IS 'Runs this installation. Set by the server command only, never over HTTP.';

ALTER TABLE ONLY public.api_key_organisations
    ADD CONSTRAINT api_key_organisations_pkey PRIMARY KEY (api_key_id, organisation_id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_secret_mac_key UNIQUE (secret_mac);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event_heads
    ADD CONSTRAINT event_heads_pkey PRIMARY KEY (organisation_id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_id_key UNIQUE (id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (organisation_id, sequence);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organisation_id, environment, key);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organisation_id_email_key UNIQUE (organisation_id, email);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.limit_counters
    ADD CONSTRAINT limit_counters_pkey PRIMARY KEY (name, subject);

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (organisation_id, user_id);

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

CREATE INDEX api_key_organisations_by_organisation ON public.api_key_organisations USING btree (organisation_id, api_key_id);

CREATE INDEX api_keys_by_creator ON public.api_keys USING btree (created_by);

CREATE UNIQUE INDEX api_keys_by_replaced ON public.api_keys USING btree (replaces_id);

CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (actor_id, id);

CREATE INDEX audit_entries_by_organisation ON public.audit_entries USING btree (organisation_id, id);

CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_at);

CREATE INDEX invitations_by_inviter ON public.invitations USING btree (invited_by);

CREATE INDEX mails_unsent ON public.mails USING btree (created_at) WHERE (sent_at IS NULL);

CREATE INDEX memberships_by_user ON public.memberships USING btree (user_id);

CREATE INDEX one_time_links_by_expiry ON public.one_time_links USING btree (expires_at);

CREATE INDEX one_time_links_by_user ON public.one_time_links USING btree (user_id);

CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);

CREATE TRIGGER api_key_organisations_announce AFTER INSERT OR DELETE ON public.api_key_organisations FOR EACH ROW EXECUTE FUNCTION public.announce_credential('api_key_id');

CREATE TRIGGER api_key_organisations_count_added AFTER INSERT ON public.api_key_organisations FOR EACH ROW EXECUTE FUNCTION public.count_api_key_organisations();

CREATE TRIGGER api_key_organisations_count_removed BEFORE DELETE ON public.api_key_organisations FOR EACH ROW EXECUTE FUNCTION public.count_api_key_organisations();

CREATE TRIGGER api_keys_announce AFTER DELETE OR UPDATE OF revoked_at, expires_at, scopes, allowed_networks, name ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.announce_credential('id');

CREATE TRIGGER memberships_keep_last_owner AFTER DELETE OR UPDATE ON public.memberships FOR EACH ROW EXECUTE FUNCTION public.keep_last_owner();

CREATE TRIGGER organisations_announce AFTER DELETE OR UPDATE OF name ON public.organisations FOR EACH STATEMENT EXECUTE FUNCTION public.announce_credential();

ALTER TABLE ONLY public.api_key_organisations
    ADD CONSTRAINT api_key_organisations_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.api_key_organisations
    ADD CONSTRAINT api_key_organisations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_replaces_id_fkey FOREIGN KEY (replaces_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.event_heads
    ADD CONSTRAINT event_heads_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE public.api_key_organisations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_entries ENABLE ROW LEVEL SECURITY;

CREATE POLICY caller ON public.api_keys TO dialplane_caller USING (true);

CREATE POLICY caller ON public.audit_entries TO dialplane_caller USING (((organisation_id IS NULL) OR (EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = audit_entries.organisation_id)))));

CREATE POLICY caller ON public.event_heads TO dialplane_caller USING ((EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = event_heads.organisation_id))));

CREATE POLICY caller ON public.events TO dialplane_caller USING ((EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = events.organisation_id))));

CREATE POLICY caller ON public.mails FOR INSERT TO dialplane_caller WITH CHECK (true);

CREATE POLICY caller ON public.memberships FOR SELECT TO dialplane_caller USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY caller ON public.one_time_links TO dialplane_caller USING (true);

CREATE POLICY caller ON public.organisations FOR SELECT TO dialplane_caller USING (((EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = organisations.id))) OR (EXISTS ( SELECT
   FROM public.api_key_organisations o
  WHERE ((o.organisation_id = organisations.id) AND (o.api_key_id = ( SELECT public.current_api_key_id() AS current_api_key_id)))))));

CREATE POLICY caller ON public.sessions TO dialplane_caller USING (true);

CREATE POLICY caller ON public.users TO dialplane_caller USING (true);

CREATE POLICY caller_adds ON public.api_key_organisations FOR INSERT TO dialplane_caller WITH CHECK ((EXISTS ( SELECT
   FROM public.memberships m
  WHERE ((m.organisation_id = api_key_organisations.organisation_id) AND (m.role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text]))))));

CREATE POLICY caller_sees ON public.api_key_organisations FOR SELECT TO dialplane_caller USING (((api_key_id = ( SELECT public.current_api_key_id() AS current_api_key_id)) OR (EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = api_key_organisations.organisation_id)))));

ALTER TABLE public.event_heads ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.invitations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.limit_counters ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mails ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.memberships ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.one_time_links ENABLE ROW LEVEL SECURITY;

CREATE POLICY organisation ON public.api_key_organisations TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.api_keys TO dialplane_organisation USING ((EXISTS ( SELECT
   FROM public.api_key_organisations o
  WHERE (o.api_key_id = api_keys.id))));

CREATE POLICY organisation ON public.audit_entries TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND ((environment IS NULL) OR (environment = ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY organisation ON public.event_heads TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.events TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND ((environment IS NULL) OR (environment = ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY organisation ON public.idempotency_keys TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.invitations TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.mails FOR INSERT TO dialplane_organisation WITH CHECK (true);

CREATE POLICY organisation ON public.memberships TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.organisations TO dialplane_organisation USING ((id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.users FOR SELECT TO dialplane_organisation USING ((EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.user_id = users.id))));

ALTER TABLE public.organisations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sessions ENABLE ROW LEVEL SECURITY;

CREATE POLICY system ON public.api_key_organisations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.api_keys TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.audit_entries TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.event_heads TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.events TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.idempotency_keys TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.invitations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.limit_counters TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.mails TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.memberships TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.one_time_links TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.organisations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.sessions TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.users TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

ALTER TABLE public.users ENABLE ROW LEVEL SECURITY;

REVOKE USAGE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO dialplane_organisation;
GRANT USAGE ON SCHEMA public TO dialplane_caller;
GRANT USAGE ON SCHEMA public TO dialplane_switch;
GRANT USAGE ON SCHEMA public TO dialplane_system;

GRANT SELECT,DELETE ON TABLE public.api_key_organisations TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.api_key_organisations TO dialplane_caller;
GRANT SELECT ON TABLE public.api_key_organisations TO dialplane_system;

GRANT SELECT ON TABLE public.api_keys TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.api_keys TO dialplane_caller;
GRANT SELECT ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(organisation_count) ON TABLE public.api_keys TO dialplane_organisation;
GRANT UPDATE(organisation_count) ON TABLE public.api_keys TO dialplane_caller;

GRANT UPDATE(expires_at) ON TABLE public.api_keys TO dialplane_organisation;
GRANT UPDATE(expires_at) ON TABLE public.api_keys TO dialplane_caller;

GRANT UPDATE(revoked_at) ON TABLE public.api_keys TO dialplane_organisation;

GRANT UPDATE(last_used_at) ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(last_used_from) ON TABLE public.api_keys TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.audit_entries TO dialplane_organisation;
GRANT INSERT ON TABLE public.audit_entries TO dialplane_caller;
GRANT SELECT,INSERT ON TABLE public.audit_entries TO dialplane_system;

GRANT SELECT ON TABLE public.event_heads TO dialplane_organisation;
GRANT SELECT ON TABLE public.event_heads TO dialplane_caller;
GRANT SELECT,INSERT ON TABLE public.event_heads TO dialplane_system;

GRANT UPDATE(head) ON TABLE public.event_heads TO dialplane_organisation;
GRANT UPDATE(head) ON TABLE public.event_heads TO dialplane_caller;
GRANT UPDATE(head) ON TABLE public.event_heads TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.events TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.events TO dialplane_caller;
GRANT SELECT,INSERT ON TABLE public.events TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.idempotency_keys TO dialplane_organisation;
GRANT SELECT,DELETE ON TABLE public.idempotency_keys TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.invitations TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.invitations TO dialplane_system;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.limit_counters TO dialplane_system;

GRANT INSERT ON TABLE public.mails TO dialplane_organisation;
GRANT INSERT ON TABLE public.mails TO dialplane_caller;
GRANT SELECT,INSERT,DELETE ON TABLE public.mails TO dialplane_system;

GRANT UPDATE(reference) ON TABLE public.mails TO dialplane_system;

GRANT UPDATE(claimed_until) ON TABLE public.mails TO dialplane_system;

GRANT UPDATE(sent_at) ON TABLE public.mails TO dialplane_system;

GRANT SELECT,DELETE ON TABLE public.memberships TO dialplane_organisation;
GRANT SELECT ON TABLE public.memberships TO dialplane_caller;
GRANT SELECT,INSERT ON TABLE public.memberships TO dialplane_system;

GRANT UPDATE(role) ON TABLE public.memberships TO dialplane_organisation;

GRANT SELECT,INSERT,DELETE ON TABLE public.one_time_links TO dialplane_caller;
GRANT SELECT,INSERT,DELETE ON TABLE public.one_time_links TO dialplane_system;

GRANT SELECT ON TABLE public.organisations TO dialplane_organisation;
GRANT SELECT ON TABLE public.organisations TO dialplane_caller;
GRANT SELECT,INSERT ON TABLE public.organisations TO dialplane_system;

GRANT UPDATE(name) ON TABLE public.organisations TO dialplane_organisation;

GRANT SELECT ON TABLE public.schema_migrations TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.sessions TO dialplane_caller;
GRANT SELECT,DELETE ON TABLE public.sessions TO dialplane_system;

GRANT UPDATE(token_hash) ON TABLE public.sessions TO dialplane_caller;

GRANT UPDATE(last_seen_at) ON TABLE public.sessions TO dialplane_caller;

GRANT UPDATE(reauthenticated_at) ON TABLE public.sessions TO dialplane_caller;

GRANT SELECT,INSERT ON TABLE public.users TO dialplane_caller;
GRANT SELECT,INSERT ON TABLE public.users TO dialplane_system;

GRANT SELECT(id) ON TABLE public.users TO dialplane_organisation;

GRANT SELECT(email) ON TABLE public.users TO dialplane_organisation;
GRANT UPDATE(email) ON TABLE public.users TO dialplane_caller;

GRANT SELECT(name) ON TABLE public.users TO dialplane_organisation;
GRANT UPDATE(name) ON TABLE public.users TO dialplane_caller;

GRANT UPDATE(password_hash) ON TABLE public.users TO dialplane_caller;

GRANT UPDATE(is_operator) ON TABLE public.users TO dialplane_system;

GRANT SELECT(disabled_at) ON TABLE public.users TO dialplane_organisation;
