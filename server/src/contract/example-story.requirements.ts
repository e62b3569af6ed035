import type { Json } from "./contract.schemas.ts";
import { AT, E164, ID } from "./example-story.ids.ts";

/** Northwind orders a number in Hamburg, whose carrier needs an address there and a document. */
const address = {
  id: ID.address,
  name: "Northwind Telecom GmbH",
  street: "Jungfernstieg 7",
  city: "Hamburg",
  postal_code: "20354",
  region: null,
  country: "DE",
  created_at: AT.evidence,
};
const { id: _id, created_at: _created, region: _region, ...createAddress } = address;

const CONTENT = "JVBERi0xLjcK";
const document = {
  id: ID.document,
  kind: "business_registration",
  file_name: "registration.pdf",
  media_type: "application/pdf",
  size: 9,
  created_at: AT.evidence,
};

const submissions = [
  { requirement_id: "address", address_id: ID.address },
  { requirement_id: "registration", document_id: ID.document },
];
const requirement = {
  country: null,
  document_kinds: [],
  status: "pending",
  rejected_reason: null,
  address_id: null,
  document_id: null,
  updated_at: AT.submitted,
};
const requirements = [
  {
    ...requirement,
    id: "address",
    type: "address",
    description: "Address of the end user in Germany.",
    country: "DE",
    address_id: ID.address,
  },
  {
    ...requirement,
    id: "registration",
    type: "document",
    description: "Extract from the commercial register.",
    document_kinds: ["business_registration"],
    document_id: ID.document,
  },
];
const submitted = {
  id: ID.regulatedOrder,
  job_id: ID.regulatedJob,
  status: "processing",
  quantity: 1,
  criteria: null,
  reservation_id: null,
  all_or_nothing: false,
  routing: null,
  label: null,
  tags: [],
  external_ref: null,
  metadata: {},
  created_by: { kind: "session", id: ID.ada, name: "Ada Lovelace" },
  created_at: AT.regulated,
  finished_at: null,
  items: [
    {
      e164: E164.hamburg,
      status: "submitted",
      number_id: null,
      error: null,
      requirements,
      action_required_until: null,
    },
  ],
};

/** By title of the schema. */
export const REQUIREMENT_EXAMPLES: Record<string, Json> = {
  CreateAddress: createAddress,
  Address: address,
  CreateDocument: { kind: document.kind, file_name: document.file_name, content: CONTENT },
  Document: document,
  DocumentContent: { ...document, content: CONTENT },
  SubmitRequirements: { submissions },
  RequirementSubmission: submissions[0]!,
};

/** Successful responses that differ from the example of their schema, by operation. */
export const REQUIREMENT_ANSWERS: Record<string, Json> = { submitRequirements: submitted };
