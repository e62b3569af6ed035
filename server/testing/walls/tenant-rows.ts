import type { Environment } from "../../src/platform/db/database.ts";
import { newId } from "../../src/platform/ids.ts";
import { type SeededNumber, seedNumbers } from "../../src/seed.ts";
import type { Service } from "../service.ts";
import { restingNumber } from "../resting-number.ts";
import { waitingOrderOf } from "./waiting-order.ts";
import { addOldRows } from "./old-rows.ts";
import { makeSwitch } from "./switch-callers.ts";

interface Owned {
  organisationId: string;
  environment: Environment;
  userId: string;
}

/** One row at least in every table of numbers and of what hangs on them, as the features would leave them. */
export async function fillWithNumbers(service: Service, owned: Owned): Promise<void> {
  const { organisationId, environment } = owned;
  const [number] = await seedNumbers(service.app, organisationId, environment, 1);
  await placeConnection(service, owned, number!.id);
  const { id: switchId } = await makeSwitch(service, { environment });
  const { admin } = service.database;
  await admin(`update holdings set tags = '{main}', metadata = '{"site": "main"}' where id = $1`, [
    number!.id,
  ]);
  await admin(
    `insert into deliveries (holding_id, organisation_id, environment, status, reason, updated_at)
     values ($1, $2, $3, 'unsupported', 'no_trunk', now())`,
    [number!.id, organisationId, environment],
  );
  await admin(
    `insert into routing_destinations (holding_id, organisation_id, environment, destination)
     values ($1, $2, $3, 'sip:desk@pbx.example.com')`,
    [number!.id, organisationId, environment],
  );
  await admin(
    `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
     select $1, holding_id, shard, 'route', organisation_id, environment, version, 'failed', 'it refused', now(), now()
     from routings where holding_id = $2`,
    [switchId, number!.id],
  );
  await admin(
    `insert into drift_episodes (id, switch_id, item_id, shard, kind, organisation_id, environment, error, first_at, last_at)
     select gen_random_uuid(), $1, holding_id, shard, 'route', organisation_id, environment, 'it held something else', now(), now()
     from routings where holding_id = $2`,
    [switchId, number!.id],
  );
  await addOldRows(service, owned);
  await recordReadings(service, switchId, number!.id);
  await admin(
    `insert into target_health (switch_id, connection_id, host, port, transport, organisation_id, environment, state, addresses, since)
     select $1, connection_id, host, port, transport, organisation_id, environment, 'up', '[]', now()
     from connection_targets where organisation_id = $2 and environment = $3`,
    [switchId, organisationId, environment],
  );
  await admin(
    `insert into reservations (id, organisation_id, environment, status, carrier, numbers, created_by, created_at, expires_at)
     values ($1, $2, $3, 'active', 'walls', '{+442079460000}', $4, now(), now() + interval '1 hour')`,
    [newId(), organisationId, environment, owned.userId],
  );
  await admin(
    `insert into jobs (id, organisation_id, environment, type, total, number_id, request_id, created_at, next_check_at, queued_at)
     values ($1, $2, $3, 'number_release', 1, $4, 'walls', now(), now() + interval '1 day', now())`,
    [newId(), organisationId, environment, number!.id],
  );
  await orderNumber(service, owned, number!);
  await storeEvidence(service, owned);
  await restingNumber(service, owned, null);
  for (const fill of [deliverEvent, rotateSecret, limitForwarding, saveView, knowIdentity])
    await fill(service, owned);
  for (const fill of [planBulkChange, notifyOfProblem, placeProbe]) await fill(service, owned, number!);
  await recordCall(service, owned, number!, switchId);
}

/** A route that a switch read back, and one that it rejected. */
async function recordReadings({ database: { admin } }: Service, switchId: string, id: string): Promise<void> {
  await admin(
    `insert into applied_routes (holding_id, at, switch_id, version, generation, mode, published_at, organisation_id, environment)
     select holding_id, now(), $1, version, generation, mode, set_at, organisation_id, environment
     from routings where holding_id = $2`,
    [switchId, id],
  );
  await admin(
    `insert into failed_routes (id, switch_id, holding_id, shard, version, generation, error, first_at, organisation_id, environment)
     select gen_random_uuid(), $1, holding_id, shard, version, generation, 'it refused', now(), organisation_id, environment
     from routings where holding_id = $2`,
    [switchId, id],
  );
}

async function recordCall(
  { database }: Service,
  of: Owned,
  number: SeededNumber,
  switchId: string,
): Promise<void> {
  const call = [newId(), switchId, of.organisationId, of.environment, number.id];
  await database.admin(
    `insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, ending, result, received_at)
     values ($1, $2, now(), $3, $4, $5, 'hung_up', 'answered', now())`,
    call,
  );
  await database.admin(
    `insert into call_parties (id, switch_id, started_at, organisation_id, environment, holding_id, caller)
     values ($1, $2, now(), $3, $4, $5, '+15550009999')`,
    call,
  );
  await database.admin(
    `insert into live_calls (switch_id, organisation_id, environment, holding_id, active_calls, observed_at)
     values ($1, $2, $3, $4, 1, now())`,
    call.slice(1),
  );
  await database.admin(
    `insert into open_calls (switch_id, organisation_id, environment, holding_id, oldest_began_at)
     values ($1, $2, $3, $4, now())`,
    call.slice(1),
  );
}

/** In one statement: a worker that sees the endpoint alone would insert the delivery at the same time. */
async function deliverEvent({ database }: Service, of: Owned): Promise<void> {
  await database.admin(
    `with endpoint as (
       insert into webhook_endpoints (organisation_id, environment, id, url, position, created_at)
       values ($1, $2, $3, 'https://hooks.example.com/', 0, now()) returning organisation_id, environment, id)
     insert into webhook_deliveries (organisation_id, environment, endpoint_id, id, sequence, event_id, event_type, status, created_at)
     select organisation_id, environment, id, id, 1, id, 'number.added', 'delivered', now() from endpoint`,
    [of.organisationId, of.environment, newId()],
  );
}

async function rotateSecret({ database }: Service, of: Owned): Promise<void> {
  await database.admin(
    `insert into routing_webhook_secrets (organisation_id, environment, secret_version, previous_secrets_until)
     values ($1, $2, 2, '{}')`,
    [of.organisationId, of.environment],
  );
}

async function limitForwarding({ database }: Service, of: Owned): Promise<void> {
  if (of.environment !== "live") return;
  await database.admin(
    `insert into forwarding_policies (organisation_id, generation, calls_at_once, caller, identity, updated_at)
     values ($1, 1, 10, 'pass', 'keep', now())`,
    [of.organisationId],
  );
  await database.admin(
    `insert into forwarding_allowances (switch_id, organisation_id, version, generation, is_held, use_day, use_calls,
       use_seconds, use_at_once, changed, divided, divided_day)
     select s.id, $1, (select count(*) from forwarding_allowances), 1, true, 0, 0, 0, 0, 0, 0, 0 from switches s limit 1`,
    [of.organisationId],
  );
}

async function saveView({ database }: Service, of: Owned): Promise<void> {
  await database.admin(
    `insert into views (organisation_id, environment, id, page, name, query, slot, created_at, updated_at)
     values ($1, $2, $3, 'numbers', 'Seeded', '', 100, now(), now())`,
    [of.organisationId, of.environment, newId()],
  );
}

/** Not due in the time of a test, so that no worker looks for problems. */
async function notifyOfProblem({ database }: Service, of: Owned, number: SeededNumber): Promise<void> {
  const scope = [of.organisationId, of.environment];
  await database.admin(
    `insert into notification_rules (organisation_id, environment, rules, next_sweep_at)
     values ($1, $2, '{"order_failed": {"webhook": true, "user_ids": []}}', now() + interval '1 day')`,
    scope,
  );
  await database.admin(
    `insert into problems (organisation_id, environment, id, kind, subject, since, last_seen_at)
     values ($1, $2, $3, 'number_failing', $4, now(), now())`,
    [...scope, newId(), number.id],
  );
}

async function knowIdentity({ database }: Service, of: Owned): Promise<void> {
  const id = newId();
  await database.admin(
    `insert into identity_providers (organisation_id, id, name, issuer, client_id, sealed_secret, created_at)
     values ($1, $2, 'Company', 'https://login.example.com', 'dialplane', repeat('x', 40)::bytea, now())`,
    [of.organisationId, id],
  );
  await database.admin(
    `insert into identity_provider_domains (organisation_id, provider_id, domain, created_at)
     values ($1, $2, 'example.com', now())`,
    [of.organisationId, id],
  );
  await database.admin(
    `insert into identities (organisation_id, provider_id, subject, user_id, created_at)
     values ($1, $2, 'somebody', $3, now())`,
    [of.organisationId, id, of.userId],
  );
}

async function orderNumber({ database }: Service, of: Owned, number: SeededNumber): Promise<void> {
  const scope = [of.organisationId, of.environment, newId()];
  await database.admin(
    `insert into orders (organisation_id, environment, id, job_id, status, carrier, idempotency_key, quantity, all_or_nothing, tags,
       created_by_kind, created_at, finished_at)
     values ($1, $2, $3, $3, 'failed', 'walls', $3::uuid::text, 1, false, '{}', 'session', now(), now())`,
    scope,
  );
  await database.admin(
    `insert into order_items (organisation_id, environment, order_id, position, e164, step, error_code, error_detail)
     values ($1, $2, $3, 1, $4, 'refused', 'number_not_available', 'The number is not available.')`,
    [...scope, number.e164],
  );
}

/** Triggers count the address and the document. */
async function storeEvidence(service: Service, of: Owned): Promise<void> {
  await waitingOrderOf(service, of);
  const row = [of.organisationId, of.environment, newId()];
  await service.database.admin(
    `insert into addresses (organisation_id, environment, id, name, street, city, postal_code, country, created_at)
     values ($1, $2, $3, 'Northwind', 'Torstraße 12', 'Berlin', '10119', 'DE', now())`,
    row,
  );
  await service.database.admin(
    `insert into documents (organisation_id, environment, id, kind, file_name, media_type, size, sealed_content,
       sealed_key, root_id, created_at)
     select $1, $2, $3, 'identity', 'passport.pdf', 'application/pdf', 12, repeat('x', 40)::bytea,
       repeat('x', 72)::bytea, min(id), now() from root_keys`,
    row,
  );
}

async function planBulkChange({ database }: Service, of: Owned, number: SeededNumber): Promise<void> {
  const scope = [of.organisationId, of.environment, newId()];
  await database.admin(
    `insert into bulk_changes (organisation_id, environment, id, change, total, created_by_kind, created_at, expires_at)
     values ($1, $2, $3, '{"tags":{"add":["main"],"remove":[]}}', 1, 'session', now(), now() + interval '1 day')`,
    scope,
  );
  await database.admin(
    `insert into bulk_change_items (organisation_id, environment, bulk_change_id, number_id, e164, shard, from_mode, from_generation, from_tags, from_release_lock)
     values ($1, $2, $3, $4, $5, 0, 'unrouted', 1, '{}', false)`,
    [...scope, number.id, number.e164],
  );
}

/** Runs as the organisation's role, so that the feed reaches the switches. */
async function placeConnection(
  { app }: Service,
  { organisationId, environment }: Owned,
  numberId: string,
): Promise<void> {
  const connectionId = newId();
  const scope = [organisationId, environment, connectionId];
  await app.db.forOrganisation({ organisationId, environment }, async (tx) => {
    await tx.query(
      `insert into connections (organisation_id, environment, id, name, created_at, updated_at)
       values ($1, $2, $3, 'Main office', now(), now())`,
      scope,
    );
    await tx.query(
      `insert into connection_targets (organisation_id, environment, connection_id, position, host, port, transport, priority, weight)
       values ($1, $2, $3, 1, 'sip.example.com', 5061, 'tls', 1, 1)`,
      scope,
    );
    // As routing does for a number that is about to use it.
    await tx.query("select place_connection($1, group_id, now()) from routings where holding_id = $2", [
      connectionId,
      numberId,
    ]);
  });
}

async function placeProbe(
  { database: { admin } }: Service,
  { organisationId, environment, userId }: Owned,
  { id }: SeededNumber,
): Promise<void> {
  await admin("insert into probe_policies values ($1, 1000, now()) on conflict do nothing", [organisationId]);
  await admin(
    `insert into probes (id, organisation_id, environment, holding_id, e164, group_id, via, token, status, created_at,
       ends_by, ended_at, links, summary)
     select $1, r.organisation_id, r.environment, r.holding_id, r.e164, r.group_id, 'switch', 'token-of-the-walls-tests',
       'failed', now(), now() + interval '1 minute', now(), '[]', 'Walls.'
     from routings r where r.holding_id = $2`,
    [newId(), id],
  );
  await admin(
    `insert into probe_schedules (id, organisation_id, environment, tag, via, every_hours, created_by, created_at,
       updated_at, round_at)
     values ($1, $2, $3, 'main', 'switch', 24, $4, now(), now(), now() + interval '1 day')`,
    [newId(), organisationId, environment, userId],
  );
}
