import type { CarrierRequirement, EndUser } from "../carrier.ts";

/** DIDWW registers a number for a person or for a company. */
export const PARTIES = ["personal", "business"] as const;
export type Party = (typeof PARTIES)[number];

export interface ProofType {
  id: string;
  name: string;
}

export interface Template {
  id: string;
  name: string;
  url: string | null;
}

export interface PartyNeeds {
  /** Names of mandatory fields, as DIDWW writes them. */
  fields: readonly string[];
  isInCountry: boolean;
  proofs: number;
  proofTypes: readonly ProofType[];
  /** Form that belongs to the end user. */
  permanent: Template | undefined;
  /** Form that belongs to the registration of the number. */
  onetime: Template | undefined;
}

/** An address requirement of DIDWW. */
export interface Regulation {
  id: string;
  /** Parties that DIDWW accepts. */
  parties: readonly Party[];
  /** ISO code. */
  country: string;
  addressLevel: string;
  addressProofs: number;
  addressProofTypes: readonly ProofType[];
  needsServiceDescription: boolean;
  text: string;
  personal: PartyNeeds;
  business: PartyNeeds;
}

/** Form of a piece of evidence at DIDWW. */
export type Piece =
  | { kind: "end_user" }
  | { kind: "address" }
  | { kind: "identity_proof"; types: readonly ProofType[] }
  | { kind: "address_proof"; types: readonly ProofType[] }
  | { kind: "permanent"; template: Template }
  | { kind: "onetime"; template: Template };

export type Need = Pick<CarrierRequirement, "id" | "type" | "description" | "country" | "documentKinds"> & {
  piece: Piece;
};

/** Fields of an end user by DIDWW's names, which differ by version and language. */
const FIELDS: Record<string, keyof EndUser> = {
  first_name: "name",
  last_name: "name",
  phone_number: "phone",
  phone: "phone",
  contact_email: "email",
  email: "email",
  company_name: "company",
  company_reg_number: "registration_number",
  company_id: "registration_number",
  country: "country",
  birth_date: "birth_date",
  birth_country: "birth_country",
  place_of_birth: "birth_country",
  id_number: "id_number",
  proof_of_id: "id_number",
  personal_tax_id: "tax_id",
  representative_tax_id: "tax_id",
  vat_id: "vat_id",
  vat_number_tax_code: "vat_id",
};

const wordOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, "_")
    .replaceAll(/^_|_$/g, "");

/** The fields that this party must have. Undefined for a field that the service does not know. */
export function mandatoryFields(needs: PartyNeeds): (keyof EndUser | undefined)[] {
  const named = needs.fields.map((name) => FIELDS[wordOf(name)]);
  return [...new Set([...named, ...(needs.isInCountry ? (["country"] as const) : [])])];
}

/** Parties that the service can register. */
export function possibleParties(regulation: Regulation): Party[] {
  return regulation.parties.filter((party) => !mandatoryFields(regulation[party]).includes(undefined));
}

/** Fields that prevent the registration of every party, in DIDWW's words. */
export function unknownFields(regulation: Regulation): string[] {
  const names = regulation.parties.flatMap((party) => regulation[party].fields);
  return [...new Set(names.filter((name) => FIELDS[wordOf(name)] === undefined))];
}

/**
 * Everything that a number needs, in the order in which DIDWW can take it. Until the party is known, the documents
 * that depend on it are missing.
 */
export function needsOf(regulation: Regulation, known: Party | undefined): Need[] {
  const parties = possibleParties(regulation);
  const party = known ?? (parties.length === 1 ? parties[0] : undefined);
  const ofParty = party && regulation[party];
  return [
    {
      id: "end_user",
      type: "end_user",
      description: endUserText(regulation, party),
      piece: { kind: "end_user" },
    },
    {
      id: "address",
      type: "address",
      description: ADDRESS_TEXTS[regulation.addressLevel] ?? "Address of the end user.",
      ...(regulation.addressLevel !== "world_wide" && { country: regulation.country }),
      piece: { kind: "address" },
    },
    ...(ofParty ? proofsOf(`${party}_proof`, "identity_proof", ofParty.proofs, ofParty.proofTypes) : []),
    ...(ofParty?.permanent ? [formOf(`${party}_form`, ofParty.permanent, "permanent")] : []),
    ...proofsOf("address_proof", "address_proof", regulation.addressProofs, regulation.addressProofTypes),
    ...(ofParty?.onetime ? [formOf(`${party}_number_form`, ofParty.onetime, "onetime")] : []),
  ];
}

const ADDRESS_TEXTS: Record<string, string> = {
  country: "Address of the end user in the country of the number.",
  area: "Address of the end user in the area of the number.",
  city: "Address of the end user in the city of the number.",
};

const MOST_TEXT = 500;
const cut = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, MOST_TEXT);

const FIELD_NAMES: Record<keyof EndUser, string> = {
  name: "first and last name",
  company: "company",
  registration_number: "registration number",
  email: "email address",
  phone: "phone number",
  country: "country",
  birth_date: "date of birth",
  birth_country: "country of birth",
  id_number: "number of an identity document",
  tax_id: "tax number of the person",
  vat_id: "VAT number",
};

function endUserText(regulation: Regulation, party: Party | undefined): string {
  const parties = party ? [party] : possibleParties(regulation);
  const texts = parties.map((one) => {
    const always: (keyof EndUser)[] = one === "business" ? ["company", "name", "phone"] : ["name", "phone"];
    const fields = new Set([...always, ...mandatoryFields(regulation[one])]);
    const names = [...fields].map((field) => FIELD_NAMES[field!]).join(", ");
    return `${one === "business" ? "A company" : "A person"}: ${names}.`;
  });
  return cut(`End user of the number. ${texts.join(" ")} ${regulation.text}`);
}

const PROOF_TITLES = { identity_proof: "Proof of the end user", address_proof: "Proof of the address" };

function proofsOf(
  id: string,
  kind: keyof typeof PROOF_TITLES,
  count: number,
  types: readonly ProofType[],
): Need[] {
  const names = types.map(({ name }) => name).join(", ");
  return Array.from({ length: count }, (_, at) => ({
    id: at === 0 ? id : `${id}_${at + 1}`,
    type: "document" as const,
    description: cut(
      `${PROOF_TITLES[kind]}${count > 1 ? ` (${at + 1} of ${count})` : ""}${names && `: ${names}`}.`,
    ),
    documentKinds: [...new Set(types.map(({ name }) => kindOf(name)))].slice(0, MOST_KINDS),
    piece: { kind, types },
  }));
}

function formOf(id: string, template: Template, kind: "permanent" | "onetime"): Need {
  const link = template.url ? ` ${template.url}` : "";
  return {
    id,
    type: "document",
    description: cut(`Completed form “${template.name}”.${link}`),
    piece: { kind, template },
  };
}

const MOST_KINDS = 20;
const MOST_KIND = 40;

/** "Drivers License" is `drivers_license`, as kinds of documents are written. */
export function kindOf(name: string): string {
  return wordOf(name).slice(0, MOST_KIND).replace(/_+$/, "") || "other";
}

/** The proof type that a document of this kind is. */
export function proofTypeOf(types: readonly ProofType[], kind: string): ProofType | undefined {
  return types.find(({ name }) => kindOf(name) === kind);
}

/** Attributes of an identity at DIDWW, without the countries. */
export interface IdentityAttributes {
  identity_type: Party;
  first_name: string;
  last_name: string;
  phone_number: string;
  [name: string]: string | undefined;
}

/** The problem with the data, or the identity. */
export function identityOf(endUser: EndUser, regulation: Regulation): string | IdentityAttributes {
  const party: Party = endUser.company === undefined ? "personal" : "business";
  if (!possibleParties(regulation).includes(party))
    return party === "personal"
      ? "The number can be registered for a company only. Enter the company."
      : "The number can be registered for a person only. Enter no company.";
  const names = endUser.name.trim().split(/\s+/);
  if (names.length < 2) return "Enter the first and the last name of the person.";
  const missing = [...new Set<keyof EndUser | undefined>(["phone", ...mandatoryFields(regulation[party])])]
    .filter((field) => field !== undefined)
    .filter((field) => endUser[field] === undefined);
  if (missing.length > 0)
    return `The carrier also needs: ${missing.map((field) => FIELD_NAMES[field]).join(", ")}.`;
  const { phone, email, company, registration_number, birth_date, id_number, tax_id, vat_id } = endUser;
  return {
    identity_type: party,
    first_name: names.slice(0, -1).join(" "),
    last_name: names.at(-1)!,
    phone_number: phone!.replace(/^\+/, ""),
    ...(email !== undefined && { contact_email: email }),
    ...(company !== undefined && { company_name: company }),
    ...(registration_number !== undefined && { company_reg_number: registration_number }),
    ...(birth_date !== undefined && { birth_date }),
    ...(id_number !== undefined && { id_number }),
    ...(tax_id !== undefined && { personal_tax_id: tax_id }),
    ...(vat_id !== undefined && { vat_id }),
  };
}
