import type { Ask } from "../carrier-http.ts";
import {
  type PartyNeeds,
  PARTIES,
  possibleParties,
  type ProofType,
  type Regulation,
  type Template,
  unknownFields,
} from "./didww.needs.rules.ts";
import { ADDRESS_REQUIREMENT, COUNTRY, PROOF_TYPE, TEMPLATE } from "./didww.regulation.schema.ts";
import { GROUP_WITH_REQUIREMENT, includedIn } from "./didww.schema.ts";

const INCLUDED = [
  "country",
  "personal_permanent_document",
  "business_permanent_document",
  "personal_onetime_document",
  "business_onetime_document",
  "personal_proof_types",
  "business_proof_types",
  "address_proof_types",
];

/** Evidence that DIDWW needs for the numbers of a group. Undefined if it needs none. */
export async function readRegulation(ask: Ask, groupId: string): Promise<Regulation | undefined> {
  const path = `/did_groups/${encodeURIComponent(groupId)}`;
  const query = { include: "address_requirement" };
  const group = await ask({ method: "GET", path, query, answer: GROUP_WITH_REQUIREMENT });
  const required = group.data.relationships.address_requirement.data;
  return required ? readRequirement(ask, required.id) : undefined;
}

async function readRequirement(ask: Ask, id: string): Promise<Regulation> {
  const path = `/address_requirements/${encodeURIComponent(id)}`;
  const query = { include: INCLUDED.join() };
  const answer = await ask({ method: "GET", path, query, answer: ADDRESS_REQUIREMENT });
  const { attributes, relationships } = answer.data;
  const type = attributes.identity_type.toLowerCase();
  const typesIn = (linked: typeof relationships.personal_proof_types): ProofType[] =>
    linked.data.map((one) => {
      const found = includedIn(answer, one, PROOF_TYPE);
      return { id: found.id, name: found.attributes.name };
    });
  const templateIn = ({ data }: typeof relationships.country): Template | undefined => {
    if (!data) return undefined;
    const found = includedIn(answer, data, TEMPLATE);
    return { id: found.id, name: found.attributes.name, url: found.attributes.url ?? null };
  };
  const needsOfParty = (party: "personal" | "business"): PartyNeeds => ({
    fields: attributes[`${party}_mandatory_fields`],
    isInCountry: attributes[`${party}_area_level`] === "country",
    proofs: attributes[`${party}_proof_qty`],
    proofTypes: typesIn(relationships[`${party}_proof_types`]),
    permanent: templateIn(relationships[`${party}_permanent_document`]),
    onetime: templateIn(relationships[`${party}_onetime_document`]),
  });
  return {
    id,
    parties: PARTIES.filter((party) => type === "any" || type === party),
    country: includedIn(answer, relationships.country.data ?? { type: "countries", id: "" }, COUNTRY)
      .attributes.iso,
    addressLevel: attributes.address_area_level,
    addressProofs: attributes.address_proof_qty,
    addressProofTypes: typesIn(relationships.address_proof_types),
    needsServiceDescription: attributes.service_description_required,
    text: attributes.restriction_message ?? "",
    personal: needsOfParty("personal"),
    business: needsOfParty("business"),
  };
}

const MOST_TEXT = 300;

/** Why the service cannot register the numbers of a group. Undefined if it can. */
export async function obstacleOf(ask: Ask, groupId: string): Promise<string | undefined> {
  const regulation = await readRegulation(ask, groupId);
  if (!regulation) return "the number needs a registration that the carrier does not describe";
  if (possibleParties(regulation).length > 0) return undefined;
  const fields = unknownFields(regulation).join(", ");
  const text = regulation.text.replaceAll(/\s+/g, " ").trim().slice(0, MOST_TEXT);
  return `the number needs data of the end user that cannot be submitted here (${fields}). ${text}`.trim();
}
