import type { App } from "../../app.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import { checkTargetUrl } from "../../platform/egress.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { seal } from "../../platform/sealed-secrets.ts";
import { FIRST_FLEET_ROOT, macOf } from "../../platform/secrets.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { type Change, lockChanges, recordChange } from "../../events/events/events.ts";
import {
  askProvider,
  providerAddress,
  ProviderFault,
  REDIRECT_PATH,
  type Trip,
} from "./identity-providers.openid.ts";
import { personOf } from "./identity-providers.people.ts";
import { listTroubledDomains } from "./identity-providers.recheck.store.ts";
import { domainOf, RECORD_LABEL, RECORD_PREFIX, SECRET_PURPOSE } from "./identity-providers.rules.ts";
import type { ChangeIdentityProvider, CreateIdentityProvider } from "./identity-providers.schema.ts";
import {
  countProviders,
  deleteProvider,
  findProvider,
  findProviderOfDomain,
  findSealedProvider,
  hasUsedProvider,
  insertProvider,
  listProvidersAfter,
  listProvidersWithProof,
  lockProvider,
  type ProviderWithDomains,
  type SealedProviderRow,
  setDomainProved,
  setDomains,
  setProviderName,
  setSealedSecret,
} from "./identity-providers.store.ts";

export { askProvider, domainOf, personOf, providerAddress, ProviderFault, REDIRECT_PATH, type Trip };
export { listTroubledDomains };
export { findProviderOfDomain, findSealedProvider, hasUsedProvider };
export type { ProviderWithDomains, SealedProviderRow };

type Needs = Pick<App, "clock" | "config" | "secrets">;

/** Most organisations have one, a merged one has a few. */
const MOST_PROVIDERS = 10;

export async function createIdentityProvider(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  { domains, client_secret, ...wanted }: CreateIdentityProvider,
): Promise<ProviderWithDomains> {
  rejectIssuer(app, wanted.issuer);
  // Counted behind it, or two at once would both be the last.
  await lockChanges(tx, [tx.organisationId]);
  if ((await countProviders(tx)) >= MOST_PROVIDERS)
    throw new ApiError("identity_provider_limit_reached", `There are already ${MOST_PROVIDERS} providers.`);
  const id = newId();
  const created_at = app.clock.now();
  await insertProvider(tx, { ...wanted, id, ...sealedSecret(app, id, client_secret), created_at });
  await setDomains(tx, id, domains, created_at);
  await record(tx, app, actor, {
    type: "identity_provider.created",
    id,
    data: { issuer: wanted.issuer, client_id: wanted.client_id, domains },
  });
  return (await findProvider(tx, id))!;
}

function sealedSecret(
  { secrets }: Pick<App, "secrets">,
  id: string,
  clientSecret: string,
): { root_id: number; sealed_secret: Buffer } {
  const { key, rootId } = secrets.current(SECRET_PURPOSE);
  return { root_id: rootId, sealed_secret: seal(key, id, clientSecret) };
}

/** Not issuer or client: subjects would mean other people afterwards. */
export async function changeIdentityProvider(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  { id, name, client_secret, domains }: ChangeIdentityProvider & { id: string },
): Promise<ProviderWithDomains> {
  await locked(tx, id);
  const before = settingsOf((await findProvider(tx, id))!);
  if (name !== undefined) await setProviderName(tx, id, name);
  if (client_secret !== undefined) await setSealedSecret(tx, { id, ...sealedSecret(app, id, client_secret) });
  if (domains !== undefined) await setDomains(tx, id, domains, app.clock.now()).catch(rejectLastProof);
  await record(tx, app, actor, {
    type: "identity_provider.changed",
    id,
    data: {
      ...(name !== undefined && { name }),
      ...(domains !== undefined && { domains }),
      ...(client_secret !== undefined && { has_new_secret: true }),
    },
    before,
    after: settingsOf((await findProvider(tx, id))!),
  });
  return (await findProvider(tx, id))!;
}

/**
 * Users who signed in through it keep session, account and membership. They must use another sign-in method.
 */
export async function deleteIdentityProvider(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
  id: string,
): Promise<void> {
  await locked(tx, id);
  const before = settingsOf((await findProvider(tx, id))!);
  await deleteProvider(tx, id).catch(rejectLastProof);
  await record(tx, app, actor, { type: "identity_provider.deleted", id, before });
}

export async function getIdentityProvider(
  { db }: Pick<App, "db">,
  actor: Actor,
  id: string,
): Promise<ProviderWithDomains> {
  return (await db.forOrganisation(actor, (tx) => findProvider(tx, id))) ?? noSuchProvider();
}

export async function listIdentityProviders(
  { db }: Pick<App, "db">,
  actor: Actor,
  page: Page,
): Promise<ProviderWithDomains[]> {
  return db.forOrganisation(actor, (tx) => listProvidersAfter(tx, page.after, page.limit));
}

/** Through which members of the organisation can sign in at the moment. */
export async function listWorkingProviders(
  { db }: Pick<App, "db">,
  organisationId: string,
): Promise<{ id: string; name: string }[]> {
  return db.forSystem("sign-ins", (tx) => listProvidersWithProof(tx, organisationId));
}

/** Provider and organisation of a domain. */
interface ProofOwner {
  organisationId: string;
  providerId: string;
}

/**
 * TXT record that verifies a domain for a provider. It names the provider, so that the record of an earlier
 * one cannot verify another. It is public, so its root key never has to change.
 */
export function proofOf(
  app: Pick<App, "secrets">,
  { organisationId, providerId }: ProofOwner,
  domain: string,
): { name: string; value: string } {
  return {
    name: `${RECORD_LABEL}.${domain}`,
    value: recordValue(app, `${organisationId}/${providerId}/${domain}`),
  };
}

/** Whether a domain that is proved still has its record. Records from before this version do not name the provider. */
export function isProofIn(
  app: Pick<App, "secrets">,
  owner: ProofOwner,
  domain: string,
  texts: readonly string[],
): boolean {
  const earlier = recordValue(app, `${owner.organisationId}/${domain}`);
  return texts.includes(proofOf(app, owner, domain).value) || texts.includes(earlier);
}

function recordValue({ secrets }: Pick<App, "secrets">, text: string): string {
  return RECORD_PREFIX + macOf(secrets.of("domain-proof", FIRST_FLEET_ROOT), text).toString("base64url");
}

/** Looks for the record, while no transaction waits for it. The worker looks again every day. */
export async function proveDomain(
  app: Needs & Pick<App, "db" | "names">,
  actor: Actor,
  { id, domain }: { id: string; domain: string },
): Promise<ProviderWithDomains> {
  const provider = await getIdentityProvider(app, actor, id);
  const claim = provider.domains.find((one) => one.domain === domain);
  if (!claim)
    throw new ApiError("invalid_request", `${domain} is not a domain of this provider. Add it first.`, {
      errors: [{ pointer: "#/domain", code: "unknown", detail: "Not among the provider's domains." }],
    });
  if (claim.proved_at && !claim.missing_since) return provider;
  const proof = proofOf(app, { organisationId: actor.organisationId, providerId: id }, domain);
  if (!(await app.names.textsOf(proof.name))?.includes(proof.value))
    throw new ApiError(
      "domain_not_proved",
      `There is no TXT record at ${proof.name} that says ${proof.value}. DNS propagation can take some minutes.`,
    );
  const proved = app.db.forOrganisation(actor, async (tx) => {
    await locked(tx, id);
    if (!(await setDomainProved(tx, { id, domain }, app.clock.now()))) noSuchProvider();
    await record(tx, app, actor, { type: "identity_provider.domain_proved", id, data: { domain } });
    return (await findProvider(tx, id))!;
  });
  return proved.catch((error: unknown) => {
    if (violatedConstraint(error) !== "identity_provider_domains_proved") throw error;
    throw new ApiError("domain_taken", `${domain} is verified by another provider. Remove it there first.`);
  });
}

function rejectIssuer({ config }: Needs, issuer: string): void {
  const fault = /\?|\/\.well-known\//.test(issuer)
    ? "The issuer must be a URL without a query and without /.well-known/."
    : checkTargetUrl(config.egress, issuer);
  if (fault !== undefined)
    throw new ApiError("destination_not_allowed", fault, {
      errors: [{ pointer: "#/issuer", code: "not_allowed", detail: fault }],
    });
}

async function locked(tx: OrganisationTx, id: string): Promise<void> {
  if (!(await lockProvider(tx, id))) noSuchProvider();
}

/** Recorded for both environments: users sign in to an organisation, not to an environment. */
async function record(
  tx: OrganisationTx,
  { clock }: Needs,
  actor: Actor,
  { type, id, ...change }: Pick<Change, "type" | "data" | "before" | "after"> & { id: string },
): Promise<void> {
  await recordChange(tx, authorOf(actor.caller, actor.origin), clock.now(), {
    type,
    organisationId: tx.organisationId,
    subject: id,
    ...change,
  });
}

function settingsOf({ name, domains }: ProviderWithDomains): Record<string, unknown> {
  return { name, domains: domains.map(({ domain }) => domain) };
}

function rejectLastProof(error: unknown): never {
  if (violatedConstraint(error) !== "organisations_single_sign_on") throw error;
  throw new ApiError(
    "single_sign_on_in_use",
    "The organisation requires single sign-on, and this is its last verified domain. Turn off that rule first.",
  );
}

function noSuchProvider(): never {
  throw notFound("identity_provider_not_found");
}
