import { type Static, Type } from "typebox";
import { DateTime, described, Id, nullable, openEnum, shape } from "../../platform/http/shapes.ts";
import { REQUIREMENT_TYPES } from "../carriers/carrier.ts";
import { REQUIREMENT_STATUSES } from "./orders.requirements.rules.ts";

const MOST_SUBMISSIONS = 400;
const LINE = String.raw`^[^\u0000-\u001f\u007f]*\S[^\u0000-\u001f\u007f]*$`;
const line = (maxLength: number, example: string, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: LINE, examples: [example], description });
const country = (description: string) =>
  Type.String({ minLength: 2, maxLength: 2, pattern: "^[A-Z]{2}$", examples: ["DE"], description });

const EndUser = shape("EndUser", {
  name: line(200, "Ada Lovelace", "Person who uses the number, or contact of the company."),
  company: Type.Optional(line(200, "Northwind Telecom GmbH", "Company that uses the number.")),
  registration_number: Type.Optional(line(100, "HRB 123456", "Registration or tax number of the company.")),
  email: Type.Optional(line(254, "ada@example.com", "Email address of the contact.")),
  phone: Type.Optional(line(40, "+493010000001", "Phone number of the contact.")),
  country: Type.Optional(country("Country of the person or company.")),
  birth_date: Type.Optional(
    Type.String({
      minLength: 10,
      maxLength: 10,
      pattern: String.raw`^(19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`,
      examples: ["1985-12-10"],
      description: "Date of birth of the person.",
    }),
  ),
  birth_country: Type.Optional(country("Country of birth of the person.")),
  id_number: Type.Optional(line(100, "L01X00T47", "Number of an identity document of the person.")),
  tax_id: Type.Optional(line(100, "86095742719", "Tax number of the person.")),
  vat_id: Type.Optional(line(100, "DE123456789", "VAT number of the company.")),
});

const RequirementId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: String.raw`^[^\u0000-\u001f\u007f]+$`,
  examples: ["address"],
  description: "The carrier's ID of the requirement, as in the order.",
});

const Submission = Type.Object(
  {
    requirement_id: RequirementId,
    e164: Type.Optional(
      Type.String({
        pattern: String.raw`^\+[1-9]\d{6,14}$`,
        maxLength: 16,
        examples: ["+16285550150"],
        description: "Number of the order. Without it, the evidence is for all numbers that still need it.",
      }),
    ),
    address_id: Type.Optional(described(Id, "ID of an address, for the type `address`.")),
    document_id: Type.Optional(described(Id, "ID of a document, for the type `document`.")),
    end_user: Type.Optional(described(EndUser, "Data of the end user, for the type `end_user`.")),
  },
  {
    title: "RequirementSubmission",
    additionalProperties: false,
    oneOf: [{ required: ["address_id"] }, { required: ["document_id"] }, { required: ["end_user"] }],
    description: "Send exactly one of `address_id`, `document_id` or `end_user`.",
  },
);

export const SubmitRequirements = shape("SubmitRequirements", {
  submissions: Type.Array(Submission, {
    minItems: 1,
    maxItems: MOST_SUBMISSIONS,
    description: "Evidence for requirements of the order.",
  }),
});
export type SubmitRequirements = Static<typeof SubmitRequirements>;

export const OrderRequirement = shape("OrderRequirement", {
  id: RequirementId,
  type: openEnum(
    REQUIREMENT_TYPES,
    "Evidence that the carrier needs. Submit `address_id`, `document_id` or `end_user` for it.",
  ),
  description: Type.String({
    maxLength: 500,
    examples: ["Address of the end user in the United States."],
    description: "Text of the carrier.",
  }),
  country: nullable(
    Type.String({
      maxLength: 2,
      examples: ["US"],
      description: "Country that the address must be in. `null` for any country.",
    }),
  ),
  document_kinds: Type.Array(Type.String({ maxLength: 40, examples: ["identity"] }), {
    maxItems: 20,
    description: "Kinds of documents that the carrier accepts. Empty for any kind.",
  }),
  status: openEnum(
    REQUIREMENT_STATUSES,
    "`missing`: submit evidence. `pending`: submitted. `accepted`: the carrier needs nothing more. `rejected`: submit other evidence, see `rejected_reason`.",
  ),
  rejected_reason: nullable(
    Type.String({
      maxLength: 500,
      examples: ["The document is not legible."],
      description: "Text of the carrier about a rejection. `null` if the status is not `rejected`.",
    }),
  ),
  address_id: described(nullable(Id), "ID of the submitted address. `null` if there is none."),
  document_id: described(nullable(Id), "ID of the submitted document. `null` if there is none."),
  updated_at: described(DateTime, "Time of the last change of the status."),
});
export type OrderRequirement = Static<typeof OrderRequirement>;
