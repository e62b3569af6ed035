import { type TProperties, Type } from "typebox";
import { closedEnum, nullable, openEnum } from "../../../platform/http/shapes.ts";
import { CARRIER_FEATURES, REQUIREMENT_TYPES } from "../carrier.ts";

/** The bodies of the carrier protocol. All of them may have more members, so that both ends can be extended. */
export const ProtocolNumber = Type.String({
  pattern: String.raw`^\+[1-9]\d{6,14}$`,
  maxLength: 16,
  description: "A number in E.164 format, with the plus.",
  examples: ["+493010000001"],
});
export const Reference = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    "A UUID that Dialplane chooses. It identifies the request forever. Orders, releases and reservations never share one. A restore has the reference of its release.",
  examples: ["0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"],
});
const Organisation = Type.String({
  maxLength: 36,
  description: "The customer in Dialplane, a UUID.",
  examples: ["0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b22"],
});
/** Dialplane orders and reserves this many numbers per request. */
const MOST_NUMBERS = 100;
const Numbers = Type.Array(ProtocolNumber, { minItems: 1, maxItems: MOST_NUMBERS, uniqueItems: true });
const BoughtAs = nullable({
  ...Reference,
  description:
    "Reference of the order that bought the number. If the number was bought in any other way since, leave it alone. `null`: not known, so the number is meant however it was bought.",
} as typeof Reference);
const TrunkId = Type.String({ minLength: 1, maxLength: 100, examples: ["trunk-1"] });
const Delivered = nullable({
  ...TrunkId,
  description:
    "The trunk that receives the calls of the number. `null` if none does. A number that was just bought has none. A restored number may have its earlier trunk.",
} as typeof TrunkId);

/** Open, so that version 1 of the protocol can grow. */
function shape<const Properties extends TProperties>(title: string, properties: Properties) {
  return Type.Object(properties, { title });
}

function page<const Item extends ReturnType<typeof shape>>(title: string, item: Item) {
  return shape(title, {
    numbers: Type.Array(item, { maxItems: 1_000 }),
    next: nullable(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: "Value of `after` for the next page; `null` on the last page.",
      }),
    ),
  });
}

export const CarrierDescription = shape("CarrierDescription", {
  protocol: Type.Literal(1, { description: "Version of this protocol." }),
  name: Type.String({ minLength: 1, maxLength: 200, examples: ["Example Telecom"] }),
  features: Type.Array(openEnum(CARRIER_FEATURES), {
    maxItems: 20,
    description:
      "Optional parts that the carrier supports. `inventory`: search and reservations. `restore`: returned numbers can be restored. `delivery`: trunks and deliveries. `requirements`: numbers that need evidence, such as an address.",
    examples: [[...CARRIER_FEATURES]],
  }),
});

export const OrderRequest = shape("OrderRequest", {
  organisation: Organisation,
  numbers: Numbers,
  reservations: Type.Array(Reference, {
    maxItems: 1_000,
    description:
      "References of the organisation's own reservations, under which the numbers may be reserved. Ignore those that you do not know.",
  }),
});
export const Order = shape("Order", {
  items: Type.Array(
    shape("OrderItem", {
      number: ProtocolNumber,
      outcome: closedEnum(["bought", "pending", "rejected"]),
    }),
    { minItems: 1, maxItems: MOST_NUMBERS, description: "Each number once, in any order." },
  ),
});

export const ReleaseRequest = shape("ReleaseRequest", {
  organisation: Organisation,
  number: ProtocolNumber,
  bought_as: BoughtAs,
});
export const Release = shape("Release", { state: closedEnum(["released", "pending", "rejected"]) });
export const Restore = shape("Restore", { outcome: closedEnum(["restored", "not_available"]) });

export const OwnedNumbers = page(
  "OwnedNumbers",
  shape("OwnedNumber", {
    number: ProtocolNumber,
    reference: nullable({
      ...Reference,
      description: "The order that bought it; `null` if it was bought in another way.",
    } as typeof Reference),
    organisation: nullable(Organisation),
    bought_at: nullable(Type.String({ format: "date-time", maxLength: 40 })),
  }),
);

export const AvailableNumbers = shape("AvailableNumbers", {
  numbers: Type.Array(
    shape("AvailableNumber", {
      number: ProtocolNumber,
      country: nullable(
        Type.String({
          pattern: "^[A-Z]{2}$",
          maxLength: 2,
          description: "ISO 3166-1 code. `null` for numbers without a country, such as +800.",
          examples: ["DE"],
        }),
      ),
      type: Type.String({
        minLength: 1,
        maxLength: 40,
        description:
          "`local`, `national`, `mobile` or `toll_free`. Dialplane shows other values as they are.",
        examples: ["local"],
      }),
      capabilities: Type.Array(Type.String({ minLength: 1, maxLength: 40, examples: ["voice"] }), {
        maxItems: 20,
        description: "`voice`. Dialplane shows other values as they are.",
      }),
    }),
    { maxItems: 2_000 },
  ),
});

export const ReservationRequest = shape("ReservationRequest", {
  organisation: Organisation,
  numbers: Numbers,
  until: Type.String({
    format: "date-time",
    maxLength: 40,
    description:
      "The reservation expires then, 30 minutes after the request. A time in the past reserves nothing. A repeat does not change it.",
    examples: ["2026-11-15T09:30:00.000Z"],
  }),
});
export const Reservation = shape("Reservation", {
  items: Type.Array(
    shape("ReservationItem", {
      number: ProtocolNumber,
      outcome: closedEnum(["available", "not_available"]),
    }),
    { minItems: 1, maxItems: MOST_NUMBERS, description: "Each number once, in any order." },
  ),
});

export const Trunks = shape("Trunks", {
  trunks: Type.Array(
    shape("Trunk", { id: TrunkId, name: Type.String({ maxLength: 200, examples: ["Frankfurt"] }) }),
    { maxItems: 1_000 },
  ),
});
export const DeliveryRequest = shape("DeliveryRequest", { trunk: TrunkId });
export const Delivery = shape("Delivery", { trunk: Delivered });
export const Deliveries = page(
  "Deliveries",
  shape("DeliveredNumber", { number: ProtocolNumber, trunk: Delivered }),
);

const RequirementId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "Your ID of the requirement, unique for the number.",
  examples: ["address"],
});
const Reason = nullable(
  Type.String({
    minLength: 1,
    maxLength: 500,
    description: "Why you rejected the evidence. Customers of Dialplane read it. `null` if you did not.",
  }),
);
const Country = Type.String({ pattern: "^[A-Z]{2}$", maxLength: 2, examples: ["DE"] });
const DocumentKind = Type.String({ pattern: "^[a-z][a-z_]*$", maxLength: 40, examples: ["identity"] });
const line = (maxLength: number) => Type.String({ maxLength });

export const Requirements = shape("Requirements", {
  requirements: Type.Array(
    shape("Requirement", {
      number: ProtocolNumber,
      id: RequirementId,
      type: closedEnum(REQUIREMENT_TYPES),
      description: Type.String({
        minLength: 1,
        maxLength: 500,
        description: "Text for the customer, in your words.",
        examples: ["Address of the end user in Germany."],
      }),
      country: nullable({
        ...Country,
        description: "Country that an address must be in. `null` for any.",
      } as typeof Country),
      document_kinds: Type.Array(DocumentKind, {
        maxItems: 20,
        description:
          "Kinds of documents that you accept: `identity`, `proof_of_address`, `business_registration`, `tax_registration`, `letter_of_authorisation`, or your own. Empty for any.",
      }),
      status: closedEnum(["missing", "pending", "accepted", "rejected"]),
      reason: Reason,
      submission: nullable({
        ...Reference,
        description: "Reference of the last submission. `null` if there is none, or none with a reference.",
      } as typeof Reference),
    }),
    { maxItems: 10_000, description: "Also those that are met. Empty if no number needs evidence." },
  ),
});
export const SubmissionRequest = shape("SubmissionRequest", {
  organisation: Organisation,
  order: { ...Reference, description: "Reference of the order." } as typeof Reference,
  number: ProtocolNumber,
  requirement: RequirementId,
  address: nullable(
    shape("SubmittedAddress", {
      name: line(200),
      street: line(200),
      city: line(100),
      postal_code: line(20),
      region: nullable(line(100)),
      country: Country,
    }),
  ),
  document: nullable(
    shape("SubmittedDocument", {
      kind: DocumentKind,
      file_name: line(200),
      media_type: openEnum(["application/pdf", "image/png", "image/jpeg"]),
      content: Type.String({
        maxLength: 7_000_000,
        description: "The file in Base64.",
        examples: ["JVBERi0xLjcK"],
      }),
    }),
  ),
  end_user: nullable(
    shape("SubmittedEndUser", {
      name: line(200),
      company: nullable(line(200)),
      registration_number: nullable(line(100)),
      email: nullable(line(254)),
      phone: nullable(line(40)),
      country: Type.Optional(Country),
      birth_date: Type.Optional(line(10)),
      birth_country: Type.Optional(Country),
      id_number: Type.Optional(line(100)),
      tax_id: Type.Optional(line(100)),
      vat_id: Type.Optional(line(100)),
    }),
  ),
});
export const Submission = shape("Submission", {
  status: closedEnum(["pending", "accepted", "rejected"]),
  reason: Reason,
});

/** The body has no members that we read. */
export const Done = shape("Done", {});

export const ProtocolError = shape("Error", {
  code: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "`unknown`: the carrier does not know what the path names. You choose all other codes.",
    examples: ["unknown"],
  }),
  message: Type.String({
    maxLength: 1_000,
    description: "The problem, and how to solve it. Operators of Dialplane read it.",
  }),
});
