import type { DidwwAccount } from "./didww-account.ts";
import type { Country } from "./didww-records.ts";
import { oneDocument } from "./didww-documents.ts";
import { invalid } from "./didww-errors.ts";
import { PUBLIC_PEMS } from "./didww-keys.ts";
import {
  ADDRESS,
  ADDRESS_REQUIREMENT,
  ENCRYPTED_FILE,
  IDENTITY,
  IDENTITY_FIELDS,
  PERMANENT_DOCUMENT,
  PROOF,
  PROOF_TYPE,
  TEMPLATE,
  VERIFICATION,
} from "./didww-regulation-kinds.ts";
import { problemsError } from "./didww-regulation.ts";
import { type Body, readResource } from "./didww-request.ts";
import { found, lists, reads, type Route } from "./didww-serve.ts";
import { readUpload } from "./didww-upload.ts";

const MOST_REFERENCE = 100;
const BIRTH_DATE = /^\d{4}-\d\d-\d\d$/;

/** Routes for the registration of end users. */
export const REGULATION_ROUTES: Record<string, Route> = {
  "GET /address_requirements": lists(ADDRESS_REQUIREMENT, ({ regulation }) => regulation.requirements),
  "GET /address_requirements/{id}": reads(ADDRESS_REQUIREMENT, ({ regulation }) => regulation.requirements),
  "GET /proof_types": lists(PROOF_TYPE, ({ regulation }) => regulation.proofTypes),
  "GET /supporting_document_templates": lists(TEMPLATE, ({ regulation }) => regulation.templates),
  "GET /identities": lists(IDENTITY, ({ regulation }) => regulation.identities),
  "GET /addresses": lists(ADDRESS, ({ regulation }) => regulation.addresses),
  "GET /proofs": lists(PROOF, ({ regulation }) => regulation.proofs),
  "GET /permanent_supporting_documents": lists(PERMANENT_DOCUMENT, ({ regulation }) => regulation.documents),
  "GET /encrypted_files": lists(ENCRYPTED_FILE, ({ regulation }) => regulation.files),
  "GET /address_verifications": lists(VERIFICATION, ({ regulation }) => regulation.verifications),

  async "POST /identities"({ request, account }) {
    const names = [...IDENTITY_FIELDS, "identity_type", "external_reference_id"];
    const relationships = ["country", "birth_country"];
    const body = await readResource(request, { type: "identities", attributes: names, relationships });
    const party = body.attributes["identity_type"];
    if (party !== "personal" && party !== "business")
      throw invalid("/data/attributes/identity_type", "identity_type");
    const required = [
      "first_name",
      "last_name",
      "phone_number",
      ...(party === "business" ? ["company_name"] : []),
    ];
    const identity = account.regulation.add(account.regulation.identities, {
      party,
      fields: textsOf(body, IDENTITY_FIELDS, required),
      externalReference: referenceIn(body),
      country: countryIn(account, body, "country"),
      birthCountry: countryIn(account, body, "birth_country"),
      isVerified: false,
      proofs: [],
      documents: [],
    });
    return { status: 201, body: oneDocument(IDENTITY, identity) };
  },
  async "PATCH /identities/{id}"({ request, account, id }) {
    const identity = found(account.regulation.identities, id);
    const attributes = [...IDENTITY_FIELDS, "external_reference_id"];
    const body = await readResource(request, {
      type: "identities",
      id,
      attributes,
      relationships: ["country"],
    });
    if (identity.isVerified && !Object.keys(body.attributes).every((name) => name === "description"))
      throw invalid("/data", "identity", "is verified");
    Object.assign(identity.fields, textsOf(body, IDENTITY_FIELDS, []));
    return { status: 200, body: oneDocument(IDENTITY, identity) };
  },
  async "POST /addresses"({ request, account }) {
    const names = ["city_name", "postal_code", "address", "description"];
    const relationships = ["country", "identity"];
    const attributes = [...names, "external_reference_id"];
    const body = await readResource(request, { type: "addresses", attributes, relationships });
    const country = countryIn(account, body, "country");
    if (!country) throw invalid("/data/relationships/country", "country", "can't be blank");
    const address = account.regulation.add(account.regulation.addresses, {
      fields: textsOf(body, names, ["city_name", "postal_code", "address"]),
      externalReference: referenceIn(body),
      identity: linked(body, "identity", "identities", account.regulation.identities),
      country,
      isVerified: false,
      proofs: [],
    });
    return { status: 201, body: oneDocument(ADDRESS, address) };
  },
  "GET /public_keys": () => ({
    status: 200,
    body: {
      data: PUBLIC_PEMS.map((key, at) => ({ id: `key-${at}`, type: "public_keys", attributes: { key } })),
      meta: { api_version: "2026-04-16" },
    },
  }),
  async "POST /encrypted_files"({ request, account }) {
    const { fingerprint, content, description } = await readUpload(request);
    const file = account.regulation.upload(fingerprint, content, description);
    return { status: 201, body: oneDocument(ENCRYPTED_FILE, file) };
  },
  async "POST /proofs"({ request, account: { regulation } }) {
    const body = await readResource(request, {
      type: "proofs",
      attributes: ["external_reference_id"],
      relationships: ["proof_type", "entity"],
      lists: ["files"],
    });
    const type = linked(body, "proof_type", "proof_types", regulation.proofTypes);
    const isOfAddress = body.relationships["entity"]?.type === "addresses";
    const entity = isOfAddress
      ? linked(body, "entity", "addresses", regulation.addresses)
      : linked(body, "entity", "identities", regulation.identities);
    const wanted =
      "party" in entity ? { personal: "Personal", business: "Business" }[entity.party] : "Address";
    if (type.entityType !== wanted) throw invalid("/data/relationships/proof_type", "proof_type");
    const proof = regulation.add(regulation.proofs, {
      type,
      externalReference: referenceIn(body),
      files: regulation.takeFiles(filesIn(body, "files"), "/data/relationships/files"),
    });
    entity.proofs.push(proof);
    return { status: 201, body: oneDocument(PROOF, proof) };
  },
  async "POST /permanent_supporting_documents"({ request, account: { regulation } }) {
    const body = await readResource(request, {
      type: "permanent_supporting_documents",
      attributes: ["external_reference_id"],
      relationships: ["template", "identity"],
      lists: ["files"],
    });
    const template = linked(body, "template", "supporting_document_templates", regulation.templates);
    if (!template.permanent) throw invalid("/data/relationships/template", "template");
    const identity = linked(body, "identity", "identities", regulation.identities);
    const document = regulation.add(regulation.documents, {
      template,
      externalReference: referenceIn(body),
      files: regulation.takeFiles(filesIn(body, "files"), "/data/relationships/files"),
    });
    identity.documents.push(document);
    return { status: 201, body: oneDocument(PERMANENT_DOCUMENT, document) };
  },
  async "POST /address_requirement_validations"({ request, account: { regulation } }) {
    const type = "address_requirement_validations";
    const relationships = ["address_requirement", "identity", "address"];
    const body = await readResource(request, { type, attributes: [], relationships });
    const requirement = linked(body, "address_requirement", "address_requirements", regulation.requirements);
    const { identity, address } = body.relationships;
    const problems = regulation.problemsOf(
      requirement,
      identity ? linked(body, "identity", "identities", regulation.identities) : undefined,
      address ? linked(body, "address", "addresses", regulation.addresses) : undefined,
    );
    if (problems.length > 0) throw problemsError(problems);
    return { status: 201, body: { data: { id: requirement.id, type }, meta: { api_version: "2026-04-16" } } };
  },
  async "POST /address_verifications"({ request, account }) {
    const { regulation } = account;
    const body = await readResource(request, {
      type: "address_verifications",
      attributes: ["service_description", "external_reference_id", "callback_url", "callback_method"],
      relationships: ["address"],
      lists: ["dids", "onetime_files"],
    });
    const dids = (body.lists["dids"] ?? []).map(({ id }) => found(account.dids, id));
    if (dids.length === 0) throw invalid("/data/relationships/dids", "dids", "can't be blank");
    const verification = regulation.verify({
      address: linked(body, "address", "addresses", regulation.addresses),
      dids,
      files: regulation.takeFiles(filesIn(body, "onetime_files"), "/data/relationships/onetime_files"),
      serviceDescription: textsOf(body, ["service_description"], [])["service_description"] ?? null,
      externalReference: referenceIn(body),
    });
    return { status: 201, body: oneDocument(VERIFICATION, verification) };
  },
};

function textsOf(
  { attributes }: Body,
  names: readonly string[],
  required: readonly string[],
): Record<string, string> {
  for (const name of required)
    if (!attributes[name]) throw invalid(`/data/attributes/${name}`, name, "can't be blank");
  const given = Object.entries(attributes).filter(([name, value]) => names.includes(name) && value !== null);
  for (const [name, value] of given)
    if (typeof value !== "string" || (name === "birth_date" && !BIRTH_DATE.test(value)))
      throw invalid(`/data/attributes/${name}`, name);
  return Object.fromEntries(given) as Record<string, string>;
}

function referenceIn(body: Body): string | null {
  const reference = textsOf(body, ["external_reference_id"], [])["external_reference_id"] ?? null;
  if (reference !== null && reference.length > MOST_REFERENCE)
    throw invalid("/data/attributes/external_reference_id", "external_reference_id", "is too long");
  return reference;
}

function countryIn(account: DidwwAccount, body: Body, name: string): Country | null {
  return body.relationships[name] ? linked(body, name, "countries", account.countries) : null;
}

function linked<Item extends { id: string }>(
  { relationships }: Body,
  name: string,
  type: string,
  items: readonly Item[],
): Item {
  const { [name]: wanted } = relationships;
  const item = wanted?.type === type ? items.find(({ id }) => id === wanted.id) : undefined;
  if (!item) throw invalid(`/data/relationships/${name}`, name, wanted ? "is invalid" : "can't be blank");
  return item;
}

function filesIn({ lists: given }: Body, name: string): string[] {
  const files = given[name] ?? [];
  if (files.some(({ type }) => type !== "encrypted_files"))
    throw invalid(`/data/relationships/${name}`, name);
  if (name === "files" && files.length === 0)
    throw invalid("/data/relationships/files", "files", "can't be blank");
  return files.map(({ id }) => id);
}
