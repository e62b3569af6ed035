import { type Static, Type } from "typebox";
import { CARRIER_FEATURES, CARRIER_KINDS } from "../carriers/carrier.ts";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { NUMBER_TYPES } from "../numbers/numbers.ts";

export const CARRIER_STATES = ["open", "draining", "closed"] as const;
export type CarrierState = (typeof CARRIER_STATES)[number];

const STATE =
  "`open`: it takes new orders. `draining`: it takes no new orders, and releases continue. `closed`: it is never called.";
const Countries = Type.Array(Type.String({ pattern: "^[A-Z]{2}$", maxLength: 2, examples: ["DE"] }), {
  maxItems: 300,
  description: "ISO 3166-1 codes of the countries it is used for. Empty: all.",
});
const Types = Type.Array(closedEnum(NUMBER_TYPES), {
  maxItems: 20,
  description: "Number types it is used for. Empty: all.",
});
const ShownTypes = Type.Array(openEnum(NUMBER_TYPES), {
  maxItems: 20,
  description: "Number types it is used for. Empty: all.",
});
const Preference = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  format: "int32",
  description: "Rank among carriers for the same numbers: the lowest value is used first.",
});
const InventoryFlag = Type.Boolean({ description: "Whether clients can search and reserve its numbers." });
const Url = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: "^https?://[^\\s?#]+$",
  examples: ["https://api.telnyx.com"],
});
const Credentials = Type.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: { type: "string", minLength: 1, maxLength: 4000 },
  propertyNames: { pattern: "^[a-z][a-z0-9_]{0,39}$" },
  maxProperties: 10,
  description:
    "Credentials at the carrier. They are never shown again. `telnyx` and `didww` need `api_key`, `http` needs `secret`, and `pool` needs none.",
  examples: [{ api_key: "KEY0198…" }],
});

const TRUNK = { maxLength: 100, examples: ["1293384261075731499"] };
const DELIVERIES = {
  maxItems: 1000,
  description:
    "Trunks of the carrier that receive the calls of each switch group's numbers. Numbers of other groups are not delivered.",
};
const GroupId = described(Id, "ID of the switch group.");
const NewDeliveries = Type.Array(
  shape("SetCarrierDelivery", {
    switch_group_id: GroupId,
    trunk: Type.String({
      ...TRUNK,
      minLength: 1,
      pattern: "^[!-~]+$",
      description: "ID of the trunk at the carrier, from the list of its trunks.",
    }),
  }),
  DELIVERIES,
);
const Deliveries = Type.Array(
  shape("CarrierDelivery", {
    switch_group_id: GroupId,
    trunk: Type.String({ ...TRUNK, description: "ID of the trunk at the carrier." }),
  }),
  DELIVERIES,
);
const Repairs = Type.Boolean({
  description:
    "Whether reconciliation repairs numbers that the carrier delivers to another trunk. Otherwise an operator repairs each finding.",
});

export const CreateCarrier = shape("CreateCarrier", {
  name: Type.String({
    pattern: "^[a-z][a-z0-9_-]{0,39}$",
    maxLength: 40,
    examples: ["telnyx-eu"],
    description:
      "Name of the carrier. It is stored with each of its numbers and cannot be changed. The carrier of kind `pool` has the name `pool`.",
  }),
  kind: described(
    closedEnum(CARRIER_KINDS),
    "Kind of the carrier. `pool`: the operator's own numbers. `telnyx` and `didww`: an account at that company. `http`: a server with the carrier protocol.",
  ),
  url: Type.Optional(
    described(
      Url,
      "URL of the carrier's API (default: the public one of the company). https in production. Required for `http`.",
    ),
  ),
  credentials: Type.Optional(Credentials),
  countries: Type.Optional(Countries),
  number_types: Type.Optional(Types),
  preference: Type.Optional(
    described(
      Preference,
      "Rank among carriers for the same numbers: the lowest value is used first (default: 100).",
    ),
  ),
  inventory: Type.Optional(
    described(InventoryFlag, "Whether clients can search and reserve its numbers (default: true)."),
  ),
});
export type CreateCarrier = Static<typeof CreateCarrier>;

export const ChangeCarrier = Type.Object(
  {
    url: Type.Optional(
      described(
        nullable(Url),
        "New URL of the carrier's API. `null` for the public one of the company. Send the credentials too: they are not sent to another address.",
      ),
    ),
    credentials: Type.Optional(Credentials),
    countries: Type.Optional(Countries),
    number_types: Type.Optional(Types),
    preference: Type.Optional(Preference),
    inventory: Type.Optional(InventoryFlag),
    deliveries: Type.Optional(NewDeliveries),
    repairs_delivery: Type.Optional(Repairs),
    state: Type.Optional(described(closedEnum(CARRIER_STATES), `New state. ${STATE}`)),
  },
  { title: "ChangeCarrier", additionalProperties: false, minProperties: 1 },
);
export type ChangeCarrier = Static<typeof ChangeCarrier>;

const ShownCredentials = shape("CarrierCredentials", {
  set_at: described(DateTime, "Time when the credentials were set."),
  ends_with: nullable(
    Type.String({
      maxLength: 4,
      description: "Last 4 characters of the first credential. `null` if it is too short to show them.",
    }),
  ),
});

export const Carrier = shape("Carrier", {
  id: described(Id, "ID of the carrier."),
  name: Type.String({ maxLength: 40, examples: ["telnyx-eu"], description: "Name of the carrier." }),
  kind: openEnum(CARRIER_KINDS, "Kind of the carrier."),
  url: nullable(
    Type.String({
      maxLength: 500,
      description: "URL of the carrier's API. `null` for the public one of the company.",
    }),
  ),
  credentials: Type.Unsafe<Static<typeof ShownCredentials> | null>({
    anyOf: [ShownCredentials, { type: "null" }],
    description: "The stored credentials, which are never shown. `null` if there are none.",
  }),
  countries: Countries,
  number_types: ShownTypes,
  features: Type.Array(openEnum(CARRIER_FEATURES), {
    maxItems: 20,
    description:
      "Optional parts of the carrier protocol that the carrier supports. Read when you send its URL or credentials. Empty for other kinds.",
    examples: [[]],
  }),
  preference: Preference,
  inventory: InventoryFlag,
  deliveries: Deliveries,
  repairs_delivery: Repairs,
  state: openEnum(CARRIER_STATES, STATE),
  created_at: described(DateTime, "Time when the carrier was created."),
  updated_at: described(DateTime, "Time of the last change."),
});
export type Carrier = Static<typeof Carrier>;

export const CarrierTrunks = shape("CarrierTrunks", {
  data: Type.Array(
    shape("CarrierTrunk", {
      id: Type.String({
        maxLength: 100,
        examples: ["1293384261075731499"],
        description: "ID of the trunk at the carrier.",
      }),
      name: Type.String({
        maxLength: 200,
        examples: ["fra-1"],
        description: "Name of the trunk at the carrier.",
      }),
    }),
    { maxItems: 10_000, description: "Trunks of the account that can receive calls." },
  ),
});
export type CarrierTrunks = Static<typeof CarrierTrunks>;

export const CarrierPage = pageShape("CarrierPage", Carrier);
export const CarriersQuery = Type.Object(PageQuery, { additionalProperties: false });
