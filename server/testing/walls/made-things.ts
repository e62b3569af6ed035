import { newId } from "../../src/platform/ids.ts";
import { seedNumbers } from "../../src/seed.ts";
import { restingNumber } from "../resting-number.ts";
import { bearer } from "../service.ts";
import { stockNumbers } from "../stock.ts";
import { type Holder, type Neighbours, tenantOf } from "./neighbours.ts";

/** Resources that fixtures name in paths and bodies, created over HTTP by the organisation's owner. */

let made = 0;

export function newConnection(): object {
  return { name: `Trunk ${++made}`, targets: [{ host: "pbx.example.com" }] };
}

export async function connectionOf(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  return { id: await idOfNew(neighbours, of, "/v1/connections", newConnection()) };
}

/** A number that can be reserved. */
export async function freeNumber({ service }: Neighbours, { environment }: Holder): Promise<object> {
  const count = ++made;
  if (environment === "test")
    return { numbers: [`+1${200 + Math.floor(count / 50)}55501${50 + (count % 50)}`] };
  const e164 = `+15005${550_000 + count}`;
  await stockNumbers(service.database, environment, [{ e164, country: "US" }]);
  return { numbers: [e164] };
}

export async function reservationOf(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  const body = await freeNumber(neighbours, of);
  return { id: await idOfNew(neighbours, of, "/v1/numbers/reservations", body) };
}

export async function orderOf(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  return { id: await idOfNew(neighbours, of, "/v1/numbers/orders", await freeNumber(neighbours, of)) };
}

/** A job that no worker continues. */
export async function jobOf(
  { service }: Neighbours,
  { organisationId, environment }: Holder,
): Promise<{ job_id: string }> {
  const id = newId();
  await service.database.admin(
    `insert into jobs (id, organisation_id, environment, type, total, request_id, created_at, next_check_at, queued_at)
     values ($1, $2, $3, 'number_order', 1, 'walls', now(), now() + interval '1 day', now())`,
    [id, organisationId, environment],
  );
  return { job_id: id };
}

export async function restingOf({ service }: Neighbours, of: Holder): Promise<{ id: string }> {
  return { id: await restingNumber(service, of, "2999-01-01T00:00:00Z") };
}

export function newWebhookEndpoint(): object {
  return { url: "https://hooks.example.com/events" };
}

/** As many as a run needs: more than one organisation may have. */
export async function webhookEndpointOf(
  { service }: Neighbours,
  { organisationId, environment }: Holder,
): Promise<{ id: string }> {
  const id = newId();
  await service.database.admin(
    `insert into webhook_endpoints (id, organisation_id, environment, url, position, created_at)
     values ($1, $2, $3, 'https://hooks.example.com/events', 0, now())`,
    [id, organisationId, environment],
  );
  return { id };
}

/** Each organisation's own: fixtures of one leave the other's alone. */
export function provedDomain(_: Neighbours, { organisationId }: Holder): string {
  return `${organisationId}.example.com`;
}

/** A domain is proved for one provider at a time: each time for another. */
export async function provedDomainOf(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  const id = newId();
  const { admin } = neighbours.service.database;
  const domain = provedDomain(neighbours, of);
  await admin("delete from identity_provider_domains where domain = $1", [domain]);
  // One statement: a provider without a domain would conflict with a concurrent creation.
  await admin(
    `with made as (${NEW_PROVIDER} returning organisation_id, id)
     insert into identity_provider_domains (organisation_id, provider_id, domain, created_at, proved_at)
     select organisation_id, id, $3, now(), now() from made`,
    [id, of.organisationId, domain],
  );
  return { id };
}

const NEW_PROVIDER = `insert into identity_providers (id, organisation_id, name, issuer, client_id, sealed_secret, created_at)
  values ($1, $2, 'Fixture', 'https://login.example.com', 'dialplane', repeat('x', 40)::bytea, now())`;

/** As many as a run needs, as with endpoints. */
export async function identityProviderOf(
  { service }: Neighbours,
  { organisationId }: Holder,
): Promise<{ id: string }> {
  const id = newId();
  await service.database.admin(NEW_PROVIDER, [id, organisationId]);
  return { id };
}

export async function newIdentityProvider(
  { service }: Neighbours,
  { organisationId }: Holder,
): Promise<object> {
  // There is an end to how many there may be.
  await service.database.admin(
    `delete from identity_providers p where p.organisation_id = $1
       and not exists (select from identity_provider_domains d where d.provider_id = p.id)`,
    [organisationId],
  );
  return {
    name: "Fixture",
    issuer: "https://login.example.com",
    client_id: "dialplane",
    client_secret: "fixture",
    domains: [],
  };
}

/** A carrier that takes no orders of other fixtures: these go to the pool, which needs a row from now on. */
export async function newCarrier({ service }: Pick<Neighbours, "service">): Promise<object> {
  await service.database.admin(
    `insert into carriers (id, name, kind, preference, inventory, created_at, updated_at)
     values ($1, 'pool', 'pool', 0, true, now(), now()) on conflict (name) do nothing`,
    [newId()],
  );
  await service.app.carriers.refresh();
  const credentials = { api_key: "KEY0198C5F27C1E7A33" };
  return { name: `carrier-${++made}`, kind: "telnyx", credentials, countries: ["AQ"], inventory: false };
}

export async function carrierOf(neighbours: Pick<Neighbours, "service">): Promise<{ id: string }> {
  await newCarrier(neighbours);
  const id = newId();
  await neighbours.service.database.admin(
    `insert into carriers (id, name, kind, countries, preference, inventory, state, created_at, updated_at)
     values ($1, $2, 'telnyx', '{AQ}', 900, false, 'draining', now(), now())`,
    [id, `carrier-${++made}`],
  );
  return { id };
}

/** It has no trunks, and needs no company for saying so. */
export async function poolCarrierOf(neighbours: Pick<Neighbours, "service">): Promise<{ id: string }> {
  await newCarrier(neighbours);
  const [row] = await neighbours.service.database.admin<{ id: string }>(
    "select id from carriers where name = 'pool'",
  );
  return row!;
}

export async function reconciliationOf({ service }: Pick<Neighbours, "service">): Promise<{ id: string }> {
  const id = newId();
  await service.database.admin(
    "insert into reconciliations (id, carrier, started_at) values ($1, 'pool', now())",
    [id],
  );
  return { id };
}

export async function findingOf(neighbours: Neighbours): Promise<{ id: string }> {
  const { id } = await reconciliationOf(neighbours);
  await neighbours.service.database.admin(
    "insert into reconciliation_findings (id, reconciliation_id, kind, e164) values ($1, $1, 'not_here', '+442079460001')",
    [id],
  );
  return { id };
}

/** A finding about a number that the pool has sold and that has no holder. */
export async function soldFindingOf(
  neighbours: Pick<Neighbours, "service">,
  { organisationId }: Pick<Holder, "organisationId">,
): Promise<{ id: string }> {
  const { database } = neighbours.service;
  const { id } = await reconciliationOf(neighbours);
  const e164 = `+44207946${String(++sold).padStart(4, "0")}`;
  await stockNumbers(database, "live", [{ e164 }]);
  await database.admin(
    `insert into pool_purchases (reference, e164, number_id, sold_to, asked_at)
     select $1, e164, id, $3, now() from numbers where environment = 'live' and e164 = $2`,
    [id, e164, organisationId],
  );
  await database.admin(
    "insert into reconciliation_findings (id, reconciliation_id, kind, e164) values ($1, $1, 'not_here', $2)",
    [id, e164],
  );
  return { id };
}
let sold = 5_000;

async function idOfNew(
  neighbours: Neighbours,
  { organisationId, environment }: Holder,
  path: string,
  body: object,
): Promise<string> {
  const { owner } = tenantOf(neighbours, organisationId);
  const side = { "x-service-environment": environment, "idempotency-key": newId() };
  const headers = { ...bearer(owner.token), ...side };
  const answer = await neighbours.service.send("POST", path, { headers, body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return (answer.body as { id: string }).id;
}

export async function numberOf(
  { service }: Neighbours,
  { organisationId, environment }: Holder,
): Promise<{ id: string }> {
  const [number] = await seedNumbers(service.app, organisationId, environment, 1);
  return { id: number!.id };
}

export async function idsOf(neighbours: Neighbours, of: Holder): Promise<string> {
  return `ids=${(await numberOf(neighbours, of)).id}`;
}
