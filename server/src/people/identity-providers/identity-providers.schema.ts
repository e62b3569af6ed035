import { type Static, Type } from "typebox";
import {
  DateTime,
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
    "As the provider writes it: below it lies .well-known/openid-configuration. https, port 443, a public name or address.",
});
const ClientId = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: String.raw`^[\x21-\x7e]+$`,
  examples: ["dialplane"],
});
const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: String.raw`^[\x21-\x7e]+$`,
  format: "password",
  examples: ["what-the-provider-gave"],
  description: "What the provider gave for this client. It is kept sealed and never shown.",
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
    "Domains of the e-mail addresses that this provider speaks for. Each counts once it is proved.",
});

export const CreateIdentityProvider = shape("CreateIdentityProvider", {
  name: Name,
  issuer: Issuer,
  client_id: ClientId,
  client_secret: ClientSecret,
  domains: Domains,
});
export type CreateIdentityProvider = Static<typeof CreateIdentityProvider>;

export const ChangeIdentityProvider = shape("ChangeIdentityProvider", {
  name: Type.Optional(Name),
  client_secret: Type.Optional(ClientSecret),
  domains: Type.Optional(Domains),
});
export type ChangeIdentityProvider = Static<typeof ChangeIdentityProvider>;

export const ProveDomain = shape("ProveDomain", { domain: Domain });

const IdentityProviderDomain = shape("IdentityProviderDomain", {
  domain: Type.String({ maxLength: 253 }),
  status: Type.Unsafe<"claimed" | "proved" | "lapsed">({
    ...openEnum(["claimed", "proved", "lapsed"]),
    description:
      "`claimed`: not verified yet. `proved`: the domain is verified. `lapsed`: it was verified, and its TXT record has been missing for three days. Only with `proved` can people of the domain sign in through the provider.",
  }),
  record_name: Type.String({ maxLength: 300, description: "Where the TXT record belongs." }),
  record_value: Type.String({ maxLength: 200, description: "What it has to say." }),
  proved_at: nullable(DateTime),
  checked_at: nullable({
    ...DateTime,
    description: "When the TXT record was last looked up with a result. It is looked up about once a day.",
  }),
  missing_since: nullable({
    ...DateTime,
    description:
      "When the TXT record was first found missing. Null if it is there. The proof lapses after three days.",
  }),
  lapsed_at: nullable({
    ...DateTime,
    description: "When the proof lapsed. Null if it has not, or if the domain has been verified again.",
  }),
});

export const IdentityProvider = shape("IdentityProvider", {
  id: Id,
  name: Type.String({ maxLength: 200 }),
  issuer: Type.String({ maxLength: 500 }),
  client_id: Type.String({ maxLength: 500 }),
  redirect_uri: Type.String({
    maxLength: 500,
    description: "What the provider has to allow for this client.",
  }),
  domains: Type.Array(IdentityProviderDomain, { maxItems: 20 }),
  people: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    format: "int32",
    description: "How many have signed in through it.",
  }),
  created_at: DateTime,
});
export type IdentityProvider = Static<typeof IdentityProvider>;
export const IdentityProviderPage = pageShape("IdentityProviderPage", IdentityProvider);
export const IdentityProvidersQuery = Type.Object(PageQuery, { additionalProperties: false });
