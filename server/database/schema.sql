-- Generated from server/database/{migrations,functions} by npm run generate; changes made here are lost.

CREATE TABLE public.usage_quarters_start (
    one boolean DEFAULT true NOT NULL,
    since timestamp with time zone NOT NULL,
    hours_since timestamp with time zone DEFAULT '2000-01-01 00:00:00+00'::timestamp with time zone NOT NULL,
    CONSTRAINT usage_quarters_start_one_check CHECK (one)
);

ALTER TABLE ONLY public.usage_quarters_start FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.usage_quarters_start IS 'Time since which usage is counted by the quarter of an hour and by the hour. Earlier calls are counted in larger units only.';

COMMENT ON COLUMN public.usage_quarters_start.hours_since IS 'Time since which usage_hours and organisation_usage_hours are complete. A full day of UTC.';

CREATE TABLE public.switches (
    id uuid NOT NULL,
    group_id uuid NOT NULL,
    name text NOT NULL,
    state text DEFAULT 'active'::text NOT NULL,
    credential_mac bytea,
    unreachable_after_seconds integer DEFAULT 30 NOT NULL,
    synced_epoch text,
    boot text,
    agent_version text,
    last_seen_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    targets_read_at timestamp with time zone,
    is_returning boolean DEFAULT false NOT NULL,
    proved_in bigint,
    sockets text[] DEFAULT '{}'::text[] NOT NULL,
    root_id integer DEFAULT 2 NOT NULL,
    credential_version integer DEFAULT 1 NOT NULL,
    features text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT switches_agent_version_check CHECK ((length(agent_version) <= 100)),
    CONSTRAINT switches_boot_check CHECK ((length(boot) <= 100)),
    CONSTRAINT switches_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT switches_state_check CHECK ((state = ANY (ARRAY['active'::text, 'draining'::text, 'retired'::text]))),
    CONSTRAINT switches_unreachable_after_seconds_check CHECK (((unreachable_after_seconds >= 1) AND (unreachable_after_seconds <= 86400)))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.switches FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.switches.state IS 'Set by the operator. Unreachable is not stored: it follows from `last_seen_at`, or from `created_at` before the first report.';

COMMENT ON COLUMN public.switches.credential_mac IS 'HMAC-SHA256 of the credential; null for the simulated switch, which never signs in.';

COMMENT ON COLUMN public.switches.synced_epoch IS 'The epoch under which it has read back every shard once. Until then it counts as holding nothing.';

COMMENT ON COLUMN public.switches.targets_read_at IS 'Time of the last report on targets of connections. All rows of `target_health` of the switch are as old as this, changed or not.';

COMMENT ON COLUMN public.switches.is_returning IS 'It was retired and has not read back everything since: it rejects calls.';

COMMENT ON COLUMN public.switches.proved_in IS 'The database instance to which the switch has reported every shard. Until it matches, its numbers are pending.';

COMMENT ON COLUMN public.switches.sockets IS 'Addresses and ports on which it takes calls, as its agent reports them.';

COMMENT ON COLUMN public.switches.credential_version IS 'Counts credentials. A MAC with another root key is of the same credential.';

COMMENT ON COLUMN public.switches.features IS 'Optional abilities of the switch, as its agent reports them.';

CREATE TABLE public.feed_items (
    shard integer NOT NULL,
    version bigint NOT NULL,
    kind text NOT NULL,
    item_id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    generation bigint NOT NULL,
    value jsonb,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    token bigint DEFAULT public.new_token() NOT NULL,
    CONSTRAINT feed_items_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT feed_items_kind_check CHECK ((kind = ANY (ARRAY['route'::text, 'connection'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY public.feed_items FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.feed_items IS 'Configuration feed of the switches. The newest version of an item is its desired value. Older versions are kept until no switch holds them. A null value means that the item was deleted.';

COMMENT ON COLUMN public.feed_items.token IS 'Random, so that equal versions of two histories differ.';

CREATE TABLE public.feed_shards (
    id integer NOT NULL,
    group_id uuid NOT NULL,
    head bigint DEFAULT 0 NOT NULL,
    floor bigint DEFAULT 0 NOT NULL,
    token bigint DEFAULT 0 NOT NULL,
    floor_token bigint DEFAULT 0 NOT NULL,
    held_version bigint,
    held_token bigint
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.feed_shards FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.feed_shards.head IS 'Last version given out. Its row is locked last in a transaction, so versions follow the order of commits without gaps.';

COMMENT ON COLUMN public.feed_shards.floor IS 'Up to here removals have been forgotten; a reader that stopped below starts over.';

COMMENT ON COLUMN public.feed_shards.token IS 'Token of the head. Every statement that writes the head writes it.';

COMMENT ON COLUMN public.feed_shards.floor_token IS 'Token of the floor, whose item is deleted.';

COMMENT ON COLUMN public.feed_shards.held_version IS 'Head when the restore began. Held switches get only later changes.';

CREATE TABLE public.drift_episodes (
    id uuid NOT NULL,
    switch_id uuid NOT NULL,
    item_id uuid NOT NULL,
    shard integer NOT NULL,
    kind text NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    found jsonb,
    found_generation bigint,
    expected jsonb,
    expected_generation bigint,
    error text NOT NULL,
    is_various boolean DEFAULT false NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    count integer DEFAULT 1 NOT NULL,
    wrong_ms bigint DEFAULT 0 NOT NULL,
    wrong_since timestamp with time zone,
    closed_at timestamp with time zone,
    repaired_at timestamp with time zone,
    CONSTRAINT drift_episodes_check CHECK ((last_at >= first_at)),
    CONSTRAINT drift_episodes_check1 CHECK (((closed_at IS NULL) OR (wrong_since IS NULL))),
    CONSTRAINT drift_episodes_count_check CHECK ((count > 0)),
    CONSTRAINT drift_episodes_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT drift_episodes_error_check CHECK ((length(error) <= 500)),
    CONSTRAINT drift_episodes_kind_check CHECK ((kind = ANY (ARRAY['route'::text, 'connection'::text]))),
    CONSTRAINT drift_episodes_wrong_ms_check CHECK ((wrong_ms >= 0))
);

ALTER TABLE ONLY public.drift_episodes FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.drift_episodes IS 'Deviations: a switch held another value than the expected one, from the first report to 10 minutes after the last.';

COMMENT ON COLUMN public.drift_episodes.found IS 'The value that the switch held; null if it held nothing.';

COMMENT ON COLUMN public.drift_episodes.is_various IS 'The switch held a new value each time: found and expected are those of the last time.';

COMMENT ON COLUMN public.drift_episodes.wrong_ms IS 'How long the switch held it, from each finding to the report of its repair.';

COMMENT ON COLUMN public.drift_episodes.repaired_at IS 'Last report of a repair. Null before the first, and in older episodes.';

CREATE TABLE public.applied_watermarks (
    switch_id uuid NOT NULL,
    shard integer NOT NULL,
    epoch text NOT NULL,
    version bigint NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    instance bigint
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.applied_watermarks FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.applied_watermarks IS 'Version of a shard that a switch has read back, and time of the last read-back.';

COMMENT ON COLUMN public.applied_watermarks.instance IS 'The database instance that took the report.';

CREATE TABLE public.feed_confirmations (
    shard integer NOT NULL,
    version bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.feed_confirmations FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.feed_confirmations IS 'Version of each shard that every switch of the group has read back.';

CREATE TABLE public.feed_epoch (
    is_only boolean DEFAULT true NOT NULL,
    epoch text NOT NULL,
    began_at timestamp with time zone NOT NULL,
    is_held boolean DEFAULT false NOT NULL,
    is_restore boolean DEFAULT false NOT NULL,
    CONSTRAINT feed_epoch_is_only_check CHECK (is_only)
)
WITH (fillfactor='50');

ALTER TABLE ONLY public.feed_epoch FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.feed_epoch IS 'The current epoch, one row, for reads on the hot path.';

COMMENT ON COLUMN public.feed_epoch.is_restore IS 'A restore of the database is open.';

CREATE TABLE public.connection_placements (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    connection_id uuid NOT NULL,
    group_id uuid NOT NULL,
    shard integer NOT NULL,
    version bigint NOT NULL
);

ALTER TABLE ONLY public.connection_placements FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.connection_placements IS 'Which groups of switches know a connection, and by which version: those with a number that uses it.';

CREATE TABLE public.connection_targets (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    connection_id uuid NOT NULL,
    "position" smallint NOT NULL,
    host text NOT NULL,
    port integer NOT NULL,
    transport text NOT NULL,
    priority smallint NOT NULL,
    weight smallint NOT NULL,
    CONSTRAINT connection_targets_host_check CHECK (((length(host) >= 1) AND (length(host) <= 253))),
    CONSTRAINT connection_targets_port_check CHECK (((port >= 1) AND (port <= 65535))),
    CONSTRAINT connection_targets_priority_check CHECK (((priority >= 1) AND (priority <= 100))),
    CONSTRAINT connection_targets_transport_check CHECK ((transport = ANY (ARRAY['udp'::text, 'tcp'::text, 'tls'::text]))),
    CONSTRAINT connection_targets_weight_check CHECK (((weight >= 1) AND (weight <= 100)))
);

ALTER TABLE ONLY public.connection_targets FORCE ROW LEVEL SECURITY;

CREATE TABLE public.target_health (
    switch_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    host text NOT NULL,
    port integer NOT NULL,
    transport text NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    state text NOT NULL,
    last_known text,
    addresses jsonb NOT NULL,
    since timestamp with time zone NOT NULL,
    CONSTRAINT target_health_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT target_health_host_check CHECK ((length(host) <= 253)),
    CONSTRAINT target_health_last_known_check CHECK ((last_known = ANY (ARRAY['up'::text, 'down'::text]))),
    CONSTRAINT target_health_state_check CHECK ((state = ANY (ARRAY['up'::text, 'down'::text, 'unknown'::text]))),
    CONSTRAINT target_health_transport_check CHECK ((transport = ANY (ARRAY['udp'::text, 'tcp'::text, 'tls'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.target_health FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.target_health IS 'How a switch finds the targets of a connection, by its pings. It counts only while switches.targets_read_at is young.';

COMMENT ON COLUMN public.target_health.last_known IS 'Last state other than unknown, so that a restarted switch that probes again creates no event.';

CREATE TABLE public.connections (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    name text NOT NULL,
    max_calls integer,
    ring_seconds integer,
    generation bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    sources text[] DEFAULT '{}'::text[] NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT connections_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT connections_max_calls_check CHECK (((max_calls >= 1) AND (max_calls <= 100000))),
    CONSTRAINT connections_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT connections_ring_seconds_check CHECK (((ring_seconds >= 5) AND (ring_seconds <= 300))),
    CONSTRAINT connections_sources_check CHECK ((cardinality(sources) <= 20))
);

ALTER TABLE ONLY public.connections FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.connections IS 'Named trunks of a customer. Numbers point at one by id, so changing it touches no number.';

COMMENT ON COLUMN public.connections.sources IS 'Requests within a call are taken from these networks too.';

CREATE TABLE public.routing_revisions (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    holding_id uuid NOT NULL,
    generation bigint NOT NULL,
    desired jsonb NOT NULL,
    reason text,
    set_at timestamp with time zone NOT NULL,
    set_by_kind text NOT NULL,
    set_by_id uuid,
    set_by_name text
);

ALTER TABLE ONLY public.routing_revisions FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.routing_revisions IS 'Everything that was ever set, by whom and why. Append-only. Old rows are deleted by end_routing_history.';

CREATE TABLE public.call_ids (
    digest bigint NOT NULL,
    day date NOT NULL
);

ALTER TABLE ONLY public.call_ids FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.call_ids IS 'Days (UTC) on which a Call-ID occurs in call_parties, kept as long as its rows. It has no organisation: it only says which partitions to read.';

COMMENT ON COLUMN public.call_ids.digest IS 'hashtextextended(sip_call_id, 0). 0: any Call-ID may occur on this day, because its calls are older than the table.';

CREATE TABLE public.routings (
    holding_id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    e164 text NOT NULL COLLATE pg_catalog."C",
    mode text NOT NULL,
    sip_uri text,
    connection_id uuid,
    forward_to text,
    webhook_url text,
    fallback_mode text,
    fallback_sip_uri text,
    fallback_connection_id uuid,
    generation bigint DEFAULT 1 NOT NULL,
    set_at timestamp with time zone NOT NULL,
    set_by_kind text NOT NULL,
    set_by_id uuid,
    set_by_name text,
    reason text,
    group_id uuid NOT NULL,
    shard integer NOT NULL,
    version bigint NOT NULL,
    steps jsonb,
    last_connection_id uuid,
    CONSTRAINT routings_check CHECK (((mode = 'sip_uri'::text) = (sip_uri IS NOT NULL))),
    CONSTRAINT routings_check1 CHECK (((mode = 'connection'::text) = (connection_id IS NOT NULL))),
    CONSTRAINT routings_check2 CHECK (((mode = 'forward'::text) = (forward_to IS NOT NULL))),
    CONSTRAINT routings_check3 CHECK (((mode = 'webhook'::text) = (webhook_url IS NOT NULL))),
    CONSTRAINT routings_check5 CHECK (((NOT (fallback_mode IS DISTINCT FROM 'sip_uri'::text)) = (fallback_sip_uri IS NOT NULL))),
    CONSTRAINT routings_check6 CHECK (((NOT (fallback_mode IS DISTINCT FROM 'connection'::text)) = (fallback_connection_id IS NOT NULL))),
    CONSTRAINT routings_fallback_sip_uri_check CHECK ((length(fallback_sip_uri) <= 255)),
    CONSTRAINT routings_forward_to_check CHECK ((forward_to ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT routings_mode_check CHECK ((mode = ANY (ARRAY['sip_uri'::text, 'connection'::text, 'unrouted'::text, 'forward'::text, 'webhook'::text]))),
    CONSTRAINT routings_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
    CONSTRAINT routings_sip_uri_check CHECK ((length(sip_uri) <= 255)),
    CONSTRAINT routings_webhook_url_check CHECK ((length(webhook_url) <= 2000))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.routings FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.routings IS 'Desired route of a number, and the feed version that last published it.';

COMMENT ON COLUMN public.routings.steps IS 'The whole routing, if the other columns cannot express it: several destinations, or a time to ring.';

COMMENT ON COLUMN public.routings.last_connection_id IS 'Connection of the third destination.';

CREATE TABLE public.organisation_usage_days (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    day date NOT NULL,
    calls bigint NOT NULL,
    answered bigint NOT NULL,
    busy bigint NOT NULL,
    no_answer bigint NOT NULL,
    cancelled bigint NOT NULL,
    rejected bigint NOT NULL,
    failed bigint NOT NULL,
    talk_seconds bigint NOT NULL,
    forwarded_seconds bigint NOT NULL,
    CONSTRAINT organisation_usage_days_check CHECK ((calls = (((((answered + busy) + no_answer) + cancelled) + rejected) + failed))),
    CONSTRAINT organisation_usage_days_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

ALTER TABLE ONLY public.organisation_usage_days FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.organisation_usage_days IS 'Days (UTC) whose hours are deleted. Other days are in organisation_usage_hours. No call is in both.';

CREATE TABLE public.applied_routes (
    holding_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    switch_id uuid NOT NULL,
    version bigint NOT NULL,
    generation bigint NOT NULL,
    mode text,
    published_at timestamp with time zone NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    CONSTRAINT applied_routes_check CHECK ((at >= published_at)),
    CONSTRAINT applied_routes_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT applied_routes_mode_check CHECK ((mode = ANY (ARRAY['sip_uri'::text, 'connection'::text, 'unrouted'::text, 'forward'::text, 'webhook'::text])))
);

ALTER TABLE ONLY public.applied_routes FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.applied_routes IS 'Each published version of a route that a switch has read back, with the time of its first report. Append-only. The organisation has no foreign key: it comes from the feed item, and the check would cost each row a lookup.';

COMMENT ON COLUMN public.applied_routes.mode IS 'Mode that the switch read back: unrouted while the number is suspended. Null if the route was removed.';

COMMENT ON COLUMN public.applied_routes.published_at IS 'When the version was published to the switches.';

CREATE TABLE public.applied_exceptions (
    switch_id uuid NOT NULL,
    item_id uuid NOT NULL,
    shard integer NOT NULL,
    kind text NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    version bigint NOT NULL,
    state text NOT NULL,
    applied_generation bigint,
    applied jsonb,
    error text NOT NULL,
    since timestamp with time zone NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    CONSTRAINT applied_exceptions_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT applied_exceptions_error_check CHECK ((length(error) <= 500)),
    CONSTRAINT applied_exceptions_kind_check CHECK ((kind = ANY (ARRAY['route'::text, 'connection'::text]))),
    CONSTRAINT applied_exceptions_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'failed'::text, 'drifted'::text])))
);

ALTER TABLE ONLY public.applied_exceptions FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.applied_exceptions IS 'Items of which a switch holds another value than the watermark implies: in progress, rejected, or drifted. `applied` is the value it read back.';

CREATE TABLE public.failed_routes (
    id uuid NOT NULL,
    switch_id uuid NOT NULL,
    holding_id uuid NOT NULL,
    shard integer NOT NULL,
    version bigint NOT NULL,
    generation bigint NOT NULL,
    error text NOT NULL,
    first_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    CONSTRAINT failed_routes_check CHECK ((ended_at >= first_at)),
    CONSTRAINT failed_routes_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT failed_routes_error_check CHECK ((length(error) <= 500))
);

ALTER TABLE ONLY public.failed_routes FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.failed_routes IS 'Versions of a route that a switch rejected, from the first report of the error to its end. The error is the latest.';

CREATE TABLE public.authenticators (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    last_step bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    root_id integer DEFAULT 1 NOT NULL
);

ALTER TABLE ONLY public.authenticators FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.authenticators IS 'Authenticator apps (RFC 6238), one a person. The secret is a MAC over the id and is stored nowhere.';

COMMENT ON COLUMN public.authenticators.last_step IS 'The newest time step a code was taken for: neither it nor an older one counts again.';

COMMENT ON COLUMN public.authenticators.confirmed_at IS 'Null until a first code has shown that the app has the secret; until then signing in does not ask for codes.';

CREATE TABLE public.passkeys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    credential_id text NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    is_synced boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT passkeys_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1400))),
    CONSTRAINT passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

ALTER TABLE ONLY public.passkeys FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.passkeys IS 'Credentials of WebAuthn: the public half of a key that a device keeps.';

COMMENT ON COLUMN public.passkeys.credential_id IS 'The name the device gave it, in base64url.';

COMMENT ON COLUMN public.passkeys.sign_count IS 'Last signature counter of the device. A lower counter means that the key was copied. Zero for devices without a counter.';

COMMENT ON COLUMN public.passkeys.is_synced IS 'Whether it can be on several devices of its owner.';

COMMENT ON FUNCTION public.is_holder_of_calls(of_holding uuid, of_organisation uuid, of_environment text) IS 'Whether a number of the switch''s group is held so: what a switch says of its calls may be written.';

CREATE TABLE public.holdings (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    number_id uuid NOT NULL,
    e164 text NOT NULL COLLATE pg_catalog."C",
    country text,
    type text NOT NULL,
    capabilities text[] NOT NULL,
    status text NOT NULL,
    is_held boolean GENERATED ALWAYS AS ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'releasing'::text]))) STORED NOT NULL,
    label text,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    release_lock boolean DEFAULT false NOT NULL,
    source text NOT NULL,
    order_id uuid,
    carrier text,
    status_reason text,
    acquired_at timestamp with time zone NOT NULL,
    released_at timestamp with time zone,
    restore_until timestamp with time zone,
    last_call_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT holdings_carrier_check CHECK (((length(carrier) >= 1) AND (length(carrier) <= 40))),
    CONSTRAINT holdings_check CHECK (((status = 'released'::text) = (released_at IS NOT NULL))),
    CONSTRAINT holdings_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT holdings_label_check CHECK (((length(label) >= 1) AND (length(label) <= 200))),
    CONSTRAINT holdings_source_check CHECK ((source = ANY (ARRAY['order'::text, 'import'::text]))),
    CONSTRAINT holdings_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text, 'releasing'::text, 'quarantined'::text, 'released'::text]))),
    CONSTRAINT holdings_status_reason_check CHECK (((length(status_reason) >= 1) AND (length(status_reason) <= 64))),
    CONSTRAINT holdings_tags_check CHECK ((cardinality(tags) <= 20))
);

ALTER TABLE ONLY public.holdings FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.holdings IS 'Periods in which an organisation has a number. Each is a number in the API, and is kept forever.';

COMMENT ON COLUMN public.holdings.e164 IS 'Copy from `numbers`, enforced by the foreign key, because lists are sorted by it.';

COMMENT ON COLUMN public.holdings.carrier IS 'Carrier to notify when the number is released; null for a number that the operator provided.';

COMMENT ON COLUMN public.holdings.status_reason IS 'Why it is suspended, where the operator or the carrier gave a reason.';

COMMENT ON COLUMN public.holdings.last_call_at IS 'Unused since last_calls exists. Kept for servers of the previous version.';

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
    before jsonb,
    after jsonb,
    committed_in bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
    CONSTRAINT audit_entries_action_check CHECK ((action ~ '^[a-z_]+\.[a-z_]+$'::text)),
    CONSTRAINT audit_entries_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['session'::text, 'api_key'::text, 'operator'::text, 'system'::text, 'nobody'::text]))),
    CONSTRAINT audit_entries_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT audit_entries_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text])))
);

ALTER TABLE ONLY public.audit_entries FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.audit_entries IS 'Actor, action, result and origin of changes and rejected requests. Append-only: no role that signs in may change or remove a row. Old rows are deleted by end_audit_entries.';

COMMENT ON COLUMN public.audit_entries.organisation_id IS 'Null for what concerns an account or the installation, such as signing in.';

COMMENT ON COLUMN public.audit_entries.before IS 'Changed settings before the change, without secrets. Null if unknown, and for routing, which has revisions.';

COMMENT ON COLUMN public.audit_entries.after IS 'Changed settings after the change. Null as for before.';

COMMENT ON COLUMN public.audit_entries.committed_in IS 'Transaction that wrote the entry. Transactions before the oldest running one have ended, so no entry can appear before theirs. 0: from before this column, or restored from a dump.';

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

COMMENT ON TABLE public.events IS 'Events of an organisation, inserted in the transaction of the change.';

COMMENT ON COLUMN public.events.environment IS 'Null if the change concerns both environments, such as a change of members.';

CREATE TABLE public.order_items (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    order_id uuid NOT NULL,
    "position" smallint NOT NULL,
    e164 text,
    step text NOT NULL,
    round smallint DEFAULT 0 NOT NULL,
    reference uuid,
    return_reference uuid,
    refusals smallint DEFAULT 0 NOT NULL,
    number_id uuid,
    is_routed boolean DEFAULT false NOT NULL,
    error_code text,
    error_detail text,
    is_delivered boolean DEFAULT true NOT NULL,
    CONSTRAINT order_items_check CHECK (((step <> 'wanted'::text) OR (e164 IS NULL))),
    CONSTRAINT order_items_check1 CHECK (((step = ANY (ARRAY['wanted'::text, 'refused'::text])) OR (e164 IS NOT NULL))),
    CONSTRAINT order_items_check2 CHECK (((step <> ALL (ARRAY['submitted'::text, 'unknown'::text, 'bought'::text, 'active'::text, 'returning'::text, 'returned'::text, 'stranded'::text])) OR (reference IS NOT NULL))),
    CONSTRAINT order_items_check3 CHECK (((step = ANY (ARRAY['returning'::text, 'returned'::text, 'stranded'::text])) = (return_reference IS NOT NULL))),
    CONSTRAINT order_items_check4 CHECK (((step = 'active'::text) = (number_id IS NOT NULL))),
    CONSTRAINT order_items_check5 CHECK (((step <> ALL (ARRAY['refused'::text, 'returning'::text, 'returned'::text, 'stranded'::text])) OR (error_code IS NOT NULL))),
    CONSTRAINT order_items_check6 CHECK (((error_code IS NULL) OR (step = ANY (ARRAY['active'::text, 'refused'::text, 'returning'::text, 'returned'::text, 'stranded'::text])))),
    CONSTRAINT order_items_check7 CHECK (((NOT is_routed) OR (step = 'active'::text))),
    CONSTRAINT order_items_check8 CHECK (((error_code IS NULL) = (error_detail IS NULL))),
    CONSTRAINT order_items_e164_check CHECK ((e164 ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT order_items_error_code_check CHECK ((length(error_code) <= 64)),
    CONSTRAINT order_items_error_detail_check CHECK ((length(error_detail) <= 1000)),
    CONSTRAINT order_items_position_check CHECK ((("position" >= 1) AND ("position" <= 100))),
    CONSTRAINT order_items_refusals_check CHECK ((refusals >= 0)),
    CONSTRAINT order_items_round_check CHECK ((round >= 0)),
    CONSTRAINT order_items_step_check CHECK ((step = ANY (ARRAY['wanted'::text, 'chosen'::text, 'submitted'::text, 'unknown'::text, 'bought'::text, 'active'::text, 'refused'::text, 'returning'::text, 'returned'::text, 'stranded'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.order_items FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.order_items IS 'One number of an order and its progress. The row stores each request to the carrier before the request is sent.';

COMMENT ON COLUMN public.order_items.e164 IS 'Null until one is chosen, where the order says only what kind of number is wanted.';

COMMENT ON COLUMN public.order_items.round IS 'How often a number has been chosen: one that was sold in the meantime gives way to another.';

COMMENT ON COLUMN public.order_items.reference IS 'Reference of the last purchase request to the carrier.';

COMMENT ON COLUMN public.order_items.return_reference IS 'Reference of the return of a number that was bought and then not used.';

COMMENT ON COLUMN public.order_items.refusals IS 'Number of times the carrier rejected the return of the number.';

COMMENT ON COLUMN public.order_items.error_code IS 'Why there is no number; of an active one, why it could not be routed as ordered.';

COMMENT ON COLUMN public.order_items.is_delivered IS 'False for an active item whose delivery the carrier has not confirmed yet: the item is not complete.';

CREATE TABLE public.orders (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    job_id uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    carrier text NOT NULL,
    idempotency_key text NOT NULL,
    criteria jsonb,
    reservation_id uuid,
    quantity smallint NOT NULL,
    all_or_nothing boolean NOT NULL,
    routing jsonb,
    routing_reason text,
    label text,
    tags text[] NOT NULL,
    external_ref text,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    created_by_name text,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT orders_carrier_check CHECK (((length(carrier) >= 1) AND (length(carrier) <= 40))),
    CONSTRAINT orders_check CHECK (((criteria IS NULL) OR (reservation_id IS NULL))),
    CONSTRAINT orders_check1 CHECK (((routing IS NOT NULL) OR (routing_reason IS NULL))),
    CONSTRAINT orders_check2 CHECK (((status = ANY (ARRAY['completed'::text, 'partially_completed'::text, 'failed'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT orders_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT orders_external_ref_check CHECK (((length(external_ref) >= 1) AND (length(external_ref) <= 200))),
    CONSTRAINT orders_idempotency_key_check CHECK (((length(idempotency_key) >= 1) AND (length(idempotency_key) <= 255))),
    CONSTRAINT orders_label_check CHECK (((length(label) >= 1) AND (length(label) <= 200))),
    CONSTRAINT orders_quantity_check CHECK (((quantity >= 1) AND (quantity <= 100))),
    CONSTRAINT orders_routing_reason_check CHECK (((length(routing_reason) >= 1) AND (length(routing_reason) <= 500))),
    CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'partially_completed'::text, 'failed'::text]))),
    CONSTRAINT orders_tags_check CHECK ((cardinality(tags) <= 20))
);

ALTER TABLE ONLY public.orders FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.orders IS 'Orders for numbers. Kept forever with the idempotency key, so that an expired key never buys twice.';

COMMENT ON COLUMN public.orders.job_id IS 'Jobs are deleted after a while, orders are not: no foreign key.';

COMMENT ON COLUMN public.orders.carrier IS 'Carrier of the order. A carrier connected later cannot look it up.';

CREATE TABLE public.releases (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    holding_id uuid NOT NULL,
    e164 text NOT NULL,
    job_id uuid NOT NULL,
    restore_job_id uuid,
    step text DEFAULT 'unrouting'::text NOT NULL,
    previous_status text NOT NULL,
    carrier text,
    asked_by_kind text NOT NULL,
    asked_by_id uuid,
    asked_by_name text,
    restored_by_kind text,
    restored_by_id uuid,
    restored_by_name text,
    quarantined_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT releases_carrier_check CHECK (((length(carrier) >= 1) AND (length(carrier) <= 40))),
    CONSTRAINT releases_check CHECK (((step <> ALL (ARRAY['quarantined'::text, 'restoring'::text, 'restored'::text, 'released'::text])) OR (quarantined_until IS NOT NULL))),
    CONSTRAINT releases_check1 CHECK (((step <> 'restoring'::text) OR ((restore_job_id IS NOT NULL) AND (restored_by_kind IS NOT NULL)))),
    CONSTRAINT releases_check2 CHECK (((step = ANY (ARRAY['restored'::text, 'released'::text, 'failed'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT releases_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT releases_previous_status_check CHECK ((previous_status = ANY (ARRAY['active'::text, 'suspended'::text]))),
    CONSTRAINT releases_step_check CHECK ((step = ANY (ARRAY['unrouting'::text, 'telling'::text, 'quarantined'::text, 'restoring'::text, 'restored'::text, 'released'::text, 'failed'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.releases FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.releases IS 'Releases of numbers: unroute, notify the carrier, quarantine, then end or restore.';

COMMENT ON COLUMN public.releases.id IS 'ID of the release, also the reference in requests to the carrier.';

COMMENT ON COLUMN public.releases.previous_status IS 'Status to restore if the release fails or is undone.';

CREATE VIEW public.switch_group_states WITH (security_invoker='true') AS
 SELECT s.group_id,
    (bool_or((COALESCE(s.last_seen_at, s.created_at) < (now() - make_interval(secs => (s.unreachable_after_seconds)::double precision)))) OR ( SELECT feed_epoch.is_held
           FROM public.feed_epoch)) AS is_unreachable,
    bool_or(((s.synced_epoch IS DISTINCT FROM ( SELECT feed_epoch.epoch
           FROM public.feed_epoch)) OR (s.proved_in IS DISTINCT FROM ( SELECT public.database_instance() AS database_instance)))) AS is_joining
   FROM public.switches s
  WHERE (s.state <> 'retired'::text)
  GROUP BY s.group_id;

CREATE TABLE public.deliveries (
    holding_id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    desired text,
    applied text,
    status text NOT NULL,
    reason text,
    error text,
    observed_at timestamp with time zone,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT deliveries_applied_check CHECK (((length(applied) >= 1) AND (length(applied) <= 100))),
    CONSTRAINT deliveries_desired_check CHECK (((length(desired) >= 1) AND (length(desired) <= 100))),
    CONSTRAINT deliveries_drifting CHECK (((status <> 'drifting'::text) OR (applied IS DISTINCT FROM desired))),
    CONSTRAINT deliveries_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT deliveries_error_check CHECK (((length(error) >= 1) AND (length(error) <= 500))),
    CONSTRAINT deliveries_failed CHECK (((status = 'failed'::text) = (error IS NOT NULL))),
    CONSTRAINT deliveries_in_sync CHECK (((status <> 'in_sync'::text) OR ((applied = desired) AND (applied IS NOT NULL)))),
    CONSTRAINT deliveries_observed CHECK (((observed_at IS NOT NULL) OR ((applied IS NULL) AND (status <> ALL (ARRAY['in_sync'::text, 'drifting'::text]))))),
    CONSTRAINT deliveries_reason CHECK (((status = 'unsupported'::text) = (reason IS NOT NULL))),
    CONSTRAINT deliveries_reason_check CHECK ((reason = ANY (ARRAY['no_delivery'::text, 'no_trunk'::text]))),
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'in_sync'::text, 'drifting'::text, 'failed'::text, 'unsupported'::text, 'unknown'::text]))),
    CONSTRAINT deliveries_unsupported CHECK (((status = 'unsupported'::text) = (desired IS NULL)))
);

ALTER TABLE ONLY public.deliveries FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.deliveries IS 'Trunk that receives the calls of a number, as desired and as the carrier reported it. Numbers of carriers that cannot deliver have no row.';

COMMENT ON COLUMN public.deliveries.desired IS 'Trunk of the switch group. Null if none is configured.';

COMMENT ON COLUMN public.deliveries.applied IS 'Trunk that the carrier reported. Null if it delivers to none.';

COMMENT ON COLUMN public.deliveries.observed_at IS 'Time at which the carrier was queried. Null until then.';

CREATE TABLE public.routing_webhook_secrets (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    secret_version integer NOT NULL,
    previous_secrets_until timestamp with time zone[] NOT NULL,
    secret_roots integer[] DEFAULT '{1}'::integer[] NOT NULL,
    CONSTRAINT routing_webhook_secrets_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT routing_webhook_secrets_previous_secrets_until_check CHECK ((cardinality(previous_secrets_until) < 10)),
    CONSTRAINT routing_webhook_secrets_secret_roots_check CHECK (((cardinality(secret_roots) >= 1) AND (cardinality(secret_roots) <= 10)))
);

ALTER TABLE ONLY public.routing_webhook_secrets FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.routing_webhook_secrets IS 'Which secret signs the questions put to an organisation''s routing webhooks. No row until the first change: the first secret then.';

COMMENT ON COLUMN public.routing_webhook_secrets.secret_version IS 'The secret follows from it and the organisation; it is stored nowhere.';

COMMENT ON COLUMN public.routing_webhook_secrets.previous_secrets_until IS 'How long each earlier secret still signs, the last one first.';

COMMENT ON COLUMN public.routing_webhook_secrets.secret_roots IS 'Root keys of the secrets that sign now, newest first.';

CREATE TABLE public.organisations (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    suspended_at timestamp with time zone,
    suspension_reason text,
    suspends_numbers boolean DEFAULT false NOT NULL,
    numbers_due boolean DEFAULT false NOT NULL,
    require_second_factor boolean DEFAULT false NOT NULL,
    require_single_sign_on boolean DEFAULT false NOT NULL,
    max_session_age_hours integer,
    root_id integer DEFAULT 1 NOT NULL,
    tag text DEFAULT public.new_tag() NOT NULL,
    default_country text,
    CONSTRAINT organisations_default_country_check CHECK ((default_country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT organisations_max_session_age CHECK (((max_session_age_hours >= 1) AND (max_session_age_hours <= 720))),
    CONSTRAINT organisations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT organisations_suspension CHECK (((suspended_at IS NOT NULL) OR ((suspension_reason IS NULL) AND (NOT suspends_numbers)))),
    CONSTRAINT organisations_suspension_reason_check CHECK (((length(suspension_reason) >= 1) AND (length(suspension_reason) <= 500))),
    CONSTRAINT organisations_tag_check CHECK ((tag ~ '^[0-9A-Za-z]{4}$'::text))
);

ALTER TABLE ONLY public.organisations FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.organisations IS 'Organisations hold numbers. Every tenant-owned row references one.';

COMMENT ON COLUMN public.organisations.suspends_numbers IS 'Whether its numbers are suspended with it.';

COMMENT ON COLUMN public.organisations.numbers_due IS 'Whether a worker still has numbers to suspend or to resume.';

COMMENT ON COLUMN public.organisations.max_session_age_hours IS 'Null if sessions may be as old as the service allows, which is 30 days.';

COMMENT ON COLUMN public.organisations.root_id IS 'Root key of the first secret that signs its routing webhooks, and of its domain verification records.';

COMMENT ON COLUMN public.organisations.default_country IS 'Country in which people write numbers without a country code; null if a search guesses.';

CREATE TABLE public.carrier_trunks (
    carrier_id uuid NOT NULL,
    group_id uuid NOT NULL,
    trunk text NOT NULL,
    CONSTRAINT carrier_trunks_trunk_check CHECK (((length(trunk) >= 1) AND (length(trunk) <= 100)))
);

ALTER TABLE ONLY public.carrier_trunks FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.carrier_trunks IS 'Trunks at a carrier that lead to a switch group.';

COMMENT ON COLUMN public.carrier_trunks.trunk IS 'ID of the trunk at the carrier.';

CREATE TABLE public.carriers (
    id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    url text,
    sealed_credentials bytea,
    root_id integer,
    credentials_set_at timestamp with time zone,
    credentials_end text,
    countries text[] DEFAULT '{}'::text[] NOT NULL,
    number_types text[] DEFAULT '{}'::text[] NOT NULL,
    preference integer NOT NULL,
    inventory boolean NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    features text[] DEFAULT '{}'::text[] NOT NULL,
    repairs_delivery boolean DEFAULT false NOT NULL,
    CONSTRAINT carriers_check CHECK (((kind = 'pool'::text) = (name = 'pool'::text))),
    CONSTRAINT carriers_check1 CHECK (((name <> 'telnyx'::text) OR (kind = 'telnyx'::text))),
    CONSTRAINT carriers_check2 CHECK ((num_nulls(sealed_credentials, root_id, credentials_set_at) = ANY (ARRAY[0, 3]))),
    CONSTRAINT carriers_check3 CHECK (((credentials_end IS NULL) OR (sealed_credentials IS NOT NULL))),
    CONSTRAINT carriers_countries_check CHECK ((cardinality(countries) <= 300)),
    CONSTRAINT carriers_credentials_end_check CHECK ((length(credentials_end) <= 4)),
    CONSTRAINT carriers_features_check CHECK ((cardinality(features) <= 20)),
    CONSTRAINT carriers_kind_check CHECK ((kind ~ '^[a-z][a-z0-9_]{0,39}$'::text)),
    CONSTRAINT carriers_name_check CHECK (((name ~ '^[a-z][a-z0-9_-]{0,39}$'::text) AND (name <> 'sandbox'::text))),
    CONSTRAINT carriers_number_types_check CHECK ((cardinality(number_types) <= 20)),
    CONSTRAINT carriers_preference_check CHECK (((preference >= 0) AND (preference <= 1000000))),
    CONSTRAINT carriers_sealed_credentials_check CHECK (((length(sealed_credentials) >= 29) AND (length(sealed_credentials) <= 8192))),
    CONSTRAINT carriers_state_check CHECK ((state = ANY (ARRAY['open'::text, 'draining'::text, 'closed'::text]))),
    CONSTRAINT carriers_url_check CHECK (((length(url) >= 1) AND (length(url) <= 500)))
);

ALTER TABLE ONLY public.carriers FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.carriers IS 'Sources of numbers. A row is never deleted, because holdings, orders and reservations keep its name.';

COMMENT ON COLUMN public.carriers.name IS 'Never changes. Numbers that were ordered before the first row have the names `pool` and `telnyx`, so these names keep their kinds.';

COMMENT ON COLUMN public.carriers.sealed_credentials IS 'JSON of the credentials, which must be sent to the carrier: AES-256-GCM under a key of the installation, bound to the id.';

COMMENT ON COLUMN public.carriers.credentials_end IS 'Last characters of the credentials, for display.';

COMMENT ON COLUMN public.carriers.countries IS 'ISO 3166-1 codes of the countries it is used for. Empty: all.';

COMMENT ON COLUMN public.carriers.number_types IS 'Types of numbers it is used for. Empty: all.';

COMMENT ON COLUMN public.carriers.preference IS 'Rank among carriers for the same numbers, lowest first.';

COMMENT ON COLUMN public.carriers.inventory IS 'Whether clients search and reserve its numbers.';

COMMENT ON COLUMN public.carriers.state IS 'draining: no new orders. closed: it is never called. Changed under the advisory lock `carriers/<name>`, which new orders share.';

COMMENT ON COLUMN public.carriers.features IS 'Optional parts of the carrier protocol that the carrier named when it was connected. Empty for other kinds.';

COMMENT ON COLUMN public.carriers.repairs_delivery IS 'Whether reconciliation repairs numbers that the carrier delivers elsewhere.';

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
    method text DEFAULT 'password'::text NOT NULL,
    has_second_factor boolean DEFAULT false NOT NULL,
    signed_in_at timestamp with time zone,
    identity_organisation_id uuid,
    identity_provider_id uuid,
    CONSTRAINT sessions_kind_check CHECK ((kind = ANY (ARRAY['browser'::text, 'tool'::text]))),
    CONSTRAINT sessions_method CHECK ((method = ANY (ARRAY['password'::text, 'passkey'::text, 'provider'::text]))),
    CONSTRAINT sessions_provider CHECK ((((identity_provider_id IS NULL) = (identity_organisation_id IS NULL)) AND ((identity_provider_id IS NULL) OR (method = 'provider'::text)))),
    CONSTRAINT sessions_user_agent_check CHECK ((length(user_agent) <= 400))
);

ALTER TABLE ONLY public.sessions FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.sessions.token_hash IS 'SHA-256 of a 256-bit random token; the token itself is never stored.';

COMMENT ON COLUMN public.sessions.has_second_factor IS 'Whether a code or a passkey was used, at the sign-in or since.';

COMMENT ON COLUMN public.sessions.signed_in_at IS 'For a tool session: creation time of the browser session that authorised it. If null, `created_at` applies.';

COMMENT ON COLUMN public.sessions.identity_organisation_id IS 'Organisation of the identity provider used at sign-in; null if none was used, or if it has been deleted.';

CREATE TABLE public.usage_days (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    holding_id uuid NOT NULL,
    day date NOT NULL,
    calls integer NOT NULL,
    answered integer NOT NULL,
    busy integer NOT NULL,
    no_answer integer NOT NULL,
    cancelled integer NOT NULL,
    rejected integer NOT NULL,
    failed integer NOT NULL,
    talk_seconds bigint NOT NULL,
    forwarded_seconds bigint NOT NULL,
    CONSTRAINT usage_days_check CHECK ((calls = (((((answered + busy) + no_answer) + cancelled) + rejected) + failed))),
    CONSTRAINT usage_days_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
)
PARTITION BY RANGE (day);

ALTER TABLE ONLY public.usage_days FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.usage_days IS 'The same by day, UTC: a year is 366 rows and not 8,784.';

CREATE TABLE public.usage_hours (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    holding_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    calls integer NOT NULL,
    answered integer NOT NULL,
    busy integer NOT NULL,
    no_answer integer NOT NULL,
    cancelled integer NOT NULL,
    rejected integer NOT NULL,
    failed integer NOT NULL,
    talk_seconds bigint NOT NULL,
    forwarded_seconds bigint NOT NULL,
    CONSTRAINT usage_hours_check CHECK ((calls = (((((answered + busy) + no_answer) + cancelled) + rejected) + failed))),
    CONSTRAINT usage_hours_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
)
PARTITION BY RANGE (hour);

ALTER TABLE ONLY public.usage_hours FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.usage_hours IS 'Calls of a number by the hour they began in, UTC. Kept when the records are gone.';

CREATE TABLE public.call_parties (
    id uuid NOT NULL,
    switch_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    organisation_id uuid,
    environment text NOT NULL,
    holding_id uuid,
    caller text,
    called text,
    target text,
    sip_call_id text,
    caller_raw text,
    asserted_caller text,
    attempts jsonb,
    CONSTRAINT call_parties_asserted_caller_check CHECK ((length(asserted_caller) <= 255)),
    CONSTRAINT call_parties_attempts_check CHECK ((jsonb_typeof(attempts) = 'array'::text)),
    CONSTRAINT call_parties_called_check CHECK ((length(called) <= 255)),
    CONSTRAINT call_parties_caller_check CHECK ((length(caller) <= 255)),
    CONSTRAINT call_parties_caller_raw_check CHECK ((length(caller_raw) <= 255)),
    CONSTRAINT call_parties_check CHECK (((holding_id IS NULL) = (organisation_id IS NULL))),
    CONSTRAINT call_parties_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT call_parties_sip_call_id_check CHECK ((length(sip_call_id) <= 255)),
    CONSTRAINT call_parties_target_check CHECK ((length(target) <= 500))
)
PARTITION BY RANGE (started_at);

ALTER TABLE ONLY public.call_parties FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.call_parties IS 'Numbers of caller and callee, in a separate table because their retention is shorter.';

COMMENT ON COLUMN public.call_parties.caller IS 'In E.164 by the number format of the trunk; as it was sent in records of agents that are not yet upgraded.';

COMMENT ON COLUMN public.call_parties.caller_raw IS 'As the trunk sent it.';

COMMENT ON COLUMN public.call_parties.asserted_caller IS 'From P-Asserted-Identity of a trusted trunk, also where the caller withholds the number: for operators alone.';

COMMENT ON COLUMN public.call_parties.attempts IS 'Every target that the switch tried, in order.';

CREATE TABLE public.call_records (
    id uuid NOT NULL,
    switch_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    organisation_id uuid,
    environment text NOT NULL,
    holding_id uuid,
    claimed_holding_id uuid,
    answered_at timestamp with time zone,
    ended_at timestamp with time zone,
    ending text NOT NULL,
    result text NOT NULL,
    mode text,
    generation bigint,
    trunk text,
    code smallint,
    why text,
    received_at timestamp with time zone NOT NULL,
    is_forwarded_by_webhook boolean DEFAULT false NOT NULL,
    ended_by text,
    setup_ms integer,
    ring_ms integer,
    q850 smallint,
    gateway text,
    connection_id uuid,
    step smallint,
    CONSTRAINT call_records_check CHECK (((holding_id IS NULL) = (organisation_id IS NULL))),
    CONSTRAINT call_records_check1 CHECK (((holding_id IS NULL) OR (claimed_holding_id IS NULL))),
    CONSTRAINT call_records_ended_by_check CHECK ((ended_by = ANY (ARRAY['caller'::text, 'callee'::text, 'switch'::text]))),
    CONSTRAINT call_records_ending_check CHECK ((ending = ANY (ARRAY['refused'::text, 'hung_up'::text, 'unknown'::text]))),
    CONSTRAINT call_records_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT call_records_gateway_check CHECK ((length(gateway) <= 100)),
    CONSTRAINT call_records_mode_check CHECK ((mode = ANY (ARRAY['sip_uri'::text, 'connection'::text, 'unrouted'::text, 'forward'::text, 'webhook'::text]))),
    CONSTRAINT call_records_q850_check CHECK (((q850 >= 0) AND (q850 <= 127))),
    CONSTRAINT call_records_result_check CHECK ((result = ANY (ARRAY['answered'::text, 'busy'::text, 'no_answer'::text, 'cancelled'::text, 'rejected'::text, 'failed'::text, 'not_served'::text]))),
    CONSTRAINT call_records_ring_ms_check CHECK ((ring_ms >= 0)),
    CONSTRAINT call_records_setup_ms_check CHECK ((setup_ms >= 0)),
    CONSTRAINT call_records_trunk_check CHECK ((length(trunk) <= 100)),
    CONSTRAINT call_records_why_check CHECK ((length(why) <= 64))
)
PARTITION BY RANGE (started_at);

ALTER TABLE ONLY public.call_records FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.call_records IS 'One row per call, as its switch recorded it, without the numbers of caller and callee. Without an organisation it belongs to the operator: no number matched, or a number outside the switch''s group.';

COMMENT ON COLUMN public.call_records.id IS 'Made by the switch from what identifies the INVITE, so a record that is sent again is the same one.';

COMMENT ON COLUMN public.call_records.holding_id IS 'The holding that the route named when the call came in: never guessed from clocks.';

COMMENT ON COLUMN public.call_records.claimed_holding_id IS 'Holding in an operator''s record that the switch''s group does not have.';

COMMENT ON COLUMN public.call_records.ending IS 'unknown: no BYE came within the longest call and an hour.';

COMMENT ON COLUMN public.call_records.result IS 'not_served: the service could not accept the call. Calls and usage of the organisation omit it.';

COMMENT ON COLUMN public.call_records.is_forwarded_by_webhook IS 'Mode webhook: the customer''s program said to forward the call. In mode forward all are, and this is false.';

COMMENT ON COLUMN public.call_records.ended_by IS 'Null: unknown.';

COMMENT ON COLUMN public.call_records.setup_ms IS 'Milliseconds from the INVITE to the first ringing, or to the 200 OK if the call never rang.';

COMMENT ON COLUMN public.call_records.ring_ms IS 'Milliseconds from the first ringing to the 200 OK or to the end.';

COMMENT ON COLUMN public.call_records.q850 IS 'Cause by ITU-T Q.850, if the other party sent one.';

COMMENT ON COLUMN public.call_records.gateway IS 'The trunk that took a forwarded call.';

COMMENT ON COLUMN public.call_records.connection_id IS 'Connection of the generation, if the switch used it. Null in records from before this column.';

COMMENT ON COLUMN public.call_records.step IS 'Position in the routing of the last destination that the call tried.';

CREATE TABLE public.addresses (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    street text NOT NULL,
    city text NOT NULL,
    postal_code text NOT NULL,
    region text,
    country text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT addresses_city_check CHECK (((length(city) >= 1) AND (length(city) <= 100))),
    CONSTRAINT addresses_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT addresses_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT addresses_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT addresses_postal_code_check CHECK (((length(postal_code) >= 1) AND (length(postal_code) <= 20))),
    CONSTRAINT addresses_region_check CHECK (((length(region) >= 1) AND (length(region) <= 100))),
    CONSTRAINT addresses_street_check CHECK (((length(street) >= 1) AND (length(street) <= 200)))
);

ALTER TABLE ONLY public.addresses FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.addresses IS 'Addresses that an organisation submits to carriers. Never changed, only deleted.';

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
    root_id integer DEFAULT 1 NOT NULL,
    suspended_at timestamp with time zone,
    CONSTRAINT api_keys_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT api_keys_hint_check CHECK ((length(hint) = 4)),
    CONSTRAINT api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT api_keys_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['numbers'::text, 'numbers_write'::text, 'full'::text, 'audit'::text])))
);

ALTER TABLE ONLY public.api_keys FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.api_keys.secret_mac IS 'HMAC-SHA256 of the key under the pepper of that version; the key itself is shown once and never stored.';

COMMENT ON COLUMN public.api_keys.organisation_count IS 'Kept by a trigger: an organisation cannot see the others a key belongs to, only that there are some.';

COMMENT ON COLUMN public.api_keys.suspended_at IS 'Set by a strict restore, until an owner confirms the key.';

CREATE TABLE public.applied_marks (
    switch_id uuid NOT NULL,
    shard integer NOT NULL,
    version bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.applied_marks FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.applied_marks IS 'Version of a shard up to which applied_routes has the readings of a switch. Unlike a watermark it stays when the switch loses its memory, so that a restart records nothing twice.';

CREATE TABLE public.authorisation_codes (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    client_name text NOT NULL,
    redirect_uri text NOT NULL,
    code_challenge text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT authorisation_codes_client_name_check CHECK (((length(client_name) >= 1) AND (length(client_name) <= 200))),
    CONSTRAINT authorisation_codes_code_challenge_check CHECK ((length(code_challenge) = 43)),
    CONSTRAINT authorisation_codes_redirect_uri_check CHECK ((length(redirect_uri) <= 500))
);

ALTER TABLE ONLY public.authorisation_codes FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.authorisation_codes IS 'Authorised tools that have not fetched their session yet (RFC 8252). Redeeming a row deletes it; the code is a MAC over the ID.';

COMMENT ON COLUMN public.authorisation_codes.session_id IS 'The session it was agreed in: when that ends, so does the code.';

COMMENT ON COLUMN public.authorisation_codes.code_challenge IS 'SHA-256 of what only the tool knows (RFC 7636).';

CREATE TABLE public.bulk_change_items (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    bulk_change_id uuid NOT NULL,
    number_id uuid NOT NULL,
    e164 text NOT NULL,
    shard integer NOT NULL,
    from_mode text NOT NULL,
    from_generation bigint NOT NULL,
    from_tags text[] NOT NULL,
    from_release_lock boolean NOT NULL,
    outcome text DEFAULT 'planned'::text NOT NULL,
    error_code text,
    error_detail text,
    CONSTRAINT bulk_change_items_check CHECK (((outcome = 'failed'::text) = (error_code IS NOT NULL))),
    CONSTRAINT bulk_change_items_check1 CHECK (((error_code IS NULL) = (error_detail IS NULL))),
    CONSTRAINT bulk_change_items_error_code_check CHECK ((length(error_code) <= 64)),
    CONSTRAINT bulk_change_items_error_detail_check CHECK ((length(error_detail) <= 1000)),
    CONSTRAINT bulk_change_items_outcome_check CHECK ((outcome = ANY (ARRAY['planned'::text, 'set'::text, 'unchanged'::text, 'stale'::text, 'failed'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.bulk_change_items FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.bulk_change_items IS 'State of each number at planning time, and the outcome. A number that has changed since then is skipped.';

CREATE TABLE public.bulk_changes (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    status text DEFAULT 'planned'::text NOT NULL,
    change jsonb NOT NULL,
    reason text,
    missing uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    total integer DEFAULT 0 NOT NULL,
    set_count integer DEFAULT 0 NOT NULL,
    unchanged_count integer DEFAULT 0 NOT NULL,
    stale_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    created_by_kind text NOT NULL,
    created_by_id uuid,
    created_by_name text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    advanced_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT bulk_changes_check CHECK (((status = 'planned'::text) = (started_at IS NULL))),
    CONSTRAINT bulk_changes_check1 CHECK (((status = 'finished'::text) = (finished_at IS NOT NULL))),
    CONSTRAINT bulk_changes_check2 CHECK (((((set_count + unchanged_count) + stale_count) + failed_count) <= total)),
    CONSTRAINT bulk_changes_check3 CHECK (((status <> 'finished'::text) OR ((((set_count + unchanged_count) + stale_count) + failed_count) = total))),
    CONSTRAINT bulk_changes_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT bulk_changes_missing_check CHECK ((cardinality(missing) <= 1000)),
    CONSTRAINT bulk_changes_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
    CONSTRAINT bulk_changes_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'applying'::text, 'finished'::text]))),
    CONSTRAINT bulk_changes_total_check CHECK (((total >= 0) AND (total <= 50000)))
)
WITH (fillfactor='50');

ALTER TABLE ONLY public.bulk_changes FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.bulk_changes IS 'The same change to many numbers: planned, reviewed, then applied. The changes belong to the user or key that planned them.';

COMMENT ON COLUMN public.bulk_changes.status IS 'Expired is not stored: it follows from `expires_at`.';

COMMENT ON COLUMN public.bulk_changes.set_count IS 'Raised in the transaction that writes the outcomes of the items it counts.';

COMMENT ON COLUMN public.bulk_changes.advanced_at IS 'Time when the last items got an outcome. If it is long ago, no worker is processing the change.';

CREATE TABLE public.call_buckets (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    began_at timestamp with time zone NOT NULL,
    switch_id uuid NOT NULL,
    calls bigint NOT NULL,
    answered bigint NOT NULL,
    seconds bigint NOT NULL,
    CONSTRAINT call_buckets_check CHECK ((answered <= calls)),
    CONSTRAINT call_buckets_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT call_buckets_seconds_check CHECK ((seconds >= 0))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.call_buckets FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.call_buckets IS 'Calls of an organisation by ten minutes and switch, kept for five weeks: what is usual at this time of the week.';

COMMENT ON COLUMN public.call_buckets.calls IS 'Calls that started in these ten minutes.';

COMMENT ON COLUMN public.call_buckets.seconds IS 'Seconds of all calls within these ten minutes, from the INVITE to the end. A 600th is the mean of active calls.';

CREATE TABLE public.call_standings (
    switch_id uuid NOT NULL,
    settled_through timestamp with time zone NOT NULL,
    max_call_seconds integer NOT NULL,
    clock_offset_ms integer,
    reported_at timestamp with time zone NOT NULL,
    is_disk_full boolean DEFAULT false NOT NULL,
    CONSTRAINT call_standings_max_call_seconds_check CHECK (((max_call_seconds >= 1) AND (max_call_seconds <= 604800)))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.call_standings FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.call_standings IS 'Completeness of the records of each switch: all calls that began before settled_through are counted here, except those in open_calls.';

COMMENT ON COLUMN public.call_standings.clock_offset_ms IS 'Milliseconds by which the switch reports its clock to be ahead of the server''s.';

COMMENT ON COLUMN public.call_standings.is_disk_full IS 'The switch has no room left for records: it rejects calls, or takes them unrecorded.';

CREATE TABLE public.challenges (
    id uuid NOT NULL,
    purpose text NOT NULL,
    user_id uuid,
    reference uuid,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT challenges_purpose_check CHECK ((purpose ~ '^[a-z_]+$'::text))
);

ALTER TABLE ONLY public.challenges FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.challenges IS 'Sign-ins that are half done. Finishing one deletes it; its token is a MAC over purpose and id and is stored nowhere.';

COMMENT ON COLUMN public.challenges.user_id IS 'Null until the user is known.';

COMMENT ON COLUMN public.challenges.reference IS 'Identity provider of the sign-in, if there is a choice.';

CREATE TABLE public.database_instances (
    instance bigint NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    newest_row_at timestamp with time zone
);

ALTER TABLE ONLY public.database_instances FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.database_instances IS 'One row per instance that a server has connected to.';

COMMENT ON COLUMN public.database_instances.newest_row_at IS 'Time of the newest audit entry or event when a server first connected. After a restore, this is the time the database was restored to.';

CREATE TABLE public.device_sign_ins (
    id uuid NOT NULL,
    user_code_mac bytea NOT NULL,
    status text NOT NULL,
    user_id uuid,
    session_id uuid,
    client_name text NOT NULL,
    address inet,
    user_agent text,
    interval_seconds integer NOT NULL,
    polled_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT device_sign_ins_check CHECK (((status <> 'approved'::text) OR (user_id IS NOT NULL))),
    CONSTRAINT device_sign_ins_client_name_check CHECK (((length(client_name) >= 1) AND (length(client_name) <= 200))),
    CONSTRAINT device_sign_ins_interval_seconds_check CHECK (((interval_seconds >= 1) AND (interval_seconds <= 3600))),
    CONSTRAINT device_sign_ins_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text]))),
    CONSTRAINT device_sign_ins_user_agent_check CHECK ((length(user_agent) <= 400))
);

ALTER TABLE ONLY public.device_sign_ins FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.device_sign_ins IS 'Tools without a browser that wait for authorisation (RFC 8628). Redeeming a row deletes it.';

COMMENT ON COLUMN public.device_sign_ins.user_code_mac IS 'MAC of the code that the user types. The device code is a MAC over the ID.';

COMMENT ON COLUMN public.device_sign_ins.user_id IS 'First user who typed the code. Other users cannot authorise the tool.';

COMMENT ON COLUMN public.device_sign_ins.session_id IS 'The session it was typed in: when that ends, so does the waiting.';

CREATE TABLE public.documents (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    file_name text NOT NULL,
    media_type text NOT NULL,
    size integer NOT NULL,
    sealed_content bytea NOT NULL,
    sealed_key bytea NOT NULL,
    root_id integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT documents_check CHECK ((octet_length(sealed_content) = (size + 28))),
    CONSTRAINT documents_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT documents_file_name_check CHECK (((length(file_name) >= 1) AND (length(file_name) <= 200))),
    CONSTRAINT documents_kind_check CHECK ((kind ~ '^[a-z][a-z_]{0,39}$'::text)),
    CONSTRAINT documents_media_type_check CHECK ((media_type = ANY (ARRAY['application/pdf'::text, 'image/png'::text, 'image/jpeg'::text]))),
    CONSTRAINT documents_sealed_key_check CHECK (((length(sealed_key) >= 29) AND (length(sealed_key) <= 200))),
    CONSTRAINT documents_size_check CHECK (((size >= 1) AND (size <= 5242880)))
);

ALTER TABLE ONLY public.documents FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.documents IS 'Files that an organisation submits to carriers. Never changed, only deleted.';

COMMENT ON COLUMN public.documents.sealed_content IS 'AES-256-GCM under a key of this document alone, bound to the id. A new root key seals that key again, not the file.';

COMMENT ON COLUMN public.documents.sealed_key IS 'Key of the content, sealed by a root key and bound to the id.';

CREATE TABLE public.event_heads (
    organisation_id uuid NOT NULL,
    head bigint DEFAULT 0 NOT NULL,
    has_endpoints boolean DEFAULT false NOT NULL,
    is_behind boolean DEFAULT false NOT NULL,
    skipped bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.event_heads FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.event_heads IS 'The last event number of each organisation. Its row is locked last in a transaction, so numbers follow the order of commits without gaps.';

COMMENT ON COLUMN public.event_heads.has_endpoints IS 'Whether events can mean deliveries. Set by a trigger when an endpoint becomes active, cleared by a worker that finds none.';

COMMENT ON COLUMN public.event_heads.is_behind IS 'Whether an active webhook endpoint may have events without deliveries.';

COMMENT ON COLUMN public.event_heads.skipped IS 'Numbers left out: a million at each restore of the database.';

CREATE TABLE public.evidence_totals (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    addresses integer DEFAULT 0 NOT NULL,
    documents integer DEFAULT 0 NOT NULL,
    document_bytes bigint DEFAULT 0 NOT NULL,
    CONSTRAINT evidence_totals_addresses CHECK (((addresses >= 0) AND (addresses <= 500))),
    CONSTRAINT evidence_totals_bytes CHECK (((document_bytes >= 0) AND (document_bytes <= 104857600))),
    CONSTRAINT evidence_totals_documents CHECK (((documents >= 0) AND (documents <= 200))),
    CONSTRAINT evidence_totals_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
);

ALTER TABLE ONLY public.evidence_totals FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.evidence_totals IS 'Counts of addresses and documents, kept by triggers. Its constraints are the limits, also for concurrent requests.';

CREATE TABLE public.feed_epochs (
    epoch text NOT NULL,
    began_at timestamp with time zone NOT NULL,
    cause text NOT NULL,
    newest_row_at timestamp with time zone,
    evidence jsonb DEFAULT '{}'::jsonb NOT NULL,
    is_held boolean DEFAULT false NOT NULL,
    resolved_at timestamp with time zone,
    resolved_by text,
    CONSTRAINT feed_epochs_cause_check CHECK ((cause = ANY (ARRAY['first'::text, 'rollback'::text, 'operator'::text]))),
    CONSTRAINT feed_epochs_check CHECK (((NOT is_held) OR (resolved_at IS NULL)))
);

ALTER TABLE ONLY public.feed_epochs FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.feed_epochs IS 'Every epoch of the feed. A new one makes every agent load all shards again.';

COMMENT ON COLUMN public.feed_epochs.newest_row_at IS 'For a rollback: the newest row that the database had before anything was written after it.';

COMMENT ON COLUMN public.feed_epochs.evidence IS 'For a rollback: the version and token that do not fit the history of this database, and who presented them.';

COMMENT ON COLUMN public.feed_epochs.is_held IS 'Agents are not served and no switch changes until an operator resolves the rollback.';

CREATE TABLE public.forwarding_allowances (
    switch_id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    version bigint NOT NULL,
    generation bigint NOT NULL,
    calls_at_once integer,
    calls integer,
    seconds integer,
    most_at_once integer,
    most_calls integer,
    most_seconds integer,
    is_held boolean NOT NULL,
    use_day integer NOT NULL,
    use_calls integer NOT NULL,
    use_seconds integer NOT NULL,
    use_at_once integer NOT NULL,
    changed bigint NOT NULL,
    divided bigint NOT NULL,
    divided_day integer NOT NULL,
    reported_at timestamp with time zone,
    CONSTRAINT forwarding_allowances_calls_at_once_check CHECK ((calls_at_once >= 0)),
    CONSTRAINT forwarding_allowances_calls_check CHECK ((calls >= 0)),
    CONSTRAINT forwarding_allowances_check CHECK ((most_at_once >= calls_at_once)),
    CONSTRAINT forwarding_allowances_check1 CHECK ((most_calls >= calls)),
    CONSTRAINT forwarding_allowances_check2 CHECK ((most_seconds >= seconds)),
    CONSTRAINT forwarding_allowances_seconds_check CHECK ((seconds >= 0)),
    CONSTRAINT forwarding_allowances_use_at_once_check CHECK ((use_at_once >= 0)),
    CONSTRAINT forwarding_allowances_use_calls_check CHECK ((use_calls >= 0)),
    CONSTRAINT forwarding_allowances_use_seconds_check CHECK ((use_seconds >= 0))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.forwarding_allowances FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.forwarding_allowances IS 'Part of an organisation''s limits that a switch enforces alone, and its use. A switch without contact keeps its part.';

COMMENT ON COLUMN public.forwarding_allowances.version IS 'Counts for each switch.';

COMMENT ON COLUMN public.forwarding_allowances.generation IS 'Generation of the policy that was divided.';

COMMENT ON COLUMN public.forwarding_allowances.most_at_once IS 'The most that the switch may enforce until it has confirmed the version. The sums of these never exceed the policy that was divided. The same for calls and seconds.';

COMMENT ON COLUMN public.forwarding_allowances.use_day IS 'UTC day of the use, in days since 1970.';

COMMENT ON COLUMN public.forwarding_allowances.changed IS 'Value of forwarding_changes when the use or the part last changed. Other parts divided before it are divided again.';

CREATE SEQUENCE public.forwarding_changes
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.forwarding_policies (
    organisation_id uuid NOT NULL,
    generation bigint NOT NULL,
    calls_at_once integer,
    calls_per_day integer,
    minutes_per_day integer,
    caller text NOT NULL,
    caller_number text,
    identity text NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT forwarding_policies_caller_check CHECK ((caller = ANY (ARRAY['pass'::text, 'called'::text, 'fixed'::text]))),
    CONSTRAINT forwarding_policies_caller_number_check CHECK ((caller_number ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT forwarding_policies_calls_at_once_check CHECK ((calls_at_once >= 0)),
    CONSTRAINT forwarding_policies_calls_per_day_check CHECK ((calls_per_day >= 0)),
    CONSTRAINT forwarding_policies_check CHECK (((caller = 'fixed'::text) = (caller_number IS NOT NULL))),
    CONSTRAINT forwarding_policies_check1 CHECK (((caller = 'pass'::text) OR (identity = 'drop'::text))),
    CONSTRAINT forwarding_policies_generation_check CHECK ((generation > 0)),
    CONSTRAINT forwarding_policies_identity_check CHECK ((identity = ANY (ARRAY['keep'::text, 'drop'::text]))),
    CONSTRAINT forwarding_policies_minutes_per_day_check CHECK (((minutes_per_day >= 0) AND (minutes_per_day <= 1000000)))
);

ALTER TABLE ONLY public.forwarding_policies FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.forwarding_policies IS 'Limits that an operator sets for calls that an organisation forwards. An organisation without a row has no limits.';

COMMENT ON COLUMN public.forwarding_policies.identity IS 'Whether the Identity header is kept. Another From invalidates it, so then it is dropped.';

CREATE TABLE public.holding_metadata (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    holding_id uuid NOT NULL,
    e164 text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE ONLY public.holding_metadata FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.holding_metadata IS 'holdings.metadata, one row for each key, kept by a trigger for the list.';

CREATE TABLE public.holding_tags (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    tag text NOT NULL COLLATE pg_catalog."C",
    holding_id uuid NOT NULL,
    e164 text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT holding_tags_tag_check CHECK (((length(tag) >= 1) AND (length(tag) <= 50)))
);

ALTER TABLE ONLY public.holding_tags FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.holding_tags IS 'holdings.tags, one row each, kept by a trigger: the operators that search an array would read every row under row-level security.';

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

CREATE TABLE public.identities (
    organisation_id uuid NOT NULL,
    provider_id uuid NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT identities_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);

ALTER TABLE ONLY public.identities FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.identities IS 'Users by provider and subject. A row is deleted with the membership; a user has one per provider.';

CREATE TABLE public.identity_provider_domains (
    organisation_id uuid NOT NULL,
    provider_id uuid NOT NULL,
    domain text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    proved_at timestamp with time zone,
    checked_at timestamp with time zone,
    next_check_at timestamp with time zone,
    missing_since timestamp with time zone,
    missing_checks integer DEFAULT 0 NOT NULL,
    lapsed_at timestamp with time zone,
    CONSTRAINT identity_provider_domains_domain_check CHECK (((domain = lower(domain)) AND ((length(domain) >= 3) AND (length(domain) <= 253)))),
    CONSTRAINT identity_provider_domains_lapsed CHECK (((lapsed_at IS NULL) OR ((proved_at IS NULL) AND (missing_since IS NULL)))),
    CONSTRAINT identity_provider_domains_missing CHECK ((((missing_since IS NULL) = (missing_checks = 0)) AND (missing_checks >= 0)))
);

ALTER TABLE ONLY public.identity_provider_domains FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.identity_provider_domains IS 'Email domains that a provider may authenticate. The expected TXT record is a MAC over organisation and domain, and is not stored.';

COMMENT ON COLUMN public.identity_provider_domains.proved_at IS 'Null until the TXT record was found. An unverified claim grants nothing and does not block other organisations.';

COMMENT ON COLUMN public.identity_provider_domains.checked_at IS 'When name servers last said whether the record is there. A lookup that failed does not count.';

COMMENT ON COLUMN public.identity_provider_domains.next_check_at IS 'Null for a proof that has never been checked again: it is due.';

COMMENT ON COLUMN public.identity_provider_domains.lapsed_at IS 'When a proof ended because its record was gone. The domain can be proved again, here or elsewhere.';

CREATE TABLE public.identity_providers (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    name text NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    sealed_secret bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    root_id integer DEFAULT 1 NOT NULL,
    CONSTRAINT identity_providers_client_id_check CHECK (((length(client_id) >= 1) AND (length(client_id) <= 500))),
    CONSTRAINT identity_providers_issuer_check CHECK (((length(issuer) >= 1) AND (length(issuer) <= 500))),
    CONSTRAINT identity_providers_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT identity_providers_sealed_secret_check CHECK (((length(sealed_secret) >= 29) AND (length(sealed_secret) <= 2100)))
);

ALTER TABLE ONLY public.identity_providers FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.identity_providers IS 'OpenID Connect providers of an organisation. Issuer and client ID never change, because the meaning of a subject depends on both.';

COMMENT ON COLUMN public.identity_providers.sealed_secret IS 'The client secret, which is the provider''s and must be sent to it: AES-256-GCM under a key of the installation, bound to the id.';

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

CREATE TABLE public.jobs (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    type text NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    is_open boolean GENERATED ALWAYS AS ((status = ANY (ARRAY['queued'::text, 'running'::text, 'waiting'::text]))) STORED NOT NULL,
    reason text,
    total integer NOT NULL,
    succeeded integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    order_id uuid,
    number_id uuid,
    error_code text,
    error_detail text,
    request_id text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    waits integer DEFAULT 0 NOT NULL,
    next_check_at timestamp with time zone,
    queued_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT jobs_check CHECK ((is_open = (finished_at IS NULL))),
    CONSTRAINT jobs_check1 CHECK ((is_open = (next_check_at IS NOT NULL))),
    CONSTRAINT jobs_check2 CHECK (((status = 'queued'::text) = (started_at IS NULL))),
    CONSTRAINT jobs_check3 CHECK (((reason IS NULL) OR (status = 'waiting'::text))),
    CONSTRAINT jobs_check4 CHECK (((succeeded + failed) <= total)),
    CONSTRAINT jobs_check5 CHECK ((is_open OR ((succeeded + failed) = total))),
    CONSTRAINT jobs_check6 CHECK (((error_code IS NULL) = (error_detail IS NULL))),
    CONSTRAINT jobs_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT jobs_error_code_check CHECK ((length(error_code) <= 64)),
    CONSTRAINT jobs_error_detail_check CHECK ((length(error_detail) <= 1000)),
    CONSTRAINT jobs_failed_check CHECK ((failed >= 0)),
    CONSTRAINT jobs_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 64))),
    CONSTRAINT jobs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'waiting'::text, 'succeeded'::text, 'partially_succeeded'::text, 'failed'::text]))),
    CONSTRAINT jobs_succeeded_check CHECK ((succeeded >= 0)),
    CONSTRAINT jobs_total_check CHECK ((total > 0)),
    CONSTRAINT jobs_type_check CHECK ((type = ANY (ARRAY['number_order'::text, 'number_release'::text, 'number_restore'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.jobs FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.jobs IS 'Background work of a request, as callers see it. The queue only wakes a worker, which reads the row.';

COMMENT ON COLUMN public.jobs.attempts IS 'Number of claims. A worker writes only while this equals its own claim, so a worker that lost its lease writes nothing.';

COMMENT ON COLUMN public.jobs.waits IS 'How often it was left waiting, which determines the next delay. Attempts that a crash cut short do not count.';

COMMENT ON COLUMN public.jobs.next_check_at IS 'Time from which any worker may claim the job: it is due, or the lease of its worker has expired.';

COMMENT ON COLUMN public.jobs.queued_at IS 'Time of the last wake-up for it. One is enough while the queue is slow.';

CREATE TABLE public.kept_keys (
    root_id integer NOT NULL,
    purpose text NOT NULL,
    sealed_by integer NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT kept_keys_purpose_check CHECK ((purpose ~ '^[a-z-]+$'::text)),
    CONSTRAINT kept_keys_sealed_check CHECK (((length(sealed) >= 29) AND (length(sealed) <= 1000)))
);

ALTER TABLE ONLY public.kept_keys FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.kept_keys IS 'Derived keys of a retired root key, for secrets that customers hold and that cannot be created again.';

CREATE TABLE public.last_calls (
    holding_id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    CONSTRAINT last_calls_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.last_calls FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.last_calls IS 'Start of the newest call of each number, by its records. Rows move on by a minute at least, so a busy number costs one write a minute.';

CREATE UNLOGGED TABLE public.limit_counters (
    name text NOT NULL,
    subject text NOT NULL,
    window_start timestamp with time zone NOT NULL,
    used integer NOT NULL
);

ALTER TABLE ONLY public.limit_counters FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.limit_counters IS 'Limits that must be exact over all replicas. Unlogged: a crash forgives what was used.';

CREATE TABLE public.live_calls (
    switch_id uuid NOT NULL,
    holding_id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    active_calls integer NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    calls_last_minute integer DEFAULT 0 NOT NULL,
    last_call_at timestamp with time zone,
    CONSTRAINT live_calls_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT live_calls_some_calls CHECK (((active_calls >= 0) AND (calls_last_minute >= 0) AND ((active_calls + calls_last_minute) > 0)))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.live_calls FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.live_calls IS 'Numbers that have calls now, or had some within the last minute, by switch; a number without any has no row.';

COMMENT ON COLUMN public.live_calls.last_call_at IS 'When the newest of these calls began; null from an agent that does not say.';

CREATE TABLE public.live_changes (
    switch_id uuid NOT NULL,
    sequence bigint NOT NULL,
    holding_id uuid NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.live_changes FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.live_changes IS 'Numbers that the latest live reports of a switch changed in live_calls. Older reports are removed: a reader that has missed some reads everything again.';

COMMENT ON COLUMN public.live_changes.sequence IS 'Number of the report within its session, as in live_reports.';

CREATE TABLE public.live_reports (
    switch_id uuid NOT NULL,
    session uuid NOT NULL,
    sequence bigint NOT NULL,
    observed_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.live_reports FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.live_reports IS 'Progress of the live reports of each switch. A change counts only if it directly follows the last one. A snapshot always counts, unless it is an older one of the same session.';

CREATE TABLE public.log_floors (
    organisation_id uuid NOT NULL,
    log text NOT NULL,
    "position" bigint NOT NULL,
    deleted bigint NOT NULL,
    live_id uuid,
    test_id uuid,
    CONSTRAINT log_floors_deleted_check CHECK ((deleted > 0)),
    CONSTRAINT log_floors_log_check CHECK ((log = ANY (ARRAY['events'::text, 'audit'::text])))
);

ALTER TABLE ONLY public.log_floors FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.log_floors IS 'Start of the events and audit entries of an organisation. Older ones were deleted.';

COMMENT ON COLUMN public.log_floors."position" IS 'Sequence of the last deleted event, or transaction of the last deleted audit entry.';

COMMENT ON COLUMN public.log_floors.deleted IS 'Count of deleted rows.';

COMMENT ON COLUMN public.log_floors.live_id IS 'Last deleted row that readers of the live environment saw. A reader that has seen everything continues after it.';

CREATE TABLE public.mails (
    id uuid NOT NULL,
    kind text NOT NULL,
    recipient text NOT NULL,
    reference uuid,
    created_at timestamp with time zone NOT NULL,
    claimed_until timestamp with time zone,
    sent_at timestamp with time zone,
    CONSTRAINT mails_kind CHECK ((kind ~ '^[a-z_]+$'::text)),
    CONSTRAINT mails_recipient_check CHECK (((length(recipient) >= 3) AND (length(recipient) <= 254)))
);

ALTER TABLE ONLY public.mails FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.mails IS 'Mail to be sent, committed with what it is about. The queue only says when to look.';

COMMENT ON COLUMN public.mails.reference IS 'The invitation or link it is about; never the secret of the link.';

COMMENT ON COLUMN public.mails.claimed_until IS 'End of a worker''s lease; after that, another worker may claim the mail.';

CREATE TABLE public.memberships (
    organisation_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'member'::text])))
);

ALTER TABLE ONLY public.memberships FORCE ROW LEVEL SECURITY;

CREATE TABLE public.notification_rules (
    organisation_id uuid,
    environment text,
    rules jsonb NOT NULL,
    next_sweep_at timestamp with time zone NOT NULL,
    CONSTRAINT notification_rules_check CHECK (((organisation_id IS NULL) = (environment IS NULL))),
    CONSTRAINT notification_rules_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT notification_rules_rules_check CHECK ((jsonb_typeof(rules) = 'object'::text))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.notification_rules FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.notification_rules IS 'One row for each organisation and environment with rules. The row without an organisation is the operator''s. A worker locks it while it looks for problems.';

COMMENT ON COLUMN public.notification_rules.rules IS 'By kind of problem: {"webhook": boolean, "user_ids": [...]}. Mail goes to those who are members when it is written.';

CREATE TABLE public.number_counts (
    id bigint NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    group_id uuid NOT NULL,
    use text NOT NULL,
    connection_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    numbers bigint NOT NULL,
    is_total boolean DEFAULT false NOT NULL,
    CONSTRAINT number_counts_check CHECK (((use = ANY (ARRAY['connection'::text, 'step'::text])) = (connection_ids <> '{}'::uuid[]))),
    CONSTRAINT number_counts_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT number_counts_use_check CHECK ((use = ANY (ARRAY['unrouted'::text, 'connection'::text, 'step'::text, 'other'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.number_counts FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.number_counts IS 'Held numbers by switch group and route. The count is the sum of the rows: triggers add one for each change, and the worker adds them to the total. So changes of the same organisation do not wait for one row, and cannot deadlock. Without foreign keys: the rows come from routings, and the checks would cost each change two lookups.';

COMMENT ON COLUMN public.number_counts.use IS 'unrouted: no destination is desired. connection: the only destination is a connection. step: connections are some of several destinations. other: no connection is used.';

ALTER TABLE public.number_counts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.number_counts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.numbers (
    id uuid NOT NULL,
    environment text NOT NULL,
    e164 text NOT NULL,
    country text,
    type text NOT NULL,
    capabilities text[] DEFAULT '{voice}'::text[] NOT NULL,
    group_id uuid NOT NULL,
    shard integer NOT NULL,
    is_stock boolean DEFAULT true NOT NULL,
    is_free boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT numbers_check CHECK ((is_stock OR (NOT is_free))),
    CONSTRAINT numbers_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT numbers_e164_check CHECK ((e164 ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT numbers_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT numbers_type_check CHECK (((length(type) >= 1) AND (length(type) <= 40)))
);

ALTER TABLE ONLY public.numbers FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.numbers IS 'Phone numbers of the operator, held or free, and all numbers that ever came from a carrier.';

COMMENT ON COLUMN public.numbers.country IS 'Null where a number belongs to no country, such as +800.';

COMMENT ON COLUMN public.numbers.is_stock IS 'Whether the number belongs to the operator. Other numbers come with an order and return to the carrier after a release, so they are never offered from stock.';

COMMENT ON COLUMN public.numbers.is_free IS 'Whether a live number has no holder. A trigger maintains it, so that a search for free numbers reads no others. Each test environment has all test numbers to itself.';

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

CREATE TABLE public.open_calls (
    switch_id uuid NOT NULL,
    holding_id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    oldest_began_at timestamp with time zone NOT NULL,
    CONSTRAINT open_calls_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.open_calls FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.open_calls IS 'Numbers with an active call that began before settled_through of their switch, and its start.';

CREATE TABLE public.order_requirements (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    order_id uuid NOT NULL,
    "position" smallint NOT NULL,
    requirement_id text NOT NULL,
    type text NOT NULL,
    description text NOT NULL,
    country text,
    document_kinds text[] NOT NULL,
    status text NOT NULL,
    reference uuid,
    address_id uuid,
    document_id uuid,
    end_user jsonb,
    rejected_reason text,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT order_requirements_check CHECK (((status <> 'submitting'::text) OR (reference IS NOT NULL))),
    CONSTRAINT order_requirements_check1 CHECK (((status = 'rejected'::text) = (rejected_reason IS NOT NULL))),
    CONSTRAINT order_requirements_check2 CHECK (((address_id IS NULL) OR (type = 'address'::text))),
    CONSTRAINT order_requirements_check3 CHECK (((document_id IS NULL) OR (type = 'document'::text))),
    CONSTRAINT order_requirements_check4 CHECK (((end_user IS NULL) OR (type = 'end_user'::text))),
    CONSTRAINT order_requirements_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT order_requirements_description_check CHECK (((length(description) >= 1) AND (length(description) <= 500))),
    CONSTRAINT order_requirements_document_kinds_check CHECK ((cardinality(document_kinds) <= 20)),
    CONSTRAINT order_requirements_end_user_check CHECK ((jsonb_typeof(end_user) = 'object'::text)),
    CONSTRAINT order_requirements_rejected_reason_check CHECK (((length(rejected_reason) >= 1) AND (length(rejected_reason) <= 500))),
    CONSTRAINT order_requirements_requirement_id_check CHECK (((length(requirement_id) >= 1) AND (length(requirement_id) <= 100))),
    CONSTRAINT order_requirements_status_check CHECK ((status = ANY (ARRAY['missing'::text, 'submitting'::text, 'pending'::text, 'accepted'::text, 'rejected'::text]))),
    CONSTRAINT order_requirements_type_check CHECK ((type = ANY (ARRAY['address'::text, 'document'::text, 'end_user'::text])))
);

ALTER TABLE ONLY public.order_requirements FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.order_requirements IS 'Evidence that the carrier wants for an item of an order, as the carrier names it, and its last submission.';

COMMENT ON COLUMN public.order_requirements.status IS 'submitting: stored here and not confirmed by the carrier yet. The API shows it as pending.';

COMMENT ON COLUMN public.order_requirements.reference IS 'Reference of the last submission, stored before the request to the carrier. Null before the first.';

COMMENT ON COLUMN public.order_requirements.address_id IS 'Refers to the address while the order is open. Deletion of the address clears it in orders that have ended.';

COMMENT ON COLUMN public.order_requirements.end_user IS 'Person who uses the number. Deleted when the order ends.';

CREATE TABLE public.organisation_usage_hours (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    hour timestamp with time zone NOT NULL,
    switch_id uuid NOT NULL,
    calls bigint NOT NULL,
    answered bigint NOT NULL,
    busy bigint NOT NULL,
    no_answer bigint NOT NULL,
    cancelled bigint NOT NULL,
    rejected bigint NOT NULL,
    failed bigint NOT NULL,
    talk_seconds bigint NOT NULL,
    forwarded_seconds bigint NOT NULL,
    CONSTRAINT organisation_usage_hours_check CHECK ((calls = (((((answered + busy) + no_answer) + cancelled) + rejected) + failed))),
    CONSTRAINT organisation_usage_hours_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.organisation_usage_hours FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.organisation_usage_hours IS 'Calls of all numbers of an organisation, by switch: two switches that report at once wait for each other only where they took calls of one number.';

CREATE TABLE public.organisation_usage_quarters (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    quarter timestamp with time zone NOT NULL,
    switch_id uuid NOT NULL,
    calls bigint NOT NULL,
    answered bigint NOT NULL,
    busy bigint NOT NULL,
    no_answer bigint NOT NULL,
    cancelled bigint NOT NULL,
    rejected bigint NOT NULL,
    failed bigint NOT NULL,
    talk_seconds bigint NOT NULL,
    forwarded_seconds bigint NOT NULL,
    CONSTRAINT organisation_usage_quarters_check CHECK ((calls = (((((answered + busy) + no_answer) + cancelled) + rejected) + failed))),
    CONSTRAINT organisation_usage_quarters_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.organisation_usage_quarters FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.organisation_usage_quarters IS 'organisation_usage_hours by 15 minutes: since 1972, the offsets of all time zones are multiples of them.';

CREATE TABLE public.pool_purchases (
    reference uuid NOT NULL,
    e164 text NOT NULL COLLATE pg_catalog."C",
    number_id uuid,
    sold_to uuid NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    returned_at timestamp with time zone,
    returned_by uuid,
    CONSTRAINT pool_purchases_check CHECK (((number_id IS NOT NULL) OR (returned_by IS NULL))),
    CONSTRAINT pool_purchases_check1 CHECK (((returned_at IS NULL) OR (returned_by IS NOT NULL)))
);

ALTER TABLE ONLY public.pool_purchases FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.pool_purchases IS 'Purchases from the pool of live numbers, by reference, with their results. A sold number keeps its row in stock_reservations until it is returned, so no other organisation can reserve or buy it.';

COMMENT ON COLUMN public.pool_purchases.number_id IS 'Null if the number was not available.';

COMMENT ON COLUMN public.pool_purchases.returned_by IS 'Reference of the release. It stays where the number was restored afterwards, and returned_at does not.';

CREATE TABLE public.probe_callers (
    switch_group_id uuid NOT NULL,
    trunk text NOT NULL,
    caller text NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT probe_callers_caller_check CHECK ((caller ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT probe_callers_trunk_check CHECK (((length(trunk) >= 1) AND (length(trunk) <= 100)))
);

ALTER TABLE ONLY public.probe_callers FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.probe_callers IS 'Trunk by which switches of the group call a carrier, and the caller by which they recognise the call.';

CREATE TABLE public.probe_policies (
    organisation_id uuid NOT NULL,
    probes_per_day integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT probe_policies_probes_per_day_check CHECK (((probes_per_day >= 0) AND (probes_per_day <= 100000)))
);

ALTER TABLE ONLY public.probe_policies FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.probe_policies IS 'How many probes an organisation may place on a UTC day. Without a row: none.';

CREATE TABLE public.probe_schedules (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    tag text NOT NULL,
    via text NOT NULL,
    every_hours integer NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    round_at timestamp with time zone NOT NULL,
    CONSTRAINT probe_schedules_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT probe_schedules_every_hours_check CHECK (((every_hours >= 1) AND (every_hours <= 168))),
    CONSTRAINT probe_schedules_tag_check CHECK (((length(tag) >= 1) AND (length(tag) <= 64))),
    CONSTRAINT probe_schedules_via_check CHECK ((via = ANY (ARRAY['switch'::text, 'carrier'::text])))
);

ALTER TABLE ONLY public.probe_schedules FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.probe_schedules.round_at IS 'Start of the current round, in which each number with the tag is probed once, or of the next round.';

CREATE TABLE public.probe_switches (
    probe_id uuid NOT NULL,
    switch_id uuid NOT NULL,
    expecting_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    placed jsonb,
    seen jsonb,
    CONSTRAINT probe_switches_placed_check CHECK ((jsonb_typeof(placed) = 'object'::text)),
    CONSTRAINT probe_switches_seen_check CHECK ((jsonb_typeof(seen) = 'object'::text))
);

ALTER TABLE ONLY public.probe_switches FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.probe_switches IS 'Switches that recognise a probe, and their reports.';

COMMENT ON COLUMN public.probe_switches.started_at IS 'Time when the switch got the task to place the call. It gets it once, so that no call is placed twice.';

CREATE TABLE public.probes (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    holding_id uuid NOT NULL,
    e164 text NOT NULL COLLATE pg_catalog."C",
    group_id uuid NOT NULL,
    via text NOT NULL,
    token text NOT NULL,
    caller text,
    trunk text,
    status text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by uuid,
    ends_by timestamp with time zone NOT NULL,
    placed_by uuid,
    placed_at timestamp with time zone,
    ended_at timestamp with time zone,
    links jsonb NOT NULL,
    summary text,
    CONSTRAINT probes_check CHECK ((ends_by > created_at)),
    CONSTRAINT probes_check1 CHECK (((via = 'carrier'::text) = (caller IS NOT NULL))),
    CONSTRAINT probes_check2 CHECK (((via = 'carrier'::text) = (trunk IS NOT NULL))),
    CONSTRAINT probes_check3 CHECK (((status = 'running'::text) = (ended_at IS NULL))),
    CONSTRAINT probes_check4 CHECK (((status = 'running'::text) = (summary IS NULL))),
    CONSTRAINT probes_check5 CHECK ((num_nulls(placed_by, placed_at) = ANY (ARRAY[0, 2]))),
    CONSTRAINT probes_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT probes_links_check CHECK ((jsonb_typeof(links) = 'array'::text)),
    CONSTRAINT probes_status_check CHECK ((status = ANY (ARRAY['running'::text, 'proved'::text, 'broken'::text, 'failed'::text]))),
    CONSTRAINT probes_summary_check CHECK (((length(summary) >= 1) AND (length(summary) <= 1000))),
    CONSTRAINT probes_token_check CHECK ((length(token) >= 20)),
    CONSTRAINT probes_via_check CHECK ((via = ANY (ARRAY['switch'::text, 'carrier'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.probes FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.probes.created_by IS 'User who placed it. Null for a schedule.';

COMMENT ON COLUMN public.probes.placed_by IS 'Switch that calls the carrier. It is chosen once.';

COMMENT ON COLUMN public.probes.links IS 'Result for each link of the chain. Empty while the probe is running.';

CREATE TABLE public.problems (
    id uuid NOT NULL,
    organisation_id uuid,
    environment text,
    kind text NOT NULL,
    subject text NOT NULL,
    label text,
    error text,
    since timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    begun_at timestamp with time zone,
    begun_in uuid,
    ended_at timestamp with time zone,
    ended_in uuid,
    CONSTRAINT problems_check CHECK (((organisation_id IS NULL) = (environment IS NULL))),
    CONSTRAINT problems_check1 CHECK (((begun_at IS NULL) = (begun_in IS NULL))),
    CONSTRAINT problems_check2 CHECK (((ended_at IS NULL) = (ended_in IS NULL))),
    CONSTRAINT problems_check3 CHECK ((ended_at >= begun_at)),
    CONSTRAINT problems_check4 CHECK (((ended_at IS NULL) OR (begun_at IS NOT NULL))),
    CONSTRAINT problems_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT problems_error_check CHECK ((length(error) <= 500)),
    CONSTRAINT problems_kind_check CHECK ((length(kind) <= 64)),
    CONSTRAINT problems_label_check CHECK ((length(label) <= 2000)),
    CONSTRAINT problems_subject_check CHECK ((length(subject) <= 200))
);

ALTER TABLE ONLY public.problems FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.problems IS 'Problems of kinds with a rule. A problem begins, and later ends, once: with its event and mails, in the transaction that sets begun_at or ended_at. Before that, it is observed.';

COMMENT ON COLUMN public.problems.begun_in IS 'Reference of a mail: all problems of a kind that began at the same time share it.';

CREATE TABLE public.reconciliation_findings (
    id uuid NOT NULL,
    reconciliation_id uuid NOT NULL,
    kind text NOT NULL,
    e164 text NOT NULL,
    holding_id uuid,
    bought_for uuid,
    is_untold boolean DEFAULT false NOT NULL,
    told_at timestamp with time zone,
    claimed_until timestamp with time zone,
    repaired_at timestamp with time zone,
    found_trunk text,
    expected_trunk text,
    CONSTRAINT reconciliation_findings_check CHECK (((NOT is_untold) OR ((holding_id IS NOT NULL) AND (told_at IS NULL))))
);

ALTER TABLE ONLY public.reconciliation_findings FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.reconciliation_findings.kind IS 'not_at_carrier: we hold it and the carrier does not list it, as after porting out. not_here: the carrier bills it and no organisation holds it.';

COMMENT ON COLUMN public.reconciliation_findings.is_untold IS 'Whether the holder is still to be notified.';

COMMENT ON COLUMN public.reconciliation_findings.claimed_until IS 'End of a worker''s lease on the return. A second return could hit a number that the carrier has sold again.';

COMMENT ON COLUMN public.reconciliation_findings.found_trunk IS 'Trunk that the carrier reported for a number delivered elsewhere. Null if it delivers to none.';

CREATE TABLE public.reconciliations (
    id uuid NOT NULL,
    carrier text NOT NULL,
    status text DEFAULT 'running'::text NOT NULL,
    held integer,
    owned integer,
    error text,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT reconciliations_carrier_check CHECK (((length(carrier) >= 1) AND (length(carrier) <= 40))),
    CONSTRAINT reconciliations_check CHECK (((status = 'running'::text) = (finished_at IS NULL))),
    CONSTRAINT reconciliations_check1 CHECK (((status = 'finished'::text) = ((held IS NOT NULL) AND (owned IS NOT NULL)))),
    CONSTRAINT reconciliations_check2 CHECK (((status = 'failed'::text) = (error IS NOT NULL))),
    CONSTRAINT reconciliations_error_check CHECK ((length(error) <= 500)),
    CONSTRAINT reconciliations_status_check CHECK ((status = ANY (ARRAY['running'::text, 'finished'::text, 'failed'::text])))
);

ALTER TABLE ONLY public.reconciliations FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.reconciliations IS 'Comparisons of the numbers we hold from a carrier with the numbers the carrier lists.';

CREATE TABLE public.recovery_codes (
    user_id uuid NOT NULL,
    code_mac bytea NOT NULL,
    root_id integer DEFAULT 1 NOT NULL
);

ALTER TABLE ONLY public.recovery_codes FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.recovery_codes IS 'Codes for the day the app is lost, as MACs. Using one deletes it.';

CREATE TABLE public.rejected_records (
    switch_id uuid NOT NULL,
    digest bytea NOT NULL,
    code text NOT NULL,
    detail text NOT NULL,
    record text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT rejected_records_code_check CHECK ((length(code) <= 64)),
    CONSTRAINT rejected_records_detail_check CHECK ((length(detail) <= 500)),
    CONSTRAINT rejected_records_record_check CHECK ((length(record) <= 20000))
);

ALTER TABLE ONLY public.rejected_records FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.rejected_records IS 'Records of a switch that are invalid: kept for the operator as long as call_parties, and never requested again.';

COMMENT ON COLUMN public.rejected_records.digest IS 'SHA-256 of the text: sent again, it is the same row.';

CREATE TABLE public.reservations (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    status text NOT NULL,
    carrier text NOT NULL,
    numbers text[] NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT reservations_carrier_check CHECK (((length(carrier) >= 1) AND (length(carrier) <= 40))),
    CONSTRAINT reservations_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT reservations_numbers_check CHECK (((cardinality(numbers) >= 1) AND (cardinality(numbers) <= 100))),
    CONSTRAINT reservations_status_check CHECK ((status = ANY (ARRAY['active'::text, 'ordered'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY public.reservations FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.reservations IS 'Numbers an organisation has put aside for a while. That each is put aside once only is the carrier''s word; for our own stock see stock_reservations.';

COMMENT ON COLUMN public.reservations.status IS 'Expired is not stored: it follows from `expires_at`.';

COMMENT ON COLUMN public.reservations.carrier IS 'Carrier that made the reservation. A carrier connected later does not know it.';

CREATE TABLE public.restore_findings (
    id uuid NOT NULL,
    restore_id uuid NOT NULL,
    kind text NOT NULL,
    item_kind text NOT NULL,
    item_id uuid,
    e164 text COLLATE pg_catalog."C",
    holder_id uuid,
    environment text DEFAULT 'live'::text NOT NULL,
    here jsonb,
    there jsonb,
    generation_here bigint,
    generation_there bigint,
    switches text[] DEFAULT '{}'::text[] NOT NULL,
    carrier text,
    finding_id uuid,
    state text DEFAULT 'open'::text NOT NULL,
    decided_at timestamp with time zone,
    decided_by text,
    CONSTRAINT restore_findings_check CHECK (((kind = ANY (ARRAY['not_at_carrier'::text, 'not_here'::text])) = (switches = '{}'::text[]))),
    CONSTRAINT restore_findings_check1 CHECK (((item_id IS NULL) = (kind = 'not_here'::text))),
    CONSTRAINT restore_findings_check2 CHECK (((state = 'open'::text) = (decided_at IS NULL))),
    CONSTRAINT restore_findings_check3 CHECK ((num_nulls(decided_at, decided_by) = ANY (ARRAY[0, 2]))),
    CONSTRAINT restore_findings_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT restore_findings_item_kind_check CHECK ((item_kind = ANY (ARRAY['route'::text, 'connection'::text]))),
    CONSTRAINT restore_findings_kind_check CHECK ((kind = ANY (ARRAY['newer_on_switch'::text, 'only_on_switch'::text, 'only_here'::text, 'not_at_carrier'::text, 'not_here'::text]))),
    CONSTRAINT restore_findings_state_check CHECK ((state = ANY (ARRAY['open'::text, 'adopted'::text, 'dropped'::text, 'outdated'::text])))
);

ALTER TABLE ONLY public.restore_findings FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.restore_findings IS 'Differences between the restored database and a switch or a carrier.';

COMMENT ON COLUMN public.restore_findings.holder_id IS 'Organisation of the item. Null if it is unknown.';

COMMENT ON COLUMN public.restore_findings.here IS 'Value in the database. Null if it does not have the item.';

COMMENT ON COLUMN public.restore_findings.there IS 'Value on the switches. Null if they do not have the item.';

COMMENT ON COLUMN public.restore_findings.switches IS 'Names of the switches with this difference.';

COMMENT ON COLUMN public.restore_findings.carrier IS 'Carrier that has the number, or that is missing it.';

CREATE TABLE public.restores (
    id uuid NOT NULL,
    epoch text NOT NULL,
    restored_to timestamp with time zone,
    cause text NOT NULL,
    began_at timestamp with time zone NOT NULL,
    began_by text NOT NULL,
    compared_at timestamp with time zone,
    ended_at timestamp with time zone,
    ended_by text,
    CONSTRAINT restores_cause_check CHECK ((cause = ANY (ARRAY['operator'::text, 'rollback'::text]))),
    CONSTRAINT restores_check CHECK ((num_nulls(ended_at, ended_by) = ANY (ARRAY[0, 2])))
);

ALTER TABLE ONLY public.restores FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.restores IS 'Restores of the database. While one is open, work that cannot be undone waits.';

COMMENT ON COLUMN public.restores.epoch IS 'Epoch under which switches keep their state.';

COMMENT ON COLUMN public.restores.restored_to IS 'Time to which the database was restored. Null if unknown.';

COMMENT ON COLUMN public.restores.compared_at IS 'Time of the last comparison with all carriers.';

CREATE TABLE public.root_keys (
    id integer NOT NULL,
    kind text NOT NULL,
    sealed bytea,
    sealed_under text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    used_from timestamp with time zone DEFAULT now() NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT root_keys_check CHECK (((sealed IS NULL) = (sealed_under IS NULL))),
    CONSTRAINT root_keys_check1 CHECK (((retired_at IS NULL) OR (sealed IS NULL))),
    CONSTRAINT root_keys_kind_check CHECK ((kind = ANY (ARRAY['fleet'::text, 'cell'::text]))),
    CONSTRAINT root_keys_sealed_check CHECK (((length(sealed) >= 29) AND (length(sealed) <= 1000))),
    CONSTRAINT root_keys_sealed_under_check CHECK ((sealed_under ~ '^[0-9a-f]{16}$'::text))
);

ALTER TABLE ONLY public.root_keys FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.root_keys.sealed IS 'AES-256-GCM under a key from MASTER_SECRET; null until migrate has set it, and once the key is retired.';

COMMENT ON COLUMN public.root_keys.sealed_under IS 'Fingerprint of the MASTER_SECRET that opens it.';

COMMENT ON COLUMN public.root_keys.used_from IS 'New secrets use the key from this time. Every process reads the key before then.';

ALTER TABLE public.root_keys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.root_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.routing_destinations (
    holding_id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    destination text NOT NULL
);

ALTER TABLE ONLY public.routing_destinations FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.routing_destinations IS 'Destinations of routings as a search reads them, kept by a trigger. A separate table, because an index on routings would make every change of a destination rewrite all indexes of the row.';

CREATE VIEW public.routing_states WITH (security_invoker='true') AS
 SELECT r.holding_id,
    r.organisation_id,
    r.environment,
    r.mode,
    r.generation,
    r.e164,
        CASE
            WHEN x.is_failed THEN 'failed'::text
            WHEN x.is_drifted THEN 'drifted'::text
            WHEN g.is_unreachable THEN 'unknown'::text
            WHEN (x.is_pending OR (g.is_joining IS DISTINCT FROM false) OR (r.version > c.version) OR ((COALESCE(r.connection_id, r.fallback_connection_id, r.last_connection_id) IS NOT NULL) AND (EXISTS ( SELECT
               FROM (public.connection_placements p
                 JOIN public.feed_confirmations pc ON ((pc.shard = p.shard)))
              WHERE ((p.connection_id = ANY (ARRAY[r.connection_id, r.fallback_connection_id, r.last_connection_id])) AND (p.group_id = r.group_id) AND (p.version > pc.version)))))) THEN 'pending'::text
            ELSE 'in_sync'::text
        END AS status,
    r.sip_uri,
    r.connection_id,
    r.forward_to,
    r.webhook_url,
    ((1 + ((COALESCE(r.fallback_mode, 'unrouted'::text) <> 'unrouted'::text))::integer) + (((r.steps #> '{fallback,fallback}'::text[]) IS NOT NULL))::integer) AS steps,
    r.group_id
   FROM (((public.routings r
     JOIN public.feed_confirmations c ON ((c.shard = r.shard)))
     CROSS JOIN LATERAL ( SELECT bool_or(((e.state = 'failed'::text) AND (NOT e.is_past))) AS is_failed,
            bool_or(((e.state = 'drifted'::text) AND (NOT e.is_past))) AS is_drifted,
            bool_or(((e.state = 'pending'::text) OR e.is_past)) AS is_pending
           FROM ( SELECT e_1.state,
                    (e_1.version < r.version) AS is_past
                   FROM public.applied_exceptions e_1
                  WHERE (e_1.item_id = r.holding_id)
                UNION ALL
                 SELECT e_1.state,
                    (e_1.version < p.version)
                   FROM (public.connection_placements p
                     CROSS JOIN LATERAL ( SELECT x_1.switch_id,
                            x_1.item_id,
                            x_1.shard,
                            x_1.kind,
                            x_1.organisation_id,
                            x_1.environment,
                            x_1.version,
                            x_1.state,
                            x_1.applied_generation,
                            x_1.applied,
                            x_1.error,
                            x_1.since,
                            x_1.observed_at
                           FROM public.applied_exceptions x_1
                          WHERE ((x_1.item_id = p.connection_id) AND (x_1.shard = p.shard))
                         OFFSET 0) e_1)
                  WHERE ((p.connection_id = ANY (ARRAY[r.connection_id, r.fallback_connection_id, r.last_connection_id])) AND (p.group_id = r.group_id))) e) x)
     LEFT JOIN LATERAL ( SELECT s.group_id,
            s.is_unreachable,
            s.is_joining
           FROM public.switch_group_states s
          WHERE (s.group_id = r.group_id)
         OFFSET 0) g ON (true));

CREATE TABLE public.sandbox_calls (
    reference uuid NOT NULL,
    test_side_of uuid NOT NULL,
    first_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.sandbox_calls FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.sandbox_calls IS 'When something was first tried whose number is scripted to get lost, or not to be reachable for a while.';

CREATE TABLE public.sandbox_purchases (
    reference uuid NOT NULL,
    e164 text NOT NULL COLLATE pg_catalog."C",
    test_side_of uuid NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    bought_at timestamp with time zone,
    returned_at timestamp with time zone,
    returned_by uuid,
    CONSTRAINT sandbox_purchases_check CHECK (((bought_at IS NOT NULL) OR (returned_by IS NULL))),
    CONSTRAINT sandbox_purchases_check1 CHECK (((returned_at IS NULL) OR (returned_by IS NOT NULL)))
);

ALTER TABLE ONLY public.sandbox_purchases FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.sandbox_purchases IS 'Books of the simulated carrier for test environments. They are in the database, so that it remembers sales that our own tables have lost.';

COMMENT ON COLUMN public.sandbox_purchases.bought_at IS 'Null where the number was rejected; in the future while the order is pending.';

COMMENT ON COLUMN public.sandbox_purchases.returned_at IS 'In the future while the release is pending.';

CREATE TABLE public.sandbox_reservations (
    test_side_of uuid NOT NULL,
    e164 text NOT NULL COLLATE pg_catalog."C",
    reference uuid NOT NULL,
    reserved_until timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.sandbox_reservations FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.sandbox_reservations IS 'Which fictional numbers of a test environment are put aside, or sold: those forever.';

CREATE TABLE public.sandbox_submissions (
    reference uuid NOT NULL,
    test_side_of uuid NOT NULL,
    order_reference uuid NOT NULL,
    e164 text NOT NULL,
    requirement_id text NOT NULL,
    submitted_at timestamp with time zone NOT NULL,
    rejected_reason text
);

ALTER TABLE ONLY public.sandbox_submissions FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.sandbox_submissions IS 'Evidence that the simulated carrier of test environments received, without its contents.';

CREATE TABLE public.saved_state_items (
    state_id uuid NOT NULL,
    item_id uuid NOT NULL,
    kind text NOT NULL,
    shard integer NOT NULL,
    version bigint NOT NULL,
    generation bigint NOT NULL,
    value jsonb NOT NULL,
    e164 text GENERATED ALWAYS AS ((value ->> 'e164'::text)) STORED,
    holder_id uuid,
    CONSTRAINT saved_state_items_kind_check CHECK ((kind = ANY (ARRAY['route'::text, 'connection'::text])))
);

ALTER TABLE ONLY public.saved_state_items FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.saved_state_items IS 'The routes and connections of an uploaded state.';

COMMENT ON COLUMN public.saved_state_items.e164 IS 'The number of a route; null for a connection.';

COMMENT ON COLUMN public.saved_state_items.holder_id IS 'Organisation of the item. Null if the agent does not know it.';

CREATE TABLE public.saved_states (
    id uuid NOT NULL,
    switch_id uuid NOT NULL,
    epoch text NOT NULL,
    saved_at timestamp with time zone NOT NULL,
    items integer NOT NULL,
    requested_at timestamp with time zone,
    uploaded_at timestamp with time zone,
    hold text,
    compared_at timestamp with time zone,
    CONSTRAINT saved_states_check CHECK (((uploaded_at IS NULL) OR (requested_at IS NOT NULL))),
    CONSTRAINT saved_states_epoch_check CHECK (((length(epoch) >= 1) AND (length(epoch) <= 200))),
    CONSTRAINT saved_states_items_check CHECK ((items >= 0))
);

ALTER TABLE ONLY public.saved_states FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.saved_states IS 'The complete state that an agent kept when an epoch ended.';

COMMENT ON COLUMN public.saved_states.epoch IS 'The epoch that ended.';

COMMENT ON COLUMN public.saved_states.items IS 'How many routes and connections it has.';

COMMENT ON COLUMN public.saved_states.requested_at IS 'When an operator first asked for the upload; null while the state is only on the switch.';

COMMENT ON COLUMN public.saved_states.hold IS 'Epoch of the restore at whose begin the agent saved the state. Null for states of ended epochs.';

COMMENT ON COLUMN public.saved_states.compared_at IS 'Time when the state was compared with the restored database.';

CREATE TABLE public.schema_functions (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.stock_reservations (
    number_id uuid NOT NULL,
    test_side_of uuid,
    reference uuid NOT NULL,
    reserved_until timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.stock_reservations FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.stock_reservations IS 'Reserved numbers of the stock: one reference each, by the unique constraint. After expiry, the next reservation takes over the row.';

COMMENT ON COLUMN public.stock_reservations.test_side_of IS 'Organisation of the test environment, which has all fictional numbers to itself; null for a live number.';

CREATE TABLE public.switch_groups (
    id uuid NOT NULL,
    name text NOT NULL,
    environment text NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT switch_groups_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT switch_groups_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);

ALTER TABLE ONLY public.switch_groups FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.switch_groups IS 'Switches that hold the same numbers. A number belongs to one group, and a group to one environment, so a test number never reaches a real switch.';

CREATE TABLE public.switch_trunk_reports (
    switch_id uuid NOT NULL,
    report jsonb NOT NULL,
    confirmed jsonb NOT NULL,
    drifted text[] NOT NULL,
    status text NOT NULL,
    since timestamp with time zone NOT NULL,
    differing integer NOT NULL,
    error text,
    observed_at timestamp with time zone NOT NULL,
    CONSTRAINT switch_trunk_reports_check CHECK (((status = 'failed'::text) = (error IS NOT NULL))),
    CONSTRAINT switch_trunk_reports_confirmed_check CHECK ((jsonb_typeof((confirmed -> 'names'::text)) = 'array'::text)),
    CONSTRAINT switch_trunk_reports_differing_check CHECK ((differing >= 0)),
    CONSTRAINT switch_trunk_reports_error_check CHECK (((length(error) >= 1) AND (length(error) <= 500))),
    CONSTRAINT switch_trunk_reports_report_check CHECK ((jsonb_typeof((report -> 'trunks'::text)) = 'array'::text)),
    CONSTRAINT switch_trunk_reports_status_check CHECK ((status = ANY (ARRAY['applied'::text, 'pending'::text, 'failed'::text, 'drifted'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.switch_trunk_reports FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.switch_trunk_reports IS 'Trunks that a switch has read back, as it last reported them.';

COMMENT ON COLUMN public.switch_trunk_reports.confirmed IS 'Trunks that were read back with the desired values under an etag. A later difference under this etag is drift.';

COMMENT ON COLUMN public.switch_trunk_reports.drifted IS 'Trunks whose drift is in the audit log, until they are applied again.';

COMMENT ON COLUMN public.switch_trunk_reports.status IS 'Status at the time of the report, and the time since it applies.';

COMMENT ON COLUMN public.switch_trunk_reports.differing IS 'Count of trunks without the desired value.';

CREATE TABLE public.trunk_revisions (
    switch_group_id uuid NOT NULL,
    revision integer NOT NULL,
    document jsonb NOT NULL,
    sealed_passwords bytea,
    root_id integer,
    opened_networks text[] NOT NULL,
    restored_from integer,
    created_at timestamp with time zone NOT NULL,
    actor_id uuid,
    actor_name text,
    CONSTRAINT trunk_revisions_actor_name_check CHECK ((length(actor_name) <= 200)),
    CONSTRAINT trunk_revisions_check CHECK ((restored_from < revision)),
    CONSTRAINT trunk_revisions_check1 CHECK ((num_nulls(sealed_passwords, root_id) = ANY (ARRAY[0, 2]))),
    CONSTRAINT trunk_revisions_document_check CHECK ((jsonb_typeof((document -> 'trunks'::text)) = 'array'::text)),
    CONSTRAINT trunk_revisions_document_check1 CHECK ((jsonb_typeof((document -> 'forwarding'::text)) = ANY (ARRAY['object'::text, 'null'::text]))),
    CONSTRAINT trunk_revisions_revision_check CHECK ((revision > 0)),
    CONSTRAINT trunk_revisions_sealed_passwords_check CHECK ((length(sealed_passwords) >= 29))
);

ALTER TABLE ONLY public.trunk_revisions FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.trunk_revisions IS 'Trunks of the switches of a group. The newest revision is desired. A group without a row is not managed: its switches use the trunks of their files.';

COMMENT ON COLUMN public.trunk_revisions.document IS 'Trunks and forwarding, without passwords.';

COMMENT ON COLUMN public.trunk_revisions.sealed_passwords IS 'JSON of the passwords by their ID, which switches must send to gateways: AES-256-GCM under a key of the installation, bound to `<switch_group_id>/<revision>`.';

COMMENT ON COLUMN public.trunk_revisions.opened_networks IS 'Networks whose requests no earlier revision accepted in this way. An operator has confirmed each.';

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text,
    is_operator boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    disabled_at timestamp with time zone,
    home_tag text,
    CONSTRAINT users_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
    CONSTRAINT users_home_tag_check CHECK ((home_tag ~ '^[0-9A-Za-z]{4}$'::text)),
    CONSTRAINT users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

ALTER TABLE ONLY public.users FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.users.password_hash IS 'argon2id; null until the person has set one through a mailed link.';

COMMENT ON COLUMN public.users.is_operator IS 'Runs this installation. Set by the server command only, never over HTTP.';

COMMENT ON COLUMN public.users.home_tag IS 'Tag of the first organisation the person joined, forever.';

CREATE TABLE public.views (
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    id uuid NOT NULL,
    user_id uuid,
    page text NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    slot smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT views_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT views_name_check CHECK ((((length(name) >= 1) AND (length(name) <= 60)) AND (name !~ '[[:cntrl:]]'::text))),
    CONSTRAINT views_page_check CHECK ((page = ANY (ARRAY['numbers'::text, 'calls'::text, 'audit'::text, 'events'::text, 'jobs'::text]))),
    CONSTRAINT views_query_check CHECK (((length(query) <= 2000) AND (query ~ '^[!-~]*$'::text))),
    CONSTRAINT views_slot_check CHECK (((slot >= 1) AND (slot <= 100)))
);

ALTER TABLE ONLY public.views FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.views.user_id IS 'Member who owns the view. Null for a view of the organisation, which all members see.';

COMMENT ON COLUMN public.views.query IS 'Query string of the page, without the question mark.';

COMMENT ON COLUMN public.views.slot IS 'Limits the views of an owner: two concurrent inserts cannot take the same slot.';

CREATE TABLE public.webhook_deliveries (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    endpoint_id uuid NOT NULL,
    sequence bigint NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    answered smallint,
    error text,
    attempted_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT webhook_deliveries_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
    CONSTRAINT webhook_deliveries_error_check CHECK ((length(error) <= 300)),
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.webhook_deliveries FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.webhook_deliveries IS 'Events to deliver to an endpoint, with their status. Delivery is at least once, and always carries the ID of the event.';

COMMENT ON COLUMN public.webhook_deliveries.next_attempt_at IS 'Time from which any worker may attempt the delivery. A worker moves it forward before the attempt.';

CREATE TABLE public.webhook_endpoints (
    id uuid NOT NULL,
    organisation_id uuid NOT NULL,
    environment text NOT NULL,
    url text NOT NULL,
    description text,
    event_types text[] DEFAULT '{}'::text[] NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    disabled_reason text,
    secret_version integer DEFAULT 1 NOT NULL,
    previous_secrets_until timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    "position" bigint NOT NULL,
    failing_since timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    next_due_at timestamp with time zone,
    secret_roots integer[] DEFAULT '{1}'::integer[] NOT NULL,
    disabled_at timestamp with time zone,
    CONSTRAINT webhook_endpoints_check CHECK (((disabled_reason IS NULL) OR (status = 'disabled'::text))),
    CONSTRAINT webhook_endpoints_description_check CHECK (((length(description) >= 1) AND (length(description) <= 200))),
    CONSTRAINT webhook_endpoints_disabled_reason_check CHECK (((length(disabled_reason) >= 1) AND (length(disabled_reason) <= 64))),
    CONSTRAINT webhook_endpoints_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'test'::text]))),
    CONSTRAINT webhook_endpoints_event_types_check CHECK ((cardinality(event_types) <= 50)),
    CONSTRAINT webhook_endpoints_previous_secrets_until_check CHECK ((cardinality(previous_secrets_until) < 10)),
    CONSTRAINT webhook_endpoints_secret_roots_check CHECK (((cardinality(secret_roots) >= 1) AND (cardinality(secret_roots) <= 10))),
    CONSTRAINT webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text]))),
    CONSTRAINT webhook_endpoints_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2000)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.webhook_endpoints FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.webhook_endpoints IS 'Webhook endpoints that receive the events of an organisation.';

COMMENT ON COLUMN public.webhook_endpoints.event_types IS 'Types, or all types of a noun such as order.*; empty for all events.';

COMMENT ON COLUMN public.webhook_endpoints.secret_version IS 'The secret follows from it and the id; it is stored nowhere.';

COMMENT ON COLUMN public.webhook_endpoints.previous_secrets_until IS 'How long each earlier secret still signs, the last one first.';

COMMENT ON COLUMN public.webhook_endpoints."position" IS 'Sequence of the last event for which deliveries were created.';

COMMENT ON COLUMN public.webhook_endpoints.next_due_at IS 'No pending delivery is due before this; null if none is pending. Lowered by a trigger on deliveries, raised by the worker that has the endpoint locked.';

COMMENT ON COLUMN public.webhook_endpoints.secret_roots IS 'Root keys of the secrets that sign now, newest first.';

COMMENT ON COLUMN public.webhook_endpoints.disabled_at IS 'When the service disabled the endpoint. Null if it did not, or before this column existed.';

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT addresses_pkey PRIMARY KEY (organisation_id, environment, id);

ALTER TABLE ONLY public.api_key_organisations
    ADD CONSTRAINT api_key_organisations_pkey PRIMARY KEY (api_key_id, organisation_id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_secret_mac_key UNIQUE (secret_mac);

ALTER TABLE ONLY public.applied_exceptions
    ADD CONSTRAINT applied_exceptions_pkey PRIMARY KEY (switch_id, item_id);

ALTER TABLE ONLY public.applied_marks
    ADD CONSTRAINT applied_marks_pkey PRIMARY KEY (switch_id, shard);

ALTER TABLE ONLY public.applied_routes
    ADD CONSTRAINT applied_routes_pkey PRIMARY KEY (holding_id, at, switch_id, version);

ALTER TABLE ONLY public.applied_watermarks
    ADD CONSTRAINT applied_watermarks_pkey PRIMARY KEY (switch_id, shard);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.authenticators
    ADD CONSTRAINT authenticators_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.authenticators
    ADD CONSTRAINT authenticators_user_id_key UNIQUE (user_id);

ALTER TABLE ONLY public.authorisation_codes
    ADD CONSTRAINT authorisation_codes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bulk_change_items
    ADD CONSTRAINT bulk_change_items_pkey PRIMARY KEY (organisation_id, environment, bulk_change_id, number_id);

ALTER TABLE ONLY public.bulk_changes
    ADD CONSTRAINT bulk_changes_organisation_id_environment_id_key UNIQUE (organisation_id, environment, id);

ALTER TABLE ONLY public.bulk_changes
    ADD CONSTRAINT bulk_changes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.call_buckets
    ADD CONSTRAINT call_buckets_pkey PRIMARY KEY (organisation_id, environment, began_at, switch_id);

ALTER TABLE ONLY public.call_ids
    ADD CONSTRAINT call_ids_pkey PRIMARY KEY (digest, day);

ALTER TABLE ONLY public.call_parties
    ADD CONSTRAINT call_parties_pkey PRIMARY KEY (switch_id, id, started_at);

ALTER TABLE ONLY public.call_records
    ADD CONSTRAINT call_records_pkey PRIMARY KEY (switch_id, id, started_at);

ALTER TABLE ONLY public.call_standings
    ADD CONSTRAINT call_standings_pkey PRIMARY KEY (switch_id);

ALTER TABLE ONLY public.carrier_trunks
    ADD CONSTRAINT carrier_trunks_pkey PRIMARY KEY (carrier_id, group_id);

ALTER TABLE ONLY public.carriers
    ADD CONSTRAINT carriers_name_key UNIQUE (name);

ALTER TABLE ONLY public.carriers
    ADD CONSTRAINT carriers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT challenges_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.connection_placements
    ADD CONSTRAINT connection_placements_pkey PRIMARY KEY (connection_id, group_id);

ALTER TABLE ONLY public.connection_targets
    ADD CONSTRAINT connection_targets_pkey PRIMARY KEY (connection_id, "position");

ALTER TABLE public.connections
    ADD CONSTRAINT connections_metadata CHECK (((jsonb_typeof(metadata) = 'object'::text) AND (jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()'::jsonpath)) <= 20) AND (NOT jsonb_path_exists(metadata, '$.*?(@.type() != "string")'::jsonpath)))) NOT VALID;

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_organisation_id_environment_id_key UNIQUE (organisation_id, environment, id);

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_organisation_id_environment_name_key UNIQUE (organisation_id, environment, name);

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.database_instances
    ADD CONSTRAINT database_instances_pkey PRIMARY KEY (instance);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (holding_id);

ALTER TABLE ONLY public.device_sign_ins
    ADD CONSTRAINT device_sign_ins_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.device_sign_ins
    ADD CONSTRAINT device_sign_ins_user_code_mac_key UNIQUE (user_code_mac);

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_id_key UNIQUE (id);

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (organisation_id, environment, id);

ALTER TABLE ONLY public.drift_episodes
    ADD CONSTRAINT drift_episodes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event_heads
    ADD CONSTRAINT event_heads_pkey PRIMARY KEY (organisation_id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_id_key UNIQUE (id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (organisation_id, sequence);

ALTER TABLE ONLY public.evidence_totals
    ADD CONSTRAINT evidence_totals_pkey PRIMARY KEY (organisation_id, environment);

ALTER TABLE ONLY public.failed_routes
    ADD CONSTRAINT failed_routes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.feed_confirmations
    ADD CONSTRAINT feed_confirmations_pkey PRIMARY KEY (shard);

ALTER TABLE ONLY public.feed_epoch
    ADD CONSTRAINT feed_epoch_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.feed_epochs
    ADD CONSTRAINT feed_epochs_pkey PRIMARY KEY (epoch);

ALTER TABLE ONLY public.feed_items
    ADD CONSTRAINT feed_items_pkey PRIMARY KEY (shard, version);

ALTER TABLE ONLY public.feed_shards
    ADD CONSTRAINT feed_shards_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.forwarding_allowances
    ADD CONSTRAINT forwarding_allowances_pkey PRIMARY KEY (organisation_id, switch_id);

ALTER TABLE ONLY public.forwarding_policies
    ADD CONSTRAINT forwarding_policies_pkey PRIMARY KEY (organisation_id);

ALTER TABLE ONLY public.holding_metadata
    ADD CONSTRAINT holding_metadata_pkey PRIMARY KEY (holding_id, key);

ALTER TABLE ONLY public.holding_tags
    ADD CONSTRAINT holding_tags_pkey PRIMARY KEY (organisation_id, environment, tag, holding_id);

ALTER TABLE public.holdings
    ADD CONSTRAINT holdings_metadata CHECK (((jsonb_typeof(metadata) = 'object'::text) AND (jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()'::jsonpath)) <= 20) AND (NOT jsonb_path_exists(metadata, '$.*?(@.type() != "string")'::jsonpath)))) NOT VALID;

ALTER TABLE ONLY public.holdings
    ADD CONSTRAINT holdings_organisation_id_environment_id_key UNIQUE (organisation_id, environment, id);

ALTER TABLE ONLY public.holdings
    ADD CONSTRAINT holdings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organisation_id, environment, key);

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (provider_id, subject);

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_provider_id_user_id_key UNIQUE (provider_id, user_id);

ALTER TABLE ONLY public.identity_provider_domains
    ADD CONSTRAINT identity_provider_domains_pkey PRIMARY KEY (provider_id, domain);

ALTER TABLE ONLY public.identity_providers
    ADD CONSTRAINT identity_providers_organisation_id_id_key UNIQUE (organisation_id, id);

ALTER TABLE ONLY public.identity_providers
    ADD CONSTRAINT identity_providers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organisation_id_email_key UNIQUE (organisation_id, email);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_organisation_id_environment_id_key UNIQUE (organisation_id, environment, id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.kept_keys
    ADD CONSTRAINT kept_keys_pkey PRIMARY KEY (root_id, purpose);

ALTER TABLE ONLY public.last_calls
    ADD CONSTRAINT last_calls_pkey PRIMARY KEY (holding_id);

ALTER TABLE ONLY public.limit_counters
    ADD CONSTRAINT limit_counters_pkey PRIMARY KEY (name, subject);

ALTER TABLE ONLY public.live_calls
    ADD CONSTRAINT live_calls_pkey PRIMARY KEY (switch_id, holding_id);

ALTER TABLE ONLY public.live_changes
    ADD CONSTRAINT live_changes_pkey PRIMARY KEY (switch_id, sequence, holding_id);

ALTER TABLE ONLY public.live_reports
    ADD CONSTRAINT live_reports_pkey PRIMARY KEY (switch_id);

ALTER TABLE ONLY public.log_floors
    ADD CONSTRAINT log_floors_pkey PRIMARY KEY (organisation_id, log);

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (organisation_id, user_id);

ALTER TABLE ONLY public.number_counts
    ADD CONSTRAINT number_counts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.numbers
    ADD CONSTRAINT numbers_environment_e164_key UNIQUE (environment, e164);

ALTER TABLE ONLY public.numbers
    ADD CONSTRAINT numbers_id_environment_e164_key UNIQUE (id, environment, e164);

ALTER TABLE ONLY public.numbers
    ADD CONSTRAINT numbers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.open_calls
    ADD CONSTRAINT open_calls_pkey PRIMARY KEY (switch_id, holding_id);

ALTER TABLE ONLY public.order_items
    ADD CONSTRAINT order_items_organisation_id_environment_order_id_e164_key UNIQUE (organisation_id, environment, order_id, e164);

ALTER TABLE ONLY public.order_items
    ADD CONSTRAINT order_items_pkey PRIMARY KEY (organisation_id, environment, order_id, "position");

ALTER TABLE ONLY public.order_requirements
    ADD CONSTRAINT order_requirements_pkey PRIMARY KEY (organisation_id, environment, order_id, "position", requirement_id);

ALTER TABLE ONLY public.order_requirements
    ADD CONSTRAINT order_requirements_reference_key UNIQUE (reference);

ALTER TABLE public.orders
    ADD CONSTRAINT orders_metadata CHECK (((jsonb_typeof(metadata) = 'object'::text) AND (jsonb_array_length(jsonb_path_query_array(metadata, '$.keyvalue()'::jsonpath)) <= 20) AND (NOT jsonb_path_exists(metadata, '$.*?(@.type() != "string")'::jsonpath)))) NOT VALID;

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_organisation_id_environment_id_key UNIQUE (organisation_id, environment, id);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organisation_usage_days
    ADD CONSTRAINT organisation_usage_days_pkey PRIMARY KEY (organisation_id, environment, day);

ALTER TABLE ONLY public.organisation_usage_hours
    ADD CONSTRAINT organisation_usage_hours_pkey PRIMARY KEY (organisation_id, environment, hour, switch_id);

ALTER TABLE ONLY public.organisation_usage_quarters
    ADD CONSTRAINT organisation_usage_quarters_pkey PRIMARY KEY (organisation_id, environment, quarter, switch_id);

ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pool_purchases
    ADD CONSTRAINT pool_purchases_pkey PRIMARY KEY (reference, e164);

ALTER TABLE ONLY public.probe_callers
    ADD CONSTRAINT probe_callers_pkey PRIMARY KEY (switch_group_id);

ALTER TABLE ONLY public.probe_policies
    ADD CONSTRAINT probe_policies_pkey PRIMARY KEY (organisation_id);

ALTER TABLE ONLY public.probe_schedules
    ADD CONSTRAINT probe_schedules_organisation_id_environment_tag_key UNIQUE (organisation_id, environment, tag);

ALTER TABLE ONLY public.probe_schedules
    ADD CONSTRAINT probe_schedules_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.probe_switches
    ADD CONSTRAINT probe_switches_pkey PRIMARY KEY (probe_id, switch_id);

ALTER TABLE ONLY public.probes
    ADD CONSTRAINT probes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.problems
    ADD CONSTRAINT problems_pkey PRIMARY KEY (id);

ALTER TABLE public.reconciliation_findings
    ADD CONSTRAINT reconciliation_findings_holding CHECK (((kind = 'not_here'::text) = (holding_id IS NULL))) NOT VALID;

ALTER TABLE public.reconciliation_findings
    ADD CONSTRAINT reconciliation_findings_kind CHECK ((kind = ANY (ARRAY['not_at_carrier'::text, 'not_here'::text, 'delivered_elsewhere'::text]))) NOT VALID;

ALTER TABLE ONLY public.reconciliation_findings
    ADD CONSTRAINT reconciliation_findings_pkey PRIMARY KEY (id);

ALTER TABLE public.reconciliation_findings
    ADD CONSTRAINT reconciliation_findings_trunk CHECK ((
CASE kind
    WHEN 'delivered_elsewhere'::text THEN ((expected_trunk IS NOT NULL) AND (found_trunk IS DISTINCT FROM expected_trunk))
    ELSE ((expected_trunk IS NULL) AND (found_trunk IS NULL))
END AND (length(expected_trunk) <= 100) AND (length(found_trunk) <= 100))) NOT VALID;

ALTER TABLE ONLY public.reconciliations
    ADD CONSTRAINT reconciliations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_mac);

ALTER TABLE ONLY public.rejected_records
    ADD CONSTRAINT rejected_records_pkey PRIMARY KEY (switch_id, digest);

ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_organisation_id_environment_id_key UNIQUE (organisation_id, environment, id);

ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_organisation_id_environment_id_key UNIQUE (organisation_id, environment, id);

ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.restore_findings
    ADD CONSTRAINT restore_findings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.restores
    ADD CONSTRAINT restores_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.root_keys
    ADD CONSTRAINT root_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.routing_destinations
    ADD CONSTRAINT routing_destinations_pkey PRIMARY KEY (holding_id);

ALTER TABLE ONLY public.routing_revisions
    ADD CONSTRAINT routing_revisions_pkey PRIMARY KEY (holding_id, generation);

ALTER TABLE ONLY public.routing_webhook_secrets
    ADD CONSTRAINT routing_webhook_secrets_pkey PRIMARY KEY (organisation_id, environment);

ALTER TABLE public.routings
    ADD CONSTRAINT routings_fallback_check CHECK (
CASE
    WHEN (mode = 'webhook'::text) THEN (fallback_mode IS NOT NULL)
    WHEN (mode = 'unrouted'::text) THEN (fallback_mode IS NULL)
    ELSE ((fallback_mode IS NULL) OR (steps IS NOT NULL))
END) NOT VALID;

ALTER TABLE public.routings
    ADD CONSTRAINT routings_fallback_mode_check CHECK (((fallback_mode = ANY (ARRAY['sip_uri'::text, 'connection'::text, 'unrouted'::text, 'forward'::text, 'webhook'::text])) AND ((steps IS NOT NULL) OR (fallback_mode = ANY (ARRAY['sip_uri'::text, 'connection'::text, 'unrouted'::text]))))) NOT VALID;

ALTER TABLE ONLY public.routings
    ADD CONSTRAINT routings_organisation_id_environment_holding_id_key UNIQUE (organisation_id, environment, holding_id);

ALTER TABLE ONLY public.routings
    ADD CONSTRAINT routings_pkey PRIMARY KEY (holding_id);

ALTER TABLE public.routings
    ADD CONSTRAINT routings_steps_check CHECK (
CASE
    WHEN (steps IS NULL) THEN (last_connection_id IS NULL)
    ELSE (((steps ->> 'mode'::text) = mode) AND (NOT ((steps ->> 'sip_uri'::text) IS DISTINCT FROM sip_uri)) AND (NOT ((steps ->> 'connection_id'::text) IS DISTINCT FROM (connection_id)::text)) AND (NOT ((steps ->> 'forward_to'::text) IS DISTINCT FROM forward_to)) AND (NOT ((steps ->> 'webhook_url'::text) IS DISTINCT FROM webhook_url)) AND (NOT ((steps #>> '{fallback,mode}'::text[]) IS DISTINCT FROM fallback_mode)) AND (NOT ((steps #>> '{fallback,sip_uri}'::text[]) IS DISTINCT FROM fallback_sip_uri)) AND (NOT ((steps #>> '{fallback,connection_id}'::text[]) IS DISTINCT FROM (fallback_connection_id)::text)) AND (NOT ((steps #>> '{fallback,fallback,connection_id}'::text[]) IS DISTINCT FROM (last_connection_id)::text)) AND ((steps #> '{fallback,fallback,fallback}'::text[]) IS NULL))
END) NOT VALID;

ALTER TABLE ONLY public.sandbox_calls
    ADD CONSTRAINT sandbox_calls_pkey PRIMARY KEY (reference);

ALTER TABLE ONLY public.sandbox_purchases
    ADD CONSTRAINT sandbox_purchases_pkey PRIMARY KEY (reference, e164);

ALTER TABLE ONLY public.sandbox_reservations
    ADD CONSTRAINT sandbox_reservations_pkey PRIMARY KEY (test_side_of, e164);

ALTER TABLE ONLY public.sandbox_submissions
    ADD CONSTRAINT sandbox_submissions_pkey PRIMARY KEY (reference);

ALTER TABLE ONLY public.saved_state_items
    ADD CONSTRAINT saved_state_items_pkey PRIMARY KEY (state_id, item_id);

ALTER TABLE ONLY public.saved_states
    ADD CONSTRAINT saved_states_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.saved_states
    ADD CONSTRAINT saved_states_switch_id_epoch_key UNIQUE (switch_id, epoch);

ALTER TABLE ONLY public.schema_functions
    ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (name, checksum);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);

ALTER TABLE ONLY public.stock_reservations
    ADD CONSTRAINT stock_reservations_number_id_test_side_of_key UNIQUE NULLS NOT DISTINCT (number_id, test_side_of);

ALTER TABLE ONLY public.switch_groups
    ADD CONSTRAINT switch_groups_id_environment_key UNIQUE (id, environment);

ALTER TABLE ONLY public.switch_groups
    ADD CONSTRAINT switch_groups_name_key UNIQUE (name);

ALTER TABLE ONLY public.switch_groups
    ADD CONSTRAINT switch_groups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.switch_trunk_reports
    ADD CONSTRAINT switch_trunk_reports_pkey PRIMARY KEY (switch_id);

ALTER TABLE ONLY public.switches
    ADD CONSTRAINT switches_credential_mac_key UNIQUE (credential_mac);

ALTER TABLE ONLY public.switches
    ADD CONSTRAINT switches_group_id_name_key UNIQUE (group_id, name);

ALTER TABLE ONLY public.switches
    ADD CONSTRAINT switches_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.target_health
    ADD CONSTRAINT target_health_pkey PRIMARY KEY (switch_id, connection_id, host, port, transport);

ALTER TABLE ONLY public.trunk_revisions
    ADD CONSTRAINT trunk_revisions_pkey PRIMARY KEY (switch_group_id, revision);

ALTER TABLE ONLY public.usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (holding_id, day);

ALTER TABLE ONLY public.usage_hours
    ADD CONSTRAINT usage_hours_pkey PRIMARY KEY (holding_id, hour);

ALTER TABLE ONLY public.usage_quarters_start
    ADD CONSTRAINT usage_quarters_start_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_pkey PRIMARY KEY (organisation_id, environment, id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_sequence_key UNIQUE (endpoint_id, sequence);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_organisation_id_environment_id_key UNIQUE (organisation_id, environment, id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_organisation_id_environment_id_key UNIQUE (organisation_id, environment, id);

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);

CREATE INDEX api_key_organisations_by_organisation ON public.api_key_organisations USING btree (organisation_id, api_key_id);

CREATE INDEX api_keys_by_creator ON public.api_keys USING btree (created_by);

CREATE UNIQUE INDEX api_keys_by_replaced ON public.api_keys USING btree (replaces_id);

CREATE INDEX applied_exceptions_by_age ON public.applied_exceptions USING btree (organisation_id, environment, state, since);

CREATE INDEX applied_exceptions_by_item ON public.applied_exceptions USING btree (item_id);

CREATE INDEX applied_exceptions_by_shard ON public.applied_exceptions USING btree (switch_id, shard);

CREATE INDEX applied_watermarks_by_shard ON public.applied_watermarks USING btree (shard);

CREATE INDEX audit_entries_by_action ON public.audit_entries USING btree (organisation_id, action, id);

CREATE INDEX audit_entries_by_organisation ON public.audit_entries USING btree (organisation_id, id);

CREATE INDEX audit_entries_by_organisation_actor ON public.audit_entries USING btree (organisation_id, actor_id, id) WHERE (actor_id IS NOT NULL);

CREATE INDEX audit_entries_by_subject ON public.audit_entries USING btree (organisation_id, subject, id) WHERE (subject IS NOT NULL);

CREATE INDEX audit_entries_in_order ON public.audit_entries USING btree (organisation_id, committed_in, id);

CREATE INDEX audit_entries_of_number_states ON public.audit_entries USING btree (organisation_id, subject, at, id) WHERE (action = ANY (ARRAY['number.added'::text, 'number.suspended'::text, 'number.resumed'::text, 'number.releasing'::text, 'number.release_failed'::text, 'number.quarantined'::text, 'number.released'::text, 'number.restoring'::text, 'number.restore_failed'::text, 'number.restored'::text]));

CREATE INDEX audit_entries_refused ON public.audit_entries USING btree (organisation_id, id) WHERE (outcome = 'refused'::text);

CREATE INDEX authorisation_codes_by_expiry ON public.authorisation_codes USING btree (expires_at);

CREATE INDEX authorisation_codes_by_session ON public.authorisation_codes USING btree (session_id);

CREATE INDEX authorisation_codes_by_user ON public.authorisation_codes USING btree (user_id);

CREATE INDEX bulk_change_items_by_outcome ON public.bulk_change_items USING btree (organisation_id, environment, bulk_change_id, outcome, number_id);

CREATE INDEX bulk_change_items_due ON public.bulk_change_items USING btree (organisation_id, environment, bulk_change_id, shard, number_id) WHERE (outcome = 'planned'::text);

CREATE INDEX bulk_changes_applying ON public.bulk_changes USING btree (advanced_at) WHERE (status = 'applying'::text);

CREATE INDEX bulk_changes_by_start ON public.bulk_changes USING btree (organisation_id, started_at, id) WHERE (status = 'applying'::text);

CREATE INDEX bulk_changes_planned ON public.bulk_changes USING btree (expires_at) WHERE (status = 'planned'::text);

CREATE INDEX call_buckets_by_time ON public.call_buckets USING btree (began_at);

CREATE INDEX call_ids_by_day ON public.call_ids USING btree (day);

CREATE INDEX call_parties_by_called ON ONLY public.call_parties USING btree (organisation_id, environment, called COLLATE "C", started_at);

CREATE INDEX call_parties_by_caller ON ONLY public.call_parties USING btree (organisation_id, environment, caller COLLATE "C", started_at);

CREATE INDEX call_parties_by_sip_call_id ON ONLY public.call_parties USING btree (sip_call_id);

CREATE INDEX call_parties_of_all_by_caller ON ONLY public.call_parties USING btree (environment, caller, started_at);

CREATE INDEX call_records_by_code ON ONLY public.call_records USING btree (organisation_id, environment, code, started_at);

CREATE INDEX call_records_by_connection ON ONLY public.call_records USING btree (organisation_id, environment, connection_id, started_at) WHERE (connection_id IS NOT NULL);

CREATE INDEX call_records_by_holding ON ONLY public.call_records USING btree (organisation_id, environment, holding_id, started_at);

CREATE INDEX call_records_by_result ON ONLY public.call_records USING btree (organisation_id, environment, result, started_at);

CREATE INDEX call_records_by_switch ON ONLY public.call_records USING btree (organisation_id, environment, switch_id, started_at);

CREATE INDEX call_records_by_time ON ONLY public.call_records USING btree (organisation_id, environment, started_at);

CREATE INDEX call_records_of_all ON ONLY public.call_records USING btree (environment, started_at DESC NULLS LAST);

CREATE INDEX challenges_by_expiry ON public.challenges USING btree (expires_at);

CREATE INDEX challenges_by_user ON public.challenges USING btree (user_id);

CREATE INDEX connection_placements_by_connection ON public.connection_placements USING btree (organisation_id, environment, connection_id);

CREATE INDEX connection_targets_by_connection ON public.connection_targets USING btree (organisation_id, environment, connection_id);

CREATE INDEX device_sign_ins_by_expiry ON public.device_sign_ins USING btree (expires_at);

CREATE INDEX device_sign_ins_by_session ON public.device_sign_ins USING btree (session_id);

CREATE INDEX device_sign_ins_by_user ON public.device_sign_ins USING btree (user_id);

CREATE INDEX documents_by_root ON public.documents USING btree (root_id);

CREATE INDEX drift_episodes_by_owner ON public.drift_episodes USING btree (organisation_id, environment, item_id, first_at);

CREATE INDEX drift_episodes_by_switch_and_item ON public.drift_episodes USING btree (switch_id, item_id, last_at);

CREATE UNIQUE INDEX drift_episodes_one_open ON public.drift_episodes USING btree (switch_id, item_id, md5((found)::text), md5((expected)::text), found_generation, expected_generation) WHERE ((closed_at IS NULL) AND (NOT is_various));

CREATE UNIQUE INDEX drift_episodes_one_various ON public.drift_episodes USING btree (switch_id, item_id) WHERE ((closed_at IS NULL) AND is_various);

CREATE INDEX drift_episodes_open_by_age ON public.drift_episodes USING btree (last_at) WHERE (closed_at IS NULL);

CREATE INDEX drift_episodes_open_by_item ON public.drift_episodes USING btree (item_id) WHERE (closed_at IS NULL);

CREATE INDEX drift_episodes_open_by_owner ON public.drift_episodes USING btree (organisation_id, environment, first_at) WHERE (closed_at IS NULL);

CREATE INDEX event_heads_behind ON public.event_heads USING btree (organisation_id) WHERE is_behind;

CREATE INDEX events_by_subject ON public.events USING btree (organisation_id, subject, sequence);

CREATE INDEX events_by_time ON public.events USING btree (organisation_id, created_at);

CREATE INDEX events_by_type ON public.events USING btree (organisation_id, type, sequence);

CREATE INDEX failed_routes_by_number ON public.failed_routes USING btree (holding_id, first_at, id);

CREATE UNIQUE INDEX failed_routes_one_open ON public.failed_routes USING btree (switch_id, holding_id) WHERE (ended_at IS NULL);

CREATE INDEX feed_items_by_item ON public.feed_items USING btree (item_id, shard, version);

CREATE INDEX feed_items_by_owner ON public.feed_items USING btree (organisation_id, environment, shard, version);

CREATE INDEX feed_items_gone ON public.feed_items USING btree (shard, confirmed_at) WHERE (value IS NULL);

CREATE INDEX feed_shards_by_group ON public.feed_shards USING btree (group_id, id);

CREATE UNIQUE INDEX forwarding_allowances_by_version ON public.forwarding_allowances USING btree (switch_id, version);

CREATE INDEX holding_metadata_by_e164 ON public.holding_metadata USING btree (organisation_id, environment, key, value, e164, holding_id);

CREATE INDEX holding_metadata_by_holding ON public.holding_metadata USING btree (organisation_id, environment, holding_id);

CREATE INDEX holding_metadata_by_id ON public.holding_metadata USING btree (organisation_id, environment, key, value, holding_id);

CREATE INDEX holding_tags_by_e164 ON public.holding_tags USING btree (organisation_id, environment, tag, e164, holding_id);

CREATE INDEX holding_tags_by_holding ON public.holding_tags USING btree (organisation_id, environment, holding_id);

CREATE INDEX holdings_by_carrier ON public.holdings USING btree (carrier) WHERE ((environment = 'live'::text) AND (carrier IS NOT NULL) AND is_held);

CREATE INDEX holdings_by_label ON public.holdings USING btree (organisation_id, environment, lower(label) COLLATE "C") WHERE (label IS NOT NULL);

CREATE INDEX holdings_by_number ON public.holdings USING btree (number_id, environment, e164);

CREATE INDEX holdings_by_search ON public.holdings USING gin (public.side_key(organisation_id, environment), public.searched_text(e164, label) public.gin_trgm_ops);

CREATE INDEX holdings_held_by_country_e164 ON public.holdings USING btree (organisation_id, environment, country, e164, id) WHERE is_held;

CREATE INDEX holdings_held_by_country_id ON public.holdings USING btree (organisation_id, environment, country, id) WHERE is_held;

CREATE INDEX holdings_held_by_e164 ON public.holdings USING btree (organisation_id, environment, e164, id) WHERE is_held;

CREATE INDEX holdings_held_by_id ON public.holdings USING btree (organisation_id, environment, id) WHERE is_held;

CREATE INDEX holdings_held_by_type_e164 ON public.holdings USING btree (organisation_id, environment, type, e164, id) WHERE is_held;

CREATE INDEX holdings_held_by_type_id ON public.holdings USING btree (organisation_id, environment, type, id) WHERE is_held;

CREATE INDEX holdings_of_status_by_e164 ON public.holdings USING btree (organisation_id, environment, status, e164, id) WHERE (status IS NOT NULL);

CREATE INDEX holdings_of_status_by_id ON public.holdings USING btree (organisation_id, environment, status, id) WHERE (status IS NOT NULL);

CREATE UNIQUE INDEX holdings_one_open_live ON public.holdings USING btree (number_id) WHERE ((environment = 'live'::text) AND (status <> 'released'::text));

CREATE UNIQUE INDEX holdings_one_open_test ON public.holdings USING btree (organisation_id, number_id) WHERE ((environment = 'test'::text) AND (status <> 'released'::text));

CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_at);

CREATE INDEX identities_by_member ON public.identities USING btree (organisation_id, user_id);

CREATE INDEX identities_by_provider ON public.identities USING btree (organisation_id, provider_id);

CREATE INDEX identity_provider_domains_by_organisation ON public.identity_provider_domains USING btree (organisation_id, provider_id);

CREATE INDEX identity_provider_domains_due ON public.identity_provider_domains USING btree (next_check_at) WHERE (proved_at IS NOT NULL);

CREATE UNIQUE INDEX identity_provider_domains_proved ON public.identity_provider_domains USING btree (domain) WHERE (proved_at IS NOT NULL);

CREATE INDEX invitations_by_inviter ON public.invitations USING btree (invited_by);

CREATE INDEX jobs_by_organisation ON public.jobs USING btree (organisation_id, environment, id);

CREATE INDEX jobs_by_status ON public.jobs USING btree (organisation_id, environment, status, id);

CREATE INDEX jobs_due ON public.jobs USING btree (next_check_at) WHERE is_open;

CREATE INDEX jobs_ended ON public.jobs USING btree (finished_at) WHERE (NOT is_open);

CREATE INDEX live_calls_by_number ON public.live_calls USING btree (organisation_id, environment, holding_id);

CREATE INDEX mails_unsent ON public.mails USING btree (created_at) WHERE (sent_at IS NULL);

CREATE INDEX memberships_by_user ON public.memberships USING btree (user_id);

CREATE INDEX notification_rules_due ON public.notification_rules USING btree (next_sweep_at);

CREATE UNIQUE INDEX notification_rules_one ON public.notification_rules USING btree (organisation_id, environment) NULLS NOT DISTINCT;

CREATE INDEX number_counts_by_owner ON public.number_counts USING btree (organisation_id, environment) INCLUDE (group_id, use, connection_ids);

CREATE UNIQUE INDEX number_counts_one_total ON public.number_counts USING btree (organisation_id, environment, group_id, use, connection_ids) WHERE is_total;

CREATE INDEX number_counts_to_add ON public.number_counts USING btree (id) WHERE (NOT is_total);

CREATE INDEX numbers_by_group ON public.numbers USING btree (group_id);

CREATE INDEX numbers_free ON public.numbers USING btree (environment, e164) WHERE is_free;

CREATE INDEX numbers_free_by_country ON public.numbers USING btree (environment, country, e164) WHERE is_free;

CREATE INDEX numbers_free_by_country_type ON public.numbers USING btree (environment, country, type, e164) WHERE is_free;

CREATE INDEX numbers_free_by_type ON public.numbers USING btree (environment, type, e164) WHERE is_free;

CREATE INDEX one_time_links_by_expiry ON public.one_time_links USING btree (expires_at);

CREATE INDEX one_time_links_by_user ON public.one_time_links USING btree (user_id);

CREATE INDEX open_calls_by_holding ON public.open_calls USING btree (holding_id);

CREATE INDEX open_calls_by_organisation ON public.open_calls USING btree (organisation_id);

CREATE INDEX order_items_by_number ON public.order_items USING btree (organisation_id, environment, number_id) WHERE (number_id IS NOT NULL);

CREATE UNIQUE INDEX order_items_one_purchase_live ON public.order_items USING btree (e164) WHERE ((environment = 'live'::text) AND (step = ANY (ARRAY['submitted'::text, 'unknown'::text, 'bought'::text, 'returning'::text])));

CREATE UNIQUE INDEX order_items_one_purchase_test ON public.order_items USING btree (organisation_id, e164) WHERE ((environment = 'test'::text) AND (step = ANY (ARRAY['submitted'::text, 'unknown'::text, 'bought'::text, 'returning'::text])));

CREATE INDEX order_requirements_by_address ON public.order_requirements USING btree (organisation_id, environment, address_id) WHERE (address_id IS NOT NULL);

CREATE INDEX order_requirements_by_document ON public.order_requirements USING btree (organisation_id, environment, document_id) WHERE (document_id IS NOT NULL);

CREATE INDEX order_requirements_open ON public.order_requirements USING btree (organisation_id, environment, order_id) WHERE (status = ANY (ARRAY['missing'::text, 'rejected'::text]));

CREATE INDEX orders_by_external_ref ON public.orders USING btree (organisation_id, environment, external_ref, id) WHERE (external_ref IS NOT NULL);

CREATE INDEX orders_by_reservation ON public.orders USING btree (organisation_id, environment, reservation_id) WHERE (reservation_id IS NOT NULL);

CREATE INDEX orders_by_status ON public.orders USING btree (organisation_id, environment, status, id);

CREATE UNIQUE INDEX orders_one_per_key ON public.orders USING btree (organisation_id, environment, idempotency_key);

CREATE UNIQUE INDEX organisations_tag_key ON public.organisations USING btree (tag);

CREATE INDEX organisations_with_numbers_due ON public.organisations USING btree (id) WHERE numbers_due;

CREATE INDEX passkeys_by_user ON public.passkeys USING btree (user_id, id);

CREATE INDEX pool_purchases_by_buyer ON public.pool_purchases USING btree (sold_to);

CREATE INDEX pool_purchases_by_number ON public.pool_purchases USING btree (number_id);

CREATE INDEX pool_purchases_by_release ON public.pool_purchases USING btree (returned_by) WHERE (returned_by IS NOT NULL);

CREATE UNIQUE INDEX pool_purchases_open ON public.pool_purchases USING btree (e164) WHERE ((number_id IS NOT NULL) AND (returned_at IS NULL));

CREATE INDEX probe_schedules_by_round ON public.probe_schedules USING btree (round_at);

CREATE INDEX probes_by_day ON public.probes USING btree (organisation_id, created_at);

CREATE INDEX probes_by_end ON public.probes USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX probes_by_group ON public.probes USING btree (group_id) WHERE (status = 'running'::text);

CREATE INDEX probes_by_number ON public.probes USING btree (organisation_id, environment, holding_id, id);

CREATE UNIQUE INDEX probes_running ON public.probes USING btree (holding_id) WHERE (status = 'running'::text);

CREATE INDEX problems_begun_in ON public.problems USING btree (begun_in) WHERE (begun_in IS NOT NULL);

CREATE INDEX problems_ended ON public.problems USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX problems_ended_in ON public.problems USING btree (ended_in) WHERE (ended_in IS NOT NULL);

CREATE UNIQUE INDEX problems_one_open ON public.problems USING btree (organisation_id, environment, kind, subject) NULLS NOT DISTINCT WHERE (ended_at IS NULL);

CREATE INDEX reconciliation_findings_by_holding ON public.reconciliation_findings USING btree (holding_id) WHERE (holding_id IS NOT NULL);

CREATE INDEX reconciliation_findings_by_reconciliation ON public.reconciliation_findings USING btree (reconciliation_id, id);

CREATE INDEX reconciliation_findings_claimed ON public.reconciliation_findings USING btree (e164) WHERE (claimed_until IS NOT NULL);

CREATE INDEX reconciliation_findings_untold ON public.reconciliation_findings USING btree (id) WHERE is_untold;

CREATE INDEX reconciliations_by_carrier ON public.reconciliations USING btree (carrier, id);

CREATE INDEX rejected_records_by_time ON public.rejected_records USING btree (received_at);

CREATE INDEX releases_by_holding ON public.releases USING btree (organisation_id, environment, holding_id);

CREATE INDEX releases_by_job ON public.releases USING btree (job_id);

CREATE INDEX releases_by_restore_job ON public.releases USING btree (restore_job_id) WHERE (restore_job_id IS NOT NULL);

CREATE UNIQUE INDEX releases_one_open ON public.releases USING btree (holding_id) WHERE (ended_at IS NULL);

CREATE INDEX releases_resting ON public.releases USING btree (quarantined_until) WHERE (step = 'quarantined'::text);

CREATE INDEX reservations_by_creator ON public.reservations USING btree (created_by);

CREATE INDEX reservations_by_expiry ON public.reservations USING btree (organisation_id, environment, expires_at);

CREATE UNIQUE INDEX restore_findings_once ON public.restore_findings USING btree (restore_id, kind, item_id, e164, COALESCE(generation_there, (0)::bigint), md5(COALESCE((there)::text, ''::text))) NULLS NOT DISTINCT;

CREATE INDEX restore_findings_open ON public.restore_findings USING btree (restore_id, id) WHERE (state = 'open'::text);

CREATE UNIQUE INDEX restores_open ON public.restores USING btree ((true)) WHERE (ended_at IS NULL);

CREATE INDEX routing_destinations_by_holding ON public.routing_destinations USING btree (organisation_id, environment, holding_id);

CREATE INDEX routing_destinations_by_search ON public.routing_destinations USING gin (public.side_key(organisation_id, environment), destination public.gin_trgm_ops);

CREATE INDEX routings_by_connection ON public.routings USING btree (organisation_id, environment, connection_id, holding_id) WHERE (connection_id IS NOT NULL);

CREATE INDEX routings_by_connection_e164 ON public.routings USING btree (organisation_id, environment, connection_id, e164, holding_id) WHERE (connection_id IS NOT NULL);

CREATE INDEX routings_by_fallback ON public.routings USING btree (organisation_id, environment, fallback_connection_id, holding_id) WHERE (fallback_connection_id IS NOT NULL);

CREATE INDEX routings_by_fallback_e164 ON public.routings USING btree (organisation_id, environment, fallback_connection_id, e164, holding_id) WHERE (fallback_connection_id IS NOT NULL);

CREATE INDEX routings_by_group_e164 ON public.routings USING btree (organisation_id, environment, group_id, e164, holding_id);

CREATE INDEX routings_by_group_id ON public.routings USING btree (organisation_id, environment, group_id, holding_id);

CREATE INDEX routings_by_last_connection ON public.routings USING btree (organisation_id, environment, last_connection_id, holding_id) WHERE (last_connection_id IS NOT NULL);

CREATE INDEX routings_by_last_connection_e164 ON public.routings USING btree (organisation_id, environment, last_connection_id, e164, holding_id) WHERE (last_connection_id IS NOT NULL);

CREATE INDEX routings_by_mode_e164 ON public.routings USING btree (organisation_id, environment, mode, e164, holding_id);

CREATE INDEX routings_by_mode_id ON public.routings USING btree (organisation_id, environment, mode, holding_id);

CREATE INDEX sandbox_calls_by_test_side ON public.sandbox_calls USING btree (test_side_of);

CREATE INDEX sandbox_purchases_by_e164 ON public.sandbox_purchases USING btree (e164, reference) WHERE (bought_at IS NOT NULL);

CREATE INDEX sandbox_purchases_by_release ON public.sandbox_purchases USING btree (returned_by) WHERE (returned_by IS NOT NULL);

CREATE INDEX sandbox_purchases_by_test_side ON public.sandbox_purchases USING btree (test_side_of);

CREATE UNIQUE INDEX sandbox_purchases_open ON public.sandbox_purchases USING btree (test_side_of, e164) WHERE ((bought_at IS NOT NULL) AND (returned_at IS NULL));

CREATE INDEX sandbox_reservations_by_reference ON public.sandbox_reservations USING btree (reference);

CREATE INDEX sandbox_submissions_by_order ON public.sandbox_submissions USING btree (order_reference);

CREATE INDEX sandbox_submissions_by_test_side ON public.sandbox_submissions USING btree (test_side_of);

CREATE INDEX saved_state_items_by_number ON public.saved_state_items USING btree (state_id, e164);

CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);

CREATE INDEX sessions_by_provider ON public.sessions USING btree (identity_organisation_id, identity_provider_id) WHERE (identity_provider_id IS NOT NULL);

CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);

CREATE INDEX stock_reservations_by_reference ON public.stock_reservations USING btree (reference);

CREATE INDEX stock_reservations_by_test_side ON public.stock_reservations USING btree (test_side_of) WHERE (test_side_of IS NOT NULL);

CREATE UNIQUE INDEX switch_groups_one_default ON public.switch_groups USING btree (environment) WHERE is_default;

CREATE INDEX target_health_by_connection ON public.target_health USING btree (organisation_id, environment, connection_id);

CREATE INDEX target_health_down ON public.target_health USING btree (organisation_id, environment, connection_id, switch_id) WHERE (last_known = 'down'::text);

CREATE INDEX usage_days_by_organisation ON ONLY public.usage_days USING btree (organisation_id, environment, day);

CREATE UNIQUE INDEX views_by_name ON public.views USING btree (organisation_id, environment, user_id, page, lower(name)) NULLS NOT DISTINCT;

CREATE UNIQUE INDEX views_by_slot ON public.views USING btree (organisation_id, environment, user_id, slot) NULLS NOT DISTINCT;

CREATE INDEX webhook_deliveries_by_age ON public.webhook_deliveries USING btree (created_at) WHERE (status <> 'pending'::text);

CREATE INDEX webhook_deliveries_by_endpoint ON public.webhook_deliveries USING btree (organisation_id, environment, endpoint_id, sequence);

CREATE INDEX webhook_deliveries_by_status ON public.webhook_deliveries USING btree (organisation_id, environment, endpoint_id, status, sequence);

CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, sequence) WHERE (status = 'pending'::text);

CREATE INDEX webhook_endpoints_active ON public.webhook_endpoints USING btree (organisation_id, "position") WHERE (status = 'active'::text);

CREATE INDEX webhook_endpoints_disabled ON public.webhook_endpoints USING btree (organisation_id, environment) WHERE (disabled_reason IS NOT NULL);

CREATE INDEX webhook_endpoints_due ON public.webhook_endpoints USING btree (next_due_at) WHERE ((status = 'active'::text) AND (next_due_at IS NOT NULL));

CREATE TRIGGER addresses_are_counted AFTER INSERT OR DELETE ON public.addresses FOR EACH ROW EXECUTE FUNCTION public.count_address();

CREATE TRIGGER api_key_organisations_announce AFTER INSERT OR DELETE ON public.api_key_organisations FOR EACH ROW EXECUTE FUNCTION public.announce_credential('api_key_id');

CREATE TRIGGER api_key_organisations_count_added AFTER INSERT ON public.api_key_organisations FOR EACH ROW EXECUTE FUNCTION public.count_api_key_organisations();

CREATE TRIGGER api_key_organisations_count_removed BEFORE DELETE ON public.api_key_organisations FOR EACH ROW EXECUTE FUNCTION public.count_api_key_organisations();

CREATE TRIGGER api_keys_announce AFTER DELETE OR UPDATE OF revoked_at, suspended_at, expires_at, scopes, allowed_networks, name, secret_mac ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.announce_credential('id');

CREATE TRIGGER call_parties_note_call_ids AFTER INSERT ON public.call_parties REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.note_call_ids();

CREATE TRIGGER call_records_note_last_calls AFTER INSERT ON public.call_records REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.note_last_calls();

CREATE TRIGGER call_records_roll_up AFTER INSERT ON public.call_records REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.roll_up_calls();

CREATE TRIGGER call_records_roll_up_buckets AFTER INSERT ON public.call_records REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.roll_up_buckets();

CREATE TRIGGER call_records_roll_up_quarters AFTER INSERT ON public.call_records REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION public.roll_up_quarters();

CREATE TRIGGER documents_are_counted AFTER INSERT OR DELETE ON public.documents FOR EACH ROW EXECUTE FUNCTION public.count_document();

CREATE TRIGGER holdings_count_held AFTER UPDATE OF status ON public.holdings FOR EACH ROW WHEN ((old.is_held <> new.is_held)) EXECUTE FUNCTION public.count_held_number();

CREATE TRIGGER holdings_free_number AFTER UPDATE OF status ON public.holdings FOR EACH ROW WHEN (((new.environment = 'live'::text) AND ((old.status = 'released'::text) <> (new.status = 'released'::text)))) EXECUTE FUNCTION public.keep_number_free();

CREATE TRIGGER holdings_keep_metadata AFTER UPDATE OF metadata ON public.holdings FOR EACH ROW WHEN ((old.metadata IS DISTINCT FROM new.metadata)) EXECUTE FUNCTION public.keep_holding_metadata();

CREATE TRIGGER holdings_keep_new_tags AFTER INSERT ON public.holdings FOR EACH ROW WHEN ((new.tags <> '{}'::text[])) EXECUTE FUNCTION public.keep_holding_tags();

CREATE TRIGGER holdings_keep_tags AFTER UPDATE OF tags ON public.holdings FOR EACH ROW WHEN ((old.tags IS DISTINCT FROM new.tags)) EXECUTE FUNCTION public.keep_holding_tags();

CREATE TRIGGER holdings_take_number AFTER INSERT ON public.holdings FOR EACH ROW WHEN ((new.environment = 'live'::text)) EXECUTE FUNCTION public.keep_number_free();

CREATE TRIGGER jobs_move_forward BEFORE UPDATE ON public.jobs FOR EACH ROW WHEN (((old.status = ANY (ARRAY['succeeded'::text, 'partially_succeeded'::text, 'failed'::text])) OR ((new.status = 'queued'::text) AND (old.status <> 'queued'::text)))) EXECUTE FUNCTION public.refuse_job_move();

CREATE TRIGGER lower_next_due_at AFTER UPDATE ON public.webhook_deliveries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.lower_next_due_at();

CREATE TRIGGER lower_next_due_at_of_new AFTER INSERT ON public.webhook_deliveries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.lower_next_due_at();

CREATE TRIGGER mark_behind BEFORE UPDATE OF head ON public.event_heads FOR EACH ROW WHEN ((new.has_endpoints AND (NOT new.is_behind))) EXECUTE FUNCTION public.mark_behind();

CREATE TRIGGER memberships_keep_last_owner AFTER DELETE OR UPDATE ON public.memberships FOR EACH ROW EXECUTE FUNCTION public.keep_last_owner();

CREATE TRIGGER memberships_set_home_tag AFTER INSERT ON public.memberships FOR EACH ROW EXECUTE FUNCTION public.set_home_tag();

CREATE TRIGGER note_active_endpoint AFTER UPDATE OF status ON public.webhook_endpoints FOR EACH ROW WHEN (((new.status = 'active'::text) AND (old.status <> 'active'::text))) EXECUTE FUNCTION public.note_active_endpoint();

CREATE TRIGGER note_new_endpoint AFTER INSERT ON public.webhook_endpoints FOR EACH ROW WHEN ((new.status = 'active'::text)) EXECUTE FUNCTION public.note_active_endpoint();

CREATE TRIGGER order_items_stay_ended BEFORE UPDATE ON public.order_items FOR EACH ROW WHEN (((old.step = ANY (ARRAY['active'::text, 'refused'::text, 'returned'::text, 'stranded'::text])) AND (((new.step IS DISTINCT FROM old.step) OR (new.e164 IS DISTINCT FROM old.e164)) OR (new.number_id IS DISTINCT FROM old.number_id)))) EXECUTE FUNCTION public.refuse_order_move();

CREATE TRIGGER orders_stay_ended BEFORE UPDATE ON public.orders FOR EACH ROW WHEN (((old.finished_at IS NOT NULL) AND ((new.status IS DISTINCT FROM old.status) OR (new.finished_at IS DISTINCT FROM old.finished_at)))) EXECUTE FUNCTION public.refuse_order_move();

CREATE TRIGGER organisations_announce AFTER DELETE OR UPDATE OF name, suspended_at ON public.organisations FOR EACH STATEMENT EXECUTE FUNCTION public.announce_credential();

CREATE TRIGGER organisations_single_sign_on AFTER DELETE ON public.identity_provider_domains FOR EACH ROW WHEN ((old.proved_at IS NOT NULL)) EXECUTE FUNCTION public.keep_single_sign_on();

CREATE TRIGGER organisations_single_sign_on AFTER UPDATE OF require_single_sign_on ON public.organisations FOR EACH ROW WHEN ((new.require_single_sign_on AND (NOT old.require_single_sign_on))) EXECUTE FUNCTION public.keep_single_sign_on();

CREATE TRIGGER releases_move_forward BEFORE UPDATE OF step ON public.releases FOR EACH ROW WHEN ((((((((((old.step <> 'unrouting'::text) OR (new.step <> 'telling'::text)) AND ((old.step <> 'unrouting'::text) OR (new.step <> 'failed'::text))) AND ((old.step <> 'telling'::text) OR (new.step <> 'quarantined'::text))) AND ((old.step <> 'telling'::text) OR (new.step <> 'failed'::text))) AND ((old.step <> 'quarantined'::text) OR (new.step <> 'restoring'::text))) AND ((old.step <> 'restoring'::text) OR (new.step <> 'quarantined'::text))) AND ((old.step <> 'restoring'::text) OR (new.step <> 'restored'::text))) AND ((old.step <> 'quarantined'::text) OR (new.step <> 'released'::text)))) EXECUTE FUNCTION public.refuse_release_move();

CREATE TRIGGER routings_count_changed AFTER UPDATE OF mode, connection_id, fallback_mode, fallback_connection_id, last_connection_id, group_id ON public.routings FOR EACH ROW WHEN ((((((((old.mode = 'unrouted'::text) IS DISTINCT FROM (new.mode = 'unrouted'::text)) OR (old.connection_id IS DISTINCT FROM new.connection_id)) OR ((old.fallback_mode IS NULL) IS DISTINCT FROM (new.fallback_mode IS NULL))) OR (old.fallback_connection_id IS DISTINCT FROM new.fallback_connection_id)) OR (old.last_connection_id IS DISTINCT FROM new.last_connection_id)) OR (old.group_id IS DISTINCT FROM new.group_id))) EXECUTE FUNCTION public.count_changed_routing();

CREATE TRIGGER routings_count_new AFTER INSERT ON public.routings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_new_routings();

CREATE TRIGGER routings_keep_destination AFTER UPDATE OF sip_uri, forward_to, webhook_url, fallback_sip_uri, steps ON public.routings FOR EACH ROW WHEN ((((((old.sip_uri IS DISTINCT FROM new.sip_uri) OR (old.forward_to IS DISTINCT FROM new.forward_to)) OR (old.webhook_url IS DISTINCT FROM new.webhook_url)) OR (old.fallback_sip_uri IS DISTINCT FROM new.fallback_sip_uri)) OR (old.steps IS DISTINCT FROM new.steps))) EXECUTE FUNCTION public.keep_routing_destination();

CREATE TRIGGER routings_keep_new_destination AFTER INSERT ON public.routings FOR EACH ROW WHEN (((new.mode = ANY (ARRAY['sip_uri'::text, 'forward'::text, 'webhook'::text])) OR (new.steps IS NOT NULL))) EXECUTE FUNCTION public.keep_routing_destination();

CREATE TRIGGER switches_count_credentials BEFORE UPDATE OF credential_mac ON public.switches FOR EACH ROW EXECUTE FUNCTION public.count_credentials();

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT addresses_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.api_key_organisations
    ADD CONSTRAINT api_key_organisations_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.api_key_organisations
    ADD CONSTRAINT api_key_organisations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_replaces_id_fkey FOREIGN KEY (replaces_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.applied_exceptions
    ADD CONSTRAINT applied_exceptions_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.applied_exceptions
    ADD CONSTRAINT applied_exceptions_shard_fkey FOREIGN KEY (shard) REFERENCES public.feed_shards(id);

ALTER TABLE ONLY public.applied_exceptions
    ADD CONSTRAINT applied_exceptions_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.applied_marks
    ADD CONSTRAINT applied_marks_shard_fkey FOREIGN KEY (shard) REFERENCES public.feed_shards(id);

ALTER TABLE ONLY public.applied_marks
    ADD CONSTRAINT applied_marks_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.applied_routes
    ADD CONSTRAINT applied_routes_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.applied_watermarks
    ADD CONSTRAINT applied_watermarks_shard_fkey FOREIGN KEY (shard) REFERENCES public.feed_shards(id);

ALTER TABLE ONLY public.applied_watermarks
    ADD CONSTRAINT applied_watermarks_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.audit_entries
    ADD CONSTRAINT audit_entries_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.authenticators
    ADD CONSTRAINT authenticators_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.authenticators
    ADD CONSTRAINT authenticators_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.authorisation_codes
    ADD CONSTRAINT authorisation_codes_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.authorisation_codes
    ADD CONSTRAINT authorisation_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.bulk_change_items
    ADD CONSTRAINT bulk_change_items_organisation_id_environment_bulk_change__fkey FOREIGN KEY (organisation_id, environment, bulk_change_id) REFERENCES public.bulk_changes(organisation_id, environment, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.bulk_change_items
    ADD CONSTRAINT bulk_change_items_organisation_id_environment_number_id_fkey FOREIGN KEY (organisation_id, environment, number_id) REFERENCES public.holdings(organisation_id, environment, id);

ALTER TABLE ONLY public.bulk_changes
    ADD CONSTRAINT bulk_changes_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.call_standings
    ADD CONSTRAINT call_standings_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.carrier_trunks
    ADD CONSTRAINT carrier_trunks_carrier_id_fkey FOREIGN KEY (carrier_id) REFERENCES public.carriers(id);

ALTER TABLE ONLY public.carrier_trunks
    ADD CONSTRAINT carrier_trunks_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.switch_groups(id);

ALTER TABLE ONLY public.carriers
    ADD CONSTRAINT carriers_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.connection_placements
    ADD CONSTRAINT connection_placements_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.switch_groups(id);

ALTER TABLE ONLY public.connection_placements
    ADD CONSTRAINT connection_placements_organisation_id_environment_connecti_fkey FOREIGN KEY (organisation_id, environment, connection_id) REFERENCES public.connections(organisation_id, environment, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connection_placements
    ADD CONSTRAINT connection_placements_shard_fkey FOREIGN KEY (shard) REFERENCES public.feed_shards(id);

ALTER TABLE ONLY public.connection_targets
    ADD CONSTRAINT connection_targets_organisation_id_environment_connection__fkey FOREIGN KEY (organisation_id, environment, connection_id) REFERENCES public.connections(organisation_id, environment, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_organisation_id_environment_holding_id_fkey FOREIGN KEY (organisation_id, environment, holding_id) REFERENCES public.holdings(organisation_id, environment, id);

ALTER TABLE ONLY public.device_sign_ins
    ADD CONSTRAINT device_sign_ins_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.device_sign_ins
    ADD CONSTRAINT device_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.drift_episodes
    ADD CONSTRAINT drift_episodes_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.drift_episodes
    ADD CONSTRAINT drift_episodes_shard_fkey FOREIGN KEY (shard) REFERENCES public.feed_shards(id);

ALTER TABLE ONLY public.drift_episodes
    ADD CONSTRAINT drift_episodes_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.event_heads
    ADD CONSTRAINT event_heads_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.evidence_totals
    ADD CONSTRAINT evidence_totals_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.failed_routes
    ADD CONSTRAINT failed_routes_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.failed_routes
    ADD CONSTRAINT failed_routes_shard_fkey FOREIGN KEY (shard) REFERENCES public.feed_shards(id);

ALTER TABLE ONLY public.failed_routes
    ADD CONSTRAINT failed_routes_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.feed_confirmations
    ADD CONSTRAINT feed_confirmations_shard_fkey FOREIGN KEY (shard) REFERENCES public.feed_shards(id);

ALTER TABLE ONLY public.feed_items
    ADD CONSTRAINT feed_items_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.feed_items
    ADD CONSTRAINT feed_items_shard_fkey FOREIGN KEY (shard) REFERENCES public.feed_shards(id);

ALTER TABLE ONLY public.feed_shards
    ADD CONSTRAINT feed_shards_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.switch_groups(id);

ALTER TABLE ONLY public.forwarding_allowances
    ADD CONSTRAINT forwarding_allowances_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.forwarding_policies(organisation_id);

ALTER TABLE ONLY public.forwarding_allowances
    ADD CONSTRAINT forwarding_allowances_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.forwarding_policies
    ADD CONSTRAINT forwarding_policies_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.holding_metadata
    ADD CONSTRAINT holding_metadata_organisation_id_environment_holding_id_fkey FOREIGN KEY (organisation_id, environment, holding_id) REFERENCES public.holdings(organisation_id, environment, id);

ALTER TABLE ONLY public.holding_tags
    ADD CONSTRAINT holding_tags_organisation_id_environment_holding_id_fkey FOREIGN KEY (organisation_id, environment, holding_id) REFERENCES public.holdings(organisation_id, environment, id);

ALTER TABLE ONLY public.holdings
    ADD CONSTRAINT holdings_number_id_environment_e164_fkey FOREIGN KEY (number_id, environment, e164) REFERENCES public.numbers(id, environment, e164);

ALTER TABLE ONLY public.holdings
    ADD CONSTRAINT holdings_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_organisation_id_provider_id_fkey FOREIGN KEY (organisation_id, provider_id) REFERENCES public.identity_providers(organisation_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_organisation_id_user_id_fkey FOREIGN KEY (organisation_id, user_id) REFERENCES public.memberships(organisation_id, user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.identity_provider_domains
    ADD CONSTRAINT identity_provider_domains_organisation_id_provider_id_fkey FOREIGN KEY (organisation_id, provider_id) REFERENCES public.identity_providers(organisation_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.identity_providers
    ADD CONSTRAINT identity_providers_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.identity_providers
    ADD CONSTRAINT identity_providers_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.kept_keys
    ADD CONSTRAINT kept_keys_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.kept_keys
    ADD CONSTRAINT kept_keys_sealed_by_fkey FOREIGN KEY (sealed_by) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.last_calls
    ADD CONSTRAINT last_calls_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.live_calls
    ADD CONSTRAINT live_calls_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.live_calls
    ADD CONSTRAINT live_calls_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.live_changes
    ADD CONSTRAINT live_changes_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.live_reports
    ADD CONSTRAINT live_reports_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.log_floors
    ADD CONSTRAINT log_floors_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.notification_rules
    ADD CONSTRAINT notification_rules_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.numbers
    ADD CONSTRAINT numbers_group_id_environment_fkey FOREIGN KEY (group_id, environment) REFERENCES public.switch_groups(id, environment);

ALTER TABLE ONLY public.numbers
    ADD CONSTRAINT numbers_shard_fkey FOREIGN KEY (shard) REFERENCES public.feed_shards(id);

ALTER TABLE ONLY public.one_time_links
    ADD CONSTRAINT one_time_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.open_calls
    ADD CONSTRAINT open_calls_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.open_calls
    ADD CONSTRAINT open_calls_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.order_items
    ADD CONSTRAINT order_items_organisation_id_environment_number_id_fkey FOREIGN KEY (organisation_id, environment, number_id) REFERENCES public.holdings(organisation_id, environment, id);

ALTER TABLE ONLY public.order_items
    ADD CONSTRAINT order_items_organisation_id_environment_order_id_fkey FOREIGN KEY (organisation_id, environment, order_id) REFERENCES public.orders(organisation_id, environment, id);

ALTER TABLE ONLY public.order_requirements
    ADD CONSTRAINT order_requirements_organisation_id_environment_address_id_fkey FOREIGN KEY (organisation_id, environment, address_id) REFERENCES public.addresses(organisation_id, environment, id);

ALTER TABLE ONLY public.order_requirements
    ADD CONSTRAINT order_requirements_organisation_id_environment_document_id_fkey FOREIGN KEY (organisation_id, environment, document_id) REFERENCES public.documents(organisation_id, environment, id);

ALTER TABLE ONLY public.order_requirements
    ADD CONSTRAINT order_requirements_organisation_id_environment_order_id_po_fkey FOREIGN KEY (organisation_id, environment, order_id, "position") REFERENCES public.order_items(organisation_id, environment, order_id, "position");

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_organisation_id_environment_reservation_id_fkey FOREIGN KEY (organisation_id, environment, reservation_id) REFERENCES public.reservations(organisation_id, environment, id);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.organisation_usage_days
    ADD CONSTRAINT organisation_usage_days_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.organisation_usage_hours
    ADD CONSTRAINT organisation_usage_hours_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.organisation_usage_quarters
    ADD CONSTRAINT organisation_usage_quarters_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.organisations
    ADD CONSTRAINT organisations_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.pool_purchases
    ADD CONSTRAINT pool_purchases_number_id_fkey FOREIGN KEY (number_id) REFERENCES public.numbers(id);

ALTER TABLE ONLY public.pool_purchases
    ADD CONSTRAINT pool_purchases_sold_to_fkey FOREIGN KEY (sold_to) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.probe_callers
    ADD CONSTRAINT probe_callers_switch_group_id_fkey FOREIGN KEY (switch_group_id) REFERENCES public.switch_groups(id);

ALTER TABLE ONLY public.probe_policies
    ADD CONSTRAINT probe_policies_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.probe_schedules
    ADD CONSTRAINT probe_schedules_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.probe_switches
    ADD CONSTRAINT probe_switches_probe_id_fkey FOREIGN KEY (probe_id) REFERENCES public.probes(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.probe_switches
    ADD CONSTRAINT probe_switches_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.probes
    ADD CONSTRAINT probes_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.switch_groups(id);

ALTER TABLE ONLY public.probes
    ADD CONSTRAINT probes_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.probes
    ADD CONSTRAINT probes_placed_by_fkey FOREIGN KEY (placed_by) REFERENCES public.switches(id);

ALTER TABLE ONLY public.problems
    ADD CONSTRAINT problems_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.reconciliation_findings
    ADD CONSTRAINT reconciliation_findings_holding_id_fkey FOREIGN KEY (holding_id) REFERENCES public.holdings(id);

ALTER TABLE ONLY public.reconciliation_findings
    ADD CONSTRAINT reconciliation_findings_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES public.reconciliations(id);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.rejected_records
    ADD CONSTRAINT rejected_records_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_organisation_id_environment_holding_id_fkey FOREIGN KEY (organisation_id, environment, holding_id) REFERENCES public.holdings(organisation_id, environment, id);

ALTER TABLE ONLY public.releases
    ADD CONSTRAINT releases_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);

ALTER TABLE ONLY public.reservations
    ADD CONSTRAINT reservations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.restore_findings
    ADD CONSTRAINT restore_findings_finding_id_fkey FOREIGN KEY (finding_id) REFERENCES public.reconciliation_findings(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.restore_findings
    ADD CONSTRAINT restore_findings_restore_id_fkey FOREIGN KEY (restore_id) REFERENCES public.restores(id);

ALTER TABLE ONLY public.restores
    ADD CONSTRAINT restores_epoch_fkey FOREIGN KEY (epoch) REFERENCES public.feed_epochs(epoch);

ALTER TABLE ONLY public.routing_destinations
    ADD CONSTRAINT routing_destinations_organisation_id_environment_holding_i_fkey FOREIGN KEY (organisation_id, environment, holding_id) REFERENCES public.routings(organisation_id, environment, holding_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.routing_revisions
    ADD CONSTRAINT routing_revisions_organisation_id_environment_holding_id_fkey FOREIGN KEY (organisation_id, environment, holding_id) REFERENCES public.holdings(organisation_id, environment, id);

ALTER TABLE ONLY public.routing_webhook_secrets
    ADD CONSTRAINT routing_webhook_secrets_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.routings
    ADD CONSTRAINT routings_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.switch_groups(id);

ALTER TABLE ONLY public.routings
    ADD CONSTRAINT routings_last_connection_fkey FOREIGN KEY (organisation_id, environment, last_connection_id) REFERENCES public.connections(organisation_id, environment, id) NOT VALID;

ALTER TABLE ONLY public.routings
    ADD CONSTRAINT routings_organisation_id_environment_connection_id_fkey FOREIGN KEY (organisation_id, environment, connection_id) REFERENCES public.connections(organisation_id, environment, id);

ALTER TABLE ONLY public.routings
    ADD CONSTRAINT routings_organisation_id_environment_fallback_connection_i_fkey FOREIGN KEY (organisation_id, environment, fallback_connection_id) REFERENCES public.connections(organisation_id, environment, id);

ALTER TABLE ONLY public.routings
    ADD CONSTRAINT routings_organisation_id_environment_holding_id_fkey FOREIGN KEY (organisation_id, environment, holding_id) REFERENCES public.holdings(organisation_id, environment, id);

ALTER TABLE ONLY public.routings
    ADD CONSTRAINT routings_shard_fkey FOREIGN KEY (shard) REFERENCES public.feed_shards(id);

ALTER TABLE ONLY public.sandbox_calls
    ADD CONSTRAINT sandbox_calls_test_side_of_fkey FOREIGN KEY (test_side_of) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.sandbox_purchases
    ADD CONSTRAINT sandbox_purchases_test_side_of_fkey FOREIGN KEY (test_side_of) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.sandbox_reservations
    ADD CONSTRAINT sandbox_reservations_test_side_of_fkey FOREIGN KEY (test_side_of) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.sandbox_submissions
    ADD CONSTRAINT sandbox_submissions_test_side_of_fkey FOREIGN KEY (test_side_of) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.saved_state_items
    ADD CONSTRAINT saved_state_items_state_id_fkey FOREIGN KEY (state_id) REFERENCES public.saved_states(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.saved_states
    ADD CONSTRAINT saved_states_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_provider_fkey FOREIGN KEY (identity_organisation_id, identity_provider_id) REFERENCES public.identity_providers(organisation_id, id) ON DELETE SET NULL;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);

ALTER TABLE ONLY public.stock_reservations
    ADD CONSTRAINT stock_reservations_number_id_fkey FOREIGN KEY (number_id) REFERENCES public.numbers(id);

ALTER TABLE ONLY public.stock_reservations
    ADD CONSTRAINT stock_reservations_test_side_of_fkey FOREIGN KEY (test_side_of) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.switch_trunk_reports
    ADD CONSTRAINT switch_trunk_reports_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.switches
    ADD CONSTRAINT switches_group_id_fkey FOREIGN KEY (group_id) REFERENCES public.switch_groups(id);

ALTER TABLE ONLY public.switches
    ADD CONSTRAINT switches_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.target_health
    ADD CONSTRAINT target_health_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.target_health
    ADD CONSTRAINT target_health_switch_id_fkey FOREIGN KEY (switch_id) REFERENCES public.switches(id);

ALTER TABLE ONLY public.trunk_revisions
    ADD CONSTRAINT trunk_revisions_root_id_fkey FOREIGN KEY (root_id) REFERENCES public.root_keys(id);

ALTER TABLE ONLY public.trunk_revisions
    ADD CONSTRAINT trunk_revisions_switch_group_id_fkey FOREIGN KEY (switch_group_id) REFERENCES public.switch_groups(id);

ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE ONLY public.views
    ADD CONSTRAINT views_organisation_id_user_id_fkey FOREIGN KEY (organisation_id, user_id) REFERENCES public.memberships(organisation_id, user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_organisation_id_environment_endpoint_id_fkey FOREIGN KEY (organisation_id, environment, endpoint_id) REFERENCES public.webhook_endpoints(organisation_id, environment, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES public.organisations(id);

ALTER TABLE public.addresses ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.api_key_organisations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.applied_exceptions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.applied_marks ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.applied_routes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.applied_watermarks ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_entries ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.authenticators ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.authorisation_codes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.bulk_change_items ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.bulk_changes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.call_buckets ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.call_ids ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.call_parties ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.call_records ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.call_standings ENABLE ROW LEVEL SECURITY;

CREATE POLICY caller ON public.api_keys TO dialplane_caller USING (true);

CREATE POLICY caller ON public.audit_entries TO dialplane_caller USING (((organisation_id IS NULL) OR (EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = audit_entries.organisation_id)))));

CREATE POLICY caller ON public.authenticators TO dialplane_caller USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY caller ON public.authorisation_codes TO dialplane_caller USING (true);

CREATE POLICY caller ON public.challenges TO dialplane_caller USING (true);

CREATE POLICY caller ON public.device_sign_ins TO dialplane_caller USING (true);

CREATE POLICY caller ON public.event_heads TO dialplane_caller USING ((EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = event_heads.organisation_id))));

CREATE POLICY caller ON public.events TO dialplane_caller USING ((EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = events.organisation_id))));

CREATE POLICY caller ON public.jobs FOR SELECT TO dialplane_caller USING (((EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = jobs.organisation_id))) OR (EXISTS ( SELECT
   FROM public.api_key_organisations o
  WHERE ((o.organisation_id = jobs.organisation_id) AND (o.api_key_id = ( SELECT public.current_api_key_id() AS current_api_key_id)))))));

CREATE POLICY caller ON public.mails FOR INSERT TO dialplane_caller WITH CHECK (true);

CREATE POLICY caller ON public.memberships FOR SELECT TO dialplane_caller USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY caller ON public.one_time_links TO dialplane_caller USING (true);

CREATE POLICY caller ON public.organisations FOR SELECT TO dialplane_caller USING (((EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = organisations.id))) OR (EXISTS ( SELECT
   FROM public.api_key_organisations o
  WHERE ((o.organisation_id = organisations.id) AND (o.api_key_id = ( SELECT public.current_api_key_id() AS current_api_key_id)))))));

CREATE POLICY caller ON public.passkeys TO dialplane_caller USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY caller ON public.recovery_codes TO dialplane_caller USING ((user_id = ( SELECT public.current_user_id() AS current_user_id)));

CREATE POLICY caller ON public.sessions TO dialplane_caller USING (true);

CREATE POLICY caller ON public.switches FOR SELECT TO dialplane_caller USING ((credential_mac IS NOT NULL));

CREATE POLICY caller ON public.users TO dialplane_caller USING (true);

CREATE POLICY caller_adds ON public.api_key_organisations FOR INSERT TO dialplane_caller WITH CHECK ((EXISTS ( SELECT
   FROM public.memberships m
  WHERE ((m.organisation_id = api_key_organisations.organisation_id) AND (m.role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text]))))));

CREATE POLICY caller_sees ON public.api_key_organisations FOR SELECT TO dialplane_caller USING (((api_key_id = ( SELECT public.current_api_key_id() AS current_api_key_id)) OR (EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.organisation_id = api_key_organisations.organisation_id)))));

CREATE POLICY calls ON public.call_buckets TO dialplane_calls USING (true);

CREATE POLICY calls ON public.call_ids TO dialplane_calls USING (true);

CREATE POLICY calls ON public.last_calls TO dialplane_calls USING (true);

CREATE POLICY calls ON public.organisation_usage_days TO dialplane_calls USING (true);

CREATE POLICY calls ON public.organisation_usage_hours TO dialplane_calls USING (true);

CREATE POLICY calls ON public.organisation_usage_quarters TO dialplane_calls USING (true);

CREATE POLICY calls ON public.organisations FOR SELECT TO dialplane_calls USING ((EXISTS ( SELECT
   FROM public.routings r
  WHERE ((r.organisation_id = organisations.id) AND (r.group_id = ( SELECT public.current_switch_group_id() AS current_switch_group_id))))));

CREATE POLICY calls ON public.routing_revisions FOR SELECT TO dialplane_calls USING ((EXISTS ( SELECT
   FROM public.routings r
  WHERE ((r.holding_id = routing_revisions.holding_id) AND (r.group_id = ( SELECT public.current_switch_group_id() AS current_switch_group_id))))));

CREATE POLICY calls ON public.routing_webhook_secrets FOR SELECT TO dialplane_calls USING ((EXISTS ( SELECT
   FROM public.routings r
  WHERE ((r.organisation_id = routing_webhook_secrets.organisation_id) AND (r.environment = routing_webhook_secrets.environment) AND (r.group_id = ( SELECT public.current_switch_group_id() AS current_switch_group_id))))));

CREATE POLICY calls ON public.routings FOR SELECT TO dialplane_calls USING ((group_id = ( SELECT public.current_switch_group_id() AS current_switch_group_id)));

CREATE POLICY calls ON public.usage_days TO dialplane_calls USING (true);

CREATE POLICY calls ON public.usage_hours TO dialplane_calls USING (true);

CREATE POLICY calls ON public.usage_quarters_start TO dialplane_calls USING (true);

ALTER TABLE public.carrier_trunks ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.carriers ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.challenges ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connection_placements ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connection_targets ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.connections ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.database_instances ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.deliveries ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.device_sign_ins ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.documents ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.drift_episodes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.event_heads ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.evidence_totals ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.failed_routes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_confirmations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_epoch ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_epochs ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_items ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.feed_shards ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.forwarding_allowances ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.forwarding_policies ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.holding_metadata ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.holding_tags ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.holdings ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.identities ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.identity_provider_domains ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.identity_providers ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.invitations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.jobs ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.kept_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.last_calls ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.limit_counters ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.live_calls ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.live_changes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.live_reports ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.log_floors ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mails ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.memberships ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.notification_rules ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.number_counts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.numbers ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.one_time_links ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.open_calls ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.order_items ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.order_requirements ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.orders ENABLE ROW LEVEL SECURITY;

CREATE POLICY organisation ON public.addresses TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.api_key_organisations TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.api_keys TO dialplane_organisation USING ((EXISTS ( SELECT
   FROM public.api_key_organisations o
  WHERE (o.api_key_id = api_keys.id))));

CREATE POLICY organisation ON public.applied_exceptions FOR SELECT TO dialplane_organisation USING (((NOT (organisation_id IS DISTINCT FROM ( SELECT public.current_organisation_id() AS current_organisation_id))) AND (NOT (environment IS DISTINCT FROM ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY organisation ON public.applied_routes FOR SELECT TO dialplane_organisation USING (((NOT (organisation_id IS DISTINCT FROM ( SELECT public.current_organisation_id() AS current_organisation_id))) AND (NOT (environment IS DISTINCT FROM ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY organisation ON public.applied_watermarks FOR SELECT TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.audit_entries TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND ((environment IS NULL) OR (environment = ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY organisation ON public.bulk_change_items TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.bulk_changes TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.call_buckets FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.call_parties FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.call_records FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.call_standings FOR SELECT TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.carriers FOR SELECT TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.connection_placements TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.connection_targets TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.connections TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.deliveries FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.documents TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.drift_episodes FOR SELECT TO dialplane_organisation USING (((NOT (organisation_id IS DISTINCT FROM ( SELECT public.current_organisation_id() AS current_organisation_id))) AND (NOT (environment IS DISTINCT FROM ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY organisation ON public.event_heads TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.events TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND ((environment IS NULL) OR (environment = ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY organisation ON public.evidence_totals TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.failed_routes FOR SELECT TO dialplane_organisation USING (((NOT (organisation_id IS DISTINCT FROM ( SELECT public.current_organisation_id() AS current_organisation_id))) AND (NOT (environment IS DISTINCT FROM ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY organisation ON public.feed_confirmations FOR SELECT TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.feed_epoch FOR SELECT TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.feed_items TO dialplane_organisation USING (((NOT (organisation_id IS DISTINCT FROM ( SELECT public.current_organisation_id() AS current_organisation_id))) AND (NOT (environment IS DISTINCT FROM ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY organisation ON public.feed_shards TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.forwarding_allowances FOR SELECT TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.forwarding_policies FOR SELECT TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.holding_metadata TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.holding_tags TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.holdings TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.idempotency_keys TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.identities TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.identity_provider_domains TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.identity_providers TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.invitations TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.jobs TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.last_calls FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.live_calls FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.live_reports FOR SELECT TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.log_floors FOR SELECT TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.mails FOR INSERT TO dialplane_organisation WITH CHECK (true);

CREATE POLICY organisation ON public.memberships TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.notification_rules TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.number_counts TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.open_calls FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.order_items TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.order_requirements TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.orders TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.organisation_usage_days FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.organisation_usage_hours FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.organisation_usage_quarters FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.organisations TO dialplane_organisation USING ((id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.probe_callers FOR SELECT TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.probe_policies FOR SELECT TO dialplane_organisation USING ((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)));

CREATE POLICY organisation ON public.probe_schedules TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.probes TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.problems TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.releases TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.reservations TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.routing_destinations TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.routing_revisions TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.routing_webhook_secrets TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.routings TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.switch_groups FOR SELECT TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.switches FOR SELECT TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.usage_days FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.usage_hours FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.usage_quarters_start FOR SELECT TO dialplane_organisation USING (true);

CREATE POLICY organisation ON public.users FOR SELECT TO dialplane_organisation USING ((EXISTS ( SELECT
   FROM public.memberships m
  WHERE (m.user_id = users.id))));

CREATE POLICY organisation ON public.views TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.webhook_deliveries TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation ON public.webhook_endpoints TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation_deletes ON public.target_health FOR DELETE TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY organisation_sees ON public.target_health FOR SELECT TO dialplane_organisation USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

ALTER TABLE public.organisation_usage_days ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.organisation_usage_hours ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.organisation_usage_quarters ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.organisations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.passkeys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.pool_purchases ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.probe_callers ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.probe_policies ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.probe_schedules ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.probe_switches ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.probes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.problems ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.reconciliation_findings ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.reconciliations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.recovery_codes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.rejected_records ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.releases ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.reservations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.restore_findings ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.restores ENABLE ROW LEVEL SECURITY;

CREATE POLICY retention ON public.applied_routes TO dialplane_retention USING (true);

CREATE POLICY retention ON public.audit_entries TO dialplane_retention USING (true);

CREATE POLICY retention ON public.events TO dialplane_retention USING (true);

CREATE POLICY retention ON public.failed_routes TO dialplane_retention USING (true);

CREATE POLICY retention ON public.log_floors TO dialplane_retention USING (true);

CREATE POLICY retention ON public.orders FOR SELECT TO dialplane_retention USING (true);

CREATE POLICY retention ON public.reservations TO dialplane_retention USING (true);

CREATE POLICY retention ON public.routing_revisions TO dialplane_retention USING (true);

CREATE POLICY retention ON public.routings FOR SELECT TO dialplane_retention USING (true);

CREATE POLICY retention ON public.webhook_deliveries TO dialplane_retention USING (true);

CREATE POLICY retention ON public.webhook_endpoints FOR SELECT TO dialplane_retention USING (true);

ALTER TABLE public.root_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.routing_destinations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.routing_revisions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.routing_webhook_secrets ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.routings ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sandbox_calls ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sandbox_purchases ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sandbox_reservations ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sandbox_submissions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.saved_state_items ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.saved_states ENABLE ROW LEVEL SECURITY;

CREATE POLICY search ON public.applied_exceptions FOR SELECT TO dialplane_search USING (((NOT (organisation_id IS DISTINCT FROM ( SELECT public.current_organisation_id() AS current_organisation_id))) AND (NOT (environment IS DISTINCT FROM ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY search ON public.connection_placements FOR SELECT TO dialplane_search USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY search ON public.connection_targets FOR SELECT TO dialplane_search USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY search ON public.connections FOR SELECT TO dialplane_search USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY search ON public.feed_confirmations FOR SELECT TO dialplane_search USING (true);

CREATE POLICY search ON public.feed_epoch FOR SELECT TO dialplane_search USING (true);

CREATE POLICY search ON public.feed_items FOR SELECT TO dialplane_search USING (((NOT (organisation_id IS DISTINCT FROM ( SELECT public.current_organisation_id() AS current_organisation_id))) AND (NOT (environment IS DISTINCT FROM ( SELECT public.current_environment() AS current_environment)))));

CREATE POLICY search ON public.feed_shards FOR SELECT TO dialplane_search USING (true);

CREATE POLICY search ON public.holding_metadata FOR SELECT TO dialplane_search USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY search ON public.holding_tags FOR SELECT TO dialplane_search USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY search ON public.holdings FOR SELECT TO dialplane_search USING (true);

CREATE POLICY search ON public.last_calls FOR SELECT TO dialplane_search USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY search ON public.routing_destinations FOR SELECT TO dialplane_search USING (true);

CREATE POLICY search ON public.routings FOR SELECT TO dialplane_search USING (((organisation_id = ( SELECT public.current_organisation_id() AS current_organisation_id)) AND (environment = ( SELECT public.current_environment() AS current_environment))));

CREATE POLICY search ON public.switch_groups FOR SELECT TO dialplane_search USING (true);

CREATE POLICY search ON public.switches FOR SELECT TO dialplane_search USING (true);

ALTER TABLE public.sessions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.stock_reservations ENABLE ROW LEVEL SECURITY;

CREATE POLICY switch ON public.applied_exceptions TO dialplane_switch USING (((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND (shard IN ( SELECT feed_shards.id
   FROM public.feed_shards)))) WITH CHECK (((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND ((organisation_id, environment) = ( SELECT i.organisation_id,
    i.environment
   FROM public.feed_items i
  WHERE ((i.item_id = applied_exceptions.item_id) AND (i.shard = applied_exceptions.shard))
 LIMIT 1))));

CREATE POLICY switch ON public.applied_marks TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)));

CREATE POLICY switch ON public.applied_routes TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)));

CREATE POLICY switch ON public.audit_entries FOR INSERT TO dialplane_switch WITH CHECK ((((organisation_id, environment) = ( SELECT x.organisation_id,
    x.environment
   FROM public.applied_exceptions x
  WHERE ((x.switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND (x.item_id = ( SELECT public.id_of(audit_entries.subject) AS id_of))))) OR ((organisation_id, environment) = ( SELECT h.organisation_id,
    h.environment
   FROM public.target_health h
  WHERE ((h.switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND (h.connection_id = ( SELECT public.id_of(audit_entries.subject) AS id_of)))
 LIMIT 1))));

CREATE POLICY switch ON public.call_parties FOR INSERT TO dialplane_switch WITH CHECK (((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND
CASE
    WHEN (holding_id IS NULL) THEN (environment = ( SELECT g.environment
       FROM public.switch_groups g
      WHERE (g.id = public.current_switch_group_id())))
    ELSE public.is_holder_of_calls(holding_id, organisation_id, environment)
END));

CREATE POLICY switch ON public.call_records FOR INSERT TO dialplane_switch WITH CHECK (((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND
CASE
    WHEN (holding_id IS NULL) THEN (environment = ( SELECT g.environment
       FROM public.switch_groups g
      WHERE (g.id = public.current_switch_group_id())))
    ELSE public.is_holder_of_calls(holding_id, organisation_id, environment)
END));

CREATE POLICY switch ON public.call_standings TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)));

CREATE POLICY switch ON public.drift_episodes TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id))) WITH CHECK (((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND ((organisation_id, environment) = ( SELECT i.organisation_id,
    i.environment
   FROM public.feed_items i
  WHERE ((i.item_id = drift_episodes.item_id) AND (i.shard = drift_episodes.shard))
 LIMIT 1))));

CREATE POLICY switch ON public.event_heads TO dialplane_switch USING (((EXISTS ( SELECT
   FROM public.applied_exceptions x
  WHERE (x.organisation_id = event_heads.organisation_id))) OR (EXISTS ( SELECT
   FROM public.target_health h
  WHERE (h.organisation_id = event_heads.organisation_id)))));

CREATE POLICY switch ON public.events TO dialplane_switch USING ((((organisation_id, environment) = ( SELECT x.organisation_id,
    x.environment
   FROM public.applied_exceptions x
  WHERE ((x.switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND (x.item_id = ( SELECT public.id_of(events.subject) AS id_of))))) OR ((organisation_id, environment) = ( SELECT h.organisation_id,
    h.environment
   FROM public.target_health h
  WHERE ((h.switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND (h.connection_id = ( SELECT public.id_of(events.subject) AS id_of)))
 LIMIT 1))));

CREATE POLICY switch ON public.failed_routes TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id))) WITH CHECK (((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND ((organisation_id, environment) = ( SELECT i.organisation_id,
    i.environment
   FROM public.feed_items i
  WHERE ((i.item_id = failed_routes.holding_id) AND (i.shard = failed_routes.shard))
 LIMIT 1))));

CREATE POLICY switch ON public.feed_confirmations TO dialplane_switch USING ((shard IN ( SELECT feed_shards.id
   FROM public.feed_shards)));

CREATE POLICY switch ON public.feed_epoch FOR SELECT TO dialplane_switch USING (true);

CREATE POLICY switch ON public.feed_items TO dialplane_switch USING ((shard IN ( SELECT feed_shards.id
   FROM public.feed_shards)));

CREATE POLICY switch ON public.feed_shards FOR SELECT TO dialplane_switch USING ((group_id = ( SELECT public.current_switch_group_id() AS current_switch_group_id)));

CREATE POLICY switch ON public.live_calls TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id))) WITH CHECK (((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND public.is_holder_of_calls(holding_id, organisation_id, environment)));

CREATE POLICY switch ON public.live_changes TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)));

CREATE POLICY switch ON public.live_reports TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)));

CREATE POLICY switch ON public.open_calls TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id))) WITH CHECK (((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND public.is_holder_of_calls(holding_id, organisation_id, environment)));

CREATE POLICY switch ON public.rejected_records FOR INSERT TO dialplane_switch WITH CHECK ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)));

CREATE POLICY switch ON public.saved_state_items TO dialplane_switch USING ((EXISTS ( SELECT
   FROM public.saved_states s
  WHERE (s.id = saved_state_items.state_id))));

CREATE POLICY switch ON public.saved_states TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)));

CREATE POLICY switch ON public.switch_groups FOR SELECT TO dialplane_switch USING ((id = ( SELECT public.current_switch_group_id() AS current_switch_group_id)));

CREATE POLICY switch ON public.target_health TO dialplane_switch USING ((switch_id = ( SELECT public.current_switch_id() AS current_switch_id))) WITH CHECK (((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND ((organisation_id, environment) = ( SELECT i.organisation_id,
    i.environment
   FROM public.feed_items i
  WHERE ((i.item_id = target_health.connection_id) AND (i.kind = 'connection'::text))
 LIMIT 1))));

ALTER TABLE public.switch_groups ENABLE ROW LEVEL SECURITY;

CREATE POLICY switch_reports ON public.applied_watermarks TO dialplane_switch USING (((switch_id = ( SELECT public.current_switch_id() AS current_switch_id)) AND (shard IN ( SELECT feed_shards.id
   FROM public.feed_shards))));

CREATE POLICY switch_reports ON public.switches FOR UPDATE TO dialplane_switch USING ((id = ( SELECT public.current_switch_id() AS current_switch_id)));

CREATE POLICY switch_sees ON public.applied_watermarks FOR SELECT TO dialplane_switch USING ((shard IN ( SELECT feed_shards.id
   FROM public.feed_shards)));

CREATE POLICY switch_sees ON public.switches FOR SELECT TO dialplane_switch USING ((group_id = ( SELECT public.current_switch_group_id() AS current_switch_group_id)));

ALTER TABLE public.switch_trunk_reports ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.switches ENABLE ROW LEVEL SECURITY;

CREATE POLICY system ON public.addresses TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.api_key_organisations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.api_keys TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.applied_exceptions TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.applied_marks FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.applied_routes FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.applied_watermarks TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.audit_entries TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.authenticators TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.authorisation_codes TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.bulk_changes TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.call_buckets TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.call_ids TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.call_parties FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.call_records FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.call_standings FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.carrier_trunks TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.carriers TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.challenges TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.connection_placements TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.connection_targets TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.connections TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.database_instances TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.deliveries TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.device_sign_ins TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.documents TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.drift_episodes TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.event_heads TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.events TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.evidence_totals TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.failed_routes TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.feed_confirmations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.feed_epoch TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.feed_epochs TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.feed_items TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.feed_shards TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.forwarding_allowances TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.forwarding_policies TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.holding_tags TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.holdings TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.idempotency_keys TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.identities TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.identity_provider_domains FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.identity_providers FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.invitations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.jobs TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.kept_keys TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.last_calls FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.limit_counters TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.live_calls FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.live_changes TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.live_reports FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.log_floors FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.mails TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.memberships TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.notification_rules TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.number_counts TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.numbers TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.one_time_links TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.open_calls FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.order_items TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.order_requirements TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.orders TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.organisation_usage_days FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.organisation_usage_hours FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.organisation_usage_quarters FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.organisations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.pool_purchases TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.probe_callers TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.probe_policies TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.probe_schedules TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.probe_switches TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.probes TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.problems TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.reconciliation_findings TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.reconciliations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.recovery_codes TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.rejected_records TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.releases TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.reservations FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.restore_findings TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.restores TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.root_keys TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.routing_destinations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.routing_revisions TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.routings TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.sandbox_calls TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.sandbox_purchases TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.sandbox_reservations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.sandbox_submissions TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.saved_state_items TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.saved_states TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.sessions TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.stock_reservations TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.switch_groups TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.switch_trunk_reports TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.switches TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.target_health TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.trunk_revisions TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.usage_days FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.usage_hours FOR SELECT TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.usage_quarters_start TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.users TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.webhook_deliveries TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system ON public.webhook_endpoints TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

CREATE POLICY system_moves ON public.identity_providers FOR UPDATE TO dialplane_system USING ((( SELECT public.current_task() AS current_task) = 'root-keys'::text));

CREATE POLICY system_rechecks ON public.identity_provider_domains FOR UPDATE TO dialplane_system USING ((( SELECT public.current_task() AS current_task) IS NOT NULL));

ALTER TABLE public.target_health ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.trunk_revisions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_days ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_hours ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_quarters_start ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.users ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.views ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhook_deliveries ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhook_endpoints ENABLE ROW LEVEL SECURITY;

REVOKE USAGE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO dialplane_organisation;
GRANT USAGE ON SCHEMA public TO dialplane_caller;
GRANT USAGE ON SCHEMA public TO dialplane_switch;
GRANT USAGE ON SCHEMA public TO dialplane_system;
GRANT USAGE ON SCHEMA public TO dialplane_search;
GRANT USAGE ON SCHEMA public TO dialplane_calls;
GRANT USAGE ON SCHEMA public TO dialplane_retention;

GRANT SELECT ON TABLE public.usage_quarters_start TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.usage_quarters_start TO dialplane_system;
GRANT SELECT,UPDATE ON TABLE public.usage_quarters_start TO dialplane_calls;

REVOKE ALL ON FUNCTION public.advance_usage_start(hours_from timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.advance_usage_start(hours_from timestamp with time zone) TO dialplane_system;

GRANT SELECT,INSERT,UPDATE ON TABLE public.switches TO dialplane_system;

GRANT SELECT(id) ON TABLE public.switches TO dialplane_caller;
GRANT SELECT(id) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(id) ON TABLE public.switches TO dialplane_switch;
GRANT SELECT(id) ON TABLE public.switches TO dialplane_search;

GRANT SELECT(group_id) ON TABLE public.switches TO dialplane_caller;
GRANT SELECT(group_id) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(group_id) ON TABLE public.switches TO dialplane_switch;
GRANT SELECT(group_id) ON TABLE public.switches TO dialplane_search;

GRANT SELECT(name) ON TABLE public.switches TO dialplane_caller;
GRANT SELECT(name) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(name) ON TABLE public.switches TO dialplane_switch;
GRANT SELECT(name) ON TABLE public.switches TO dialplane_search;

GRANT SELECT(state) ON TABLE public.switches TO dialplane_caller;
GRANT SELECT(state) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(state) ON TABLE public.switches TO dialplane_switch;
GRANT SELECT(state) ON TABLE public.switches TO dialplane_search;

GRANT SELECT(credential_mac) ON TABLE public.switches TO dialplane_caller;

GRANT SELECT(unreachable_after_seconds) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(unreachable_after_seconds) ON TABLE public.switches TO dialplane_search;

GRANT SELECT(synced_epoch) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(synced_epoch),UPDATE(synced_epoch) ON TABLE public.switches TO dialplane_switch;
GRANT SELECT(synced_epoch) ON TABLE public.switches TO dialplane_search;

GRANT SELECT(boot),UPDATE(boot) ON TABLE public.switches TO dialplane_switch;

GRANT SELECT(agent_version),UPDATE(agent_version) ON TABLE public.switches TO dialplane_switch;

GRANT SELECT(last_seen_at) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(last_seen_at),UPDATE(last_seen_at) ON TABLE public.switches TO dialplane_switch;
GRANT SELECT(last_seen_at) ON TABLE public.switches TO dialplane_search;

GRANT SELECT(created_at) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(created_at) ON TABLE public.switches TO dialplane_search;
GRANT SELECT(created_at) ON TABLE public.switches TO dialplane_switch;

GRANT SELECT(targets_read_at) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(targets_read_at),UPDATE(targets_read_at) ON TABLE public.switches TO dialplane_switch;

GRANT SELECT(is_returning),UPDATE(is_returning) ON TABLE public.switches TO dialplane_switch;

GRANT SELECT(proved_in) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(proved_in),UPDATE(proved_in) ON TABLE public.switches TO dialplane_switch;
GRANT SELECT(proved_in) ON TABLE public.switches TO dialplane_search;

GRANT SELECT(sockets),UPDATE(sockets) ON TABLE public.switches TO dialplane_switch;

GRANT SELECT(credential_version) ON TABLE public.switches TO dialplane_caller;

GRANT SELECT(features) ON TABLE public.switches TO dialplane_organisation;
GRANT SELECT(features),UPDATE(features) ON TABLE public.switches TO dialplane_switch;

GRANT SELECT,INSERT ON TABLE public.feed_items TO dialplane_organisation;
GRANT SELECT,DELETE ON TABLE public.feed_items TO dialplane_switch;
GRANT SELECT,INSERT,DELETE ON TABLE public.feed_items TO dialplane_system;
GRANT SELECT ON TABLE public.feed_items TO dialplane_search;

GRANT UPDATE(confirmed_at) ON TABLE public.feed_items TO dialplane_switch;
GRANT UPDATE(confirmed_at) ON TABLE public.feed_items TO dialplane_system;

GRANT SELECT ON TABLE public.feed_shards TO dialplane_organisation;
GRANT SELECT ON TABLE public.feed_shards TO dialplane_switch;
GRANT SELECT ON TABLE public.feed_shards TO dialplane_search;
GRANT SELECT,INSERT,UPDATE ON TABLE public.feed_shards TO dialplane_system;

GRANT UPDATE(head) ON TABLE public.feed_shards TO dialplane_organisation;

GRANT UPDATE(token) ON TABLE public.feed_shards TO dialplane_organisation;

GRANT SELECT ON TABLE public.drift_episodes TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.drift_episodes TO dialplane_switch;
GRANT SELECT,DELETE ON TABLE public.drift_episodes TO dialplane_system;

GRANT UPDATE(found) ON TABLE public.drift_episodes TO dialplane_switch;

GRANT UPDATE(found_generation) ON TABLE public.drift_episodes TO dialplane_switch;

GRANT UPDATE(expected) ON TABLE public.drift_episodes TO dialplane_switch;

GRANT UPDATE(expected_generation) ON TABLE public.drift_episodes TO dialplane_switch;

GRANT UPDATE(error) ON TABLE public.drift_episodes TO dialplane_switch;

GRANT UPDATE(last_at) ON TABLE public.drift_episodes TO dialplane_switch;

GRANT UPDATE(count) ON TABLE public.drift_episodes TO dialplane_switch;

GRANT UPDATE(wrong_ms) ON TABLE public.drift_episodes TO dialplane_switch;
GRANT UPDATE(wrong_ms) ON TABLE public.drift_episodes TO dialplane_system;

GRANT UPDATE(wrong_since) ON TABLE public.drift_episodes TO dialplane_switch;
GRANT UPDATE(wrong_since) ON TABLE public.drift_episodes TO dialplane_system;

GRANT UPDATE(closed_at) ON TABLE public.drift_episodes TO dialplane_system;

GRANT UPDATE(repaired_at) ON TABLE public.drift_episodes TO dialplane_switch;

GRANT SELECT ON TABLE public.applied_watermarks TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.applied_watermarks TO dialplane_switch;
GRANT SELECT,INSERT,DELETE ON TABLE public.applied_watermarks TO dialplane_system;

GRANT SELECT ON TABLE public.feed_confirmations TO dialplane_organisation;
GRANT SELECT ON TABLE public.feed_confirmations TO dialplane_search;
GRANT SELECT ON TABLE public.feed_confirmations TO dialplane_switch;
GRANT SELECT,INSERT,UPDATE ON TABLE public.feed_confirmations TO dialplane_system;

GRANT UPDATE(version) ON TABLE public.feed_confirmations TO dialplane_switch;

GRANT SELECT ON TABLE public.feed_epoch TO dialplane_organisation;
GRANT SELECT ON TABLE public.feed_epoch TO dialplane_switch;
GRANT SELECT ON TABLE public.feed_epoch TO dialplane_search;
GRANT SELECT,INSERT,UPDATE ON TABLE public.feed_epoch TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.connection_placements TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.connection_placements TO dialplane_system;
GRANT SELECT ON TABLE public.connection_placements TO dialplane_search;

GRANT UPDATE(version) ON TABLE public.connection_placements TO dialplane_organisation;
GRANT UPDATE(version) ON TABLE public.connection_placements TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.connection_targets TO dialplane_organisation;
GRANT SELECT ON TABLE public.connection_targets TO dialplane_system;
GRANT SELECT ON TABLE public.connection_targets TO dialplane_search;

GRANT SELECT,DELETE ON TABLE public.target_health TO dialplane_organisation;
GRANT SELECT,DELETE ON TABLE public.target_health TO dialplane_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.target_health TO dialplane_switch;

GRANT SELECT,INSERT,DELETE ON TABLE public.connections TO dialplane_organisation;
GRANT SELECT ON TABLE public.connections TO dialplane_system;
GRANT SELECT ON TABLE public.connections TO dialplane_search;

GRANT UPDATE(name) ON TABLE public.connections TO dialplane_organisation;

GRANT UPDATE(max_calls) ON TABLE public.connections TO dialplane_organisation;

GRANT UPDATE(ring_seconds) ON TABLE public.connections TO dialplane_organisation;

GRANT UPDATE(generation) ON TABLE public.connections TO dialplane_organisation;

GRANT UPDATE(updated_at) ON TABLE public.connections TO dialplane_organisation;

GRANT UPDATE(sources) ON TABLE public.connections TO dialplane_organisation;

GRANT UPDATE(metadata) ON TABLE public.connections TO dialplane_organisation;

GRANT SELECT,INSERT ON TABLE public.routing_revisions TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.routing_revisions TO dialplane_system;
GRANT DELETE ON TABLE public.routing_revisions TO dialplane_retention;

GRANT SELECT(holding_id) ON TABLE public.routing_revisions TO dialplane_calls;
GRANT SELECT(holding_id) ON TABLE public.routing_revisions TO dialplane_retention;

GRANT SELECT(generation) ON TABLE public.routing_revisions TO dialplane_calls;
GRANT SELECT(generation) ON TABLE public.routing_revisions TO dialplane_retention;

GRANT SELECT(desired) ON TABLE public.routing_revisions TO dialplane_calls;

GRANT SELECT(set_at) ON TABLE public.routing_revisions TO dialplane_retention;

REVOKE ALL ON FUNCTION public.connections_of_calls(of_holdings uuid[], of_generations bigint[], of_steps smallint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.connections_of_calls(of_holdings uuid[], of_generations bigint[], of_steps smallint[]) TO dialplane_switch;

REVOKE ALL ON FUNCTION public.connections_of_calls(of_holdings uuid[], of_generations bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.connections_of_calls(of_holdings uuid[], of_generations bigint[]) TO dialplane_switch;

GRANT SELECT,INSERT ON TABLE public.call_ids TO dialplane_calls;
GRANT SELECT,DELETE ON TABLE public.call_ids TO dialplane_system;

REVOKE ALL ON FUNCTION public.days_of_call_id(wanted text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.days_of_call_id(wanted text) TO dialplane_organisation;
GRANT ALL ON FUNCTION public.days_of_call_id(wanted text) TO dialplane_system;

REVOKE ALL ON FUNCTION public.drop_call_partitions(records_before date, parties_before date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_call_partitions(records_before date, parties_before date) TO dialplane_system;

REVOKE ALL ON FUNCTION public.drop_partition(of_table text, part text, before date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_partition(of_table text, part text, before date) TO dialplane_system;

GRANT SELECT ON TABLE public.routings TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.routings TO dialplane_system;
GRANT SELECT ON TABLE public.routings TO dialplane_search;

GRANT SELECT(holding_id) ON TABLE public.routings TO dialplane_calls;
GRANT SELECT(holding_id) ON TABLE public.routings TO dialplane_retention;

GRANT SELECT(organisation_id) ON TABLE public.routings TO dialplane_calls;

GRANT SELECT(environment) ON TABLE public.routings TO dialplane_calls;

GRANT UPDATE(mode) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(mode) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(sip_uri) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(sip_uri) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(connection_id) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(connection_id) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(forward_to) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(forward_to) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(webhook_url) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(webhook_url) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(fallback_mode) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(fallback_mode) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(fallback_sip_uri) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(fallback_sip_uri) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(fallback_connection_id) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(fallback_connection_id) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(generation) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(generation) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(set_at) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(set_at) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(set_by_kind) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(set_by_kind) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(set_by_id) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(set_by_id) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(set_by_name) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(set_by_name) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(reason) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(reason) ON TABLE public.routings TO dialplane_system;

GRANT SELECT(group_id) ON TABLE public.routings TO dialplane_calls;

GRANT UPDATE(version) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(version) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(steps) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(steps) ON TABLE public.routings TO dialplane_system;

GRANT UPDATE(last_connection_id) ON TABLE public.routings TO dialplane_organisation;
GRANT UPDATE(last_connection_id) ON TABLE public.routings TO dialplane_system;

REVOKE ALL ON FUNCTION public.end_audit_entries(of_organisation uuid, before timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_audit_entries(of_organisation uuid, before timestamp with time zone, most integer) TO dialplane_system;

REVOKE ALL ON FUNCTION public.end_events(of_organisation uuid, before timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_events(of_organisation uuid, before timestamp with time zone, most integer) TO dialplane_system;

REVOKE ALL ON FUNCTION public.end_reservations(before timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_reservations(before timestamp with time zone, most integer) TO dialplane_system;

REVOKE ALL ON FUNCTION public.end_routing_history(after_holding uuid, before timestamp with time zone, most integer, OUT last_holding uuid, OUT deleted integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_routing_history(after_holding uuid, before timestamp with time zone, most integer, OUT last_holding uuid, OUT deleted integer) TO dialplane_system;

GRANT SELECT ON TABLE public.organisation_usage_days TO dialplane_organisation;
GRANT SELECT ON TABLE public.organisation_usage_days TO dialplane_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.organisation_usage_days TO dialplane_calls;

REVOKE ALL ON FUNCTION public.end_usage_days(of_organisation uuid, before date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_usage_days(of_organisation uuid, before date) TO dialplane_system;

REVOKE ALL ON FUNCTION public.end_usage_quarters(of_organisation uuid, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_usage_quarters(of_organisation uuid, most integer) TO dialplane_system;

GRANT SELECT ON TABLE public.applied_routes TO dialplane_organisation;
GRANT SELECT ON TABLE public.applied_routes TO dialplane_system;
GRANT SELECT,INSERT ON TABLE public.applied_routes TO dialplane_switch;
GRANT DELETE ON TABLE public.applied_routes TO dialplane_retention;

GRANT SELECT(holding_id) ON TABLE public.applied_routes TO dialplane_retention;

GRANT SELECT(at) ON TABLE public.applied_routes TO dialplane_retention;

GRANT SELECT ON TABLE public.applied_exceptions TO dialplane_organisation;
GRANT SELECT ON TABLE public.applied_exceptions TO dialplane_search;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.applied_exceptions TO dialplane_switch;
GRANT SELECT,INSERT,DELETE ON TABLE public.applied_exceptions TO dialplane_system;

GRANT SELECT ON TABLE public.failed_routes TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.failed_routes TO dialplane_switch;
GRANT SELECT ON TABLE public.failed_routes TO dialplane_system;
GRANT DELETE ON TABLE public.failed_routes TO dialplane_retention;

GRANT SELECT(holding_id) ON TABLE public.failed_routes TO dialplane_retention;

GRANT UPDATE(error) ON TABLE public.failed_routes TO dialplane_switch;

GRANT UPDATE(ended_at) ON TABLE public.failed_routes TO dialplane_switch;
GRANT UPDATE(ended_at) ON TABLE public.failed_routes TO dialplane_system;
GRANT SELECT(ended_at) ON TABLE public.failed_routes TO dialplane_retention;

GRANT SELECT,INSERT,DELETE ON TABLE public.authenticators TO dialplane_caller;
GRANT SELECT,DELETE ON TABLE public.authenticators TO dialplane_system;

GRANT UPDATE(id) ON TABLE public.authenticators TO dialplane_caller;

GRANT UPDATE(last_step) ON TABLE public.authenticators TO dialplane_caller;

GRANT UPDATE(created_at) ON TABLE public.authenticators TO dialplane_caller;

GRANT UPDATE(confirmed_at) ON TABLE public.authenticators TO dialplane_caller;

GRANT UPDATE(root_id) ON TABLE public.authenticators TO dialplane_caller;

GRANT SELECT,INSERT,DELETE ON TABLE public.passkeys TO dialplane_caller;
GRANT SELECT,DELETE ON TABLE public.passkeys TO dialplane_system;

GRANT UPDATE(sign_count) ON TABLE public.passkeys TO dialplane_caller;

GRANT UPDATE(name) ON TABLE public.passkeys TO dialplane_caller;

GRANT UPDATE(last_used_at) ON TABLE public.passkeys TO dialplane_caller;

REVOKE ALL ON FUNCTION public.holders_of_calls(of_holdings uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.holders_of_calls(of_holdings uuid[]) TO dialplane_switch;

REVOKE ALL ON FUNCTION public.is_holder_of_calls(of_holding uuid, of_organisation uuid, of_environment text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.is_holder_of_calls(of_holding uuid, of_organisation uuid, of_environment text) TO dialplane_switch;

REVOKE ALL ON FUNCTION public.make_call_partition(of_table text, part text, from_at timestamp with time zone, to_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.make_call_partitions(of_days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.make_call_partitions(of_days date[]) TO dialplane_switch;
GRANT ALL ON FUNCTION public.make_call_partitions(of_days date[]) TO dialplane_system;

GRANT SELECT ON TABLE public.holdings TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.holdings TO dialplane_system;
GRANT SELECT ON TABLE public.holdings TO dialplane_search;

GRANT UPDATE(status) ON TABLE public.holdings TO dialplane_organisation;
GRANT UPDATE(status) ON TABLE public.holdings TO dialplane_system;

GRANT UPDATE(label) ON TABLE public.holdings TO dialplane_organisation;

GRANT UPDATE(tags) ON TABLE public.holdings TO dialplane_organisation;

GRANT UPDATE(release_lock) ON TABLE public.holdings TO dialplane_organisation;

GRANT UPDATE(status_reason) ON TABLE public.holdings TO dialplane_system;

GRANT UPDATE(released_at) ON TABLE public.holdings TO dialplane_system;

GRANT UPDATE(restore_until) ON TABLE public.holdings TO dialplane_system;

GRANT UPDATE(updated_at) ON TABLE public.holdings TO dialplane_organisation;
GRANT UPDATE(updated_at) ON TABLE public.holdings TO dialplane_system;

GRANT UPDATE(metadata) ON TABLE public.holdings TO dialplane_organisation;

GRANT INSERT ON TABLE public.audit_entries TO dialplane_caller;
GRANT INSERT ON TABLE public.audit_entries TO dialplane_switch;
GRANT SELECT,INSERT ON TABLE public.audit_entries TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.audit_entries TO dialplane_system;
GRANT DELETE ON TABLE public.audit_entries TO dialplane_retention;

GRANT SELECT(id) ON TABLE public.audit_entries TO dialplane_retention;

GRANT SELECT(organisation_id) ON TABLE public.audit_entries TO dialplane_retention;

GRANT SELECT(environment) ON TABLE public.audit_entries TO dialplane_retention;

GRANT SELECT(at) ON TABLE public.audit_entries TO dialplane_retention;

GRANT SELECT(committed_in) ON TABLE public.audit_entries TO dialplane_retention;

GRANT SELECT,INSERT ON TABLE public.events TO dialplane_caller;
GRANT SELECT,INSERT ON TABLE public.events TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.events TO dialplane_system;
GRANT INSERT ON TABLE public.events TO dialplane_switch;
GRANT DELETE ON TABLE public.events TO dialplane_retention;

GRANT SELECT(organisation_id) ON TABLE public.events TO dialplane_retention;

GRANT SELECT(sequence) ON TABLE public.events TO dialplane_switch;
GRANT SELECT(sequence) ON TABLE public.events TO dialplane_retention;

GRANT SELECT(id) ON TABLE public.events TO dialplane_retention;

GRANT SELECT(environment) ON TABLE public.events TO dialplane_retention;

GRANT SELECT(created_at) ON TABLE public.events TO dialplane_retention;

REVOKE ALL ON FUNCTION public.note_call_ids() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.note_last_calls() FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE public.order_items TO dialplane_organisation;
GRANT SELECT ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(e164) ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(step) ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(round) ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(reference) ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(return_reference) ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(refusals) ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(number_id) ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(is_routed) ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(error_code) ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(error_detail) ON TABLE public.order_items TO dialplane_system;

GRANT UPDATE(is_delivered) ON TABLE public.order_items TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.orders TO dialplane_organisation;
GRANT SELECT ON TABLE public.orders TO dialplane_system;

GRANT SELECT(organisation_id) ON TABLE public.orders TO dialplane_retention;

GRANT SELECT(environment) ON TABLE public.orders TO dialplane_retention;

GRANT UPDATE(status) ON TABLE public.orders TO dialplane_system;

GRANT SELECT(reservation_id) ON TABLE public.orders TO dialplane_retention;

GRANT UPDATE(finished_at) ON TABLE public.orders TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.releases TO dialplane_organisation;
GRANT SELECT ON TABLE public.releases TO dialplane_system;

GRANT UPDATE(restore_job_id) ON TABLE public.releases TO dialplane_organisation;

GRANT UPDATE(step) ON TABLE public.releases TO dialplane_organisation;
GRANT UPDATE(step) ON TABLE public.releases TO dialplane_system;

GRANT UPDATE(restored_by_kind) ON TABLE public.releases TO dialplane_organisation;

GRANT UPDATE(restored_by_id) ON TABLE public.releases TO dialplane_organisation;

GRANT UPDATE(restored_by_name) ON TABLE public.releases TO dialplane_organisation;

GRANT UPDATE(quarantined_until) ON TABLE public.releases TO dialplane_system;

GRANT UPDATE(ended_at) ON TABLE public.releases TO dialplane_system;

GRANT SELECT ON TABLE public.switch_group_states TO dialplane_organisation;
GRANT SELECT ON TABLE public.switch_group_states TO dialplane_system;
GRANT SELECT ON TABLE public.switch_group_states TO dialplane_search;

GRANT SELECT ON TABLE public.deliveries TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.deliveries TO dialplane_system;

GRANT UPDATE(desired) ON TABLE public.deliveries TO dialplane_system;

GRANT UPDATE(applied) ON TABLE public.deliveries TO dialplane_system;

GRANT UPDATE(status) ON TABLE public.deliveries TO dialplane_system;

GRANT UPDATE(reason) ON TABLE public.deliveries TO dialplane_system;

GRANT UPDATE(error) ON TABLE public.deliveries TO dialplane_system;

GRANT UPDATE(observed_at) ON TABLE public.deliveries TO dialplane_system;

GRANT UPDATE(updated_at) ON TABLE public.deliveries TO dialplane_system;

REVOKE ALL ON FUNCTION public.roll_up_buckets() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.roll_up_calls() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.roll_up_quarters() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.roll_up_usage_hours(of_organisation uuid, of_environment text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.roll_up_usage_hours(of_organisation uuid, of_environment text) TO dialplane_system;

REVOKE ALL ON FUNCTION public.search_holdings(terms jsonb, filters jsonb, sort text, after_e164 text, after_id uuid, wanted integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_holdings(terms jsonb, filters jsonb, sort text, after_e164 text, after_id uuid, wanted integer) TO dialplane_organisation;

GRANT SELECT,INSERT ON TABLE public.routing_webhook_secrets TO dialplane_organisation;
GRANT SELECT ON TABLE public.routing_webhook_secrets TO dialplane_calls;

GRANT UPDATE(secret_version) ON TABLE public.routing_webhook_secrets TO dialplane_organisation;

GRANT UPDATE(previous_secrets_until) ON TABLE public.routing_webhook_secrets TO dialplane_organisation;

GRANT UPDATE(secret_roots) ON TABLE public.routing_webhook_secrets TO dialplane_organisation;

REVOKE ALL ON FUNCTION public.signers_of_calls(of_holdings uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.signers_of_calls(of_holdings uuid[]) TO dialplane_switch;

GRANT SELECT ON TABLE public.organisations TO dialplane_caller;
GRANT SELECT ON TABLE public.organisations TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.organisations TO dialplane_system;

GRANT SELECT(id) ON TABLE public.organisations TO dialplane_calls;

GRANT UPDATE(name) ON TABLE public.organisations TO dialplane_organisation;

GRANT UPDATE(suspended_at) ON TABLE public.organisations TO dialplane_system;

GRANT UPDATE(suspension_reason) ON TABLE public.organisations TO dialplane_system;

GRANT UPDATE(suspends_numbers) ON TABLE public.organisations TO dialplane_system;

GRANT UPDATE(numbers_due) ON TABLE public.organisations TO dialplane_system;

GRANT UPDATE(require_second_factor) ON TABLE public.organisations TO dialplane_organisation;

GRANT UPDATE(require_single_sign_on) ON TABLE public.organisations TO dialplane_organisation;

GRANT UPDATE(max_session_age_hours) ON TABLE public.organisations TO dialplane_organisation;

GRANT SELECT(root_id) ON TABLE public.organisations TO dialplane_calls;

GRANT UPDATE(default_country) ON TABLE public.organisations TO dialplane_organisation;

REVOKE ALL ON FUNCTION public.signing_secrets_of_calls(of_holdings uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.signing_secrets_of_calls(of_holdings uuid[]) TO dialplane_switch;

GRANT SELECT,INSERT,DELETE ON TABLE public.carrier_trunks TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.carriers TO dialplane_system;

GRANT SELECT(name) ON TABLE public.carriers TO dialplane_organisation;

GRANT UPDATE(url) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(sealed_credentials) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(root_id) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(credentials_set_at) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(credentials_end) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(countries) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(number_types) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(preference) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(inventory) ON TABLE public.carriers TO dialplane_system;

GRANT SELECT(state) ON TABLE public.carriers TO dialplane_organisation;
GRANT UPDATE(state) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(updated_at) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(features) ON TABLE public.carriers TO dialplane_system;

GRANT UPDATE(repairs_delivery) ON TABLE public.carriers TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.sessions TO dialplane_caller;
GRANT SELECT,DELETE ON TABLE public.sessions TO dialplane_system;

GRANT UPDATE(token_hash) ON TABLE public.sessions TO dialplane_caller;

GRANT UPDATE(last_seen_at) ON TABLE public.sessions TO dialplane_caller;

GRANT UPDATE(reauthenticated_at) ON TABLE public.sessions TO dialplane_caller;

GRANT UPDATE(has_second_factor) ON TABLE public.sessions TO dialplane_caller;

REVOKE ALL ON TABLE public.usage_days FROM dialplane_calls;
GRANT SELECT,INSERT,UPDATE ON TABLE public.usage_days TO dialplane_calls;
GRANT SELECT ON TABLE public.usage_days TO dialplane_organisation;
GRANT SELECT ON TABLE public.usage_days TO dialplane_system;

REVOKE ALL ON TABLE public.usage_hours FROM dialplane_calls;
GRANT SELECT,INSERT,UPDATE ON TABLE public.usage_hours TO dialplane_calls;
GRANT SELECT ON TABLE public.usage_hours TO dialplane_organisation;
GRANT SELECT ON TABLE public.usage_hours TO dialplane_system;

REVOKE ALL ON TABLE public.call_parties FROM dialplane_calls;
GRANT SELECT ON TABLE public.call_parties TO dialplane_calls;
GRANT INSERT ON TABLE public.call_parties TO dialplane_switch;
GRANT SELECT ON TABLE public.call_parties TO dialplane_system;

GRANT SELECT(id) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(switch_id) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(started_at) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(organisation_id) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(environment) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(holding_id) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(caller) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(called) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(target) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(sip_call_id) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(caller_raw) ON TABLE public.call_parties TO dialplane_organisation;

GRANT SELECT(attempts) ON TABLE public.call_parties TO dialplane_organisation;

REVOKE ALL ON TABLE public.call_records FROM dialplane_calls;
GRANT SELECT ON TABLE public.call_records TO dialplane_calls;
GRANT SELECT ON TABLE public.call_records TO dialplane_organisation;
GRANT SELECT ON TABLE public.call_records TO dialplane_system;
GRANT INSERT ON TABLE public.call_records TO dialplane_switch;

GRANT SELECT,INSERT,DELETE ON TABLE public.addresses TO dialplane_organisation;
GRANT SELECT ON TABLE public.addresses TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.api_key_organisations TO dialplane_caller;
GRANT SELECT,DELETE ON TABLE public.api_key_organisations TO dialplane_organisation;
GRANT SELECT,DELETE ON TABLE public.api_key_organisations TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.api_keys TO dialplane_caller;
GRANT SELECT ON TABLE public.api_keys TO dialplane_organisation;
GRANT SELECT ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(secret_mac) ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(pepper_version) ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(organisation_count) ON TABLE public.api_keys TO dialplane_caller;
GRANT UPDATE(organisation_count) ON TABLE public.api_keys TO dialplane_organisation;
GRANT UPDATE(organisation_count) ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(expires_at) ON TABLE public.api_keys TO dialplane_caller;
GRANT UPDATE(expires_at) ON TABLE public.api_keys TO dialplane_organisation;
GRANT UPDATE(expires_at) ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(revoked_at) ON TABLE public.api_keys TO dialplane_organisation;
GRANT UPDATE(revoked_at) ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(last_used_at) ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(last_used_from) ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(root_id) ON TABLE public.api_keys TO dialplane_system;

GRANT UPDATE(suspended_at) ON TABLE public.api_keys TO dialplane_system;
GRANT UPDATE(suspended_at) ON TABLE public.api_keys TO dialplane_organisation;

GRANT SELECT,INSERT ON TABLE public.applied_marks TO dialplane_switch;
GRANT SELECT ON TABLE public.applied_marks TO dialplane_system;

GRANT UPDATE(version) ON TABLE public.applied_marks TO dialplane_switch;

GRANT SELECT,INSERT,DELETE ON TABLE public.authorisation_codes TO dialplane_caller;
GRANT SELECT,DELETE ON TABLE public.authorisation_codes TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.bulk_change_items TO dialplane_organisation;

GRANT UPDATE(outcome) ON TABLE public.bulk_change_items TO dialplane_organisation;

GRANT UPDATE(error_code) ON TABLE public.bulk_change_items TO dialplane_organisation;

GRANT UPDATE(error_detail) ON TABLE public.bulk_change_items TO dialplane_organisation;

GRANT SELECT,INSERT ON TABLE public.bulk_changes TO dialplane_organisation;
GRANT SELECT,DELETE ON TABLE public.bulk_changes TO dialplane_system;

GRANT UPDATE(status) ON TABLE public.bulk_changes TO dialplane_organisation;

GRANT UPDATE(missing) ON TABLE public.bulk_changes TO dialplane_organisation;

GRANT UPDATE(total) ON TABLE public.bulk_changes TO dialplane_organisation;

GRANT UPDATE(set_count) ON TABLE public.bulk_changes TO dialplane_organisation;

GRANT UPDATE(unchanged_count) ON TABLE public.bulk_changes TO dialplane_organisation;

GRANT UPDATE(stale_count) ON TABLE public.bulk_changes TO dialplane_organisation;

GRANT UPDATE(failed_count) ON TABLE public.bulk_changes TO dialplane_organisation;

GRANT UPDATE(started_at) ON TABLE public.bulk_changes TO dialplane_organisation;

GRANT UPDATE(advanced_at) ON TABLE public.bulk_changes TO dialplane_organisation;

GRANT UPDATE(finished_at) ON TABLE public.bulk_changes TO dialplane_organisation;

GRANT SELECT ON TABLE public.call_buckets TO dialplane_organisation;
GRANT SELECT,DELETE ON TABLE public.call_buckets TO dialplane_system;
GRANT SELECT,INSERT,UPDATE ON TABLE public.call_buckets TO dialplane_calls;

GRANT SELECT,INSERT,UPDATE ON TABLE public.call_standings TO dialplane_switch;
GRANT SELECT ON TABLE public.call_standings TO dialplane_system;

GRANT SELECT(switch_id) ON TABLE public.call_standings TO dialplane_organisation;

GRANT SELECT(settled_through) ON TABLE public.call_standings TO dialplane_organisation;

GRANT SELECT(max_call_seconds) ON TABLE public.call_standings TO dialplane_organisation;

GRANT SELECT,INSERT,DELETE ON TABLE public.challenges TO dialplane_caller;
GRANT SELECT,DELETE ON TABLE public.challenges TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.database_instances TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.device_sign_ins TO dialplane_caller;
GRANT SELECT,DELETE ON TABLE public.device_sign_ins TO dialplane_system;

GRANT UPDATE(status) ON TABLE public.device_sign_ins TO dialplane_caller;

GRANT UPDATE(user_id) ON TABLE public.device_sign_ins TO dialplane_caller;

GRANT UPDATE(session_id) ON TABLE public.device_sign_ins TO dialplane_caller;

GRANT UPDATE(interval_seconds) ON TABLE public.device_sign_ins TO dialplane_caller;

GRANT UPDATE(polled_at) ON TABLE public.device_sign_ins TO dialplane_caller;

GRANT SELECT,INSERT,DELETE ON TABLE public.documents TO dialplane_organisation;
GRANT SELECT ON TABLE public.documents TO dialplane_system;

GRANT UPDATE(sealed_key) ON TABLE public.documents TO dialplane_system;

GRANT UPDATE(root_id) ON TABLE public.documents TO dialplane_system;

GRANT SELECT ON TABLE public.event_heads TO dialplane_caller;
GRANT SELECT ON TABLE public.event_heads TO dialplane_switch;
GRANT SELECT ON TABLE public.event_heads TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.event_heads TO dialplane_system;

GRANT UPDATE(head) ON TABLE public.event_heads TO dialplane_caller;
GRANT UPDATE(head) ON TABLE public.event_heads TO dialplane_switch;
GRANT UPDATE(head) ON TABLE public.event_heads TO dialplane_organisation;
GRANT UPDATE(head) ON TABLE public.event_heads TO dialplane_system;

GRANT UPDATE(has_endpoints) ON TABLE public.event_heads TO dialplane_organisation;
GRANT UPDATE(has_endpoints) ON TABLE public.event_heads TO dialplane_system;

GRANT UPDATE(is_behind) ON TABLE public.event_heads TO dialplane_organisation;
GRANT UPDATE(is_behind) ON TABLE public.event_heads TO dialplane_system;

GRANT UPDATE(skipped) ON TABLE public.event_heads TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.evidence_totals TO dialplane_organisation;
GRANT SELECT ON TABLE public.evidence_totals TO dialplane_system;

GRANT UPDATE(addresses) ON TABLE public.evidence_totals TO dialplane_organisation;

GRANT UPDATE(documents) ON TABLE public.evidence_totals TO dialplane_organisation;

GRANT UPDATE(document_bytes) ON TABLE public.evidence_totals TO dialplane_organisation;

GRANT SELECT,INSERT ON TABLE public.feed_epochs TO dialplane_system;

GRANT UPDATE(is_held) ON TABLE public.feed_epochs TO dialplane_system;

GRANT UPDATE(resolved_at) ON TABLE public.feed_epochs TO dialplane_system;

GRANT UPDATE(resolved_by) ON TABLE public.feed_epochs TO dialplane_system;

GRANT SELECT ON TABLE public.forwarding_allowances TO dialplane_organisation;
GRANT SELECT,INSERT,UPDATE ON TABLE public.forwarding_allowances TO dialplane_system;

GRANT USAGE ON SEQUENCE public.forwarding_changes TO dialplane_system;

GRANT SELECT ON TABLE public.forwarding_policies TO dialplane_organisation;
GRANT SELECT,INSERT,UPDATE ON TABLE public.forwarding_policies TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.holding_metadata TO dialplane_organisation;
GRANT SELECT ON TABLE public.holding_metadata TO dialplane_search;

GRANT SELECT,INSERT,DELETE ON TABLE public.holding_tags TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.holding_tags TO dialplane_system;
GRANT SELECT ON TABLE public.holding_tags TO dialplane_search;

GRANT SELECT,INSERT,DELETE ON TABLE public.idempotency_keys TO dialplane_organisation;
GRANT SELECT,DELETE ON TABLE public.idempotency_keys TO dialplane_system;

GRANT SELECT ON TABLE public.identities TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.identities TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.identity_provider_domains TO dialplane_organisation;
GRANT SELECT ON TABLE public.identity_provider_domains TO dialplane_system;

GRANT UPDATE(proved_at) ON TABLE public.identity_provider_domains TO dialplane_organisation;
GRANT UPDATE(proved_at) ON TABLE public.identity_provider_domains TO dialplane_system;

GRANT UPDATE(checked_at) ON TABLE public.identity_provider_domains TO dialplane_organisation;
GRANT UPDATE(checked_at) ON TABLE public.identity_provider_domains TO dialplane_system;

GRANT UPDATE(next_check_at) ON TABLE public.identity_provider_domains TO dialplane_organisation;
GRANT UPDATE(next_check_at) ON TABLE public.identity_provider_domains TO dialplane_system;

GRANT UPDATE(missing_since) ON TABLE public.identity_provider_domains TO dialplane_organisation;
GRANT UPDATE(missing_since) ON TABLE public.identity_provider_domains TO dialplane_system;

GRANT UPDATE(missing_checks) ON TABLE public.identity_provider_domains TO dialplane_organisation;
GRANT UPDATE(missing_checks) ON TABLE public.identity_provider_domains TO dialplane_system;

GRANT UPDATE(lapsed_at) ON TABLE public.identity_provider_domains TO dialplane_organisation;
GRANT UPDATE(lapsed_at) ON TABLE public.identity_provider_domains TO dialplane_system;

GRANT INSERT,DELETE ON TABLE public.identity_providers TO dialplane_organisation;
GRANT SELECT ON TABLE public.identity_providers TO dialplane_system;

GRANT SELECT(id) ON TABLE public.identity_providers TO dialplane_organisation;

GRANT SELECT(organisation_id) ON TABLE public.identity_providers TO dialplane_organisation;

GRANT SELECT(name),UPDATE(name) ON TABLE public.identity_providers TO dialplane_organisation;

GRANT SELECT(issuer) ON TABLE public.identity_providers TO dialplane_organisation;

GRANT SELECT(client_id) ON TABLE public.identity_providers TO dialplane_organisation;

GRANT UPDATE(sealed_secret) ON TABLE public.identity_providers TO dialplane_organisation;
GRANT UPDATE(sealed_secret) ON TABLE public.identity_providers TO dialplane_system;

GRANT SELECT(created_at) ON TABLE public.identity_providers TO dialplane_organisation;

GRANT UPDATE(root_id) ON TABLE public.identity_providers TO dialplane_organisation;
GRANT UPDATE(root_id) ON TABLE public.identity_providers TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.invitations TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.invitations TO dialplane_system;

GRANT SELECT ON TABLE public.jobs TO dialplane_caller;
GRANT SELECT,INSERT ON TABLE public.jobs TO dialplane_organisation;
GRANT SELECT,DELETE ON TABLE public.jobs TO dialplane_system;

GRANT UPDATE(status) ON TABLE public.jobs TO dialplane_system;

GRANT UPDATE(reason) ON TABLE public.jobs TO dialplane_system;

GRANT UPDATE(succeeded) ON TABLE public.jobs TO dialplane_system;

GRANT UPDATE(failed) ON TABLE public.jobs TO dialplane_system;

GRANT UPDATE(error_code) ON TABLE public.jobs TO dialplane_system;

GRANT UPDATE(error_detail) ON TABLE public.jobs TO dialplane_system;

GRANT UPDATE(attempts) ON TABLE public.jobs TO dialplane_system;

GRANT UPDATE(waits) ON TABLE public.jobs TO dialplane_system;
GRANT UPDATE(waits) ON TABLE public.jobs TO dialplane_organisation;

GRANT UPDATE(next_check_at) ON TABLE public.jobs TO dialplane_system;
GRANT UPDATE(next_check_at) ON TABLE public.jobs TO dialplane_organisation;

GRANT UPDATE(queued_at) ON TABLE public.jobs TO dialplane_system;

GRANT UPDATE(started_at) ON TABLE public.jobs TO dialplane_system;

GRANT UPDATE(finished_at) ON TABLE public.jobs TO dialplane_system;

GRANT SELECT,INSERT,UPDATE ON TABLE public.kept_keys TO dialplane_system;

GRANT SELECT ON TABLE public.last_calls TO dialplane_organisation;
GRANT SELECT ON TABLE public.last_calls TO dialplane_system;
GRANT SELECT,INSERT,UPDATE ON TABLE public.last_calls TO dialplane_calls;
GRANT SELECT ON TABLE public.last_calls TO dialplane_search;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.limit_counters TO dialplane_system;

GRANT SELECT ON TABLE public.live_calls TO dialplane_organisation;
GRANT SELECT ON TABLE public.live_calls TO dialplane_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.live_calls TO dialplane_switch;

GRANT SELECT,INSERT,DELETE ON TABLE public.live_changes TO dialplane_switch;
GRANT SELECT ON TABLE public.live_changes TO dialplane_system;

GRANT SELECT,INSERT,UPDATE ON TABLE public.live_reports TO dialplane_switch;
GRANT SELECT ON TABLE public.live_reports TO dialplane_system;

GRANT SELECT(switch_id) ON TABLE public.live_reports TO dialplane_organisation;

GRANT SELECT(observed_at) ON TABLE public.live_reports TO dialplane_organisation;

GRANT SELECT ON TABLE public.log_floors TO dialplane_organisation;
GRANT SELECT ON TABLE public.log_floors TO dialplane_system;
GRANT SELECT,INSERT,UPDATE ON TABLE public.log_floors TO dialplane_retention;

GRANT INSERT ON TABLE public.mails TO dialplane_caller;
GRANT INSERT ON TABLE public.mails TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.mails TO dialplane_system;

GRANT UPDATE(reference) ON TABLE public.mails TO dialplane_system;

GRANT UPDATE(claimed_until) ON TABLE public.mails TO dialplane_system;

GRANT UPDATE(sent_at) ON TABLE public.mails TO dialplane_system;

GRANT SELECT ON TABLE public.memberships TO dialplane_caller;
GRANT SELECT,DELETE ON TABLE public.memberships TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.memberships TO dialplane_system;

GRANT UPDATE(role) ON TABLE public.memberships TO dialplane_organisation;

GRANT SELECT,INSERT,DELETE ON TABLE public.notification_rules TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.notification_rules TO dialplane_system;

GRANT UPDATE(rules) ON TABLE public.notification_rules TO dialplane_organisation;
GRANT UPDATE(rules) ON TABLE public.notification_rules TO dialplane_system;

GRANT UPDATE(next_sweep_at) ON TABLE public.notification_rules TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.number_counts TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.number_counts TO dialplane_system;

GRANT UPDATE(numbers) ON TABLE public.number_counts TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.numbers TO dialplane_system;

GRANT UPDATE(is_stock) ON TABLE public.numbers TO dialplane_system;

GRANT UPDATE(is_free) ON TABLE public.numbers TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.one_time_links TO dialplane_caller;
GRANT SELECT,INSERT,DELETE ON TABLE public.one_time_links TO dialplane_system;

GRANT SELECT ON TABLE public.open_calls TO dialplane_organisation;
GRANT SELECT ON TABLE public.open_calls TO dialplane_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.open_calls TO dialplane_switch;

GRANT SELECT ON TABLE public.order_requirements TO dialplane_organisation;
GRANT SELECT,INSERT ON TABLE public.order_requirements TO dialplane_system;

GRANT UPDATE(status) ON TABLE public.order_requirements TO dialplane_organisation;
GRANT UPDATE(status) ON TABLE public.order_requirements TO dialplane_system;

GRANT UPDATE(reference) ON TABLE public.order_requirements TO dialplane_organisation;

GRANT UPDATE(address_id) ON TABLE public.order_requirements TO dialplane_organisation;

GRANT UPDATE(document_id) ON TABLE public.order_requirements TO dialplane_organisation;

GRANT UPDATE(end_user) ON TABLE public.order_requirements TO dialplane_organisation;
GRANT UPDATE(end_user) ON TABLE public.order_requirements TO dialplane_system;

GRANT UPDATE(rejected_reason) ON TABLE public.order_requirements TO dialplane_organisation;
GRANT UPDATE(rejected_reason) ON TABLE public.order_requirements TO dialplane_system;

GRANT UPDATE(updated_at) ON TABLE public.order_requirements TO dialplane_organisation;
GRANT UPDATE(updated_at) ON TABLE public.order_requirements TO dialplane_system;

GRANT SELECT ON TABLE public.organisation_usage_hours TO dialplane_organisation;
GRANT SELECT ON TABLE public.organisation_usage_hours TO dialplane_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.organisation_usage_hours TO dialplane_calls;

GRANT SELECT ON TABLE public.organisation_usage_quarters TO dialplane_organisation;
GRANT SELECT ON TABLE public.organisation_usage_quarters TO dialplane_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.organisation_usage_quarters TO dialplane_calls;

GRANT SELECT,INSERT ON TABLE public.pool_purchases TO dialplane_system;

GRANT UPDATE(returned_at) ON TABLE public.pool_purchases TO dialplane_system;

GRANT UPDATE(returned_by) ON TABLE public.pool_purchases TO dialplane_system;

GRANT SELECT ON TABLE public.probe_callers TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.probe_callers TO dialplane_system;

GRANT SELECT ON TABLE public.probe_policies TO dialplane_organisation;
GRANT SELECT,INSERT,UPDATE ON TABLE public.probe_policies TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.probe_schedules TO dialplane_organisation;
GRANT SELECT ON TABLE public.probe_schedules TO dialplane_system;

GRANT UPDATE(via) ON TABLE public.probe_schedules TO dialplane_organisation;

GRANT UPDATE(every_hours) ON TABLE public.probe_schedules TO dialplane_organisation;

GRANT UPDATE(updated_at) ON TABLE public.probe_schedules TO dialplane_organisation;

GRANT UPDATE(round_at) ON TABLE public.probe_schedules TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.probe_switches TO dialplane_system;

GRANT UPDATE(started_at) ON TABLE public.probe_switches TO dialplane_system;

GRANT UPDATE(placed) ON TABLE public.probe_switches TO dialplane_system;

GRANT UPDATE(seen) ON TABLE public.probe_switches TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.probes TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.probes TO dialplane_system;

GRANT UPDATE(status) ON TABLE public.probes TO dialplane_system;

GRANT UPDATE(placed_by) ON TABLE public.probes TO dialplane_system;

GRANT UPDATE(placed_at) ON TABLE public.probes TO dialplane_system;

GRANT UPDATE(ended_at) ON TABLE public.probes TO dialplane_system;

GRANT UPDATE(links) ON TABLE public.probes TO dialplane_system;

GRANT UPDATE(summary) ON TABLE public.probes TO dialplane_system;

GRANT SELECT,DELETE ON TABLE public.problems TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.problems TO dialplane_system;

GRANT UPDATE(label) ON TABLE public.problems TO dialplane_system;

GRANT UPDATE(error) ON TABLE public.problems TO dialplane_system;

GRANT UPDATE(since) ON TABLE public.problems TO dialplane_system;

GRANT UPDATE(last_seen_at) ON TABLE public.problems TO dialplane_system;

GRANT UPDATE(begun_at) ON TABLE public.problems TO dialplane_system;

GRANT UPDATE(begun_in) ON TABLE public.problems TO dialplane_system;

GRANT UPDATE(ended_at) ON TABLE public.problems TO dialplane_system;

GRANT UPDATE(ended_in) ON TABLE public.problems TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.reconciliation_findings TO dialplane_system;

GRANT UPDATE(is_untold) ON TABLE public.reconciliation_findings TO dialplane_system;

GRANT UPDATE(told_at) ON TABLE public.reconciliation_findings TO dialplane_system;

GRANT UPDATE(claimed_until) ON TABLE public.reconciliation_findings TO dialplane_system;

GRANT UPDATE(repaired_at) ON TABLE public.reconciliation_findings TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.reconciliations TO dialplane_system;

GRANT UPDATE(status) ON TABLE public.reconciliations TO dialplane_system;

GRANT UPDATE(held) ON TABLE public.reconciliations TO dialplane_system;

GRANT UPDATE(owned) ON TABLE public.reconciliations TO dialplane_system;

GRANT UPDATE(error) ON TABLE public.reconciliations TO dialplane_system;

GRANT UPDATE(finished_at) ON TABLE public.reconciliations TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.recovery_codes TO dialplane_caller;
GRANT SELECT,DELETE ON TABLE public.recovery_codes TO dialplane_system;

GRANT INSERT ON TABLE public.rejected_records TO dialplane_switch;
GRANT SELECT,DELETE ON TABLE public.rejected_records TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.reservations TO dialplane_organisation;
GRANT DELETE ON TABLE public.reservations TO dialplane_retention;

GRANT SELECT(id) ON TABLE public.reservations TO dialplane_system;
GRANT SELECT(id) ON TABLE public.reservations TO dialplane_retention;

GRANT SELECT(organisation_id) ON TABLE public.reservations TO dialplane_retention;

GRANT SELECT(environment) ON TABLE public.reservations TO dialplane_retention;

GRANT UPDATE(status) ON TABLE public.reservations TO dialplane_organisation;
GRANT SELECT(status) ON TABLE public.reservations TO dialplane_system;

GRANT SELECT(expires_at) ON TABLE public.reservations TO dialplane_retention;

GRANT SELECT,INSERT ON TABLE public.restore_findings TO dialplane_system;

GRANT UPDATE(switches) ON TABLE public.restore_findings TO dialplane_system;

GRANT UPDATE(carrier) ON TABLE public.restore_findings TO dialplane_system;

GRANT UPDATE(finding_id) ON TABLE public.restore_findings TO dialplane_system;

GRANT UPDATE(state) ON TABLE public.restore_findings TO dialplane_system;

GRANT UPDATE(decided_at) ON TABLE public.restore_findings TO dialplane_system;

GRANT UPDATE(decided_by) ON TABLE public.restore_findings TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.restores TO dialplane_system;

GRANT UPDATE(compared_at) ON TABLE public.restores TO dialplane_system;

GRANT UPDATE(ended_at) ON TABLE public.restores TO dialplane_system;

GRANT UPDATE(ended_by) ON TABLE public.restores TO dialplane_system;

GRANT SELECT,INSERT,UPDATE ON TABLE public.root_keys TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.routing_destinations TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.routing_destinations TO dialplane_system;
GRANT SELECT ON TABLE public.routing_destinations TO dialplane_search;

GRANT UPDATE(destination) ON TABLE public.routing_destinations TO dialplane_organisation;
GRANT UPDATE(destination) ON TABLE public.routing_destinations TO dialplane_system;

GRANT SELECT ON TABLE public.routing_states TO dialplane_organisation;
GRANT SELECT ON TABLE public.routing_states TO dialplane_system;
GRANT SELECT ON TABLE public.routing_states TO dialplane_search;

GRANT SELECT,INSERT,DELETE ON TABLE public.sandbox_calls TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.sandbox_purchases TO dialplane_system;

GRANT UPDATE(bought_at) ON TABLE public.sandbox_purchases TO dialplane_system;

GRANT UPDATE(returned_at) ON TABLE public.sandbox_purchases TO dialplane_system;

GRANT UPDATE(returned_by) ON TABLE public.sandbox_purchases TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.sandbox_reservations TO dialplane_system;

GRANT UPDATE(reference) ON TABLE public.sandbox_reservations TO dialplane_system;

GRANT UPDATE(reserved_until) ON TABLE public.sandbox_reservations TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.sandbox_submissions TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.saved_state_items TO dialplane_switch;
GRANT SELECT ON TABLE public.saved_state_items TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.saved_states TO dialplane_switch;
GRANT SELECT ON TABLE public.saved_states TO dialplane_system;

GRANT UPDATE(saved_at) ON TABLE public.saved_states TO dialplane_switch;

GRANT UPDATE(items) ON TABLE public.saved_states TO dialplane_switch;

GRANT UPDATE(requested_at) ON TABLE public.saved_states TO dialplane_system;

GRANT UPDATE(uploaded_at) ON TABLE public.saved_states TO dialplane_switch;

GRANT UPDATE(compared_at) ON TABLE public.saved_states TO dialplane_system;

GRANT SELECT ON TABLE public.schema_functions TO dialplane_system;

GRANT SELECT ON TABLE public.schema_migrations TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.stock_reservations TO dialplane_system;

GRANT UPDATE(reference) ON TABLE public.stock_reservations TO dialplane_system;

GRANT UPDATE(reserved_until) ON TABLE public.stock_reservations TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.switch_groups TO dialplane_system;

GRANT SELECT(id) ON TABLE public.switch_groups TO dialplane_organisation;
GRANT SELECT(id) ON TABLE public.switch_groups TO dialplane_switch;
GRANT SELECT(id) ON TABLE public.switch_groups TO dialplane_search;

GRANT SELECT(name) ON TABLE public.switch_groups TO dialplane_organisation;
GRANT SELECT(name) ON TABLE public.switch_groups TO dialplane_switch;

GRANT SELECT(environment) ON TABLE public.switch_groups TO dialplane_organisation;
GRANT SELECT(environment) ON TABLE public.switch_groups TO dialplane_switch;
GRANT SELECT(environment) ON TABLE public.switch_groups TO dialplane_search;

GRANT SELECT,INSERT,UPDATE ON TABLE public.switch_trunk_reports TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.trunk_revisions TO dialplane_system;

GRANT UPDATE(sealed_passwords) ON TABLE public.trunk_revisions TO dialplane_system;

GRANT UPDATE(root_id) ON TABLE public.trunk_revisions TO dialplane_system;

GRANT SELECT,INSERT ON TABLE public.users TO dialplane_caller;
GRANT SELECT,INSERT ON TABLE public.users TO dialplane_system;

GRANT SELECT(id) ON TABLE public.users TO dialplane_organisation;

GRANT UPDATE(email) ON TABLE public.users TO dialplane_caller;
GRANT SELECT(email) ON TABLE public.users TO dialplane_organisation;

GRANT UPDATE(name) ON TABLE public.users TO dialplane_caller;
GRANT SELECT(name) ON TABLE public.users TO dialplane_organisation;

GRANT UPDATE(password_hash) ON TABLE public.users TO dialplane_caller;
GRANT UPDATE(password_hash) ON TABLE public.users TO dialplane_system;

GRANT UPDATE(is_operator) ON TABLE public.users TO dialplane_system;

GRANT SELECT(disabled_at) ON TABLE public.users TO dialplane_organisation;
GRANT UPDATE(disabled_at) ON TABLE public.users TO dialplane_system;

GRANT UPDATE(home_tag) ON TABLE public.users TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.views TO dialplane_organisation;

GRANT UPDATE(user_id) ON TABLE public.views TO dialplane_organisation;

GRANT UPDATE(name) ON TABLE public.views TO dialplane_organisation;

GRANT UPDATE(query) ON TABLE public.views TO dialplane_organisation;

GRANT UPDATE(slot) ON TABLE public.views TO dialplane_organisation;

GRANT UPDATE(updated_at) ON TABLE public.views TO dialplane_organisation;

GRANT SELECT ON TABLE public.webhook_deliveries TO dialplane_organisation;
GRANT SELECT,INSERT,DELETE ON TABLE public.webhook_deliveries TO dialplane_system;
GRANT DELETE ON TABLE public.webhook_deliveries TO dialplane_retention;

GRANT SELECT(endpoint_id) ON TABLE public.webhook_deliveries TO dialplane_retention;

GRANT SELECT(sequence) ON TABLE public.webhook_deliveries TO dialplane_retention;

GRANT UPDATE(status) ON TABLE public.webhook_deliveries TO dialplane_organisation;
GRANT UPDATE(status) ON TABLE public.webhook_deliveries TO dialplane_system;

GRANT UPDATE(attempts) ON TABLE public.webhook_deliveries TO dialplane_organisation;
GRANT UPDATE(attempts) ON TABLE public.webhook_deliveries TO dialplane_system;

GRANT UPDATE(next_attempt_at) ON TABLE public.webhook_deliveries TO dialplane_organisation;
GRANT UPDATE(next_attempt_at) ON TABLE public.webhook_deliveries TO dialplane_system;

GRANT UPDATE(answered) ON TABLE public.webhook_deliveries TO dialplane_system;

GRANT UPDATE(error) ON TABLE public.webhook_deliveries TO dialplane_system;

GRANT UPDATE(attempted_at) ON TABLE public.webhook_deliveries TO dialplane_system;

GRANT SELECT,INSERT,DELETE ON TABLE public.webhook_endpoints TO dialplane_organisation;
GRANT SELECT ON TABLE public.webhook_endpoints TO dialplane_system;

GRANT SELECT(id) ON TABLE public.webhook_endpoints TO dialplane_retention;

GRANT SELECT(organisation_id) ON TABLE public.webhook_endpoints TO dialplane_retention;

GRANT UPDATE(url) ON TABLE public.webhook_endpoints TO dialplane_organisation;

GRANT UPDATE(description) ON TABLE public.webhook_endpoints TO dialplane_organisation;

GRANT UPDATE(event_types) ON TABLE public.webhook_endpoints TO dialplane_organisation;

GRANT UPDATE(status) ON TABLE public.webhook_endpoints TO dialplane_organisation;
GRANT UPDATE(status) ON TABLE public.webhook_endpoints TO dialplane_system;

GRANT UPDATE(disabled_reason) ON TABLE public.webhook_endpoints TO dialplane_organisation;
GRANT UPDATE(disabled_reason) ON TABLE public.webhook_endpoints TO dialplane_system;

GRANT UPDATE(secret_version) ON TABLE public.webhook_endpoints TO dialplane_organisation;

GRANT UPDATE(previous_secrets_until) ON TABLE public.webhook_endpoints TO dialplane_organisation;

GRANT UPDATE("position") ON TABLE public.webhook_endpoints TO dialplane_system;

GRANT UPDATE(failing_since) ON TABLE public.webhook_endpoints TO dialplane_organisation;
GRANT UPDATE(failing_since) ON TABLE public.webhook_endpoints TO dialplane_system;

GRANT UPDATE(next_due_at) ON TABLE public.webhook_endpoints TO dialplane_organisation;
GRANT UPDATE(next_due_at) ON TABLE public.webhook_endpoints TO dialplane_system;

GRANT UPDATE(secret_roots) ON TABLE public.webhook_endpoints TO dialplane_organisation;

GRANT UPDATE(disabled_at) ON TABLE public.webhook_endpoints TO dialplane_organisation;
GRANT UPDATE(disabled_at) ON TABLE public.webhook_endpoints TO dialplane_system;
