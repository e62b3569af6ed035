import { is, kind, none, to } from "./didww-kind.ts";
import { COUNTRY, GROUP_TYPE } from "./didww-place-kinds.ts";
import type {
  Address,
  EncryptedFile,
  Identity,
  PermanentDocument,
  Proof,
  ProofType,
  Requirement,
  Template,
  Verification,
} from "./didww-records.ts";

const MOST_ON_A_PAGE = 100;

export const PROOF_TYPE = kind<ProofType>("proof_types", {
  attributes: ({ name, entityType }) => ({ name, entity_type: entityType }),
  filters: { entity_type: is(({ entityType }) => entityType) },
  isPaged: false,
});

export const TEMPLATE = kind<Template>("supporting_document_templates", {
  attributes: ({ id, name, permanent }) => ({
    name,
    permanent,
    url: `https://sandbox-api.didww.com/storage/public/${id}`,
  }),
  filters: { name: is(({ name }) => name), permanent: is(({ permanent }) => permanent) },
  sorts: ["name", "permanent"],
  mostOnAPage: MOST_ON_A_PAGE,
});

export const ADDRESS_REQUIREMENT = kind<Requirement>("address_requirements", {
  attributes: ({
    identityType,
    personal,
    business,
    addressLevel,
    addressProofs,
    needsServiceDescription,
    text,
  }) => ({
    identity_type: identityType,
    personal_area_level: personal.level,
    business_area_level: business.level,
    address_area_level: addressLevel,
    personal_proof_qty: personal.proofs,
    business_proof_qty: business.proofs,
    address_proof_qty: addressProofs,
    personal_mandatory_fields: personal.fields,
    business_mandatory_fields: business.fields,
    service_description_required: needsServiceDescription,
    restriction_message: text,
  }),
  relations: {
    country: to(COUNTRY, ({ country }: Requirement) => country),
    did_group_type: to(GROUP_TYPE, ({ type }: Requirement) => type),
    personal_permanent_document: to(TEMPLATE, ({ personal }: Requirement) => personal.permanent),
    business_permanent_document: to(TEMPLATE, ({ business }: Requirement) => business.permanent),
    personal_onetime_document: to(TEMPLATE, ({ personal }: Requirement) => personal.onetime),
    business_onetime_document: to(TEMPLATE, ({ business }: Requirement) => business.onetime),
    personal_proof_types: to(PROOF_TYPE, ({ personal }: Requirement) => personal.proofTypes),
    business_proof_types: to(PROOF_TYPE, ({ business }: Requirement) => business.proofTypes),
    address_proof_types: to(PROOF_TYPE, ({ addressProofTypes }: Requirement) => addressProofTypes),
  },
  filters: { "country.id": is(({ country }) => country.id), "did_group_type.id": is(({ type }) => type.id) },
  sorts: ["address_proof_qty", "business_proof_qty", "personal_proof_qty", "restriction_message"],
  mostOnAPage: MOST_ON_A_PAGE,
});

export const PROOF = kind<Proof>("proofs", {
  attributes: ({ at, externalReference }) => ({
    created_at: at.toISOString(),
    expires_at: null,
    external_reference_id: externalReference,
  }),
  relations: { proof_type: to(PROOF_TYPE, ({ type }: Proof) => type), entity: none },
  filters: { external_reference_id: is(({ externalReference }) => externalReference) },
  sorts: ["created_at", "expires_at", "external_reference_id"],
  mostOnAPage: MOST_ON_A_PAGE,
});

export const PERMANENT_DOCUMENT = kind<PermanentDocument>("permanent_supporting_documents", {
  attributes: ({ at, externalReference }) => ({
    created_at: at.toISOString(),
    external_reference_id: externalReference,
  }),
  relations: { template: to(TEMPLATE, ({ template }: PermanentDocument) => template), identity: none },
  filters: { external_reference_id: is(({ externalReference }) => externalReference) },
  sorts: ["created_at", "external_reference_id"],
  mostOnAPage: MOST_ON_A_PAGE,
});

export const ENCRYPTED_FILE = kind<EncryptedFile>("encrypted_files", {
  attributes: ({ description, until }) => ({ description, expires_at: until.toISOString() }),
  sorts: ["description", "expires_at"],
  mostOnAPage: MOST_ON_A_PAGE,
});

/** Attributes of an identity that callers set. */
export const IDENTITY_FIELDS = [
  "first_name",
  "last_name",
  "phone_number",
  "contact_email",
  "company_name",
  "company_reg_number",
  "vat_id",
  "id_number",
  "personal_tax_id",
  "birth_date",
  "description",
];

export const IDENTITY = kind<Identity>("identities", {
  attributes: ({ party, fields, externalReference, at, isVerified }) => ({
    identity_type: party,
    ...Object.fromEntries(IDENTITY_FIELDS.map((name) => [name, fields[name] ?? null])),
    external_reference_id: externalReference,
    created_at: at.toISOString(),
    verified: isVerified,
  }),
  relations: {
    country: to(COUNTRY, ({ country }: Identity) => country),
    birth_country: to(COUNTRY, ({ birthCountry }: Identity) => birthCountry),
    proofs: to(PROOF, ({ proofs }: Identity) => proofs),
    permanent_documents: to(PERMANENT_DOCUMENT, ({ documents }: Identity) => documents),
    addresses: none,
  },
  filters: {
    external_reference_id: is(({ externalReference }) => externalReference),
    description: is(({ fields }) => fields["description"]),
    identity_type: is(({ party }) => party),
    "country.id": is(({ country }) => country?.id),
  },
  sorts: [...IDENTITY_FIELDS, "created_at", "external_reference_id", "verified"],
  mostOnAPage: MOST_ON_A_PAGE,
});

export const ADDRESS = kind<Address>("addresses", {
  attributes: ({ fields, externalReference, at, isVerified }) => ({
    address: fields["address"],
    city_name: fields["city_name"],
    postal_code: fields["postal_code"],
    description: fields["description"] ?? null,
    external_reference_id: externalReference,
    created_at: at.toISOString(),
    verified: isVerified,
  }),
  relations: {
    identity: to(IDENTITY, ({ identity }: Address) => identity),
    country: to(COUNTRY, ({ country }: Address) => country),
    proofs: to(PROOF, ({ proofs }: Address) => proofs),
    area: none,
    city: none,
  },
  filters: {
    external_reference_id: is(({ externalReference }) => externalReference),
    "identity.id": is(({ identity }) => identity.id),
    "country.id": is(({ country }) => country.id),
  },
  sorts: [
    "address",
    "city_name",
    "created_at",
    "description",
    "external_reference_id",
    "postal_code",
    "verified",
  ],
  mostOnAPage: MOST_ON_A_PAGE,
});

export const VERIFICATION = kind<Verification>("address_verifications", {
  attributes: ({ serviceDescription, status, reasons, reference, externalReference, at }) => ({
    service_description: serviceDescription,
    callback_url: null,
    callback_method: null,
    status,
    reject_reasons: reasons,
    reject_comment: null,
    reference,
    external_reference_id: externalReference,
    created_at: at.toISOString(),
  }),
  relations: { address: to(ADDRESS, ({ address }: Verification) => address), dids: none },
  filters: {
    "address.id": is(({ address }) => address.id),
    "address.identity.id": is(({ address }) => address.identity.id),
    status: is(({ status }) => status),
    reference: is(({ reference }) => reference),
    external_reference_id: is(({ externalReference }) => externalReference),
  },
  sorts: ["created_at", "external_reference_id"],
  mostOnAPage: MOST_ON_A_PAGE,
});
