/** Evidence that carriers require before they sell a number. */

export const REQUIREMENT_TYPES = ["address", "document", "end_user"] as const;
export type RequirementType = (typeof REQUIREMENT_TYPES)[number];

export interface CarrierRequirement {
  e164: string;
  /** The carrier's identifier, unique for the number. */
  id: string;
  type: RequirementType;
  /** Text for the customer, as the carrier names it. */
  description: string;
  /** Country that an address must be in. Absent: any. */
  country?: string | undefined;
  /** Kinds of documents that the carrier accepts. Absent: any. */
  documentKinds?: readonly string[] | undefined;
  /** State of the last submission, or `missing`. */
  status: "missing" | SubmissionState["status"];
  /** Why the last submission was rejected. */
  reason?: string | undefined;
  /** Our reference of the last submission. Null if it came from elsewhere, such as the carrier's portal. */
  submission: string | null;
}

export type SubmissionState = { status: "pending" | "accepted" } | { status: "rejected"; reason: string };

export interface WantedSubmission {
  /** Our UUID, which identifies the submission afterwards. */
  reference: string;
  /** Reference of the purchase. */
  order: string;
  e164: string;
  requirement: string;
  evidence: Evidence;
}

export type Evidence =
  | { type: "address"; address: EvidenceAddress }
  | { type: "document"; document: EvidenceDocument }
  | { type: "end_user"; endUser: EndUser };

export interface EvidenceAddress {
  name: string;
  street: string;
  city: string;
  postal_code: string;
  region: string | null;
  country: string;
}

export interface EvidenceDocument {
  kind: string;
  file_name: string;
  media_type: string;
  content: Buffer;
}

/** The person or company that uses the number. */
export interface EndUser {
  name: string;
  company?: string | undefined;
  registration_number?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  /** ISO code. */
  country?: string | undefined;
  /** An ISO 8601 date. */
  birth_date?: string | undefined;
  /** ISO code. */
  birth_country?: string | undefined;
  id_number?: string | undefined;
  tax_id?: string | undefined;
  vat_id?: string | undefined;
}
