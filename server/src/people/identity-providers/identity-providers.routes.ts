import type { App } from "../../app.ts";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById } from "../../platform/http/shapes.ts";
import {
  ChangeIdentityProvider,
  CreateIdentityProvider,
  IdentityProvider,
  IdentityProviderPage,
  IdentityProvidersQuery,
  ProveDomain,
} from "./identity-providers.schema.ts";
import {
  changeIdentityProvider,
  createIdentityProvider,
  deleteIdentityProvider,
  getIdentityProvider,
  listIdentityProviders,
  proofOf,
  proveDomain,
  type ProviderWithDomains,
  REDIRECT_PATH,
} from "./identity-providers.ts";

const PATH = "/v1/identity-providers";
const OF_OWNERS = {
  tag: "Single sign-on",
  access: { callers: "organisation", sessions: { roles: ["owner"] }, keys: "none" },
  idempotency: "none",
} as const;
/** It decides who gets in. */
const BY_OWNERS = {
  ...OF_OWNERS,
  access: { ...OF_OWNERS.access, sessions: { roles: ["owner"], browser: true, recent: true } },
} as const;
const OF_PROVIDER = { params: ById, notFound: "identity_provider_not_found" } as const;

const listIdentityProvidersOperation = operation({
  ...OF_OWNERS,
  id: "listIdentityProviders",
  method: "GET",
  path: PATH,
  summary: "List identity providers",
  description: "Lists the identity providers of the organisation.",
  query: IdentityProvidersQuery,
  answers: { 200: IdentityProviderPage },
  async run(app, { actor, query }) {
    return pageOf(app, { path: PATH, of: actor }, query, {
      rows: (page) => listIdentityProviders(app, actor, page),
      item: (row) => shownProvider(app, row),
      position: (row) => row.id,
    });
  },
});

const createIdentityProviderOperation = operation({
  ...BY_OWNERS,
  id: "createIdentityProvider",
  method: "POST",
  path: PATH,
  summary: "Create an identity provider",
  description:
    "Any OpenID Connect provider works. Users can sign in through it if their email address belongs to a domain that the organisation has verified.",
  body: CreateIdentityProvider,
  answers: { 201: IdentityProvider },
  errors: ["destination_not_allowed", "identity_provider_limit_reached"],
  async change(tx, { actor, body }, app) {
    const row = await createIdentityProvider(tx, app, actor, body);
    return {
      status: 201,
      body: shownProvider(app, row),
      headers: { location: `${app.config.baseUrl}${PATH}/${row.id}` },
    };
  },
});

const getIdentityProviderOperation = operation({
  ...OF_OWNERS,
  ...OF_PROVIDER,
  id: "getIdentityProvider",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Get an identity provider",
  description: "Includes its domains and the TXT records that verify them.",
  answers: { 200: IdentityProvider },
  async run(app, { actor, params }) {
    return { status: 200, body: shownProvider(app, await getIdentityProvider(app, actor, params.id)) };
  },
});

const changeIdentityProviderOperation = operation({
  ...BY_OWNERS,
  ...OF_PROVIDER,
  id: "changeIdentityProvider",
  method: "PATCH",
  path: `${PATH}/{id}`,
  summary: "Update an identity provider",
  description:
    "Changes the name, client secret or domains. `domains` replaces the whole list, and domains that stay keep their verification. To use another issuer or client, create another provider.",
  body: ChangeIdentityProvider,
  answers: { 200: IdentityProvider },
  errors: ["single_sign_on_in_use"],
  async change(tx, { actor, params, body }, app) {
    const row = await changeIdentityProvider(tx, app, actor, { id: params.id, ...body });
    return { status: 200, body: shownProvider(app, row) };
  },
});

const deleteIdentityProviderOperation = operation({
  ...BY_OWNERS,
  ...OF_PROVIDER,
  id: "deleteIdentityProvider",
  method: "DELETE",
  path: `${PATH}/{id}`,
  summary: "Delete an identity provider",
  description: "Users keep their accounts and current sessions. They must sign in another way next time.",
  answers: { 204: null },
  errors: ["single_sign_on_in_use"],
  async change(tx, { actor, params }, app) {
    await deleteIdentityProvider(tx, app, actor, params.id);
    return { status: 204 };
  },
});

const proveDomainOperation = operation({
  ...BY_OWNERS,
  ...OF_PROVIDER,
  id: "proveDomain",
  method: "POST",
  path: `${PATH}/{id}/domain-proofs`,
  summary: "Verify a domain",
  description:
    "Looks up the TXT record of the domain. Only one organisation at a time can verify a domain. The record is checked daily, so leave it in place or verification lapses.",
  body: ProveDomain,
  answers: { 200: IdentityProvider },
  errors: ["domain_not_proved", "domain_taken"],
  async run(app, { actor, params, body }) {
    const row = await proveDomain(app, actor, { id: params.id, domain: body.domain });
    return { status: 200, body: shownProvider(app, row) };
  },
});

function shownProvider(app: App, row: ProviderWithDomains): IdentityProvider {
  return {
    id: row.id,
    name: row.name,
    issuer: row.issuer,
    client_id: row.client_id,
    redirect_uri: app.config.baseUrl + REDIRECT_PATH,
    domains: row.domains.map(({ domain, proved_at, checked_at, missing_since, lapsed_at }) => {
      const record = proofOf(app, { organisationId: row.organisation_id, providerId: row.id }, domain);
      return {
        domain,
        status: proved_at ? ("proved" as const) : lapsed_at ? ("lapsed" as const) : ("claimed" as const),
        record_name: record.name,
        record_value: record.value,
        proved_at: proved_at?.toISOString() ?? null,
        checked_at: checked_at?.toISOString() ?? null,
        missing_since: missing_since?.toISOString() ?? null,
        lapsed_at: lapsed_at?.toISOString() ?? null,
      };
    }),
    people: row.people,
    created_at: row.created_at.toISOString(),
  };
}

export const identityProvidersOperations = [
  listIdentityProvidersOperation,
  createIdentityProviderOperation,
  getIdentityProviderOperation,
  changeIdentityProviderOperation,
  deleteIdentityProviderOperation,
  proveDomainOperation,
];
