import { type Static, Type } from "typebox";
import {
  DateTime,
  described,
  Id,
  Name,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { DOMAIN_PATTERN } from "./identity-providers.rules.ts";

const Issuer = Type.String({
  minLength: 1,
  maxLength: 500,
  examples: ["https://login.example.com"],
  description:
    "Issuer URL exactly as the provider publishes it in `.well-known/openid-configuration`. It must use https on port 443 and a public name or address.",
});
const ClientId = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: String.raw`^[\x21-\x7e]+$`,
  examples: ["dialplane"],
  description: "OAuth client ID registered at the provider.",
});
const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: String.raw`^[\x21-\x7e]+$`,
  format: "password",
  examples: ["what-the-provider-gave"],
  description: "OAuth client secret. It is stored encrypted and never shown.",
});
const Domain = Type.String({
  minLength: 3,
  maxLength: 253,
  pattern: DOMAIN_PATTERN,
  examples: ["example.com"],
});
const Domains = Type.Array(Domain, {
  maxItems: 20,
  uniqueItems: true,
  description:
    "Email domains whose users can sign in through this provider. Each domain takes effect when it is verified.",
});

export const CreateIdentityProvider = shape("CreateIdentityProvider", {
  name: described(Name, "Name of the identity provider."),
  issuer: Issuer,
  client_id: ClientId,
  client_secret: ClientSecret,
  domains: Domains,
});
export type CreateIdentityProvider = Static<typeof CreateIdentityProvider>;

export const ChangeIdentityProvider = shape("ChangeIdentityProvider", {
  name: Type.Optional(described(Name, "New name of the identity provider.")),
  client_secret: Type.Optional(ClientSecret),
  domains: Type.Optional(Domains),
});
export type ChangeIdentityProvider = Static<typeof ChangeIdentityProvider>;

export const ProveDomain = shape("ProveDomain", {
  domain: described(Domain, "Domain to verify. It must be one of the provider's domains."),
});

const IdentityProviderDomain = shape("IdentityProviderDomain", {
  domain: Type.String({ maxLength: 253, description: "Domain name." }),
  status: Type.Unsafe<"claimed" | "proved" | "lapsed">({
    ...openEnum(["claimed", "proved", "lapsed"]),
    description:
      "Verification status. `claimed`: not verified yet. `proved`: the domain is verified. `lapsed`: its TXT record has been missing for three days. Users of the domain can sign in only with `proved`.",
  }),
  record_name: Type.String({ maxLength: 300, description: "DNS name of the TXT record." }),
  record_value: Type.String({ maxLength: 200, description: "Value of the TXT record." }),
  proved_at: described(nullable(DateTime), "Time when the domain was last verified. `null` if never."),
  checked_at: nullable({
    ...DateTime,
    description:
      "Time of the last successful lookup of the TXT record, about once a day. `null` if there was none.",
  }),
  missing_since: nullable({
    ...DateTime,
    description:
      "Time when the TXT record was first found missing. `null` if it is present. Verification lapses after three days.",
  }),
  lapsed_at: nullable({
    ...DateTime,
    description: "Time when verification lapsed. `null` if it has not, or if the domain is verified again.",
  }),
});

export const IdentityProvider = shape("IdentityProvider", {
  id: described(Id, "ID of the identity provider."),
  name: Type.String({ maxLength: 200, description: "Name of the identity provider." }),
  issuer: Type.String({ maxLength: 500, description: "Issuer URL of the provider." }),
  client_id: Type.String({ maxLength: 500, description: "OAuth client ID registered at the provider." }),
  redirect_uri: Type.String({
    maxLength: 500,
    description: "Redirect URI to register at the provider.",
  }),
  domains: Type.Array(IdentityProviderDomain, {
    maxItems: 20,
    description: "Email domains of the provider and their verification status.",
  }),
  people: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    format: "int32",
    description: "Number of users who have signed in through the provider.",
  }),
  created_at: described(DateTime, "Time when the provider was added."),
});
export type IdentityProvider = Static<typeof IdentityProvider>;
export const IdentityProviderPage = pageShape("IdentityProviderPage", IdentityProvider);
export const IdentityProvidersQuery = Type.Object(PageQuery, { additionalProperties: false });
