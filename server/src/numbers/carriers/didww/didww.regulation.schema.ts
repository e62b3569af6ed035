import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { Id, Instant, list, Name, one, ToMany, ToOne } from "./didww.schema.ts";

/** The parts of DIDWW's regulation resources that we rely on. */
const Reference = Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()]));
const Quantity = Type.Integer({ minimum: 0, maximum: 20 });
const Words = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 });

export const ADDRESS_REQUIREMENT = one(
  Type.Object({
    id: Id,
    attributes: Type.Object({
      identity_type: Type.String({ maxLength: 64 }),
      address_area_level: Type.String({ maxLength: 64 }),
      personal_area_level: Type.String({ maxLength: 64 }),
      business_area_level: Type.String({ maxLength: 64 }),
      personal_proof_qty: Quantity,
      business_proof_qty: Quantity,
      address_proof_qty: Quantity,
      personal_mandatory_fields: Words,
      business_mandatory_fields: Words,
      service_description_required: Type.Boolean(),
      restriction_message: Type.Optional(Name),
    }),
    relationships: Type.Object({
      country: ToOne,
      personal_permanent_document: ToOne,
      business_permanent_document: ToOne,
      personal_onetime_document: ToOne,
      business_onetime_document: ToOne,
      personal_proof_types: ToMany,
      business_proof_types: ToMany,
      address_proof_types: ToMany,
    }),
  }),
);
export const COUNTRY = Compile(
  Type.Object({ attributes: Type.Object({ iso: Type.String({ maxLength: 10 }) }) }),
);
export const PROOF_TYPE = Compile(
  Type.Object({ id: Id, attributes: Type.Object({ name: Type.String({ maxLength: 200 }) }) }),
);
export const TEMPLATE = Compile(
  Type.Object({
    id: Id,
    attributes: Type.Object({
      name: Type.String({ maxLength: 200 }),
      url: Type.Optional(Type.Union([Type.String({ maxLength: 2000 }), Type.Null()])),
    }),
  }),
);

const Identity = Type.Object({
  id: Id,
  attributes: Type.Object({
    identity_type: Type.String({ maxLength: 64 }),
    description: Type.Optional(Name),
    external_reference_id: Reference,
    created_at: Instant,
  }),
});
export const IDENTITY = one(Identity);
export const IDENTITIES = list(
  Type.Object({
    ...Identity.properties,
    relationships: Type.Object({ proofs: ToMany, permanent_documents: ToMany }),
  }),
);

const Referred = Type.Object({ id: Id, attributes: Type.Object({ external_reference_id: Reference }) });
/** A proof, an address or a document, with our reference. */
export const REFERRED = Compile(Referred);
export const CREATED = one(Type.Object({ id: Id }));
export const ADDRESSES = list(
  Type.Object({ ...Referred.properties, relationships: Type.Object({ identity: ToOne, proofs: ToMany }) }),
);

const Verification = Type.Object({
  id: Id,
  attributes: Type.Object({
    status: Type.String({ maxLength: 64 }),
    reject_reasons: Type.Optional(
      Type.Union([Type.Array(Type.String(), { maxItems: 100 }), Type.String(), Type.Null()]),
    ),
    reject_comment: Type.Optional(Name),
    external_reference_id: Reference,
  }),
});
export const VERIFICATION = one(Verification);
export const VERIFICATIONS = list(
  Type.Object({ ...Verification.properties, relationships: Type.Object({ address: ToOne }) }),
);

export const PUBLIC_KEYS = Compile(
  Type.Object({
    data: Type.Array(Type.Object({ attributes: Type.Object({ key: Type.String({ maxLength: 10_000 }) }) }), {
      minItems: 2,
      maxItems: 2,
    }),
  }),
);

/** Numbers of an order, with their groups. */
export const GROUPED_DIDS = list(
  Type.Object({
    id: Id,
    attributes: Type.Object({
      number: Type.String({ pattern: String.raw`^[1-9]\d{6,14}$` }),
      terminated: Type.Boolean(),
    }),
    relationships: Type.Object({ did_group: ToOne }),
  }),
);
