import { type Static, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { CarrierFault } from "../carrier.ts";

/** The parts of DIDWW responses that we rely on. Other parts may change. */
export const Id = Type.String({ minLength: 1, maxLength: 64 });
const Identifier = Type.Object({ type: Type.String({ maxLength: 64 }), id: Id });
/** Without the plus. */
const Digits = Type.String({ pattern: String.raw`^[1-9]\d{6,14}$` });
export const Instant = Type.String({
  maxLength: 40,
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$`,
});
export const Name = Type.Union([Type.String(), Type.Null()]);

/** The ID of the related resource is present only if the request includes it. */
export const ToOne = Type.Object({ data: Type.Union([Identifier, Type.Null()]) });
export const ToMany = Type.Object({ data: Type.Array(Identifier, { maxItems: 1000 }) });

const Included = Type.Optional(Type.Array(Identifier, { maxItems: 10_000 }));
const Count = Type.Integer({ minimum: 0 });
const Listed = Type.Object({ total_records: Count });

export const one = <Resource extends TSchema>(data: Resource) =>
  Compile(Type.Object({ data, included: Included }));
export const list = <Resource extends TSchema>(data: Resource) =>
  Compile(Type.Object({ data: Type.Array(data, { maxItems: 1000 }), included: Included, meta: Listed }));

/** DIDWW returns countries without pages. */
export const COUNTRIES = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({ id: Id, attributes: Type.Object({ iso: Type.String({ maxLength: 10 }) }) }),
      { maxItems: 1000 },
    ),
  }),
);
const GroupType = Type.Object({ id: Id, attributes: Type.Object({ name: Type.String({ maxLength: 64 }) }) });
export const GROUP_TYPES = list(GroupType);

const AvailableDid = Type.Object({
  id: Id,
  attributes: Type.Object({ number: Digits }),
  relationships: Type.Object({ did_group: ToOne }),
});
/** The list is capped. `total_count` is the count of all matching numbers. */
export const AVAILABLE_DIDS = Compile(
  Type.Object({
    data: Type.Array(AvailableDid, { maxItems: 10_000 }),
    included: Included,
    meta: Type.Object({ total_count: Count }),
  }),
);
export const AVAILABLE_DID = Compile(AvailableDid);

const Group = Type.Object({
  id: Id,
  attributes: Type.Object({
    features: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50 }),
    is_metered: Type.Optional(Type.Boolean()),
  }),
  meta: Type.Optional(Type.Object({ needs_registration: Type.Optional(Type.Boolean()) })),
});
export const GROUP = Compile(Group);
export const PRICED_GROUP = Compile(
  Type.Object({
    ...Group.properties,
    relationships: Type.Object({ stock_keeping_units: ToMany }),
  }),
);
export const TYPED_GROUPS = list(
  Type.Object({ id: Id, relationships: Type.Object({ did_group_type: ToOne }) }),
);
export const GROUP_WITH_REQUIREMENT = one(
  Type.Object({ id: Id, relationships: Type.Object({ address_requirement: ToOne }) }),
);
const Price = Type.String({ pattern: String.raw`^\d{1,9}(\.\d{1,9})?$` });
export const STOCK_KEEPING_UNIT = Compile(
  Type.Object({
    id: Id,
    attributes: Type.Object({ monthly_price: Price, setup_price: Price, channels_included_count: Count }),
  }),
);

const Reservation = Type.Object({
  id: Id,
  attributes: Type.Object({ description: Type.Optional(Name), expires_at: Instant }),
});
export const RESERVATION = one(Reservation);
/** The number of a reservation that has just ended may be missing. */
export const RESERVATIONS = list(
  Type.Object({ ...Reservation.properties, relationships: Type.Object({ available_did: ToOne }) }),
);

const Order = Type.Object({
  id: Id,
  attributes: Type.Object({
    status: Type.String({ maxLength: 64 }),
    external_reference_id: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  }),
});
export const ORDER = one(Order);
export const ORDERS = list(Order);
export const ORDER_RESOURCE = Compile(Order);

const DidAttributes = Type.Object({
  number: Digits,
  terminated: Type.Boolean(),
  awaiting_registration: Type.Boolean(),
  created_at: Instant,
});
export const DID = one(Type.Object({ id: Id, attributes: Type.Object({ terminated: Type.Boolean() }) }));
export const ORDERED_DIDS = list(
  Type.Object({ id: Id, attributes: DidAttributes, relationships: Type.Object({ order: ToOne }) }),
);
const DeliveredDid = Type.Object({
  id: Id,
  attributes: DidAttributes,
  relationships: Type.Object({ voice_in_trunk: ToOne }),
});
export const DELIVERED_DID = one(DeliveredDid);
export const DELIVERED_DIDS = list(DeliveredDid);
export const DID_HISTORY = list(Type.Object({ id: Id }));

export const TRUNKS = list(Type.Object({ id: Id, attributes: Type.Object({ name: Type.Optional(Name) }) }));

interface Document {
  included?: Static<typeof Identifier>[];
}

/** The included resource, which DIDWW sends with the document that names it. */
export function includedIn<Resource>(
  { included = [] }: Document,
  { type, id }: { type: string; id: string },
  schema: { Check(value: unknown): value is Resource },
): Resource {
  const found: unknown = included.find((one) => one.type === type && one.id === id);
  if (!schema.Check(found))
    throw new CarrierFault("unknown", `DIDWW responded with an undocumented or missing resource of ${type}.`);
  return found;
}
